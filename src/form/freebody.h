/* A mechanism cut into free bodies. Private to reaction.c (carriers, columns), demand.c (what
 * bodies need), transmit.c (what
 * joints, drivers and constraints transmit) coordinate.c and
 * spread.c (who feels what acts on a coordinate or a formula). */
#ifndef TAUT_FORM_FREEBODY_H
#define TAUT_FORM_FREEBODY_H

#include "form/mechanics.h"
#include "form/reaction.h"

/* Who takes what acts on an element: a carrier, or one of these. */
enum { TAUT_HUB_GROUND = -1, TAUT_HUB_FORMULA = -2 };

/* What a carrier's balance has to give so far, as nodes with three components. */
typedef struct taut_demand {
    taut_vec reference, force, moment;
} taut_demand;

typedef struct taut_freebody {
    taut_mechanics *mechanics;
    taut_graph *graph;
    taut_sweep *sweep;
    taut_reactions *reactions;
    taut_demand *demand; /* [carriers] */
    int *hub;            /* [elements] */
    int *place;          /* [elements] number of the vector that it is; -1: none yet */
    int *rod;            /* [bodies] its rod; -1: it is none */
    bool *shares_name;   /* [joints] another one has the same name */
    taut_vec (*load)[2]; /* [rods] at both ends */
    taut_transmitter by; /* who transmits what is begun now, ... */
    const char *name;    /* ... its name, ... */
    taut_place where;    /* ... and its place */
    bool body_axes;      /* components along the axes of bodies */
    bool failed;         /* no memory */
} taut_freebody;

/* Three components: z of a plane vector is 0, a plane torque is along z. */
taut_vec taut_freebody_spatial(const taut_freebody *f, taut_vec v);
taut_vec taut_freebody_zero(const taut_freebody *f); /* three components */
/* A new vector; its number. */
int taut_freebody_vector(taut_freebody *f, taut_vec v);
/* The number of the vector that an element is. */
int taut_freebody_place(taut_freebody *f, int element);
taut_vec taut_freebody_value(const taut_freebody *f, int element); /* three components */

/* demand.c: fills in what the carriers demand, and the loads at the ends of rods. */
void taut_freebody_demand(taut_freebody *f);

/* One more end of the transfer that was begun last. */
void taut_freebody_end(taut_freebody *f, taut_end end);
/* The same, where a force of the transfer acts at a point that may be a formula. */
void taut_freebody_force_end(taut_freebody *f, int hub, int element, double sign);

/* transmit.c: all transfers, with the columns of joints; who stands at one side of a joint. */
taut_status taut_freebody_transmit(taut_freebody *f);
int taut_freebody_side(const taut_freebody *f, const taut_joint *joint, int side);
/* d(place on the curve)/d(its parameter) of a joint. */
taut_status taut_freebody_tangent(taut_freebody *f, int joint, taut_vec *tangent);
/* Columns of a transfer: its components along the axes of a carrier (-1: of the world). */
taut_status taut_freebody_columns(taut_freebody *f, const char *name, int carrier, int transfer);
/* A column of a force along a line; and of one that has no direction. */
taut_status taut_freebody_tension(taut_freebody *f, const char *name, int transfer);
taut_status taut_freebody_load(taut_freebody *f, const char *name, int transfer);

/* spread.c: what a force d at a formula element means for others: parts of it, each with the three
 * vectors whose sum with the weights d_i acts there. */
typedef struct taut_part {
    taut_end_kind kind;
    int carrier;
    int element;     /* the point of a force, the vector of an arm; a torque: -1 */
    taut_vec row[3]; /* of d_x, d_y, d_z */
} taut_part;
typedef struct taut_parts {
    taut_part *item;
    int count;
    size_t room;
} taut_parts;
/* The parts of an element that is a formula; *parts is the caller's to release. */
taut_status taut_freebody_spread(taut_freebody *f, int element, taut_parts *parts);
/* The parts of d_x (alone) times a weight on a formula of leaves, as the model has it, added to
 * *parts; mode VELOCITY: a formula of rates. */
taut_status taut_freebody_gradient(taut_freebody *f, taut_sweep_mode mode, taut_node formula,
                                   taut_node weight, taut_parts *parts);
/* coordinate.c: the parts of d_x (alone) times a weight on a coordinate, added to *parts. name may
 * be NULL if it is an angle. */
taut_status taut_freebody_coordinate(taut_freebody *f, const char *name, taut_node node,
                                     taut_node weight, taut_parts *parts);
/* Ends of the last transfer from parts. */
void taut_freebody_part_ends(taut_freebody *f, const taut_parts *parts, double sign);

#endif
