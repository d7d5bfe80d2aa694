/* Text for SVG and HTML. */
#ifndef TAUT_OUT_MARKUP_H
#define TAUT_OUT_MARKUP_H

#include "core/text.h"

/* Text, escaped, so that nothing in it is markup, and cut to `most` characters. */
void taut_markup_text(taut_string *out, const char *text, int most);

#endif
