/* main.c, which prints CSV or measures steps, and a Makefile. */
#include <string.h>

#include "core/number.h"
#include "export/pen.h"

enum { MOST_RUN = 20000 }; /* steps whose least times are kept */

static const char OPENING[] =
    "/* Runs the model: CSV on the standard output, one row a step.\n"
    " *     --measure N   times of N steps instead, from T0 over and over\n"
    " *     --rows N      CSV with every N-th step only\n"
    " * This file is yours: no licence of taut applies to it. */\n"
    "#define _POSIX_C_SOURCE 199309L\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "#include <string.h>\n"
    "#include <time.h>\n\n";

static const char BODY[] =
    "static @_system system_of_main;\n"
    "static @_parameters parameters;\n"
    "static @_inputs inputs;\n"
    "\n"
    "static void explain(unsigned status) {\n"
    "    if ((status & $_POOR_PIVOT) != 0U) (void)fputs(\"poor pivots\\n\", stderr);\n"
    "    if ((status & $_NEAR_SINGULAR) != 0U) (void)fputs(\"a singular position is near\\n\", "
    "stderr);\n"
    "    if ((status & $_DEFECT) != 0U) (void)fputs(\"the step is too long\\n\", stderr);\n"
    "    if ((status & $_NOT_FINITE) != 0U) (void)fputs(\"the state is not finite\\n\", stderr);\n"
    "    if ((status & $_WRONG_NUMBER) != 0U) (void)fputs(\"a parameter does not fit\\n\", "
    "stderr);\n"
    "    if ((status & $_NO_START) != 0U) (void)fputs(\"no start was found\\n\", stderr);\n"
    "}\n"
    "\n"
    "/* One step, the last one exactly to the end. False: there is none left. */\n"
    "static int go_on(void) {\n"
    "    @_system *s = &system_of_main;\n"
    "    const @_real left = $_TEND - s->state.t;\n"
    "    const int last = left < ($_STEP * (@_real)1.0001);\n"
    "    if (left <= ($_STEP * (@_real)1e-4)) return 0;\n"
    "    (void)@_step(s, &inputs, last ? left - s->state.t_low : $_STEP);\n"
    "    if (last) {\n"
    "        s->state.t = $_TEND;\n"
    "        s->state.t_low = (@_real)0;\n"
    "    }\n"
    "    return 1;\n"
    "}\n"
    "\n"
    "static void print_row(void) {\n"
    "    static @_real y[$_OUTPUTS];\n"
    "    int i;\n"
    "    (void)@_outputs(&system_of_main, &inputs, y);\n"
    "    (void)printf(\"%.DIGITSg\", (double)system_of_main.state.t);\n"
    "    for (i = 0; i < $_OUTPUTS; i++) (void)printf(\",%.DIGITSg\", (double)y[i]);\n"
    "    (void)printf(\"\\n\");\n"
    "}\n"
    "\n"
    "static void print_run(long rows) {\n"
    "    long n = 0;\n"
    "    int i;\n"
    "    (void)printf(\"t\");\n"
    "    for (i = 0; i < $_OUTPUTS; i++) (void)printf(\",%s\", @_output_names[i]);\n"
    "    (void)printf(\"\\n\");\n"
    "    print_row();\n"
    "    while (go_on() != 0) {\n"
    "        n++;\n"
    "        if (((n % rows) == 0) || (system_of_main.state.t >= $_TEND)) print_row();\n"
    "    }\n"
    "}\n"
    "\n"
    "/* ---- times ---- */\n"
    "\n"
    "#define BINS 200000 /* of 10 ns each */\n"
    "#define RUN STEPS_OF_RUN /* steps from T0 to TEND, or the first of them */\n"
    "static unsigned long count_of[BINS];\n"
    "static double least[RUN]; /* of each step, over all runs: what else the machine does is not "
    "in it */\n"
    "\n"
    "static double now(void) {\n"
    "    struct timespec t;\n"
    "    (void)clock_gettime(CLOCK_MONOTONIC, &t);\n"
    "    return (1e9 * (double)t.tv_sec) + (double)t.tv_nsec;\n"
    "}\n"
    "\n"
    "static void note(double t) {\n"
    "    const long bin = (long)(t / 10.0);\n"
    "    count_of[(bin < BINS) ? bin : (BINS - 1)]++;\n"
    "}\n"
    "\n"
    "/* The time in microseconds that this part of the steps did not exceed. */\n"
    "static double quantile(long n, double part) {\n"
    "    double seen = 0.0;\n"
    "    long i;\n"
    "    for (i = 0; i < (BINS - 1); i++) {\n"
    "        seen += (double)count_of[i];\n"
    "        if (seen >= (part * (double)n)) break;\n"
    "    }\n"
    "    return 0.01 * (double)(i + 1);\n"
    "}\n"
    "\n"
    "static void print_times(long n, double worst) {\n"
    "    (void)printf(\"median %.2f us, 90 %% %.2f us, 99 %% %.2f us, 99.9 %% %.2f us, worst %.2f "
    "us, \"\n"
    "                 \"jitter (99 %% - 1 %%) %.2f us\\n\",\n"
    "                 quantile(n, 0.5), quantile(n, 0.9), quantile(n, 0.99), quantile(n, 0.999),\n"
    "                 1e-3 * worst, quantile(n, 0.99) - quantile(n, 0.01));\n"
    "}\n"
    "\n"
    "static void print_least(long n) {\n"
    "    const long steps = (n < RUN) ? n : RUN;\n"
    "    double worst = 0.0;\n"
    "    long i;\n"
    "    (void)memset(count_of, 0, sizeof count_of);\n"
    "    for (i = 0; i < steps; i++) {\n"
    "        note(least[i]);\n"
    "        worst = (least[i] > worst) ? least[i] : worst;\n"
    "    }\n"
    "    (void)printf(\"each step at its best of %ld runs: \", (n + RUN - 1) / RUN);\n"
    "    print_times(steps, worst);\n"
    "}\n"
    "\n"
    "static void measure(long n) {\n"
    "    double worst = 0.0;\n"
    "    long at = 0;\n"
    "    long i;\n"
    "    for (i = 0; i < n; i++, at++) {\n"
    "        double t;\n"
    "        if (at == RUN) {\n"
    "            (void)@_init(&system_of_main, &parameters);\n"
    "            at = 0;\n"
    "        }\n"
    "        t = now();\n"
    "        (void)@_step(&system_of_main, &inputs, $_STEP);\n"
    "        t = now() - t;\n"
    "        note(t);\n"
    "        worst = (t > worst) ? t : worst;\n"
    "        least[at] = ((i < RUN) || (t < least[at])) ? t : least[at];\n"
    "    }\n"
    "    (void)printf(\"steps %ld of %g, order %d\\n\", n, (double)$_STEP, $_ORDER);\n"
    "    print_times(n, worst);\n"
    "    print_least(n);\n"
    "    (void)printf(\"memory %lu bytes, residual %.3g\\n\", (unsigned long)sizeof(@_system),\n"
    "                 (double)@_residual(&system_of_main));\n"
    "}\n"
    "\n"
    "int main(int argc, char **argv) {\n"
    "    unsigned status;\n"
    "    long n = 1;\n"
    "    const int timed = (argc == 3) && (strcmp(argv[1], \"--measure\") == 0);\n"
    "    const int thinned = (argc == 3) && (strcmp(argv[1], \"--rows\") == 0);\n"
    "    if (timed || thinned) n = strtol(argv[2], NULL, 10);\n"
    "    if (((argc > 1) && !timed && !thinned) || (n < 1)) {\n"
    "        (void)fprintf(stderr, \"usage: %s [--measure N | --rows N]\\n\", argv[0]);\n"
    "        return 2;\n"
    "    }\n"
    "    @_default_parameters(&parameters);\n"
    "    @_default_inputs(&inputs);\n"
    "    status = @_init(&system_of_main, &parameters);\n"
    "    if (status == $_OK) {\n"
    "        if (timed) {\n"
    "            measure(n);\n"
    "        } else {\n"
    "            print_run(n);\n"
    "        }\n"
    "        status = system_of_main.status;\n"
    "    }\n"
    "    explain(status);\n"
    "    return (status == $_OK) ? 0 : 1;\n"
    "}\n";

void taut_write_main(const taut_code *code, taut_string *text) {
    taut_pen p = {.code = code, .out = text};
    const char *digits = code->options->single ? "9" : "17", *rest = BODY;
    const long steps = code->steps < 1 ? 1 : code->steps < MOST_RUN ? code->steps : MOST_RUN;
    taut_pen_add(&p, "%s#include \"", OPENING);
    taut_pen_words(&p, code->stem);
    taut_pen_add(&p, ".h\"\n\n");
    while (*rest) {
        const char *number = strstr(rest, "DIGITS"), *run = strstr(rest, "STEPS_OF_RUN");
        const char *at = run && (!number || run < number) ? run : number;
        char piece[sizeof BODY];
        taut_format(piece, sizeof piece, "%.*s", at ? (int)(at - rest) : (int)strlen(rest), rest);
        taut_pen_template(&p, piece);
        if (!at) break;
        if (at == run)
            taut_pen_add(&p, "%ld", steps);
        else
            taut_pen_add(&p, "%s", digits);
        rest = at + strlen(at == run ? "STEPS_OF_RUN" : "DIGITS");
    }
}

void taut_write_makefile(const taut_code *code, taut_string *text) {
    taut_string_add(text,
                    "# make; ./%s > %s.csv\n"
                    "CFLAGS ?= -O2\n"
                    "STRICT = -std=c99 -pedantic -Wall -Wextra -Wconversion\n\n"
                    "%s: main.o %s.o\n\t$(CC) $(LDFLAGS) -o $@ main.o %s.o -lm\n\n"
                    "%%.o: %%.c %s.h\n\t$(CC) $(STRICT) $(CFLAGS) -c -o $@ $<\n\n"
                    "clean:\n\trm -f main.o %s.o %s\n\n.PHONY: clean\n",
                    code->stem, code->stem, code->stem, code->stem, code->stem, code->stem,
                    code->stem, code->stem);
}
