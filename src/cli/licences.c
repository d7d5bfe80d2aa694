/* The files LICENSE and NOTICE, bytes as they are: the assembler takes them in. */
#include "cli/licences.h"

#include <stdio.h>

__asm__(".section .rodata\n"
        ".hidden licence_text\n"
        ".global licence_text\n"
        "licence_text:\n"
        ".incbin \"" TAUT_LICENCE "\"\n"
        ".ascii \"\\n\"\n"
        ".incbin \"" TAUT_NOTICE "\"\n"
        ".byte 0\n"
        ".previous\n");
extern const char licence_text[];

void print_licences(void) { fputs(licence_text, stdout); }
