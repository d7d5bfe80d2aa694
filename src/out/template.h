/* The pages that web/ builds, and the engine of live ones, as they are embedded in the library. */
#ifndef TAUT_OUT_TEMPLATE_H
#define TAUT_OUT_TEMPLATE_H

/* The page between its marks: head @TAUT_POLICY@ middle @TAUT_DATA@ body @TAUT_ENGINE@ tail. */
typedef struct taut_template {
    const char *head, *middle, *body, *tail;
    long head_length, middle_length, body_length, tail_length;
} taut_template;

taut_template taut_template_get(void);
/* The page of sweeps and fits, which has the mark @TAUT_DATA@ alone, between head and tail. */
taut_template taut_template_get_study(void);

/* The library as WebAssembly, compressed by gzip; length 0: this build has none. */
typedef struct taut_engine_bytes {
    const unsigned char *byte; /* [length] */
    long length;
} taut_engine_bytes;
taut_engine_bytes taut_template_engine(void);

#endif
