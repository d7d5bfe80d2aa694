"""What Python gets is what the program writes, bit for bit."""
import json
import zipfile

import numpy
import pytest

import conftest
import taut

EXAMPLES = ["slider-crank", "andrews", "bricard", "heavy-top", "pendulum", "pendulum-hamiltonian", "circuit-index2",
            "quarter-car", "brake", "cam", "robertson", "assemblies/axle"]


def read_csv(path):
    lines = path.read_text().splitlines()
    return lines[0].split(","), numpy.array([[float(x) for x in row.split(",")] for row in lines[1:]])


@pytest.mark.parametrize("name", EXAMPLES)
def test_runs(name, examples, program, tmp_path):
    program("run", examples / f"{name}.yaml", "-o", "p.csv", "--quiet")
    names, table = read_csv(tmp_path / "p.csv")
    r = taut.load(examples / f"{name}.yaml").run()
    assert r.names == names
    assert r.array.tobytes() == table.tobytes()


@pytest.mark.parametrize("options, arguments", [
    ({"tol": 1e-12, "tend": 1}, ["--tol", "1e-12", "--tend", "1"]),
    ({"formulation": "relative", "tend": 1}, ["--formulation", "relative", "--tend", "1"]),
    ({"solver": "bdf", "tend": 0.5, "tol": 1e-6}, ["--solver", "bdf", "--tend", "0.5", "--tol", "1e-6"]),
    ({"reactions": True, "tend": 1}, ["--reactions", "--tend", "1"]),
    ({"sensitivity": ["m1", "l2"], "tend": 1}, ["--sensitivity", "m1,l2", "--tend", "1"]),
    ({"at": [0.25, 0.5], "derivatives": 2}, ["--at", "0.25,0.5", "--derivatives", "2"]),
    ({"every": 0.125, "tend": 1}, ["--every", "0.125", "--tend", "1"]),
])
def test_options(options, arguments, examples, program, tmp_path):
    program("run", examples / "slider-crank.yaml", "-o", "p.csv", "--quiet", *arguments)
    names, table = read_csv(tmp_path / "p.csv")
    r = taut.load(examples / "slider-crank.yaml").run(**options)
    assert r.names == names
    assert r.array.tobytes() == table.tobytes()


def test_files_are_the_same_bytes(examples, program, tmp_path):
    program("run", examples / "slider-crank.yaml", "-o", "p.csv", "--quiet")
    taut.load(examples / "slider-crank.yaml").run().save(tmp_path / "q.csv")
    assert (tmp_path / "p.csv").read_bytes() == (tmp_path / "q.csv").read_bytes()


def test_parameters_and_inputs(examples, program, tmp_path):
    program("run", examples / "slider-crank.yaml", "-o", "p.csv", "--quiet", "--set", "m2=0.1", "--set", "l1=l2/3")
    _, table = read_csv(tmp_path / "p.csv")
    r = taut.load(examples / "slider-crank.yaml", m2=0.1, l1="l2/3").run()
    assert r.array.tobytes() == table.tobytes()


def test_step_by_step_is_the_run(crank):
    r = crank.run(at=[0.5, 1, 2])
    s = crank.simulation()
    for k, t in enumerate(r.t):
        s.run_to(t)
        assert s.row().tobytes() == numpy.array(r.array[k]).tobytes()


def test_analyses(examples, program, crank):
    path = examples / "slider-crank.yaml"
    assert crank.analyze().data == json.loads(program("analyze", path, "--json"))
    assert crank.linearize().data == json.loads(program("linearize", path, "--json"))


def test_sweeps(examples, program, tmp_path, crank):
    program("sweep", examples / "slider-crank.yaml", "--vary", "m2=1..2:3", "--report", "max(s)", "--report", "end(Ax)",
            "-o", "p.csv", "--quiet")
    crank.sweep({"m2": "1..2:3"}, report=["max(s)", "end(Ax)"]).save(tmp_path / "q.csv")
    assert (tmp_path / "p.csv").read_bytes() == (tmp_path / "q.csv").read_bytes()
    b = crank.batch(3, m2=[1, 1.5, 2], report=["max(s)", "end(Ax)"])
    assert b.results.tobytes() == crank.sweep({"m2": "1..2:3"}, report=["max(s)", "end(Ax)"]).results.tobytes()


def test_batch_is_a_loop_of_simulations(crank):
    values = numpy.linspace(0.5, 3, 7)
    b = crank.batch(7, m2=values, report=["end(s)"], options={"tend": 1})
    s = crank.simulation(tend=1)
    for value, end in zip(values, b["end(s)"]):
        s.set(m2=value)
        s.run_to(1)
        assert s["s"] == end


# ---- what the other commands write ----

INVERSE = """Inputs: {u: 0}
DAE: {Variables: [x], Equations: [2*x'' + x' - u]}
Inverse: {Actuators: [u], Motion: {x: sin(t)^3}}
ProblemData: {tend: 1, positions: {x: 0}, velocities: {x: 0}}
"""


@pytest.fixture
def same(program, tmp_path):
    """The program writes p.END in its folder, Python q.END there; True: byte for byte the same."""
    def compare(arguments, save, end):
        program(*arguments, "-o", f"p.{end}", "--quiet")
        save(tmp_path / f"q.{end}")
        return (tmp_path / f"p.{end}").read_bytes() == (tmp_path / f"q.{end}").read_bytes()
    return compare


@pytest.fixture
def path(examples):
    return examples / "slider-crank.yaml"


def test_equilibria(same, path, crank):
    assert same(["equilibrium", path, "--starts", "5"], crank.equilibria(starts=5).table.save, "csv")
    assert len(crank.equilibria(starts=5)) > 1


def test_kinematics(same, path, crank):
    drive = "s=0.7..1.3:50"
    assert same(["kinematics", path, "--drive", drive], crank.kinematics(drive=drive).result.save, "csv")


def test_inverse(same, tmp_path):
    (tmp_path / "m.yaml").write_text(INVERSE)
    assert same(["inverse", "m.yaml"], taut.load(tmp_path / "m.yaml").inverse().save, "csv")


def test_linearisations(same, path, crank, program):
    assert same(["linearize", path, "--at", "0,1,2"], crank.linearize(at=[0, 1, 2])[0].save, "json")
    assert same(["linearize", path], crank.linearize().save, "csv")
    assert program("modes", path) == str(crank.modes())
    assert program("modes", path, "--equilibrium") == str(crank.equilibrium().modes())


def test_frequency_responses(same, tmp_path, oscillator):
    (tmp_path / "m.yaml").write_text(conftest.OSCILLATOR)
    response = oscillator.linearize().response("f", "y", range="0.1Hz..3Hz")
    assert same(["bode", "m.yaml", "--in", "f", "--out", "y", "--range", "0.1Hz..3Hz"], response.save, "csv")


def test_plots(same, program, path, crank):
    assert same(["plot", path, "Ax", "Ay"], crank.plot("Ax", "Ay").save, "svg")
    assert program("plot", path, "Ax", "--ascii") == str(crank.plot("Ax"))


def test_states_and_events(same, program, tmp_path, path, crank, examples):
    program("run", path, "--tend", "1", "--save-state", "p.state", "-o", "first.csv")
    crank.run(tend=1, last=True).last.save(tmp_path / "q.state")
    assert (tmp_path / "p.state").read_bytes() == (tmp_path / "q.state").read_bytes()
    assert same(["run", path, "--load-state", "q.state"],
                crank.run(from_=taut.State.load(tmp_path / "p.state")).save, "csv")
    program("run", examples / "brake.yaml", "--events", "p.json", "-o", "second.csv")
    taut.load(examples / "brake.yaml").run().save_events(tmp_path / "q.json")
    assert (tmp_path / "p.json").read_bytes() == (tmp_path / "q.json").read_bytes()


def test_optima(same, tmp_path, examples):
    best = taut.load(examples / "studies" / "coupler.yaml").optimize()
    assert same(["optimize", examples / "studies" / "coupler.yaml"], best.record.save, "csv")
    assert (tmp_path / "coupler-optimum.yaml").read_text() == best.text


def test_fits(program, tmp_path, examples):
    program("fit", examples / "studies" / "double-pendulum.yaml")
    assert (tmp_path / "double-pendulum-fitted.yaml").read_text() == taut.load(
        examples / "studies" / "double-pendulum.yaml").fit().text


def test_differences(program, tmp_path, path):
    program("run", path, "--tol", "1e-6", "-o", "a.csv")
    program("run", path, "-o", "b.csv")
    files = tmp_path / "a.csv", tmp_path / "b.csv"
    assert program("diff", *files) == str(taut.diff(*files))


def test_models_that_leave(program, tmp_path, path, crank):
    program("export", path, "--c", "p")
    crank.export_c(tmp_path / "q", "slider-crank")
    there = sorted(f.name for f in (tmp_path / "p").iterdir())
    assert there == sorted(f.name for f in (tmp_path / "q").iterdir()) and "slider-crank.c" in there
    for name in there:
        assert (tmp_path / "p" / name).read_bytes() == (tmp_path / "q" / name).read_bytes()
    program("export", path, "--fmu", "p/slider.fmu", "--sources")
    crank.export_fmu(tmp_path / "q" / "slider.fmu", sources=True)
    p, q = (zipfile.ZipFile(tmp_path / side / "slider.fmu") for side in "pq")
    assert p.namelist() == q.namelist()
    assert all(p.read(name) == q.read(name) for name in p.namelist() if name.endswith((".c", ".h")))


def test_words(program, source, path, crank):
    robot = source / "tests" / "models" / "import" / "arm.urdf"
    assert program("import", robot) == taut.import_text(robot)
    assert program("analyze", path) == str(crank.analyze())
    assert program("analyze", path, "--build") == str(crank.buildup())
    assert crank.explain() in program("check", path, "--explain")
    assert json.loads(program("schema")) == taut.schema()
