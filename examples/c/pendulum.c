/* A pendulum in Cartesian coordinates, built as a Lagrangian with a constraint and run step by
 * step.
 *
 *     cc pendulum.c $(pkg-config --cflags --libs taut) -o pendulum && ./pendulum
 *
 * Prints one line a step of the solver, and then the position at t = 10. */
#include <stdio.h>
#include <taut/taut.h>

static int fail(const taut_errors *errors) {
    char text[2048];
    for (int i = 0; i < errors->count; i++) {
        taut_error_format(&errors->item[i], text, sizeof text);
        fputs(text, stderr);
    }
    return 1;
}

static taut_status build(taut_model **model, taut_errors *errors) {
    taut_builder *b;
    if (taut_builder_create("pendulum", &b) != TAUT_OK) return TAUT_ERR_MEMORY;
    taut_builder_number(b, "G", 9.81);
    taut_builder_number(b, "L", 10);
    taut_builder_coordinate(b, "u", 1);
    taut_builder_coordinate(b, "v", 1);
    taut_builder_lagrangian(b, "1/2*(u'^2 + v'^2) + G*v"); /* v points down */
    taut_builder_constraint(b, NULL, "u^2 + v^2 - L^2");
    taut_builder_output(b, "angle", "atan2(u, v)");
    taut_builder_position(b, "u", "L");
    taut_builder_position(b, "v", "0");
    taut_builder_span(b, 0, 10);
    taut_status status = taut_builder_finish(b, model, errors);
    taut_builder_free(&b);
    return status;
}

int main(void) {
    static taut_errors errors;
    taut_model *model;
    taut_simulation *s;
    if (build(&model, &errors) != TAUT_OK) return fail(&errors);
    if (taut_simulation_create(model, NULL, &s, &errors) != TAUT_OK ||
        taut_simulation_start(s, &errors) != TAUT_OK)
        return fail(&errors);

    const taut_run_stats *stats = taut_simulation_stats(s);
    printf("index %d, degrees of freedom %ld, unknowns %d\n", stats->index, stats->dof,
           stats->unknowns);

    const int angle = taut_simulation_find(s, "angle"), rate = taut_simulation_find(s, "angle'");
    taut_status status;
    while ((status = taut_simulation_step(s, &errors)) == TAUT_OK) {
        const double t = taut_simulation_time(s);
        printf("step %3ld  t %8.5f  angle %12.9f  rate %12.9f\n", taut_simulation_stats(s)->steps,
               t, taut_simulation_get(s, angle, t), taut_simulation_get(s, rate, t));
    }
    if (status != TAUT_AT_END) return fail(&errors);

    printf("u(10) = %.12f\nv(10) = %.12f\n", taut_simulation_now(s, "u"),
           taut_simulation_now(s, "v"));
    printf("energy drift %.1e\n", taut_simulation_stats(s)->energy_drift);
    taut_simulation_free(&s);
    taut_model_free(&model);
    return 0;
}
