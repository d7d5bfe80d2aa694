/* The file compare.css, bytes as they are. */
#include "out/comparison.h"

__asm__(".section .rodata\n"
        ".hidden taut_compare_css\n"
        ".global taut_compare_css\n"
        "taut_compare_css:\n"
        ".incbin \"" TAUT_COMPARE_CSS "\"\n"
        ".byte 0\n"
        ".previous\n");
extern const char taut_compare_css[];

const char *taut_comparison_style(void) { return taut_compare_css; }
