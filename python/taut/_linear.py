"""Linearisations, modes, equilibria, periodic motions."""
from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Iterator

from ._errors import call, errors
from ._library import Held, c_string, ffi, lib, new, path_of, take_text, text, view
from ._options import Run, fill, signed
from ._result import Record, Result, record, take_result
from ._state import State, borrowed


if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._keywords import LinearOptions


def _words(pointer: Any, count: int) -> list[str]:
    return [text(pointer[i]) for i in range(count)]


class Form(Held):
    """E x' = A x + B u, y = C x + D u in all variables of the equations; E None: the identity."""

    def __init__(self, c: Any, inputs: int, outputs: int, owner: Any) -> None:
        n = c.states
        self.states = _words(c.state, n)
        self.E = view(c.E, (n, n), owner) if c.E else None
        self.A, self.B = view(c.A, (n, n), owner), view(c.B, (n, inputs), owner)
        self.C, self.D = view(c.C, (outputs, n), owner), view(c.D, (outputs, inputs), owner)


class Linear(Held):
    """x' = A x + B u, y = C x + D u near a point of a motion.

    >>> import taut
    >>> m = taut.parse(\"\"\"
    ... Inputs: {f: 0}
    ... DAE: {Variables: [x], Equations: [x'' + 4*x - f]}
    ... ProblemData: {tend: 1, positions: {x: 0}, velocities: {x: 0}}
    ... Outputs: {y: 3*x}
    ... \"\"\")
    >>> p = m.linearize()
    >>> p.states, p.A.tolist(), p.B.tolist(), p.C.tolist()
    (['x', "x'"], [[0.0, 1.0], [-4.0, 0.0]], [[0.0], [1.0]], [[3.0, 0.0]])
    >>> p.eigenvalues
    array([0.-2.j, 0.+2.j])

    `scipy.signal.StateSpace(*p.ss)` takes it as it is.
    """

    def __init__(self, box: Any, k: int, model: Any, given: dict | None = None) -> None:
        self._box, self._k, self.model = box, k, model
        self._given = given or {}  # the options of its run
        c = self._p = lib.taut_linear_at(box[0], k)
        n, nu, ny = c.states, c.inputs, c.outputs
        self.t: float = c.t
        self.states, self.inputs, self.outputs = _words(c.state, n), _words(c.input, nu), _words(c.output, ny)
        self.x0, self.u0, self.y0 = view(c.x0, (n,), box), view(c.u0, (nu,), box), view(c.y0, (ny,), box)
        self.A, self.B = view(c.A, (n, n), box), view(c.B, (n, nu), box)
        self.C, self.D = view(c.C, (ny, n), box), view(c.D, (ny, nu), box)
        self.eigenvalues = view(c.eigenvalue, (n,), box, kind="<c16")
        self.modes = view(c.mode, (n, n), box, kind="<c16")  # a mode a row
        self.condition = view(c.condition, (n,), box)
        self.zero_modes: int = c.zero_modes
        self.state_condition: float = c.state_condition
        self.steady: bool = bool(c.steady)
        self.contacts, self.side = text(c.contacts), text(c.side)
        # with shapes=True
        self.shape_names = _words(c.shape, c.shapes)
        self.shapes = view(c.shape_in, (n, c.shapes), box, kind="<c16") if c.shapes else None
        self.bodies, self.joints = _words(c.body, c.bodies), _words(c.joint, c.joints)
        self.energy = view(c.energy, (n, c.bodies), box) if c.bodies else None
        self.play = view(c.play, (n, c.joints), box) if c.joints else None
        self.redundant = Form(c.redundant, nu, ny, box) if c.redundant else None
        self.descriptor = Form(c.descriptor, nu, ny, box) if c.descriptor else None

    @property
    def ss(self) -> tuple:
        """(A, B, C, D)"""
        return self.A, self.B, self.C, self.D

    def _select(self, input: str | None, output: str | None, keep: list) -> Any:
        o = ffi.new("taut_response_options *")
        o.input = c_string(input if input is not None else self.inputs[0], keep)
        o.output = c_string(output if output is not None else self.outputs[0], keep)
        return o

    def response(self, input: str | None = None, output: str | None = None, range: str | None = None,
                 points: int = 0) -> Result:
        """The frequency response of one input and one output (the first ones): columns f, omega, magnitude, dB, ..."""
        keep: list = []
        o = self._select(input, output, keep)
        o.range, o.points = c_string(range, keep), points
        box = new("taut_result")
        call(lib.taut_linear_response, self._box[0], self._k, o, box)
        return take_result(box)

    def zeros(self, input: str | None = None, output: str | None = None) -> Any:
        """The zeros of that response."""
        import numpy

        keep: list = []
        room = ffi.new("double[][2]", max(1, len(self.states)))
        count = ffi.new("int *")
        call(lib.taut_linear_zeros, self._box[0], self._k, self._select(input, output, keep), room, count)
        return numpy.array([complex(room[i][0], room[i][1]) for i in range_(count[0])])

    def save(self, path: str | os.PathLike) -> None:
        """Writes .json, .csv or .mat."""
        call(lib.taut_linear_write, self._box[0], path_of(path))

    @property
    def data(self) -> Any:
        """What the program prints with --json."""
        place = ffi.new("char **")
        lib.taut_linear_text(self._box[0], True, place)
        return json.loads(take_text(place))

    def __str__(self) -> str:
        place = ffi.new("char **")
        lib.taut_linear_text(self._box[0], False, place)
        return take_text(place)

    def __repr__(self) -> str:
        return f"<taut.Linear at t = {self.t:g}: {len(self.states)} states>"


range_ = range


class Linears(list):
    """Linearisations along a run, one after the other."""

    def course(self) -> Result:
        """Eigenvalues against time, each followed from point to point."""
        box = new("taut_result")
        call(lib.taut_linear_course, self[0]._box[0], box)
        return take_result(box)

    def __str__(self) -> str:
        return str(self[0]) if self else ""


LINEAR = {"states", "inputs", "outputs", "shapes", "redundant", "descriptor"}


def linear_options(given: dict, keep: list) -> Any:
    o = ffi.new("taut_linear_options *", lib.taut_linear_options_default())
    fill(o, {k: given.pop(k) for k in list(given) if k in LINEAR and given[k] is not None}, keep)
    return o


def linearize(model: Any, given: dict) -> Any:
    keep: list = []
    given = dict(given)
    several = "at" in given and not isinstance(given["at"], (int, float))
    linear = linear_options(given, keep)
    run = Run(given)
    box = new("taut_linear")
    e = errors()
    status = lib.taut_linearize(model._c, run.c, linear, box, e.c)
    run.watch.end()
    e.check(status)
    points = Linears(Linear(box, k, model, given) for k in range(lib.taut_linear_points(box[0])))
    return points if several else points[0]


class Modes(Held):
    """Frequencies, damping and what moves: `str` is the program's table."""

    def __init__(self, linear: Linear) -> None:
        import numpy

        self.linear: Linear = linear
        self.eigenvalues = linear.eigenvalues
        size = numpy.abs(self.eigenvalues)
        self.frequency = size / (2 * numpy.pi)  # cycles
        with numpy.errstate(invalid="ignore", divide="ignore"):
            self.damping = numpy.where(size > 0, -self.eigenvalues.real / size, numpy.nan)

    def page(self, path: str | os.PathLike) -> None:
        """Writes a page that shows them moving, of a mechanism at the start or along a run."""
        from ._result import write_page

        if self.linear.shapes is None:
            raise ValueError("modes are shown with shapes=True")
        given = {k: v for k, v in self.linear._given.items() if k not in ("at", "every", "tend", "progress")}
        run = self.linear.model.run(every="screen", tend=self.linear.t, **given)
        write_page(run, path, modes=self.linear._box[0])

    @property
    def stable(self) -> bool:
        """No mode grows."""
        return bool((self.eigenvalues.real <= 0).all())

    def __str__(self) -> str:
        place = ffi.new("char **")
        lib.taut_linear_modes(self.linear._box[0], place)
        return take_text(place)

    def __repr__(self) -> str:
        return f"<taut.Modes: {len(self.eigenvalues)} eigenvalues>"

    def _repr_html_(self) -> str:
        import html

        return f"<pre>{html.escape(str(self))}</pre>"


@signed
class Equilibrium(Held):
    """A state of rest; `free` has the values that were found for the names under Trim."""

    def __init__(self, owner: Equilibria, k: int) -> None:
        c = owner._box[0]
        self._owner = owner
        self.values: dict[str, float]
        self.free: dict[str, float]
        self.state: State = borrowed(lib.taut_equilibria_state(c, k))
        self.values = dict(zip(owner.table.names[1:], owner.table.array[k, 1:].tolist()))
        self.free = {name: lib.taut_equilibria_free_value(c, k, i) for i, name in enumerate(owner.free_names)}
        from ._model import Model

        self.model: Any = Model._borrow(lib.taut_equilibria_model(c, k), owner, owner.model)

    def __getitem__(self, name: str) -> float:
        return self.values[name]

    def linearize(self, **options: Unpack[LinearOptions]) -> Linear:
        return self.model.linearize(from_=self.state, **options)

    def modes(self, **options: Unpack[LinearOptions]) -> Modes:
        return self.model.modes(from_=self.state, **options)

    @property
    def stable(self) -> bool:
        """No small motion about it grows."""
        return self.modes().stable

    def __repr__(self) -> str:
        return "<taut.Equilibrium: " + ", ".join(f"{k} = {v:.6g}" for k, v in list(self.values.items())[:6]) + ">"


class Equilibria(Held):
    """All that were found."""

    def __init__(self, model: Any, run: Run, starts: int) -> None:
        self.model = model
        self._box = new("taut_equilibria")
        e = errors()
        status = lib.taut_equilibria_find(model._c, run.c, starts, self._box, e.c)
        run.watch.end()
        e.check(status)
        self.free_names: list[str] = []
        while lib.taut_equilibria_free_name(self._box[0], len(self.free_names)):
            self.free_names.append(text(lib.taut_equilibria_free_name(self._box[0], len(self.free_names))))
        box = new("taut_result")
        call(lib.taut_equilibria_table, self._box[0], run.c, box)
        self.table = take_result(box)

    def __len__(self) -> int:
        return lib.taut_equilibria_count(self._box[0])

    def __getitem__(self, k: int) -> Equilibrium:
        if not -len(self) <= k < len(self):
            raise IndexError(k)
        return Equilibrium(self, k % len(self))

    def __iter__(self) -> Iterator[Equilibrium]:
        return (self[k] for k in range(len(self)))

    def __repr__(self) -> str:
        return f"<taut.Equilibria: {len(self)} found>"


class Floquet(Record):
    """Multipliers of a periodic motion."""


def floquet(model: Any, period: float, given: dict) -> Floquet:
    import numpy

    keep: list = []
    given = dict(given)
    linear = linear_options(given, keep)
    run = Run(given)
    box = new("taut_floquet")
    e = errors()
    status = lib.taut_floquet_find(model._c, run.c, linear, period, box, e.c)
    run.watch.end()
    e.check(status)
    c = lib.taut_floquet_get(box[0])
    out = Floquet(record(c))
    out["multipliers"] = numpy.array([complex(c.multiplier[i][0], c.multiplier[i][1]) for i in range(c.count)])
    return out
