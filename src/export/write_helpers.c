/* Sums over orders that the series of STEM.c consist of: those that it uses. */
#include "export/pen.h"

static const char HELPERS[] = "\n/* ---- series ----\n"
                              " *\n"
                              " * c[i][k] is x^(k) h^k / k! of a series x. These are sums over the "
                              "orders between 0 and k. */\n"
                              "\n/* An order is never below 0; a compiler that looks at calls "
                              "alone sees it here. */\n"
                              "static int order(int k) {\n"
                              "    return (k > 0) ? k : 0;\n"
                              "}\n";

static const char PRODUCT[] = "\nstatic real product(const real *a, const real *b, int k) {\n"
                              "    real sum = (real)0;\n"
                              "    int l;\n"
                              "    for (l = 1; l < k; l++) {\n"
                              "        sum += a[l] * b[k - l];\n"
                              "    }\n"
                              "    return sum;\n"
                              "}\n";

static const char SQUARE[] = "\nstatic real square(const real *a, int k) {\n"
                             "    real sum = (real)0;\n"
                             "    int l;\n"
                             "    for (l = 1; (2 * l) < k; l++) {\n"
                             "        sum += a[l] * a[k - l];\n"
                             "    }\n"
                             "    sum += sum;\n"
                             "    if ((k > 0) && ((k % 2) == 0)) {\n"
                             "        sum += a[k / 2] * a[k / 2];\n"
                             "    }\n"
                             "    return sum;\n"
                             "}\n";

static const char WEIGHTED[] = "\nstatic real weighted(const real *a, const real *b, int k) {\n"
                               "    real sum = (real)0;\n"
                               "    int l;\n"
                               "    for (l = 1; l < k; l++) {\n"
                               "        sum += (real)l * a[l] * b[k - l];\n"
                               "    }\n"
                               "    return sum;\n"
                               "}\n";

/* Order k of a product: also at order 0, and not; of two series, and of one with itself. */
static const char *const TIMES[2][2] = {
    {"\n/* Order k of a product, i being the sum above. */\n"
     "static real times(real i, const real *a, const real *b, int k) {\n"
     "    return (k == 0) ? (a[0] * b[0]) : (i + (a[0] * b[k]) + (a[k] * b[0]));\n"
     "}\n",
     "\nstatic real squared(real i, const real *a, int k) {\n"
     "    return (k == 0) ? (a[0] * a[0]) : (i + ((real)2 * a[0] * a[k]));\n"
     "}\n"},
    {"\n/* The same for k > 0. */\n"
     "static real times_on(real i, const real *a, const real *b, int k) {\n"
     "    return i + (a[0] * b[k]) + (a[k] * b[0]);\n"
     "}\n",
     "\n/* The same for k > 0. */\n"
     "static real squared_on(real i, const real *a, int k) {\n"
     "    return i + ((real)2 * a[0] * a[k]);\n"
     "}\n"}};

static const char SUM_OR_ZERO[] = "\n/* A sum that is 0 where only rounding is left of it. */\n"
                                  "static real sum_or_zero(real a, real b) {\n"
                                  "    const real sum = a + b;\n"
                                  "    const real size = (a < (real)0) ? -a : a;\n"
                                  "    const real rest = (sum < (real)0) ? -sum : sum;\n"
                                  "    return (rest > (ROUNDING * size)) ? sum : (real)0;\n"
                                  "}\n";

static const char RATIO[] = "\n/* a : b = c : d but for rounding */\n"
                            "static int is_ratio(real a, real b, real c, real d) {\n"
                            "    const real x = a / b;\n"
                            "    const real gap = (x > (c / d)) ? (x - (c / d)) : ((c / d) - x);\n"
                            "    return gap <= (ROUNDING * ((x < (real)0) ? -x : x));\n"
                            "}\n";

void taut_write_helpers(taut_pen *p) {
    taut_pen_template(p, HELPERS);
    if (p->uses_product) taut_pen_template(p, PRODUCT);
    if (p->uses_square) taut_pen_template(p, SQUARE);
    if (p->uses_weighted) taut_pen_template(p, WEIGHTED);
    for (int i = 0; i < 4; i++)
        if (p->uses_times[i / 2][i % 2]) taut_pen_template(p, TIMES[i / 2][i % 2]);
    if (p->uses_sum_or_zero) taut_pen_template(p, SUM_OR_ZERO);
    if (p->uses_ratio) taut_pen_template(p, RATIO);
}
