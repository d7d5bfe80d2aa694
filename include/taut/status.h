/* Status codes and errors as data. */
#ifndef TAUT_STATUS_H
#define TAUT_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TAUT_API __attribute__((visibility("default")))
#else
#define TAUT_API
#endif

/* 0 done, > 0 a reason to stop (what was computed is good), < 0 an error. */
typedef enum taut_status {
#define TAUT_STATUS(name, number, text) TAUT_##name = (number),
#include "taut/status.def"
#undef TAUT_STATUS
} taut_status;

/* One fault, ready to be shown: where it is, the sentence that names it and its fix, and the line.
 */
typedef struct taut_error {
    taut_status status; /* TAUT_OK: a warning */
    int line;           /* 1-based; 0: not about a place in a file */
    int column;         /* 1-based, in characters */
    char path[512];     /* the file, as the caller named it */
    char message[1024]; /* one or more lines, no trailing newline */
    char source[256];   /* the offending line of the file, possibly cut; "" if there is none */
    int caret;          /* 0-based position in source that the caret points at */
} taut_error;

enum { TAUT_ERRORS_MAX = 24 };

/* All faults that one call found, in file order as far as they were kept. */
typedef struct taut_errors {
    int count;   /* kept in item[] */
    int dropped; /* found after item[] was full */
    taut_error item[TAUT_ERRORS_MAX];
} taut_errors;

/* The meaning of a status in a few words. */
TAUT_API const char *taut_status_text(taut_status status);

/* Writes text as it can be shown on a terminal: control characters, characters that turn the
 * direction of writing and bytes that are not UTF-8 become \e, \n, \x07, \u202e. At most size
 * bytes, always terminated; returns the length that it needs. Messages are written so already. */
TAUT_API int taut_text_show(const char *text, char *to, int size);

/* Writes "FILE:LINE:COL: error: message" (or "warning: message"), the source line and a caret into
 * text (at most size bytes, always terminated); returns the length that it needs. */
TAUT_API int taut_error_format(const taut_error *error, char *text, int size);

#ifdef __cplusplus
}
#endif

#endif
