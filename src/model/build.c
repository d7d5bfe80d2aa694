/* Models built in code. Every call adds a line to one of the sections of a model file; the file is
 * put together at the end and read like any other, so that all checks and messages apply. */
#include <stdio.h>
#include <string.h>

#include "core/arena.h"
#include "core/status.h"
#include "model/build_parts.h"
#include "model/model.h"

/* The key of each; NULL: its lines are keys of the section around it. */
static const char *const KEY[TAUT_BUILD_SECTIONS] = {
    [TAUT_LINES_PARAMETERS] = "PhysicalParams",
    [TAUT_LINES_INPUTS] = "Inputs",
    [TAUT_LINES_DEFINITIONS] = "Define",
    [TAUT_LINES_COORDINATES] = "Coordinates",
    [TAUT_LINES_MOMENTA] = "Momenta",
    [TAUT_LINES_FORCES] = "Forces",
    [TAUT_LINES_VARIABLES] = "Variables",
    [TAUT_LINES_EQUATIONS] = "Equations",
    [TAUT_LINES_CONSTRAINTS] = "Constraints",
    [TAUT_LINES_VELOCITY_CONSTRAINTS] = "VelocityConstraints",
    [TAUT_LINES_STIFF] = "Stiff",
    [TAUT_LINES_FIXED] = "Fixed",
    [TAUT_LINES_RIGIDS] = "Rigids",
    [TAUT_LINES_SPRINGS] = "Springs",
    [TAUT_LINES_DAMPERS] = "Dampers",
    [TAUT_LINES_SPRING_DAMPERS] = "SpringDampers",
    [TAUT_LINES_PARTICLES] = "Particles",
    [TAUT_LINES_COLLINEARS] = "Collinears",
    [TAUT_LINES_POINTS] = "Points",
    [TAUT_LINES_JOINTS] = "Joints",
    [TAUT_LINES_CHAINS] = "Chains",
    [TAUT_LINES_TORSION_SPRINGS] = "TorsionSprings",
    [TAUT_LINES_ROTATIONAL_DAMPERS] = "RotationalDampers",
    [TAUT_LINES_BUSHINGS] = "Bushings",
    [TAUT_LINES_ARMATURE] = "Armature",
    [TAUT_LINES_TORQUES] = "Torques",
    [TAUT_LINES_DRAG] = "Drag",
    [TAUT_LINES_ANGLES] = "Angles",
    [TAUT_LINES_DRIVERS] = "Drivers",
    [TAUT_LINES_OUTPUTS] = "Outputs",
    [TAUT_LINES_DISCRETES] = "Discrete",
    [TAUT_LINES_EVENTS] = "Events",
    [TAUT_LINES_CONTROLLERS] = "Controllers",
    [TAUT_LINES_ACTUATORS] = "Actuators",
    [TAUT_LINES_MOTIONS] = "Motion",
    [TAUT_LINES_WEIGHTS] = "Weights",
    [TAUT_LINES_FREE] = "Free",
    [TAUT_LINES_WANTS] = "Want",
    [TAUT_LINES_STEADY] = "Steady",
    [TAUT_LINES_STUDY_VARIABLES] = "Variables",
    [TAUT_LINES_SUBJECT_TO] = "SubjectTo",
    [TAUT_LINES_EXPERIMENTS] = "Experiments",
    [TAUT_LINES_DEVIATIONS] = "Weights",
    [TAUT_LINES_BIASES] = "Biases",
    [TAUT_LINES_STATES] = "States",
    [TAUT_LINES_TABLES] = "Tables",
    [TAUT_LINES_CONTACTS] = "Contacts",
    [TAUT_LINES_LIMITS] = "Limits",
    [TAUT_LINES_FRICTION] = "Friction",
    [TAUT_LINES_LOCKS] = "Locks",
    [TAUT_LINES_BREAKS] = "Breaks",
    [TAUT_LINES_POSITIONS] = "positions",
    [TAUT_LINES_VELOCITIES] = "velocities",
    [TAUT_LINES_INITIAL_MOMENTA] = "momenta",
    [TAUT_LINES_VALUES] = "values",
    [TAUT_LINES_FIXED_POSITIONS] = "fixedpositions",
    [TAUT_LINES_FIXED_VELOCITIES] = "fixedvelocities",
};

/* ---- the file ---- */

static bool has(const taut_builder *b, taut_build_section s) { return b->lines[s].length > 0; }

static bool has_any(const taut_builder *b, taut_build_section first, taut_build_section last) {
    for (int s = (int)first; s <= (int)last; s++)
        if (has(b, (taut_build_section)s)) return true;
    return false;
}

static bool is_mechanism(const taut_builder *b) {
    return has_any(b, TAUT_LINES_DIMENSION, TAUT_LINES_DRIVERS);
}

/* The lines of a section, each behind `depth` blanks; one level deeper under a key. */
static void write_section(taut_builder *b, taut_build_section s, int depth) {
    if (!has(b, s)) return;
    if (KEY[s]) taut_string_add(&b->text, "%*s%s:\n", depth, "", KEY[s]);
    if (KEY[s]) depth += 2;
    for (const char *line = b->lines[s].text; *line;) {
        const size_t n = strcspn(line, "\n");
        taut_string_add(&b->text, "%*s%.*s\n", depth, "", (int)n, line);
        line += n + (line[n] == '\n');
    }
}

static void write_sections(taut_builder *b, taut_build_section first, taut_build_section last,
                           int depth) {
    for (int s = (int)first; s <= (int)last; s++) write_section(b, (taut_build_section)s, depth);
}

static void write_equations(taut_builder *b) {
    const bool mechanism = is_mechanism(b);
    /* a mechanism has its dissipation among the applied forces */
    const taut_build_section last =
        mechanism ? (taut_build_section)(TAUT_LINES_DISSIPATION - 1) : TAUT_LINES_DISSIPATION;
    const bool varied = has_any(b, TAUT_LINES_COORDINATES, last);
    if (varied || !mechanism) {
        const char *kind = !varied ? "DAE"
                           : has(b, TAUT_LINES_HAMILTONIAN) && !has(b, TAUT_LINES_LAGRANGIAN)
                               ? "Hamiltonian"
                               : "Lagrangian";
        taut_string_add(&b->text, "%s:\n", kind);
        write_sections(b, TAUT_LINES_COORDINATES, last, 2);
    }
    if (!mechanism) write_section(b, TAUT_LINES_FORCES, 2);
    write_sections(b, TAUT_LINES_VARIABLES, TAUT_LINES_STIFF, mechanism ? 0 : 2);
}

static void write_mechanism(taut_builder *b) {
    write_section(b, TAUT_LINES_DIMENSION, 0);
    taut_string_add(&b->text, "PartData:\n");
    write_sections(b, TAUT_LINES_FIXED, TAUT_LINES_ARMATURE, 2);
    if (has_any(b, TAUT_LINES_GRAVITY, TAUT_LINES_DRAG) || has(b, TAUT_LINES_FORCES) ||
        has(b, TAUT_LINES_DISSIPATION))
        taut_string_add(&b->text, "AppliedForces:\n");
    write_section(b, TAUT_LINES_GRAVITY, 2);
    write_section(b, TAUT_LINES_FORCES, 2);
    write_sections(b, TAUT_LINES_TORQUES, TAUT_LINES_DRAG, 2);
    write_section(b, TAUT_LINES_DISSIPATION, 2);
    write_sections(b, TAUT_LINES_ANGLES, TAUT_LINES_DRIVERS, 0);
}

static void write_file(taut_builder *b) {
    taut_string_release(&b->text);
    b->text = (taut_string){0};
    taut_string_add(&b->text, "Title: ");
    taut_lines_scalar(&b->text, b->title, strlen(b->title));
    taut_string_add(&b->text, "\n");
    write_sections(b, TAUT_LINES_PARAMETERS, TAUT_LINES_DEFINITIONS, 0);
    write_equations(b);
    if (is_mechanism(b)) write_mechanism(b);
    write_section(b, TAUT_LINES_OUTPUTS, 0);
    write_section(b, TAUT_LINES_DISCRETES, 0);
    write_section(b, TAUT_LINES_EVENTS, 0);
    write_section(b, TAUT_LINES_CONTROLLERS, 0);
    if (has_any(b, TAUT_LINES_ACTUATORS, TAUT_LINES_WEIGHTS))
        taut_string_add(&b->text, "Inverse:\n");
    write_sections(b, TAUT_LINES_ACTUATORS, TAUT_LINES_WEIGHTS, 2);
    if (has_any(b, TAUT_LINES_FREE, TAUT_LINES_STEADY)) taut_string_add(&b->text, "Trim:\n");
    write_sections(b, TAUT_LINES_FREE, TAUT_LINES_STEADY, 2);
    if (has_any(b, TAUT_LINES_STUDY, TAUT_LINES_STATES)) taut_string_add(&b->text, "Study:\n");
    write_sections(b, TAUT_LINES_STUDY, TAUT_LINES_STATES, 2);
    write_section(b, TAUT_LINES_TABLES, 0);
    for (taut_build_section i = TAUT_LINES_IMPACT; i <= TAUT_LINES_BREAKS; i++)
        write_section(b, i, 0);
    if (has_any(b, TAUT_LINES_SPAN, TAUT_LINES_FIXED_VELOCITIES))
        taut_string_add(&b->text, "ProblemData:\n");
    write_sections(b, TAUT_LINES_SPAN, TAUT_LINES_FIXED_VELOCITIES, 2);
}

/* ---- the builder ---- */

taut_status taut_builder_create(const char *title, taut_builder **builder) {
    TAUT_NEED(builder, "builder", NULL);
    *builder = taut_new(sizeof **builder);
    if (!*builder) return TAUT_ERR_MEMORY;
    snprintf((*builder)->title, sizeof(*builder)->title, "%s", title ? title : "");
    return TAUT_OK;
}

void taut_builder_free(taut_builder **builder) {
    if (!builder || !*builder) return;
    for (int s = 0; s < TAUT_BUILD_SECTIONS; s++) taut_string_release(&(*builder)->lines[s]);
    taut_string_release(&(*builder)->text);
    taut_release((void **)builder);
}

static bool has_failed(const taut_builder *b) {
    bool failed = b->text.failed;
    for (int s = 0; s < TAUT_BUILD_SECTIONS; s++) failed = failed || b->lines[s].failed;
    return failed;
}

const char *taut_builder_text(taut_builder *b) {
    if (!b) return NULL;
    write_file(b);
    return has_failed(b) ? NULL : b->text.text;
}

taut_status taut_builder_finish(taut_builder *b, taut_model **model, taut_errors *errors) {
    TAUT_NEED(model, "model", errors);
    *model = NULL;
    TAUT_NEED(b, "builder", errors);
    if (b->null_in)
        return taut_fail(errors, TAUT_ERR_CALL, "%s was called without a description: it is NULL",
                         b->null_in);
    for (int s = 0; s < TAUT_BUILD_SECTIONS; s++)
        if (b->named[s] > 0 && b->unnamed[s] > 0)
            return taut_fail(
                errors, TAUT_ERR_CALL,
                "%d of the '%s' have names and %d have none: name all of them, or none",
                b->named[s], KEY[s], b->unnamed[s]);
    const char *text = taut_builder_text(b);
    if (!text) return taut_fail(errors, TAUT_ERR_MEMORY, "out of memory while building a model");
    TAUT_TRY(taut_model_parse(b->title[0] ? b->title : "model built in code", text,
                              (long)b->text.length, model, errors));
    (*model)->doc->is_built = true;
    return TAUT_OK;
}
