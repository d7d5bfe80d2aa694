#!/usr/bin/env python3
"""The JSON schema of `taut schema` against taut itself: it takes every example, refuses files whose fault is one of
structure, and both it and the description of the file format know every key of schema.def.

    tests/test_schema.py TAUT SOURCE_DIR
"""
import copy
import json
import os
import re
import subprocess
import sys
import tempfile

import jsonschema
import yaml

TAUT, SOURCE = sys.argv[1], sys.argv[2]
failures = []


def fail(text):
    failures.append(text)
    print("FAILED:", text)


class Loader(yaml.SafeLoader):
    """YAML 1.2: of the plain words only true, false and null mean something."""


Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith((":bool", ":timestamp", ":merge"))]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(true|false)$"), list("tf"))


def load(text):
    return yaml.load(text, Loader)


def read(*path):
    with open(os.path.join(SOURCE, *path), encoding="utf-8") as file:
        return file.read()


def run(*arguments):
    return subprocess.run([TAUT, *arguments], capture_output=True, text=True, check=False)


def taut_refuses(text):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "m.yaml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return run("check", path).returncode == 2


result = run("schema")
if result.returncode != 0 or result.stderr:
    sys.exit(f"taut schema ends with {result.returncode}: {result.stderr}")
schema = json.loads(result.stdout)
Validator = jsonschema.Draft202012Validator
Validator.check_schema(schema)
validator = Validator(schema)


def is_valid(text):
    return validator.is_valid(load(text))


def explain(text):
    error = jsonschema.exceptions.best_match(validator.iter_errors(load(text)))
    return f"{list(error.path)}: {error.message[:200]}"


# ---- what is right ----
files = [os.path.join(folder, name) for folder in ("examples", "tests/models")
         for name in sorted(os.listdir(os.path.join(SOURCE, folder))) if name.endswith(".yaml")]
if len(files) < 50:
    fail(f"only {len(files)} examples")
for name in files:
    if not is_valid(read(name)):
        fail(f"{name} is refused: {explain(read(name))}")

mechspec = read("docs", "mechspec.md")
blocks = re.findall(r"```yaml\n(.*?)```", mechspec, re.S)
whole = [b for b in blocks if re.search(r"^(PartData|DAE|Lagrangian|Hamiltonian|Include):", b, re.M)]
for block in whole:
    if re.search("^(Dimension|DAE|Lagrangian|Hamiltonian):", block, re.M) and not is_valid(block):
        fail(f"an example of mechspec.md is refused: {explain(block)}\n{block}")

# ---- what is wrong, for taut as well ----
PLANE = "Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n"
ROD = PLANE + "  Rigids: {OA: {Geom: [[1]], Dyna: [[0.5], 1, 1]}}\n"
DAE = "DAE: {Variables: [x], Equations: [\"x' + x\"]}\n"
WRONG = {
    "no model": "Title: nothing\n",
    "two models": DAE + "Lagrangian: {Coordinates: [u], L: \"u'^2\"}\n",
    "no dimension": "PartData: {Fixed: {O: [0, 0]}}\n",
    "unknown key at top": ROD + "Gravty: 3\n",
    "unknown part": PLANE + "  Rigid: {OA: {}}\n",
    "unknown key of a body": PLANE + "  Rigids: {OA: {Geo: [[1]]}}\n",
    "body that is a list": PLANE + "  Rigids: {OA: [[1], 1]}\n",
    "body that is a number": PLANE + "  Rigids: {OA: 3}\n",
    "bodies that are a list": PLANE + "  Rigids: [OA]\n",
    "Geom that is a number": PLANE + "  Rigids: {OA: {Geom: 1}}\n",
    "Elements that are a number": PLANE + "  Rigids: {rod: {Elements: 3, Geom: [[1]]}}\n",
    "both of a shape's kinds": PLANE + "  Rigids: {OA: {Geom: [[1]], Shape: {Type: cube, Mass: 1}}}\n",
    "unknown key of a shape": PLANE + "  Rigids: {OA: {Geom: [[1]], Shape: {Type: rod, mass: 1}}}\n",
    "shape that is a word": PLANE + "  Rigids: {OA: {Geom: [[1]], Shape: rod}}\n",
    "spring of one number": PLANE + "  Springs: {OA: [1]}\n",
    "spring of four numbers": PLANE + "  Springs: {OA: [1, 2, 3, 4]}\n",
    "unknown key of a spring": PLANE + "  Springs: {OA: {K: 1}}\n",
    "damper that is a list": PLANE + "  Dampers: {OA: [1, 2]}\n",
    "Full that is no flag": PLANE + "  Dampers: {OA: {c: 1, Full: yes}}\n",
    "particles that are a list": PLANE + "  Particles: [1, 2]\n",
    "unknown joint type": ROD + "  Joints: {j: {Type: revolut, Points: [O, A]}}\n",
    "unknown key of a joint": ROD + "  Joints: {j: {Type: revolute, Point: [O, A]}}\n",
    "joint that is a list": ROD + "  Joints: {j: [O, A]}\n",
    "Points of a joint that are a word": ROD + "  Joints: {j: {Type: spherical, Points: O}}\n",
    "joints that are a list": ROD + "  Joints: [j]\n",
    "unknown force": ROD + "AppliedForces: {Gravitiy: 3}\n",
    "forces that are a list": ROD + "AppliedForces: {Forces: [A, 1]}\n",
    "force of a map with wrong keys": ROD + "AppliedForces: {Forces: {f: {On: A, Val: [1, 0]}}}\n",
    "forces that are a number": ROD + "AppliedForces: 3\n",
    "drivers that are a list": ROD + "Drivers: [phi, t]\n",
    "angles that are a number": ROD + "Angles: 3\n",
    "unknown key of an angle": ROD + "Angles: {phi: {From: [1, 0], Too: [0, 1]}}\n",
    "PartData that is a list": "Dimension: 2\nPartData: [O, A]\n",
    "parameters that are a list": "PhysicalParams: [1, 2]\n" + DAE,
    "parameter that is a map": "PhysicalParams: {a: {b: 1}}\n" + DAE,
    "inputs that are a number": "Inputs: 3\n" + DAE,
    "unknown key of a DAE": "DAE: {Variable: [x], Equations: [\"x' + x\"]}\n",
    "variables that are a word": "DAE: {Variables: x, Equations: [\"x' + x\"]}\n",
    "DAE that is a list": "DAE: [x]\n",
    "equations that are a word": "DAE: {Variables: [x], Equations: \"x' + x\"}\n",
    "unknown key of a Lagrangian": "Lagrangian: {Coordinates: [u], L: \"u'^2\", Force: {u: 1}}\n",
    "L that is a map": "Lagrangian: {Coordinates: [u], L: {a: 1}}\n",
    "unknown key of a Hamiltonian": "Hamiltonian: {Coordinates: [u], H: 1, Momentum: [p]}\n",
    "unknown key of the problem": DAE + "ProblemData: {tstart: 0}\n",
    "positions that are a list": DAE + "ProblemData: {positions: [1]}\n",
    "a position that is a map": DAE + "ProblemData: {positions: {x: {y: 1}}}\n",
    "tend that is a list": DAE + "ProblemData: {tend: [1]}\n",
    "problem that is a number": DAE + "ProblemData: 3\n",
    "outputs that are a list": DAE + "Outputs: [x]\n",
    "definitions that are a list": DAE + "Define: [x]\n",
    "include of numbers": "Include: [[a.yaml]]\n" + DAE,
    "include with a wrong key": "Include: {Fil: a.yaml}\n" + DAE,
    "repetition that is a number": PLANE + "  Particles: {Repeat: 3}\n",
    "repetition without an index": PLANE + "  Particles: {Repeat: {}}\n",
    "repeated wrong part": "Dimension: 2\nRepeat: {i: 1..2, Parts: {Particles: {\"P{i}\": 1}}}\n",
    "repeated body with a wrong key": PLANE + "  Rigids: {Repeat: {i: 1..2, \"O{i}A{i}\": {Geo: [[1]]}}}\n",
}
for what, text in WRONG.items():
    if is_valid(text):
        fail(f"{what}: the schema takes it")
    if not taut_refuses(text):
        fail(f"{what}: taut takes it")

# Every map with keys of its own, in every example: one more key is one too many.
sections = 0


def with_unknown_keys(node, path=()):
    """Copies of a tree, each with an unknown key in one of the maps that have keys of their own."""
    if path == () or path[-1] in ("PartData", "AppliedForces", "ProblemData", "DAE", "Lagrangian", "Hamiltonian") or (
            len(path) == 3 and path[1] in ("Rigids", "Joints", "Springs", "Bushings")):
        yield path
    if isinstance(node, dict):
        for key, value in node.items():
            if isinstance(value, dict):
                yield from with_unknown_keys(value, path + (key,))


for name in files:
    tree = load(read(name))
    for path in with_unknown_keys(tree):
        wrong = copy.deepcopy(tree)
        at = wrong
        for key in path:
            at = at[key]
        at["Nonsense"] = "something"
        sections += 1
        if validator.is_valid(wrong):
            fail(f"{name}: the schema takes the key Nonsense in {'/'.join(path) or 'the file'}")
if sections < 200:
    fail(f"only {sections} maps were tried")

# ---- every key is described, with an example ----
keys = re.findall(r"^TAUT_KEY\((\w+), (\w+),", read("src", "model", "schema.def"), re.M)
examples = "\n".join(blocks)
for section, key in keys:
    if f"`{key}`" not in mechspec:
        fail(f"mechspec.md does not describe `{key}` ({section})")
    if not re.search(rf"\b{key}\b:", examples):
        fail(f"mechspec.md has no example for {key} ({section})")
    if f'"{key}"' not in result.stdout:
        fail(f"the schema does not have {key} ({section})")

print(f"{len(files)} examples, {len(whole)} of mechspec.md, {len(WRONG)} wrong files, {sections} unknown keys, "
      f"{len(keys)} keys: {len(failures)} failures")
sys.exit(1 if failures else 0)
