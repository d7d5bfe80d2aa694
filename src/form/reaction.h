/* Reactions: what a mechanism's bodies need so that forces and moments equal the rates of momentum,
 * and who can provide it (docs/math/reactions.md). Nodes and numbers of nodes only: the balance is
 * solved at every row of the results (task/balance). Everything has three components here; in 2D
 * the third one of points and forces is 0, and torques have no other. */
#ifndef TAUT_FORM_REACTION_H
#define TAUT_FORM_REACTION_H

#include "expr/graph.h"

/* The vectors 0, 1, 2 are the axes of the world, the next one is 0. */
enum { TAUT_VECTOR_ZERO = 3, TAUT_VECTORS_FIRST };

/* What has a balance of its own: a body, or a point that belongs to none. */
typedef struct taut_carrier {
    const char *name;
    bool turns;        /* has a balance of moments, too */
    int reference;     /* vector: moments are about this point */
    int line;          /* vector: about it there is no balance (a thin rod in space); -1: none */
    int force, moment; /* vectors: the rate of momentum less the loads; what joints must provide */
} taut_carrier;

/* The directions that forces (or torques) may have. */
typedef enum taut_span {
    TAUT_SPAN_NONE,
    TAUT_SPAN_ALL,
    TAUT_SPAN_ACROSS, /* normal to u */
    TAUT_SPAN_ALONG,  /* u itself */
    TAUT_SPAN_COMMON  /* normal to u and v */
} taut_span;

/* Who transmits. */
typedef enum taut_transmitter {
    TAUT_BY_JOINT,
    TAUT_BY_DRIVER,
    TAUT_BY_FORMULA /* a constraint, or an element that is a formula */
} taut_transmitter;

/* A force or torque d of unknown size that something transmits: it acts on all its ends. */
typedef struct taut_transfer {
    taut_transmitter by;
    const char *name; /* of the joint, ... */
    taut_place place; /* ... and where it is written */
    taut_span span;
    int u, v;    /* vectors; see span */
    bool torque; /* d is a torque */
    bool scalar; /* d has no direction in the world: its ends have their own */
    int end, ends;
} taut_transfer;

/* One of its ends: f = sign * d, or with `rows` >= 0 the sum of d_i times vector rows + i. */
typedef enum taut_end_kind {
    TAUT_END_FORCE,  /* f is a force at the point `at` */
    TAUT_END_TORQUE, /* f is a torque */
    TAUT_END_ARM     /* a torque: the vector `at` x f */
} taut_end_kind;
typedef struct taut_end {
    taut_end_kind kind;
    int carrier, at, rows;
    double sign;
} taut_end;

/* A body with two points as its ends: its tension is the mean of those at both. */
typedef struct taut_rod {
    int carrier;
    int line;    /* vector: from the first to the second, of length 1 */
    int end[2];  /* vectors: where they are */
    int load[2]; /* vectors: loads there */
} taut_rod;

/* A column: the component of a transfer's d along the vector `axis`; or else the tension of a rod;
 * or else the first component of the vector `axis`. */
typedef struct taut_reaction {
    const char *name;
    int transfer, axis, rod; /* transfer, rod: -1 if it is not one */
} taut_reaction;

typedef struct taut_reactions {
    int dimension;
    double length;           /* of the mechanism: by it torques compare with forces */
    int size;                /* vector: its first component is the length, as a formula */
    taut_node (*vector)[3];  /* [vectors] */
    taut_carrier *carrier;   /* [carriers] */
    taut_transfer *transfer; /* [transfers] */
    taut_end *end;           /* [ends] */
    taut_rod *rod;           /* [rods] */
    taut_reaction *column;   /* [columns] */
    int *hub;                /* [elements] the carrier that takes what acts on it; below 0: none */
    int *place;              /* [elements] vector: where it is; -1: it has no carrier */
    int vectors, carriers, transfers, ends, rods, columns;
    size_t vector_room, carrier_room, transfer_room, end_room, rod_room, column_room;
} taut_reactions;

/* How many unknown numbers a transfer has. */
int taut_span_size(taut_span span, int dimension, bool torque);
void taut_reactions_release(taut_reactions *reactions);

#endif
