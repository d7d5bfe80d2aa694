/* Models: what is to be simulated, read from a file or from a text. (taut/build.h makes one in
 * code.)
 *
 * A model does not change after it was read. Any number of simulations, in any number of threads,
 * may use the same one; it must outlive them. */
#ifndef TAUT_MODEL_H
#define TAUT_MODEL_H

#include <stdbool.h>

#include "taut/run.h"
#include "taut/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct taut_model taut_model;

/* A parameter that the caller replaces: `--set NAME=FORMULA`. */
typedef struct taut_override {
    const char *name, *formula;
} taut_override;

/* What replaces parts of a file while it is read. */
typedef struct taut_reading {
    const taut_override *set; /* [sets] parameters */
    int sets;
    const taut_override *input; /* [inputs] Inputs as formulas of t and parameters */
    int inputs;
} taut_reading;

/* How to read a file. Fill with taut_read_options_default, then change what matters. */
typedef struct taut_read_options {
    int cookie;                    /* by taut_read_options_default */
    const taut_override *override; /* [overrides] */
    int overrides;                 /* 0 */
    const taut_override *input;    /* [inputs] Inputs as formulas of t and parameters */
    int inputs;                    /* 0 */
    bool confine;                  /* files that it includes must be in its folder or below, where
                                      symbolic links lead as well; false */
} taut_read_options;
TAUT_API taut_read_options taut_read_options_default(void);

/* Reads and checks a model file. options and errors may be NULL. */
TAUT_API taut_status taut_model_read_with(const char *path, const taut_read_options *options,
                                          taut_model **model, taut_errors *errors);
/* The same without further options. overrides (count) may be NULL. errors may be NULL. */
TAUT_API taut_status taut_model_read(const char *path, const taut_override *overrides, int count,
                                     taut_model **model, taut_errors *errors);
/* The same with inputs that are formulas of t as well: `--input NAME=FORMULA`. */
TAUT_API taut_status taut_model_read_driven(const char *path, const taut_reading *reading,
                                            taut_model **model, taut_errors *errors);
/* The same for a text of `length` bytes (-1: it ends with a zero). name is what messages call it. A
 * text cannot include files. */
TAUT_API taut_status taut_model_parse(const char *name, const char *text, long length,
                                      taut_model **model, taut_errors *errors);
/* The same with options, which may be NULL; `confine` plays no part. */
TAUT_API taut_status taut_model_parse_with(const char *name, const char *text, long length,
                                           const taut_read_options *options, taut_model **model,
                                           taut_errors *errors);
TAUT_API void taut_model_free(taut_model **model);

/* What is doubtful in the file, though it can be simulated; never NULL, and lives as long as the
 * model. */
TAUT_API const taut_errors *taut_model_warnings(const taut_model *model);

/* Checks what reading alone does not: the formulas of a mechanism, its joints and drivers, names in
 * the section Study. Nothing is assembled. */
TAUT_API taut_status taut_model_check(const taut_model *model, taut_errors *errors);

/* The k-th file that was read, the model itself first, or that the experiments of its Study name;
 * NULL: there are no more. */
TAUT_API const char *taut_model_file(const taut_model *model, int k);
TAUT_API const char *taut_model_title(const taut_model *model);
/* The k-th name under Parameters, then under Inputs; NULL: there are no more. *value (which may be
 * NULL) is what it is in a run that nobody has set it for; NaN: it is a vector, or not a number. */
TAUT_API const char *taut_model_parameter(const taut_model *model, int k, double *value);
/* "DAE", "Lagrangian", "mechanism", ... */
TAUT_API const char *taut_model_kind_name(const taut_model *model);

/* How freely it moves, in words, by the statistics of a run: "mechanism with 1 degree of freedom,
 * driven by phi: 5 bodies, 7 joints". *text is to be given back to taut_text_free. */
TAUT_API taut_status taut_freedom_text(const taut_model *model, const taut_run_stats *stats,
                                       char **text, taut_errors *errors);

/* Every number of the file with its line, its value in SI units, its unit and what it means, as a
 * table. *text is to be given back to taut_text_free. */
TAUT_API taut_status taut_explain(const taut_model *model, char **text, taut_errors *errors);

/* The JSON schema of model files. *text is to be given back to taut_text_free. */
TAUT_API taut_status taut_schema(char **text);

/* What taut makes of the model, for people or as one JSON object. *text is to be given back to
 * taut_text_free. On TAUT_ERR_INPUT *text may still hold the part that could be found out. */
TAUT_API taut_status taut_analyze(const taut_model *model, bool json, char **text,
                                  taut_errors *errors);
/* The same of a mechanism in a formulation: "natural", "reference", "relative", "minimal"; NULL:
 * natural, or whatever the file gives. TAUT_ERR_CALL if there is none of this name. */
TAUT_API taut_status taut_analyze_as(const taut_model *model, const char *formulation, bool json,
                                     char **text, taut_errors *errors);
/* The same of the equations that a run with these options begins with. Of the options formulation,
 * base and cut play a part; those that do not fit the model are TAUT_ERR_CALL, as in a run. */
TAUT_API taut_status taut_analyze_for(const taut_model *model, const taut_run_options *options,
                                      bool json, char **text, taut_errors *errors);
/* How the equations of a mechanism come about, part by part: what each brings in, assigns and
 * equates, and the degrees of freedom so far. TAUT_ERR_CALL if the model is no mechanism. */
TAUT_API taut_status taut_analyze_build(const taut_model *model, const taut_run_options *options,
                                        bool json, char **text, taut_errors *errors);
TAUT_API void taut_text_free(char **text);

#ifdef __cplusplus
}
#endif

#endif
