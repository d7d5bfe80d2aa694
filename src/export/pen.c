/* The small things of writing C. */
#include "export/pen.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "core/number.h"
#include "expr/ops.h"

enum { WIDTH = 96 };

static void count_columns(taut_pen *p, const char *text) {
    for (; *text; text++) p->column = *text == '\n' ? 0 : p->column + 1;
}

void taut_pen_add(taut_pen *p, const char *format, ...) {
    char text[2000];
    va_list args;
    va_start(args, format);
    taut_format_list(text, sizeof text, format, args);
    va_end(args);
    taut_string_add(p->out, "%s", text);
    count_columns(p, text);
}

static void put_piece(taut_pen *p, const char *text, size_t length) {
    const char *end = text + length;
    while (text < end) {
        size_t n = strcspn(text, "@$");
        if (n > (size_t)(end - text)) n = (size_t)(end - text);
        taut_string_add(p->out, "%.*s", (int)n, text);
        text += n;
        if (text == end) break;
        taut_string_add(p->out, "%s", *text == '@' ? p->code->prefix : p->code->macro);
        text++;
    }
    p->column = 0;
}

void taut_pen_template(taut_pen *p, const char *text) { put_piece(p, text, strlen(text)); }

void taut_pen_fill(taut_pen *p, const char *text, taut_pen_mark *put, const void *user) {
    for (const char *at = strchr(text, '~'); at; at = strchr(text, '~')) {
        char name[20];
        const int n = (int)strcspn(at + 1, "~");
        put_piece(p, text, (size_t)(at - text));
        taut_format(name, sizeof name, "%.*s", n, at + 1);
        put(p, name, user);
        text = at + n + 2;
    }
    taut_pen_template(p, text);
}

void taut_pen_wrap(taut_pen *p, int indent) {
    if (p->column > WIDTH) taut_pen_add(p, "\n%*s", indent, "");
}

void taut_pen_number(taut_pen *p, double value) {
    char digits[40];
    const bool single = p->code->options->single;
    if (single) {
        taut_format(digits, sizeof digits, "%.9g", (double)(float)value);
    } else {
        taut_format(digits, sizeof digits, "%.15g", value);
        if (taut_number_parse(digits, NULL) != value)
            taut_format(digits, sizeof digits, "%.17g", value);
    }
    taut_pen_add(p, "%s%s%s", digits, strpbrk(digits, ".en") ? "" : ".0", single ? "F" : "");
}

void taut_pen_origin(taut_pen *p, double value, int origin) {
    if (!origin) {
        taut_pen_number(p, value);
        return;
    }
    const taut_number_row row = taut_numbers_row(p->code->tape->numbers, origin);
    if (!p->code->number_open[origin])
        taut_pen_number(p, row.value);
    else if (row.kind == TAUT_NUMBER_PARAMETER)
        taut_pen_add(p, "q[%d]", row.a);
    else
        taut_pen_add(p, "n[%d]", p->number_home[origin]);
}

void taut_pen_words(taut_pen *p, const char *text) {
    for (; *text; text++) {
        const bool plain = *text >= ' ' && *text <= '~' && !strchr("\\\"*?", *text);
        taut_pen_add(p, "%c", plain ? *text : '_');
    }
}

const char *taut_pen_function(const taut_pen *p, taut_op op) {
#define TAUT_OPERATOR(NAME, arity)
#define TAUT_FUNCTION(NAME, name, derivative) [TAUT_OP_##NAME] = {#name, #name "f"},
    static const char *const word[TAUT_OP_COUNT][2] = {
#include "expr/ops.def"
        [TAUT_OP_SQRT] = {"sqrt", "sqrtf"},
        [TAUT_OP_POW] = {"pow", "powf"},
        [TAUT_OP_ATAN2] = {"atan2", "atan2f"},
    };
#undef TAUT_OPERATOR
#undef TAUT_FUNCTION
    return word[op][p->code->options->single];
}

/* ---- functions ---- */

void taut_pen_begin(taut_pen *p) {
    p->outer = p->out;
    p->body = (taut_string){0};
    p->out = &p->body;
}

/* Is there an element of this array in the text? */
static bool has_array(const char *text, char letter) {
    for (const char *at = strchr(text, letter); at; at = strchr(at + 1, letter)) {
        const bool inside =
            at > text && (taut_is_letter(at[-1]) || taut_is_digit(at[-1]) || strchr("_>", at[-1]));
        if (!inside && at[1] == '[') return true;
    }
    return false;
}

void taut_pen_end(taut_pen *p, const char *name, const char *arguments) {
    static const struct {
        char letter;
        const char *type;
    } array[] = {{'q', "const real *"}, {'n', "const real *"}, {'c', "series_of *"},
                 {'o', "output_of *"},  {'i', "real *"},       {'f', "real *"},
                 {'a', "real *"},       {'j', "real *"},       {'y', "real *"},
                 {'z', "real *"}};
    const char *text = p->body.text ? p->body.text : "";
    p->out = p->outer;
    p->column = 0;
    taut_string_add(p->out, "\nstatic void %s(work *w%s) {\n", name, arguments);
    for (size_t k = 0; k < sizeof array / sizeof *array; k++)
        if (has_array(text, array[k].letter))
            taut_string_add(p->out, "    %sconst %c = w->%c;\n", array[k].type, array[k].letter,
                            array[k].letter);
    taut_string_add(p->out, "%s}\n", text);
    p->out->failed = p->out->failed || p->body.failed;
    taut_string_release(&p->body);
}
