"""The tables of functions and types are those of the headers and of the library."""
import inspect
import keyword
import os
import pathlib
import re
import shutil
import subprocess

import pytest

import taut
from taut import _build, _native, _options
from taut._library import ffi, lib


def headers(source):
    return "".join(p.read_text() for p in sorted((source / "include" / "taut").glob("*.h")))


def test_every_function_is_there(source):
    declared = set(re.findall(r"\b(taut_\w+)\(", "".join(re.findall(r"TAUT_API[^;]*;", headers(source)))))
    declared = {n for n in declared if not n.endswith("_options")}
    assert len(declared) > 150
    for name in declared:
        assert callable(getattr(lib, name)) or getattr(lib, name)


def test_every_function_is_used(source):
    """Whatever the C interface offers, Python calls somewhere; but for what has no use there."""
    text = "".join(p.read_text() for p in pathlib.Path(taut.__file__).parent.glob("_*.py") if p.name != "_native.py")
    declared = set(re.findall(r"\b(taut_\w+)\(", "".join(re.findall(r"TAUT_API[^;]*;", headers(source)))))
    missing = {n for n in declared if n not in text and not n.startswith("taut_builder_") and not n.endswith("_free")}
    known = {
        # shorter or other forms of calls that are used
        "taut_model_read", "taut_model_read_driven", "taut_model_parse", "taut_analyze", "taut_analyze_as", "taut_equilibrium",
        "taut_result_columns", "taut_result_rows", "taut_result_value", "taut_result_write", "taut_simulation_value",
        "taut_simulation_now", "taut_simulation_find", "taut_simulation_get", "taut_study_trace_value",
        # checks before writing, which Python hears of when it writes
        "taut_output_check", "taut_result_write_check", "taut_linear_write_check", "taut_study_write_check",
        "taut_output_abandon", "taut_output_write", "taut_page_check_live",
        # words on terminals, one line of arithmetic, pages of failures, journals of shards
        "taut_text_show", "taut_digits", "taut_attempt", "taut_study_collect", "taut_diff_times", "taut_diff_rows",
        "taut_diff_time", "taut_diff_error", "taut_optimum_gradient", "taut_optimum_best",
    }
    assert not missing - known, "without a method in Python: " + ", ".join(sorted(missing - known))


def test_structs_have_the_sizes_of_the_compiler(source, tmp_path):
    compiler = shutil.which("cc")
    build = os.environ.get("TAUT_BUILD_DIR", str(source / "build"))
    if not compiler or not os.path.isdir(os.path.join(build, "include")):
        pytest.skip("no compiler, or no build folder")
    names = sorted(set(re.findall(r"^\} (taut_\w+);", headers(source), re.M)))
    structs = [n for n in names if ffi.typeof(n).kind == "struct"]
    assert len(structs) > 40
    lines = []
    for name in structs:
        lines.append(f'printf("%zu\\n", sizeof({name}));')
        lines += [f'printf("%zu\\n", offsetof({name}, {field}));' for field, _ in ffi.typeof(name).fields]
    (tmp_path / "s.c").write_text("#include <stddef.h>\n#include <stdio.h>\n#include <taut/taut.h>\nint main(void) {\n"
                                  + "\n".join(lines) + "\n}\n")
    subprocess.run([compiler, "-I", source / "include", "-I", os.path.join(build, "include"), tmp_path / "s.c", "-o",
                    tmp_path / "s"], check=True)
    there = [int(x) for x in subprocess.run([tmp_path / "s"], capture_output=True, text=True).stdout.split()]
    here = []
    for name in structs:
        here.append(ffi.sizeof(name))
        here += [ffi.offsetof(name, field) for field, _ in ffi.typeof(name).fields]
    assert here == there


def test_the_version_is_that_of_the_library(source):
    assert taut.__version__ == (source / "VERSION").read_text().strip()


def test_every_builder_function_is_a_method(source):
    names = set(re.findall(r"\btaut_builder_(\w+)\(", headers(source))) - {"create", "free", "finish", "text"}
    assert names and all(callable(getattr(taut.Builder, n + "_" * keyword.iskeyword(n))) for n in names)


def test_stubs_have_all_methods():
    folder = pathlib.Path(taut.__file__).parent
    stub = (folder / "_build.pyi").read_text()
    for name in _build.BUILDER:
        assert f"def {name}(self" in stub
    keywords = re.search(r"class RunOptions.*?\n\n", (folder / "_keywords.pyi").read_text(), re.S).group()
    assert set(re.findall(r"^    (\w+):", keywords, re.M)) == set(_options.RUN)
    assert (folder / "py.typed").exists() and _native.ffi is ffi


def test_everything_public_says_what_it_does():
    for name in taut.__all__:
        thing = getattr(taut, name)
        assert inspect.getdoc(thing), name
        if inspect.isclass(thing) and thing.__module__.startswith("taut"):
            for method, function in vars(thing).items():
                if inspect.isfunction(function) and not method.startswith("_") and method not in (
                        "save", "copy", "load", "start", "page", "simulation", "correlation", "linearize", "modes",
                        "set_parameter", "keep", "check", "save_traces", "text"):
                    assert function.__doc__, f"{name}.{method}"
