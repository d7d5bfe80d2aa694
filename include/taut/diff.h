/* Two results side by side, whoever computed them: digits by column. */
#ifndef TAUT_DIFF_H
#define TAUT_DIFF_H

#include "taut/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the columns that both have differ by, at the times that both have. */
typedef struct taut_diff taut_diff;

/* Two CSV files with a header row, whose first columns are times that rise or fall. The second is
 * the reference. Columns of words are left out. */
TAUT_API taut_status taut_diff_files(const char *path, const char *reference, taut_diff **diff,
                                     taut_errors *errors);
/* A result against a CSV file. */
TAUT_API taut_status taut_diff_result(const taut_result *result, const char *reference,
                                      taut_diff **diff, taut_errors *errors);
/* The times of a CSV file with a header row, for options.at: *times is for taut_diff_times_free. */
TAUT_API taut_status taut_diff_times(const char *path, double **times, int *count,
                                     taut_errors *errors);
TAUT_API void taut_diff_times_free(double **times);
TAUT_API void taut_diff_free(taut_diff **diff);

typedef struct taut_diff_column {
    const char *name;
    double largest; /* difference, ... */
    double t;       /* ... and when */
    double scale;   /* the largest value of the reference */
    double digits;  /* -log10(largest / scale); infinite where nothing differs */
    double at_end;  /* the same at the last time, relative to the reference's value there */
    bool position;  /* it takes part in the error of positions */
    bool nothing;   /* it is 0 but for rounding in both: digits say nothing */
} taut_diff_column;
TAUT_API int taut_diff_columns(const taut_diff *diff);
/* NULL outside of the list. */
TAUT_API const taut_diff_column *taut_diff_get(const taut_diff *diff, int column);

/* E = |q - q_ref| / |q_ref|, q: the columns without primes, energies and reactions aside; at the
 * i-th common time (NaN outside), and the largest of them. */
TAUT_API long taut_diff_rows(const taut_diff *diff);
TAUT_API double taut_diff_time(const taut_diff *diff, long row);
TAUT_API double taut_diff_error(const taut_diff *diff, long row);
TAUT_API double taut_diff_largest_error(const taut_diff *diff);
/* The least of the digits at the end over these columns: significant correct digits. */
TAUT_API double taut_diff_scd(const taut_diff *diff);

/* All of it in words, or as one JSON object; *text is for taut_text_free. */
TAUT_API taut_status taut_diff_text(const taut_diff *diff, bool json, char **text,
                                    taut_errors *errors);
/* E over time as CSV with the columns t, E. */
TAUT_API taut_status taut_diff_write(const taut_diff *diff, const char *path, taut_errors *errors);

#ifdef __cplusplus
}
#endif

#endif
