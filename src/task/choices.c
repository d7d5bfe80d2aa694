/* What a run can be made with. */
#include "solve/stepper.h"
#include "taut/run.h"

static const char *const FORMULATION[] = {"natural"};
enum { FORMULATIONS = sizeof FORMULATION / sizeof FORMULATION[0] };

const char *taut_formulation_name(int k) {
    return k >= 0 && k < FORMULATIONS ? FORMULATION[k] : NULL;
}

const char *taut_solver_name(int k) { return taut_method_name(k); }
