"""Models: reading them, and everything that can be done with one."""
from __future__ import annotations

import html
import json
import os
import pathlib
import tempfile
import warnings
from typing import TYPE_CHECKING, Any, Mapping

from . import _linear, _study
from ._errors import STATUS, Errors, Warning, _fault, call, errors
from ._library import Held, c_string, c_strings, c_text, ffi, formula, lib, new, path_of, take_text, text
from ._options import Run, Watch, fill, kind_of, signed
from ._result import Plot, Record, Result, record, take_result
from ._simulation import Program, Simulation

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._keywords import (ExportOptions, FitOptions, KinematicsOptions, LinearOptions, OptimizeOptions, RunOptions,
                            RunPlotOptions, StudyOptions)


class Analysis:
    """What taut makes of a model: `print` it, or look into `data`."""

    def __init__(self, words: str, data: dict) -> None:
        self.text, self.data = words, data

    def __getitem__(self, name: str) -> Any:
        return self.data[name]

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<taut.Analysis: index {self.data.get('index')}, {self.data.get('dof')} degrees of freedom>"

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self.text)}</pre>"


class Comparison(Held):
    """A problem by every formulation and solver that fits it."""

    def __init__(self, box: Any, name: str) -> None:
        self._box, self._name = box, name
        place = ffi.new("char **")
        lib.taut_comparison_text(box[0], True, place)
        self.data = json.loads(take_text(place))
        self.confirmed = bool(box[0].confirmed)
        self.disagreements: int = box[0].disagreements
        self.finished: int = box[0].finished
        self.failed: int = box[0].failed

    def save(self, path: str | os.PathLike) -> None:
        """Writes a page (.html) or .json."""
        call(lib.taut_comparison_write, self._box[0], path_of(self._name), path_of(path))

    def __str__(self) -> str:
        place = ffi.new("char **")
        lib.taut_comparison_text(self._box[0], False, place)
        return take_text(place)

    def __repr__(self) -> str:
        return f"<taut.Comparison: {self.finished} finished, {self.failed} failed, {self.disagreements} disagree>"

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"


class Kinematics(Held):
    """Positions along a driven coordinate, or that reach targets: `result` is the table."""

    def __init__(self, box: Any, model: Any, status: str) -> None:
        self._box, c = box, box[0]
        self.status = status
        self.result = Result(lib.taut_kinematics_result(c), box, model)
        self.branches: int = lib.taut_kinematics_branches(c)
        self.turns = self._list(lib.taut_kinematics_turn_back)
        self.ranges = self._list(lib.taut_kinematics_range)
        self.reaches = self._list(lib.taut_kinematics_reach)

    def _list(self, get: Any) -> list[Record]:
        out: list[Record] = []
        while get(self._box[0], len(out)):
            out.append(record(get(self._box[0], len(out))))
        return out

    def __getitem__(self, name: str) -> Any:
        return self.result[name]

    def __str__(self) -> str:
        place = ffi.new("char **")
        lib.taut_kinematics_text(self._box[0], place)
        return take_text(place)

    def __repr__(self) -> str:
        return f"<taut.Kinematics: {len(self.result)} positions, {self.branches} branches>"

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"


def _replace(given: Mapping[str, Any], keep: list) -> tuple:
    memory = ffi.new("taut_override[]", max(1, len(given)))
    keep.append(memory)
    for c, (name, value) in zip(memory, given.items()):
        try:
            c.name, c.formula = c_string(name, keep), c_string(formula(value), keep)
        except (TypeError, ValueError) as error:
            raise kind_of(error)(f"{name!r} is a number or a formula: {error}") from None
    return memory, len(given)


def _reading(parameters: Mapping[str, Any], inputs: Mapping[str, Any], confine: bool, keep: list) -> Any:
    o = ffi.new("taut_read_options *", lib.taut_read_options_default())
    o.override, o.overrides = _replace(parameters, keep)
    o.input, o.inputs = _replace(inputs, keep)
    o.confine = confine
    return o


@signed
class Model:
    """What is to be simulated; it does not change. `taut.load`, `taut.parse` and `taut.Builder` make one."""

    def __init__(self, box: Any, name: str, files: Mapping[str, bytes] | None = None, text: str | None = None,
                 parameters: Mapping[str, Any] | None = None, inputs: Mapping[str, Any] | None = None) -> None:
        self._box = box
        self._c = box[0]
        self.name: str = name
        self._files, self._text = files, text
        self._parameters, self._inputs = dict(parameters or {}), dict(inputs or {})
        self._from: Any = None
        self.last: Result | None = None  # of the last run, also of one that was interrupted or failed
        found = lib.taut_model_warnings(self._c)
        for i in range(found.count):
            warnings.warn(_fault(found.item[i]).text, Warning, stacklevel=3)

    @classmethod
    def _borrow(cls, pointer: Any, owner: Any, like: Model) -> Model:
        """A model that belongs to another object."""
        self = cls.__new__(cls)
        self._box, self._c, self._from = owner, pointer, like
        self.name, self._files, self._text = like.name, like._files, like._text
        self._parameters, self._inputs, self.last = like._parameters, like._inputs, None
        return self

    @property
    def title(self) -> str:
        return text(lib.taut_model_title(self._c))

    @property
    def kind(self) -> str:
        """"mechanism", "Lagrangian", "Hamiltonian" or "DAE"."""
        return text(lib.taut_model_kind_name(self._c))

    @property
    def files(self) -> list[str]:
        """The files that were read, the model itself first."""
        out: list[str] = []
        while lib.taut_model_file(self._c, len(out)):
            out.append(os.fsdecode(ffi.string(lib.taut_model_file(self._c, len(out)))))
        return out

    @property
    def parameters(self) -> dict[str, float]:
        """Parameters and inputs, and their values; NaN: not a number.

        >>> import taut
        >>> taut.parse("PhysicalParams: {a: 2, b: 3*a}\\nDAE: {Variables: [x], Equations: [x' - b]}").parameters
        {'a': 2.0, 'b': 6.0}
        """
        out: dict[str, float] = {}
        value = ffi.new("double *")
        while True:
            name = lib.taut_model_parameter(self._c, len(out), value)
            if not name:
                return out
            out[text(name)] = value[0]

    def check(self) -> None:
        """Checks what reading alone does not; raises what is wrong."""
        call(lib.taut_model_check, self._c)

    # ---- runs ----

    def run(self, **options: Unpack[RunOptions]) -> Result:
        """Simulates. Options have the names of taut/run.h; `tol` stands for rtol and atol.

        at=[...] gives rows at these times only, every="step" a row a step, certify=True estimates the error,
        last=True keeps the last state as `result.last`, from_=state begins there, progress=f calls f(fraction),
        which may return True to stop. Ctrl-C raises `Interrupted`, which has the result so far.

        >>> import taut
        >>> m = taut.parse(\"\"\"
        ... DAE: {Variables: [x], Equations: [x'' + x]}
        ... ProblemData: {tend: 10, positions: {x: 1}, velocities: {x: 0}}
        ... \"\"\")
        >>> r = m.run(tol=1e-13, at=[0, 3.141592653589793])
        >>> [f"{x:.12f}" for x in r["x"]]
        ['1.000000000000', '-1.000000000000']
        """
        run = Run(options)
        box = new("taut_result")
        last = new("taut_state")
        if run.want_last:
            run.c.last = last
        e = Errors()
        status = lib.taut_simulate(self._c, run.c, box, e.c)
        run.c.last = ffi.NULL
        result = None
        if box[0]:
            result = self.last = take_result(box, self, status, run)
            if last[0]:
                from ._state import State

                result.last = State(last)
        run.watch.end(result)
        if status == lib.TAUT_INTERRUPTED and result is not None:
            e.take()
        else:
            e.check(status, result)
        if run.certify:
            result.certify()  # type: ignore[union-attr]
        return result  # type: ignore[return-value]

    def simulation(self, **options: Unpack[RunOptions]) -> Simulation:
        """A simulation step by step."""
        return Simulation(self, Run(options))

    def program(self, **options: Unpack[RunOptions]) -> Program:
        """Compiled equations, for simulations in several threads."""
        return Program(self, Run(options))

    def plot(self, *columns: str, **options: Unpack[RunPlotOptions]) -> Plot:
        """Runs and draws columns: options of a run, and of `Result.plot`."""
        from ._options import RUN

        run = {k: options.pop(k) for k in list(options) if k in RUN}
        return self.run(**run).plot(*columns, **options)

    def compare(self, tol: Any = (), formulations: Any = (), solvers: Any = (), limit: float = 30.0,
                **options: Unpack[RunOptions]) -> Comparison:
        """Every formulation and solver that fits: do they agree, and what do they cost?"""
        import numpy

        keep: list = []
        o = ffi.new("taut_compare_options *", lib.taut_compare_options_default())
        run = Run(options, o.run)
        tols = numpy.atleast_1d(numpy.array(tol, dtype=float))
        if tols.size:
            o.tol, o.tols = ffi.cast("const double *", ffi.from_buffer("double[]", tols)), tols.size
        if formulations:
            o.formulation, o.formulations = c_strings(formulations, keep), len(formulations)
        if solvers:
            o.solver, o.solvers = c_strings(solvers, keep), len(solvers)
        o.limit = limit
        box = new("taut_comparison")
        e = errors()
        status = lib.taut_compare(self._c, o, box, e.c)
        run.watch.end()
        e.check(status)
        return Comparison(box, self.name)

    def inverse(self, **options: Unpack[RunOptions]) -> Result:
        """What actuators must supply for a prescribed motion; `result.inverse` tells what it leaves open."""
        run = Run(options)
        box = new("taut_result")
        notes = ffi.new("taut_inverse_notes *")
        e = Errors()
        status = lib.taut_inverse(self._c, run.c, notes, box, e.c)
        result = take_result(box, self, status) if box[0] else None
        run.watch.end(result)
        e.check(status, result)
        result.inverse = record(notes)  # type: ignore[union-attr]
        return result  # type: ignore[return-value]

    def kinematics(self, drive: str | None = None, reach: Any = (), **options: Unpack[KinematicsOptions]) -> Kinematics:
        """Positions without forces: drive="phi=0..360deg:361", or reach=["A=1,2"]."""
        keep: list = []
        o = ffi.new("taut_kinematics_options *", lib.taut_kinematics_options_default())
        o.drive = c_string(drive, keep)
        reach = [reach] if isinstance(reach, str) else list(reach)
        if reach:
            o.reach, o.reaches = c_strings(reach, keep), len(reach)
        watch = Watch(options.pop("progress", None))
        watch.put(o)
        fill(o, dict(options), keep)
        box = new("taut_kinematics")
        e = Errors()
        status = lib.taut_kinematics_find(self._c, o, box, e.c)
        watch.end()
        if status < 0 or not box[0]:
            e.check(status)
        return Kinematics(box, self, STATUS[status])

    # ---- analyses ----

    def analyze(self, **options: Unpack[RunOptions]) -> Analysis:
        """Variables, structure, index, bodies and joints; options: formulation, base, cut."""
        run = Run(options)
        words = []
        for as_json in (False, True):
            place = ffi.new("char **")
            call(lib.taut_analyze_for, self._c, run.c, as_json, place)
            words.append(take_text(place))
        return Analysis(words[0], json.loads(words[1]))

    def buildup(self, **options: Unpack[RunOptions]) -> Analysis:
        """How the equations of a mechanism come about, part by part; options as of analyze."""
        run = Run(options)
        words = []
        for as_json in (False, True):
            place = ffi.new("char **")
            call(lib.taut_analyze_build, self._c, run.c, as_json, place)
            words.append(take_text(place))
        return Analysis(words[0], json.loads(words[1]))

    def linearize(self, **options: Unpack[LinearOptions]) -> Any:
        """A `Linear` at the start, at from_=state or at=t; at=[...] gives a list of them.

        Options: states, inputs, outputs, shapes, redundant, descriptor, and those of a run.
        """
        return _linear.linearize(self, options)

    def modes(self, **options: Unpack[LinearOptions]) -> _linear.Modes:
        """Frequencies, damping and shapes at the same point."""
        options.setdefault("shapes", self.kind == "mechanism")
        return _linear.Modes(self.linearize(**options))

    def equilibria(self, starts: int = 0, **options: Unpack[RunOptions]) -> _linear.Equilibria:
        """States of rest, from the start and from `starts` random places."""
        return _linear.Equilibria(self, Run(options), starts)

    def equilibrium(self, **options: Unpack[RunOptions]) -> _linear.Equilibrium:
        """A state near the start in which nothing moves.

        >>> import taut
        >>> m = taut.parse(\"\"\"
        ... DAE: {Variables: [x], Equations: [x'' + x' + 4*x - 2]}
        ... ProblemData: {tend: 1, positions: {x: 0}, velocities: {x: 0}}
        ... \"\"\")
        >>> rest = m.equilibrium()
        >>> round(rest["x"], 12), rest.stable
        (0.5, True)
        """
        return self.equilibria(**options)[0]

    def floquet(self, period: float, **options: Unpack[LinearOptions]) -> _linear.Floquet:
        """How deviations from a periodic motion change over one period."""
        return _linear.floquet(self, period, options)

    def explain(self) -> str:
        """Every number of the file with its line, its value in SI units, its unit and what it means."""
        place = ffi.new("char **")
        call(lib.taut_explain, self._c, place)
        return take_text(place)

    # ---- many runs ----

    def gradient(self, results: Any, names: Any, method: str | None = None, **options: Unpack[RunOptions]) -> tuple:
        """(values, derivatives): results of a run such as "max(Ay)", and their exact derivatives by the names.

        >>> import taut
        >>> m = taut.parse("PhysicalParams: {a: 3}\\nDAE: {Variables: [x], Equations: [x' - a^2]}\\n"
        ...                "ProblemData: {tend: 2, positions: {x: 0}}")
        >>> value, derivative = m.gradient(["end(x)"], ["a"])
        >>> round(value[0], 9), round(derivative[0, 0], 9)
        (18.0, 12.0)
        """
        return _study.gradient(self, results, names, method, options)

    def sweep(self, vary: Mapping[str, Any], report: Any, trace: Any = None, **options: Unpack[StudyOptions]) -> _study.Study:
        """Runs with all combinations: vary={"L": "1..2:11", "m": [1, 2]}, report=["max(Ax)", ...] or {name: result}.

        Options: samples, seed, design, threads, shard, shards, trace_rows, and those of a run.
        """
        return _study.sweep(self, vary, report, trace, options).run()

    def study(self, vary: Mapping[str, Any], report: Any, trace: Any = None, **options: Unpack[StudyOptions]) -> _study.Study:
        """The same, not run yet: for `keep`, and `run`."""
        return _study.sweep(self, vary, report, trace, options)

    def batch(self, n: int, report: Any = None, trace: Any = None, values: Mapping[str, Any] | None = None,
              options: StudyOptions | None = None, **parameters: Any) -> _study.Study:
        """n runs, each with values of its own, on all processors; reports are end(C) of all columns if none are asked for.

        >>> import taut
        >>> m = taut.parse(\"\"\"
        ... PhysicalParams: {a: 1, b: 1}
        ... DAE: {Variables: [x], Equations: [x' - a*b]}
        ... ProblemData: {tend: 2, positions: {x: 0}}
        ... \"\"\")
        >>> m.batch(3, a=[1, 2, 3], b=[5, 6, 7])["end(x)"].round(9).tolist()
        [10.0, 24.0, 42.0]

        Names that are no keywords (initial values "u'") are in `values`, options of runs in `options`.
        """
        return _study.batch(self, n, {**(values or {}), **parameters}, report, trace, dict(options or {})).run()

    def optimize(self, variables: Mapping[str, Any] | None = None, minimize: str | None = None, maximize: str | None = None,
                 limits: Any = None, **options: Unpack[OptimizeOptions]) -> _study.Optimum:
        """The best values: variables={"k": (10, 1e4, "log")}, minimize="max(Ax)", limits={"stress": "max(F) <= 500"}.

        What is missing is as the model's Study says. Options: starts, seed, method, most, and those of a run.
        """
        own = {k: options.pop(k) for k in list(options) if k in ("seed", "method", "most")}
        if "starts" in options:
            own["starts"] = options.pop("starts")
        return _study.Optimum(self, variables or {}, minimize, maximize, limits, own, options)

    def fit(self, data: Any = None, variables: Mapping[str, Any] | None = None, weights: Mapping[str, float] | None = None,
            **options: Unpack[FitOptions]) -> _study.Fit:
        """Values that follow from measurements: CSV files, results, or mappings with t and columns.

        Options: bias, state, loss, shooting, starts, seed, most, and those of a run.
        """
        own = {k: options.pop(k) for k in list(options)
               if k in ("bias", "state", "loss", "shooting", "starts", "seed", "most")}
        return _study.Fit(self, data, variables or {}, weights or {}, own, options)

    # ---- models that leave ----

    def _export(self, function: Any, options: Mapping[str, Any], run: Mapping[str, Any], *arguments: Any) -> None:
        keep: list = []
        o = ffi.new("taut_export_options *", lib.taut_export_options_default())
        own = Run(dict(run), o.run)
        fill(o, dict(options), keep)
        e = Errors()
        status = function(self._c, o, *arguments, e.c)
        own.watch.end()
        e.check(status)

    def export_c(self, folder: str | os.PathLike, stem: str, run: RunOptions | None = None,
                 **options: Unpack[ExportOptions]) -> Record:
        """C code with fixed steps: folder/stem.c, .h, main.c and a Makefile."""
        report = ffi.new("taut_export_report *")
        self._export(lib.taut_export_c, options, run or {}, path_of(folder), c_text(stem), report)
        return record(report)

    def export_fmu(self, path: str | os.PathLike, binary: str | os.PathLike | None = None,
                   run: RunOptions | None = None, **options: Unpack[ExportOptions]) -> Record:
        """An FMU; `binary` is taut-fmu.so, or sources=True."""
        keep: list = []
        report = ffi.new("taut_fmu_report *")
        self._export(lib.taut_export_fmu, options, run or {}, path_of(path), c_string(binary, keep), report)
        out = record(report)
        out["why"] = text(report.why)
        return out

    # ---- showing, pickling ----

    def __repr__(self) -> str:
        return f"<taut.Model {self.name}: {self.kind}>"

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self.analyze().text)}</pre>"

    def __reduce__(self) -> Any:
        if self._from is not None:
            raise TypeError("a model of an equilibrium cannot be pickled: pickle its values")
        return _revive, (self.name, self._files, self._text, self._parameters, self._inputs)


def _revive(name: str, files: dict | None, words: str | None, parameters: dict, inputs: dict) -> Model:
    """A pickled model: its text, or its files in a folder that is gone when they are read."""
    if words is not None:
        return parse(words, name, inputs=inputs, parameters=parameters)
    assert files is not None
    with tempfile.TemporaryDirectory() as folder:
        for relative, content in files.items():
            path = pathlib.Path(folder, relative)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        model = load(pathlib.Path(folder, next(iter(files))), inputs=inputs, parameters=parameters)
    model.name, model._files = name, files
    return model


def _contents(path: str, files: list[str]) -> dict[str, bytes]:
    """What was read, by paths below the folder that holds all of it."""
    full = [os.path.abspath(f) for f in files]
    top = os.path.commonpath([os.path.dirname(f) for f in full])
    return {os.path.relpath(f, top): pathlib.Path(f).read_bytes() for f in dict.fromkeys(full)}


def load(path: str | os.PathLike, *, inputs: Mapping[str, Any] | None = None, confine: bool = False,
         parameters: Mapping[str, Any] | None = None, **more: Any) -> Model:
    """Reads a model file, or a robot's description (URDF). Parameters are numbers or formulas, inputs formulas of t.

    `taut.load("slider-crank.yaml", m2=1.5, inputs={"u": "sin(t)"})`
    """
    given = {**(parameters or {}), **more}
    keep: list = []
    box = new("taut_model")
    name = os.fsdecode(path)
    call(lib.taut_model_read_with, path_of(path), _reading(given, inputs or {}, confine, keep), box)
    model = Model(box, name, parameters=given, inputs=inputs)
    if model.files:
        model._files = _contents(name, model.files)
    else:  # of another program
        model._text = _without_meshes(import_text(path))
    return model


def _without_meshes(words: str) -> str:
    """A text in memory has no folder where the files of its surfaces could be."""
    return "".join(line for line in words.splitlines(True) if not line.startswith("      Mesh: {File: "))


def import_text(path: str | os.PathLike) -> str:
    """A robot's description (URDF) as the text of a model file; what it leaves out is listed on top."""
    place, left_out = ffi.new("char **"), ffi.new("char **")
    call(lib.taut_import, path_of(path), place, left_out)
    lib.taut_text_free(left_out)
    return take_text(place)


def parse(words: str, name: str = "model", *, inputs: Mapping[str, Any] | None = None,
          parameters: Mapping[str, Any] | None = None, **more: Any) -> Model:
    """Reads a model from a text; `name` is what messages call it.

    >>> import taut
    >>> m = taut.parse("PhysicalParams: {a: 1}\\nDAE: {Variables: [x], Equations: [x' - a]}", a=2)
    >>> m.kind, m.parameters
    ('DAE', {'a': 2.0})
    """
    given = {**(parameters or {}), **more}
    keep: list = []
    box = new("taut_model")
    if not isinstance(words, str):
        raise TypeError(f"a model is a text, not {type(words).__name__}; files are for taut.load")
    data = words.encode()
    call(lib.taut_model_parse_with, c_text(name), data, len(data), _reading(given, inputs or {}, False, keep), box)
    return Model(box, name, text=words, parameters=given, inputs=inputs)


def schema() -> dict:
    """The JSON schema of model files."""
    place = ffi.new("char **")
    lib.taut_schema(place)
    return json.loads(take_text(place))


def formulations() -> list[str]:
    """The formulations of mechanisms."""
    out: list[str] = []
    while lib.taut_formulation_name(len(out)):
        out.append(text(lib.taut_formulation_name(len(out))))
    return out


def solvers() -> list[str]:
    """The solvers, `auto` aside."""
    out: list[str] = []
    while lib.taut_solver_name(len(out)):
        out.append(text(lib.taut_solver_name(len(out))))
    return out
