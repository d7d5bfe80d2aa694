"""Everything that can be done with a model, against closed forms."""
import math

import numpy
import pytest

import taut


def test_linearisation(oscillator):
    p = oscillator.linearize()
    assert p.states == ["x", "x'"] and p.inputs == ["f"] and p.outputs == ["y"]
    numpy.testing.assert_allclose(p.A, [[0, 1], [-4, 0]], atol=1e-14)
    numpy.testing.assert_allclose(p.B, [[0], [1]], atol=1e-14)
    numpy.testing.assert_allclose(p.C, [[3, 0]], atol=1e-14)
    assert p.ss[3].shape == (1, 1)
    numpy.testing.assert_allclose(numpy.sort_complex(p.eigenvalues), numpy.sort_complex(numpy.linalg.eigvals(p.A)), atol=1e-12)
    for value, vector in zip(p.eigenvalues, p.modes):
        numpy.testing.assert_allclose(p.A @ vector, value * vector, atol=1e-12)
    g = p.response("f", "y", range="0.1Hz..1Hz", points=5)
    numpy.testing.assert_allclose(g["magnitude"], 3 / abs(4 - g["omega"] ** 2), rtol=1e-12)
    assert p.zeros("f", "y").size == 0
    d = oscillator.linearize(descriptor=True).descriptor
    assert d.E is not None and d.A.shape[0] == len(d.states)


def test_linearisations_along_a_run(oscillator):
    points = oscillator.linearize(at=[0, 1, 2])
    assert [p.t for p in points] == [0, 1, 2]
    assert points[1].x0[0] == pytest.approx(math.cos(2), abs=1e-8)
    numpy.testing.assert_allclose(numpy.abs(points.course()["eigen1.im"]), 2, atol=1e-12)
    assert oscillator.linearize(at=1).t == 1


def test_modes_and_equilibria():
    m = taut.parse("PhysicalParams: {d: 2}\nDAE: {Variables: [x], Equations: [x'' + d*x' + 100*x - 50]}\n"
                   "ProblemData: {tend: 1, positions: {x: 0}, velocities: {x: 0}}")
    rest = m.equilibrium()
    assert rest["x"] == pytest.approx(0.5, abs=1e-14) and rest.stable
    modes = rest.modes()
    assert modes.frequency[0] == pytest.approx(10 / (2 * math.pi), rel=1e-12)
    assert modes.damping[0] == pytest.approx(0.1, rel=1e-12)
    assert "frequency" in str(modes)
    numpy.testing.assert_allclose(m.run(from_=rest.state)["x"], 0.5, atol=1e-14)


def test_trim_finds_free_values():
    m = taut.parse("Inputs: {f: 0}\nDAE: {Variables: [x], Equations: [x'' + x' + 4*x - f]}\n"
                   "Trim: {Free: [f], Want: {x: 2}}\n"
                   "ProblemData: {tend: 1, positions: {x: 0}, velocities: {x: 0}}")
    rest = m.equilibrium()
    assert rest.free["f"] == pytest.approx(8, abs=1e-12) and rest["x"] == pytest.approx(2, abs=1e-12)
    numpy.testing.assert_allclose(rest.model.run(from_=rest.state)["x"], 2, atol=1e-12)


def test_floquet(oscillator):
    f = oscillator.floquet(math.pi)
    assert f.periodic
    numpy.testing.assert_allclose(numpy.abs(f.multipliers), 1, atol=1e-9)


def test_sensitivities(oscillator):
    r = oscillator.run(tol=1e-12, sensitivity=["k", "x"], tend=3)
    t = r.t
    numpy.testing.assert_allclose(r.sensitivity("x", "k"), -t * numpy.sin(2 * t) / 4, atol=1e-11)
    numpy.testing.assert_allclose(r.sensitivity("x", "x"), numpy.cos(2 * t), atol=1e-11)
    s = oscillator.simulation(tol=1e-12, sensitivity="k")
    s.run_to(1.5)
    assert s.derivatives("x")[0] == pytest.approx(-1.5 * math.sin(3) / 4, abs=1e-11)


def test_gradients(oscillator):
    value, derivative = oscillator.gradient(["end(x)", "at(1,x)"], ["k", "x"], tend=3, tol=1e-12)
    assert value[0] == pytest.approx(math.cos(6), abs=1e-9)
    numpy.testing.assert_allclose(derivative, [[-3 * math.sin(6) / 4, math.cos(6)], [-math.sin(2) / 4, math.cos(2)]], atol=1e-9)


def test_words(crank):
    assert "degree of freedom" in crank.run(tend=0.1).freedom
    assert "m1" in crank.explain()


def test_sweeps(line):
    s = line.sweep({"a": [1, 2], "b": "3..5:3"}, report={"end": "end(x)"}, trace="x", trace_rows=3)
    assert len(s) == 6 and s.failed == 0 and set(s.outcomes) == {"ok"}
    numpy.testing.assert_allclose(s["end"], 2 * s["a"] * s["b"], rtol=1e-13)
    assert s.traces.shape == (6, 3, 1) and s.trace_names == ["x"] and s.trace_t.tolist() == [0, 1, 2]
    numpy.testing.assert_allclose(s.traces[:, 1, 0], s["a"] * s["b"], rtol=1e-13)
    assert s.spread("end").count == 6 and s.correlation("end", "end") == pytest.approx(1)
    r = line.sweep({"a": "uniform(0, 1)"}, report=["end(x)"], samples=50, seed=3, design="latin", threads=2)
    assert 0 < r["a"].min() and r["a"].max() < 1 and numpy.allclose(r["end(x)"], 2 * r["a"])


def test_batches(line):
    import conftest

    b = line.batch(4, a=[1, 2, 3, 4], b=0.5, values={"x": [0, 0, 1, 1]}, options={"tend": 1})
    numpy.testing.assert_allclose(b["end(x)"], [0.5, 1, 2.5, 3], rtol=1e-13)
    assert b.results.flags.owndata is False
    with pytest.raises(ValueError, match="a has 3 values for 4 runs"):
        line.batch(4, a=[1, 2, 3])
    for wrong in (["1", "2*b"], [None, 1], None, [1, 2j], [[1], [2]]):
        with pytest.raises((TypeError, ValueError), match="a is a number, or a number for each run"):
            line.batch(2, a=wrong)
    with pytest.raises(taut.Error, match="c"):
        line.batch(2, c=[1, 2])
    # a run that cannot be done is NaN and has a reason, and stops nobody
    m = taut.parse("PhysicalParams: {a: 1}\nDAE: {Variables: [x], Equations: [x' - sqrt(a)]}\n"
                   "ProblemData: {tend: 1, positions: {x: 0}}")
    c = m.batch(3, a=[1, -1, 4], report=["end(x)"])
    assert c.failed == 1 and numpy.isnan(c["end(x)"][1]) and c.outcomes[1] != "ok"
    assert c["end(x)"][2] == pytest.approx(2)
    assert conftest.LINE


def test_studies_are_kept_and_resumed(line, tmp_path):
    first = line.study({"a": "1..2:5"}, report=["end(x)"])
    first.keep(tmp_path / "j")
    first.run()
    again = line.study({"a": "1..2:5"}, report=["end(x)"])
    again.keep(tmp_path / "j", resume=True)
    assert "5 done" in repr(again)
    assert again.results.tobytes() == first.results.tobytes()


def test_optimisation():
    m = taut.parse("PhysicalParams: {a: 1}\nDAE: {Variables: [x], Equations: [x' - (a - 3)^2]}\n"
                   "ProblemData: {tend: 1, positions: {x: 0}}")
    best = m.optimize({"a": (0, 10)}, minimize="end(x)", method="gradient")
    assert best.values["a"] == pytest.approx(3, abs=1e-3)
    held = m.optimize({"a": (0, 10)}, minimize="end(x)", limits={"wall": "end(x) >= 1"}, method="gradient")
    assert abs(held.values["a"] - 3) == pytest.approx(1, abs=1e-4)
    assert "a:" in best.text and len(best.record) >= 1


def test_fitting(oscillator):
    t = numpy.linspace(0, 5, 60)
    data = {"t": t, "x": numpy.exp(-0.1 * t) * (numpy.cos(math.sqrt(4 - 0.01) * t)
                                               + 0.1 / math.sqrt(4 - 0.01) * numpy.sin(math.sqrt(4 - 0.01) * t))}
    f = oscillator.fit(data, variables={"d": (0, 2), "k": (1, 9)})
    assert f.values["d"] == pytest.approx(0.2, abs=1e-6) and f.values["k"] == pytest.approx(4, abs=1e-6)
    assert f.stats.rms < 1e-6 and f.estimates["d"].identified
    assert f.table["x"].size == 60


def test_measurements_are_checked(oscillator):
    pandas = pytest.importorskip("pandas")
    r = oscillator.run(at=numpy.linspace(0, 5, 60))
    frame = r.frame()[["x"]]
    assert isinstance(frame, pandas.DataFrame) and "t" not in frame
    for data in (frame, frame.reset_index(), {"t": r.t, "x": r["x"]}):
        assert oscillator.fit(data, variables={"k": (1, 9)}).values["k"] == pytest.approx(4, abs=1e-6)
    for wrong, words in (({"x": [0, 1]}, "no column 't'"), ({"t": [0, 1]}, "nothing but 't'"),
                         ({"t": [0, 1], "x": [1]}, "x and t are lists"), ({"t": [0, 1], "x": [[1, 2]]}, "x and t are lists"),
                         ({"t": 0, "x": 1}, "x and t are lists")):
        with pytest.raises(ValueError, match=words):
            oscillator.fit(wrong, variables={"k": (1, 9)})


def test_comparisons(crank):
    c = crank.compare(tend=0.5, tol=1e-8, solvers=["taylor", "erk"], formulations=["natural", "relative"])
    assert c.confirmed and c.disagreements == 0 and c.finished == 4 and "digits" in str(c)


def test_inverse_and_kinematics(examples, tmp_path):
    m = taut.parse("Inputs: {u: 0}\nDAE: {Variables: [x], Equations: [2*x'' - u]}\n"
                   "Inverse: {Actuators: [u], Motion: {x: t^3}}\n"
                   "ProblemData: {tend: 1, positions: {x: 0}, velocities: {x: 0}}")
    r = m.inverse(at=[0.5, 1])
    numpy.testing.assert_allclose(r["u"], [6, 12], atol=1e-9)
    assert r.inverse.actuators == 1
    k = taut.load(examples / "four-bar-1.yaml")
    assert k.kind == "mechanism"


def test_kinematics_of_a_crank(examples):
    m = taut.parse("""Dimension: 2
PartData:
  Fixed: {O: [0, 0]}
  Rigids:
    OA: {Geom: [[2, 0]], Dyna: [[1, 0], 1, 1]}
Angles: {phi: OA}
ProblemData: {tend: 1, positions: {A: [2, 0]}}
""")
    k = m.kinematics(drive="phi=0..90deg:10")
    numpy.testing.assert_allclose(k["Ax"], 2 * numpy.cos(k.result.t), atol=1e-12)
    assert k.branches == 1 and "phi" in str(k)


def test_exports(tmp_path, oscillator):
    report = oscillator.export_c(tmp_path / "c", "osc", run={"rtol": 1e-6})
    assert (tmp_path / "c" / "osc.c").exists() and report.steps > 0


def test_programs_in_threads(crank):
    import threading

    program = crank.program(tend=1)
    ends = {}

    def work(m2):
        s = program.simulation()
        s.set(m2=m2)
        s.run_to(1)
        ends[m2] = s["s"]

    threads = [threading.Thread(target=work, args=(k,)) for k in range(1, 6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    b = crank.batch(5, m2=range(1, 6), report=["end(s)"], options={"tend": 1})
    assert [ends[k] for k in range(1, 6)] == b["end(s)"].tolist()
