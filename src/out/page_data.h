/* What a page shows, as data: docs/scene.md. */
#ifndef TAUT_OUT_PAGE_DATA_H
#define TAUT_OUT_PAGE_DATA_H

#include "core/text.h"
#include "taut/taut.h"

/* The whole object, as JSON that may stand inside a script element. */
taut_status taut_page_data(const taut_page *page, taut_string *out);
/* settings.c: the members "settings" and "files", which a page needs that runs the model again,
 * each with a comma before it. */
void taut_settings_write(const taut_page *page, taut_string *out);

#endif
