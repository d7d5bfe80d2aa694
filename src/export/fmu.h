/* What the parts of an FMU have in common: its variables, in the description and in the binary. */
#ifndef TAUT_EXPORT_FMU_H
#define TAUT_EXPORT_FMU_H

#include "core/text.h"
#include "task/simulation.h"

typedef enum taut_fmu_role {
    TAUT_FMU_TIME,
    TAUT_FMU_PARAMETER, /* fixed before the start */
    TAUT_FMU_INPUT,     /* constant during a communication step */
    TAUT_FMU_OUTPUT     /* a column of the results */
} taut_fmu_role;

/* Its value reference is its place in the list. */
typedef struct taut_fmu_variable {
    taut_fmu_role role;
    const char *name;
    double start; /* not of outputs */
    char unit[40];
    int column; /* of outputs */
} taut_fmu_variable;

typedef struct taut_fmu_list {
    taut_arena arena;
    taut_fmu_variable *item; /* [count] */
    int count;
} taut_fmu_list;

/* The variables of a model, and of a simulation of it that has been started: the same for the same
 * model. To be released in any case. */
taut_status taut_fmu_list_make(const taut_model *model, taut_simulation *simulation,
                               taut_fmu_list *list);
void taut_fmu_list_release(taut_fmu_list *list);

/* What the binary has to know beside the model, as text: lines "NAME NUMBER". */
typedef struct taut_fmu_settings {
    double rtol, atol;
    int derivatives;
} taut_fmu_settings;
void taut_fmu_settings_write(const taut_fmu_settings *settings, taut_string *text);
/* False: it is no such text. */
bool taut_fmu_settings_read(const char *text, taut_fmu_settings *settings);
taut_run_options taut_fmu_options(const taut_fmu_settings *settings);

/* modelDescription.xml, of version 2 or 3. */
typedef struct taut_fmu_description {
    const char *name, *identifier; /* of the model, and of its binary */
    const char *title;
    unsigned long long token; /* differs for other models */
    const taut_fmu_list *list;
    double t0, tend, tolerance; /* tend: NaN if there is none */
    int version;
} taut_fmu_description;
void taut_fmu_describe(const taut_fmu_description *description, taut_string *xml);

#endif
