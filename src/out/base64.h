/* Numbers in a page: bytes as base64, little endian. */
#ifndef TAUT_OUT_BASE64_H
#define TAUT_OUT_BASE64_H

#include <stdint.h>

#include "core/text.h"

/* {.out = text} is empty. */
typedef struct taut_base64 {
    taut_string *out;
    unsigned bits;
    int bytes; /* in bits */
    int used;
    char text[1024]; /* a piece at a time */
} taut_base64;

/* The lowest bytes of a word. */
void taut_base64_word(taut_base64 *e, uint64_t word, int bytes);
/* 32 bits; NaN if it is not finite there. */
void taut_base64_float(taut_base64 *e, double value);
/* 64 bits. */
void taut_base64_double(taut_base64 *e, double value);
void taut_base64_finish(taut_base64 *e);

#endif
