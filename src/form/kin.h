/* Where every point and vector of a mechanism is, as nodes of the graph. What bodies carry follows
 * from the coordinates that the formulation gives them; basic elements are unknowns themselves; all
 * others are assigned: "assign, don't equate" (docs/math/natural.md). */
#ifndef TAUT_FORM_KIN_H
#define TAUT_FORM_KIN_H

#include "expr/substitute.h"
#include "form/assemble.h"

/* Groups of unknowns that share a scale. */
enum {
    TAUT_GROUP_LENGTH,
    TAUT_GROUP_DIRECTION,
    TAUT_GROUP_ANGLE,
    TAUT_GROUP_PARAMETER, /* of a curve */
    TAUT_GROUP_FORCE,
    TAUT_GROUP_ENERGY,
    TAUT_GROUPS
};

/* The moving frame of a body: origin + sum of axis[k] * (q_k . local). */
typedef struct taut_frame {
    bool ready;
    int axes; /* 1 for a thin rod in 3D, otherwise the dimension */
    taut_vec origin;
    taut_vec axis[3];    /* unit vectors in the world */
    taut_vec q[3];       /* the same vectors in local coordinates, steady */
    taut_vec d[3];       /* natural: d[1], d[2], world directions of the second and third element */
    taut_node length[3]; /* ... their lengths, steady */
    int first, unknowns; /* coordinates of its own: variables first ..; unknowns = 0: none */
    taut_vec centre;     /* the mass centre, where it is simpler than by the frame; n = 0: not */
    taut_vec omega;      /* likewise the angular velocity: 2D a scalar, 3D along the axes */
} taut_frame;

typedef enum taut_origin {
    TAUT_ORIGIN_FIXED,
    TAUT_ORIGIN_FORMULA,
    TAUT_ORIGIN_BODY,      /* assigned by the frame of a body */
    TAUT_ORIGIN_COLLINEAR, /* assigned by a point, a vector and a scalar */
    TAUT_ORIGIN_JOINT,     /* it is where a named joint has the point of another body */
    TAUT_ORIGIN_BASIC      /* its coordinates are unknowns */
} taut_origin;

typedef struct taut_kin {
    taut_arena arena;
    taut_problem *problem; /* which gets the unknowns */
    taut_graph *graph;     /* the problem's */
    const taut_model *model;
    const taut_mechanism *mechanism;
    const taut_formulation *formulation;
    const taut_start *start;        /* where it starts, if that is known already */
    bool whole;                     /* split joints are not */
    const char *cut;                /* relative coordinates: joints that are to close loops */
    struct taut_relative *relative; /* of relative coordinates: the tree */
    taut_errors *errors;
    taut_substitution *substitution; /* from formulas of the model to those of the problem */
    taut_node *meaning;  /* [model->leaves] of coordinates and forces, as they become known */
    taut_vec *value;     /* [elements] */
    uint8_t *state;      /* [elements] */
    taut_origin *origin; /* [elements] */
    int *assigned_by;    /* [elements] body; -1: none */
    int *scalar;         /* [collinears] variable number; -1: none yet */
    int *joined;         /* [elements] point that a named joint puts there; -1: none */
    taut_frame *frame;   /* [bodies] */
    int *made, mades;    /* [bodies] those that have one, in the order in which they got it */
    int *moment;         /* [elements + bodies] when values and frames were found: 1, 2, ... */
    int moments;
    int *unit;          /* [units] vectors in the order in which their values were found */
    int units, squared; /* ... and of how many of them the squares are in the table: */
    taut_node *square;  /* [squares] of known vectors, by node; 0: empty */
    size_t squares;     /* a power of 2, at least twice the number of elements */
    int depth;          /* elements whose values are being found, one inside the other */
    double size;        /* see taut_kin_size; 0: not known yet */
    bool faulty;
    bool no_memory; /* ... because there was none */
} taut_kin;

/* Values of all elements; creates the unknowns, in the order of the file. */
taut_status taut_kin_create(taut_problem *problem, const taut_forming *forming, taut_kin **kin,
                            taut_errors *errors);
void taut_kin_free(taut_kin **kin);

/* A formula of the model, which stands at `place`, in the unknowns of the problem. */
taut_status taut_kin_import(taut_kin *kin, taut_node formula, taut_place place, taut_node *node);
taut_status taut_kin_import_vec(taut_kin *kin, taut_vec formula, taut_place place, taut_vec *vec);

/* Finds the value of an element, or the frame of a body, if it is not there yet: for formulations,
 * while they make frames. false: reported. */
bool taut_kin_place(taut_kin *kin, int element);
taut_status taut_kin_frame(taut_kin *kin, int body);
/* How many elements make the frame of a body in natural coordinates. */
int taut_kin_frame_elements(const taut_kin *kin, int body);
/* A local point or direction of a body in the world. */
taut_vec taut_kin_point(taut_kin *kin, int body, taut_vec local);
taut_vec taut_kin_direction(taut_kin *kin, int body, taut_vec local);
taut_vec taut_kin_centre(taut_kin *kin, int body); /* its mass centre */
/* Angular velocity: 2D a scalar, 3D components along the frame's axes. */
taut_vec taut_kin_omega(taut_kin *kin, int body);
/* a + coef * b */
taut_vec taut_kin_add(taut_graph *graph, taut_vec a, double coef, taut_vec b);
taut_vec taut_kin_divided(taut_graph *graph, taut_vec v, taut_node by);
/* (x, y) turned by a right angle. */
taut_vec taut_kin_turned(taut_graph *graph, taut_vec v);
/* The length of a steady vector; exact where only one component is not zero. */
taut_node taut_kin_steady_length(taut_graph *graph, taut_vec v);
/* Two unit vectors normal to an element that is a vector, fixed where it is fixed (one in 2D). */
taut_status taut_kin_normals(taut_kin *kin, int element, taut_vec normal[2]);
/* The same for a steady vector in local coordinates. */
void taut_kin_local_normals(taut_kin *kin, taut_vec local, taut_vec normal[2]);
/* The largest coordinate of the shapes of bodies and of fixed points, as the numbers are now: what
 * counts as large in the model's unit of length. To be asked when the values of all elements are
 * there. */
double taut_kin_size(taut_kin *kin);
/* (1, 0) or (1, 0, 0) */
taut_vec taut_kin_local_x(taut_kin *kin);
/* The local x axis of a body in the world; that of the ground, -1, is the world's. */
taut_vec taut_kin_body_x(taut_kin *kin, int body);

#endif
