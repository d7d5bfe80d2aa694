/* The files of the folder `texts`, bytes as they are: the assembler takes them in. */
#include "export/texts.h"

#define EMBED(name)                                                                                \
    __asm__(".section .rodata\n"                                                                   \
            ".hidden taut_text_" #name "\n"                                                        \
            ".global taut_text_" #name "\n"                                                        \
            "taut_text_" #name ":\n"                                                               \
            ".incbin \"" TAUT_EXPORT_TEXTS "/" #name ".txt\"\n"                                    \
            ".byte 0\n"                                                                            \
            ".previous\n")

EMBED(stages);
EMBED(interface);
EMBED(reactions);
EMBED(main);
EMBED(fmu);
EMBED(fmu2);
EMBED(fmu3);
