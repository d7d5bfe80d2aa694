/* Kinematics of mechanisms: positions along a driven coordinate, and positions that reach a target,
 * without masses or forces (docs/guide.md).
 *
 *     taut_kinematics_options o = taut_kinematics_options_default();
 *     taut_kinematics *k;
 *     o.drive = "phi=0..360deg:361";
 *     taut_kinematics_find(model, &o, &k, &errors);
 *     taut_result_write(taut_kinematics_result(k), "positions.csv", 17, &errors);
 *     taut_kinematics_free(&k);
 */
#ifndef TAUT_KINEMATICS_H
#define TAUT_KINEMATICS_H

#include "taut/model.h"
#include "taut/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Fill with taut_kinematics_options_default, then change what matters. */
typedef struct taut_kinematics_options {
    int cookie;               /* by taut_kinematics_options_default */
    const char *drive;        /* "phi=0..360deg:361": coordinate, from, to, how many positions */
    const char *const *reach; /* [reaches] "A=1,2": where points are to be; instead of drive */
    int reaches;
    int starts;      /* look for further assemblies, or positions, from so many random ones */
    int derivatives; /* columns by the driven coordinate up to this one, at most 2; 1 */
    /* called now and then, with 0; anything but 0 stops it, and nothing is kept; NULL: nobody */
    int (*progress)(void *user, double fraction);
    void *user;
} taut_kinematics_options;
TAUT_API taut_kinematics_options taut_kinematics_options_default(void);

/* Where something turns back. */
typedef struct taut_turn_back {
    const char *what;  /* the driven coordinate: a dead point, where the way ends; or another */
    bool dead;         /* the former */
    int branch;        /* assembly, from 1 on */
    double at, value;  /* of the driven coordinate; of `what` there */
    const char *words; /* "OA and AB are in line (stretched)"; "": nothing is */
} taut_turn_back;

/* How far something goes along the way. */
typedef struct taut_motion_range {
    const char *what; /* a coordinate, or a transmission angle: transmission_C */
    bool angle;
    int branch;
    double low, high, low_at, high_at;
} taut_motion_range;

/* What became of a target. */
typedef struct taut_reach {
    const char *target; /* as it was given */
    int positions;      /* so many reach it; 0: it cannot be reached */
    double distance;    /* from the nearest place to it */
} taut_reach;

typedef struct taut_kinematics taut_kinematics;

/* TAUT_STEP_COLLAPSED: the first assembly does not get to the end; what was found is there.
 * TAUT_INTERRUPTED: by progress; there is nothing.
 * TAUT_ERR_CALL: not a mechanism, an unknown name, freedoms that are not driven. */
TAUT_API taut_status taut_kinematics_find(const taut_model *model,
                                          const taut_kinematics_options *options,
                                          taut_kinematics **kinematics, taut_errors *errors);
TAUT_API void taut_kinematics_free(taut_kinematics **kinematics);
/* The table: column t is the driven coordinate (the number of the target), primes are derivatives
 * by it; with starts the column `branch` tells assemblies apart. It belongs to the kinematics. */
TAUT_API const taut_result *taut_kinematics_result(const taut_kinematics *kinematics);
TAUT_API int taut_kinematics_branches(const taut_kinematics *kinematics);
/* i = 0, 1, ...; NULL: there is none. */
TAUT_API const taut_turn_back *taut_kinematics_turn_back(const taut_kinematics *kinematics, int i);
TAUT_API const taut_motion_range *taut_kinematics_range(const taut_kinematics *kinematics, int i);
TAUT_API const taut_reach *taut_kinematics_reach(const taut_kinematics *kinematics, int i);
/* All of that in words. *text is to be freed by taut_text_free. */
TAUT_API taut_status taut_kinematics_text(const taut_kinematics *kinematics, char **text);

#ifdef __cplusplus
}
#endif

#endif
