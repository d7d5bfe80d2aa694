/* modelDescription.xml of FMI 2.0 and 3.0, for co-simulation. */
#include <math.h>
#include <string.h>

#include "core/number.h"
#include "export/fmu.h"

/* ---- text ---- */

static void put_escaped(taut_string *xml, const char *text) {
    for (; *text; text++) {
        const char *word = *text == '&'    ? "&amp;"
                           : *text == '<'  ? "&lt;"
                           : *text == '>'  ? "&gt;"
                           : *text == '"'  ? "&quot;"
                           : *text == '\'' ? "&apos;"
                                           : NULL;
        if (word)
            taut_string_add(xml, "%s", word);
        else if ((unsigned char)*text >= ' ')
            taut_string_add(xml, "%c", *text);
        else
            taut_string_add(xml, " ");
    }
}

static void put_attribute(taut_string *xml, const char *name, const char *value) {
    taut_string_add(xml, " %s=\"", name);
    put_escaped(xml, value);
    taut_string_add(xml, "\"");
}

static void put_number(taut_string *xml, const char *name, double value) {
    char digits[40];
    taut_format(digits, sizeof digits, "%.17g", value);
    taut_string_add(xml, " %s=\"%s\"", name, digits);
}

/* ---- units ---- */

/* The base units of a unit such as kg*m/s^2, N, rad/s; false: it is not made of these. */
typedef struct base_unit {
    int kg, m, s, A, K, rad;
} base_unit;

static bool add_word(base_unit *b, const char *word, size_t n, int power) {
    static const struct {
        const char *name;
        base_unit base;
    } known[] = {{"kg", {.kg = 1}},
                 {"m", {.m = 1}},
                 {"s", {.s = 1}},
                 {"A", {.A = 1}},
                 {"K", {.K = 1}},
                 {"rad", {.rad = 1}},
                 {"N", {.kg = 1, .m = 1, .s = -2}},
                 {"J", {.kg = 1, .m = 2, .s = -2}},
                 {"W", {.kg = 1, .m = 2, .s = -3}},
                 {"1", {0}}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i].name) == n && strncmp(known[i].name, word, n) == 0) {
            const base_unit *k = &known[i].base;
            b->kg += power * k->kg;
            b->m += power * k->m;
            b->s += power * k->s;
            b->A += power * k->A;
            b->K += power * k->K;
            b->rad += power * k->rad;
            return true;
        }
    return false;
}

static bool read_unit(const char *unit, base_unit *b) {
    int sign = 1;
    *b = (base_unit){0};
    while (*unit) {
        const size_t n = strcspn(unit, "*/^ ");
        int power = 1;
        const char *rest = unit + n;
        if (*rest == '^' && rest[1] >= '0' && rest[1] <= '9') {
            power = rest[1] - '0';
            rest += 2;
        }
        if (n == 0 || !add_word(b, unit, n, sign * power)) return false;
        if (*rest == '/')
            sign = -1;
        else if (*rest == '*' || *rest == ' ')
            sign = 1;
        else if (*rest)
            return false;
        unit = *rest ? rest + 1 : rest;
    }
    return true;
}

static bool is_first_of_unit(const taut_fmu_list *list, int k) {
    for (int i = 0; i < k; i++)
        if (strcmp(list->item[i].unit, list->item[k].unit) == 0) return false;
    return true;
}

static void put_units(taut_string *xml, const taut_fmu_list *list) {
    bool begun = false;
    for (int k = 0; k < list->count; k++) {
        base_unit b;
        const char *unit = list->item[k].unit;
        if (!unit[0] || !is_first_of_unit(list, k)) continue;
        if (!begun) taut_string_add(xml, "  <UnitDefinitions>\n");
        begun = true;
        taut_string_add(xml, "    <Unit");
        put_attribute(xml, "name", unit);
        if (!read_unit(unit, &b)) {
            taut_string_add(xml, "/>\n");
            continue;
        }
        const struct {
            const char *name;
            int power;
        } part[] = {{"kg", b.kg}, {"m", b.m}, {"s", b.s}, {"A", b.A}, {"K", b.K}, {"rad", b.rad}};
        taut_string_add(xml, "><BaseUnit");
        for (size_t i = 0; i < sizeof part / sizeof *part; i++)
            if (part[i].power) taut_string_add(xml, " %s=\"%d\"", part[i].name, part[i].power);
        taut_string_add(xml, "/></Unit>\n");
    }
    if (begun) taut_string_add(xml, "  </UnitDefinitions>\n");
}

/* ---- variables ---- */

/* What the standard wants to know of each role. */
static const struct {
    const char *causality, *variability;
    bool starts, calculated;
} ROLE[] = {
    [TAUT_FMU_TIME] = {"independent", "continuous", false, false},
    [TAUT_FMU_PARAMETER] = {"parameter", "fixed", true, false},
    [TAUT_FMU_TUNABLE] = {"parameter", "tunable", true, false},
    [TAUT_FMU_INPUT] = {"input", "continuous", true, false},
    [TAUT_FMU_OUTPUT] = {"output", "continuous", false, true},
    [TAUT_FMU_STATE] = {"local", "continuous", false, true},
    [TAUT_FMU_RATE] = {"local", "continuous", false, true},
    [TAUT_FMU_INDICATOR] = {"local", "continuous", false, true},
};

static int find_role(const taut_fmu_list *list, taut_fmu_role role, int number) {
    for (int i = 0; i < list->count; i++)
        if (list->item[i].role == role && list->item[i].column == number) return i;
    return -1;
}

static void put_variable(taut_string *xml, const taut_fmu_list *list, int reference, int version) {
    const taut_fmu_variable *v = &list->item[reference];
    taut_string_add(xml, version == 3 ? "    <Float64" : "    <ScalarVariable");
    put_attribute(xml, "name", v->name);
    taut_string_add(xml, " valueReference=\"%d\" causality=\"%s\" variability=\"%s\"", reference,
                    ROLE[v->role].causality, ROLE[v->role].variability);
    if (ROLE[v->role].calculated) taut_string_add(xml, " initial=\"calculated\"");
    if (version == 2) taut_string_add(xml, "><Real");
    if (v->unit[0]) put_attribute(xml, "unit", v->unit);
    if (v->role == TAUT_FMU_RATE) /* version 2 counts variables from 1 */
        taut_string_add(xml, " derivative=\"%d\"",
                        find_role(list, TAUT_FMU_STATE, v->column) + (version == 2 ? 1 : 0));
    if (ROLE[v->role].starts) put_number(xml, "start", v->start);
    taut_string_add(xml, version == 3 ? "/>\n" : "/></ScalarVariable>\n");
}

/* One list of the structure: all variables of some roles. */
typedef struct structure_list {
    const char *two, *three; /* the list of version 2, the element of version 3; NULL: none */
    unsigned roles;          /* bits */
} structure_list;

static void put_list(taut_string *xml, const taut_fmu_description *d, const structure_list *l) {
    const taut_fmu_list *list = d->list;
    bool any = false;
    if (!(d->version == 2 ? l->two : l->three)) return;
    for (int i = 0; i < list->count; i++) {
        if (!(l->roles >> list->item[i].role & 1U)) continue;
        if (d->version == 2 && !any) taut_string_add(xml, "    <%s>\n", l->two);
        any = true;
        if (d->version == 2)
            taut_string_add(xml, "      <Unknown index=\"%d\"/>\n", i + 1);
        else
            taut_string_add(xml, "    <%s valueReference=\"%d\"/>\n", l->three, i);
    }
    if (d->version == 2 && any) taut_string_add(xml, "    </%s>\n", l->two);
}

static void put_structure(taut_string *xml, const taut_fmu_description *d) {
    static const unsigned outputs = 1U << TAUT_FMU_OUTPUT, rates = 1U << TAUT_FMU_RATE,
                          states = 1U << TAUT_FMU_STATE;
    static const structure_list list[] = {
        {"Outputs", "Output", outputs},
        {"Derivatives", "ContinuousStateDerivative", rates},
        {"InitialUnknowns", "InitialUnknown", outputs | rates | states},
        {NULL, "EventIndicator", 1U << TAUT_FMU_INDICATOR}};
    taut_string_add(xml, "  <ModelStructure>\n");
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) put_list(xml, d, &list[i]);
    taut_string_add(xml, "  </ModelStructure>\n");
}

/* ---- the description ---- */

/* Source code offers less. */
static void put_sources(taut_string *xml, const taut_fmu_description *d) {
    taut_string_add(xml, "  <CoSimulation");
    put_attribute(xml, "modelIdentifier", d->identifier);
    taut_string_add(xml, " canHandleVariableCommunicationStepSize=\"true\"");
    if (d->version == 3) {
        taut_string_add(xml, " canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\"/>\n");
        return;
    }
    taut_string_add(xml,
                    " canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\">\n"
                    "    <SourceFiles><File name=\"fmu.c\"/><File name=\"%s.c\"/></SourceFiles>\n"
                    "  </CoSimulation>\n",
                    d->stem);
}

static void put_interface(taut_string *xml, const taut_fmu_description *d, const char *kind,
                          const char *more) {
    taut_string_add(xml, "  <%s", kind);
    put_attribute(xml, "modelIdentifier", d->identifier);
    taut_string_add(xml, "%s%s/>\n",
                    d->version == 3
                        ? " canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\" "
                          "providesDirectionalDerivatives=\"true\""
                        : " canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\" "
                          "providesDirectionalDerivative=\"true\"",
                    more);
}

static void put_interfaces(taut_string *xml, const taut_fmu_description *d) {
    if (d->stem) {
        put_sources(xml, d);
        return;
    }
    char more[400];
    taut_format(
        more, sizeof more,
        " canHandleVariableCommunicationStepSize=\"true\" maxOutputDerivativeOrder=\"%d\"%s",
        TAUT_FMU_OUTPUT_ORDER,
        d->version == 3 ? " hasEventMode=\"true\" providesIntermediateUpdate=\"true\" "
                          "canReturnEarlyAfterIntermediateUpdate=\"true\""
        : d->moves      ? " canInterpolateInputs=\"true\""
                        : "");
    if (d->exchanges) put_interface(xml, d, "ModelExchange", "");
    put_interface(xml, d, "CoSimulation", more);
}

void taut_fmu_describe(const taut_fmu_description *d, taut_string *xml) {
    taut_string_add(xml, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription");
    put_attribute(xml, "fmiVersion", d->version == 3 ? "3.0" : "2.0");
    put_attribute(xml, "modelName", d->name);
    taut_string_add(xml, " %s=\"taut-%016llx\"", d->version == 3 ? "instantiationToken" : "guid",
                    d->token);
    if (d->title[0]) put_attribute(xml, "description", d->title);
    taut_string_add(xml, " generationTool=\"taut %s\" variableNamingConvention=\"flat\"",
                    taut_version());
    if (d->version == 2) taut_string_add(xml, " numberOfEventIndicators=\"%d\"", d->indicators);
    taut_string_add(xml, ">\n");
    put_interfaces(xml, d);
    put_units(xml, d->list);
    taut_string_add(xml, "  <DefaultExperiment");
    put_number(xml, "startTime", d->t0);
    if (isfinite(d->tend)) put_number(xml, "stopTime", d->tend);
    put_number(xml, "tolerance", d->tolerance);
    taut_string_add(xml, "/>\n  <ModelVariables>\n");
    for (int i = 0; i < d->list->count; i++) put_variable(xml, d->list, i, d->version);
    taut_string_add(xml, "  </ModelVariables>\n");
    put_structure(xml, d);
    taut_string_add(xml, "</fmiModelDescription>\n");
}
