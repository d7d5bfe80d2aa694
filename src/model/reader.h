/* What the readers of the file's sections share. Private to the room. */
#ifndef TAUT_MODEL_READER_H
#define TAUT_MODEL_READER_H

#include "core/roster.h"
#include "model/schema.h"
#include "model/symbols.h"

/* A formula of positions, which waits until all parts are known. */
typedef enum taut_waiting_kind {
    TAUT_WAITING_ELEMENT,
    TAUT_WAITING_CURVE,
    TAUT_WAITING_ANGLE,
    TAUT_WAITING_DRIVER,
    TAUT_WAITING_LOAD
} taut_waiting_kind;

typedef struct taut_waiting {
    taut_waiting_kind kind;
    int index; /* of the element, joint, angle, ... */
    const taut_yaml *node;
} taut_waiting;

typedef struct taut_reader {
    taut_model *model;
    taut_symbols *symbols;
    taut_errors *errors;
    bool faulty;      /* something was reported; reading goes on to find more */
    int *value_table; /* [value_slots] initial values by node and order; number + 1, 0: empty */
    size_t value_slots;
    struct taut_pattern *pattern; /* while many formulas are looked at; otherwise NULL */
    int sliding;                  /* contacts whose sliding velocity was found from shapes */
    struct taut_sweep *sweep;     /* of curves; NULL: there were none so far */
    taut_waiting *waiting;        /* [waitings] */
    int waitings;
    size_t waiting_room;
    taut_roster by_event, by_controller; /* what they assign: number of the last one that does */
    taut_roster writer;                  /* inputs: the controller, of those that have been read */
    taut_roster driven[2];       /* drivers of positions, of velocities: their numbers ... */
    taut_roster driver;          /* ... and by the names as they are written */
    taut_roster angle, distance; /* tracked angles; distances that have names */
    taut_roster joint;           /* the first joint of a name; ... */
    int *facing;                 /* [bodies] see surface.c; NULL: not found so far */
    int *next_joint;             /* ... [joints] the next one of the same name, or -1 */
} taut_reader;

/* Notes a fault and lets reading go on; only a lack of memory is passed up. */
#define TAUT_NOTE(reader, call)                                                                    \
    do {                                                                                           \
        taut_status taut_note_status = (call);                                                     \
        if (taut_note_status == TAUT_ERR_MEMORY) return taut_note_status;                          \
        if (taut_note_status != TAUT_OK) (reader)->faulty = true;                                  \
    } while (0)

/* Where a node is; NULL: the whole file. */
taut_place taut_reader_place(const taut_reader *reader, const taut_yaml *node);
/* Reports keys that the section does not have, with the nearest one that it has; true if there are
 * none. (What is missing then probably has a wrong name.) */
bool taut_reader_check_keys(taut_reader *reader, const taut_yaml *map, taut_section section);
/* Reports if node (NULL is fine) is not of this kind; true if it is there and good. */
bool taut_reader_expect(taut_reader *reader, const taut_yaml *node, taut_yaml_kind kind,
                        const char *what);
/* Reports that `key` is missing, at the line of its parent. */
void taut_reader_missing(taut_reader *reader, const taut_yaml *parent, const char *key,
                         const char *hint);

/* Reports a name that is a column of the results already. */
taut_status taut_reader_check_column(taut_reader *reader, const char *name, taut_place place);
/* Adds a variable: `size` components with names in the table. */
taut_status taut_reader_add_variable(taut_reader *reader, const char *name, int size,
                                     taut_place place, taut_vec *value);
/* Adds formula(s) to a list, one a component; name NULL: "<what> <number>". */
taut_status taut_reader_add_formula(taut_reader *reader, taut_model_formulas *list, taut_vec value,
                                    const char *name, taut_place place);

/* Sections. Each reports what is wrong and reads on. */
taut_status taut_read_variables(taut_reader *reader, const taut_yaml *node, const char *what);
taut_status taut_read_definitions(taut_reader *reader, const taut_yaml *node);
taut_status taut_read_formulas(taut_reader *reader, const taut_yaml *node, const char *what,
                               taut_model_formulas *list);
taut_status taut_read_outputs(taut_reader *reader, const taut_yaml *node);
taut_status taut_read_dae(taut_reader *reader, const taut_yaml *node);
taut_status taut_read_lagrangian(taut_reader *reader, const taut_yaml *node);
taut_status taut_read_hamiltonian(taut_reader *reader, const taut_yaml *node);
/* Mechanisms, once every element has its leaves: the further unknowns and the constraints of the
 * top level; and, when all names are known, the equations of the unknowns. */
taut_status taut_read_constraints(taut_reader *reader, const taut_yaml *root);
taut_status taut_read_equations(taut_reader *reader, const taut_yaml *node);
taut_status taut_read_mechanism(taut_reader *reader, const taut_yaml *root);
/* The formulas of positions of a mechanism whose parts are all known. */
taut_status taut_read_positions(taut_reader *reader, const taut_yaml *root);
/* Finds faults that show only when all parts are known. */
taut_status taut_check_mechanism(taut_reader *reader);
/* Adds the joints that arise from shared elements to the mechanism. */
taut_status taut_read_shared_joints(taut_reader *reader);
/* Which bodies have each element: found when all parts are known, and anew when they have changed.
 */
taut_status taut_find_carriers(taut_reader *reader);
/* Splits the joints whose load is asked for. */
taut_status taut_split_joints(taut_reader *reader);
/* Once all joints are there: their names. */
taut_status taut_list_joints(taut_reader *reader);
/* The name of a joint, with its element behind @ where several have it; NULL: no memory. */
const char *taut_joint_label(taut_reader *reader, int number);
/* The first joint with such a name, of n characters; -1: none. The joint that an entry names. */
int taut_joint_called(const taut_reader *reader, const char *text, size_t n);
taut_status taut_find_joint(taut_reader *reader, const taut_yaml *node, int *joint);
/* Mechanisms, read as far as they can be: reports what else is wrong with the file. */
taut_status taut_lint(taut_model *model, taut_errors *errors);
/* Notes parameters that nothing uses, as warnings of the model. */
taut_status taut_note_unused(taut_model *model);
/* Warns of what is allowed but hardly meant: an angle of many turns without a unit (node: its
 * text), also as the beginning of a driver, and, once the model is read, gravity upwards, bodies
 * attached to nothing, inertias that are too large for their bodies. */
taut_status taut_doubt_angle(taut_model *model, const taut_yaml *node, const char *name,
                             double value);
taut_status taut_doubt_driver(taut_model *model, const taut_yaml *node, const char *name,
                              taut_node wanted);
taut_status taut_doubt_mechanism(taut_model *model);
/* Lines of what an importer has left out of the file `path`. */
taut_status taut_doubt_left_out(taut_model *model, const char *path, const char *lines);
/* Names that events of the file assign, and inputs that its controllers set; is this one of them?
 */
taut_status taut_events_list(taut_reader *reader);
taut_status taut_controllers_list(taut_reader *reader);
bool taut_reader_assigns(const taut_reader *reader, const char *name);
/* Discrete variables, of which the numbers are known; and the events. */
taut_status taut_read_discretes(taut_reader *reader);
taut_status taut_read_events(taut_reader *reader);
/* Adds an assignment by an event or a controller, key: formula. */
taut_status taut_read_action(taut_reader *reader, const taut_yaml *key, const taut_yaml *formula);
/* The sampled controllers; after these the inputs that change in a run, as columns. */
taut_status taut_read_controllers(taut_reader *reader);
taut_status taut_read_changing(taut_reader *reader);
/* Names of tables; and what they say, of those that no formula has asked for so far. */
taut_status taut_read_tables(taut_reader *reader);
taut_status taut_load_tables(taut_reader *reader);
/* Once all formulas are read: with which tables do masses move? */
taut_status taut_find_corners(taut_model *model);
/* Contacts, Limits and Friction. */
taut_status taut_read_contacts(taut_reader *reader);
/* An element without anything, and adding one. */
taut_model_contact taut_contact_blank(taut_reader *reader, const taut_yaml *key);
taut_status taut_contact_add(taut_reader *reader, const taut_model_contact *contact);
/* Sees to it that the model has its parameter that is 0. */
taut_status taut_contact_need_nothing(taut_reader *reader);
/* What lets go, after these. */
taut_status taut_read_breaks(taut_reader *reader);
/* A condition under `when` of an entry (NULL: it is missing): the function of an event. */
taut_status taut_read_when(taut_reader *reader, const taut_yaml *entry, const taut_yaml *when,
                           taut_model_event *event);
/* Friction by the load of a joint: what slides, and the load. */
taut_status taut_read_bearing(taut_reader *reader, const taut_yaml *entry,
                              taut_model_contact *contact);
/* The section Study: bounds, formulas as texts, experiments. */
taut_status taut_read_study(taut_reader *reader);
taut_status taut_read_problem(taut_reader *reader, const taut_yaml *node);
/* Maps of parameters: the sections, then the states of each controller; NULL: there is none. The
 * first ones are those that a caller may set. */
enum { TAUT_SETTABLE_MAPS = 2, TAUT_PARAMETER_HINT = 400 };
int taut_parameter_maps(const taut_yaml *root);
const taut_yaml *taut_parameter_map(const taut_yaml *root, int i);
taut_status taut_read_parameters(taut_reader *reader, int map);
/* What a caller gives instead of a name's formula; NULL: nothing. */
const taut_override *taut_find_override(const taut_override *list, int count, const char *name);
/* True if the model has such a parameter; otherwise hint says which there are, or which one
 * resembles it. */
bool taut_has_parameter(const taut_model *model, const char *name, char hint[TAUT_PARAMETER_HINT]);
/* Faults in what a caller gives. */
void taut_check_overrides(taut_reader *reader);
void taut_check_inputs(taut_reader *reader);
/* The initial values of a variation, after those of the file. */
taut_status taut_read_initials(taut_reader *reader);
/* What has an initial value under this name, and which derivative of it is meant. */
taut_status taut_model_find_value(const taut_model *model, const char *name, taut_node *node,
                                  int *order, taut_errors *errors);

#endif
