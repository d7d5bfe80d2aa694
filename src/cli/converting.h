/* Pictures in other formats than SVG, by programs that can make them. */
#ifndef TAUT_CLI_CONVERTING_H
#define TAUT_CLI_CONVERTING_H

#include <stdbool.h>

/* Does the name end in .png or .pdf? */
bool is_converted(const char *output);
/* Is there a program that can make it? Otherwise a message, and the exit status. */
int check_converter(const char *output);
/* Makes it from the text of an SVG picture. Returns the exit status, after a message. */
int convert_picture(const char *svg, const char *output);

/* Is a program of this name in one of the folders of PATH? */
bool is_installed(const char *program);

#endif
