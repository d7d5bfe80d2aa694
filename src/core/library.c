/* The run-time linker; the only user of dlfcn.h. */
#define _GNU_SOURCE /* dladdr */
#include "core/library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

static taut_status refuse(const taut_library *library, taut_errors *errors) {
    const char *reason = dlerror();
    if (!library->package)
        return taut_fail(errors, TAUT_ERR_LIBRARY, "%s cannot be loaded: %s", library->file,
                         reason ? reason : "no reason is given");
    return taut_fail(errors, TAUT_ERR_LIBRARY,
                     "the library %s cannot be loaded; install it (Debian: %s): %s", library->file,
                     library->package, reason ? reason : "no reason is given");
}

static taut_status load(taut_library *library, taut_errors *errors) {
    void *handle = dlopen(library->file, RTLD_LAZY | RTLD_LOCAL);
    if (!handle) return refuse(library, errors);
    for (int i = 0; i < library->count; i++) {
        const taut_wanted *wanted = &library->wanted[i];
        void *address = dlsym(handle, wanted->name);
        if (!address && !wanted->optional) {
            const taut_status status = refuse(library, errors);
            dlclose(handle);
            return status;
        }
        if (address) memcpy(wanted->pointer, &address, sizeof address);
    }
    library->loaded = true;
    return TAUT_OK;
}

taut_status taut_library_load(taut_library *library, taut_errors *errors) {
    pthread_mutex_lock(&one_at_a_time);
    const taut_status status = library->loaded ? TAUT_OK : load(library, errors);
    pthread_mutex_unlock(&one_at_a_time);
    return status;
}

bool taut_library_folder(char *folder, size_t size) {
    Dl_info here;
    if (dladdr(&one_at_a_time, &here) == 0 || !here.dli_fname) return false;
    const char *slash = strrchr(here.dli_fname, '/');
    const int length = slash ? (int)(slash - here.dli_fname) : 0;
    return length > 0 && (size_t)snprintf(folder, size, "%.*s", length, here.dli_fname) < size;
}
