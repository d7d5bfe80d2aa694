/* What the parts of an FMU have in common: its variables, in the description and in the binary. */
#ifndef TAUT_EXPORT_FMU_H
#define TAUT_EXPORT_FMU_H

#include "core/text.h"
#include "task/simulation.h"

typedef enum taut_fmu_role {
    TAUT_FMU_TIME,
    TAUT_FMU_PARAMETER, /* fixed before the start */
    TAUT_FMU_TUNABLE,   /* a parameter that may change later */
    TAUT_FMU_INPUT,     /* constant during a communication step */
    TAUT_FMU_OUTPUT,    /* a column of the results */
    TAUT_FMU_STATE,     /* of model exchange, ... */
    TAUT_FMU_RATE,      /* ... its derivative, ... */
    TAUT_FMU_INDICATOR  /* ... and what is zero at events */
} taut_fmu_role;

/* Its value reference is its place in the list. */
typedef struct taut_fmu_variable {
    taut_fmu_role role;
    const char *name;
    double start;  /* of parameters and inputs */
    int parameter; /* of these: its number in the model */
    char unit[40];
    int column; /* of outputs; states, rates and indicators: their number */
} taut_fmu_variable;

static inline bool taut_fmu_is_set(const taut_fmu_variable *v) {
    return v->role == TAUT_FMU_PARAMETER || v->role == TAUT_FMU_TUNABLE ||
           v->role == TAUT_FMU_INPUT;
}

typedef struct taut_fmu_list {
    taut_arena arena;
    taut_fmu_variable *item; /* [count] */
    int count;
} taut_fmu_list;

/* What the binary has to know beside the model, as text: lines "NAME NUMBER". */
typedef struct taut_fmu_settings {
    double rtol, atol;
    int derivatives;
    bool exchanges; /* model exchange is offered, ... */
    int states, indicators;
    bool moves; /* inputs may be polynomials of time, see below */
} taut_fmu_settings;
void taut_fmu_settings_write(const taut_fmu_settings *settings, taut_string *text);
/* False: it is no such text. */
bool taut_fmu_settings_read(const char *text, taut_fmu_settings *settings);
taut_run_options taut_fmu_options(const taut_fmu_settings *settings);

/* The variables of a model, and of a simulation of it that has been started: the same for the same
 * model. To be released in any case. */
taut_status taut_fmu_list_make(const taut_model *model, taut_simulation *simulation,
                               const taut_fmu_settings *settings, taut_fmu_list *list);
void taut_fmu_list_release(taut_fmu_list *list);

/* Reads a model; *model is the same with inputs that stay symbols, or *source itself. Both are to
 * be freed, if they differ. */
taut_status taut_fmu_model_read(const char *path, taut_model **source, taut_model **model,
                                taut_errors *errors);
taut_status taut_fmu_keep_inputs(taut_model *source, taut_model **model, taut_errors *errors);

/* ---- inputs that move ----
 *
 * During a communication step an input u may be the polynomial u__0 + u__1 s + u__2 s^2/2 + u__3
 * s^3/6 of s = t - u__t. The model that has it so includes the model's file, and is in the archive.
 */
enum { TAUT_FMU_INPUT_ORDER = 3, TAUT_FMU_OUTPUT_ORDER = 3, TAUT_FMU_NAME = 200 };
/* The name of a coefficient; order TAUT_FMU_INPUT_ORDER + 1: of u__t. */
void taut_fmu_coefficient(const char *input, int order, char name[TAUT_FMU_NAME]);
/* Can all inputs of a file be functions of time? There must be some. */
taut_status taut_fmu_try_moving(const char *path, const taut_fmu_list *list,
                                const taut_run_options *options, bool *moves);
/* The file of that model, ... */
void taut_fmu_write_moving(const taut_fmu_list *list, taut_string *text);
/* ... and reading it, as taut_fmu_model_read. arena: of names that must outlive the models. */
taut_status taut_fmu_read_moving(const char *path, const taut_fmu_list *list, taut_arena *arena,
                                 taut_model **source, taut_model **model, taut_errors *errors);

/* The folder of binaries for the machine that taut was built for, in the words of the standard;
 * version 2 has none but those of PCs. */
static inline const char *taut_fmu_platform(int version) {
#if defined(__aarch64__)
    (void)version;
    return "aarch64-linux";
#elif defined(__i386__)
    return version == 3 ? "x86-linux" : "linux32";
#else
    return version == 3 ? "x86_64-linux" : "linux64";
#endif
}

/* modelDescription.xml, of version 2 or 3. */
typedef struct taut_fmu_description {
    const char *name, *identifier; /* of the model, and of its binary */
    const char *title;
    unsigned long long token; /* differs for other models */
    const taut_fmu_list *list;
    bool exchanges; /* model exchange as well */
    bool moves;     /* inputs have derivatives */
    int indicators;
    const char *stem; /* of the generated code, if the FMU consists of that; NULL: of a binary */
    double t0, tend, tolerance; /* tend: NaN if there is none */
    int version;
} taut_fmu_description;
void taut_fmu_describe(const taut_fmu_description *description, taut_string *xml);

#endif
