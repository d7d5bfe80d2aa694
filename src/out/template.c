/* The files TAUT_TEMPLATE, TAUT_STUDY_TEMPLATE and TAUT_ENGINE_FILE, bytes as they are: the
 * assembler takes them in, which is faster than any way through the compiler. */
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
        ".hidden taut_template_wasm\n"
        ".global taut_template_wasm\n"
        "taut_template_wasm:\n"
        ".incbin \"" TAUT_ENGINE_FILE "\"\n"
        ".hidden taut_template_wasm_end\n"
        ".global taut_template_wasm_end\n"
        "taut_template_wasm_end:\n"
        ".byte 0\n"
        ".previous\n");
extern const char taut_template_text[], taut_template_of_study[];
extern const unsigned char taut_template_wasm[], taut_template_wasm_end[];

/* The text up to a mark, which the build has checked to be there; *text is then behind it. */
static long cut(const char **text, const char *mark) {
    const char *begin = *text, *at = strstr(begin, mark);
    assert(at);
    *text = at + strlen(mark);
    return at - begin;
}

taut_template taut_template_get(void) {
    const char *text = taut_template_text;
    taut_template t = {.head = text};
    t.head_length = cut(&text, "@TAUT_POLICY@");
    t.middle = text;
    t.middle_length = cut(&text, "@TAUT_DATA@");
    t.body = text;
    t.body_length = cut(&text, "@TAUT_ENGINE@");
    t.tail = text;
    t.tail_length = (long)strlen(text);
    return t;
}

taut_template taut_template_get_study(void) {
    const char *text = taut_template_of_study;
    taut_template t = {.head = text};
    t.head_length = cut(&text, "@TAUT_DATA@");
    t.tail = text;
    t.tail_length = (long)strlen(text);
    return t;
}

taut_engine_bytes taut_template_engine(void) {
    return (taut_engine_bytes){taut_template_wasm, taut_template_wasm_end - taut_template_wasm};
}
