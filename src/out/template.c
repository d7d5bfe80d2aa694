/* The file TAUT_TEMPLATE, bytes as they are: the assembler takes it in, which is faster than any
 * way through the compiler. */
#include "out/template.h"

#include <assert.h>
#include <string.h>

__asm__(".section .rodata\n"
        ".hidden taut_template_text\n"
        ".global taut_template_text\n"
        "taut_template_text:\n"
        ".incbin \"" TAUT_TEMPLATE "\"\n"
        ".byte 0\n"
        ".previous\n");
extern const char taut_template_text[];

taut_template taut_template_get(void) {
    static const char mark[] = "@TAUT_DATA@";
    const char *at = strstr(taut_template_text, mark);
    assert(at); /* the build has checked it */
    const char *tail = at + strlen(mark);
    return (taut_template){taut_template_text, tail, at - taut_template_text, (long)strlen(tail)};
}
