/* The library inside a live page, as WebAssembly: what the page's worker calls (docs/scene.md, "The
 * engine"). One model is read from the files of the host and kept; runs are of it with other
 * parameters and initial values. Texts go in through live_room, and come out as an address and a
 * length. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/arena.h"
#include "core/clock.h"
#include "live/engine.h"
#include "live/hand.h"
#include "model/model.h"
#include "out/page_data.h"
#include "task/result.h"

enum { MOST_SETTINGS = 1000 };

static struct engine {
    taut_arena names; /* of what is set */
    taut_override set[MOST_SETTINGS];
    taut_initial initial[MOST_SETTINGS];
    int sets, initials;
    taut_model *file, *variant; /* as it is read; as it is run */
    taut_result *result;
    taut_errors errors;
    taut_string text;
    bool loose, reactions;
    double patience, begin; /* s: a run may take so long; 0: any time */
} engine;

/* ---- texts and settings ---- */

char *live_room(int size) { return taut_arena_array(&engine.names, (size_t)size + 1, 1); }

void live_clear(void) {
    taut_arena_release(&engine.names);
    engine.sets = engine.initials = 0;
    engine.loose = engine.reactions = false;
}

int live_set(const char *name, const char *formula) {
    if (engine.sets == MOST_SETTINGS) return TAUT_ERR_MEMORY;
    engine.set[engine.sets++] = (taut_override){name, formula};
    return TAUT_OK;
}

int live_initial(const char *name, double value) {
    if (engine.initials == MOST_SETTINGS) return TAUT_ERR_MEMORY;
    engine.initial[engine.initials++] = (taut_initial){.name = name, .value = value};
    return TAUT_OK;
}

void live_loosen(void) { engine.loose = true; }

void live_react(void) { engine.reactions = true; }

/* ---- reading and running ---- */

const taut_model *live_model(void) { return engine.variant ? engine.variant : engine.file; }

static void forget(void) {
    live_release(); /* its model goes */
    taut_result_free(&engine.result);
    taut_model_free(&engine.variant);
    taut_string_release(&engine.text);
    memset(&engine.errors, 0, sizeof engine.errors);
}

int live_read(const char *path) {
    forget();
    taut_model_free(&engine.file);
    return taut_model_read(path, NULL, 0, &engine.file, &engine.errors);
}

static int ask_patience(void *user, double fraction) {
    (void)user, (void)fraction;
    return engine.patience > 0.0 && taut_seconds() - engine.begin > engine.patience;
}

static taut_status simulate(const taut_run_options *o, bool certify) {
    const taut_variation variation = {.override = engine.set,
                                      .overrides = engine.sets,
                                      .initial = engine.initial,
                                      .initials = engine.initials};
    TAUT_TRY(taut_model_vary(engine.file, &variation, &engine.variant, &engine.errors));
    for (int i = 0; engine.loose && i < engine.variant->values; i++)
        if (engine.variant->value[i].order > 0) engine.variant->value[i].fixed = false;
    const taut_status status = taut_simulate(engine.variant, o, &engine.result, &engine.errors);
    if (status == TAUT_ERR_INPUT) taut_attempt(engine.variant, o, &engine.result);
    const bool alarm = engine.result && engine.result->stats.alarm;
    if (certify && (status == TAUT_OK || alarm))
        taut_certify(engine.variant, o, engine.result, NULL);
    return status;
}

int live_run(const char *path, double tend, double tolerance, double patience, int certify) {
    taut_run_options o = taut_run_options_default();
    taut_status status = TAUT_ERR_INPUT;
    if (engine.file) forget(); /* otherwise the errors are those of the reading */
    o.every = TAUT_FOR_SCREEN;
    o.has_tend = isfinite(tend);
    if (o.has_tend) o.tend = tend;
    if (tolerance > 0.0) o.rtol = o.atol = tolerance;
    o.reactions = engine.reactions;
    o.progress = ask_patience;
    engine.patience = patience;
    engine.begin = taut_seconds();
    if (engine.file) status = simulate(&o, certify);
    const taut_page page = {.file = path,
                            .model = live_model(),
                            .result = engine.result,
                            .status = status,
                            .errors = &engine.errors,
                            .live = true};
    if (taut_page_data(&page, &engine.text) != TAUT_OK) return TAUT_ERR_MEMORY;
    return status;
}

/* ---- what came of it ---- */

const char *live_text(void) { return engine.text.text; }
int live_text_length(void) { return (int)engine.text.length; }
const double *live_table(void) { return engine.result ? engine.result->value : NULL; }
int live_rows(void) { return engine.result ? (int)engine.result->rows : 0; }
int live_columns(void) { return engine.result ? engine.result->columns : 0; }
