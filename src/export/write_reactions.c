/* Reactions in STEM.c: tables of what can be transmitted between which bodies, and the text that
 * solves the balances with them (docs/math/reactions.md). */
#include <math.h>
#include <string.h>

#include "export/pen.h"
#include "export/texts.h"

/* Limits of what a status reports, in double and in single precision. */
static const double LEAST_PIVOT[2] = {1e-9, 1e-5}; /* beside the first one */
static const double MOST_REST[2] = {1e-6, 1e-2};   /* of the largest force */

/* ---- tables ---- */

/* A row of a table: numbers, then a name as a comment. */
static void put_row(taut_pen *p, const int *number, int count, const char *name) {
    taut_pen_add(p, "    {");
    for (int i = 0; i < count; i++) taut_pen_add(p, i ? ", %d" : "%d", number[i]);
    taut_pen_add(p, "},");
    if (name) {
        taut_pen_add(p, " /* ");
        taut_pen_words(p, name);
        taut_pen_add(p, " */");
    }
    taut_pen_add(p, "\n");
}

static void begin_table(taut_pen *p, const char *name, int rows, int columns) {
    taut_pen_add(p, "static const short %s[%d][%d] = {\n", name, rows > 0 ? rows : 1, columns);
    static const int none[8] = {0};
    if (rows == 0) put_row(p, none, columns, "there are none");
}

static void end_table(taut_pen *p) { taut_pen_add(p, "};\n"); }

/* A vector that is not needed is the first one: tables have no index outside of it. */
static int vector_of(int v) { return v < 0 ? 0 : v; }

/* How the directions of a transfer are found; the numbers are those of the text. */
static int way_of(const taut_reactions *r, const taut_transfer *t) {
    enum { AXES, NORMAL, ALONG, COMMON, TURNED, ACROSS };
    const bool plane = r->dimension == 2;
    if (plane && t->torque && t->span != TAUT_SPAN_ALONG) return NORMAL;
    if (t->span == TAUT_SPAN_ALONG) return ALONG;
    if (t->span == TAUT_SPAN_COMMON) return COMMON;
    if (t->span == TAUT_SPAN_ACROSS) return plane ? TURNED : ACROSS;
    return AXES;
}

static int size_of(const taut_reactions *r, int transfer) {
    const taut_transfer *t = &r->transfer[transfer];
    return taut_span_size(t->span, r->dimension, t->torque);
}

static void put_transfers(taut_pen *p, const taut_code_reactions *x) {
    const taut_reactions *r = x->of;
    taut_pen_add(p,
                 "/* what transmits: way, vectors u and v, first unknown, unknowns, torque */\n");
    begin_table(p, "TRANSFER", r->transfers, 6);
    for (int i = 0; i < r->transfers; i++) {
        const taut_transfer *t = &r->transfer[i];
        const int row[] = {way_of(r, t),    vector_of(t->u),
                           vector_of(t->v), taut_balance_unknown(x->balance, i),
                           size_of(r, i),   t->torque};
        put_row(p, row, 6, t->name);
    }
    end_table(p);
}

static int transfer_of(const taut_reactions *r, int end) {
    int i = 0;
    while (end >= r->transfer[i].end + r->transfer[i].ends || end < r->transfer[i].end) i++;
    return i;
}

static void put_ends(taut_pen *p, const taut_reactions *r) {
    taut_pen_add(p, "/* its ends: kind, body, where, rows, which one; sign */\n");
    begin_table(p, "END", r->ends, 5);
    for (int e = 0; e < r->ends; e++) {
        const taut_end *x = &r->end[e];
        const int row[] = {(int)x->kind, x->carrier, vector_of(x->at), x->rows, transfer_of(r, e)};
        put_row(p, row, 5, NULL);
    }
    end_table(p);
}

static double end_sign(const taut_code *c, int e) { return c->reactions->of->end[e].sign; }

static void put_bodies(taut_pen *p, const taut_code_reactions *x) {
    const taut_reactions *r = x->of;
    taut_pen_add(p, "/* bodies: first row, has moments, reference, force, moment */\n");
    begin_table(p, "BODY", r->carriers, 5);
    for (int i = 0; i < r->carriers; i++) {
        const taut_carrier *b = &r->carrier[i];
        const int row[] = {taut_balance_row(x->balance, i), b->turns, vector_of(b->reference),
                           b->force, b->moment};
        put_row(p, row, 5, b->name);
    }
    end_table(p);
}

static void put_columns(taut_pen *p, const taut_reactions *r) {
    taut_pen_add(p, "/* columns: what transmits, along which vector; or a rod; or a vector's first "
                    "component */\n");
    begin_table(p, "REACTION", r->columns, 3);
    for (int i = 0; i < r->columns; i++) {
        const taut_reaction *c = &r->column[i];
        const int row[] = {c->transfer, vector_of(c->axis), c->transfer < 0 ? c->rod : -1};
        put_row(p, row, 3, c->name);
    }
    end_table(p);
}

/* Which end of a rod an end pulls at: 1 its second, -1 its first, 0 neither. */
static int side_of(const taut_rod *rod, const taut_end *x) {
    if (x->carrier != rod->carrier || x->kind != TAUT_END_FORCE) return 0;
    return x->at == rod->end[1] ? 1 : x->at == rod->end[0] ? -1 : 0;
}

/* Rods with their lists of ends. */
static void put_rods(taut_pen *p, const taut_reactions *r) {
    int parts = 0;
    taut_pen_add(p,
                 "/* rods: line, loads at both ends, from and to in the list of forces there */\n");
    begin_table(p, "ROD", r->rods, 5);
    for (int i = 0; i < r->rods; i++) {
        const taut_rod *rod = &r->rod[i];
        int row[] = {rod->line, rod->load[0], rod->load[1], parts, 0};
        for (int e = 0; e < r->ends; e++) parts += side_of(rod, &r->end[e]) != 0;
        row[4] = parts;
        put_row(p, row, 5, r->carrier[rod->carrier].name);
    }
    end_table(p);
    for (int signs = 0; signs < 2; signs++) {
        taut_pen_add(p, "static const %s[%d] = {", signs ? "real ROD_SIGN" : "short ROD_END",
                     parts > 0 ? parts : 1);
        for (int i = 0; i < r->rods; i++)
            for (int e = 0; e < r->ends; e++) {
                const int side = side_of(&r->rod[i], &r->end[e]);
                if (side == 0) continue;
                taut_pen_wrap(p, 4);
                if (signs)
                    taut_pen_number(p, 0.5 * side);
                else
                    taut_pen_add(p, "%d", e);
                taut_pen_add(p, ", ");
            }
        taut_pen_add(p, parts > 0 ? "};\n" : "0};\n");
    }
}

/* Where the components of vectors are found: in w->c, or (below 0: -1 - home) in w->o. */
static void put_vectors(taut_pen *p, const taut_code_reactions *x) {
    const taut_code *c = p->code;
    taut_pen_add(p, "/* components of vectors: series, or -1 - series of columns */\n");
    begin_table(p, "VECTOR", x->of->vectors, 3);
    for (int i = 0; i < x->of->vectors; i++) {
        int row[3];
        for (int k = 0; k < 3; k++) {
            const int slot = x->part[3 * i + k].slot;
            row[k] = c->store[slot] == TAUT_STORE_SERIES ? c->home[slot] : -1 - c->home[slot];
        }
        put_row(p, row, 3, NULL);
    }
    end_table(p);
}

/* ---- all of it ---- */

static void put_limits(taut_pen *p, const taut_code_reactions *x) {
    const bool single = p->code->options->single;
    const double force = x->force > 0.0 ? x->force : 1.0;
    const double rest = MOST_REST[single] * force, pivot = LEAST_PIVOT[single];
    taut_pen_add(p, "#define DIMENSION %d\n#define FIRST_MOMENT %d\n", x->of->dimension,
                 x->of->dimension == 2 ? 2 : 0);
    taut_pen_add(p, "#define TRANSFERS %d\n#define ENDS %d\n#define BODIES %d\n", x->of->transfers,
                 x->of->ends, x->of->carriers);
    taut_pen_add(p, "#define REACTIONS %d\n#define VECTORS %d\n", x->of->columns, x->of->vectors);
    taut_pen_add(p, "#define RANK %d\n#define UNDETERMINED %d\n", x->rank, x->unknowns - x->rank);
    taut_pen_add(p, "#define REACTION_LENGTH ");
    taut_pen_number(p, x->of->length);
    taut_pen_add(p, "\n#define LEAST_SQUARE ((real)%.3g)\n#define MOST_REST ((real)%.3g)\n",
                 pivot * pivot, rest * rest);
}

static void put_part(taut_pen *p, const char *name, const void *user) {
    (void)name, (void)user;
    taut_pen_add(p, "%s", taut_pen_function(p, TAUT_OP_SQRT));
}

void taut_write_reactions(taut_pen *p) {
    const taut_code_reactions *x = p->code->reactions;
    if (!x) return;
    taut_pen_template(
        p,
        "\n/* ---- reactions ----\n"
        " *\n"
        " * Forces and moments on all bodies balance: one linear system for what joints transmit, "
        "with\n"
        " * the least forces where rigid bodies do not determine them. Torques are divided by\n"
        " * REACTION_LENGTH, by which they compare with forces. */\n\n"
        "typedef @_balance balance;\n"
        "typedef real vector_of[3];\n\n");
    put_limits(p, x);
    put_vectors(p, x);
    put_transfers(p, x);
    put_ends(p, x->of);
    taut_write_table(p, "real", "END_SIGN", x->of->ends, end_sign);
    put_bodies(p, x);
    put_rods(p, x->of);
    put_columns(p, x->of);
    taut_pen_fill(p, taut_text_reactions, put_part, NULL);
}
