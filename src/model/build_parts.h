/* What the calls of a builder share: the sections of the file that they write, and its lines.
 * Private to the room. */
#ifndef TAUT_MODEL_BUILD_PARTS_H
#define TAUT_MODEL_BUILD_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/text.h"
#include "taut/build.h"

/* What the lines of a section are, and in which order the sections stand in the file. */
typedef enum taut_build_section {
    TAUT_LINES_PARAMETERS,
    TAUT_LINES_INPUTS,
    TAUT_LINES_DEFINITIONS,
    TAUT_LINES_COORDINATES,
    TAUT_LINES_MOMENTA,
    TAUT_LINES_LAGRANGIAN,
    TAUT_LINES_HAMILTONIAN,
    TAUT_LINES_DISSIPATION,
    TAUT_LINES_FORCES,
    TAUT_LINES_VARIABLES,
    TAUT_LINES_EQUATIONS,
    TAUT_LINES_CONSTRAINTS,
    TAUT_LINES_VELOCITY_CONSTRAINTS,
    TAUT_LINES_STIFF,
    TAUT_LINES_DIMENSION,
    TAUT_LINES_FIXED,
    TAUT_LINES_RIGIDS,
    TAUT_LINES_SPRINGS,
    TAUT_LINES_DAMPERS,
    TAUT_LINES_SPRING_DAMPERS,
    TAUT_LINES_PARTICLES,
    TAUT_LINES_COLLINEARS,
    TAUT_LINES_POINTS,
    TAUT_LINES_JOINTS,
    TAUT_LINES_CHAINS,
    TAUT_LINES_TORSION_SPRINGS,
    TAUT_LINES_ROTATIONAL_DAMPERS,
    TAUT_LINES_BUSHINGS,
    TAUT_LINES_ARMATURE,
    TAUT_LINES_GRAVITY,
    TAUT_LINES_TORQUES,
    TAUT_LINES_DRAG,
    TAUT_LINES_ANGLES,
    TAUT_LINES_DRIVERS,
    TAUT_LINES_OUTPUTS,
    TAUT_LINES_DISCRETES,
    TAUT_LINES_EVENTS,
    TAUT_LINES_CONTROLLERS,
    TAUT_LINES_ACTUATORS,
    TAUT_LINES_MOTIONS,
    TAUT_LINES_WEIGHTS,
    TAUT_LINES_FREE,
    TAUT_LINES_WANTS,
    TAUT_LINES_STEADY,
    TAUT_LINES_STUDY,
    TAUT_LINES_STUDY_VARIABLES,
    TAUT_LINES_SUBJECT_TO,
    TAUT_LINES_EXPERIMENTS,
    TAUT_LINES_DEVIATIONS,
    TAUT_LINES_BIASES,
    TAUT_LINES_STATES,
    TAUT_LINES_TABLES,
    TAUT_LINES_IMPACT,
    TAUT_LINES_CONTACTS,
    TAUT_LINES_LIMITS,
    TAUT_LINES_FRICTION,
    TAUT_LINES_LOCKS,
    TAUT_LINES_BREAKS,
    TAUT_LINES_SPAN,
    TAUT_LINES_POSITIONS,
    TAUT_LINES_VELOCITIES,
    TAUT_LINES_INITIAL_MOMENTA,
    TAUT_LINES_VALUES,
    TAUT_LINES_FIXED_POSITIONS,
    TAUT_LINES_FIXED_VELOCITIES,
    TAUT_BUILD_SECTIONS
} taut_build_section;

struct taut_builder {
    char title[160];
    taut_string lines[TAUT_BUILD_SECTIONS];
    int named[TAUT_BUILD_SECTIONS], unnamed[TAUT_BUILD_SECTIONS];
    int collinears;      /* so far */
    const char *null_in; /* the first call whose description was NULL; NULL: none */
    taut_string text;
};

/* A key or a name, in quotes if it needs them; a key with its colon; a formula, where [a, b]
 * becomes a list, so that components have quotes of their own. */
void taut_lines_scalar(taut_string *s, const char *text, size_t n);
void taut_lines_key(taut_string *s, const char *key);
void taut_lines_formula(taut_string *s, const char *text, size_t n);
/* Is the whole text one pair of brackets with what is between them? */
bool taut_lines_is_list(const char *text, size_t n);
/* Where the item that begins at text[i] ends: at a comma outside of brackets, or at n. */
size_t taut_lines_end_of_item(const char *text, size_t i, size_t n);
/* The shortest text that reads back as the same number. */
void taut_lines_number(char *text, size_t size, double value);

/* Adds a line to a section: "key: formula" (without a formula the reader says what is missing); the
 * same, or "- formula" if it has no name; "- name"; "key: size". Without a builder: nothing. */
void taut_lines_add(taut_builder *b, taut_build_section where, const char *key,
                    const char *formula);
void taut_lines_add_to_list(taut_builder *b, taut_build_section where, const char *name,
                            const char *formula);
void taut_lines_add_name(taut_builder *b, taut_build_section where, const char *name);
void taut_lines_add_sized(taut_builder *b, taut_build_section where, const char *name, int size);

/* Is there something to describe? If not, taut_builder_finish will say so. */
bool taut_lines_described(taut_builder *b, const void *spec, const char *function);
/* Begins a map on one line, which the caller ends with "}\n"; NULL: no builder or no memory. */
taut_string *taut_lines_open(taut_builder *b, taut_build_section where, const char *name);
/* One more key of such a map; nothing if there is no value. */
void taut_lines_entry(taut_string *s, const char *key, const char *value, bool list);

#endif
