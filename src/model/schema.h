/* The keys of the model file as a table. */
#ifndef TAUT_MODEL_SCHEMA_H
#define TAUT_MODEL_SCHEMA_H

#include "expr/measure.h"

/* Maps with keys of their own, in schema.def. */
typedef enum taut_section {
    TAUT_SECTION_NONE,
    TAUT_SECTION_TOP,
    TAUT_SECTION_INCLUDE,
    TAUT_SECTION_DAE,
    TAUT_SECTION_LAGRANGIAN,
    TAUT_SECTION_HAMILTONIAN,
    TAUT_SECTION_PARTS,
    TAUT_SECTION_BODY,
    TAUT_SECTION_DYNAMICS,
    TAUT_SECTION_SHAPE,
    TAUT_SECTION_MESH,
    TAUT_SECTION_LINK,
    TAUT_SECTION_LINE,
    TAUT_SECTION_JOINT,
    TAUT_SECTION_CHAIN,
    TAUT_SECTION_STEP,
    TAUT_SECTION_PARTICLE,
    TAUT_SECTION_TORSION,
    TAUT_SECTION_BUSHING,
    TAUT_SECTION_LOAD,
    TAUT_SECTION_FORCES,
    TAUT_SECTION_ANGLE,
    TAUT_SECTION_EVENT,
    TAUT_SECTION_CONTROLLER,
    TAUT_SECTION_INVERSE,
    TAUT_SECTION_TRIM,
    TAUT_SECTION_STUDY,
    TAUT_SECTION_EXPERIMENT,
    TAUT_SECTION_TABLE,
    TAUT_SECTION_CONTACT,
    TAUT_SECTION_SURFACE,
    TAUT_SECTION_LIMIT,
    TAUT_SECTION_FRICTION,
    TAUT_SECTION_LOCK,
    TAUT_SECTION_BREAK,
    TAUT_SECTION_PROBLEM,
    TAUT_SECTIONS
} taut_section;

/* What the value of a key is; schema.def says it in words. */
typedef enum taut_key_type {
    TAUT_TYPE_TEXT,
    TAUT_TYPE_FLAG,
    TAUT_TYPE_NAME,
    TAUT_TYPE_NUMBER,
    TAUT_TYPE_FORMULA,
    TAUT_TYPE_FORMULA_OR_NOTHING,
    TAUT_TYPE_NESTED,
    TAUT_TYPE_FORMULAS,
    TAUT_TYPE_NAMES,
    TAUT_TYPE_NAME_OR_NAMES,
    TAUT_TYPE_VALUES,
    TAUT_TYPE_MAP,
    TAUT_TYPE_DEFINITIONS,
    TAUT_TYPE_SECTION,
    TAUT_TYPE_SECTION_OR_FORMULAS,
    TAUT_TYPE_ENTRIES,
    TAUT_TYPE_ENTRIES_OR_LISTS,
    TAUT_TYPE_ENTRIES_OR_NUMBERS,
    TAUT_TYPE_ENTRIES_OR_NAMES,
    TAUT_TYPE_ENTRIES_OR_FORMULAS,
    TAUT_TYPE_JOINT_TYPE,
    TAUT_TYPE_SHAPE_TYPE,
    TAUT_TYPE_TEXTS,
    TAUT_TYPE_BETWEEN,
    TAUT_TYPE_OUTSIDE,
    TAUT_TYPE_INCLUDES
} taut_key_type;

typedef struct taut_key {
    taut_section section; /* that it belongs to */
    const char *name;
    taut_key_type type;
    taut_section below; /* whose keys its value or its entries have; NONE: no section */
    taut_quantity quantity;
    const char *doc;
} taut_key;

/* The key of a section, or NULL. */
const taut_key *taut_key_find(taut_section section, const char *name);
/* Keys in the order of schema.def, i = 0, 1, ...; NULL after the last. */
const taut_key *taut_key_get(int i);
/* Is the value a map from names to something? (Not of every type it must be one.) */
bool taut_key_holds_names(taut_key_type type);

#endif
