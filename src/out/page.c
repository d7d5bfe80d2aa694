/* The file of a page: its template with the data of a run, and with the engine where the page is to
 * run the model itself. */
#include <string.h>

#include "out/base64.h"
#include "out/file.h"
#include "out/page_data.h"
#include "out/template.h"
#include "task/result.h"

/* A result that has what a page shows. */
static taut_status check_result(const taut_page *page, taut_errors *errors) {
    if (!page->result) return TAUT_OK;
    TAUT_NEED(page->model, "page->model of a page with a result", errors);
    const taut_mechanism *m = page->model->mechanism;
    if (page->result->description.elements != (m ? m->elements : 0) &&
        page->result->description.coordinate)
        return taut_fail(errors, TAUT_ERR_CALL, "the result of the page is not of its model");
    if (page->result->description.coordinate) return TAUT_OK;
    return taut_fail(errors, TAUT_ERR_CALL,
                     "this result is a table, not for a page: simulate with options.every = "
                     "TAUT_FOR_SCREEN");
}

taut_status taut_page_check_live(taut_errors *errors) {
    if (taut_template_engine().length > 0) return TAUT_OK;
    return taut_fail(errors, TAUT_ERR_LIBRARY,
                     "this build of taut has no engine for live pages; build it by 'make wasm' (it "
                     "installs the Debian packages clang, lld, wasi-libc and "
                     "libclang-rt-dev-wasm32)");
}

/* What a live page may do beside running its own script. */
static const char POLICY[] = " 'wasm-unsafe-eval'; worker-src blob:";

/* The element with the engine. */
static taut_status make_engine(taut_string *out) {
    const taut_engine_bytes engine = taut_template_engine();
    taut_base64 bytes = {.out = out};
    taut_string_add(out, "<script type=\"application/gzip\" id=\"taut-engine\">");
    for (long i = 0; i < engine.length; i++) taut_base64_word(&bytes, engine.byte[i], 1);
    taut_base64_finish(&bytes);
    taut_string_add(out, "</script>");
    return out->failed ? TAUT_ERR_MEMORY : TAUT_OK;
}

static void put(taut_file *file, const taut_string *text) {
    if (text->length > 0) taut_file_put(file, text->text, text->length);
}

taut_status taut_page_write(const taut_page *page, const char *path, taut_errors *errors) {
    const taut_template template = taut_template_get();
    taut_string data = {0}, engine = {0};
    taut_file file;
    TAUT_NEED(page, "page", errors);
    TAUT_NEED(path, "path", errors);
    TAUT_NEED(page->file, "page->file", errors);
    TAUT_TRY(check_result(page, errors));
    if (page->live) TAUT_TRY(taut_page_check_live(errors));
    taut_status status = taut_page_data(page, &data);
    if (status == TAUT_OK && page->live) status = make_engine(&engine);
    if (status == TAUT_OK) status = taut_file_open(&file, path, errors);
    if (status == TAUT_OK) {
        taut_file_put(&file, template.head, (size_t) template.head_length);
        if (page->live) taut_file_put(&file, POLICY, sizeof POLICY - 1);
        taut_file_put(&file, template.middle, (size_t) template.middle_length);
        put(&file, &data);
        taut_file_put(&file, template.body, (size_t) template.body_length);
        put(&file, &engine);
        taut_file_put(&file, template.tail, (size_t) template.tail_length);
        status = taut_file_close(&file, errors);
    }
    taut_string_release(&data);
    taut_string_release(&engine);
    return status;
}
