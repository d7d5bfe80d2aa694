/* Rules of the standard that a description must keep, with scalar real variables. */
#ifndef TAUT_TESTS_FMU_HOST_RULES_H
#define TAUT_TESTS_FMU_HOST_RULES_H

#include "fmu_host/xml.h"

enum { RULES_VARIABLES = 2000 };

typedef struct host_variable {
    const char *name, *causality, *variability, *initial, *start, *unit;
    const char *derivative; /* of which variable; NULL: of none */
    unsigned reference;
    bool is_state, is_rate; /* by the structure */
} host_variable;

typedef struct host_description {
    xml_document xml;
    int version;
    const char *identifier, *token;
    double start, stop; /* stop: NaN if there is none */
    host_variable variable[RULES_VARIABLES];
    int variables;
    bool exchange;          /* it offers model exchange */
    int states, indicators; /* by the structure, or by what it says */
    char fault[300];        /* "": all rules are kept */
} host_description;

/* Reads and checks; false: fault says which rule is broken. Release in any case. */
bool host_describe(host_description *description, const char *text);
void host_description_release(host_description *description);
/* The reference of a variable, -1: there is none. */
int host_find(const host_description *description, const char *name);

#endif
