"""A whole run as a table."""
from __future__ import annotations

import html
import os
import pathlib
import tempfile
from typing import TYPE_CHECKING, Any, Iterator, Mapping, NamedTuple

from ._errors import STATUS, call, errors
from ._library import Held, c_string, c_strings, c_text, ffi, lib, new, optional, path_of, take_text, text, view
from ._options import Run, fill, names, refuse, signed

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._keywords import WriteOptions


class Event(NamedTuple):
    """What happened on the way."""

    t: float
    name: str
    kind: str  # "event", "touch", "impact", ...
    impulse: float
    derivative: tuple | None  # of t, by the names of `sensitivity`


class Record(dict):
    """Numbers with names, which are also attributes."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __dir__(self) -> list:
        return list(self)


def record(struct: Any) -> Record:
    """The words and numbers of a C struct."""
    kind = ffi.typeof(struct)
    out = Record()
    for name, field in (kind.item if kind.kind == "pointer" else kind).fields:
        if field.type.kind == "primitive":
            out[name] = getattr(struct, name)
        elif field.type.cname == "char *":
            out[name] = optional(getattr(struct, name))
    return out


def _stats(c: Any) -> Record:
    out = record(c)
    out["phase_s"] = {text(lib.taut_phase_name(k)): c.phase_s[k] for k in range(lib.TAUT_PHASES)}
    return out


def _events(notes: Any) -> list[Event]:
    n = notes.sensitivities
    return [Event(e.t, text(e.name), text(e.kind), e.impulse,
                  tuple(e.derivative[k] for k in range(n)) if e.derivative else None)
            for e in (notes.event[i] for i in range(notes.events))]


class Plot:
    """A drawing: SVG in a notebook, characters when it is printed, `save` for files."""

    def __init__(self, result: Result, columns: tuple, options: dict, beside: Any = None) -> None:
        self._result, self._columns, self._options = result, columns, options
        self._beside: dict[str, Result] = dict(beside or {})  # the first one is `result`
        o, keep = self._settings(False)
        call(lib.taut_plot_check, result._c, o)

    def _settings(self, as_text: bool, size: tuple = ()) -> tuple:
        keep: list = []
        o = ffi.new("taut_plot_options *", lib.taut_plot_options_default())
        fill(o, self._options, keep)
        if as_text:
            o.width, o.height = size
        o.column, o.columns = c_strings(self._columns, keep), len(self._columns)
        o.text = as_text
        others = list(self._beside.values())[1:]
        if others:
            keep.append(ffi.new("const taut_result *[]", [r._c for r in others]))
            o.more, o.mores = keep[-1], len(others)
            o.label = c_strings(self._beside, keep)
        return o, keep

    def _make(self, as_text: bool, size: tuple = ()) -> str:
        o, keep = self._settings(as_text, size)
        place = ffi.new("char **")
        call(lib.taut_plot_draw, self._result._model_pointer, self._result._c, o, place)
        return take_text(place)

    @property
    def svg(self) -> str:
        return self._make(False)

    def save(self, path: str | os.PathLike) -> None:
        o, keep = self._settings(False)
        call(lib.taut_plot_write, self._result._model_pointer, self._result._c, o, path_of(path))

    def text(self, width: int = 0, height: int = 0) -> str:
        """With characters; 0: 80 wide."""
        return self._make(True, (width, height))

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        """An image: converters of notebooks empty drawings that stand in the text."""
        import base64
        import html

        data = base64.b64encode(self.svg.encode()).decode()
        words = html.escape(f"curves of {', '.join(self._columns)}", quote=True)
        return f'<img alt="{words}" style="max-width: 100%" src="data:image/svg+xml;base64,{data}">'

    def __repr__(self) -> str:
        return f"<taut.Plot of {', '.join(self._columns)}>"


@signed
class Result:
    """Columns of numbers over time, where the library has them: nothing is copied.

    >>> import taut
    >>> m = taut.parse("DAE: {Variables: [x], Equations: [x' - 1]}\\nProblemData: {tend: 2, positions: {x: 0}}")
    >>> r = m.run(at=[0, 1, 2])
    >>> r.names
    ['t', 'x', "x'"]
    >>> r["x"]
    array([0., 1., 2.])
    >>> r.array.shape, r.array.flags.owndata
    ((3, 3), False)
    """

    def __init__(self, pointer: Any, owner: Any, model: Any = None, status: str = "ok", options: Run | None = None) -> None:
        self._c = pointer
        self._owner = owner
        self.model: Any = model
        self.status: str = status
        self.last: Any = None
        self._options = options
        self._kept: dict | None = None  # of a result that was pickled
        table = lib.taut_result_table(pointer)
        self.names: list[str] = [text(lib.taut_result_name(pointer, k)) for k in range(table.columns)]
        self._place = {name: k for k, name in enumerate(self.names)}
        self.array = view(table.value, (table.rows, table.columns), owner,
                          (8 * table.row_stride, 8 * table.column_stride))

    # ---- numbers ----

    def __getitem__(self, name: Any) -> Any:
        """A column by its name, "Ax'" or "A.x'"; a list of names gives an array with these columns."""
        if isinstance(name, (list, tuple)):
            import numpy

            return numpy.column_stack([self[n] for n in name]) if name else self.array[:, :0]
        if not isinstance(name, str):
            raise TypeError(f"columns have names, rows do not: r.array[{name!r}] is by number, r['Ax'] a column")
        k = self._place.get(name, -1)
        if k < 0:
            k = lib.taut_result_find(self._c, c_text(name))
        if k < 0:
            import difflib

            near = difflib.get_close_matches(name, self.names, 1)
            raise KeyError(f"{name}; did you mean {near[0]}?" if near else f"{name}; there are {', '.join(self.names)}")
        return self.array[:, k]

    def __contains__(self, name: str) -> bool:
        return isinstance(name, str) and (name in self._place or lib.taut_result_find(self._c, c_text(name)) >= 0)

    def __len__(self) -> int:
        """How many rows there are."""
        return self.array.shape[0]

    def __iter__(self) -> Iterator[str]:
        """The names of the columns, as those of a pandas.DataFrame: `dict(r)` has all columns by name."""
        return iter(self.names)

    def keys(self) -> list[str]:
        """The names of the columns."""
        return list(self.names)

    def items(self) -> Iterator[tuple]:
        """(name, column) of each column."""
        return ((name, self[name]) for name in self.names)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        import numpy

        return numpy.array(self.array, dtype) if copy else numpy.asarray(self.array, dtype)

    @property
    def t(self) -> Any:
        return self.array[:, 0]

    def sensitivity(self, column: str, by: str) -> Any:
        """d(column)/d(by), of a run with the option `sensitivity`."""
        return self[f"d({column})/d({by})"]

    def frame(self) -> Any:
        """A pandas.DataFrame over t."""
        import pandas

        index = pandas.Index(self.t, name=self.names[0])
        return pandas.DataFrame(self.array[:, 1:], columns=self.names[1:], index=index, copy=False)

    # ---- how it went ----

    def _take(self, name: str, make: Any) -> Any:
        return self._kept[name] if self._kept is not None else make()

    @property
    def stats(self) -> Record:
        return self._take("stats", lambda: _stats(lib.taut_result_stats(self._c)))

    @property
    def events(self) -> list[Event]:
        return self._take("events", lambda: _events(lib.taut_result_notes(self._c)))

    @property
    def remarks(self) -> list[str]:
        """What one should know of contacts."""
        def make() -> list[str]:
            notes = lib.taut_result_notes(self._c)
            return [text(notes.remark[i]) for i in range(notes.remarks)]
        return self._take("remarks", make)

    @property
    def moves(self) -> str:
        """Initial values that had to change, a line each."""
        return self._take("moves", lambda: text(lib.taut_result_moves(self._c)))

    @property
    def assemblies(self) -> str:
        """Positions in which the parts fit together, a line each."""
        return self._take("assemblies", lambda: text(lib.taut_result_assemblies(self._c)))

    @property
    def redundant(self) -> str:
        """Constraints that were left out, a line each."""
        return self._take("redundant", lambda: text(lib.taut_result_redundant(self._c)))

    @property
    def switches(self) -> str:
        """What the solver `auto` did and when, a line each."""
        return self._take("switches", lambda: text(lib.taut_result_switches(self._c)))

    @property
    def freedom(self) -> str:
        """How freely it moves, in words."""
        def make() -> str:
            place = ffi.new("char **")
            call(lib.taut_freedom_text, self._model_pointer, lib.taut_result_stats(self._c), place)
            return take_text(place)
        return self._take("freedom", make) if self.model is not None else ""

    @property
    def certificate(self) -> Record | None:
        """The estimate of its error, by `certify`; None: there is none."""
        def make() -> Record | None:
            c = lib.taut_result_certificate(self._c)
            if not c:
                return None
            out = record(c)
            out["column"] = self.names[c.column] if c.column >= 0 else None
            out["by_column"] = view(c.by_column, (len(self.names),), self._owner).copy()
            return out
        return self._take("certificate", make)

    def certify(self) -> Record:
        """Estimates the error by a second, more accurate run."""
        if self._options is None or self._kept is not None:
            raise ValueError("only the result of a run of this process can be certified")
        e = errors()
        status = lib.taut_certify(self.model._c, self._options.c, self._c, e.c)
        self._options.watch.end(self)
        e.check(status, self)
        return self.certificate  # type: ignore[return-value]

    # ---- files, plots, pages ----

    @property
    def _model_pointer(self) -> Any:
        return self.model._c if self.model is not None else ffi.NULL

    def save(self, path: str | os.PathLike, **options: Unpack[WriteOptions]) -> None:
        """Writes .csv, .json, .mat, .npy, .npz or, as a page for the browser, .html.

        Options of the first three: digits, units, units_row, comment.
        """
        end = pathlib.Path(os.fsdecode(path)).suffix
        if end in (".npy", ".npz"):
            import numpy

            for name in options:
                refuse(name, [])
            if end == ".npy":
                numpy.save(path, self.array)
            else:
                numpy.savez(path, array=self.array, names=self.names)
            return
        if end == ".html":
            self.page(path, **options)
            return
        keep: list = []
        o = ffi.new("taut_write_options *", lib.taut_write_options_default())
        for name in options:
            if name not in names("taut_write_options"):
                refuse(name, names("taut_write_options"))
        fill(o, options, keep)
        o.model = self._model_pointer
        call(lib.taut_result_write_with, self._c, path_of(path), o)

    def save_events(self, path: str | os.PathLike, digits: int = 17) -> None:
        """Writes what happened, as .csv or .json."""
        call(lib.taut_result_write_events, self._c, path_of(path), digits)

    def save_stats(self, path: str | os.PathLike) -> None:
        """Writes the statistics as JSON."""
        call(lib.taut_result_write_stats, self._c, path_of(path))

    def plot(self, *columns: str, ax: Any = None, label: str = "", beside: Mapping[str, Result] | None = None,
             **options: Any) -> Any:
        """Draws columns: a `Plot`, or, on matplotlib's axes `ax`, its lines.

        Other results, by what they are to be called, are drawn in the same axes:
        `r.plot("s", label="m2 = 1", beside={"m2 = 5": heavy})`.

        Options: against, title, width, height (pixels), panels, equal, log_x, log_y, unicode, colour.
        """
        if ax is not None:
            if beside:
                raise TypeError("on axes of matplotlib each result draws its own lines: call plot(..., ax=ax) for each")
            against = options.pop("against", None) or self.names[0]
            lines = [ax.plot(self[against], self[c], label=f"{c}, {label}" if label else c, **options)[0] for c in columns]
            ax.set_xlabel(against)
            ax.legend()
            return lines
        first = {label or "this run": self}
        return Plot(self, columns, options, {**first, **beside} if beside else None)

    def _screen(self) -> Result:
        """The same run with the rows that a page needs."""
        if self._options is None or self._options.given.get("every") == "screen":
            return self
        given = {k: v for k, v in self._options.given.items() if k not in ("at", "every", "progress", "certify", "last")}
        return self.model.run(every="screen", **given)

    def page(self, path: str | os.PathLike, beside: Result | None = None, name: str = "another run",
             live: bool = False) -> None:
        """Writes a page that shows the run, for any browser: with curves of another run beside its own (`name` is what they
        are called), or, live, with the engine in it, so that it runs with other parameters."""
        if live:
            call(lib.taut_page_check_live)
        write_page(self, path, beside, name, live)

    def html(self, beside: Result | None = None, name: str = "another run", live: bool = False) -> str:
        """That page as a text."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "page.html")
            self.page(path, beside, name, live)
            with open(path, encoding="utf-8") as file:
                return file.read()

    def _repr_html_(self) -> str | None:
        if self.model is None or self._options is None:
            return None
        page = html.escape(self.html(), quote=True)
        return (f'<iframe srcdoc="{page}" loading="lazy" sandbox="allow-scripts allow-downloads" '
                'style="width:100%;height:600px;border:0"></iframe>')

    def __repr__(self) -> str:
        rows, columns = self.array.shape
        end = "" if self.status == "ok" else f", {self.status}"
        return f"<taut.Result: {rows} rows of {columns} columns{end}>"

    # ---- pickling ----

    def __reduce__(self) -> Any:
        kept = {n: getattr(self, n) for n in ("stats", "events", "freedom", "remarks", "moves", "assemblies", "redundant", "switches",
                                              "certificate")}
        import numpy

        given = self._options.given if self._options is not None else None
        if given is not None:
            given = {k: v for k, v in given.items() if k != "progress"}
        return _restore, (self.names, numpy.array(self.array), self.model, self.status, self.last, given, kept)


def write_page(result: Result, path: str | os.PathLike, beside: Result | None = None, name: str = "", live: bool = False,
               modes: Any = None) -> None:
    """A page of a run, or, with a linearisation, of its modes."""
    if result.model is None:
        raise ValueError("a table without a model has no page")
    keep: list = []
    shown = result._screen()
    page = ffi.new("taut_page *")
    keep += [ffi.new("char[]", path_of(result.model.name)), ffi.new("taut_errors *")]
    page.file, page.model, page.result = keep[-2], result.model._c, shown._c
    page.errors = keep[-1]
    if beside is not None:
        # `with` is no name for an attribute here
        setattr(page, "with", beside._c)
        page.with_name = c_string(name, keep)
    if modes is not None:
        page.modes = modes
    page.live = live
    call(lib.taut_page_write, page, path_of(path))


def _restore(columns: list, array: Any, model: Any, status: str, last: Any, given: dict | None, kept: dict) -> Result:
    out = table(columns, array)
    out.model, out.status, out.last, out._kept = model, status, last, kept
    out._options = Run(given) if given is not None else None
    return out


def table(columns: list[str], array: Any) -> Result:
    """A table of one's own, to be saved and plotted like a run.

    >>> import numpy, taut
    >>> r = taut.table(["t", "x"], numpy.array([[0, 1], [1, 3.0]]))
    >>> r["x"]
    array([1., 3.])
    """
    import numpy

    values = numpy.ascontiguousarray(array, dtype=float)
    if values.ndim != 2 or values.shape[1] != len(columns):
        raise ValueError(f"a table of {len(columns)} columns has an array of shape (rows, {len(columns)})")
    keep: list = []
    box = new("taut_result")
    call(lib.taut_result_make, c_strings(columns, keep), len(columns), ffi.from_buffer("double[]", values),
         values.shape[0], box)
    return Result(box[0], box)


def read_table(path: str | os.PathLike) -> Result:
    """A CSV file with a header row."""
    box = new("taut_result")
    call(lib.taut_result_read, path_of(path), box)
    return Result(box[0], box)


def take_result(box: Any, model: Any = None, status: int = 0, options: Run | None = None) -> Result:
    return Result(box[0], box, model, STATUS[status], options)


class Difference(Held):
    """Two results side by side, by `diff`: digits by column."""

    def __init__(self, box: Any) -> None:
        self._box = box
        c = box[0]
        self.columns = {text(x.name): record(x) for x in
                        (lib.taut_diff_get(c, k) for k in range(lib.taut_diff_columns(c)))}
        self.largest_error: float = lib.taut_diff_largest_error(c)
        self.scd: float = lib.taut_diff_scd(c)

    def __repr__(self) -> str:
        return f"<taut.Difference: {self.scd:.1f} digits, largest error {self.largest_error:.3g}>"

    def save(self, path: str | os.PathLike) -> None:
        call(lib.taut_diff_write, self._box[0], path_of(path))

    def __str__(self) -> str:
        place = ffi.new("char **")
        call(lib.taut_diff_text, self._box[0], False, place)
        return take_text(place)


def diff(result: Result | str | os.PathLike, reference: str | os.PathLike) -> Difference:
    """How many digits a result, or a CSV file, has in common with a CSV file."""
    box = new("taut_diff")
    if isinstance(result, Result):
        call(lib.taut_diff_result, result._c, path_of(reference), box)
    else:
        call(lib.taut_diff_files, path_of(result), path_of(reference), box)
    return Difference(box)


__all__ = ["Difference", "Event", "Plot", "Record", "Result", "c_string", "diff", "read_table", "table"]
