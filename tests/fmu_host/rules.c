/* One function a group of rules; the first one that is broken counts. */
#include "fmu_host/rules.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool broken(host_description *d, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(d->fault, sizeof d->fault, format, args);
    va_end(args);
    return false;
}

static bool is_one_of(const char *word, const char *list) {
    const size_t n = word ? strlen(word) : 0;
    for (const char *p = list; word && *p; p += strcspn(p, " "), p += *p == ' ')
        if (strncmp(p, word, n) == 0 && (p[n] == ' ' || !p[n])) return true;
    return false;
}

static bool is_number(const char *text, double *value) {
    char *end;
    if (!text || !*text) return false;
    *value = strtod(text, &end);
    return !*end && isfinite(*value);
}

static bool is_reference(const char *text, unsigned *value) {
    char *end;
    if (!text || !isdigit((unsigned char)*text)) return false;
    const unsigned long x = strtoul(text, &end, 10);
    *value = (unsigned)x;
    return !*end && x <= 0xffffffffUL;
}

/* ---- the root and the interface ---- */

static bool check_root(host_description *d) {
    const xml_element *root = &d->xml.element[0];
    const char *version = xml_get(root, "fmiVersion");
    if (strcmp(root->name, "fmiModelDescription") != 0)
        return broken(d, "the root is %s", root->name);
    if (!version || (strcmp(version, "2.0") != 0 && strcmp(version, "3.0") != 0))
        return broken(d, "fmiVersion is not 2.0 or 3.0");
    d->version = version[0] - '0';
    if (!xml_get(root, "modelName") || !*xml_get(root, "modelName"))
        return broken(d, "modelName is missing");
    d->token = xml_get(root, d->version == 3 ? "instantiationToken" : "guid");
    if (!d->token || !*d->token) return broken(d, "the token (guid) is missing");
    const char *convention = xml_get(root, "variableNamingConvention");
    if (convention && !is_one_of(convention, "flat structured"))
        return broken(d, "variableNamingConvention is %s", convention);
    return true;
}

static bool check_kind(host_description *d, const xml_element *e) {
    d->identifier = xml_get(e, "modelIdentifier");
    if (!d->identifier || !*d->identifier || isdigit((unsigned char)d->identifier[0]))
        return broken(d, "modelIdentifier is no name of C");
    for (const char *p = d->identifier; *p; p++)
        if (!isalnum((unsigned char)*p) && *p != '_')
            return broken(d, "modelIdentifier is no name of C");
    for (int i = 0; i < e->attributes; i++) {
        const bool flag = strncmp(e->key[i], "can", 3) == 0 || strncmp(e->key[i], "has", 3) == 0 ||
                          strncmp(e->key[i], "provides", 8) == 0;
        if (flag && !is_one_of(e->value[i], "true false"))
            return broken(d, "%s is not true or false", e->key[i]);
    }
    const char *set = xml_get(e, d->version == 3 ? "canGetAndSetFMUState" : "canGetAndSetFMUstate");
    const char *save =
        xml_get(e, d->version == 3 ? "canSerializeFMUState" : "canSerializeFMUstate");
    if (is_one_of(save, "true") && !is_one_of(set, "true"))
        return broken(d, "states can be serialized but not set");
    return true;
}

static bool check_interface(host_description *d) {
    const int steps = xml_child(&d->xml, 0, "CoSimulation"),
              rates = xml_child(&d->xml, 0, "ModelExchange");
    const char *number = xml_get(&d->xml.element[0], "numberOfEventIndicators");
    unsigned indicators = 0;
    if (steps < 0 && rates < 0) return broken(d, "CoSimulation or ModelExchange is missing");
    d->exchange = rates >= 0;
    if (d->version == 2 && number && !is_reference(number, &indicators))
        return broken(d, "numberOfEventIndicators is no number");
    if (d->version == 3 && number) return broken(d, "numberOfEventIndicators is of version 2");
    d->indicators = (int)indicators;
    return (rates < 0 || check_kind(d, &d->xml.element[rates])) &&
           (steps < 0 || check_kind(d, &d->xml.element[steps]));
}

static bool check_order(host_description *d) {
    static const char *const order[] = {
        "ModelExchange",   "CoSimulation",  "ScheduledExecution", "UnitDefinitions",
        "TypeDefinitions", "LogCategories", "DefaultExperiment",  "VendorAnnotations",
        "ModelVariables",  "ModelStructure"};
    enum { KINDS = sizeof order / sizeof *order };
    int last = -1;
    for (int i = 1; i < d->xml.count; i++) {
        if (d->xml.element[i].parent != 0) continue;
        int k = 0;
        while (k < KINDS && strcmp(order[k], d->xml.element[i].name) != 0) k++;
        if (k == KINDS) return broken(d, "unknown element %s", d->xml.element[i].name);
        if (k == last) return broken(d, "%s twice", order[k]);
        if (k < last) return broken(d, "%s is in the wrong place", order[k]);
        last = k;
    }
    return true;
}

static bool check_experiment(host_description *d) {
    const int at = xml_child(&d->xml, 0, "DefaultExperiment");
    double tolerance = 1.0;
    d->start = 0.0;
    d->stop = (double)NAN;
    if (at < 0) return true;
    const xml_element *e = &d->xml.element[at];
    if (xml_get(e, "startTime") && !is_number(xml_get(e, "startTime"), &d->start))
        return broken(d, "startTime is no number");
    if (xml_get(e, "stopTime") && !is_number(xml_get(e, "stopTime"), &d->stop))
        return broken(d, "stopTime is no number");
    if (xml_get(e, "tolerance") &&
        (!is_number(xml_get(e, "tolerance"), &tolerance) || tolerance <= 0.0))
        return broken(d, "tolerance is not positive");
    return !(d->stop <= d->start) || broken(d, "stopTime is not behind startTime");
}

/* ---- variables ---- */

/* What the tables of the standard allow for each causality. */
static bool check_attributes(host_description *d, const host_variable *v) {
    double start;
    if (!is_one_of(v->causality, "parameter input output independent local calculatedParameter"))
        return broken(d, "%s: causality %s", v->name, v->causality ? v->causality : "missing");
    if (!is_one_of(v->variability, "fixed tunable discrete continuous constant"))
        return broken(d, "%s: variability %s", v->name,
                      v->variability ? v->variability : "missing");
    const bool parameter = is_one_of(v->causality, "parameter calculatedParameter");
    if (parameter && !is_one_of(v->variability, "fixed tunable"))
        return broken(d, "%s: a parameter is fixed or tunable", v->name);
    if (is_one_of(v->causality, "input output") &&
        !is_one_of(v->variability, "discrete continuous"))
        return broken(d, "%s: an %s is discrete or continuous", v->name, v->causality);
    const bool independent = is_one_of(v->causality, "independent");
    if (independent && !is_one_of(v->variability, "continuous"))
        return broken(d, "%s: the independent variable is continuous", v->name);
    if (v->initial && !is_one_of(v->initial, "exact approx calculated"))
        return broken(d, "%s: initial %s", v->name, v->initial);
    if (v->initial && (independent || is_one_of(v->causality, "input")))
        return broken(d, "%s: initial is not allowed for %s", v->name, v->causality);
    if (is_one_of(v->causality, "parameter") && is_one_of(v->initial, "calculated approx"))
        return broken(d, "%s: a parameter is not calculated", v->name);
    if (v->start && !is_number(v->start, &start))
        return broken(d, "%s: start is no number", v->name);
    if (is_one_of(v->causality, "parameter input") && !v->start)
        return broken(d, "%s: start is missing", v->name);
    if (v->start && (independent || is_one_of(v->initial, "calculated")))
        return broken(d, "%s: start is not allowed", v->name);
    return true;
}

static bool read_variable(host_description *d, int at) {
    const xml_element *e = &d->xml.element[at], *type = e;
    host_variable *v = &d->variable[d->variables];
    if (strcmp(e->name, d->version == 3 ? "Float64" : "ScalarVariable") != 0)
        return broken(d, "unknown type of variable %s", e->name);
    if (d->version == 2) {
        const int real = xml_child(&d->xml, at, "Real");
        if (real < 0) return broken(d, "a variable without its type");
        type = &d->xml.element[real];
    }
    *v = (host_variable){.name = xml_get(e, "name"),
                         .causality = xml_get(e, "causality"),
                         .variability = xml_get(e, "variability"),
                         .initial = xml_get(e, "initial"),
                         .derivative = xml_get(type, "derivative"),
                         .start = xml_get(type, "start"),
                         .unit = xml_get(type, "unit")};
    if (!v->name || !*v->name) return broken(d, "a variable without a name");
    if (!is_reference(xml_get(e, "valueReference"), &v->reference))
        return broken(d, "%s: valueReference is missing or no number", v->name);
    for (int i = 0; i < d->variables; i++) {
        if (strcmp(d->variable[i].name, v->name) == 0)
            return broken(d, "%s: the name twice", v->name);
        if (d->variable[i].reference == v->reference)
            return broken(d, "%s: the reference twice", v->name);
    }
    d->variables++;
    return check_attributes(d, v);
}

static bool check_variables(host_description *d) {
    const int list = xml_child(&d->xml, 0, "ModelVariables");
    int independents = 0;
    if (list < 0) return broken(d, "ModelVariables is missing");
    d->variables = 0;
    for (int i = 0; i < d->xml.count; i++)
        if (d->xml.element[i].parent == list && !read_variable(d, i)) return false;
    if (d->variables == 0) return broken(d, "there are no variables");
    for (int i = 0; i < d->variables; i++)
        independents += is_one_of(d->variable[i].causality, "independent");
    return independents == 1 || broken(d, "%d independent variables", independents);
}

static bool check_units(host_description *d) {
    const int list = xml_child(&d->xml, 0, "UnitDefinitions");
    for (int i = 0; i < d->xml.count; i++) {
        if (list < 0 || d->xml.element[i].parent != list) continue;
        const char *name = xml_get(&d->xml.element[i], "name");
        if (!name || !*name) return broken(d, "a unit without a name");
        for (int k = 0; k < i; k++)
            if (d->xml.element[k].parent == list &&
                strcmp(xml_get(&d->xml.element[k], "name"), name) == 0)
                return broken(d, "the unit %s twice", name);
    }
    for (int v = 0; v < d->variables; v++) {
        bool found = !d->variable[v].unit;
        for (int i = 0; i < d->xml.count && list >= 0; i++)
            found =
                found || (d->xml.element[i].parent == list &&
                          strcmp(xml_get(&d->xml.element[i], "name"), d->variable[v].unit) == 0);
        if (!found)
            return broken(d, "%s: the unit %s is not defined", d->variable[v].name,
                          d->variable[v].unit);
    }
    return true;
}

/* ---- structure ---- */

/* The variable that a number means, a reference or (version 2) a place; -1: there is none. */
static int meant(const host_description *d, const char *text) {
    unsigned number;
    if (!is_reference(text, &number)) return -1;
    if (d->version == 2)
        return number >= 1 && number <= (unsigned)d->variables ? (int)number - 1 : -1;
    for (int i = 0; i < d->variables; i++)
        if (d->variable[i].reference == number) return i;
    return -1;
}

/* ---- what belongs into which list ---- */

typedef bool belongs_fn(const host_variable *v);
static bool is_calculated(const host_variable *v) {
    return is_one_of(v->initial, "calculated approx");
}
static bool is_output(const host_variable *v) { return is_one_of(v->causality, "output"); }
static bool is_rate(const host_variable *v) { return v->is_rate; }
static bool is_unknown(const host_variable *v) {
    return (is_output(v) || v->is_rate || v->is_state) && is_calculated(v);
}
static bool is_continuous(const host_variable *v) {
    return is_one_of(v->variability, "continuous") && !is_one_of(v->causality, "independent input");
}

typedef struct list_rule {
    const char *entry, *words, *lacks; /* of the element, of the list; what a wrong one is not */
    belongs_fn *allowed;
    belongs_fn *wanted; /* NULL: none has to be there */
} list_rule;

/* Each variable that belongs into a list is there exactly once. */
static bool check_list(host_description *d, int parent, const list_rule *rule, int *length) {
    static int count[RULES_VARIABLES];
    memset(count, 0, sizeof count);
    *length = 0;
    for (int i = 0; i < d->xml.count; i++) {
        const xml_element *e = &d->xml.element[i];
        if (e->parent != parent || strcmp(e->name, rule->entry) != 0) continue;
        const int v = meant(d, xml_get(e, d->version == 3 ? "valueReference" : "index"));
        if (v < 0) return broken(d, "%s: there is no such variable", rule->words);
        if (!rule->allowed(&d->variable[v]))
            return broken(d, "%s: %s is no %s", rule->words, d->variable[v].name, rule->lacks);
        if (count[v]++) return broken(d, "%s: %s twice", rule->words, d->variable[v].name);
        ++*length;
    }
    for (int v = 0; v < d->variables && rule->wanted; v++)
        if (rule->wanted(&d->variable[v]) && !count[v])
            return broken(d, "%s: %s is missing", rule->words, d->variable[v].name);
    return true;
}

/* Derivatives and the states that they are of. */
static bool find_states(host_description *d) {
    for (int i = 0; i < d->variables; i++) {
        host_variable *v = &d->variable[i];
        if (!v->derivative) continue;
        const int state = meant(d, v->derivative);
        if (state < 0) return broken(d, "%s is the derivative of no variable", v->name);
        if (state == i) return broken(d, "%s is the derivative of itself", v->name);
        if (!is_one_of(v->variability, "continuous") ||
            !is_one_of(d->variable[state].variability, "continuous"))
            return broken(d, "%s: derivatives and states are continuous", v->name);
        if (d->variable[state].is_state)
            return broken(d, "%s has two derivatives", d->variable[state].name);
        v->is_rate = d->variable[state].is_state = true;
        d->states++;
    }
    return true;
}

/* The elements below it, and their order. */
static bool check_elements(host_description *d, int structure) {
    static const char *const two[] = {"Outputs", "Derivatives", "InitialUnknowns", NULL};
    static const char *const three[] = {"Output",         "ContinuousStateDerivative",
                                        "ClockedState",   "InitialUnknown",
                                        "EventIndicator", NULL};
    const char *const *order = d->version == 3 ? three : two;
    int last = 0;
    for (int i = 0; i < d->xml.count; i++) {
        if (d->xml.element[i].parent != structure) continue;
        const char *name = d->xml.element[i].name;
        int k = 0;
        while (order[k] && strcmp(order[k], name) != 0) k++;
        if (!order[k]) return broken(d, "unknown element %s in the structure", name);
        if (k < last) return broken(d, "%s is in the wrong place", name);
        last = k;
    }
    return true;
}

static bool check_structure(host_description *d) {
    const int at = xml_child(&d->xml, 0, "ModelStructure");
    int outputs, rates, unknowns, indicators;
    d->states = 0;
    if (at < 0) return broken(d, "ModelStructure is missing");
    if (!find_states(d) || !check_elements(d, at)) return false;
    const bool three = d->version == 3;
    const list_rule rule[] = {
        {three ? "Output" : "Unknown", "outputs", "output", is_output, is_output},
        {three ? "ContinuousStateDerivative" : "Unknown", "derivatives", "derivative", is_rate,
         is_rate},
        {three ? "InitialUnknown" : "Unknown", "initial unknowns", "unknown", is_unknown,
         is_unknown},
        {"EventIndicator", "event indicators", "continuous variable", is_continuous, NULL}};
    const int place[] = {three ? at : xml_child(&d->xml, at, "Outputs"),
                         three ? at : xml_child(&d->xml, at, "Derivatives"),
                         three ? at : xml_child(&d->xml, at, "InitialUnknowns"), at};
    if (!check_list(d, place[0], &rule[0], &outputs) ||
        !check_list(d, place[1], &rule[1], &rates) || !check_list(d, place[2], &rule[2], &unknowns))
        return false;
    if (three && !check_list(d, place[3], &rule[3], &indicators)) return false;
    if (three) d->indicators = indicators;
    return true;
}

/* ---- all of them ---- */

bool host_describe(host_description *d, const char *text) {
    d->fault[0] = '\0';
    if (!xml_read(&d->xml, text)) return broken(d, "%s", d->xml.fault);
    return check_root(d) && check_order(d) && check_interface(d) && check_experiment(d) &&
           check_variables(d) && check_units(d) && check_structure(d);
}

void host_description_release(host_description *d) { xml_release(&d->xml); }

int host_find(const host_description *d, const char *name) {
    for (int i = 0; i < d->variables; i++)
        if (strcmp(d->variable[i].name, name) == 0) return (int)d->variable[i].reference;
    return -1;
}
