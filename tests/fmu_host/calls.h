/* Functions of the standard by name. Private to tests/fmu_host. */
#ifndef TAUT_TESTS_FMU_HOST_CALLS_H
#define TAUT_TESTS_FMU_HOST_CALLS_H

#include "fmu_host/host.h"

void *host_function(const host_fmu *f, const char *name);

/* An object pointer as a function of this type. */
#define CALL(f, name, type) (*(__typeof__(type) **)&(void *){host_function(f, name)})
#define IS_THREE(x) ((x)->fmu->description.version == 3)

#endif
