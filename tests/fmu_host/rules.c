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

static bool check_interface(host_description *d) {
    const int at = xml_child(&d->xml, 0, "CoSimulation");
    if (at < 0) return broken(d, "CoSimulation is missing");
    const xml_element *e = &d->xml.element[at];
    d->identifier = xml_get(e, "modelIdentifier");
    if (!d->identifier || !*d->identifier || isdigit((unsigned char)d->identifier[0]))
        return broken(d, "modelIdentifier is no name of C");
    for (const char *p = d->identifier; *p; p++)
        if (!isalnum((unsigned char)*p) && *p != '_')
            return broken(d, "modelIdentifier is no name of C");
    for (int i = 0; i < e->attributes; i++)
        if (strncmp(e->key[i], "can", 3) == 0 && !is_one_of(e->value[i], "true false"))
            return broken(d, "%s is not true or false", e->key[i]);
    const char *set = xml_get(e, d->version == 3 ? "canGetAndSetFMUState" : "canGetAndSetFMUstate");
    const char *save =
        xml_get(e, d->version == 3 ? "canSerializeFMUState" : "canSerializeFMUstate");
    if (is_one_of(save, "true") && !is_one_of(set, "true"))
        return broken(d, "states can be serialized but not set");
    return true;
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

/* The variable that an entry of the structure means; -1: there is none. */
static int meant(const host_description *d, const xml_element *e) {
    unsigned number;
    if (!is_reference(xml_get(e, d->version == 3 ? "valueReference" : "index"), &number)) return -1;
    if (d->version == 2)
        return number >= 1 && number <= (unsigned)d->variables ? (int)number - 1 : -1;
    for (int i = 0; i < d->variables; i++)
        if (d->variable[i].reference == number) return i;
    return -1;
}

/* Each variable that belongs into a list is there exactly once. */
static bool check_list(host_description *d, int parent, const char *entry, bool initial) {
    static int count[RULES_VARIABLES];
    memset(count, 0, sizeof count);
    for (int i = 0; i < d->xml.count; i++) {
        const xml_element *e = &d->xml.element[i];
        if (e->parent != parent || strcmp(e->name, entry) != 0) continue;
        const int v = meant(d, e);
        if (v < 0) return broken(d, "%s: there is no such variable", entry);
        if (!is_one_of(d->variable[v].causality, "output"))
            return broken(d, "%s: %s is no output", entry, d->variable[v].name);
        if (count[v]++) return broken(d, "%s: %s twice", entry, d->variable[v].name);
    }
    for (int v = 0; v < d->variables; v++) {
        const bool output = is_one_of(d->variable[v].causality, "output");
        const bool belongs =
            output && (!initial || is_one_of(d->variable[v].initial, "calculated approx"));
        if (belongs && !count[v])
            return broken(d, "%s: %s is missing", initial ? "initial unknowns" : "outputs",
                          d->variable[v].name);
    }
    return true;
}

static bool check_structure(host_description *d) {
    const int at = xml_child(&d->xml, 0, "ModelStructure");
    if (at < 0) return broken(d, "ModelStructure is missing");
    if (d->version == 3)
        return check_list(d, at, "Output", false) && check_list(d, at, "InitialUnknown", true);
    const int outputs = xml_child(&d->xml, at, "Outputs");
    const int initial = xml_child(&d->xml, at, "InitialUnknowns");
    if (outputs < 0 || initial < 0) return broken(d, "Outputs or InitialUnknowns is missing");
    return check_list(d, outputs, "Unknown", false) && check_list(d, initial, "Unknown", true);
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
