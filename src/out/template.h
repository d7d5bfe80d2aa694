/* The pages that web/ builds, as they are embedded in the library. */
#ifndef TAUT_OUT_TEMPLATE_H
#define TAUT_OUT_TEMPLATE_H

/* The page before and after the mark @TAUT_DATA@. */
typedef struct taut_template {
    const char *head, *tail;
    long head_length, tail_length;
} taut_template;

taut_template taut_template_get(void);
/* The page of sweeps and fits. */
taut_template taut_template_get_study(void);

#endif
