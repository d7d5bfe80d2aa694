/* Opens a model file, runs it to a time and prints where everything is then.
 *
 *     cc mechanism.c $(pkg-config --cflags --libs taut) -o mechanism
 *     ./mechanism slider-crank.yaml 2.5 */
#include <stdio.h>
#include <stdlib.h>
#include <taut/taut.h>

static int fail(const taut_errors *errors) {
    char text[2048];
    for (int i = 0; i < errors->count; i++) {
        taut_error_format(&errors->item[i], text, sizeof text);
        fputs(text, stderr);
    }
    return 1;
}

int main(int argc, char **argv) {
    static taut_errors errors;
    taut_run_options options = taut_run_options_default();
    taut_model *model;
    taut_simulation *s;
    if (argc != 3) {
        fprintf(stderr, "usage: mechanism FILE TIME\n");
        return 2;
    }
    const double t = strtod(argv[2], NULL);
    options.rtol = options.atol = 1e-12;
    if (taut_model_read(argv[1], NULL, 0, &model, &errors) != TAUT_OK) return fail(&errors);
    if (taut_simulation_create(model, &options, &s, &errors) != TAUT_OK ||
        taut_simulation_start(s, &errors) != TAUT_OK ||
        taut_simulation_run_to(s, t, &errors) != TAUT_OK)
        return fail(&errors);

    printf("%s: %s, mobility %d, %ld steps to t = %g\n", taut_model_title(model),
           taut_model_kind_name(model), taut_simulation_stats(s)->mobility,
           taut_simulation_stats(s)->steps, t);
    for (int i = 0; i < taut_simulation_columns(s); i++)
        printf("%-10s %.12f\n", taut_simulation_name(s, i), taut_simulation_get(s, i, t));
    taut_simulation_free(&s);
    taut_model_free(&model);
    return 0;
}
