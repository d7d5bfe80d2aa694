/* The files TAUT_TEMPLATE and TAUT_STUDY_TEMPLATE, bytes as they are: the assembler takes them in,
 * which is faster than any way through the compiler. */
#include "out/template.h"

#include <assert.h>
#include <string.h>

__asm__(".section .rodata\n"
        ".hidden taut_template_text\n"
        ".global taut_template_text\n"
        "taut_template_text:\n"
        ".incbin \"" TAUT_TEMPLATE "\"\n"
        ".byte 0\n"
        ".hidden taut_template_of_study\n"
        ".global taut_template_of_study\n"
        "taut_template_of_study:\n"
        ".incbin \"" TAUT_STUDY_TEMPLATE "\"\n"
        ".byte 0\n"
        ".previous\n");
extern const char taut_template_text[], taut_template_of_study[];

static taut_template cut(const char *text) {
    static const char mark[] = "@TAUT_DATA@";
    const char *at = strstr(text, mark);
    assert(at); /* the build has checked it */
    const char *tail = at + strlen(mark);
    return (taut_template){text, tail, at - text, (long)strlen(tail)};
}

taut_template taut_template_get(void) { return cut(taut_template_text); }
taut_template taut_template_get_study(void) { return cut(taut_template_of_study); }
