"""The state of a simulation as a value."""
from __future__ import annotations

import os
import tempfile
from typing import Any

from ._errors import call
from ._library import c_text, ffi, lib, new, path_of


class State:
    """Where a motion is: it can be saved, loaded, pickled, and gone on from.

    >>> import taut
    >>> m = taut.parse("DAE: {Variables: [x], Equations: [x' - 1]}\\nProblemData: {tend: 2, positions: {x: 0}}")
    >>> half = m.run(tend=1, last=True).last
    >>> half.t, half["x"]
    (1.0, 1.0)
    >>> float(m.run(from_=half)["x"][-1])
    2.0
    """

    def __init__(self, box: Any) -> None:
        self._box = box

    @classmethod
    def load(cls, path: str | os.PathLike) -> State:
        box = new("taut_state")
        call(lib.taut_state_load, path_of(path), box)
        return cls(box)

    def save(self, path: str | os.PathLike) -> None:
        call(lib.taut_state_save, self._box[0], path_of(path))

    def copy(self) -> State:
        box = new("taut_state")
        lib.taut_state_copy(self._box[0], box)
        return State(box)

    @property
    def t(self) -> float:
        return lib.taut_state_time(self._box[0])

    @property
    def signature(self) -> int:
        """Equal for states of the same equations."""
        return lib.taut_state_signature(self._box[0])

    def __getitem__(self, name: str) -> float:
        value = lib.taut_state_value(self._box[0], c_text(name))
        if value != value:
            raise KeyError(name)
        return value

    def __repr__(self) -> str:
        return f"<taut.State at t = {self.t:g}>"

    def __getstate__(self) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "state")
            self.save(path)
            with open(path, "rb") as file:
                return file.read()

    def __setstate__(self, data: bytes) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "state")
            with open(path, "wb") as file:
                file.write(data)
            self._box = State.load(path)._box


def borrowed(pointer: Any) -> State:
    """A copy of a state that belongs to another object."""
    box = new("taut_state")
    lib.taut_state_copy(ffi.cast("taut_state *", pointer), box)
    return State(box)
