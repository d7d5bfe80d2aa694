/* taut_export_c: options, the code of a model, its files. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "export/export_options.h"
#include "export/pen.h"
#include "out/file.h"
#include "task/allowance.h"

static const double LEAST_SINGLE = 1e-4; /* tolerance in single precision */

/* ---- files ---- */

static taut_status make_folder(const char *path, taut_errors *errors) {
    struct stat s;
    if (mkdir(path, 0777) == 0) return TAUT_OK;
    const int number = errno;
    if (number == EEXIST && stat(path, &s) == 0 && S_ISDIR(s.st_mode)) return TAUT_OK;
    return taut_fail(errors, TAUT_ERR_IO, "%s: %s", path,
                     number == EEXIST ? "it is there, and not a folder" : strerror(number));
}

static taut_status write_file(const char *directory, const char *name, const taut_string *text,
                              taut_errors *errors) {
    taut_string path = {0};
    taut_string_add(&path, "%s/%s", directory, name);
    if (text->failed || path.failed) {
        taut_string_release(&path);
        return TAUT_ERR_MEMORY;
    }
    const taut_status status = taut_file_write(path.text, text->text, errors);
    taut_string_release(&path);
    return status;
}

static taut_status write_files(const taut_code *c, const char *directory, taut_string *source,
                               taut_string *header, taut_errors *errors) {
    taut_string main = {0}, make = {0}, name = {0};
    taut_write_main(c, &main);
    taut_write_makefile(c, &make);
    taut_status status = make_folder(directory, errors);
    taut_string_add(&name, "%s.c", c->stem);
    if (status == TAUT_OK) status = write_file(directory, name.text, source, errors);
    if (name.text) name.text[name.length - 1] = 'h';
    if (status == TAUT_OK) status = write_file(directory, name.text, header, errors);
    if (status == TAUT_OK) status = write_file(directory, "main.c", &main, errors);
    if (status == TAUT_OK) status = write_file(directory, "Makefile", &make, errors);
    taut_string_release(&name);
    taut_string_release(&make);
    taut_string_release(&main);
    return status;
}

static void fill_report(const taut_code *c, const taut_string *source, taut_export_report *r) {
    *r = (taut_export_report){.order = c->order,
                              .step = c->step,
                              .steps = c->steps,
                              .tolerance = c->tolerance,
                              .error = c->error,
                              .states = c->states,
                              .unknowns = c->system->n,
                              .columns = c->columns,
                              .pivots = c->pivots.operations,
                              .pivot = c->pivots.least,
                              .frozen = c->frozen,
                              .bytes = (long)source->length};
    for (int i = 0; c->reactions && i < c->reactions->of->columns; i++)
        r->undetermined += c->reactions->open[i];
    for (int i = 0; i < c->parameters; i++)
        r->parameters += c->parameter[i].kind == TAUT_CODE_PARAMETER && c->parameter[i].used &&
                         !c->parameter[i].frozen;
}

/* ---- the call ---- */

static taut_status check_run(const taut_run_options *o, taut_errors *errors) {
    if (o->from)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "options.from: generated code begins where the model does");
    return TAUT_OK;
}

static taut_status check_stem(const char *stem, taut_errors *errors) {
    bool good = stem[0] && stem[0] != '.' && stem[0] != '-' && strcmp(stem, "main") != 0;
    for (const char *p = stem; *p; p++)
        good = good && (taut_is_letter(*p) || taut_is_digit(*p) || strchr("-_.+", *p));
    if (good) return TAUT_OK;
    return taut_fail(
        errors, TAUT_ERR_CALL,
        "'%s' cannot be the name of generated files: letters, digits, - and _, and not "
        "main",
        stem);
}

taut_status taut_export_c(const taut_model *model, const taut_export_options *options,
                          const char *directory, const char *stem, taut_export_report *report,
                          taut_errors *errors) {
    taut_export_options o = options ? *options : taut_export_options_default();
    taut_string source = {0}, header = {0};
    taut_code code = {0};
    TAUT_NEED(model, "model", errors);
    TAUT_NEED(directory, "directory", errors);
    TAUT_NEED(stem, "stem", errors);
    TAUT_TRY(taut_export_check_options(&o, errors));
    TAUT_TRY(check_run(&o.run, errors));
    TAUT_TRY(check_stem(stem, errors));
    if (o.single && o.run.rtol < LEAST_SINGLE) o.run.rtol = LEAST_SINGLE;
    taut_allowance allowance;
    taut_allowance_begin(&allowance, &o.run);
    taut_status status = taut_code_create(model, stem, &o, &code, errors);
    if (status == TAUT_OK) status = taut_write_source(&code, &source, &header);
    status = taut_allowance_end(&allowance, status, errors);
    if (status == TAUT_OK) status = write_files(&code, directory, &source, &header, errors);
    if (status == TAUT_OK && report) fill_report(&code, &source, report);
    taut_string_release(&source);
    taut_string_release(&header);
    taut_code_release(&code);
    return status;
}
