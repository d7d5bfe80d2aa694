"""Models built in code: the functions of taut/build.h as methods."""
from __future__ import annotations

from typing import Any

from ._errors import call
from ._library import Held, c_string, c_text, ffi, formula, lib, new, text
from ._names import BUILDER
from ._options import refuse


def _argument(kind: Any, value: Any, keep: list) -> Any:
    """One argument of a function, of the C type `kind`."""
    if kind.cname == "char *":
        return ffi.NULL if value is None else c_string(formula(value), keep)
    if kind.cname == "char * *":  # names and values in turn, NULL last
        words = [w for pair in (value or {}).items() for w in pair]
        memory = ffi.new("const char *[]", [c_string(formula(w), keep) for w in words] + [ffi.NULL])
        keep.append(memory)
        return memory
    return value


def _overrides(given: Any, keep: list) -> tuple:
    memory = ffi.new("taut_override[]", max(1, len(given)))
    keep.append(memory)
    for c, (name, value) in zip(memory, given.items()):
        c.name, c.formula = c_string(name, keep), c_string(formula(value), keep)
    return memory, len(given)


def _samples(given: Any, struct: Any, keep: list) -> None:
    import numpy

    array = numpy.ascontiguousarray(given, dtype=float)
    keep.append(array)
    struct.sample = ffi.cast("const double *", ffi.from_buffer("double[]", array))
    struct.samples, struct.width = array.shape


def _spec(kind: Any, given: dict, keep: list) -> Any:
    """A struct of the library from keywords of its names; maps are lists of (name, formula)."""
    struct = ffi.new(ffi.getctype(kind))
    fields = dict(kind.item.fields)
    counts = {"assign": "assigns", "state": "states", "next": "nexts", "out": "outs"}
    for name, value in given.items():
        if name not in fields:
            refuse(name, fields)
        field = fields[name].type
        if value is None:
            continue
        if name == "sample":
            _samples(value, struct, keep)
        elif field.cname.endswith("taut_override *"):
            memory, count = _overrides(value, keep)
            setattr(struct, name, memory)
            setattr(struct, counts[name], count)
        elif field.cname.endswith("taut_step_spec *"):
            memory = ffi.new("taut_step_spec[]", [_spec(field, step, keep)[0] for step in value])
            keep.append(memory)
            struct.step, struct.steps = memory, len(value)
        elif field.cname.endswith("taut_shape_spec *"):
            setattr(struct, name, _spec(field, value, keep))
        else:
            setattr(struct, name, _argument(field, value, keep))
    keep.append(struct)
    return struct


def _method(name: str, parameters: tuple) -> Any:
    function = getattr(lib, "taut_builder_" + name.rstrip("_"))
    kinds = ffi.typeof(function).args[1:]
    has_spec = kinds[-1].kind == "pointer" and kinds[-1].item.kind == "struct"
    plain = parameters[:-1] if has_spec else parameters

    def method(self: Builder, *arguments: Any, **spec: Any) -> Builder:
        keep: list = []
        values = dict(zip(plain, arguments))
        if len(arguments) > len(plain):
            raise TypeError(f"{name}() takes {', '.join(plain)}" + (" and keywords" if has_spec else ""))
        for p in plain[len(arguments):]:
            values[p] = spec.pop(p, None)
        if spec and not has_spec:
            refuse(next(iter(spec)), plain)
        given = [_argument(k, values[p], keep) for p, k in zip(plain, kinds)]
        if has_spec:
            given.append(_spec(kinds[-1], spec, keep))
        function(self._box[0], *given)
        return self

    method.__name__ = name
    words = [f for f, _ in kinds[-1].item.fields] if has_spec else []
    method.__doc__ = f"{name}({', '.join(plain)}" + (", *, " + ", ".join(words) if words else "") + ")"
    return method


class Builder(Held):
    """Collects names and formulas, in the words of model files (docs/mechspec.md).

    >>> import taut
    >>> b = taut.Builder("pendulum")
    >>> m = (b.number("G", 9.81).number("L", 10).coordinate("u", 1).coordinate("v", 1)
    ...       .lagrangian("1/2*(u'^2 + v'^2) + G*v").constraint(None, "u^2 + v^2 - L^2")
    ...       .position("u", "L").position("v", 0).span(0, 10).model())
    >>> m.run().stats.mobility
    1

    What a function of taut/build.h takes as a struct are keywords here:
    `b.body("crank", elements="O, A", geometry="[l, 0]", mass="m")`.
    """

    def __init__(self, title: str = "") -> None:
        self._box = new("taut_builder")
        status = lib.taut_builder_create(c_text(title), self._box)
        if status:
            raise MemoryError
        self._title = title

    def model(self) -> Any:
        """The model; more may be added afterwards, for another one."""
        from ._model import Model

        box = new("taut_model")
        call(lib.taut_builder_finish, self._box[0], box)
        return Model(box, self._title or "model built in code", text=self.text)

    @property
    def text(self) -> str:
        """The model as a file."""
        return text(lib.taut_builder_text(self._box[0]))


for _name, _parameters in BUILDER.items():
    setattr(Builder, _name, _method(_name, _parameters))
