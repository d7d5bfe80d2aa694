/* Texts of generated files that are the same for all models: the folder `texts`, one file each.
 * In them @ stands for the prefix of identifiers, $ for that of macros, ~NAME~ for what differs
 * from model to model. */
#ifndef TAUT_EXPORT_TEXTS_H
#define TAUT_EXPORT_TEXTS_H

extern const char taut_text_stages[];    /* of STEM.c: a step, from series to projections */
extern const char taut_text_interface[]; /* of STEM.c: its functions */
extern const char taut_text_reactions[]; /* of STEM.c: forces in joints */
extern const char taut_text_main[];      /* main.c */
extern const char taut_text_fmu[];       /* sources/fmu.c, then the part of ... */
extern const char taut_text_fmu2[];      /* ... version 2 of the standard, ... */
extern const char taut_text_fmu3[];      /* ... or 3 */

#endif
