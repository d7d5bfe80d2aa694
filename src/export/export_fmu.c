/* taut_export_fmu: an archive with the description, the model's text and the binary. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/number.h"
#include "core/philox.h"
#include "export/archive.h"
#include "export/export_options.h"
#include "export/fmu_source.h"
#include "export/pen.h"
#include "task/allowance.h"
#include "task/exchange.h"
#include "task/options.h"

/* ---- files that go in ---- */

typedef struct content {
    char *data; /* on the heap, terminated */
    size_t size, room;
} content;

static taut_status read_whole(const char *path, content *c, taut_errors *errors) {
    FILE *file = fopen(path, "rb");
    taut_status status = TAUT_OK;
    if (!file) return taut_fail(errors, TAUT_ERR_IO, "%s: %s", path, strerror(errno));
    while (status == TAUT_OK && !feof(file) && !ferror(file)) {
        if (taut_grow((void **)&c->data, &c->room, c->size + 65537, 1)) status = TAUT_ERR_MEMORY;
        if (status == TAUT_OK) c->size += fread(c->data + c->size, 1, 65536, file);
    }
    if (status == TAUT_OK && ferror(file))
        status = taut_fail(errors, TAUT_ERR_IO, "%s: it cannot be read", path);
    if (status == TAUT_OK && c->data) c->data[c->size] = '\0';
    fclose(file);
    return status;
}

/* ---- what it contains ---- */

/* STEM of a path, with nothing but letters, digits and _: a name of C as the standard asks for. */
static void identifier_of(const char *path, char *name, size_t size) {
    const char *base = strrchr(path, '/');
    size_t n = 0;
    base = base ? base + 1 : path;
    if (!taut_is_letter(base[0])) name[n++] = 'm';
    for (; *base && *base != '.' && n + 1 < size; base++)
        name[n++] = taut_is_letter(*base) || taut_is_digit(*base) ? *base : '_';
    name[n] = '\0';
}

typedef struct parts {
    content model, binary;
    taut_string xml, settings, moving;
    taut_fmu_list list;
    taut_simulation *simulation;
    taut_model *own; /* with inputs that stay symbols */
    char identifier[100];
    taut_fmu_report report;
} parts;

/* Is there a motion that a host can integrate? If not, the report says why. */
static taut_status look_for_states(const taut_model *model, taut_fmu_settings *settings,
                                   taut_fmu_report *report) {
    taut_exchange *exchange = NULL;
    taut_errors *errors = taut_new(sizeof *errors); /* large: not on the stack */
    const taut_run_options run = taut_fmu_options(settings);
    if (!errors) return TAUT_ERR_MEMORY;
    const taut_status status = taut_exchange_create(model, &run, &exchange, errors);
    if (status == TAUT_OK) {
        settings->exchanges = true;
        settings->states = exchange->states;
        settings->indicators = exchange->indicators;
    } else {
        snprintf(report->why, sizeof report->why, "%.290s",
                 errors->count > 0 ? errors->item[0].message : taut_status_text(status));
    }
    taut_exchange_free(&exchange);
    taut_release((void **)&errors);
    return status == TAUT_ERR_MEMORY ? status : TAUT_OK;
}

/* Starts the model once: what cannot start is no FMU, and columns have names only then. */
static taut_status describe(const taut_model *model, const taut_export_options *o, const char *path,
                            parts *p, taut_errors *errors) {
    taut_fmu_settings settings = {
        .rtol = o->run.rtol, .atol = o->run.atol, .derivatives = o->run.derivatives};
    const taut_run_options run = taut_fmu_options(&settings);
    TAUT_TRY(taut_simulation_create(model, &run, &p->simulation, errors));
    TAUT_TRY(taut_simulation_start(p->simulation, errors));
    TAUT_TRY(look_for_states(model, &settings, &p->report));
    TAUT_TRY(taut_fmu_list_make(model, p->simulation, &settings, &p->list));
    if (o->fmi == 2) /* which has calls for it */
        TAUT_TRY(taut_fmu_try_moving(taut_model_file(model, 0), &p->list, &run, &settings.moves));
    if (settings.moves) taut_fmu_write_moving(&p->list, &p->moving);
    taut_fmu_settings_write(&settings, &p->settings);
    identifier_of(path, p->identifier, sizeof p->identifier);
    p->report.exchange = settings.exchanges;
    p->report.states = settings.states;
    p->report.indicators = settings.indicators;
    const taut_fmu_description d = {
        .name = p->identifier,
        .identifier = p->identifier,
        .title = taut_model_title(model),
        .token = taut_hash(TAUT_HASH_BEGIN, p->model.data, p->model.size),
        .list = &p->list,
        .exchanges = settings.exchanges,
        .moves = settings.moves,
        .indicators = settings.indicators,
        .t0 = model->t0,
        .tend = model->has_tend ? model->tend : (double)NAN,
        .tolerance = o->run.rtol,
        .version = o->fmi,
    };
    taut_fmu_describe(&d, &p->xml);
    return p->xml.failed || p->settings.failed || p->moving.failed ? TAUT_ERR_MEMORY : TAUT_OK;
}

static taut_status write_archive(const parts *p, int version, const char *path,
                                 taut_errors *errors) {
    char name[TAUT_ARCHIVE_NAME];
    taut_archive *a = taut_new(sizeof *a);
    if (!a) return TAUT_ERR_MEMORY;
    snprintf(name, sizeof name, "binaries/%s/%s.so", taut_fmu_platform(version), p->identifier);
    taut_status status = taut_archive_open(a, path, errors);
    if (status == TAUT_OK) {
        status = taut_archive_add(a, "modelDescription.xml", p->xml.text, p->xml.length);
        if (status == TAUT_OK)
            status = taut_archive_add(a, "resources/model.yaml", p->model.data, p->model.size);
        if (status == TAUT_OK)
            status =
                taut_archive_add(a, "resources/settings.txt", p->settings.text, p->settings.length);
        if (status == TAUT_OK && p->moving.length > 0)
            status = taut_archive_add(a, "resources/moving.yaml", p->moving.text, p->moving.length);
        if (status == TAUT_OK) status = taut_archive_add(a, name, p->binary.data, p->binary.size);
        if (status == TAUT_OK)
            status = taut_archive_close(a, errors);
        else
            taut_archive_drop(a);
    }
    taut_release((void **)&a);
    return status;
}

/* ---- source code ---- */

typedef struct sources {
    taut_code code;
    taut_string source, header, calls, build, xml;
    taut_fmu_list list;
} sources;

static taut_status fill_sources(const taut_model *model, const taut_export_options *o,
                                const char *identifier, sources *p, taut_errors *errors) {
    TAUT_TRY(taut_code_create(model, identifier, o, &p->code, errors));
    TAUT_TRY(taut_write_source(&p->code, &p->source, &p->header));
    TAUT_TRY(taut_fmu_source_list(&p->code, &p->list));
    const taut_fmu_description d = {
        .name = identifier,
        .identifier = identifier,
        .title = taut_model_title(model),
        .token = taut_hash(TAUT_HASH_BEGIN, p->source.text, p->source.length),
        .list = &p->list,
        .stem = identifier,
        .t0 = p->code.t0,
        .tend = p->code.tend,
        .tolerance = p->code.tolerance,
        .version = o->fmi,
    };
    taut_fmu_describe(&d, &p->xml);
    taut_fmu_source_write(&p->code, &d, &p->calls);
    taut_fmu_source_build(&p->code, &d, &p->build);
    return p->xml.failed || p->calls.failed || p->build.failed ? TAUT_ERR_MEMORY : TAUT_OK;
}

static taut_status write_sources(const sources *p, const char *identifier, int version,
                                 const char *path, taut_errors *errors) {
    char name[2][TAUT_ARCHIVE_NAME];
    taut_archive *a = taut_new(sizeof *a);
    if (!a) return TAUT_ERR_MEMORY;
    snprintf(name[0], sizeof name[0], "sources/%s.c", identifier);
    snprintf(name[1], sizeof name[1], "sources/%s.h", identifier);
    const struct {
        const char *name;
        const taut_string *text;
    } file[] = {{"modelDescription.xml", &p->xml},
                {name[0], &p->source},
                {name[1], &p->header},
                {"sources/fmu.c", &p->calls},
                {"sources/buildDescription.xml", &p->build}};
    taut_status status = taut_archive_open(a, path, errors);
    if (status == TAUT_OK) {
        for (int i = 0; i < (version == 3 ? 5 : 4) && status == TAUT_OK; i++)
            status = taut_archive_add(a, file[i].name, file[i].text->text, file[i].text->length);
        if (status == TAUT_OK)
            status = taut_archive_close(a, errors);
        else
            taut_archive_drop(a);
    }
    taut_release((void **)&a);
    return status;
}

static taut_status export_sources(const taut_model *model, const taut_export_options *o,
                                  const char *path, taut_fmu_report *report, taut_errors *errors) {
    char identifier[100];
    sources p = {.source = {0}};
    identifier_of(path, identifier, sizeof identifier);
    taut_status status = fill_sources(model, o, identifier, &p, errors);
    if (status == TAUT_OK) status = write_sources(&p, identifier, o->fmi, path, errors);
    if (status == TAUT_OK && report)
        taut_format(report->why, sizeof report->why, "order %d, steps of at most %.6g",
                    p.code.order, p.code.step);
    taut_string_release(&p.source);
    taut_string_release(&p.header);
    taut_string_release(&p.calls);
    taut_string_release(&p.build);
    taut_string_release(&p.xml);
    taut_fmu_list_release(&p.list);
    taut_code_release(&p.code);
    return status;
}

/* ---- the call ---- */

static taut_status refuse(const taut_model *model, const taut_export_options *o,
                          taut_errors *errors) {
    if (!taut_model_file(model, 0))
        return taut_fail(
            errors, TAUT_ERR_CALL,
            "an FMU contains the file of its model, and this model was not read from one");
    if (taut_doc_file(model->doc, 1))
        return taut_fail(
            errors, TAUT_ERR_CALL,
            "the model includes other files (%s): an FMU contains one; put them together",
            taut_doc_file(model->doc, 1));
    if (model->overrides > 0 || model->inputs > 0)
        return taut_fail(
            errors, TAUT_ERR_CALL,
            "an FMU has the values of the file: set parameters and inputs in the FMU, or "
            "change the file");
    if (o->run.step > 0.0 || o->run.order > 0 || o->run.formulation || o->run.reactions ||
        o->run.has_tend)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "an FMU simulates by steps of its own in natural coordinates: leave out "
                         "options.step, order, formulation, reactions and tend");
    return TAUT_OK;
}

static taut_status export(const taut_model *model, const taut_export_options *options,
                          const char *path, const char *binary, taut_fmu_report *report,
                          taut_errors *errors) {
    const taut_export_options o = options ? *options : taut_export_options_default();
    parts p = {.simulation = NULL};
    taut_model *source = NULL;
    TAUT_NEED(model, "model", errors);
    TAUT_NEED(path, "path", errors);
    if (report) *report = (taut_fmu_report){0};
    TAUT_TRY(taut_export_check_options(&o, errors));
    if (o.fmi != 2 && o.fmi != 3)
        return taut_fail(errors, TAUT_ERR_CALL, "options.fmi must be 2 or 3");
    if (o.sources) return export_sources(model, &o, path, report, errors);
    TAUT_NEED(binary, "binary", errors);
    TAUT_TRY(refuse(model, &o, errors));
    taut_status status = read_whole(taut_model_file(model, 0), &p.model, errors);
    if (status == TAUT_OK) status = read_whole(binary, &p.binary, errors);
    if (status == TAUT_OK)
        status = taut_model_read(taut_model_file(model, 0), NULL, 0, &source, errors);
    if (status == TAUT_OK) status = taut_fmu_keep_inputs(source, &p.own, errors);
    if (status == TAUT_OK) status = describe(p.own, &o, path, &p, errors);
    if (status == TAUT_OK) status = write_archive(&p, o.fmi, path, errors);
    if (status == TAUT_OK && report) *report = p.report;
    taut_simulation_free(&p.simulation);
    if (p.own != source) taut_model_free(&p.own);
    taut_model_free(&source);
    taut_fmu_list_release(&p.list);
    taut_string_release(&p.xml);
    taut_string_release(&p.settings);
    taut_string_release(&p.moving);
    taut_release((void **)&p.model.data);
    taut_release((void **)&p.binary.data);
    return status;
}

taut_status taut_export_fmu(const taut_model *model, const taut_export_options *options,
                            const char *path, const char *binary, taut_fmu_report *report,
                            taut_errors *errors) {
    taut_allowance allowance;
    taut_allowance_begin(&allowance, options ? &options->run : NULL);
    const taut_status status = export(model, options, path, binary, report, errors);
    return taut_allowance_end(&allowance, status, errors);
}
