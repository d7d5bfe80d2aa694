"""What Python gets is what the program writes, bit for bit."""
import json

import numpy
import pytest

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
