/* Runs the program taut in an empty folder of its own and catches what it says. */
#ifndef TAUT_TESTS_PROGRAM_H
#define TAUT_TESTS_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

/* Makes an empty temporary folder the current one; and removes it with all that is in it. Both have
 * the form of cmocka's set-up and tear-down. */
int program_enter(void **state);
int program_leave(void **state);

/* Writes a file into the folder; length < 0: a string. */
void program_write(const char *name, const char *text, long length);
/* The content of a file, to be freed; NULL if there is none. */
char *program_read(const char *name);
bool program_exists(const char *name);
void program_remove(const char *name);
/* How many entries the folder has, and their names, "a b ", in text (size bytes). */
int program_list(char *text, size_t size);

typedef struct program_result {
    int code;  /* exit status; 128 + number if a signal ended it */
    char *out; /* what it wrote to the standard output, owned */
    char *err; /* ... and to the standard error, owned */
} program_result;

/* Runs taut with these arguments, NULL last. A complaint of a sanitizer fails the test. If `delay`
 * is above 0, sends SIGINT after so many seconds. */
void program_run(program_result *result, const char *const *arguments, double delay);
/* The same, with the arguments separated by single blanks. */
void program_call(program_result *result, const char *command);
void program_release(program_result *result);

/* A table as it stands in a CSV text. */
typedef struct program_table {
    char *text;    /* owned copy of the CSV */
    char **name;   /* [columns] in text, owned array */
    double *value; /* [rows][columns], owned */
    int columns;
    long rows;
} program_table;

/* Reads CSV; fails the test if it is not a full table of numbers with one row of names. */
void program_table_read(program_table *table, const char *csv);
void program_table_free(program_table *table);
/* Column of this name; fails the test if there is none. */
int program_table_column(const program_table *table, const char *name);
/* Value in a row; a negative row counts from the end. */
double program_table_get(const program_table *table, long row, const char *name);

#endif
