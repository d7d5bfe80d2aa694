/* `taut help TOPIC`. */
#ifndef TAUT_CLI_TOPICS_H
#define TAUT_CLI_TOPICS_H

/* Prints what there is about a topic: a command, or a section of topics.txt; NULL: the list of
 * both. Returns the exit status. */
int print_topic(const char *topic);

#endif
