"""The C library: loading it, and what all of its objects have in common."""
from __future__ import annotations

import os
import pathlib
from typing import Any

from ._native import ffi


def _path() -> str:
    """$TAUT_LIBRARY, or the library that lies beside this file."""
    given = os.environ.get("TAUT_LIBRARY")
    return given if given else str(pathlib.Path(__file__).with_name("libtaut.so"))


try:
    lib = ffi.dlopen(_path())
except OSError as error:
    raise ImportError(
        f"{error}; the wheel of `make python` contains the library, and $TAUT_LIBRARY may name another one"
    ) from None

version: str = ffi.string(lib.taut_version()).decode()


def new(kind: str) -> Any:
    """A place for an object of the library, `place[0]`, that frees it in the end."""
    return ffi.gc(ffi.new(f"{kind} **"), getattr(lib, f"{kind}_free"))


def text(pointer: Any) -> str:
    """A C string; "" for NULL."""
    return ffi.string(pointer).decode("utf-8", "replace") if pointer else ""


def optional(pointer: Any) -> str | None:
    return text(pointer) if pointer else None


def take_text(place: Any) -> str:
    """The text in a place `char **`, which is given back."""
    try:
        return text(place[0])
    finally:
        lib.taut_text_free(place)


def c_text(value: str) -> bytes:
    """A text for the library, for which it ends at the first NUL."""
    data = value.encode()
    if b"\0" in data:
        raise ValueError(f"a NUL character in {value!r}")
    return data


def c_string(value: Any, keep: list) -> Any:
    """`const char *` of a text, of a list of texts (with commas) or of None; `keep` holds its memory."""
    if value is None:
        return ffi.NULL
    if isinstance(value, os.PathLike):
        data = path_of(value)  # any bytes
    else:
        data = c_text(value if isinstance(value, str) else ",".join(str(v) for v in value))
    memory = ffi.new("char[]", data)
    keep.append(memory)
    return memory


def c_strings(values: Any, keep: list) -> Any:
    """`const char *const *` of texts."""
    memory = ffi.new("const char *[]", [c_string(v, keep) for v in values])
    keep.append(memory)
    return memory


def path_of(path: Any) -> bytes:
    data = os.fsencode(path)
    if b"\0" in data:
        raise ValueError(f"a NUL character in {path!r}")
    return data


class Held:
    """What is in the library's memory and has no form of its own outside."""

    def __reduce__(self) -> Any:
        raise TypeError(f"a taut.{type(self).__name__} cannot be copied or pickled: keep its numbers, or what made it")


class _Numbers:
    """Numbers of the library for numpy, which keeps `owner` alive through them."""

    def __init__(self, address: int, shape: tuple, strides: tuple | None, kind: str, owner: Any) -> None:
        self.owner = owner
        self.__array_interface__ = {"version": 3, "typestr": kind, "shape": shape, "strides": strides,
                                    "data": (address, True)}


def view(pointer: Any, shape: tuple, owner: Any, strides: tuple | None = None, kind: str = "<f8") -> Any:
    """Numbers where the library has them, without a copy: read-only."""
    import sys

    import numpy

    if not pointer or 0 in shape:
        return numpy.zeros(shape, kind)
    if sys.byteorder == "big":
        kind = ">" + kind[1:]
    return numpy.asarray(_Numbers(int(ffi.cast("uintptr_t", pointer)), shape, strides, kind, owner))


def formula(value: Any) -> str:
    """A number, a list of them or a text as the library reads it; numbers keep all their digits.

    >>> formula(0.1), formula([1, 2.5]), formula("2*m")
    ('0.1', '[1, 2.5]', '2*m')
    """
    if isinstance(value, str):
        return value
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(formula(v) for v in value) + "]"
    if isinstance(value, int):
        return str(value)
    number = float(value)
    if number - number != 0:
        raise ValueError(f"{number} is not finite")
    return repr(number)
