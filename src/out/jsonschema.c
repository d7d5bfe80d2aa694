/* The JSON schema of model files, from the same table of keys that the reader goes by. */
#include <stdio.h>

#include "core/text.h"
#include "model/joint.h"
#include "model/parts.h"
#include "out/json.h"

/* Values that several types share. `nested` is a list of lists of formulas, such as Dyna. */
static const char COMMON[] =
    "\"number\": {\"type\": [\"number\", \"string\"]},\n"
    "\"text\": {\"type\": [\"string\", \"number\", \"boolean\", \"null\"]},\n"
    "\"name\": {\"type\": \"string\", \"minLength\": 1},\n"
    "\"range\": {\"type\": \"string\", \"pattern\": \"\\\\.\\\\.\"},\n"
    "\"repeated\": {\"type\": [\"object\", \"array\"]},\n"
    "\"formula\": {\"anyOf\": [{\"$ref\": \"#/$defs/number\"},\n"
    "  {\"type\": \"array\", \"minItems\": 1, \"maxItems\": 3, \"items\": {\"$ref\": "
    "\"#/$defs/number\"}}]},\n"
    "\"nested\": {\"anyOf\": [{\"$ref\": \"#/$defs/number\"},\n"
    "  {\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/nested\"}}]},\n"
    "\"names\": {\"anyOf\": [{\"type\": \"null\"}, {\"type\": \"array\", \"items\": {\"anyOf\": "
    "[{\"$ref\": \"#/$defs/name\"},\n"
    "  {\"type\": \"object\", \"maxProperties\": 1}]}}, {\"type\": \"object\"}]}";

static const char *const SECTION[TAUT_SECTIONS] = {
    [TAUT_SECTION_TOP] = "Model",
    [TAUT_SECTION_INCLUDE] = "Include",
    [TAUT_SECTION_DAE] = "DAE",
    [TAUT_SECTION_LAGRANGIAN] = "Lagrangian",
    [TAUT_SECTION_HAMILTONIAN] = "Hamiltonian",
    [TAUT_SECTION_PARTS] = "PartData",
    [TAUT_SECTION_BODY] = "Body",
    [TAUT_SECTION_DYNAMICS] = "Dyna",
    [TAUT_SECTION_SHAPE] = "Shape",
    [TAUT_SECTION_MESH] = "Mesh",
    [TAUT_SECTION_LINK] = "Link",
    [TAUT_SECTION_LINE] = "Line",
    [TAUT_SECTION_JOINT] = "Joint",
    [TAUT_SECTION_CHAIN] = "Chain",
    [TAUT_SECTION_STEP] = "Step",
    [TAUT_SECTION_PARTICLE] = "Particle",
    [TAUT_SECTION_TORSION] = "Torsion",
    [TAUT_SECTION_BUSHING] = "Bushing",
    [TAUT_SECTION_LOAD] = "Load",
    [TAUT_SECTION_FORCES] = "AppliedForces",
    [TAUT_SECTION_ANGLE] = "Angle",
    [TAUT_SECTION_INVERSE] = "Inverse",
    [TAUT_SECTION_TRIM] = "Trim",
    [TAUT_SECTION_STUDY] = "Study",
    [TAUT_SECTION_EXPERIMENT] = "Experiment",
    [TAUT_SECTION_EVENT] = "Event",
    [TAUT_SECTION_CONTROLLER] = "Controller",
    [TAUT_SECTION_TABLE] = "Table",
    [TAUT_SECTION_CONTACT] = "Contact",
    [TAUT_SECTION_SURFACE] = "Surface",
    [TAUT_SECTION_LIMIT] = "Limit",
    [TAUT_SECTION_BREAK] = "Breaks",
    [TAUT_SECTION_FRICTION] = "Friction",
    [TAUT_SECTION_LOCK] = "Lock",
    [TAUT_SECTION_PROBLEM] = "ProblemData",
};

/* What an entry of a map from names may be. */
static void add_entry(taut_string *s, const taut_key *key) {
    static const char *const shorter[] = {
        [TAUT_TYPE_ENTRIES_OR_LISTS] =
            ("{\"type\": \"array\", \"minItems\": 2, \"maxItems\": 3, \"items\": {\"$ref\": "
             "\"#/$defs/number\"}}"),
        [TAUT_TYPE_ENTRIES_OR_NUMBERS] = "{\"$ref\": \"#/$defs/number\"}",
        [TAUT_TYPE_ENTRIES_OR_NAMES] =
            ("{\"type\": [\"string\", \"null\"]}, {\"type\": \"array\", \"items\": {\"$ref\": "
             "\"#/$defs/name\"}}"),
        [TAUT_TYPE_ENTRIES_OR_FORMULAS] = "{\"$ref\": \"#/$defs/formula\"}",
    };
    switch (key->type) {
    case TAUT_TYPE_ENTRIES:
        taut_string_add(s, "{\"$ref\": \"#/$defs/%s\"}", SECTION[key->below]);
        return;
    case TAUT_TYPE_ENTRIES_OR_LISTS:
    case TAUT_TYPE_ENTRIES_OR_NUMBERS:
    case TAUT_TYPE_ENTRIES_OR_NAMES:
    case TAUT_TYPE_ENTRIES_OR_FORMULAS:
        taut_string_add(s, "{\"anyOf\": [{\"$ref\": \"#/$defs/%s\"}, %s]}", SECTION[key->below],
                        shorter[key->type]);
        return;
    case TAUT_TYPE_NAMES:
        taut_string_add(s, "{\"type\": [\"number\", \"string\", \"null\", \"array\"]}");
        return;
    case TAUT_TYPE_VALUES: taut_string_add(s, "{\"$ref\": \"#/$defs/formula\"}"); return;
    default: taut_string_add(s, "{\"$ref\": \"#/$defs/nested\"}"); return;
    }
}

/* A map from names to entries, some of which may be repeated. */
static void add_map(taut_string *s, const taut_key *key) {
    taut_string_add(s, "{\"type\": \"object\", \"properties\": {\"Repeat\": {\"anyOf\": [");
    for (int list = 0; list < 2; list++) {
        taut_string_add(s, list ? ", {\"type\": \"array\", \"items\": " : "");
        taut_string_add(s,
                        "{\"type\": \"object\", \"minProperties\": 1, \"properties\": {\"Repeat\": "
                        "{\"$ref\": \"#/$defs/repeated\"}}, \"additionalProperties\": {\"anyOf\": "
                        "[{\"$ref\": \"#/$defs/range\"}, ");
        add_entry(s, key);
        taut_string_add(s, "]}}");
    }
    taut_string_add(s, "}]}}, \"additionalProperties\": ");
    add_entry(s, key);
    taut_string_add(s, "}");
}

static void add_joint_types(taut_string *s) {
    taut_string_add(s, "{\"enum\": [");
    for (int i = 0; i < TAUT_JOINT_KINDS; i++) {
        taut_string_add(s, i ? ", " : "");
        taut_json_text(s, taut_joint_kind_name((taut_joint_kind)i));
    }
    taut_string_add(s, "]}");
}

static void add_shape_types(taut_string *s) {
    taut_string_add(s, "{\"enum\": [");
    for (int i = 0; taut_shape_name(i); i++) {
        taut_string_add(s, i ? ", " : "");
        taut_json_text(s, taut_shape_name(i));
    }
    taut_string_add(s, "]}");
}

/* The value of a key. */
static void add_value(taut_string *s, const taut_key *key) {
    switch (key->type) {
    case TAUT_TYPE_TEXT: taut_string_add(s, "{\"$ref\": \"#/$defs/text\"}"); return;
    case TAUT_TYPE_FLAG:
        taut_string_add(s, "{\"enum\": [true, false, \"true\", \"false\"]}");
        return;
    case TAUT_TYPE_NAME: taut_string_add(s, "{\"$ref\": \"#/$defs/name\"}"); return;
    case TAUT_TYPE_NAME_OR_NAMES:
        taut_string_add(
            s, "{\"anyOf\": [{\"$ref\": \"#/$defs/name\"}, {\"$ref\": \"#/$defs/names\"}]}");
        return;
    case TAUT_TYPE_NUMBER: taut_string_add(s, "{\"$ref\": \"#/$defs/number\"}"); return;
    case TAUT_TYPE_FORMULA: taut_string_add(s, "{\"$ref\": \"#/$defs/formula\"}"); return;
    case TAUT_TYPE_FORMULA_OR_NOTHING:
        taut_string_add(s, "{\"anyOf\": [{\"type\": \"null\"}, {\"$ref\": \"#/$defs/formula\"}]}");
        return;
    case TAUT_TYPE_NESTED: taut_string_add(s, "{\"$ref\": \"#/$defs/nested\"}"); return;
    case TAUT_TYPE_SECTION:
        taut_string_add(s, "{\"anyOf\": [{\"type\": \"null\"}, {\"$ref\": \"#/$defs/%s\"}]}",
                        SECTION[key->below]);
        return;
    case TAUT_TYPE_SECTION_OR_FORMULAS:
        taut_string_add(s,
                        "{\"anyOf\": [{\"type\": \"null\"}, {\"$ref\": \"#/$defs/%s\"}, "
                        "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/nested\"}}]}",
                        SECTION[key->below]);
        return;
    case TAUT_TYPE_JOINT_TYPE: add_joint_types(s); return;
    case TAUT_TYPE_SHAPE_TYPE: add_shape_types(s); return;
    case TAUT_TYPE_TEXTS:
        taut_string_add(s, "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/text\"}}");
        return;
    case TAUT_TYPE_BETWEEN:
        taut_string_add(s, "{\"anyOf\": [{\"enum\": [\"linear\", \"pchip\", \"spline\"]}, "
                           "{\"type\": \"object\", \"properties\": {\"fit\": {\"$ref\": "
                           "\"#/$defs/number\"}}, \"required\": [\"fit\"], "
                           "\"additionalProperties\": false}]}");
        return;
    case TAUT_TYPE_OUTSIDE:
        taut_string_add(s, "{\"enum\": [\"error\", \"hold\", \"extend\", \"periodic\"]}");
        return;
    case TAUT_TYPE_INCLUDES:
        taut_string_add(s, "{\"anyOf\": [{\"type\": [\"string\", \"null\"]}, {\"$ref\": "
                           "\"#/$defs/Include\"}, {\"type\": \"array\", \"items\": {\"anyOf\": "
                           "[{\"type\": \"string\"}, {\"$ref\": \"#/$defs/Include\"}]}}]}");
        return;
    default: break;
    }
    /* a map from names, or something shorter */
    taut_string_add(s, "{\"anyOf\": [{\"type\": \"null\"}, ");
    if (key->type == TAUT_TYPE_FORMULAS)
        taut_string_add(s, "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/nested\"}}, ");
    if (key->type == TAUT_TYPE_NAMES || key->type == TAUT_TYPE_ENTRIES_OR_NAMES)
        taut_string_add(s, "{\"type\": \"array\", \"items\": {\"anyOf\": [{\"$ref\": "
                           "\"#/$defs/name\"}, {\"type\": \"object\", \"maxProperties\": 1}]}}, ");
    add_map(s, key);
    taut_string_add(s, "]}");
}

/* "key": value, with what it means. */
static void add_key(taut_string *s, const taut_key *key) {
    char unit[80], text[400];
    snprintf(text, sizeof text, "%s%s%s", key->doc, key->quantity == TAUT_ANY ? "" : " Units of ",
             key->quantity == TAUT_ANY ? ""
                                       : taut_quantity_print(key->quantity, unit, sizeof unit));
    taut_json_text(s, key->name);
    taut_string_add(s, ": {\"description\": ");
    taut_json_text(s, text);
    taut_string_add(s, ", \"allOf\": [");
    add_value(s, key);
    taut_string_add(s, "]}");
}

/* May what is in this section be repeated? */
static bool repeats(taut_section section) {
    const taut_key *key;
    for (int i = 0; (key = taut_key_get(i)); i++)
        if (key->section == TAUT_SECTION_TOP && key->type == TAUT_TYPE_SECTION &&
            key->below == section)
            return true;
    return section == TAUT_SECTION_TOP;
}

/* The keys of a section; repeated: the index may be any other one. */
static void add_section(taut_string *s, taut_section section, bool repeated) {
    const taut_key *key;
    const char *comma = "";
    taut_string_add(s, "\"type\": \"object\", \"properties\": {\n");
    for (int i = 0; (key = taut_key_get(i)); i++) {
        if (key->section != section) continue;
        taut_string_add(s, "%s  ", comma);
        add_key(s, key);
        comma = ",\n";
    }
    if (repeats(section))
        taut_string_add(
            s,
            ",\n  \"Repeat\": {\"anyOf\": [{\"$ref\": \"#/$defs/Repeated%s\"}, {\"type\": "
            "\"array\", \"items\": {\"$ref\": \"#/$defs/Repeated%s\"}}]}",
            SECTION[section], SECTION[section]);
    taut_string_add(s, "\n}, \"additionalProperties\": %s",
                    repeated ? "{\"$ref\": \"#/$defs/range\"}" : "false");
}

/* One kind of model, unless it comes from another file. */
static const char KINDS[] =
    "\"anyOf\": [{\"required\": [\"Include\"]}, {\"required\": [\"Repeat\"]}, {\"oneOf\": ["
    "{\"required\": [\"PartData\", \"Dimension\"]}, {\"required\": [\"Lagrangian\"]},\n"
    "  {\"required\": [\"Hamiltonian\"]}, {\"required\": [\"DAE\"]}]}]";

taut_status taut_schema(char **text) {
    taut_string s = {0};
    TAUT_NEED(text, "text", NULL);
    taut_string_add(&s,
                    "{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
                    "\"title\": \"taut model file\",\n%s,\n",
                    KINDS);
    add_section(&s, TAUT_SECTION_TOP, false);
    taut_string_add(&s, ",\n\"$defs\": {\n%s", COMMON);
    for (int i = TAUT_SECTION_TOP; i < TAUT_SECTIONS; i++)
        for (int repeated = 0; repeated < 2; repeated++) {
            if (repeated ? !repeats((taut_section)i) : i == TAUT_SECTION_TOP) continue;
            taut_string_add(&s, ",\n\"%s%s\": {", repeated ? "Repeated" : "", SECTION[i]);
            add_section(&s, (taut_section)i, repeated != 0);
            taut_string_add(&s, "}");
        }
    taut_string_add(&s, "}\n}\n");
    *text = s.text;
    if (!s.failed) return TAUT_OK;
    taut_string_release(&s);
    *text = NULL;
    return TAUT_ERR_MEMORY;
}
