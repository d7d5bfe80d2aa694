"""What the tests share."""
import os
import pathlib
import subprocess

import pytest

import taut

SOURCE = pathlib.Path(os.environ.get("TAUT_SOURCE_DIR", pathlib.Path(__file__).parents[2]))
TAUT = os.environ.get("TAUT_PROGRAM", str(SOURCE / "build" / "taut"))

LINE = """PhysicalParams: {a: 1, b: 1}
DAE: {Variables: [x], Equations: [x' - a*b]}
ProblemData: {tend: 2, positions: {x: 0}}
"""
OSCILLATOR = """PhysicalParams: {k: 4, d: 0}
Inputs: {f: 0}
DAE: {Variables: [x], Equations: [x'' + d*x' + k*x - f]}
ProblemData: {tend: 10, positions: {x: 1}, velocities: {x: 0}}
Outputs: {y: 3*x}
"""


@pytest.fixture
def examples():
    return SOURCE / "examples"


@pytest.fixture
def source():
    return SOURCE


@pytest.fixture
def program(tmp_path):
    """Runs the program in a folder of its own; returns what it prints."""
    def run(*arguments):
        done = subprocess.run([TAUT, *map(str, arguments)], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout
    return run


@pytest.fixture
def line():
    return taut.parse(LINE, "line")


@pytest.fixture
def oscillator():
    return taut.parse(OSCILLATOR, "oscillator")


@pytest.fixture
def crank(examples):
    return taut.load(examples / "slider-crank.yaml")
