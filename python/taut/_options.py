"""Keywords as options of the library, by its own names."""
from __future__ import annotations

import difflib
import inspect
import threading
from typing import Any, TypeVar

from ._errors import Interrupted
from ._library import c_string, ffi, lib
from ._names import KEYWORDS
from ._state import State

EVERY = {"step": lib.TAUT_EVERY_STEP, "screen": lib.TAUT_FOR_SCREEN}

# Fields of taut_run_options that keywords say in another way.
HIDDEN = {"cookie", "has_tend", "ats", "user", "from", "last", "progress"}
EXTRA = {"tol", "from_", "last", "progress", "certify"}


def names(kind: str) -> list[str]:
    """The fields of a struct of options that are words, numbers or switches."""
    return [n for n, f in ffi.typeof(kind).fields
            if n != "cookie" and (f.type.kind == "primitive" or f.type.cname == "char *")]


RUN = sorted({n for n, _ in ffi.typeof("taut_run_options").fields} - HIDDEN | EXTRA)


def refuse(name: str, known: Any) -> None:
    near = difflib.get_close_matches(name, list(known), 1)
    hint = f"did you mean {near[0]!r}?" if near else "there are " + ", ".join(sorted(known))
    raise TypeError(f"there is no option {name!r}; {hint}")


def put(struct: Any, name: str, value: Any, option: str = "") -> None:
    """Sets a field; what it cannot be is said with the name of the option."""
    try:
        setattr(struct, name, value)
    except (TypeError, OverflowError) as error:
        raise type(error)(f"option {option or name!r}: {error}") from None


def kind_of(error: Exception) -> type[Exception]:
    """The class that an error with other words has: some of their own, as of Unicode, take no words."""
    return TypeError if isinstance(error, TypeError) else ValueError


def _words(name: str, value: Any, keep: list) -> Any:
    try:
        return c_string(value, keep)
    except (TypeError, ValueError) as error:
        raise kind_of(error)(f"option {name!r} is a text or a list of texts: {error}") from None


def fill(struct: Any, given: dict, keep: list) -> None:
    """Puts keywords into the fields of the same names."""
    fields = dict(ffi.typeof(struct).fields) if ffi.typeof(struct).kind == "struct" else dict(
        ffi.typeof(struct).item.fields)
    for name, value in given.items():
        if name not in fields:
            refuse(name, fields.keys() - {"cookie"})
        put(struct, name, _words(name, value, keep) if fields[name].type.cname == "char *" else value)


def split(given: dict, known: Any) -> dict:
    """Takes the keywords that are among `known` out of `given`."""
    return {name: given.pop(name) for name in list(given) if name in known}


class _Default:
    """What an option is where nobody gives it, in signatures."""

    def __repr__(self) -> str:
        return "..."


_DEFAULT = _Default()
Kind = TypeVar("Kind", bound=type)


def signed(kind: Kind) -> Kind:
    """Methods that take `**options: Unpack[RunOptions]` show these keywords in help() and to whoever completes names."""
    for method in vars(kind).values():
        if not inspect.isfunction(method):
            continue
        s = inspect.signature(method)
        rest = next((p for p in s.parameters.values() if p.kind is p.VAR_KEYWORD), None)
        words = str(rest.annotation) if rest else ""
        if not words.startswith("Unpack["):
            continue
        own = [p for p in s.parameters.values() if p is not rest]
        more = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=_DEFAULT, annotation=words)
                for name, words in KEYWORDS[words[7:-1]].items() if name not in s.parameters]
        method.__signature__ = s.replace(parameters=own + more)  # type: ignore[attr-defined]
    return kind


@ffi.callback("int(void *, double)", error=1, onerror=lambda kind, error, trace: _note(error, trace))
def _on_progress(user, fraction):
    watch = ffi.from_handle(user)
    return int(bool(watch.progress(fraction))) if watch.progress else 0


def _note(error: BaseException, trace: Any) -> None:
    """An exception in the callback, of a signal as well, ends the run: `Watch.end` raises it."""
    ffi.from_handle(trace.tb_frame.f_locals["user"]).error = error


class Watch:
    """Looks after a run: progress, and signals, which Python sees only while it runs itself."""

    def __init__(self, progress: Any) -> None:
        self.progress = progress
        self.error: BaseException | None = None
        self.handle = ffi.new_handle(self)

    def put(self, run: Any) -> None:
        if self.progress or threading.current_thread() is threading.main_thread():
            run.progress = _on_progress
            run.user = self.handle

    def end(self, result: Any = None) -> None:
        """Raises what the callback could not."""
        error, self.error = self.error, None
        if isinstance(error, KeyboardInterrupt):
            raise Interrupted(result) from None
        if error is not None:
            raise error


class Run:
    """The options of a run, and what they point to."""

    def __init__(self, given: dict, struct: Any = None) -> None:
        self.given = dict(given)
        self.keep: list = []
        if struct is None:
            self.memory = ffi.new("taut_run_options *", lib.taut_run_options_default())
            struct = self.memory
        self.c = struct
        self.certify = False
        self.want_last = False
        given = dict(given)
        for name in given:
            if name not in RUN:
                refuse(name, RUN)
        self.watch = Watch(given.pop("progress", None))
        self.watch.put(struct)
        if "tol" in given:
            self._put_tolerance(given.pop("tol"))
        if given.get("tend") is not None:
            struct.has_tend = True
            put(struct, "tend", given["tend"])
        given.pop("tend", None)
        if given.get("at") is not None:
            self._put_times(given["at"])
        given.pop("at", None)
        if "every" in given:
            self._put_every(given.pop("every"))
        state = given.pop("from_", None)
        if state is not None:
            if not isinstance(state, State):
                raise TypeError(f"option 'from_' is a taut.State, as `result.last` or `simulation.state`, not {state!r}")
            self.keep.append(state)
            setattr(struct, "from", state._box[0])
        self.certify = given.pop("certify", False)
        self.want_last = given.pop("last", False)
        fill(struct, {n: v for n, v in given.items() if v is not None}, self.keep)

    def _put_tolerance(self, tol: Any) -> None:
        if tol is not None:
            put(self.c, "rtol", tol, "tol")
            put(self.c, "atol", tol, "tol")

    def _put_every(self, every: Any) -> None:
        if isinstance(every, str) and every not in EVERY:
            raise ValueError(f"option 'every' is a number, 'step' or 'screen', not {every!r}")
        if isinstance(every, (int, float)) and every < 0:
            raise ValueError(f"option 'every' is a number above 0, 'step' or 'screen', not {every!r}")
        if every is not None:
            put(self.c, "every", EVERY[every] if isinstance(every, str) else every)

    def _put_times(self, at: Any) -> None:
        import numpy

        try:
            times = numpy.ascontiguousarray(numpy.atleast_1d(at), dtype=float)
        except (TypeError, ValueError) as error:
            raise kind_of(error)(f"option 'at' is a time or a list of times: {error}") from None
        if times.ndim != 1 or not times.size:
            raise ValueError(f"option 'at' is a time or a list of times, not an array of shape {times.shape}")
        self.keep.append(times)
        self.c.at = ffi.cast("const double *", ffi.from_buffer("double[]", times))
        self.c.ats = len(times)
