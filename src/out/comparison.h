/* A comparison in words: what its table, its JSON and its page share. */
#ifndef TAUT_OUT_COMPARISON_H
#define TAUT_OUT_COMPARISON_H

#include "core/text.h"
#include "taut/taut.h"

enum { TAUT_LABEL = 48 };

/* "natural:taylor", or "taylor" where there is no formulation. */
void taut_pair_label(const taut_compared_pair *pair, char *text, size_t size);
/* The pairs that are left out for the same reason as pair number i, "natural:rk4, minimal:rk4";
 * false if it is not left out, or not the first of them. */
bool taut_skipped_pairs(const taut_comparison *comparison, int i, taut_string *out);
/* "1.23 ms" */
void taut_duration(double seconds, char *text, size_t size);
/* A number with so many digits and an exponent, "1.2e-8"; digits 0: as it is, up to three of them,
 * "0.1", "1e-8"; "-" if it is none. */
void taut_short_number(double value, int digits, char *text, size_t size);
/* The pairs that have finished at tolerance number `tol`, then those that have not, each by time;
 * order [pairs]. Returns how many there are: those that were skipped are not. */
int taut_comparison_order(const taut_comparison *comparison, int tol, int *order);
/* A run that agrees only because nothing better could be expected of it: not one digit is right. */
bool taut_run_is_poor(const taut_compared_run *run);
/* What the comparison comes to, in one sentence. */
void taut_comparison_verdict(const taut_comparison *comparison, taut_string *out);
/* Who disagrees, and by how much: run number tol of a pair; the witness. */
void taut_disagreement(const taut_compared_pair *pair, const taut_compared_run *run,
                       taut_string *out);
void taut_witness_words(const taut_comparison *comparison, taut_string *out);

/* The comparison as a table, as one JSON object, and as a page. */
taut_status taut_comparison_table(const taut_comparison *comparison, taut_string *out);
void taut_comparison_json(const taut_comparison *comparison, taut_string *out);
taut_status taut_comparison_page(const taut_comparison *comparison, const char *file,
                                 taut_string *out);
/* The style of that page. */
const char *taut_comparison_style(void);

#endif
