/* States as text files. Words are separated by blanks and line ends; numbers are hexadecimal
 * floating-point numbers, written and read here, so that neither the locale nor the C library has a
 * say in the last bit:
 *
 *     taut-state 1
 *     variables 2 4                     number of variables, and of their values
 *     formulation natural
 *     t 0x1.8p+0
 *     x 3 0x1p+0 0x0p+0 -0x1.8p-3       name, how many derivatives from the value on
 *     lambda 1 0x1.4p+2                 1: the value alone
 *     ...
 *     sum 0123456789abcdef              FNV-1a of all bytes before this line
 *
 * A file is material from elsewhere: every count is checked against what is left of it before
 * anything is allocated. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "out/file.h"
#include "out/state_file.h"
#include "solve/state.h"
#include "taut/state.h"

enum { VERSION = 1, NUMBERS_IN_A_LINE = 6 };
enum { FRACTION_BITS = 52, BIAS = 1023, LEAST_EXPONENT = -1022 };
static const char HEAD[] = "taut-state"; /* the first word */
static const size_t LARGEST_FILE = (size_t)1 << 30;
static const uint64_t FRACTION = (UINT64_C(1) << FRACTION_BITS) - 1;

static uint64_t sum_of(const char *text, size_t length) {
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(1099511628211);
    return hash;
}

/* ---- writing ---- */

/* A finite number. Trailing zeros of the fraction are left out; subnormals begin with 0x0. */
static void write_number(taut_string *out, double x) {
    uint64_t bits;
    char digits[16];
    memcpy(&bits, &x, sizeof bits);
    const int biased = (int)(bits >> FRACTION_BITS & 0x7ff);
    snprintf(digits, sizeof digits, "%013" PRIx64, bits & FRACTION);
    size_t length = 13;
    while (length > 0 && digits[length - 1] == '0') length--;
    const int exponent = biased > 0 ? biased - BIAS : (bits & FRACTION) ? LEAST_EXPONENT : 0;
    taut_string_add(out, " %s0x%d%s%.*sp%+d", bits >> 63 ? "-" : "", biased > 0,
                    length > 0 ? "." : "", (int)length, digits, exponent);
}

/* A name as one word: blanks, control characters and % as %XX; the empty one as %. */
static void write_word(taut_string *out, const char *name) {
    if (!*name) taut_string_add(out, "%%");
    for (; *name; name++) {
        const unsigned char c = (unsigned char)*name;
        if (c <= ' ' || c == '%' || c == 0x7f)
            taut_string_add(out, "%%%02X", c);
        else
            taut_string_add(out, "%c", c);
    }
}

static void write_memory(taut_string *out, const char *title, const taut_memory *m) {
    taut_string_add(out, "%s %zu\n", title, m->count);
    for (size_t i = 0; i < m->count; i++) {
        write_number(out, m->number[i]);
        if (i % NUMBERS_IN_A_LINE == NUMBERS_IN_A_LINE - 1 || i + 1 == m->count)
            taut_string_add(out, "\n");
    }
}

static void write_named(taut_string *out, const char *title, const taut_state_number *number,
                        int count) {
    taut_string_add(out, "%s %d\n", title, count);
    for (int i = 0; i < count; i++) {
        write_word(out, number[i].name);
        write_number(out, number[i].value);
        taut_string_add(out, "\n");
    }
}

static void write_state(taut_string *out, const taut_state *s) {
    taut_string_add(out, "taut-state %d\nvariables %d %d\nformulation ", VERSION, s->n,
                    s->first[s->n]);
    write_word(out, s->formulation);
    taut_string_add(out, "\nt");
    write_number(out, s->t);
    taut_string_add(out, "\n");
    for (int j = 0; j < s->n; j++) {
        write_word(out, s->name[j]);
        taut_string_add(out, " %d", taut_state_order(s, j) + 1);
        for (int k = 0; k <= taut_state_order(s, j); k++)
            write_number(out, *taut_state_at(s, j, k));
        taut_string_add(out, "\n");
    }
    write_named(out, "discrete", s->discrete, s->discretes);
    write_named(out, "modes", s->mode, s->modes);
    taut_string_add(out, "method ");
    write_word(out, s->method);
    taut_string_add(out, "\n");
    write_memory(out, "stepper", &s->stepper);
    write_memory(out, "run", &s->run);
    if (out->text) taut_string_add(out, "sum %016" PRIx64 "\n", sum_of(out->text, out->length));
}

static bool is_finite(const taut_state *s) {
    double sum = s->t - s->t;
    for (int i = 0; i < s->first[s->n]; i++) sum += s->x[i] - s->x[i];
    for (size_t i = 0; i < s->stepper.count; i++) sum += s->stepper.number[i] * 0.0;
    for (size_t i = 0; i < s->run.count; i++) sum += s->run.number[i] * 0.0;
    return sum == 0.0;
}

taut_status taut_state_text(const taut_state *state, taut_string *text) {
    write_state(text, state);
    return text->failed ? TAUT_ERR_MEMORY : TAUT_OK;
}

taut_status taut_state_save(const taut_state *state, const char *path, taut_errors *errors) {
    taut_string out = {0};
    TAUT_NEED(state, "state", errors);
    TAUT_NEED(path, "path", errors);
    if (!is_finite(state))
        return taut_fail(errors, TAUT_ERR_NUMERICS,
                         "the state has values that are not finite and is not written to %s", path);
    write_state(&out, state);
    const taut_status status =
        out.failed || !out.text ? TAUT_ERR_MEMORY : taut_file_write(path, out.text, errors);
    taut_string_release(&out);
    return status;
}

/* ---- reading ---- */

typedef struct reader {
    const char *path;
    const char *next, *end;
    char word[1024]; /* the last one, decoded where names are expected */
    taut_errors *errors;
} reader;

static taut_status wrong(reader *r, const char *what) {
    return taut_fail(r->errors, TAUT_ERR_INPUT, "%s cannot be used as a state: %s", r->path, what);
}

static bool is_blank(char c) { return c == ' ' || c == '\n'; }

/* The next word. */
static taut_status read_word(reader *r) {
    size_t length = 0;
    while (r->next < r->end && is_blank(*r->next)) r->next++;
    while (r->next < r->end && !is_blank(*r->next)) {
        if (length + 1 == sizeof r->word || !*r->next) return wrong(r, "a word is too long");
        r->word[length++] = *r->next++;
    }
    r->word[length] = '\0';
    return length > 0 ? TAUT_OK : wrong(r, "it ends too early");
}

static taut_status expect(reader *r, const char *word) {
    char text[100];
    TAUT_TRY(read_word(r));
    if (strcmp(r->word, word) == 0) return TAUT_OK;
    snprintf(text, sizeof text, "the word '%s' is missing", word);
    return wrong(r, text);
}

static int digit_of(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/* A name; memory from arena. */
static taut_status read_name(reader *r, taut_arena *arena, const char **name) {
    TAUT_TRY(read_word(r));
    char *to = r->word;
    for (const char *from = r->word; *from; from++) {
        if (*from != '%') {
            *to++ = *from;
            continue;
        }
        if (!from[1] && from == r->word) break; /* the empty name */
        const int high = digit_of(from[1]), low = high >= 0 ? digit_of(from[2]) : -1;
        if (low < 0 || high + low == 0) return wrong(r, "a name is not written properly");
        *to++ = (char)(16 * high + low);
        from += 2;
    }
    *to = '\0';
    *name = taut_arena_copy(arena, r->word, strlen(r->word));
    return *name ? TAUT_OK : TAUT_ERR_MEMORY;
}

/* A count of things that take at least `bytes` bytes each. */
static taut_status read_count(reader *r, size_t bytes, int *count) {
    size_t value = 0;
    TAUT_TRY(read_word(r));
    for (const char *c = r->word; *c; c++) {
        if (*c < '0' || *c > '9' || value > LARGEST_FILE) return wrong(r, "a count is wrong");
        value = 10 * value + (size_t)(*c - '0');
    }
    if (value > (size_t)(r->end - r->next) / bytes) return wrong(r, "a count is too large");
    *count = (int)value;
    return TAUT_OK;
}

/* Exponent of a number, with its sign; far beyond the range of doubles it stays where it is. */
static bool read_exponent(const char *text, int *exponent) {
    const bool negative = *text == '-';
    int value = 0;
    if (*text != '-' && *text != '+') return false;
    if (!*++text) return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9') return false;
        if (value < 10000) value = 10 * value + (*text - '0');
    }
    *exponent = negative ? -value : value;
    return true;
}

/* What write_number writes, and nothing else. */
static bool parse_number(const char *text, double *x) {
    const bool negative = *text == '-';
    uint64_t fraction = 0;
    int digits = 0, exponent;
    text += negative;
    if (text[0] != '0' || text[1] != 'x' || (text[2] != '0' && text[2] != '1')) return false;
    const bool normal = text[2] == '1';
    text += 3;
    if (*text == '.')
        for (text++; digit_of(*text) >= 0; text++, digits++) {
            if (digits == 13) return false;
            fraction = fraction << 4 | (uint64_t)digit_of(*text);
        }
    for (; digits < 13; digits++) fraction <<= 4;
    if (*text != 'p' || !read_exponent(text + 1, &exponent)) return false;
    if (normal ? exponent < LEAST_EXPONENT || exponent > BIAS
               : exponent != (fraction ? LEAST_EXPONENT : 0))
        return false;
    uint64_t bits = fraction | (normal ? (uint64_t)(exponent + BIAS) << FRACTION_BITS : 0);
    bits |= (uint64_t)negative << 63;
    memcpy(x, &bits, sizeof bits);
    return true;
}

static taut_status read_number(reader *r, double *x) {
    TAUT_TRY(read_word(r));
    return parse_number(r->word, x) ? TAUT_OK : wrong(r, "a number is not written properly");
}

static taut_status read_variables(reader *r, taut_state *s, int values) {
    for (int j = 0; j < s->n; j++) {
        int count = 0;
        TAUT_TRY(read_name(r, &s->arena, &s->name[j]));
        TAUT_TRY(read_count(r, 5, &count));
        if (count < 1 || count > values - s->first[j])
            return wrong(r, "the number of values is wrong");
        s->first[j + 1] = s->first[j] + count;
        for (int k = 0; k < count; k++) TAUT_TRY(read_number(r, &s->x[s->first[j] + k]));
    }
    return s->first[s->n] == values ? TAUT_OK : wrong(r, "the number of values is wrong");
}

static taut_status read_named(reader *r, const char *title, taut_arena *arena,
                              taut_state_number **number, int *count) {
    *count = 0;
    TAUT_TRY(expect(r, title));
    TAUT_TRY(read_count(r, 7, count));
    *number = TAUT_NEW_ARRAY(arena, *count, taut_state_number);
    if (!*number) return TAUT_ERR_MEMORY;
    for (int i = 0; i < *count; i++) {
        TAUT_TRY(read_name(r, arena, &(*number)[i].name));
        TAUT_TRY(read_number(r, &(*number)[i].value));
    }
    return TAUT_OK;
}

static taut_status read_memory(reader *r, const char *title, taut_memory *m) {
    int count = 0;
    TAUT_TRY(expect(r, title));
    TAUT_TRY(read_count(r, 5, &count));
    for (int i = 0; i < count; i++) {
        double x = 0.0;
        TAUT_TRY(read_number(r, &x));
        taut_memory_put(m, x);
    }
    return m->failed ? TAUT_ERR_MEMORY : TAUT_OK;
}

static taut_status read_rest(reader *r, taut_state *s, int values) {
    const char *method = "";
    TAUT_TRY(read_variables(r, s, values));
    TAUT_TRY(read_named(r, "discrete", &s->arena, &s->discrete, &s->discretes));
    TAUT_TRY(read_named(r, "modes", &s->arena, &s->mode, &s->modes));
    TAUT_TRY(expect(r, "method"));
    TAUT_TRY(read_name(r, &s->arena, &method));
    if (strlen(method) >= sizeof s->method) return wrong(r, "the method is unknown");
    memcpy(s->method, method, strlen(method) + 1);
    TAUT_TRY(read_memory(r, "stepper", &s->stepper));
    TAUT_TRY(read_memory(r, "run", &s->run));
    return expect(r, "sum");
}

/* The checksum is that of all bytes before the last line. */
static taut_status check_sum(reader *r, const char *text) {
    enum { LAST_LINE = 21 }; /* "sum " + 16 digits + "\n" */
    const size_t size = (size_t)(r->end - text);
    char expected[LAST_LINE + 1];
    if (size < LAST_LINE) return wrong(r, "it is no state file of taut");
    snprintf(expected, sizeof expected, "sum %016" PRIx64 "\n", sum_of(text, size - LAST_LINE));
    if (memcmp(expected, r->end - LAST_LINE, LAST_LINE) == 0) return TAUT_OK;
    return wrong(r, "it is damaged or was changed: its checksum is wrong");
}

static taut_status read_state(reader *r, taut_state **state) {
    taut_arena *arena;
    int n, values;
    const char *begin = r->next;
    TAUT_TRY(read_word(r));
    if (strcmp(r->word, HEAD) != 0) return wrong(r, "it is no state file of taut");
    TAUT_TRY(read_word(r));
    if (strcmp(r->word, "1") != 0) return wrong(r, "it was written by another version of taut");
    TAUT_TRY(check_sum(r, begin));
    TAUT_TRY(expect(r, "variables"));
    TAUT_TRY(read_count(r, 7, &n));
    TAUT_TRY(read_count(r, 5, &values));
    TAUT_TRY(taut_state_make(n, values, state));
    arena = &(*state)->arena;
    TAUT_TRY(expect(r, "formulation"));
    TAUT_TRY(read_name(r, arena, &(*state)->formulation));
    TAUT_TRY(expect(r, "t"));
    TAUT_TRY(read_number(r, &(*state)->t));
    return read_rest(r, *state, values);
}

/* The whole file into memory of its own. */
static taut_status read_file(const char *path, char **text, size_t *size, taut_errors *errors) {
    size_t room = 0, got = 1;
    *text = NULL;
    *size = 0;
    FILE *f = fopen(path, "rb");
    if (!f) return taut_fail(errors, TAUT_ERR_IO, "%s cannot be read", path);
    taut_status status = TAUT_OK;
    while (status == TAUT_OK && got > 0) {
        if (taut_grow((void **)text, &room, *size + 65536, 1)) {
            status = TAUT_ERR_MEMORY;
            break;
        }
        got = fread(*text + *size, 1, 65536, f);
        *size += got;
        if (*size >= sizeof HEAD - 1 && memcmp(*text, HEAD, sizeof HEAD - 1) != 0)
            status = taut_fail(errors, TAUT_ERR_INPUT,
                               "%s cannot be used as a state: it is no state file of taut", path);
        if (*size > LARGEST_FILE)
            status = taut_fail(errors, TAUT_ERR_INPUT, "%s is too large for a state", path);
    }
    if (status == TAUT_OK && ferror(f))
        status = taut_fail(errors, TAUT_ERR_IO, "%s cannot be read", path);
    fclose(f);
    return status;
}

taut_status taut_state_parse(const char *text, size_t size, taut_state **state,
                             taut_errors *errors) {
    reader r = {.path = "state", .next = text, .end = text + size, .errors = errors};
    *state = NULL;
    const taut_status status = read_state(&r, state);
    if (status != TAUT_OK) taut_state_free(state);
    return status;
}

taut_status taut_state_load(const char *path, taut_state **state, taut_errors *errors) {
    char *text;
    size_t size;
    TAUT_NEED(state, "state", errors);
    *state = NULL;
    TAUT_NEED(path, "path", errors);
    taut_status status = read_file(path, &text, &size, errors);
    if (status == TAUT_OK) {
        reader r = {.path = path, .next = text, .end = text + size, .errors = errors};
        status = read_state(&r, state);
    }
    taut_release((void **)&text);
    if (status != TAUT_OK) taut_state_free(state);
    return status;
}
