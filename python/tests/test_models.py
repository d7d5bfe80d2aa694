"""Models: reading, faults, warnings, pickles, the builder."""
import math
import os
import pathlib
import pickle

import pytest

import taut
from conftest import LINE


def test_parameters_are_numbers_or_formulas(line):
    assert taut.parse(LINE, a=0.1, b="2*a").run(at=[2])["x"][0] == pytest.approx(0.04, abs=1e-15)
    assert taut.parse(LINE, parameters={"a": 3}).parameters == {"a": 3.0, "b": 1.0}


def test_faults_have_places(tmp_path):
    path = tmp_path / "bad.yaml"
    path.write_text("DAE:\n  Variables: [x]\n  Equations: [x' - y]\nProblemDat: {tend: 1}\n")
    with pytest.raises(taut.Error) as caught:
        taut.load(path)
    e = caught.value
    assert e.file == str(path) and e.status == "input" and len(e.faults) == 2
    assert {(f.line, f.column) for f in e.faults} == {(4, 1), (3, 20)}
    assert "ProblemData" in str(e) and "^" in e.faults[0].text
    assert str(pickle.loads(pickle.dumps(e))) == str(e)


def test_missing_files_and_wrong_options(line):
    with pytest.raises(taut.Error, match="nowhere.yaml") as caught:
        taut.load("nowhere.yaml")
    assert caught.value.status == "io"
    with pytest.raises(TypeError, match="did you mean 'solver'"):
        line.run(solvr="taylor")
    with pytest.raises(taut.Error, match="unknown solver 'magic'"):
        line.run(solver="magic")
    with pytest.raises(taut.Error, match="did you mean"):
        taut.parse(LINE, aa=1)


@pytest.mark.parametrize("options, kind, words", [
    ({"tol": "fine"}, TypeError, "option 'tol'"), ({"order": 2.5}, TypeError, "option 'order'"),
    ({"every": "stepp"}, ValueError, "'step' or 'screen', not 'stepp'"), ({"from_": 3}, TypeError, "taut.State"),
    ({"at": [[0, 1], [2, 3]]}, ValueError, r"shape \(2, 2\)"), ({"at": []}, ValueError, r"shape \(0,\)"),
    ({"at": "soon"}, ValueError, "soon"), ({"tend": "late"}, TypeError, "option 'tend'")])
def test_values_that_options_cannot_have(line, options, kind, words):
    with pytest.raises(kind, match=words):
        line.run(**options)


def test_what_is_none_is_not_given(line):
    plain = line.run()
    assert line.run(tol=None, tend=None, at=None, every=None, from_=None, solver=None).array.tobytes() == plain.array.tobytes()


def test_other_arguments_say_what_they_are(line):
    with pytest.raises(TypeError, match=r"'a' lies between two bounds"):
        line.optimize({"a": 3}, minimize="end(x)")
    with pytest.raises(TypeError, match="a model is a text, not bytes"):
        taut.parse(b"DAE:")


def test_warnings(examples):
    with pytest.warns(taut.Warning, match="c"):
        taut.parse("PhysicalParams: {a: 1, c: 2}\nDAE: {Variables: [x], Equations: [x' - a]}")


def test_pickles(line, examples, tmp_path):
    for m in (line, taut.load(examples / "andrews.yaml"), taut.load(examples / "slider-crank.yaml", m2=3)):
        again = pickle.loads(pickle.dumps(m))
        assert again.name == m.name and again.parameters == m.parameters
        assert again.run().array.tobytes() == m.run().array.tobytes()


def test_pickles_with_other_files(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "part.yaml").write_text("PhysicalParams: {a: 7}\n")
    (tmp_path / "road.csv").write_text("t,f\n0,0\n5,10\n")
    (tmp_path / "m.yaml").write_text("Include: sub/part.yaml\nTables: {f: {File: road.csv}}\n"
                                     "DAE: {Variables: [x], Equations: [x' - a*f(t)]}\n"
                                     "ProblemData: {tend: 1, positions: {x: 0}}\n")
    m = taut.load(tmp_path / "m.yaml")
    data = pickle.dumps(m)
    for name in ("m.yaml", "road.csv", "sub/part.yaml"):
        (tmp_path / name).unlink()
    assert pickle.loads(data).run(at=[1])["x"][0] == pytest.approx(7, abs=1e-9)
    assert pickle.loads(pickle.dumps(pickle.loads(data))).name == m.name


def test_parts_come_with_the_package(examples, tmp_path):
    m = taut.load(examples / "assemblies" / "motor.yaml")
    part = pathlib.Path(m.files[1])
    assert part.name == "dc-motor.yaml" and part.parent == pathlib.Path(taut.__file__).resolve().parent / "parts"
    again = pickle.loads(pickle.dumps(m))
    assert again.run(at=[1]).array.tobytes() == m.run(at=[1]).array.tobytes()
    (tmp_path / "m.yaml").write_text("Include: dc-moter")
    with pytest.raises(taut.Error, match="did you mean 'dc-motor'"):
        taut.load(tmp_path / "m.yaml")


def test_inputs_are_formulas_of_t(oscillator):
    from conftest import OSCILLATOR

    m = taut.parse(OSCILLATOR, inputs={"f": "4 + 0*t"})
    # x'' + 4 x = 4 from x = 1: it stays
    assert abs(m.run()["x"] - 1).max() < 1e-12


def test_builder_builds_what_it_says(tmp_path):
    b = taut.Builder("chain")
    b.dimension(2).fixed("O", [0, 0]).number("l", 0.5)
    b.body("OA", geometry="[l, 0]", centroid="[l/2, 0]", mass=2, inertia="2*l^2/12")
    b.body("AB", geometry=[0.5, 0], shape={"type": "rod", "mass": 1})
    b.link("OB", stiffness=10, length=1)
    b.event("swing", when="Ay", direction="up", stop=True)
    b.gravity(None).position("A", ["l", 0]).position("B", ["2*l", 0]).span(0, 5)
    m = b.model()
    assert m.run().stats.mobility == 2
    (tmp_path / "m.yaml").write_text(b.text)
    assert taut.load(tmp_path / "m.yaml").run().array.tobytes() == m.run().array.tobytes()
    assert pickle.loads(pickle.dumps(m)).run().array.tobytes() == m.run().array.tobytes()


def test_builder_tables_and_controllers():
    b = taut.Builder("sampled")
    b.variable("x", 1).equation(None, "x' - u").input("u", 0)
    b.controller("c", every="0.5", state={"z": 0}, next={"z": "z + 1"}, out={"u": "z"})
    b.position("x", 0).span(0, 2)
    # samples at 0, 0.5, 1, 1.5: u is what z was, 0, 1, 2, 3
    assert b.model().run(tol=1e-12, at=[2])["x"][0] == pytest.approx(0.5 * (0 + 1 + 2 + 3), abs=1e-12)
    b = taut.Builder("table")
    b.variable("x", 1).equation(None, "x' - f(t)").table("f", sample=[[0, 0], [1, 1], [3, 1]], outside="hold")
    b.position("x", 0).span(0, 2)
    assert b.model().run(tol=1e-12, at=[2])["x"][0] == pytest.approx(1.5, abs=1e-9)


def test_builder_faults():
    b = taut.Builder("wrong")
    b.variable("x", 1).equation(None, "x' - w").position("x", 0).span(0, 1)
    with pytest.raises(taut.Error, match="unknown name 'w'"):
        b.model()
    with pytest.raises(TypeError, match="did you mean 'geometry'"):
        b.body("OA", geometrie="[1, 0]")
    with pytest.raises(TypeError, match="takes name, value"):
        b.number("a", 1, 2)


def test_lists():
    assert taut.formulations() == ["natural", "reference", "relative", "minimal"] or "natural" in taut.formulations()
    assert "taylor" in taut.solvers() and taut.schema()["$schema"]


def test_builder_has_chains_and_rotors():
    b = taut.Builder("shoulder")
    b.dimension(3).fixed("P", "[0, 0, 1]").fixed("u", "[1, 0, 0]").fixed("v", "[0, 1, 0]")
    b.body("arm", elements="O, x, y", geometry="[1], [0, 1]", mass=3, centroid="[0, 0, -0.3]", inertia="[0.4, 0.4, 0.01]",
           about="O", axes="[[1], [0, 1]]")
    b.chain("shoulder", points="P, O", axes="u, x", normals="v, y",
            step=[{"coordinate": "yaw", "turn": "[0, 0, 1]"}, {"coordinate": "pitch", "turn": "[0, 1, 0]"}])
    b.armature("yaw", 0.1).armature("pitch", 0.2).gravity(10).position("pitch", 0.5).position("yaw", 0).span(0, 1)
    r = b.model().run(derivatives=2, at=[0])
    # (0.4 + 0.2) pitch'' = -3*10*0.3 sin(pitch)
    assert abs(r["pitch''"][0] + 9 * math.sin(0.5) / 0.6) < 1e-10


def test_the_buildup_of_a_mechanism(source):
    told = taut.load(source / "examples" / "slider-crank.yaml").buildup()
    assert "degrees of freedom" in str(told) or told


def test_names_of_files_are_any_bytes(tmp_path):
    path = os.fsencode(tmp_path) + b"/\xff \xc3\xbc.yaml"
    with open(path, "w") as file:
        file.write(LINE)
    m = taut.load(path)
    assert [os.fsencode(f) for f in m.files] == [path]
    r = pickle.loads(pickle.dumps(m)).run(at=[2])
    r.save(os.fsencode(tmp_path) + b"/\xfe.csv")
    r.page(os.fsencode(tmp_path) + b"/\xfe.html")
    assert taut.read_table(os.fsencode(tmp_path) + b"/\xfe.csv")["x"] == r["x"]
