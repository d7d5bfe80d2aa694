/* The formulations of a mechanism: which coordinates its bodies have. One row each; everything else
 * (joints, forces, drivers, reactions) works on the places that these give to points and vectors,
 * whatever the unknowns are. */
#ifndef TAUT_FORM_FORMULATION_H
#define TAUT_FORM_FORMULATION_H

#include "form/mechanics.h"
#include "form/pose.h"
#include "taut/run.h" /* taut_formulation_name */

enum { TAUT_BODY_UNKNOWNS_MAX = 7 };

struct taut_formulation {
    const char *name;
    const char *words; /* for people */
    /* Looks at the mechanism as a whole, before anything else; it may ask for the places of fixed
     * elements. NULL: need not. */
    taut_status (*prepare)(taut_kin *kin);
    /* Does the frame of a body place the body's i-th element, unless somebody did it before? */
    bool (*places)(const taut_kin *kin, int body, int i);
    /* Creates the unknowns of a body, if it is to have some, and its frame (kin->frame). It may ask
     * for the frames of other bodies and for the places of elements. */
    taut_status (*make_frame)(taut_kin *kin, int body);
    /* Constraints: the frame stays rigid, and elements that somebody else places are where the body
     * has them. */
    taut_status (*constrain)(taut_mechanics *mechanics, int body);
    /* Values and rates of the unknowns of a body, frame->first and on, where it has this pose.
     * NULL: bodies have no unknowns. */
    void (*start)(const taut_kin *kin, int body, const taut_pose *pose,
                  double x[2][TAUT_BODY_UNKNOWNS_MAX]);
    /* Named joints whose two points are one point have one place for both, no equations. */
    bool joins;
};

/* The formulation of this name; NULL: there is none. */
const taut_formulation *taut_formulation_find(const char *name);
/* The formulation of a model: the one of this name, natural if it is NULL; NULL if the model gives
 * its equations itself. Reports what cannot be. */
taut_status taut_formulation_for(const taut_model *model, const char *name,
                                 const taut_formulation **formulation, taut_errors *errors);
/* What mechanisms have unless another one is asked for, and what assembles them for all. */
const taut_formulation *taut_formulation_natural(void);
bool taut_formulation_is_natural(const taut_formulation *formulation);

/* natural.c: coordinates of points and components of vectors. Also for bodies of others that need
 * no coordinates of their own. */
bool taut_natural_places(const taut_kin *kin, int body, int i);
taut_status taut_natural_frame(taut_kin *kin, int body);
taut_status taut_natural_constrain(taut_mechanics *n, int body);
/* reference.c: mass centre and angle, or mass centre and Euler parameters. */
bool taut_reference_places(const taut_kin *kin, int body, int i);
taut_status taut_reference_frame(taut_kin *kin, int body);
taut_status taut_reference_constrain(taut_mechanics *n, int body);
void taut_reference_start(const taut_kin *kin, int body, const taut_pose *pose,
                          double x[2][TAUT_BODY_UNKNOWNS_MAX]);
/* ... and what others use of it: a new unknown of a body; axes and angular velocity from Euler
 * parameters; the length of these, or of a direction, which are the last unknowns of a body;
 * elements that somebody else (owner: a body, -1 the ground) places, unless they are held there
 * already. */
taut_status taut_reference_unknown(taut_kin *kin, int body, const char *what, int group,
                                   taut_node *node);
void taut_reference_turn(taut_graph *graph, const taut_node *parameter, taut_frame *frame);
taut_status taut_reference_norm(taut_mechanics *n, int body);
typedef bool taut_is_held(const taut_kin *kin, int body, int i, int owner);
taut_status taut_reference_tie(taut_mechanics *n, int body, taut_is_held *held, bool *directed);
/* relative.c: coordinates of the joints of a spanning tree. */
taut_status taut_relative_prepare(taut_kin *kin);
bool taut_relative_places(const taut_kin *kin, int body, int i);
taut_status taut_relative_frame(taut_kin *kin, int body);
taut_status taut_relative_constrain(taut_mechanics *n, int body);
void taut_relative_start(const taut_kin *kin, int body, const taut_pose *pose,
                         double x[2][TAUT_BODY_UNKNOWNS_MAX]);

#endif
