"""A simulation step by step."""
from __future__ import annotations

import functools
import threading
from typing import Any, Callable, Iterator, TypeVar

from ._errors import Error, Errors
from ._library import Held, c_text, ffi, lib, new, text
from ._options import Run
from ._result import Event, Record, _events, _stats
from ._state import State


Method = TypeVar("Method", bound=Callable)


def _alone(method: Method) -> Method:
    """One thread at a time: the others wait. A callback at a step is inside already, and may go on."""
    @functools.wraps(method)
    def locked(self: Any, *arguments: Any, **keywords: Any) -> Any:
        with self._lock:
            return method(self, *arguments, **keywords)
    return locked  # type: ignore[return-value]


class Simulation(Held):
    """A run in which one can look, set and go on. Threads take turns at one; for work side by side each has its own.

    >>> import taut
    >>> m = taut.parse(\"\"\"
    ... PhysicalParams: {k: 1}
    ... DAE: {Variables: [x], Equations: [x' - k]}
    ... ProblemData: {tend: 2, positions: {x: 0}}
    ... \"\"\")
    >>> s = m.simulation()
    >>> s.set(k=3)
    >>> s.run_to(1.5)
    >>> s["x"], s.value("x", 0.5)
    (4.5, 1.5)
    """

    def __init__(self, model: Any, options: Run, program: Any = None) -> None:
        self.model = model
        self._program = program
        self._options = options
        self._errors = Errors()
        self._box = new("taut_simulation")
        self._started = False
        self._inside = False  # a callback of a step
        self._lock = threading.RLock()
        self._callbacks: list[Callable[[Simulation], Any]] = []
        self._names: list[str] | None = None
        if program is not None:
            status = lib.taut_simulation_create_from(program._box[0], self._box, self._errors.c)
        else:
            status = lib.taut_simulation_create(model._c, options.c, self._box, self._errors.c)
        self._errors.check(status)
        self._c = self._box[0]

    # ---- before the start ----

    def set(self, **parameters: float) -> None:
        """Parameters, from the next start on, so not in a callback; `set_parameter` for names that are no keywords."""
        for name, value in parameters.items():
            self.set_parameter(name, value)

    @_alone
    def set_parameter(self, name: str, value: float) -> None:
        self._refuse_inside("parameters")
        status = lib.taut_simulation_set_parameter(self._c, c_text(name), value, self._errors.c)
        if status:
            self._errors.check(status)
        self._started = False

    @_alone
    def initial(self, name: str, value: float, fix: bool = False) -> None:
        """An initial value, of "u" or "u'": a guess, or, with `fix`, not to be changed."""
        self._refuse_inside("initial values")
        function = lib.taut_simulation_fix_initial if fix else lib.taut_simulation_set_initial
        self._errors.check(function(self._c, c_text(name), value, self._errors.c))
        self._started = False

    @_alone
    def start(self) -> None:
        """Finds the start, anew; the other calls do it where it is missing."""
        status = lib.taut_simulation_start(self._c, self._errors.c)
        self._options.watch.end()
        self._errors.check(status)
        self._started = True

    def _need_start(self) -> None:
        if not self._started:
            self.start()

    # ---- running ----

    def on_step(self, callback: Callable[[Simulation], Any]) -> None:
        """Calls `callback(simulation)` after each step; if it returns something true, the run stops there."""
        self._callbacks.append(callback)

    def _call_back(self) -> bool:
        stop, before, self._inside = False, self._inside, True
        try:
            for callback in self._callbacks:
                stop = bool(callback(self)) or stop
        finally:
            self._inside = before
        return stop

    def _refuse_inside(self, what: str) -> None:
        if self._inside:
            raise RuntimeError(f"{what} count from the next start on, and a run is under way here: "
                               "inputs can change in it, by s.input(...)")

    def _advance(self) -> int:
        status = lib.taut_simulation_step(self._c, self._errors.c)
        if status not in (0, lib.TAUT_AT_END):
            self._errors.check(status)
        return status

    @_alone
    def step(self) -> bool:
        """One step, as long as the tolerance allows; False: the end was reached before."""
        self._need_start()
        if self._advance():
            return False
        self._call_back()
        return True

    def steps(self) -> Iterator[float]:
        """Steps to the end: `for t in s.steps(): ...`"""
        while self.step():
            yield self.t

    @_alone
    def run_to(self, t: float) -> None:
        """Steps until t is inside the last step, and makes it the present time."""
        if not self._started:
            self.start()
        c = self._c
        while lib.taut_simulation_reached(c) < t:
            if self._advance():
                break
            if self._callbacks and self._call_back():
                return
        status = lib.taut_simulation_run_to(c, t, self._errors.c)
        if status:
            self._errors.check(status)

    @_alone
    def set_input(self, name: str, value: float) -> None:
        """One of the model's Inputs, from the present time on."""
        self._errors.check(lib.taut_simulation_set_input(self._c, c_text(name), value, self._errors.c))

    def input(self, **values: float) -> None:
        """The same by keywords: `s.input(u=5)`."""
        for name, value in values.items():
            self.set_input(name, value)

    @property
    @_alone
    def t(self) -> float:
        """The present time."""
        return lib.taut_simulation_time(self._c)

    @property
    @_alone
    def begin(self) -> float:
        """Where the last step began: values are known from here ..."""
        return lib.taut_simulation_begin(self._c)

    @property
    @_alone
    def reached(self) -> float:
        """... to here, where it ended."""
        return lib.taut_simulation_reached(self._c)

    # ---- values ----

    @_alone
    def value(self, name: str, t: float | None = None) -> float:
        """A column at a time inside the last step; the present one if there is none."""
        self._need_start()
        place = ffi.new("double *")
        when = self.t if t is None else t
        status = lib.taut_simulation_read(self._c, c_text(name), when, place, self._errors.c)
        if status:
            self._errors.check(status)
        return place[0]

    def __getitem__(self, name: str) -> float:
        try:
            return self.value(name)
        except Error as error:
            raise KeyError(error.message) from None

    @property
    @_alone
    def names(self) -> list[str]:
        self._need_start()
        if self._names is None:
            self._names = [text(lib.taut_simulation_name(self._c, k))
                           for k in range(lib.taut_simulation_columns(self._c))]
        return self._names

    @_alone
    def row(self, t: float | None = None) -> Any:
        """All columns at a time inside the last step, as an array."""
        import numpy

        row = numpy.empty(len(self.names))
        when = self.t if t is None else t
        self._errors.check(lib.taut_simulation_row(self._c, when, ffi.from_buffer("double[]", row), self._errors.c))
        return row

    @_alone
    def derivatives(self, name: str, t: float | None = None) -> Any:
        """How a column changes with the names of the option `sensitivity`."""
        import numpy

        out = numpy.empty(lib.taut_simulation_sensitivities(self._c))
        when = self.t if t is None else t
        self._errors.check(lib.taut_simulation_differentiate(
            self._c, c_text(name), when, ffi.from_buffer("double[]", out), self._errors.c))
        return out

    # ---- state, and how it went ----

    @property
    @_alone
    def state(self) -> State:
        """Where it is, at the end of the last step; assigning one goes on from there."""
        self._need_start()
        box = new("taut_state")
        self._errors.check(lib.taut_simulation_get_state(self._c, box, self._errors.c))
        return State(box)

    @state.setter
    @_alone
    def state(self, state: State) -> None:
        if not isinstance(state, State):
            raise TypeError(f"a state is a taut.State, as `result.last` or `simulation.state`, not {state!r}")
        self._errors.check(lib.taut_simulation_set_state(self._c, state._box[0], self._errors.c))
        self._started = True

    @property
    @_alone
    def stats(self) -> Record:
        return _stats(lib.taut_simulation_stats(self._c))

    @property
    @_alone
    def events(self) -> list[Event]:
        return _events(lib.taut_simulation_notes(self._c))

    @property
    @_alone
    def moves(self) -> str:
        return text(lib.taut_simulation_moves(self._c))

    @property
    @_alone
    def assemblies(self) -> str:
        return text(lib.taut_simulation_assemblies(self._c))

    @property
    @_alone
    def redundant(self) -> str:
        return text(lib.taut_simulation_redundant(self._c))

    @property
    @_alone
    def switches(self) -> str:
        return text(lib.taut_simulation_switches(self._c))

    def __repr__(self) -> str:
        return f"<taut.Simulation of {self.model.name} at t = {self.t:g}>"


class Program(Held):
    """Equations that are compiled once, for simulations in any number of threads."""

    def __init__(self, model: Any, options: Run) -> None:
        self.model, self._options = model, options
        self._box = new("taut_program")
        e = Errors()
        e.check(lib.taut_program_create(model._c, options.c, self._box, e.c))

    def simulation(self) -> Simulation:
        """A simulation of its own by these equations."""
        return Simulation(self.model, self._options, self)

    def __repr__(self) -> str:
        return f"<taut.Program of {self.model.name}>"
