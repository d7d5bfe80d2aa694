/* Models built in code: parameters, equations, initial values, and what analyses are to find. */
#include <string.h>

#include "model/build_parts.h"

void taut_builder_number(taut_builder *b, const char *name, double value) {
    char text[40];
    taut_lines_number(text, sizeof text, value);
    taut_lines_add(b, TAUT_LINES_PARAMETERS, name, text);
}

void taut_builder_parameter(taut_builder *b, const char *name, const char *formula) {
    taut_lines_add(b, TAUT_LINES_PARAMETERS, name, formula);
}

void taut_builder_input(taut_builder *b, const char *name, const char *formula) {
    taut_lines_add(b, TAUT_LINES_INPUTS, name, formula);
}

void taut_builder_actuator(taut_builder *b, const char *input, const char *weight) {
    taut_lines_add_name(b, TAUT_LINES_ACTUATORS, input);
    if (weight) taut_lines_add(b, TAUT_LINES_WEIGHTS, input, weight);
}

void taut_builder_motion(taut_builder *b, const char *what, const char *formula) {
    taut_lines_add(b, TAUT_LINES_MOTIONS, what, formula);
}

void taut_builder_trim_free(taut_builder *b, const char *name) {
    taut_lines_add_name(b, TAUT_LINES_FREE, name);
}

void taut_builder_trim_want(taut_builder *b, const char *what, const char *formula) {
    taut_lines_add(b, TAUT_LINES_WANTS, what, formula);
}

void taut_builder_trim_steady(taut_builder *b, const char *rate, const char *formula) {
    taut_lines_add(b, TAUT_LINES_STEADY, rate, formula);
}

void taut_builder_study(taut_builder *b, const char *key, const char *text) {
    taut_lines_add(b, TAUT_LINES_STUDY, key, text);
}

void taut_builder_study_variable(taut_builder *b, const char *name, const char *bounds) {
    taut_lines_add(b, TAUT_LINES_STUDY_VARIABLES, name, bounds);
}

void taut_builder_study_limit(taut_builder *b, const char *name, const char *formula) {
    taut_lines_add(b, TAUT_LINES_SUBJECT_TO, name, formula);
}

void taut_builder_study_weight(taut_builder *b, const char *column, const char *deviation) {
    taut_lines_add(b, TAUT_LINES_DEVIATIONS, column, deviation);
}

void taut_builder_study_bias(taut_builder *b, const char *column) {
    taut_lines_add_name(b, TAUT_LINES_BIASES, column);
}

void taut_builder_study_state(taut_builder *b, const char *name) {
    taut_lines_add_name(b, TAUT_LINES_STATES, name);
}

void taut_builder_experiment(taut_builder *b, const char *name, const char *data,
                             const char *const *set) {
    taut_string *s = taut_lines_open(b, TAUT_LINES_EXPERIMENTS, name);
    if (!s) return;
    taut_lines_entry(s, "Data", data, false);
    for (int i = 0; set && set[i] && set[i + 1]; i += 2) {
        taut_string_add(s, i == 0 ? ", Set: {" : ", ");
        taut_lines_key(s, set[i]);
        taut_string_add(s, " ");
        taut_lines_formula(s, set[i + 1], strlen(set[i + 1]));
    }
    taut_string_add(s, set && set[0] && set[1] ? "}}\n" : "}\n");
}

void taut_builder_define(taut_builder *b, const char *name, const char *formula) {
    taut_lines_add(b, TAUT_LINES_DEFINITIONS, name, formula);
}

void taut_builder_output(taut_builder *b, const char *name, const char *formula) {
    taut_lines_add(b, TAUT_LINES_OUTPUTS, name, formula);
}

void taut_builder_span(taut_builder *b, double t0, double tend) {
    char text[40];
    taut_lines_number(text, sizeof text, t0);
    taut_lines_add(b, TAUT_LINES_SPAN, "t0", text);
    taut_lines_number(text, sizeof text, tend);
    taut_lines_add(b, TAUT_LINES_SPAN, "tend", text);
}

void taut_builder_max_step(taut_builder *b, double step) {
    char text[40];
    taut_lines_number(text, sizeof text, step);
    taut_lines_add(b, TAUT_LINES_SPAN, "maxstep", text);
}

void taut_builder_position(taut_builder *b, const char *name, const char *formula) {
    taut_lines_add(b, TAUT_LINES_POSITIONS, name, formula);
}

void taut_builder_velocity(taut_builder *b, const char *name, const char *formula) {
    taut_lines_add(b, TAUT_LINES_VELOCITIES, name, formula);
}

void taut_builder_value(taut_builder *b, const char *name, const char *formula) {
    taut_lines_add(b, TAUT_LINES_VALUES, name, formula);
}

void taut_builder_fix_position(taut_builder *b, const char *name) {
    taut_lines_add_name(b, TAUT_LINES_FIXED_POSITIONS, name);
}

void taut_builder_fix_velocity(taut_builder *b, const char *name) {
    taut_lines_add_name(b, TAUT_LINES_FIXED_VELOCITIES, name);
}

void taut_builder_variable(taut_builder *b, const char *name, int size) {
    taut_lines_add_sized(b, TAUT_LINES_VARIABLES, name, size);
}

void taut_builder_equation(taut_builder *b, const char *name, const char *formula) {
    taut_lines_add_to_list(b, TAUT_LINES_EQUATIONS, name, formula);
}

void taut_builder_stiff(taut_builder *b, const char *name, const char *formula) {
    taut_lines_add(b, TAUT_LINES_STIFF, name, formula);
}

void taut_builder_coordinate(taut_builder *b, const char *name, int size) {
    taut_lines_add_sized(b, TAUT_LINES_COORDINATES, name, size);
}

void taut_builder_lagrangian(taut_builder *b, const char *formula) {
    taut_lines_add(b, TAUT_LINES_LAGRANGIAN, "L", formula);
}

void taut_builder_dissipation(taut_builder *b, const char *formula) {
    taut_lines_add(b, TAUT_LINES_DISSIPATION, "Dissipation", formula);
}

void taut_builder_constraint(taut_builder *b, const char *name, const char *formula) {
    taut_lines_add_to_list(b, TAUT_LINES_CONSTRAINTS, name, formula);
}

void taut_builder_velocity_constraint(taut_builder *b, const char *name, const char *formula) {
    taut_lines_add_to_list(b, TAUT_LINES_VELOCITY_CONSTRAINTS, name, formula);
}

void taut_builder_force(taut_builder *b, const char *on, const char *formula) {
    taut_lines_add(b, TAUT_LINES_FORCES, on, formula);
}

void taut_builder_momentum(taut_builder *b, const char *name, int size) {
    taut_lines_add_sized(b, TAUT_LINES_MOMENTA, name, size);
}

void taut_builder_initial_momentum(taut_builder *b, const char *name, const char *formula) {
    taut_lines_add(b, TAUT_LINES_INITIAL_MOMENTA, name, formula);
}

void taut_builder_hamiltonian(taut_builder *b, const char *formula) {
    taut_lines_add(b, TAUT_LINES_HAMILTONIAN, "H", formula);
}
