"""What arguments cannot be is said with their names, and nothing is cut off."""
import numpy
import pytest

import taut
from taut._library import formula


def test_texts_do_not_end_at_a_nul(crank, examples):
    for wrong in (lambda: taut.load(str(examples / "slider-crank.yaml") + "\0.old"),
                  lambda: taut.load(examples / "slider-crank.yaml", **{"m2\0": 1}),
                  lambda: taut.parse("DAE: {Variables: [x], Equations: [x' - 1]}", "a\0b"),
                  lambda: crank.run(solver="taylor\0x", tend=0.1),
                  lambda: crank.run(tend=0.1)["s\0x"],
                  lambda: crank.run(tend=0.1).save("a.csv\0"),
                  lambda: crank.simulation().set_parameter("m2\0", 1),
                  lambda: crank.simulation()["s\0"],
                  lambda: crank.sweep({"m2\0": [1]}, report="max(s)")):
        with pytest.raises(ValueError, match="a NUL character"):
            wrong()


def test_wrong_arguments_are_named(crank, examples):
    for error, words, wrong in (
            (TypeError, "'m2' is a number or a formula", lambda: taut.load(examples / "slider-crank.yaml", m2=None)),
            (TypeError, "'m2' is a number or a formula", lambda: taut.load(examples / "slider-crank.yaml", m2=1j)),
            (ValueError, "'m2' is a number or a formula", lambda: taut.load(examples / "slider-crank.yaml", m2="\udcff")),
            (ValueError, "'m2' is a number or a formula: nan is not", lambda: taut.load(examples / "slider-crank.yaml", m2=float("nan"))),
            (ValueError, "option 'every' is a number above 0", lambda: crank.run(every=-1)),
            (TypeError, "a state is a taut.State", lambda: setattr(crank.simulation(), "state", None)),
            (TypeError, "option 'solver' is a text", lambda: crank.run(solver=3)),
            (ValueError, "option 'at' is a time", lambda: crank.run(at=["now"])),
            (TypeError, "option 'at' is a time", lambda: crank.run(at=(t for t in (0, 1)))),
            (TypeError, "option 'starts'", lambda: crank.optimize({"l1": (0.3, 0.5)}, minimize="max(s)", starts="many"))):
        with pytest.raises(error, match=words):
            wrong()


def test_numbers_of_numpy_are_numbers():
    assert [formula(v) for v in (numpy.bool_(True), True, numpy.float32(0.5), numpy.int64(3), numpy.array(0.1))] == [
        "1", "1", "0.5", "3", "0.1"]
    assert formula(numpy.array([1, 2.5])) == "[1.0, 2.5]"


def test_optima_that_are_not_there_are_no_result(crank):
    with pytest.raises(taut.Error, match="'total' has no value") as caught:
        crank.optimize({"l1": (0.3, 0.5)}, minimize="max(s) + total(0)")
    assert caught.value.result is None
