#!/usr/bin/env python3
"""States of the mechanisms in examples/, as given with the problems: writes mechanisms.h beside it.

usage: mechanisms.py FOLDER, with one NAME.json a problem in it. Columns, the state at t = 0 and later
states are copied with all digits that a double can hold; no number comes from taut.
"""
import glob, json, os, sys

if len(sys.argv) != 2:
    sys.exit(__doc__)
problems = [json.load(open(f)) for f in sorted(glob.glob(os.path.join(sys.argv[1], "*.json")))]
if not problems:
    sys.exit("no problems in " + sys.argv[1])


def number(text):
    return repr(float(text)).removesuffix(".0")


def wrapped(items, indent):
    lines, line = [], indent
    for item in items:
        if len(line) + len(item) > 96:
            lines.append(line.rstrip())
            line = indent
        line += item + ", "
    return "\n".join(lines + [line.rstrip(", ")])


out = ["""/* States of the mechanisms, written by mechanisms.py in this folder; do not edit. */
#ifndef TAUT_REFERENCE_MECHANISMS_H
#define TAUT_REFERENCE_MECHANISMS_H

/* examples/<name>.yaml: its columns and its states, the first one at t = 0. */
typedef struct mechanism {
    const char *name;
    double tend;
    int columns, states;
    const char *const *column; /* [columns] */
    const double *time;        /* [states] */
    const double *value;       /* [states][columns] */
} mechanism;

/* clang-format off */"""]
rows = []
for p in problems:
    name, columns = p["example"], p["columns"]
    states = [p["initial_state"]] + p["states"]
    tag = name.replace("-", "_")
    out.append(f"static const char *const {tag}_column[] = {{")
    out.append(wrapped([json.dumps(c) for c in columns], "    ") + "};")
    out.append(f"static const double {tag}_time[] = {{" + ", ".join(number(s["t"]) for s in states) + "};")
    out.append(f"static const double {tag}_value[] = {{")
    out.append(",\n".join(wrapped([number(s[c]) for c in columns], "    ") for s in states) + "};")
    rows.append(f'    {{"{name}", {number(p["tend"])}, {len(columns)}, {len(states)}, '
                f"{tag}_column, {tag}_time, {tag}_value}},")
out += ["", f"enum {{ MECHANISMS = {len(problems)} }};", "static const mechanism mechanisms[MECHANISMS] = {",
        *rows, "};", "/* clang-format on */", "", "#endif", ""]
here = os.path.dirname(os.path.abspath(__file__))
open(os.path.join(here, "mechanisms.h"), "w").write("\n".join(out))
