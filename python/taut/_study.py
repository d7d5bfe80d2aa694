"""Many runs: sweeps, batches, optimisation, fitting."""
from __future__ import annotations

import os
import pathlib
from typing import Any, Iterator, Mapping, Sequence

from ._errors import Errors, call, errors
from ._library import Held, c_string, c_strings, ffi, formula, lib, new, path_of, take_text, text, view
from ._options import RUN, Run, fill, kind_of
from ._result import Record, Result, record, take_result


def _reports(report: Any, keep: list) -> tuple:
    """{"name": "max(Ax)"}, or a list of results, or one of them."""
    if isinstance(report, str):
        report = [report]
    pairs = list(report.items()) if isinstance(report, Mapping) else [(None, r) for r in report]
    memory = ffi.new("taut_report[]", len(pairs))
    keep.append(memory)
    for c, (name, result) in zip(memory, pairs):
        c.name, c.result = c_string(name, keep), c_string(result, keep)
    return memory, len(pairs)


def _values(values: Any) -> str:
    """"1..2:11" as it is; a list of numbers as one."""
    if isinstance(values, str):
        return values
    if hasattr(values, "tolist"):
        values = values.tolist()
    return ",".join(formula(v) for v in (values if isinstance(values, (list, tuple, range)) else [values]))


class Study(Held):
    """The table of many runs: a row a run.

    >>> import taut
    >>> m = taut.parse(\"\"\"
    ... PhysicalParams: {a: 1}
    ... DAE: {Variables: [x], Equations: [x' - a]}
    ... ProblemData: {tend: 2, positions: {x: 0}}
    ... \"\"\")
    >>> s = m.sweep({"a": "1..3:3"}, report=["end(x)"])
    >>> s["a"].tolist(), s["end(x)"].round(9).tolist()
    ([1.0, 2.0, 3.0], [2.0, 4.0, 6.0])
    """

    def __init__(self, model: Any, given: dict, options: dict, trace: Any, keep: list, o: Any) -> None:
        self.model = model
        self._keep = keep
        self._run = Run(given, o.run)
        fill(o, {n: v for n, v in options.items() if v is not None}, keep)
        if trace is not None:
            o.trace = c_string(trace, keep)
        self._options = o
        self._box = new("taut_study")
        call(lib.taut_study_create, model._c, o, self._box)
        self._c = self._box[0]
        self._names = [text(lib.taut_study_name(self._c, k)) for k in range(lib.taut_study_columns(self._c))]

    def run(self) -> Study:
        """Does the runs that are not done yet; after Ctrl-C another call goes on."""
        e = Errors()
        status = lib.taut_study_run(self._c, e.c)
        self._run.watch.end(self)
        e.check(status, self)
        return self

    @property
    def names(self) -> list[str]:
        return self._names

    def __len__(self) -> int:
        return lib.taut_study_runs(self._c)

    @property
    def results(self) -> Any:
        """All results, a row a run, without a copy; NaN: it has failed, or is not done."""
        t = lib.taut_study_table(self._c)
        reports = self._options.reports
        return view(t.value, (t.rows, reports), self._box, (8 * t.row_stride, 8))

    def __getitem__(self, name: str) -> Any:
        import numpy

        if name not in self._names:
            raise KeyError(f"{name}; there are {', '.join(self._names)}")
        k = self._names.index(name)
        first = len(self._names) - self._options.reports
        if k >= first:
            return self.results[:, k - first]
        return numpy.array([lib.taut_study_value(self._c, i, k) for i in range(len(self))])

    @property
    def outcomes(self) -> list[str | None]:
        """"ok", or why it has failed; None: it is not done."""
        outs = (lib.taut_study_outcome(self._c, i) for i in range(len(self)))
        return [text(o) if o else None for o in outs]

    @property
    def failed(self) -> int:
        return lib.taut_study_failed(self._c)

    @property
    def trace_names(self) -> list[str]:
        return [text(lib.taut_study_trace_name(self._c, k)) for k in range(lib.taut_study_trace_columns(self._c))]

    @property
    def trace_t(self) -> Any:
        """The times of the trajectories."""
        import numpy

        return numpy.array([lib.taut_study_trace_time(self._c, k) for k in range(lib.taut_study_trace_rows(self._c))])

    @property
    def traces(self) -> Any:
        """Trajectories that `trace` asked for, without a copy: [run, time, column]."""
        t = lib.taut_study_table(self._c)
        rows, columns = lib.taut_study_trace_rows(self._c), lib.taut_study_trace_columns(self._c)
        return view(t.value + self._options.reports, (t.rows, rows, columns), self._box,
                    (8 * t.row_stride, 8 * columns, 8))

    def spread(self, name: str) -> Record:
        """count, mean, sd, min and max of a column."""
        return record(lib.taut_study_spread(self._c, self._names.index(name)))

    def correlation(self, a: str, b: str) -> float:
        return lib.taut_study_correlation(self._c, self._names.index(a), self._names.index(b))

    def __iter__(self) -> Iterator[str]:
        """The names of the columns: `dict(s)` has all of them."""
        return iter(self._names)

    def __contains__(self, name: str) -> bool:
        return name in self._names

    def keys(self) -> list[str]:
        """The names of the columns."""
        return list(self._names)

    def frame(self) -> Any:
        """A pandas.DataFrame."""
        import pandas

        data = {name: self[name] for name in self._names}
        data["status"] = self.outcomes
        return pandas.DataFrame(data)

    def save(self, path: str | os.PathLike, digits: int = 17) -> None:
        """Writes .csv, .mat, .h5, .json, .npy or .html."""
        call(lib.taut_study_write, self._c, path_of(path), digits)

    def save_traces(self, path: str | os.PathLike, digits: int = 17) -> None:
        call(lib.taut_study_write_traces, self._c, path_of(path), digits)

    def keep(self, path: str | os.PathLike, resume: bool = False) -> None:
        """Keeps each finished run in a file, so that it can be resumed."""
        call(lib.taut_study_keep, self._c, path_of(path), resume)

    def __repr__(self) -> str:
        return f"<taut.Study: {len(self)} runs, {lib.taut_study_done(self._c)} done, {self.failed} failed>"


STUDY = ("samples", "seed", "design", "threads", "shard", "shards", "trace_rows")


def _start_study(report: Any, keep: list) -> Any:
    o = ffi.new("taut_study_options *", lib.taut_study_options_default())
    o.report, o.reports = _reports(report, keep)
    return o


def sweep(model: Any, vary: Mapping[str, Any], report: Any, trace: Any, given: dict) -> Study:
    keep: list = []
    options = {k: given.pop(k) for k in list(given) if k in STUDY}
    o = _start_study(report, keep)
    memory = ffi.new("taut_vary[]", len(vary))
    keep.append(memory)
    for c, (name, values) in zip(memory, vary.items()):
        c.name, c.values = c_string(name, keep), c_string(_values(values), keep)
    o.vary, o.varies = memory, len(vary)
    return Study(model, given, options, trace, keep, o)


def batch(model: Any, n: int, values: Mapping[str, Any], report: Any, trace: Any, given: dict) -> Study:
    import numpy

    keep: list = []
    options = {k: given.pop(k) for k in list(given) if k in STUDY}
    if report is None:
        report = [f"end({c})" for c in columns_of(model, given)]
    o = _start_study(report, keep)
    points = numpy.empty((n, len(values)))
    memory = ffi.new("taut_vary[]", len(values))
    keep += [points, memory]
    for k, (name, column) in enumerate(values.items()):
        try:
            if None in numpy.asarray(column, dtype=object):
                raise TypeError("not None")
            numbers = numpy.asarray(column, dtype=float)
        except (TypeError, ValueError) as error:
            raise kind_of(error)(f"{name} is a number, or a number for each run: {error}") from None
        if numbers.ndim and len(numbers) != n:
            raise ValueError(f"{name} has {len(numbers)} values for {n} runs")
        if numbers.ndim > 1:
            raise ValueError(f"{name} is a number, or a number for each run, not an array of shape {numbers.shape}")
        points[:, k] = numbers
        memory[k].name = c_string(name, keep)
    o.vary, o.varies = memory, len(values)
    o.point, o.points = ffi.cast("const double *", ffi.from_buffer("double[]", points)), n
    return Study(model, given, options, trace, keep, o)


def columns_of(model: Any, given: dict) -> list[str]:
    """The columns of a run without derivatives."""
    s = model.simulation(**{**{k: v for k, v in given.items() if k != "progress"}, "derivatives": 0})
    return s.names[1:]


def gradient(model: Any, results: Any, names: Any, method: str | None, given: Mapping) -> tuple:
    import numpy

    keep: list = []
    results = [results] if isinstance(results, str) else list(results)
    names = names.split(",") if isinstance(names, str) else list(names)
    o = ffi.new("taut_gradient_options *", lib.taut_gradient_options_default())
    run = Run(dict(given), o.run)
    o.result, o.results = c_strings(results, keep), len(results)
    o.name, o.names = c_strings(names, keep), len(names)
    o.method = c_string(method, keep)
    value, derivative = numpy.empty(len(results)), numpy.empty((len(results), len(names)))
    e = errors()
    status = lib.taut_gradient_find(model._c, o, ffi.from_buffer("double[]", value),
                                    ffi.from_buffer("double[]", derivative), e.c)
    run.watch.end()
    e.check(status)
    return value, derivative


# ---- optimisation ----

def _bounded(variables: Mapping[str, Any], keep: list) -> tuple:
    """{"k": (low, high)} or {"k": (low, high, "log")}"""
    memory = ffi.new("taut_bounded[]", max(1, len(variables)))
    keep.append(memory)
    for c, (name, bounds) in zip(memory, variables.items()):
        if not isinstance(bounds, (tuple, list)) or len(bounds) not in (2, 3):
            raise TypeError(f"{name!r} lies between two bounds, as in {{{name!r}: (0, 10)}} or (1, 1e4, 'log'), not {bounds!r}")
        c.name, c.low, c.high = c_string(name, keep), bounds[0], bounds[1]
        c.log = len(bounds) > 2 and bounds[2] in ("log", True)
    return memory if variables else ffi.NULL, len(variables)


class Optimum(Held):
    """The best values, by `Model.optimize`."""

    def __init__(self, model: Any, variables: Mapping, minimize: str | None, maximize: str | None, limits: Any,
                 options: dict, given: dict) -> None:
        keep: list = []
        self.model = model
        o = ffi.new("taut_optimize_options *", lib.taut_optimize_options_default())
        self._run = Run(given, o.run)
        o.variable, o.variables = _bounded(variables, keep)
        o.minimize, o.maximize = c_string(minimize, keep), c_string(maximize, keep)
        if limits:
            o.limit, o.limits = _reports(limits, keep)
        fill(o, options, keep)
        self._box = new("taut_optimum")
        e = Errors()
        status = lib.taut_optimize(model._c, o, self._box, e.c)
        c = self._c = self._box[0]
        if c:
            n = lib.taut_optimum_variables(c)
            self.values = {text(lib.taut_optimum_name(c, k)): lib.taut_optimum_value(c, k) for k in range(n)}
            self.objective: float = lib.taut_optimum_objective(c)
            self.excess = {text(lib.taut_optimum_limit(c, k)): lib.taut_optimum_excess(c, k)
                           for k in range(lib.taut_optimum_limits(c))}
            self.method, self.exact = text(lib.taut_optimum_method(c)), bool(lib.taut_optimum_is_exact(c))
            self.starts = [record(lib.taut_optimum_get_start(c, k)) for k in range(lib.taut_optimum_starts(c))]
            self.best: int = lib.taut_optimum_best(c)
        found = self if c else None
        self._run.watch.end(found)
        e.check(status, found)

    @property
    def record(self) -> Result:
        """The way: a row an evaluation."""
        box = new("taut_result")
        e = errors()
        e.check(lib.taut_optimum_record(self._c, box))
        return take_result(box)

    @property
    def text(self) -> str:
        """The model's file with these values in it."""
        place = ffi.new("char **")
        call(lib.taut_optimum_text, self._c, ffi.NULL, place)
        return take_text(place)

    def __repr__(self) -> str:
        return f"<taut.Optimum {self.objective:.6g}: {self.values}>"


# ---- fitting ----

def _measurements(data: Sequence, keep: list) -> tuple:
    """Results, or mappings with t and columns (numpy arrays), as measurements."""
    import numpy

    memory = ffi.new("taut_measurement[]", len(data))
    keep.append(memory)
    for k, (c, d) in enumerate(zip(memory, data)):
        if "t" not in d and getattr(getattr(d, "index", None), "name", None) == "t":
            d = d.reset_index()  # as Result.frame makes them
        if "t" not in d:
            raise ValueError(f"measurements {k + 1}: there is no column 't'")
        columns = [n for n in (d.names if isinstance(d, Result) else d) if n != "t"]
        if not columns:
            raise ValueError(f"measurements {k + 1}: there is nothing but 't'")
        t = numpy.ascontiguousarray(d["t"], dtype=float)
        values = numpy.empty((t.size, len(columns)))
        for i, n in enumerate(columns):
            column = numpy.asarray(d[n], dtype=float)
            if t.ndim != 1 or column.shape != t.shape:
                raise ValueError(f"measurements {k + 1}: {n} and t are lists of numbers of the same length, not of shapes "
                                 f"{column.shape} and {t.shape}")
            values[:, i] = column
        keep += [t, values]
        c.name = c_string(f"data {k + 1}", keep)
        c.t, c.rows = ffi.cast("const double *", ffi.from_buffer("double[]", t)), len(t)
        c.column, c.columns = c_strings(columns, keep), len(columns)
        c.value = ffi.cast("const double *", ffi.from_buffer("double[]", values))
    return memory, len(data)


class Fit(Held):
    """Values that follow from measurements, by `Model.fit`."""

    def __init__(self, model: Any, data: Any, variables: Mapping, weights: Mapping, options: dict, given: dict) -> None:
        keep: list = []
        self.model = model
        o = ffi.new("taut_estimate_options *", lib.taut_estimate_options_default())
        self._run = Run(given, o.run)
        o.variable, o.variables = _bounded(variables, keep)
        if data is not None:
            self._put_data(o, data, keep)
        if weights:
            o.weighted, o.weights = c_strings(weights, keep), len(weights)
            o.weight = ffi.new("double[]", list(weights.values()))
            keep.append(o.weight)
        for name in ("bias", "state"):
            if options.get(name):
                names = options[name]
                setattr(o, name, c_strings(names, keep))
                setattr(o, {"bias": "biases", "state": "states"}[name], len(names))
        for name in ("loss", "shooting", "starts", "seed", "most"):
            if options.get(name) is not None:
                setattr(o, name, c_string(options[name], keep) if name == "loss" else options[name])
        self._box = new("taut_estimates")
        e = Errors()
        status = lib.taut_estimate(model._c, o, self._box, e.c)
        self._run.watch.end()
        e.check(status)
        c = self._c = self._box[0]
        items = (record(lib.taut_estimates_get(c, k)) for k in range(lib.taut_estimates_count(c)))
        self.estimates = {item["name"]: item for item in items}
        self.values = {name: item["value"] for name, item in self.estimates.items()}
        self.stats = record(lib.taut_estimates_get_stats(c))
        self.unidentified = text(lib.taut_estimates_unidentified(c))

    def _put_data(self, o: Any, data: Any, keep: list) -> None:
        if isinstance(data, (str, bytes, os.PathLike, Result, Mapping)) or hasattr(data, "columns"):
            data = [data]
        if all(isinstance(d, (str, bytes, os.PathLike)) for d in data):
            o.data, o.datas = c_strings([pathlib.Path(os.fsdecode(d)) for d in data], keep), len(data)
        else:
            o.measurement, o.measurements = _measurements(data, keep)

    def correlation(self, a: str, b: str) -> float:
        names = list(self.estimates)
        return lib.taut_estimates_correlation(self._c, names.index(a), names.index(b))

    @property
    def table(self) -> Result:
        """Measured values beside those of the runs."""
        box = new("taut_result")
        errors().check(lib.taut_estimates_table(self._c, box))
        return take_result(box)

    @property
    def text(self) -> str:
        """The model's file with what was found in it."""
        place = ffi.new("char **")
        call(lib.taut_estimates_text, self._c, place)
        return take_text(place)

    def page(self, path: str | os.PathLike) -> None:
        call(lib.taut_estimates_page, self._c, path_of(path))

    def __repr__(self) -> str:
        return f"<taut.Fit: {self.values}>"


__all__ = ["Fit", "Optimum", "RUN", "STUDY", "Study"]
