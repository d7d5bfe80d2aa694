/* Models built in code, with formulas as text.
 *
 *     taut_builder *b;
 *     taut_builder_create("pendulum", &b);
 *     taut_builder_number(b, "G", 9.81);
 *     taut_builder_number(b, "L", 10);
 *     taut_builder_coordinate(b, "u", 1);
 *     taut_builder_coordinate(b, "v", 1);
 *     taut_builder_lagrangian(b, "1/2*(u'^2 + v'^2) + G*v");
 *     taut_builder_constraint(b, NULL, "u^2 + v^2 - L^2");
 *     taut_builder_position(b, "u", "L");
 *     taut_builder_position(b, "v", "0");
 *     status = taut_builder_finish(b, &model, &errors);
 *     taut_builder_free(&b);
 *
 * Names and formulas are those of a model file (docs/mechspec.md): `'` is d/dt, `[a, b]` a vector.
 * Calls that add something return nothing; faults, a lack of memory too, are reported by
 * taut_builder_finish. It writes the model as a file, one line or a few a call, and reads that as
 * any other; a message shows the line that the faulty call has given. taut_builder_text is that
 * file. What kind of model it is follows from the calls: parts make a mechanism, a Lagrangian or a
 * Hamiltonian one of these, and variables with equations alone a DAE. */
#ifndef TAUT_BUILD_H
#define TAUT_BUILD_H

#include "taut/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct taut_builder taut_builder;

/* title is also the name that messages use. */
TAUT_API taut_status taut_builder_create(const char *title, taut_builder **builder);
TAUT_API void taut_builder_free(taut_builder **builder);
/* Makes the model, which does not depend on the builder. More may be added afterwards, for another
 * one. */
TAUT_API taut_status taut_builder_finish(taut_builder *builder, taut_model **model,
                                         taut_errors *errors);
/* The model as a file; NULL without memory. Valid until the next call. */
TAUT_API const char *taut_builder_text(taut_builder *builder);

/* ---- for every kind of model ---- */

/* A parameter: a number, or a formula of other parameters. */
TAUT_API void taut_builder_number(taut_builder *builder, const char *name, double value);
TAUT_API void taut_builder_parameter(taut_builder *builder, const char *name, const char *formula);
/* A number that comes from outside, with its default; constant in a run. */
TAUT_API void taut_builder_input(taut_builder *builder, const char *name, const char *formula);
/* A number that changes at events only, with its first value. */
TAUT_API void taut_builder_discrete(taut_builder *builder, const char *name, const char *formula);
/* What happens when a function passes zero. */
typedef struct taut_event_spec {
    const char *when;            /* "y", "count >= 60" */
    const char *direction;       /* "up", "down", "both"; NULL: both */
    const taut_override *assign; /* [assigns] {"y'", "-0.8*y'"}: what it does */
    int assigns;
    int stop, once; /* 1: the run ends there; it happens the first time only */
    int unrecorded; /* 1: it is not listed */
} taut_event_spec;
TAUT_API void taut_builder_event(taut_builder *builder, const char *name,
                                 const taut_event_spec *event);
/* What is sampled at equal distances in time. */
typedef struct taut_controller_spec {
    const char *every;          /* "1 ms": the period */
    const char *offset;         /* when the first sample is, after t0; NULL: 0 */
    const taut_override *state; /* [states] {"z", "0"}: what it remembers, and first values */
    int states;
    const taut_override *next; /* [nexts] states after a sample */
    int nexts;
    const taut_override *out; /* [outs] inputs from a sample to the next one */
    int outs;
} taut_controller_spec;
TAUT_API void taut_builder_controller(taut_builder *builder, const char *name,
                                      const taut_controller_spec *controller);
/* Inverse dynamics: an input that is to be found (weight NULL: 1), and what is prescribed. */
TAUT_API void taut_builder_actuator(taut_builder *builder, const char *input, const char *weight);
TAUT_API void taut_builder_motion(taut_builder *builder, const char *what, const char *formula);
/* Equilibria: an input, parameter or driver whose value is found; what is to have which value; a
 * rate, "psi'", that is constant. */
TAUT_API void taut_builder_trim_free(taut_builder *builder, const char *name);
TAUT_API void taut_builder_trim_want(taut_builder *builder, const char *what, const char *formula);
TAUT_API void taut_builder_trim_steady(taut_builder *builder, const char *rate,
                                       const char *formula);
/* Optimisation and fitting: a key of the section Study that is a text or a number ("Minimize",
 * "Maximize", "Starts", "Method", "Loss", "Shooting"); a variable with its bounds, "[0.5, 2]" or
 * "[10, 1e4, log]"; what must hold, "max(Ax) <= 2"; the standard deviation of a measured column; a
 * column with a bias; a state of shooting; an experiment: its CSV file, and names and values that
 * are set in it, in turn, NULL last (set may be NULL). */
TAUT_API void taut_builder_study(taut_builder *builder, const char *key, const char *text);
TAUT_API void taut_builder_study_variable(taut_builder *builder, const char *name,
                                          const char *bounds);
TAUT_API void taut_builder_study_limit(taut_builder *builder, const char *name,
                                       const char *formula);
TAUT_API void taut_builder_study_weight(taut_builder *builder, const char *column,
                                        const char *deviation);
TAUT_API void taut_builder_study_bias(taut_builder *builder, const char *column);
TAUT_API void taut_builder_study_state(taut_builder *builder, const char *name);
TAUT_API void taut_builder_experiment(taut_builder *builder, const char *name, const char *data,
                                      const char *const *set);
/* A function by samples, called as name(x) in formulas; with three numbers a sample a map, called
 * as name(x, y). The samples are copied. */
typedef struct taut_table_spec {
    const double *sample; /* [samples][width] x, y; of a map x, y, z */
    int samples, width;   /* width: 2 or 3 */
    const char *between;  /* "linear", "pchip", "spline"; NULL: linear */
    double fit;           /* above 0: instead, few pieces of high order within this tolerance */
    const char *outside;  /* "error", "hold", "extend", "periodic"; NULL: error */
} taut_table_spec;
TAUT_API void taut_builder_table(taut_builder *builder, const char *name,
                                 const taut_table_spec *table);
/* Gaps that never become negative, stops of coordinates, dry friction: formulas, NULL where there
 * is none. Mechanisms, Lagrangians and Hamiltonians. */
typedef struct taut_contact_spec {
    const char *gap;                                  /* a formula; or, in mechanisms, ... */
    const char *point, *corner, *circle, *sphere;     /* ... "A", "[C, 0.3]": one of these ... */
    const char *line, *plane, *on_circle, *on_sphere; /* ... on one of these, "[O, u]", "[C, 1]" */
    int inside;                                       /* 1: inside of that circle or sphere */
    const char *along; /* with friction: its rate is the sliding speed; in space "[x, y]" */
    const char *restitution;
    const char *friction, *sticking;       /* coefficients; while it sticks */
    const char *stiffness, *damping, *law; /* compliant */
    const char *sliding;                   /* instead of along: the sliding velocity */
    const char *curve;                     /* point on: a formula of x and y */
} taut_contact_spec;
typedef struct taut_limit_spec {
    const char *lower, *upper;
    const char *restitution;
    const char *stiffness, *damping, *law; /* compliant */
} taut_limit_spec;
typedef struct taut_friction_spec {
    const char *on;               /* its rate is the sliding speed */
    const char *force, *sticking; /* level; while it sticks */
    /* or, in mechanisms, by the load of a joint: */
    const char *joint;       /* its name */
    const char *coefficient; /* `sticking` is then the one while it sticks */
    const char *radius;      /* of a pin or a thread */
    const char *length;      /* of the guide of a slider, which a moment presses as well */
} taut_friction_spec;
typedef struct taut_lock_spec {
    const char *on;       /* what is held */
    const char *when;     /* while this comparison holds; NULL: always */
    const char *capacity; /* the largest force; NULL: any */
} taut_lock_spec;
/* A joint or a driver of a mechanism that lets go. */
typedef struct taut_break_spec {
    const char *joint, *driver; /* one of these */
    const char *when;           /* it lets go when this comparison becomes true */
    const char *until;          /* it is engaged again when this does; NULL: never */
} taut_break_spec;
TAUT_API void taut_builder_contact(taut_builder *builder, const char *name,
                                   const taut_contact_spec *contact);
/* `of`: the coordinate, angle or distance. */
TAUT_API void taut_builder_limit(taut_builder *builder, const char *of,
                                 const taut_limit_spec *limit);
TAUT_API void taut_builder_friction(taut_builder *builder, const char *name,
                                    const taut_friction_spec *friction);
/* The law of impacts: "newton" or "poisson". */
TAUT_API void taut_builder_impact(taut_builder *builder, const char *law);
TAUT_API void taut_builder_lock(taut_builder *builder, const char *name,
                                const taut_lock_spec *lock);
TAUT_API void taut_builder_break(taut_builder *builder, const char *name,
                                 const taut_break_spec *lets_go);
/* A named subexpression, and a further column of the results. */
TAUT_API void taut_builder_define(taut_builder *builder, const char *name, const char *formula);
TAUT_API void taut_builder_output(taut_builder *builder, const char *name, const char *formula);

TAUT_API void taut_builder_span(taut_builder *builder, double t0, double tend);
/* No step of a solver is longer: a fraction of the shortest event in the formulas. */
TAUT_API void taut_builder_max_step(taut_builder *builder, double step);
/* Initial values, as guesses: of a variable, a point or vector, or a component; of its first
 * derivative; of anything, with primes in the name. */
TAUT_API void taut_builder_position(taut_builder *builder, const char *name, const char *formula);
TAUT_API void taut_builder_velocity(taut_builder *builder, const char *name, const char *formula);
TAUT_API void taut_builder_value(taut_builder *builder, const char *name, const char *formula);
/* The value that is given must not be changed. */
TAUT_API void taut_builder_fix_position(taut_builder *builder, const char *name);
TAUT_API void taut_builder_fix_velocity(taut_builder *builder, const char *name);

/* ---- equations ---- */

/* An unknown; with size 2 or 3 a vector. Each has an equation, "expression = 0" written as the
 * expression. name NULL: it is called by its number; name all of a kind, or none. */
TAUT_API void taut_builder_variable(taut_builder *builder, const char *name, int size);
TAUT_API void taut_builder_equation(taut_builder *builder, const char *name, const char *formula);

/* A stiff force: as taut_builder_define, but an unknown whose equation the formula is. Not for
 * mechanisms, which find theirs. */
TAUT_API void taut_builder_stiff(taut_builder *builder, const char *name, const char *formula);

/* A Lagrangian: coordinates, L, and what acts beside it. */
TAUT_API void taut_builder_coordinate(taut_builder *builder, const char *name, int size);
TAUT_API void taut_builder_lagrangian(taut_builder *builder, const char *formula);
/* Rayleigh's function; of a mechanism as well. */
TAUT_API void taut_builder_dissipation(taut_builder *builder, const char *formula);
/* An expression of t and coordinates (of a mechanism: points) that is zero; of velocities, too. */
TAUT_API void taut_builder_constraint(taut_builder *builder, const char *name, const char *formula);
TAUT_API void taut_builder_velocity_constraint(taut_builder *builder, const char *name,
                                               const char *formula);
/* The generalised force on a coordinate; in a mechanism: the force at a point, a vector. */
TAUT_API void taut_builder_force(taut_builder *builder, const char *on, const char *formula);
/* A Hamiltonian: coordinates, momenta in the same order (p_u for u if there are none), and H; the
 * initial value of a momentum, as a guess. */
TAUT_API void taut_builder_momentum(taut_builder *builder, const char *name, int size);
TAUT_API void taut_builder_initial_momentum(taut_builder *builder, const char *name,
                                            const char *formula);
TAUT_API void taut_builder_hamiltonian(taut_builder *builder, const char *formula);

/* ---- mechanisms ---- */

/* 2 or 3. Points have capital first letters, vectors small ones; a vector is a direction. */
TAUT_API void taut_builder_dimension(taut_builder *builder, int dimension);
/* A point or vector of the ground, "[0, 0]"; a formula of t moves it. */
TAUT_API void taut_builder_fixed(taut_builder *builder, const char *name, const char *formula);
/* A point or vector by a formula of others, "(A + B)/2". */
TAUT_API void taut_builder_point(taut_builder *builder, const char *name, const char *formula);

/* A shape from which the mass properties of a body follow. What a kind takes is in
 * docs/mechspec.md; NULL: it is not there. */
typedef struct taut_shape_spec {
    const char *type;    /* "rod", "box", "cylinder", "sphere" */
    const char *mass;    /* spread evenly, or ... */
    const char *density; /* ... for each volume */
    const char *centre;  /* "[l/2, 0]", local; NULL: the middle of the first two points */
    const char *size;    /* box: "[a, b, c]", edges along the local axes */
    const char *radius;  /* cylinder, sphere */
    const char *length;  /* cylinder: along its axis */
    const char *axis;    /* cylinder: "[0, 0, 1]", local; NULL: x, in 2D the normal */
    const char *area;    /* rod: cross-section, for the density */
} taut_shape_spec;

/* A rigid body. Bodies that name the same point are joined there. */
typedef struct taut_body_spec {
    const char *elements; /* "O, A, u": its points and vectors, the local origin first; NULL: the
                             name spells them, as OAu does */
    const char *geometry; /* "[l, 0], [0, 1]": local coordinates of those after the first */
    const char *centroid; /* "[l/2, 0]", local */
    const char *mass;     /* NULL: the body is massless */
    const char *inertia;  /* about the centroid, in local axes. 2D: "m*l^2/12". 3D: the same for a
                             thin rod along local x, "[Ix, Iy, Iz]" or "[[..], [..], [..]]" */
    int weightless;       /* 1: gravity does not act on it */
    const taut_shape_spec *shape; /* instead of centroid, mass and inertia, or, without mass and
                                     density, beside them: only what it looks like; NULL: none */
    const char *about; /* "[0, 0]": local coordinates, or a point, about which the inertia is given;
                          NULL: the centroid */
    const char *axes;  /* "[[1, 0, 0], [0, 1, 0]]": local directions of the axes along which it is
                          given; NULL: local axes */
} taut_body_spec;
TAUT_API void taut_builder_body(taut_builder *builder, const char *name,
                                const taut_body_spec *body);

/* A spring, a damper or both, along the line between two points. */
typedef struct taut_link_spec {
    const char *points;    /* "A, B"; NULL: the name spells them */
    const char *stiffness; /* NULL: no spring */
    const char *length;    /* at rest; NULL: 0 */
    const char *damping;   /* NULL: no damper */
    const char *mass;      /* of the spring, spread evenly; NULL: 0; not with a damper */
    int full;              /* 1: the damper acts on the whole relative velocity of the points */
} taut_link_spec;
TAUT_API void taut_builder_link(taut_builder *builder, const char *name,
                                const taut_link_spec *link);

/* A joint by its type: "revolute", "prismatic", "gear", ... What a kind takes is in
 * docs/mechspec.md; NULL: it is not there. */
typedef struct taut_joint_spec {
    const char *type;
    const char *points;      /* "A, B": one of each body */
    const char *axes;        /* "u, v": vectors, likewise */
    const char *normals;     /* "a, b": vectors across the axis, likewise */
    const char *bodies;      /* "crank, ground": where points belong to several */
    const char *angle;       /* "phi": name of the angle that it leaves free */
    const char *distance;    /* "s": name of the distance that it leaves free */
    const char *coordinates; /* gear, rack: "phi, psi", what it ties */
    const char *number;      /* distance: length; screw: pitch; gear: ratio; rack: radius */
    const char *phase;       /* gear, rack, screw: the second coordinate where the first is 0 */
    const char *curve;       /* point-on-curve: "[s, s^2]" ... */
    const char *parameter;   /* ... and "s" */
    int disassembled;        /* 1: the initial values have its bodies apart */
} taut_joint_spec;
TAUT_API void taut_builder_joint(taut_builder *builder, const char *name,
                                 const taut_joint_spec *joint);

/* A joint of a chain: its coordinate, and about or along what; the other one is NULL. */
typedef struct taut_step_spec {
    const char *coordinate;   /* "phi" */
    const char *turn, *slide; /* "[0, 0, 1]", in local axes of the second body */
    const char *at;           /* "[0, 0, l]": a point of the axis; NULL: the second body's point */
} taut_step_spec;

/* Several joints one behind another between two bodies, in space. */
typedef struct taut_chain_spec {
    const char *points, *axes, *normals; /* "P, Q": one of each body, together where all coordinates
                                            are 0 */
    const taut_step_spec *step;          /* [steps] from the first body to the second */
    int steps;
} taut_chain_spec;
TAUT_API void taut_builder_chain(taut_builder *builder, const char *name,
                                 const taut_chain_spec *chain);

/* A torsion spring (with a stiffness) or a rotational damper. */
typedef struct taut_torsion_spec {
    const char *angle;     /* about which it acts, or ... */
    const char *bodies;    /* "arm, ground": ... between which it acts */
    const char *stiffness; /* NULL: no spring */
    const char *rest;      /* angle at rest; NULL: 0 */
    const char *damping;   /* NULL: no damper */
} taut_torsion_spec;
TAUT_API void taut_builder_torsion(taut_builder *builder, const char *name,
                                   const taut_torsion_spec *torsion);

/* A soft mount; each constant is one number or a list, "[k1, k2]", one for each axis of the first
 * body. NULL: none. */
typedef struct taut_bushing_spec {
    const char *points; /* "P, Q" */
    const char *bodies; /* where the points belong to several; NULL otherwise */
    const char *stiffness, *damping;
    const char *torsion, *twist_damping; /* against turning */
} taut_bushing_spec;
TAUT_API void taut_builder_bushing(taut_builder *builder, const char *name,
                                   const taut_bushing_spec *bushing);

/* Rotor inertia on a coordinate, an angle or a distance: its energy is inertia/2 times the square
 * of the coordinate's rate. */
TAUT_API void taut_builder_armature(taut_builder *builder, const char *coordinate,
                                    const char *inertia);
/* A mass at a point; one that gravity does not act on. */
TAUT_API void taut_builder_particle(taut_builder *builder, const char *point, const char *mass);
TAUT_API void taut_builder_weightless_particle(taut_builder *builder, const char *point,
                                               const char *mass);
/* Keeps points on a line: "AvB" is B = A + distance v. distance names the scalar; NULL: no name. */
TAUT_API void taut_builder_collinear(taut_builder *builder, const char *elements,
                                     const char *distance);
/* A number (downwards) or a vector; NULL: 9.81 downwards. */
TAUT_API void taut_builder_gravity(taut_builder *builder, const char *formula);
TAUT_API void taut_builder_torque(taut_builder *builder, const char *body, const char *formula);
/* A force on a point, or a torque on a body, and the opposite on another one. */
TAUT_API void taut_builder_force_between(taut_builder *builder, const char *name, const char *on,
                                         const char *against, const char *formula);
TAUT_API void taut_builder_torque_between(taut_builder *builder, const char *name, const char *on,
                                          const char *against, const char *formula);
/* Resistance at a point: "c", or "[c, c2, v0]". */
TAUT_API void taut_builder_drag(taut_builder *builder, const char *point, const char *formula);
/* A tracked angle: of a body, or from one direction to another, "[u, v]", in 3D about an axis; axis
 * may be NULL. */
TAUT_API void taut_builder_angle(taut_builder *builder, const char *name, const char *of,
                                 const char *axis);
/* Prescribes a coordinate, an angle or a distance as a function of t. */
TAUT_API void taut_builder_driver(taut_builder *builder, const char *what, const char *formula);

#ifdef __cplusplus
}
#endif

#endif
