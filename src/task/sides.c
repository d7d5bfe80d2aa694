/* The reference is one run, and those that confirm it may share its error: a single pair that
 * differs from all others is likely to be wrong itself, but if a whole kind differs nobody knows.
 */
#include "task/sides.h"

#include <string.h>

#include "core/text.h"

/* Solvers that expand the same polynomials, or look at the past in the same way. */
static const struct {
    const char *solver, *kind;
} KIND[] = {{"taylor", "series"}, {"taylor+ho", "series"}, {"auto", "series"},
            {"ho", "series"},     {"adams", "multistep"},  {"bdf", "multistep"},
            {"ida", "multistep"}, {"erk", "Runge-Kutta"},  {"rk4", "Runge-Kutta"}};

const char *taut_solver_kind(const char *solver) {
    for (size_t i = 0; i < sizeof KIND / sizeof KIND[0]; i++)
        if (strcmp(KIND[i].solver, solver) == 0) return KIND[i].kind;
    return solver;
}

/* What a pair says at last; NULL: nothing. */
static const taut_compared_run *last_word(const taut_comparison *c, const taut_compared_pair *p) {
    for (int k = c->tols - 1; k >= 0 && p->run; k--)
        if (p->run[k].status == TAUT_OK && p->run[k].allowed < 1.0) return &p->run[k];
    return NULL;
}

static bool is_of(const taut_compared_pair *p, const char *kind, const char *formulation) {
    if (kind) return strcmp(taut_solver_kind(p->solver), kind) == 0;
    return p->formulation && formulation && strcmp(p->formulation, formulation) == 0;
}

/* Do all pairs of a kind, or of a formulation, disagree? */
static bool stands_against(const taut_comparison *c, const char *kind, const char *formulation) {
    int words = 0;
    for (int i = 0; i < c->pairs; i++) {
        if (!is_of(&c->pair[i], kind, formulation)) continue;
        const taut_compared_run *word = last_word(c, &c->pair[i]);
        if (word && !word->disagrees) return false;
        words += word != NULL;
    }
    return words > 0;
}

static void add(taut_string *text, const char *words, const char *name) {
    taut_string_add(text, "%s%s%s", text->length > 0 ? ", " : "", words, name);
}

/* Has this kind, or formulation, been asked about before? */
static bool is_repeated(const taut_comparison *c, int pair, bool by_kind) {
    const taut_compared_pair *p = &c->pair[pair];
    for (int i = 0; i < pair; i++)
        if (is_of(&c->pair[i], by_kind ? taut_solver_kind(p->solver) : NULL, p->formulation))
            return true;
    return false;
}

taut_status taut_sides_find(const taut_comparison *c, taut_arena *arena, const char **against) {
    taut_string text = {0};
    *against = NULL;
    for (int i = 0; i < c->pairs; i++) {
        const char *kind = taut_solver_kind(c->pair[i].solver);
        if (!is_repeated(c, i, true) && stands_against(c, kind, NULL)) add(&text, kind, " methods");
    }
    for (int i = 0; i < c->pairs; i++) {
        const char *formulation = c->pair[i].formulation;
        if (formulation && !is_repeated(c, i, false) && stands_against(c, NULL, formulation))
            add(&text, "formulation ", formulation);
    }
    bool failed = text.failed;
    if (text.length > 0 && !failed) {
        *against = taut_arena_copy(arena, text.text, text.length);
        failed = !*against;
    }
    taut_string_release(&text);
    return failed ? TAUT_ERR_MEMORY : TAUT_OK;
}
