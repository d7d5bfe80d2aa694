"""Statuses and lists of faults as exceptions and warnings."""
from __future__ import annotations

import threading
import warnings
from typing import Any, NamedTuple

from ._library import ffi, lib, text

STATUS = {value: name[len("TAUT_"):].replace("ERR_", "").lower() for value, name in ffi.typeof("taut_status").elements.items()}


class Fault(NamedTuple):
    """One thing that is wrong, and where."""

    status: str  # "input", ...; "ok": a warning
    file: str
    line: int  # from 1; 0: not about a place in a file
    column: int
    message: str
    text: str  # as the program prints it: place, message, the line and a caret


class Error(Exception):
    """What the library refuses or cannot do.

    >>> import taut
    >>> try:
    ...     taut.parse("DAE: {Variables: [x], Equations: [x' - z]}", name="m.yaml")
    ... except taut.Error as e:
    ...     print(e.file, e.line, e.column, e.status)
    ...     print(e)
    m.yaml 1 40 input
    m.yaml:1:40: error: unknown name 'z'
      DAE: {Variables: [x], Equations: [x' - z]}
                                             ^
    """

    def __init__(self, status: str, faults: list[Fault], result: Any = None) -> None:
        first = next((f for f in faults if f.status != "ok"), None)
        words = "\n".join(f.text for f in faults if f.status != "ok")
        super().__init__(words or status)
        self.status = status
        self.faults = faults
        self.file = first.file if first else ""
        self.line = first.line if first else 0
        self.column = first.column if first else 0
        self.message = first.message if first else status
        self.result = result  # of a run that failed on its way: what was computed

    def __reduce__(self) -> Any:
        return Error, (self.status, self.faults, None)


class Warning(UserWarning):  # noqa: A001 - it is taut.Warning
    """What is doubtful in a model, though it can be simulated."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a run: `result` has what was computed (and so has `model.last`)."""

    def __init__(self, result: Any = None) -> None:
        super().__init__("interrupted; what was computed is in `result`")
        self.result = result


def _fault(item: Any) -> Fault:
    size = 4096
    buffer = ffi.new("char[]", size)
    needed = lib.taut_error_format(ffi.addressof(item), buffer, size)
    if needed >= size:
        buffer = ffi.new("char[]", needed + 1)
        lib.taut_error_format(ffi.addressof(item), buffer, needed + 1)
    return Fault(STATUS[item.status], text(item.path), item.line, item.column, text(item.message),
                 text(buffer).rstrip("\n"))


class Errors:
    """The list that calls of the library fill; it may be used again and again."""

    def __init__(self) -> None:
        self.c = ffi.new("taut_errors *")

    def take(self) -> list[Fault]:
        """What is in it; it is empty then."""
        faults = [_fault(self.c.item[i]) for i in range(self.c.count)]
        self.c.count = self.c.dropped = 0
        return faults

    def check(self, status: int, result: Any = None) -> None:
        """Raises what went wrong, and warns of what is doubtful."""
        if status == 0 and self.c.count == 0:
            return
        faults = self.take()
        if status != 0:
            raise Error(STATUS.get(status, str(status)),
                        faults or [Fault(STATUS[status], "", 0, 0, text(lib.taut_status_text(status)),
                                         text(lib.taut_status_text(status)))], result)
        for fault in faults:
            warnings.warn(fault.text, Warning, stacklevel=4)


_local = threading.local()


def errors() -> Errors:
    """This thread's list for calls that are over at once."""
    found = getattr(_local, "errors", None)
    if found is None:
        found = _local.errors = Errors()
    found.c.count = found.c.dropped = 0
    return found


def call(function: Any, *arguments: Any) -> None:
    """Calls a function whose last parameter is the list of errors, and raises what it says."""
    e = errors()
    e.check(function(*arguments, e.c))
