/* main.c, which prints CSV or measures steps, and a Makefile. */
#include <string.h>

#include "export/pen.h"
#include "export/texts.h"

enum { MOST_RUN = 20000 }; /* steps whose least times are kept */

static void put_part(taut_pen *p, const char *name, const void *user) {
    const taut_code *c = p->code;
    (void)user;
    if (strcmp(name, "STEM") == 0) taut_pen_words(p, c->stem);
    if (strcmp(name, "DIGITS") == 0) taut_pen_add(p, c->options->single ? "9" : "17");
    if (strcmp(name, "RUN") == 0)
        taut_pen_add(p, "%ld", c->steps < 1 ? 1 : c->steps < MOST_RUN ? c->steps : MOST_RUN);
}

void taut_write_main(const taut_code *code, taut_string *text) {
    taut_pen p = {.code = code, .out = text};
    taut_pen_fill(&p, taut_text_main, put_part, NULL);
}

void taut_write_makefile(const taut_code *code, taut_string *text) {
    taut_string_add(text,
                    "# make; ./%s > %s.csv\n"
                    "CFLAGS ?= -O2\n"
                    "STRICT = -std=c99 -pedantic -Wall -Wextra -Wconversion\n\n"
                    "%s: main.o %s.o\n\t$(CC) $(LDFLAGS) -o $@ main.o %s.o -lm\n\n"
                    "%%.o: %%.c %s.h\n\t$(CC) $(STRICT) $(CFLAGS) -c -o $@ $<\n\n"
                    "clean:\n\trm -f main.o %s.o %s\n\n.PHONY: clean\n",
                    code->stem, code->stem, code->stem, code->stem, code->stem, code->stem,
                    code->stem, code->stem);
}
