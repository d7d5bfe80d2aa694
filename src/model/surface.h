/* Contacts by shape. Private to the room. */
#ifndef TAUT_MODEL_SURFACE_H
#define TAUT_MODEL_SURFACE_H

#include "model/reader.h"

typedef struct taut_surface {
    bool slides;                  /* what it slides along is wanted: */
    taut_node gap, along, along2; /* formulas; TAUT_NO_NODE: not known */
    bool rates;                   /* the latter are rates themselves */
    taut_contact_picture picture;
} taut_surface;

/* The gap of a contact that is given by shapes. */
taut_status taut_surface_read(taut_reader *reader, const taut_yaml *entry, taut_surface *x);

#endif
