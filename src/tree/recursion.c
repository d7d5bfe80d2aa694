/* The tree of limbs: memory, numbering, and the way to the plane or to space. */
#include "tree/recursion.h"

#include "tree/limbs.h"

static taut_status reserve(taut_recursion *r) {
    if (r->dimension == 2) {
        r->planar = TAUT_NEW_ARRAY(&r->arena, r->slots, taut_planar_limb);
        r->state = TAUT_NEW_ARRAY(&r->arena, r->slots, taut_planar_state);
        if (!r->planar || !r->state) return TAUT_ERR_MEMORY;
    } else {
        r->spatial = TAUT_NEW_ARRAY(&r->arena, r->slots, taut_spatial_limb);
        r->body = TAUT_NEW_ARRAY(&r->arena, r->slots, taut_spatial_state);
        if (!r->spatial || !r->body) return TAUT_ERR_MEMORY;
    }
    r->none = TAUT_NEW_ARRAY(&r->arena, r->rates, double);
    return r->none ? TAUT_OK : TAUT_ERR_MEMORY;
}

taut_status taut_recursion_create(int dimension, const taut_limb *limb, int limbs,
                                  const double gravity[3], taut_recursion **recursion) {
    taut_recursion *r = NULL;
    size_t room = 0;
    *recursion = NULL;
    if (taut_grow((void **)&r, &room, 1, sizeof *r)) return TAUT_ERR_MEMORY;
    *r = (taut_recursion){.dimension = dimension, .slots = limbs + 1};
    for (int i = 0; i < dimension; i++) r->gravity[i] = gravity[i];
    r->coordinate_of = TAUT_NEW_ARRAY(&r->arena, r->slots, int);
    r->rate_of = TAUT_NEW_ARRAY(&r->arena, r->slots, int);
    if (!r->coordinate_of || !r->rate_of) {
        taut_recursion_free(&r);
        return TAUT_ERR_MEMORY;
    }
    for (int i = 0; i < limbs; i++) {
        const bool ball = limb[i].hinge == TAUT_HINGE_BALL,
                   fixed = limb[i].hinge == TAUT_HINGE_FIXED;
        r->coordinate_of[i + 1] = r->coordinates;
        r->rate_of[i + 1] = r->rates;
        r->coordinates += ball ? 4 : fixed ? 0 : 1;
        r->rates += ball ? 3 : fixed ? 0 : 1;
    }
    if (reserve(r) != TAUT_OK) {
        taut_recursion_free(&r);
        return TAUT_ERR_MEMORY;
    }
    if (dimension == 2)
        taut_planar_fill(r, limb);
    else
        taut_spatial_fill(r, limb);
    *recursion = r;
    return TAUT_OK;
}

void taut_recursion_free(taut_recursion **recursion) {
    if (!*recursion) return;
    taut_arena_release(&(*recursion)->arena);
    taut_release((void **)recursion);
}

int taut_recursion_coordinates(const taut_recursion *r) { return r->coordinates; }

int taut_recursion_rates(const taut_recursion *r) { return r->rates; }

int taut_recursion_coordinate_of(const taut_recursion *r, int limb) {
    return r->coordinate_of[limb + 1];
}

int taut_recursion_rate_of(const taut_recursion *r, int limb) { return r->rate_of[limb + 1]; }

bool taut_recursion_accelerate(taut_recursion *r, const double *q, const double *v,
                               const double *force, double *acceleration) {
    if (!force) force = r->none;
    return r->dimension == 2 ? taut_planar_accelerate(r, q, v, force, acceleration)
                             : taut_spatial_accelerate(r, q, v, force, acceleration);
}

void taut_recursion_solve(taut_recursion *r, int first, int last, const double *force,
                          double *acceleration) {
    if (r->dimension == 2)
        taut_planar_solve(r, first + 1, last + 1, force, acceleration);
    else
        taut_spatial_solve(r, first + 1, last + 1, force, acceleration);
}

void taut_recursion_guide(taut_recursion *r, int limb) {
    if (r->dimension == 2)
        r->planar[limb + 1].guided = true;
    else
        r->spatial[limb + 1].guided = true;
}

void taut_recursion_set_guiding(taut_recursion *r, bool on) { r->guiding = on; }

double taut_recursion_guided_force(const taut_recursion *r, int limb) {
    return r->dimension == 2 ? taut_planar_guided_force(r, limb + 1)
                             : taut_spatial_guided_force(r, limb + 1);
}

void taut_recursion_mass(taut_recursion *r, const double *q, double *mass) {
    for (int i = 0; i < r->rates * r->rates; i++) mass[i] = 0.0;
    if (r->dimension == 2)
        taut_planar_mass(r, q, mass);
    else
        taut_spatial_mass(r, q, mass);
}

void taut_recursion_inverse(taut_recursion *r, const double *q, const double *v,
                            const double *acceleration, double *force) {
    if (r->dimension == 2)
        taut_planar_inverse(r, q, v, acceleration, force);
    else
        taut_spatial_inverse(r, q, v, acceleration, force);
}

void taut_recursion_pose(const taut_recursion *r, int limb, double origin[3], double axes[3][3]) {
    if (r->dimension == 2)
        taut_planar_pose(r, limb + 1, origin, axes);
    else
        taut_spatial_pose(r, limb + 1, origin, axes);
}
