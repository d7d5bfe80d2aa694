"""Step by step: values, inputs, states, callbacks; locks, signals, memory."""
import gc
import math
import os
import pickle
import resource
import signal
import threading
import time
import tracemalloc

import pytest

import taut
from conftest import LINE


def test_dense_output(oscillator):
    s = oscillator.simulation(tol=1e-12)
    while s.step():
        for part in (0.0, 0.3, 1.0):
            t = s.begin + part * (s.reached - s.begin)
            assert s.value("x", t) == pytest.approx(math.cos(2 * t), abs=1e-10)
            assert s.value("x'", t) == pytest.approx(-2 * math.sin(2 * t), abs=1e-10)
    assert s.t == 10
    with pytest.raises(taut.Error, match="outside|step"):
        s.value("x", 1.0)
    with pytest.raises(KeyError, match="nonsense"):
        s["nonsense"]
    assert s.names[:2] == ["t", "x"]


def test_inputs_count_from_now_on(oscillator):
    s = oscillator.simulation(tol=1e-12)
    s.run_to(math.pi / 2)  # x = -1, x' = 0
    s.input(f=-4)
    s.run_to(5)
    assert s["x"] == pytest.approx(-1, abs=1e-10)
    with pytest.raises(taut.Error, match="nothing"):
        s.set_input("nothing", 1)


def test_states(oscillator, tmp_path):
    whole = oscillator.simulation(tol=1e-12)
    for _ in range(5):
        whole.step()
    state = whole.state
    t = state.t
    whole.run_to(9)
    state.save(tmp_path / "state")
    for kept in (state, state.copy(), pickle.loads(pickle.dumps(state)), taut.State.load(tmp_path / "state")):
        other = oscillator.simulation(tol=1e-12)
        other.state = kept
        assert other.t == t
        other.run_to(9)
        assert other["x"] == whole["x"] and other["x'"] == whole["x'"]
    with pytest.raises(KeyError):
        state["z"]
    with pytest.raises(taut.Error):
        taut.parse(LINE).simulation().state = state


def test_callbacks_at_steps(oscillator):
    s = oscillator.simulation()
    seen = []
    s.on_step(lambda s: seen.append(s.reached))
    s.run_to(10)
    assert len(seen) == s.stats.steps and seen[-1] == 10 and seen == sorted(seen)
    s = oscillator.simulation()
    s.on_step(lambda s: s["x"] < 0)
    s.run_to(10)
    assert s.t < 3 and s["x"] < 0


def test_callbacks_do_not_change_what_has_begun(oscillator):
    def change(s):
        s.set(k=9)

    s = oscillator.simulation()
    s.on_step(change)
    with pytest.raises(RuntimeError, match="parameters count from the next start on"):
        s.run_to(1)
    s = oscillator.simulation()
    s.on_step(lambda s: s.input(f=4))
    s.run_to(10)
    s.set(k=9)  # after the run
    assert s["x"] == 1
    with pytest.raises(RuntimeError, match="initial values count"):
        s.on_step(lambda s: s.initial("x", 0))
        s.run_to(1)


def test_initial_values_and_starts(oscillator):
    s = oscillator.simulation(tol=1e-12)
    s.initial("x", 0)
    s.initial("x'", 2, fix=True)
    s.run_to(1)
    assert s["x"] == pytest.approx(math.sin(2), abs=1e-10)
    s.set(k=9)
    s.run_to(1)
    assert s["x"] == pytest.approx(2 / 3 * math.sin(3), abs=1e-10)
    with pytest.raises(taut.Error, match="no parameter 'q'"):
        s.set(q=1)
    assert list(oscillator.simulation().steps())[-1] == 10


def test_progress_can_stop(oscillator):
    seen = []
    r = oscillator.run(progress=lambda f: seen.append(f) or f > 0.5)
    assert r.status == "interrupted" and 5 < r.t[-1] < 9 and seen == sorted(seen)
    with pytest.raises(ZeroDivisionError):
        oscillator.run(progress=lambda f: 1 / 0)


LONG = LINE.replace("PhysicalParams: {a: 1, b: 1}", "PhysicalParams: {a: 1}").replace("x' - a*b", "x'' + x^3 + a*x").replace("{x: 0}", "{x: 1}, velocities: {x: 0}").replace("tend: 2", "tend: 1e7")


def test_ctrl_c_keeps_results():
    m = taut.parse(LONG, "long")
    timer = threading.Timer(0.4, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    begin = time.monotonic()
    with pytest.raises(taut.Interrupted) as caught:
        m.run(at=[0, 1, 2, 3])
    assert time.monotonic() - begin < 5
    r = caught.value.result
    assert isinstance(caught.value, KeyboardInterrupt) and r is m.last
    assert r.status == "interrupted" and r["x"].size == 4 and abs(r["x"][1]) < 1
    # and it works again
    assert m.run(tend=1).status == "ok"


def test_ctrl_c_stops_steps_and_sweeps():
    m = taut.parse(LONG.replace("1e7", "1e6"), "long")
    for work in (lambda: m.simulation().run_to(1e6),
                 lambda: m.sweep({"a": "1..2:100"}, report=["end(x)"], threads=1)):
        timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            work()


@pytest.mark.parametrize("work", [
    lambda m: m.linearize(at=1e7), lambda m: m.gradient("end(x)", "a"), lambda m: m.gradient("end(x)", "a", "adjoint"),
    lambda m: m.optimize({"a": (0.5, 2)}, minimize="end(x)")])
def test_ctrl_c_stops_what_runs_first(work):
    m = taut.parse(LONG, "long")
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    begin = time.monotonic()
    with pytest.raises(taut.Interrupted):
        work(m)
    assert time.monotonic() - begin < 5


CRANK = """Dimension: 2
PartData:
  Fixed: {O: [0, 0]}
  Rigids: {OA: {Geom: [[2, 0]], Dyna: [[1, 0], 1, 1]}}
Angles: {phi: OA}
ProblemData: {tend: 1, positions: {A: [2, 0]}}
"""


def test_ctrl_c_and_progress_stop_kinematics():
    m = taut.parse(CRANK, "crank")
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        m.kinematics(drive="phi=0..360deg:1000001")
    assert time.monotonic() - begin < 5
    asked = []
    with pytest.raises(taut.Error, match="interrupted"):
        m.kinematics(drive="phi=0..360deg:1000001", progress=lambda f: asked.append(f) or len(asked) > 2)
    assert asked == [0.0, 0.0, 0.0]
    assert m.kinematics(drive="phi=0..360deg:5", progress=lambda f: 0)["Ax"].size == 5


def test_ctrl_c_stops_exports(tmp_path):
    m = taut.parse(LONG.replace("1e7", "3000"), "long")
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        for k in range(1000):
            m.export_c(tmp_path / "code", "long")
    assert time.monotonic() - begin < 5
    with pytest.raises(taut.Error, match="interrupted"):
        m.export_c(tmp_path / "other", "long", run={"progress": lambda f: 1})
    assert not (tmp_path / "other").exists()


def test_ctrl_c_stops_certificates():
    m = taut.parse(LONG.replace("1e7", "1000"), "long")
    first = m.run(at=[1000])
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(taut.Interrupted) as caught:
        while True:
            first.certify()
    assert caught.value.result is first and first.status == "ok"


def test_others_run_while_the_library_computes():
    m = taut.parse(LONG.replace("1e7", "3e4"), "long")
    ticks = []
    done = threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    worker = threading.Thread(target=lambda: m.run(at=[0]))  # no callbacks in another thread
    begin = time.monotonic()
    worker.start()
    worker.join()
    end = time.monotonic()
    done.set()
    thread.join()
    inside = [t for t in ticks if begin < t < end]
    assert end - begin > 0.05 and len(inside) > 5


def test_failures_keep_results():
    m = taut.parse("DAE: {Variables: [x], Equations: [x' - x^2]}\nProblemData: {tend: 2, positions: {x: 1}}")
    with pytest.raises(taut.Error) as caught:
        m.run()  # x = 1/(1 - t)
    assert 0.9 < caught.value.result.t[-1] <= 1 and caught.value.result is m.last


def test_threads_take_turns_at_a_simulation(crank):
    s = crank.simulation(tend=1)
    s.set(m2=2)
    s.run_to(0.2)
    wanted, seen, wrong = s["s"], [], []

    def work():
        try:
            for _ in range(40):
                s.set(m2=2)
                s.run_to(0.2)
                seen.append(s["s"])
        except Exception as error:  # noqa: BLE001 - any is wrong
            wrong.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and len(seen) == 160
    assert all(math.isfinite(x) for x in seen) and wanted in seen


def test_what_stays_in_its_process_says_so(oscillator):
    import copy

    for thing in (oscillator.simulation(), oscillator.linearize(), oscillator.program(), taut.Builder("b"),
                  oscillator.sweep({"k": [1, 2]}, report="end(x)")):
        for away in (pickle.dumps, copy.copy, copy.deepcopy):
            with pytest.raises(TypeError, match=type(thing).__name__ + ".* cannot be copied or pickled"):
                away(thing)
    assert copy.deepcopy(oscillator).run(tend=1).array.tobytes() == oscillator.run(tend=1).array.tobytes()
    state = oscillator.run(last=True).last
    assert copy.deepcopy(state)["x"] == state["x"]


def rss():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def test_models_do_not_leak():
    def work(count):
        for k in range(count):
            m = taut.parse(LINE, a=1 + k)
            m.run(at=[2])
            m.simulation().run_to(1)
            try:
                taut.parse("nonsense: 1")
            except taut.Error:
                pass

    work(300)
    gc.collect()
    tracemalloc.start()
    before, memory = tracemalloc.get_traced_memory()[0], rss()
    count = int(os.environ.get("TAUT_MODELS", 1500))
    work(count)
    gc.collect()
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert after - before < 20e3
    assert rss() - memory < 6e6
