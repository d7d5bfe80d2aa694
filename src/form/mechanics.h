/* A mechanism on its way to equations, whatever coordinates its bodies have. Private to the files
 * of formulations: kin.c (where everything is), formulation.c and its rows (coordinates of bodies),
 * rigidity.c (constraints), joints.c (those of joints), force.c (energies, forces, work), drive.c
 * (angles, drivers), formulas.c (constraints and unknowns given by formulas), bind.c (other
 * formulas), mechanics.c (equations), mechanics_start.c and mechanics_columns.c (its ends). */
#ifndef TAUT_FORM_MECHANICS_H
#define TAUT_FORM_MECHANICS_H

#include "expr/diff.h"
#include "expr/pattern.h"
#include "form/contact.h"
#include "form/kin.h"
#include "form/pair.h"

/* An adjoint that enters a sweep at a node: a force at a coordinate, a torque at an angular rate.
 */
typedef struct taut_seed {
    taut_node node, adjoint;
    bool elastic; /* its energy is counted as potential energy */
} taut_seed;

/* How a load acts: a force at a point; the same on a certain body, which need not have the point; a
 * torque on a body; a force or torque on a coordinate. */
typedef enum taut_action_kind {
    TAUT_ACTS_AT_POINT,
    TAUT_ACTS_ON_BODY,
    TAUT_ACTS_AS_TORQUE,
    TAUT_ACTS_ON_COORDINATE
} taut_action_kind;

typedef struct taut_action {
    taut_action_kind kind;
    int element, body;    /* the point; the body (-1: the ground, which feels nothing) */
    taut_node coordinate; /* what it acts on, and its name, if it has one */
    const char *name;
    taut_vec value;     /* in the world; a plane torque and what acts on a coordinate: a scalar */
    double sign;        /* of value */
    int link;           /* the spring or damper that it comes from; -1: none */
    const char *source; /* what else it comes from, if it is to have columns; NULL: nothing */
} taut_action;

typedef struct taut_terms {
    taut_node *node;
    size_t count, room;
} taut_terms;

typedef struct taut_constraint {
    taut_node node;
    const char *name;
    taut_place place;
    bool driver; /* its multiplier is the force of an actuator */
    taut_node
        rate; /* angle drivers: the multiplier works on this; TAUT_NO_NODE: on the constraint */
    taut_node lambda;
    taut_node wanted;       /* drivers: the function of t ... */
    taut_node driven;       /* ... and what follows it */
    bool formula;           /* the file gives it as a formula: */
    taut_node given;        /* ... this one, of leaves */
    bool velocity;          /* it is one of velocities */
    bool own;               /* one body has it for itself: its coordinates are too many */
    int vector;             /* see taut_equation */
    bool late;              /* the initial values may leave it open */
    bool working;           /* it contains t or further unknowns: its force may have power */
    const char *multiplier; /* its name; NULL: a number will do */
    int leaf;               /* that stands for the multiplier; -1: none */
    int body;               /* number + 1 of the body that is rigid by it; 0: none */
    int joint, equation;    /* number + 1 of the joint that it belongs to (0: none), which one */
} taut_constraint;

/* A force element whose force is an unknown of its own: variable - value = 0. */
typedef struct taut_lift {
    taut_node variable, value;
    const char *name;
    taut_place place;
} taut_lift;

typedef struct taut_tracked {
    taut_node variable, value; /* theta, and the expression that it follows */
    taut_node rate; /* of that expression; simpler where the directions keep their lengths */
    taut_vec from, to, axis; /* its directions; the axis in 3D only */
    int body[3];             /* that have them; -1: not said, or the ground */
    taut_node sine, cosine;  /* of the angle, up to a common factor */
} taut_tracked;

/* Nodes that are there already: as a constraint, as what a driver drives. */
enum taut_used { TAUT_USED_CONSTRAINT = 1, TAUT_USED_DRIVEN = 2 };

typedef struct taut_mechanics {
    taut_problem *problem;
    const taut_model *model;
    const taut_mechanism *mechanism;
    taut_graph *graph;
    taut_kin *kin;
    taut_errors *errors;
    taut_arena *arena;
    taut_terms kinetic, weight, elastic;
    taut_seed *force, *torque;
    size_t forces, force_room, torques, torque_room;
    taut_lift *lift; /* none unless the problem is to be lifted */
    size_t lifts, lift_room;
    taut_action *action; /* the same as they act on elements and bodies */
    size_t actions, action_room;
    taut_constraint *constraint;
    size_t constraints, constraint_room;
    int rigid; /* number + 1 of the body whose constraints are being added; 0: others are */
    taut_constraint *left_out; /* [left_out_count] because the others imply them */
    int left_out_count;
    taut_constraint *loose; /* [looses] of drivers that may let go */
    int looses;
    int least_velocity, least_multiplier, least_motion; /* unknowns of least norm: the first ones */
    taut_tracked *angle;                                /* [mechanism->angles] */
    int tracked;     /* unknowns before this one are coordinates and tracked angles */
    int first_extra; /* the unknowns that the file adds begin here */
    taut_model_formulas equations, outputs; /* those of the model, in these unknowns */
    taut_model_value *value;                /* [values] likewise, of what can move */
    int values;
    taut_pair *pair;         /* [mechanism->joints] what is shared has none */
    int first_phase, phases; /* variables: what gears and the like leave between coordinates */
    taut_pattern *pattern;   /* of curves and drivers; NULL: there were none so far */
    uint8_t *used;           /* [nodes] bits of taut_used */
    size_t used_room;
    bool moving;     /* ground moves by formulas of t: its forces on what it carries do work */
    taut_node power; /* what changes the work */
    taut_node work;  /* of dampers, loads, drivers and moving ground; TAUT_NO_NODE: there is none */
    bool open;       /* something dissipates or drives */
    bool faulty;
} taut_mechanics;

/* Notes a fault and goes on; only a lack of memory is passed up. */
#define TAUT_MECHANICS_NOTE(n, call)                                                               \
    do {                                                                                           \
        taut_status note_status = (call);                                                          \
        if (note_status == TAUT_ERR_MEMORY) return note_status;                                    \
        if (note_status != TAUT_OK) (n)->faulty = true;                                            \
    } while (0)

/* A sum that grows term by term. */
taut_status taut_terms_add(taut_terms *list, taut_node node);
taut_node taut_terms_total(taut_graph *graph, const taut_terms *list);

/* rigidity.c: constraints. What is constant is checked instead, what is there already not repeated.
 */
taut_status taut_mechanics_constrain(taut_mechanics *n, taut_node node, const char *name,
                                     taut_place place);
taut_status taut_mechanics_rigidity(taut_mechanics *n);
/* Notes that a node is used. */
taut_status taut_mechanics_use(taut_mechanics *n, taut_node node, enum taut_used as);
bool taut_mechanics_uses(const taut_mechanics *n, taut_node node, enum taut_used as);
/* joints.c: where the elements of named joints are, and the names of their coordinates; the
 * coordinates that they tie, once angles are known; their equations. */
taut_status taut_mechanics_pairs(taut_mechanics *n);
taut_status taut_mechanics_ties(taut_mechanics *n);
taut_status taut_mechanics_joints(taut_mechanics *n);
/* bearing.c: what split joints transmit, once multipliers are known. */
taut_status taut_mechanics_bearings(taut_mechanics *n);
/* force.c: energies of bodies and links with their forces; the power that makes energy change. */
taut_status taut_mechanics_energies(taut_mechanics *n);
/* The force of an element becomes an unknown with an equation of its own, if the problem is to be
 * lifted: a stiff solver then finds it as such, instead of by the small difference that stiffness
 * multiplies. Replaces *force by the unknown. */
taut_status taut_mechanics_lift(taut_mechanics *n, const char *of, taut_place place,
                                taut_node *force);
/* A force on a coordinate (its energy is counted if it is elastic), and a torque on an angular
 * rate, times a sign. */
taut_status taut_mechanics_push(taut_mechanics *n, taut_node coordinate, taut_node force,
                                double sign, bool elastic);
taut_status taut_mechanics_turn(taut_mechanics *n, taut_node rate, taut_node torque, double sign);
/* A force (world components) at a point, of a link (-1: none). */
taut_status taut_mechanics_force(taut_mechanics *n, int element, int link, taut_vec force,
                                 double sign, bool elastic);
/* Notes how a load acts that does not come by taut_mechanics_force. */
taut_status taut_mechanics_act(taut_mechanics *n, taut_action action);
/* element.c: torsion springs, rotational dampers, bushings, drag; loads, which may contain
 * everything that has a name. */
taut_status taut_mechanics_elements(taut_mechanics *n);
taut_status taut_mechanics_loads(taut_mechanics *n);
/* Springs and dampers need a direction; once the initial values are read. */
taut_status taut_mechanics_check_links(taut_mechanics *n);
taut_status taut_mechanics_power(taut_mechanics *n, taut_node *power);
/* drive.c: tracked angles and drivers. */
taut_status taut_mechanics_angles(taut_mechanics *n);
taut_status taut_mechanics_drivers(taut_mechanics *n);
/* ... of positions; those of velocities come after all constraints of positions. */
taut_status taut_mechanics_velocity_drivers(taut_mechanics *n);
/* How fast a driver moves what it drives. */
taut_node taut_mechanics_driven_rate(taut_graph *graph, const taut_constraint *constraint);

/* The tracked angle whose unknown this is; NULL: it is none. */
const taut_tracked *taut_mechanics_tracked(const taut_mechanics *n, taut_node unknown);
/* One as a constraint, which is not added. */
taut_status taut_mechanics_driver(taut_mechanics *n, const taut_driver *driver,
                                  taut_constraint *constraint);
/* loose.c: the equations of what may let go; and how many hold in these modes (NULL: all). */
taut_status taut_mechanics_loose(taut_mechanics *n);
int taut_mechanics_engaged(const taut_mechanics *n, const int *mode);

/* actuate.c: how many actuators are too many for the motion; the unknowns and the equations by
 * which they are of least norm, if there are such. */
int taut_mechanics_surplus(const taut_mechanics *n);
taut_status taut_mechanics_least_unknowns(taut_mechanics *n, int coordinates);
taut_status taut_mechanics_least_equations(taut_mechanics *n, taut_sweep *sweep,
                                           const taut_node *row, int coordinates, int *at);

/* mechanics.c: -(variation by coordinates) of position seeds (Euler) and velocity seeds (by rates),
 * with what acts on tracked angles passed on to what they follow. */
taut_status taut_mechanics_vary(taut_mechanics *n, taut_sweep *sweep, int coordinates,
                                const taut_seed *position, size_t positions,
                                const taut_seed *velocity, size_t velocities, taut_node *row);
/* mechanics_start.c: the problem's initial values, and the conditions that stand for those of what
 * is not an unknown; or all values from a start that was found elsewhere. */
taut_status taut_mechanics_conditions(taut_mechanics *n);
taut_status taut_mechanics_start(taut_mechanics *n, const taut_start *start);
/* mechanics_columns.c: the problem's columns. */
taut_status taut_mechanics_columns(taut_mechanics *n, taut_sweep *sweep);
/* limb_law.c: the problem's law for the recursion, where that is possible. */
taut_status taut_mechanics_law(taut_mechanics *n, taut_sweep *sweep, int coordinates);

/* reaction.c: the balance of every body, for the problem's reactions. */
taut_status taut_mechanics_reactions(taut_mechanics *n, taut_sweep *sweep, bool body_axes);

/* bind.c: formulas of the model in the problem's unknowns: a list of them; all that is left when
 * every unknown is there, the initial values among it. */
taut_status taut_mechanics_import_list(taut_mechanics *n, const taut_model_formulas *list,
                                       taut_model_formulas *own);
taut_status taut_mechanics_bind(taut_mechanics *n);
/* formulas.c: the file's Variables and Constraints; its VelocityConstraints, which come after all
 * other constraints; and the power of those that have some, added to *power. */
taut_status taut_mechanics_formulas(taut_mechanics *n);
taut_status taut_mechanics_velocities(taut_mechanics *n);
taut_status taut_mechanics_formula_power(taut_mechanics *n, taut_sweep *sweep, taut_node *power);
/* *power by the rates that tracked angles follow, instead of their own. */
taut_status taut_mechanics_follow_angles(const taut_mechanics *n, taut_node *power);

#endif
