/* Text that is safe inside SVG and HTML. */
#include "out/markup.h"

#include <stdbool.h>

#include "core/utf8.h"

/* The next character; what XML does not allow becomes harmless. */
static unsigned next_character(const char **text) {
    const unsigned c = taut_utf8_next(text);
    if (c == '\n' || c == '\t' || c == '\r') return ' ';
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xfffe || c == 0xffff ? TAUT_UTF8_NONE : c;
}

static void add_character(taut_string *out, unsigned c) {
    if (c == '&')
        taut_string_add(out, "&amp;");
    else if (c == '<')
        taut_string_add(out, "&lt;");
    else if (c == '>')
        taut_string_add(out, "&gt;");
    else if (c == '"')
        taut_string_add(out, "&quot;");
    else if (c < 0x80)
        taut_string_add(out, "%c", (int)c);
    else
        taut_string_add(out, "&#x%x;", c);
}

void taut_markup_text(taut_string *out, const char *text, int most) {
    const bool cut = taut_utf8_count(text) > most;
    for (int i = 0; *text && i < (cut ? most - 1 : most); i++)
        add_character(out, next_character(&text));
    if (cut) taut_string_add(out, "&#x2026;");
}
