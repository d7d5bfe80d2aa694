/* The tree that importers fill: growing lists, names that a model file accepts. */
#include "import/robot.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Names that formulas use themselves, columns that are always there, and words of YAML. */
static const char *const RESERVED[] = {
    "t",      "pi",   "energy", "kinetic", "potential", "work",  "sin",  "cos",  "tan",
    "asin",   "acos", "atan",   "atan2",   "sinh",      "cosh",  "tanh", "exp",  "log",
    "sqrt",   "abs",  "sign",   "min",     "max",       "floor", "ceil", "mod",  "cross",
    "dot",    "norm", "if",     "and",     "or",        "not",   "null", "true", "false",
    "ground", "der",  "step",   "round",   "pow",       "clamp"};
enum { RESERVEDS = sizeof RESERVED / sizeof RESERVED[0], LABEL = 48 };

void taut_robot_release(taut_robot *r) {
    for (int i = 0; i < r->bodies; i++) taut_string_release(&r->body[i].merged);
    taut_release((void **)&r->body);
    taut_release((void **)&r->loop);
    taut_release((void **)&r->tie);
    taut_release((void **)&r->spring);
    taut_string_release(&r->constraints);
    taut_string_release(&r->left_out);
    taut_arena_release(&r->arena);
}

/* What comes of names in the model file (robot_text.c): % is the name. */
static const char *const FURTHER[][10] = {
    [TAUT_NAMES_BODY] = {"P_%", "u_%", "v_%", "O_%", "a_%", "n_%", "x_%", "y_%", "%_joints"},
    [TAUT_NAMES_JOINT] = {"%_joint", "%_friction", "%_damper"},
    [TAUT_NAMES_TIE] = {"A_%", "B_%", "p_%", "q_%", "r_%", "s_%", "S_%", "T_%", "%_loop"}};

static void make_further(const char *form, const char *label, char made[LABEL + 32]) {
    const int before = (int)strcspn(form, "%");
    snprintf(made, LABEL + 32, "%.*s%s%s", before, form, label, form + before + 1);
}

/* The same with x, y or z behind it is taken as well, as components have it; and without. */
static bool is_there(const taut_robot *r, const char *label) {
    const size_t n = strlen(label);
    char other[LABEL + 34];
    bool taken = taut_roster_get(&r->label, label) >= 0;
    snprintf(other, sizeof other, "%s?", label);
    for (int i = 0; i < 3 && !taken; i++) {
        other[n] = "xyz"[i];
        taken = taut_roster_get(&r->label, other) >= 0;
    }
    if (taken || !strchr("xyz", label[n - 1])) return taken;
    other[n - 1] = '\0';
    return taut_roster_get(&r->label, other) >= 0;
}

static bool is_taken(const taut_robot *r, const char *label, taut_robot_named named) {
    for (int i = 0; i < RESERVEDS; i++)
        if (strcmp(RESERVED[i], label) == 0) return true;
    bool taken = is_there(r, label);
    for (const char *const *form = FURTHER[named]; *form && !taken; form++) {
        char made[LABEL + 32];
        make_further(*form, label, made);
        taken = is_there(r, made);
    }
    return taken;
}

/* A copy that nobody else gets; NULL without memory. */
static const char *take(taut_robot *r, const char *name) {
    const char *own = taut_arena_copy(&r->arena, name, strlen(name));
    if (!own || taut_roster_put(&r->label, &r->arena, own, 0) != TAUT_OK) return NULL;
    return own;
}

const char *taut_robot_label(taut_robot *r, const char *name, taut_robot_named named) {
    char plain[LABEL + 16], *p = plain;
    if (!taut_is_letter(name[0])) *p++ = 'n', *p++ = '_';
    for (const char *c = name; *c && p < plain + LABEL; c++)
        *p++ = taut_is_letter(*c) || taut_is_digit(*c) ? *c : '_';
    *p = '\0';
    const char *first = taut_arena_copy(&r->arena, plain, strlen(plain));
    if (!first) return NULL;
    const int next = taut_roster_get(&r->next, first);
    int k = next > 2 ? next : 2;
    if (k > 2) snprintf(p, 16, "_%d", k++); /* those before are taken */
    for (; is_taken(r, plain, named); k++) snprintf(p, 16, "_%d", k);
    const char *label = take(r, plain);
    if (!label || (k > 2 && taut_roster_put(&r->next, &r->arena, first, k) != TAUT_OK)) return NULL;
    for (const char *const *form = FURTHER[named]; *form; form++) {
        char made[LABEL + 32];
        make_further(*form, label, made);
        if (!take(r, made)) return NULL;
    }
    return label;
}

taut_robot_body *taut_robot_add_body(taut_robot *r) {
    if (taut_grow((void **)&r->body, &r->body_room, (size_t)r->bodies + 1, sizeof *r->body))
        return NULL;
    taut_robot_body *b = &r->body[r->bodies++];
    *b = (taut_robot_body){.parent = TAUT_GROUND, .pose = taut_frame_none};
    return b;
}

taut_robot_loop *taut_robot_add_loop(taut_robot *r) {
    if (taut_grow((void **)&r->loop, &r->loop_room, (size_t)r->loops + 1, sizeof *r->loop))
        return NULL;
    taut_robot_loop *l = &r->loop[r->loops++];
    *l = (taut_robot_loop){.body = {TAUT_GROUND, TAUT_GROUND},
                           .place = {taut_frame_none, taut_frame_none}};
    return l;
}

taut_robot_tie *taut_robot_add_tie(taut_robot *r) {
    if (taut_grow((void **)&r->tie, &r->tie_room, (size_t)r->ties + 1, sizeof *r->tie)) return NULL;
    taut_robot_tie *t = &r->tie[r->ties++];
    *t = (taut_robot_tie){.ratio = 1.0};
    return t;
}

taut_robot_spring *taut_robot_add_spring(taut_robot *r) {
    if (taut_grow((void **)&r->spring, &r->spring_room, (size_t)r->springs + 1, sizeof *r->spring))
        return NULL;
    taut_robot_spring *s = &r->spring[r->springs++];
    *s = (taut_robot_spring){.body = {TAUT_GROUND, TAUT_GROUND}};
    return s;
}

taut_robot_frame taut_robot_world(const taut_robot *r, int body) {
    taut_robot_frame f = taut_frame_none;
    for (; body != TAUT_GROUND; body = r->body[body].parent)
        f = taut_frame_compose(&r->body[body].pose, &f);
    return f;
}

void taut_robot_leave_out(taut_robot *r, const char *format, ...) {
    char raw[400], shown[600], line[602];
    va_list args;
    va_start(args, format);
    vsnprintf(raw, sizeof raw, format, args); /* texts and whole numbers only */
    va_end(args);
    taut_text_escape(raw, shown, sizeof shown, false);
    snprintf(line, sizeof line, "%s\n", shown);
    if (taut_roster_get(&r->said, line) >= 0) return;
    const char *kept = taut_arena_copy(&r->arena, line, strlen(line));
    if (!kept || taut_roster_put(&r->said, &r->arena, kept, 0) != TAUT_OK)
        r->left_out.failed = true;
    else
        taut_string_add(&r->left_out, "%s", line);
}
