/* Contacts by shape. Private to the room. */
#ifndef TAUT_MODEL_SURFACE_H
#define TAUT_MODEL_SURFACE_H

#include "model/reader.h"

/* The rim of a circle on a curve; see taut_model_contact. */
typedef struct taut_rim {
    taut_node turn, profile, facing;
    double outset;
} taut_rim;

typedef struct taut_surface {
    const char *name;             /* of the contact */
    taut_rim rim;                 /* of a circle on a curve */
    bool soft;                    /* compliant: shapes overlap */
    bool slides;                  /* what it slides along is wanted: */
    taut_node gap, along, along2; /* formulas; TAUT_NO_NODE: not known */
    bool rates;                   /* the latter are rates themselves */
    taut_contact_picture picture;
} taut_surface;

/* The gap of a contact that is given by shapes. */
taut_status taut_surface_read(taut_reader *reader, const taut_yaml *entry, taut_surface *x);

#endif
