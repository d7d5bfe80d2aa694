"""Results: views, names, files, pickles, what they show."""
import base64
import gc
import pickle
import re
import weakref

import numpy
import pytest

import taut
from taut._library import ffi, lib


def test_a_million_rows_are_not_copied(line):
    r = line.run(every=2e-6)
    assert r.array.shape == (1000001, 3)
    address = int(ffi.cast("uintptr_t", lib.taut_result_table(r._c).value))
    assert r.array.ctypes.data == address
    assert r["x"].ctypes.data == address + 8 and r["x"].strides == (24,)
    assert numpy.shares_memory(r["x'"], r.array)
    assert not r.array.flags.writeable
    assert abs(r["x"][-1] - 2) < 1e-12


def test_columns_outlive_results(line):
    x = line.run(at=[0, 1, 2])["x"]
    gc.collect()
    line.run(every=1e-4)  # would reuse the memory
    assert x.tolist() == [0, 1, 2]


def test_results_are_freed(line):
    box = line.run()._owner
    r = line.run()
    watch = weakref.ref(r)
    del r
    line.last = None
    gc.collect()
    assert watch() is None
    assert box is not None


def test_names(crank):
    r = crank.run(tend=0.1)
    assert r["A.x'"].tolist() == r["Ax'"].tolist()
    assert "Ax" in r and "A.x'" in r and "Az" not in r and 3 not in r
    with pytest.raises(KeyError, match="did you mean Ax"):
        r["Axx"]


def test_columns_are_iterated_by_name(crank, line):
    r = crank.run(tend=0.1)
    assert list(r) == r.names == r.keys() and set(dict(r)) == set(r.names)
    assert all(a == b and (x == r[b]).all() for (a, x), b in zip(r.items(), r.names))
    assert (r[["Ay", "t"]] == numpy.column_stack([r["Ay"], r.t])).all()
    assert numpy.asarray(r).ctypes.data == r.array.ctypes.data
    assert r[[]].shape == (len(r), 0)
    with pytest.raises(TypeError, match="r.array\\[0\\] is by number"):
        r[0]
    s = line.sweep({"a": [1, 2]}, report="end(x)")
    assert list(s) == s.names and "a" in s and dict(s)["a"].tolist() == [1, 2]
    for thing in (r, s, crank.compare(tend=0.1, tol=1e-8), crank.linearize(), crank.program(), crank.equilibria()):
        assert repr(thing).startswith("<taut."), repr(thing)


def test_stats_and_events(examples):
    m = taut.parse("""DAE: {Variables: [y], Equations: ["y'' + 2"]}
ProblemData: {tend: 3, positions: {y: 1}, velocities: {y: 0}}
Events: {hit: {When: y, Direction: down, Do: {"y'": "-0.5*y'"}}}
""")
    r = m.run(tol=1e-12)
    assert r.stats.unknowns == 1 and r.stats["solver"] == "taylor"
    assert set(r.stats.phase_s) >= {"reading the model"}
    assert [e.name for e in r.events][:2] == ["hit", "hit"]
    # falls for 1 s, and the second time for as long as half the speed takes it up and down
    assert abs(r.events[0].t - 1) < 1e-12 and abs(r.events[1].t - 2) < 1e-12
    assert r.events[0].kind == "event"


def test_files(crank, tmp_path):
    r = crank.run(tend=1)
    for end in ("csv", "json", "npy", "npz", "html"):
        r.save(tmp_path / f"r.{end}")
        assert (tmp_path / f"r.{end}").stat().st_size > 1000
    assert numpy.load(tmp_path / "r.npy").tobytes() == r.array.tobytes()
    assert taut.read_table(tmp_path / "r.csv").array.tobytes() == r.array.tobytes()
    r.save(tmp_path / "u.csv", units=True, digits=5)
    assert "Ax [m]" in (tmp_path / "u.csv").read_text().splitlines()[0]
    r.save_stats(tmp_path / "s.json")
    r.save_events(tmp_path / "e.csv")
    with pytest.raises(TypeError, match="did you mean 'digits'"):
        r.save(tmp_path / "u.csv", digit=5)
    with pytest.raises(taut.Error, match="r.xyz"):
        r.save(tmp_path / "r.xyz")


def test_diff(crank, tmp_path):
    r = crank.run(tend=1, tol=1e-6)
    crank.run(tend=1, tol=1e-13).save(tmp_path / "good.csv")
    d = taut.diff(r, tmp_path / "good.csv")
    assert 1e-13 < d.largest_error < 1e-5 and d.columns["Ax"].digits > 5
    assert "Ax" in str(d)


def test_frames(crank):
    pandas = pytest.importorskip("pandas")
    r = crank.run(tend=1)
    f = r.frame()
    assert isinstance(f, pandas.DataFrame) and f.index.name == "t"
    assert (f["s"].to_numpy() == r["s"]).all()


def test_plots(crank, tmp_path):
    r = crank.run(tend=1)
    p = r.plot("Ax", "Ay", title="two")
    assert p.svg.startswith("<svg") and "two" in p.svg and "│" in str(p)
    shown = re.fullmatch(r'<img alt="[^"<>]*" style="[^"]*" src="data:image/svg\+xml;base64,([^"]*)">', p._repr_html_())
    assert base64.b64decode(shown[1]).decode() == p.svg
    p.save(tmp_path / "p.svg")
    assert (tmp_path / "p.svg").read_text() == p.svg
    with pytest.raises(taut.Error, match="Az"):
        r.plot("Az")
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    lines = r.plot("Ax", "Ay", ax=pyplot.figure().gca())
    assert lines[1].get_ydata().tolist() == r["Ay"].tolist()


def test_results_beside_each_other(crank, examples, tmp_path):
    r, heavy = crank.run(tend=1), taut.load(examples / "slider-crank.yaml", m2=5).run(tend=1)
    p = r.plot("s", label="light", beside={"heavy": heavy, "again": r})
    for words in ("light", "heavy", "again"):
        assert words in p.svg
    assert p.svg.count("<path") + p.svg.count("<polyline") > r.plot("s").svg.count("<path") + r.plot("s").svg.count("<polyline")
    alone, both = r.html(), r.html(beside=heavy, name="a heavy one")
    assert "a heavy one" in both and "a heavy one" not in alone
    crank.modes().page(tmp_path / "modes.html")
    assert '"modes"' in (tmp_path / "modes.html").read_text()
    with pytest.raises(ValueError, match="shapes=True"):
        crank.modes(shapes=False).page(tmp_path / "no.html")


def test_live_pages(crank):
    try:
        live = crank.run(tend=1).html(live=True)
    except taut.Error as error:
        assert error.status == "library" and "live" in str(error)
    else:
        assert len(live) > len(crank.run(tend=1).html()) + 500_000  # the engine


def test_pickles(crank, tmp_path):
    r = crank.run(tend=1, last=True, certify=True)
    q = pickle.loads(pickle.dumps(r))
    assert q.array.tobytes() == r.array.tobytes() and q.names == r.names
    assert str(q.stats) == str(r.stats) and q.events == r.events and q.moves == r.moves
    assert q.certificate["error"] == r.certificate["error"]
    assert q.last.t == r.last.t and q.last["Ax"] == r.last["Ax"]
    q.save(tmp_path / "q.csv")
    r.save(tmp_path / "r.csv")
    assert (tmp_path / "q.csv").read_bytes() == (tmp_path / "r.csv").read_bytes()
    assert q.model.run(tend=1).array.tobytes() == r.array.tobytes()


def test_certificates_bound_the_error(oscillator):
    r = oscillator.run(tol=1e-6, certify=True)
    true = numpy.abs(r["x"] - numpy.cos(2 * r.t)).max()
    assert true / 3 < r.certificate.error < 1e-4


def test_tables_are_checked():
    with pytest.raises(ValueError):
        taut.table(["t"], numpy.zeros((2, 2)))
    assert len(taut.table(["t", "x"], numpy.zeros((0, 2)))) == 0


def test_notebooks_show_pages(crank):
    r = crank.run(tend=0.5, at=[0, 0.5])
    shown = r._repr_html_()
    assert shown.startswith("<iframe srcdoc=") and 'loading="lazy"' in shown
    assert "slider-crank" in shown and "<script" not in shown  # it is escaped
    assert taut.table(["t"], numpy.zeros((1, 1)))._repr_html_() is None
    assert "structural index 3" in crank._repr_html_()
    assert r.array.shape[0] == 2  # the page has made a run of its own
