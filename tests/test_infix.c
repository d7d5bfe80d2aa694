/* Tests of expr/infix: what formulas mean, what is refused and where, and that a printed node reads
 * back to the same node. */
#include "check.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr/infix.h"

typedef struct lab {
    taut_graph *g;
    taut_node x, y, z, p, q, t;
    taut_vec u, v, w; /* two and three components */
    uint64_t seed;
} lab;

static const char *const VARIABLE[] = {"x", "y", "z", "u.x", "u.y", "v.x", "v.y", "v.z"};
static const char *const PARAMETER[] = {"p", "q", "k"};

static bool find(void *user, const char *name, taut_measure *measure, char *why, size_t size) {
    taut_vec *value = &measure->value;
    lab *l = user;
    if (strlen(name) == 1) {
        switch (name[0]) {
        case 'x': *value = taut_vec_scalar(l->x); return true;
        case 'y': *value = taut_vec_scalar(l->y); return true;
        case 'z': *value = taut_vec_scalar(l->z); return true;
        case 'p': *value = taut_vec_scalar(l->p); return true;
        case 'q': *value = taut_vec_scalar(l->q); return true;
        case 'k': *value = taut_vec_scalar(taut_parameter(l->g, 2, 3)); return true;
        case 'u': *value = l->u; return true;
        case 'v': *value = l->v; return true;
        case 'w': *value = l->w; return true;
        }
    }
    if (strcmp(name, "later") == 0) snprintf(why, size, "'later' is not known yet");
    return false;
}

static const char *nearest(void *user, const char *name) {
    (void)user;
    return name[0] == 'X' ? "x" : NULL;
}

static int setup(void **state) {
    static lab l;
    memset(&l, 0, sizeof l);
    if (taut_graph_create(&l.g) != TAUT_OK) return -1;
    l.x = taut_variable(l.g, 0);
    l.y = taut_variable(l.g, 1);
    l.z = taut_variable(l.g, 2);
    l.u = (taut_vec){2, {taut_variable(l.g, 3), taut_variable(l.g, 4)}};
    l.v = (taut_vec){3, {taut_variable(l.g, 5), taut_variable(l.g, 6), taut_variable(l.g, 7)}};
    l.w = (taut_vec){3, {l.x, l.y, l.z}};
    l.p = taut_parameter(l.g, 0, 2.3);
    l.q = taut_parameter(l.g, 1, -0.7);
    l.t = taut_time(l.g);
    l.seed = 1;
    *state = &l;
    return 0;
}

static int teardown(void **state) {
    lab *l = *state;
    taut_graph_free(&l->g);
    return 0;
}

static taut_vec read_text(lab *l, const char *text, size_t length) {
    const taut_scope scope = {.user = l, .find = find, .nearest = nearest};
    taut_infix_error error;
    taut_measure measure;
    const taut_status status = taut_infix_read(l->g, text, (long)length, &scope, &measure, &error);
    if (status != TAUT_OK) fail_msg("'%.200s': at %ld: %s", text, error.offset, error.message);
    return measure.value;
}

static taut_vec read_vec(lab *l, const char *text) { return read_text(l, text, strlen(text)); }

static taut_node get(lab *l, const char *text) {
    const taut_vec value = read_vec(l, text);
    assert_int_equal(value.n, 1);
    return value.c[0];
}

static void check_same(lab *l, const char *a, const char *b) {
    if (get(l, a) != get(l, b)) fail_msg("'%s' is not '%s'", a, b);
}

static void check_number(lab *l, const char *text, double expected) {
    const taut_node_data *d = taut_node_get(l->g, get(l, text));
    assert_int_equal(d->op, TAUT_OP_CONST);
    assert_near(d->value, expected, 0, 1e-15);
}

/* ---- meaning ---- */

static void test_numbers_are_read_to_the_last_bit(void **state) {
    lab *l = *state;
    check_number(l, "0", 0);
    check_number(l, "  42 ", 42);
    check_number(l, ".5", 0.5);
    check_number(l, "5.", 5);
    check_number(l, "1e3", 1000);
    check_number(l, "1E-3", 0.001);
    check_number(l, "2.5e+2", 250);
    check_number(l, "pi", 3.14159265358979323846);
    assert_int_equal(get(l, "0.1"), taut_number(l->g, 0.1));
    assert_int_equal(get(l, "1.7976931348623157e308"), taut_number(l->g, 1.7976931348623157e308));
    assert_int_equal(get(l, "4.9406564584124654e-324"), taut_number(l->g, 4.9406564584124654e-324));
}

static void test_precedence_is_that_of_mathematics(void **state) {
    lab *l = *state;
    check_number(l, "1 + 2*3", 7);
    check_number(l, "(1 + 2)*3", 9);
    check_number(l, "7 - 2 - 1", 4);
    check_number(l, "24/4/2", 3);
    check_number(l, "24/4*2", 12);
    check_number(l, "2^3^2", 512);
    check_number(l, "2**3**2", 512);
    check_number(l, "2^-1", 0.5);
    check_number(l, "2^-2^2", 0.0625);
    check_number(l, "-2^2", -4);
    check_number(l, "(-2)^2", 4);
    check_number(l, "-2^2*3", -12);
    check_number(l, "2*-3", -6);
    check_number(l, "2 - -3", 5);
    check_number(l, "2 --3", 5);
    check_number(l, "+-+-2", 2);
    check_number(l, "2^+3", 8);
    check_number(l, "1 - 2^2", -3);
    check_number(l, "4^0.5", 2);
    check_number(l, "pow(2, 10)", 1024);
    assert_int_equal(get(l, "-x^2"), taut_scale(l->g, -1, taut_square(l->g, l->x)));
    assert_int_equal(get(l, "x^2^3"), taut_power(l->g, l->x, taut_number(l->g, 8)));
    assert_int_equal(get(l, "2*x'"), taut_scale(l->g, 2, taut_dot(l->g, l->x, 1)));
    check_same(l, "x**2", "x^2");
    check_same(l, "x*y^2/z", "(x*(y^2))/z");
    check_same(l, "x/y*z", "(x/y)*z");
    check_same(l, "pow(x, p)", "x^p");
}

static void test_functions_are_applied(void **state) {
    lab *l = *state;
    check_number(l, "sqrt(16)", 4);
    check_number(l, "exp(1)", exp(1));
    check_number(l, "log(10)", log(10));
    check_number(l, "sin(1) + cos(1) + tan(1)", sin(1) + cos(1) + tan(1));
    check_number(l, "asin(0.5) + acos(0.5)", 1.57079632679489661923);
    check_number(l, "atan(1)*4 - pi", 0);
    check_number(l, "atan2(1, -1)", 2.35619449019234492885);
    check_number(l, "sinh(1)", sinh(1));
    check_number(l, "cosh(1)", cosh(1));
    check_number(l, "tanh ( 1 )", tanh(1));
    assert_int_equal(get(l, "sin(x)"), taut_apply(l->g, TAUT_OP_SIN, l->x));
    assert_int_equal(get(l, "atan2(x, y)"), taut_atan2(l->g, l->x, l->y));
    assert_int_equal(get(l, "2^x"), taut_apply(l->g, TAUT_OP_EXP, taut_scale(l->g, log(2), l->x)));
}

static void test_primes_are_time_derivatives(void **state) {
    lab *l = *state;
    taut_graph *g = l->g;
    assert_int_equal(get(l, "x'"), taut_dot(g, l->x, 1));
    assert_int_equal(get(l, "x''"), taut_dot(g, l->x, 2));
    assert_int_equal(get(l, "(x')'"), taut_dot(g, l->x, 2));
    assert_int_equal(get(l, "x' '"), taut_dot(g, l->x, 2));
    assert_int_equal(get(l, "x'^2"), taut_square(g, taut_dot(g, l->x, 1)));
    assert_int_equal(get(l, "(x*y)''"), taut_dot(g, taut_mul(g, l->x, l->y), 2));
    assert_int_equal(get(l, "sin(x)'"), taut_dot(g, taut_apply(g, TAUT_OP_SIN, l->x), 1));
    assert_int_equal(get(l, "-x'"), taut_scale(g, -1, taut_dot(g, l->x, 1)));
    check_same(l, "(x + 2*y)'", "x' + 2*y'");
    check_same(l, "(p*x)'", "p*x'");
    check_number(l, "t'", 1);
    check_number(l, "t''", 0);
    check_number(l, "p'", 0);
    check_number(l, "3'", 0);
}

static void test_vectors_work_by_component(void **state) {
    lab *l = *state;
    taut_graph *g = l->g;
    taut_vec a = read_vec(l, "[x, y, z] + 2*v'");
    assert_int_equal(a.n, 3);
    for (int i = 0; i < 3; i++)
        assert_int_equal(a.c[i],
                         taut_add(g, l->w.c[i], taut_scale(g, 2, taut_dot(g, l->v.c[i], 1))));
    a = read_vec(l, "-u/p");
    assert_int_equal(a.n, 2);
    assert_int_equal(a.c[1], get(l, "-u.y/p"));
    a = read_vec(l, "u*x - x*u");
    assert_true(a.n == 2 && taut_node_is_number(g, a.c[0], 0));
    assert_int_equal(get(l, "v.z"), l->v.c[2]);
    assert_int_equal(get(l, "v'.y"), taut_dot(g, l->v.c[1], 1));
    assert_int_equal(get(l, "v.y'"), taut_dot(g, l->v.c[1], 1));
    assert_int_equal(get(l, "[x, y].y"), l->y);
    assert_int_equal(get(l, "(v + w).x"), taut_add(g, l->v.c[0], l->x));
    check_same(l, "dot(v, w)", "v.x*x + v.y*y + v.z*z");
    check_same(l, "dot(u, u)", "u.x^2 + u.y^2");
    check_same(l, "norm(v)", "sqrt(v.x^2 + v.y^2 + v.z^2)");
    check_same(l, "cross(u, [x, y])", "u.x*y - u.y*x");
    a = read_vec(l, "cross(v, w)");
    assert_int_equal(a.n, 3);
    assert_int_equal(a.c[0], get(l, "v.y*z - v.z*y"));
    assert_int_equal(a.c[1], get(l, "v.z*x - v.x*z"));
    assert_int_equal(a.c[2], get(l, "v.x*y - v.y*x"));
    check_number(l, "dot(cross([1,2,3], [4,5,6]), [1,2,3])", 0);
    check_number(l, "cross([1,0,0], [0,1,0]).z", 1);
    check_number(l, "norm([3, 4])", 5);
}

static void test_reserved_words_and_names(void **state) {
    (void)state;
    static const char *const reserved[] = {"t",   "pi",  "sin",  "sqrt", "pow",  "atan2", "dot",
                                           "abs", "min", "sign", "max",  "norm", "cross", "tanh"};
    for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; i++)
        assert_true(taut_infix_is_reserved(reserved[i]));
    assert_false(taut_infix_is_reserved("x"));
    assert_false(taut_infix_is_reserved("Sin"));
    assert_false(taut_infix_is_reserved("time"));
    assert_true(taut_infix_is_name("x"));
    assert_true(taut_infix_is_name("_a1"));
    assert_true(taut_infix_is_name("theta_12"));
    assert_false(taut_infix_is_name(""));
    assert_false(taut_infix_is_name("1a"));
    assert_false(taut_infix_is_name("a b"));
    assert_false(taut_infix_is_name("a'"));
    assert_false(taut_infix_is_name("\xC3\xA4"));
    char name[80];
    memset(name, 'a', sizeof name);
    name[63] = '\0';
    assert_true(taut_infix_is_name(name));
    name[63] = 'a', name[64] = '\0';
    assert_false(taut_infix_is_name(name));
}

/* ---- refusals ---- */

static void check_refused(lab *l, const char *text, size_t length, long offset,
                          const char *message) {
    const taut_scope scope = {.user = l, .find = find, .nearest = nearest};
    taut_infix_error error;
    taut_measure measure = {.value = {7, {0}}};
    const taut_status status = taut_infix_read(l->g, text, (long)length, &scope, &measure, &error);
    if (status != TAUT_ERR_INPUT) fail_msg("'%.60s' was not refused", text);
    assert_string_equal(error.message, message);
    if (error.offset != offset) fail_msg("'%.60s': at %ld, not %ld", text, error.offset, offset);
    assert_int_equal(measure.value.n, 0);
    assert_false(taut_graph_failed(l->g));
}

static void test_faults_are_named_where_they_are(void **state) {
    lab *l = *state;
#define TORN "(if a comma ended the formula here, quote it: \"...\")"
#define EXPECTED "a number, a name or a parenthesis is expected, not "
#define COMPONENT "a component of a vector needs a number, but this is a vector with 2 components"
    static const struct {
        const char *text;
        long offset;
        const char *message;
    } fault[] = {
        {"", 0, "an empty formula"},
        {"  \n ", 0, "an empty formula"},
        {"x +", 3, EXPECTED "the end of the formula"},
        {"x + * y", 4, EXPECTED "'*'"},
        {"x*/y", 2, EXPECTED "'/'"},
        {"()", 1, EXPECTED "')'"},
        {"sin(,x)", 4, EXPECTED "','"},
        {"x ^ ", 4, EXPECTED "the end of the formula"},
        {"[x,", 3, EXPECTED "the end of the formula"},
        {"x + \xC3\xA4", 4, EXPECTED "a character that formulas do not use"},
        {"x + \x01", 4, EXPECTED "a character that formulas do not use"},
        {"#", 0, EXPECTED "'#'"},
        {"(x + y", 6, "a parenthesis is not closed " TORN},
        {"((x)", 4, "a parenthesis is not closed " TORN},
        {"(x y)", 3, "a parenthesis is not closed: ) is expected before 'y'"},
        {"x)", 1, "unexpected ')': a parenthesis was never opened"},
        {"x y", 2, "unexpected 'y': an operator is missing"},
        {"x 2", 2, "unexpected '2': an operator is missing"},
        {"x = y", 2, "unexpected '=': write equations as one side that equals zero"},
        {"x \xE2\x82\xAC", 2,
         "unexpected a character that formulas do not use: an operator is missing"},
        {"x, y", 1, "unexpected ',': an operator is missing"},
        {"t(x)", 1, "unexpected '(': an operator is missing"},
        {"2x", 1, "write * between a number and a name: 2*x..."},
        {"y + 2.5e", 7, "write * between a number and a name: 2.5*e..."},
        {"1.2.3", 3, "a number has two decimal points"},
        {".", 0, "a number needs digits"},
        {"x + .", 4, "a number needs digits"},
        {"1e999", 0, "the number 1e999 is too large"},
        {"11111111111111111111111111111111111111111111111111111111111111111", 0,
         "this number has too many digits"},
        {"foo + 1", 0, "unknown name 'foo'"},
        {"1 + foo", 4, "unknown name 'foo'"},
        {"1 + Xx", 4, "unknown name 'Xx'; did you mean 'x'?"},
        {"2*later", 2, "'later' is not known yet"},
        {"foo(x)", 0, "'foo' is not a function; write * for a product: foo*(...)"},
        {"2*x(y)", 2, "'x' is not a function; write * for a product: x*(...)"},
        {"sin", 0, "'sin' is a function: write sin(...)"},
        {"x*sqrt + 1", 2, "'sqrt' is a function: write sqrt(...)"},
        {"aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggg", 0,
         "this name is too long"},
        {"sin(x, y)", 0, "sin takes 1 argument, not 2"},
        {"1 + sin()", 4, "sin takes 1 argument, not 0"},
        {"atan2(x)", 0, "atan2 takes 2 arguments, not 1"},
        {"pow(x, y, z, x, y, z)", 0, "pow takes 2 arguments, not 6"},
        {"sin(x", 5, "sin( is not closed " TORN},
        {"atan2(x,y", 9, "atan2( is not closed " TORN},
        {"sin(x;", 5, "sin( expects , or ) before ';'"},
        {"sin(u)", 0, "sin needs a number, but this is a vector with 2 components"},
        {"sqrt(v)", 0, "sqrt needs a number, but this is a vector with 3 components"},
        {"1 + atan2(x, v)", 4, "atan2 needs a number, but this is a vector with 3 components"},
        {"dot(x, y)", 0, "dot needs vectors of the same size"},
        {"dot(u, v)", 0, "dot needs vectors of the same size"},
        {"x + cross(v, u)", 4, "cross needs vectors of the same size"},
        {"norm(x)", 0, "norm needs vectors of the same size"},
        {"u*v", 1, "a product of two vectors: write dot(a, b) or cross(a, b)"},
        {"x/u", 1, "a divisor needs a number, but this is a vector with 2 components"},
        {"u^2", 0, "the base of a power needs a number, but this is a vector with 2 components"},
        {"x^u", 2, "an exponent needs a number, but this is a vector with 2 components"},
        {"x + u", 2, "a sum of a number and a vector of another size"},
        {"u + x", 2, "a sum of a vector and a number"},
        {"u - v", 2, "a sum of a vector and a vector of another size"},
        {"[x]", 0, "a vector has 2 or 3 components, not 1"},
        {"y*dot([x,y,z,x], v)", 6, "a vector has 2 or 3 components, not 4"},
        {"[u, x]", 0, COMPONENT},
        {"[x, y", 5, "this vector is not closed: ] is missing"},
        {"[x, y)", 5, "this vector is not closed: ] is missing"},
        {"x.y", 1, "no such component: .x, .y, .z of a vector"},
        {"u.z", 1, "no such component: .x, .y of a vector"},
        {"v.w", 1, "no such component: .x, .y, .z of a vector"},
        {"v.xy", 1, "no such component: .x, .y, .z of a vector"},
        {"x/0", 1, "division by zero"},
        {"x/(1 - 1)", 1, "division by zero"},
        {"x*'y", 2, EXPECTED "'''"},
        {"1/0", 1, "division by zero"},
        {"log(0)", 0, "the value of this formula is not a finite number"},
        {"1e308 + 1e308", 0, "the value of this formula is not a finite number"},
    };
    for (size_t i = 0; i < sizeof fault / sizeof fault[0]; i++)
        check_refused(l, fault[i].text, strlen(fault[i].text), fault[i].offset, fault[i].message);
    check_refused(l, "x\0y", 3, 1, "a NUL character in a formula");
    check_refused(l, "x + \0", 5, 4, EXPECTED "a character that formulas do not use");
}

static void test_kinks_are_refused_with_the_reason(void **state) {
    lab *l = *state;
    static const char *const call[] = {"abs(x)", "min(x, y)", "max(x, y)", "sign(x)"};
    for (int i = 0; i < 4; i++) {
        char text[64], message[400];
        snprintf(text, sizeof text, "1 + %s", call[i]);
        snprintf(message, sizeof message, "%.*s has a kink, which is not possible in this formula",
                 (int)strcspn(call[i], "("), call[i]);
        check_refused(l, text, strlen(text), 4, message);
    }
    check_refused(l, "abs(x, y)", 9, 0, "abs takes 1 argument, not 2");
    check_refused(l, "max", 3, 0, "'max' is a function: write max(...)");
    /* what was refused has no value that a sign could change */
    check_refused(l, "-(x > y)", 8, 4, "if has a kink, which is not possible in this formula");
    check_refused(l, "-min(x, y)", 10, 1, "min has a kink, which is not possible in this formula");
    check_refused(l, "x + -(x > )", 11, 10, EXPECTED "')'");
}

static char *repeated(const char *unit, size_t count, const char *end) {
    const size_t n = strlen(unit), total = n * count + strlen(end);
    char *text = malloc(total + 1);
    assert_non_null(text);
    for (size_t i = 0; i < count; i++) memcpy(text + i * n, unit, n);
    memcpy(text + n * count, end, strlen(end) + 1);
    return text;
}

static void test_deep_nesting_is_refused(void **state) {
    lab *l = *state;
    static const char *const unit[] = {"(", "sin(", "[", "2^", "x^(", "-(", "x**", "pow(x,"};
    const taut_scope scope = {.user = l, .find = find, .nearest = nearest};
    for (size_t i = 0; i < sizeof unit / sizeof unit[0]; i++) {
        char *text = repeated(unit[i], 1000000, "x");
        taut_infix_error error;
        taut_measure measure;
        assert_int_equal(taut_infix_read(l->g, text, (long)strlen(text), &scope, &measure, &error),
                         TAUT_ERR_INPUT);
        assert_string_equal(error.message, "this formula is nested too deeply");
        assert_true(error.offset > 0 && error.offset < 10000);
        free(text);
    }
    /* what people write is not deep */
    char *open = repeated("(", 400, "x"), *close = repeated(")", 400, "");
    char both[1000];
    snprintf(both, sizeof both, "%s%s", open, close);
    assert_int_equal(get(l, both), l->x);
    free(open);
    free(close);
}

static void test_long_runs_are_no_nesting(void **state) {
    lab *l = *state;
    char *text = repeated("-", 1000000, "x");
    assert_int_equal(read_text(l, text, strlen(text)).c[0], l->x);
    free(text);
    text = repeated("x + ", 100000, "y");
    assert_int_equal(read_text(l, text, strlen(text)).c[0],
                     taut_add(l->g, taut_scale(l->g, 100000, l->x), l->y));
    free(text);
    text = repeated("x*y/", 50000, "2");
    assert_int_equal(read_text(l, text, strlen(text)).n, 1);
    free(text);
    text = repeated("x'", 1, "''''''''''''''''''''''''''''''''''''''''''''''''''");
    check_refused(l, text, strlen(text), 1, "51 primes: derivatives go up to 50");
    /* nor by primes after primes */
    check_refused(l, "(x'''''''''''''''''''''''''''''')''''''''''''''''''''''''''''''", 63, 33,
                  "60 primes: derivatives go up to 50");
    text[strlen(text) - 1] = '\0';
    assert_int_equal(get(l, text), taut_dot(l->g, l->x, 50));
    free(text);
    text = repeated(" ", 1000000, "x");
    assert_int_equal(read_text(l, text, strlen(text)).c[0], l->x);
    free(text);
}

/* Only `length` bytes are looked at: nothing needs a terminator. */
static void test_reading_stops_at_the_length(void **state) {
    lab *l = *state;
    assert_int_equal(read_text(l, "x + y garbage", 5).c[0], get(l, "x + y"));
    assert_int_equal(read_text(l, "12345", 2).c[0], taut_number(l->g, 12));
    assert_int_equal(read_text(l, "x''", 2).c[0], taut_dot(l->g, l->x, 1));
    char *exact = malloc(3); /* the sanitizer watches its end */
    assert_non_null(exact);
    memcpy(exact, "x*y", 3);
    assert_int_equal(read_text(l, exact, 3).c[0], get(l, "x*y"));
    memcpy(exact, "u.x", 3);
    assert_int_equal(read_text(l, exact, 3).c[0], l->u.c[0]);
    memcpy(exact, "1.e", 3);
    check_refused(l, exact, 3, 2, "write * between a number and a name: 1.*e...");
    memcpy(exact, "x**", 3);
    check_refused(l, exact, 3, 3, EXPECTED "the end of the formula");
    free(exact);
}

/* ---- printing ---- */

static const taut_names NAMES = {VARIABLE, PARAMETER};

static void check_round_trip(lab *l, taut_node v) {
    static char text[1 << 16];
    taut_infix_print(l->g, v, &NAMES, text, sizeof text);
    const taut_vec back = read_text(l, text, strlen(text));
    if (back.n != 1 || back.c[0] != v) {
        static char again[1 << 16];
        taut_infix_print(l->g, back.c[0], &NAMES, again, sizeof again);
        fail_msg("printed as\n  %s\nread back as\n  %s", text, again);
    }
}

static void check_print(lab *l, const char *formula, const char *expected) {
    char text[200];
    assert_string_equal(taut_infix_print(l->g, get(l, formula), &NAMES, text, sizeof text),
                        expected);
    check_round_trip(l, get(l, formula));
}

static void test_print_is_what_one_would_write(void **state) {
    lab *l = *state;
    check_print(l, "x + y", "x + y");
    check_print(l, "y - x", "-x + y");
    check_print(l, "-x - 1", "-x - 1");
    check_print(l, "2*x - 3*y + 4", "2*x - 3*y + 4");
    check_print(l, "x*y", "x*y");
    check_print(l, "-x*y", "-x*y");
    check_print(l, "x/y", "x/y");
    check_print(l, "x/(y*z)", "x/(y*z)");
    check_print(l, "(x + 1)^2", "(x + 1)^2");
    check_print(l, "x'^2", "x'^2");
    check_print(l, "(x*y)''", "(x*y)''");
    check_print(l, "sin(x + y)", "sin(x + y)");
    check_print(l, "sqrt(x)", "sqrt(x)");
    check_print(l, "atan2(x, y)", "atan2(x, y)");
    check_print(l, "x^0.3", "x^0.3");
    check_print(l, "x^p", "x^p");
    check_print(l, "p*x", "p*x");
    check_print(l, "-((p + 1)*x)", "-((p + 1)*x)");
    check_print(l, "y - (p + 1)*x", "y - (p + 1)*x");
    check_print(l, "-2", "-2");
    check_print(l, "x^(-0.3)", "x^(-0.3)");
    check_print(l, "0.1*x", "0.1*x");
    check_print(l, "t*x", "x*t");
    check_print(l, "u.x + v.z", "u.x + v.z");
}

static void test_print_without_names_numbers_them(void **state) {
    lab *l = *state;
    char text[100];
    assert_string_equal(taut_infix_print(l->g, get(l, "p*x + y'"), NULL, text, sizeof text),
                        "p1*x1 + x2'");
}

static void test_print_cuts_what_does_not_fit(void **state) {
    lab *l = *state;
    char text[64], whole[64];
    taut_node v = get(l, "sin(x) + cos(y) + tan(z)");
    taut_infix_print(l->g, v, &NAMES, whole, sizeof whole);
    const size_t n = strlen(whole);
    for (size_t size = 5; size <= n + 1; size++) {
        memset(text, '#', sizeof text);
        taut_infix_print(l->g, v, &NAMES, text, size);
        assert_int_equal(strlen(text), size - 1);
        assert_int_equal(text[size], '#');
        if (size <= n) {
            assert_string_equal(text + size - 4, "...");
            assert_int_equal(strncmp(text, whole, size - 4), 0);
        } else {
            assert_string_equal(text, whole);
        }
    }
    text[0] = '#';
    taut_infix_print(l->g, v, &NAMES, text, 0);
    assert_int_equal(text[0], '#');
    taut_infix_print(l->g, v, &NAMES, text, 1);
    assert_string_equal(text, "");
    taut_infix_print(l->g, TAUT_NO_NODE, &NAMES, text, sizeof text);
    assert_string_equal(text, "");
}

static unsigned draw(lab *l, unsigned below) {
    l->seed = l->seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(l->seed >> 33) % below;
}

static double random_number(lab *l) {
    static const double some[] = {1, -1, 2, -2, 0.1, -0.3, 3, 0.5, 1e-5, -1e20, 1.0 / 3, 7, -1.5};
    const unsigned i = draw(l, 16);
    if (i < 13) return some[i];
    return (draw(l, 2000000) - 1e6) * 1.1e-3 + 1e-7;
}

/* A node grown at random over all constructors. NaN and infinity have no text: such are not kept.
 */
static taut_node random_node(lab *l, const taut_node *pool, unsigned n) {
    taut_graph *g = l->g;
    taut_node a = pool[draw(l, n)], b = pool[draw(l, n)], c = pool[draw(l, n)];
    switch (draw(l, 16)) {
    case 0: return taut_add(g, a, b);
    case 1: return taut_sub(g, a, taut_number(g, random_number(l)));
    case 2:
        return taut_sum(g, random_number(l), 3,
                        (double[]){random_number(l), random_number(l), random_number(l)},
                        (taut_node[]){a, b, c});
    case 3:
    case 4: return taut_mul(g, a, b);
    case 5:
    case 6: return taut_div(g, a, b);
    case 7: return taut_square(g, a);
    case 8: return taut_root(g, a);
    case 9: return taut_power(g, a, taut_number(g, random_number(l)));
    case 10: return taut_power(g, a, b);
    case 11: return taut_dot(g, a, 1 + (int)draw(l, 3));
    case 12: return taut_atan2(g, a, b);
    case 13: return taut_scale(g, random_number(l), a);
    default: return taut_apply(g, (taut_op)(TAUT_OP_EXP + draw(l, TAUT_OP_COUNT - TAUT_OP_EXP)), a);
    }
}

/* Is every number in the node finite? (The pool holds only nodes that passed this test.) */
static bool is_plain(const lab *l, taut_node v) {
    const taut_node_data *d = taut_node_get(l->g, v);
    if (d->steady && !isfinite(d->value)) return false;
    if (d->op == TAUT_OP_DIFF && d->index > TAUT_PRIMES_MAX) return false;
    if (!isfinite(d->constant)) return false;
    for (uint32_t i = 0; i < d->count; i++)
        if (!isfinite(taut_node_coefs(l->g, v)[i]) || !is_plain(l, taut_node_args(l->g, v)[i]))
            return false;
    return true;
}

static void test_print_reads_back_to_the_same_node(void **state) {
    lab *l = *state;
    enum { ROUNDS = 250, POOL = 30 };
    int checked = 0, varying = 0;
    for (int round = 0; round < ROUNDS; round++) {
        taut_node pool[POOL] = {l->x,      l->y,
                                l->t,      l->p,
                                l->q,      taut_parameter(l->g, 2, 3),
                                l->u.c[0], taut_number(l->g, random_number(l))};
        for (unsigned n = 8; n < POOL;) {
            taut_node v = random_node(l, pool, n);
            assert_false(taut_graph_failed(l->g));
            if (!is_plain(l, v)) v = pool[draw(l, 8)];
            char text[4000];
            taut_infix_print(l->g, v, &NAMES, text, sizeof text);
            pool[n++] = strlen(text) > 1500 ? l->x : v; /* keep them readable */
            check_round_trip(l, v);
            checked++;
            varying += !taut_node_get(l->g, v)->steady;
        }
    }
    assert_true(checked > 5000 && varying > 3000);
}

static void test_print_of_long_sums_reads_back(void **state) {
    lab *l = *state;
    taut_graph *g = l->g;
    taut_node term[40];
    double coef[40];
    for (int i = 0; i < 40; i++) {
        term[i] = taut_apply(g, TAUT_OP_SIN, taut_scale(g, i + 2, l->x));
        coef[i] = i % 2 ? -1 : 0.5 * i + 1;
    }
    taut_node many = taut_sum(g, -3, 40, coef, term);
    check_round_trip(l, many);
    check_round_trip(l, taut_scale(g, -1, many));
    check_round_trip(l, taut_scale(g, 2.5, many));
    check_round_trip(l, taut_add(g, many, l->y));
    check_round_trip(l, taut_mul(g, l->p, many));
    check_round_trip(l, taut_dot(g, many, 2));
    check_round_trip(l, taut_div(g, many, taut_add(g, taut_scale(g, 3, many), l->y)));
}

static void test_print_of_deep_nodes_ends(void **state) {
    lab *l = *state;
    taut_node v = l->x;
    for (int i = 0; i < 100000; i++) v = taut_apply(l->g, TAUT_OP_SIN, taut_mul(l->g, v, l->y));
    static char text[1 << 20];
    taut_infix_print(l->g, v, &NAMES, text, sizeof text);
    assert_non_null(strstr(text, "(...)"));
    assert_true(strlen(text) < 10000);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_numbers_are_read_to_the_last_bit),
        TEST(test_precedence_is_that_of_mathematics),
        TEST(test_functions_are_applied),
        TEST(test_primes_are_time_derivatives),
        TEST(test_vectors_work_by_component),
        TEST(test_reserved_words_and_names),
        TEST(test_faults_are_named_where_they_are),
        TEST(test_kinks_are_refused_with_the_reason),
        TEST(test_deep_nesting_is_refused),
        TEST(test_long_runs_are_no_nesting),
        TEST(test_reading_stops_at_the_length),
        TEST(test_print_is_what_one_would_write),
        TEST(test_print_without_names_numbers_them),
        TEST(test_print_cuts_what_does_not_fit),
        TEST(test_print_reads_back_to_the_same_node),
        TEST(test_print_of_long_sums_reads_back),
        TEST(test_print_of_deep_nodes_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
