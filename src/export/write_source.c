/* STEM.c: the parts that depend on the equations, between those that are the same for all. */
#include "export/pen.h"
#include "export/texts.h"

/* Straight lines that are longer become loops, unless tables of all pairs of unknowns would be
 * longer still: a chain. */
enum { MOST_BYTES = 100000, MOST_UNKNOWNS = 100 };

static taut_status number_homes(taut_pen *p, taut_arena *arena) {
    const taut_numbers *n = p->code->tape->numbers;
    const int count = taut_numbers_count(n);
    p->number_home = TAUT_NEW_ARRAY(arena, count + 1, int);
    if (!p->number_home) return TAUT_ERR_MEMORY;
    for (int i = 0; i < count; i++) {
        p->number_home[i] = -1;
        if (i == 0 || !p->code->number_used[i]) continue;
        const taut_number_kind kind = taut_numbers_row(n, i).kind;
        if (kind != TAUT_NUMBER_FIXED && kind != TAUT_NUMBER_PARAMETER)
            p->number_home[i] = p->numbers++;
    }
    return TAUT_OK;
}

static void put_opening(taut_pen *p) {
    taut_pen_add(p, "/* ");
    taut_pen_words(p, p->code->stem);
    taut_pen_add(p, ": ");
    taut_pen_words(p, p->code->model->title[0] ? p->code->model->title : "a model");
    taut_pen_add(p,
                 ".\n *\n * Written by taut %s. This file is yours: no licence of taut applies to "
                 "it.\n * See the header for how it is used. */\n#include \"",
                 taut_version());
    taut_pen_words(p, p->code->stem);
    taut_pen_template(p, ".h\"\n\n#include <math.h>\n\ntypedef @_real real;\ntypedef @_work work;\n"
                         "typedef real series_of[$_ORDERS];\n"
                         "typedef real output_of[$_OUTPUT_ORDERS];\n");
}

static taut_status put_source(taut_pen *p, taut_string *body) {
    taut_string *text = p->out;
    p->out = body;
    taut_pen_add(p, "\n/* ---- parameters and inputs ---- */\n");
    TAUT_TRY(taut_write_numbers(p));
    TAUT_TRY(taut_write_series(p));
    TAUT_TRY(taut_write_jacobian(p));
    taut_pen_template(p, taut_text_stages);
    taut_write_reactions(p);
    taut_write_interface(p);
    p->out = text;
    put_opening(p);
    taut_write_tables(p);
    taut_write_helpers(p);
    taut_string_add(text, "%s", body->text ? body->text : "");
    return body->failed ? TAUT_ERR_MEMORY : TAUT_OK;
}

/* Straight lines, or loops; everything else is the same. */
static taut_status write_source(const taut_code *code, bool loops, taut_string *text,
                                taut_string *header) {
    taut_arena work = {0};
    taut_string body = {0};
    taut_pen pen = {.code = code, .out = text, .loops = loops};
    taut_status status = number_homes(&pen, &work);
    if (status == TAUT_OK) status = put_source(&pen, &body);
    if (status == TAUT_OK) status = taut_write_header(&pen, header);
    taut_string_release(&body);
    taut_arena_release(&work);
    return text->failed || header->failed ? TAUT_ERR_MEMORY : status;
}

taut_status taut_write_source(const taut_code *code, taut_string *text, taut_string *header) {
    TAUT_TRY(write_source(code, false, text, header));
    if (text->length <= MOST_BYTES || code->system->n > MOST_UNKNOWNS) return TAUT_OK;
    taut_string_release(text);
    taut_string_release(header);
    return write_source(code, true, text, header);
}
