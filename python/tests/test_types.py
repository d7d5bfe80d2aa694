"""Type checkers see the package as it is: the package itself, and what they say of right and wrong calls."""
import subprocess
import sys

import pytest

GOOD = """
import taut
m = taut.load("m.yaml", m2=5)
r = m.run(tol=1e-12, formulation="relative", at=[0, 1], every="step", progress=lambda part: part > 0.5)
t: float = r.stats.wall_s + float(r["x"][0])
p = m.linearize(states="x,x'", tol=1e-9).ss
rest = m.equilibrium(tol=1e-9)
value: float = rest.values["x"] + rest.linearize(shapes=True).t
s = m.sweep({"a": [1, 2]}, report=["end(x)"], samples=4, threads=2, tol=1e-9)
b = m.batch(3, a=[1, 2, 3], options={"tend": 2, "threads": 1})
best = m.optimize({"a": (0, 1)}, minimize="end(x)", method="gradient", tend=3)
f = m.fit("data.csv", variables={"a": (0, 1)}, loss="huber", bias=["x"])
m.export_c("out", "stem", run={"tol": 1e-9})
m.plot("x", title="curve", tend=2)
simulation = m.simulation(tol=1e-9)
simulation.set(a=1)
r.save("r.csv", digits=5, units=True)
names: list[str] = [name for name in r]
builder = taut.Builder("arm")
builder.armature("phi", "0.1")
told: str = str(m.analyze()) + taut.__version__
"""
WRONG = """
import taut
m = taut.load("m.yaml")
m.walk()
taut.Builder("arm").armatur("phi", 1)
m.run(tolerance=1e-9)
m.run(tol="fine")
m.simulation(formulatoin="relative")
m.linearize(stats="x")
m.sweep({"a": [1]}, report="end(x)", thread=2)
m.batch(3, a=[1], options={"tendd": 2})
m.optimize({"a": (0, 1)}, maximise="end(x)")
m.fit("data.csv", los="huber")
m.equilibrium().modes(shape=True)
m.run().save("r.csv", digit=5)
m.plot("x", titel="curve")
m.kinematics(drives="a=0..1:2")
m.export_c("out", "stem", run={"toll": 1e-9})
"""


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("mypy")


def mypy(cache, *arguments):
    return subprocess.run(["mypy", "--python-version", "3.9", "--ignore-missing-imports", "--cache-dir", str(cache),
                           "--python-executable", sys.executable, *map(str, arguments)], capture_output=True, text=True,
                          cwd=cache)


def check(cache, tmp_path, text):
    (tmp_path / "user.py").write_text(text)
    return mypy(cache, "--strict", tmp_path / "user.py")


def test_right_calls_pass(cache, tmp_path):
    done = check(cache, tmp_path, GOOD)
    assert done.returncode == 0, done.stdout + done.stderr


def test_wrong_calls_are_found(cache, tmp_path):
    done = check(cache, tmp_path, WRONG)
    assert done.returncode == 1
    found = {int(line.split(":")[1]) for line in done.stdout.splitlines() if ": error:" in line}
    assert found == set(range(4, len(WRONG.splitlines()) + 1)), done.stdout


def test_keywords_are_in_signatures():
    """help() and whoever completes names at run time know what type checkers know."""
    import inspect

    import taut
    from taut import _names

    known = inspect.signature(taut.Model.run).parameters
    assert set(_names.KEYWORDS["RunOptions"]) <= set(known) and "tol: 'float' = ..." in str(inspect.signature(taut.Model.run))
    assert {"samples", "tol", "vary"} <= set(inspect.signature(taut.Model.sweep).parameters)
    for kind in (taut.Model, taut.Equilibrium, taut.Result):
        for name, method in inspect.getmembers(kind, inspect.isfunction):
            assert "Unpack" not in str(inspect.signature(method)), name


def test_the_package_is_python_3_9(cache):
    """Syntax by the grammar of 3.9; the library of that version by mypy."""
    import ast
    import pathlib

    import taut

    folder = pathlib.Path(taut.__file__).parent
    for path in folder.glob("*.py*"):
        if path.suffix in (".py", ".pyi"):
            ast.parse(path.read_text(), feature_version=(3, 9))
    done = mypy(cache, "-p", "taut")
    assert done.returncode == 0, done.stdout
