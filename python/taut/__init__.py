"""Motion of mechanisms and solutions of differential-algebraic equations.

>>> import taut
>>> m = taut.parse('''
... Title: rod on a pin
... Dimension: 2
... PartData:
...   Fixed: {O: [0, 0]}
...   Rigids:
...     OA: {Geom: [[1, 0]], Dyna: [[0.5, 0], 2, 1/6]}
... AppliedForces: {Gravity: }
... ProblemData: {tend: 10, positions: {A: [1, 0]}}
... ''')
>>> r = m.run(tol=1e-13, at=[0, 5, 10])
>>> [f"{x:.10f}" for x in r["Ax"]]
['1.0000000000', '-0.9792474966', '0.6968224068']
"""
from ._build import Builder
from ._errors import Error, Fault, Interrupted, Warning
from ._library import version
from ._linear import Equilibria, Equilibrium, Floquet, Form, Linear, Linears, Modes
from ._model import Analysis, Comparison, Kinematics, Model, formulations, import_text, load, parse, schema, solvers
from ._result import Difference, Event, Plot, Record, Result, diff, read_table, table
from ._simulation import Program, Simulation
from ._state import State
from ._study import Fit, Optimum, Study

__version__: str = version

__all__ = [
    "Analysis", "Builder", "Comparison", "Difference", "Equilibria", "Equilibrium", "Error", "Event", "Fault", "Fit",
    "Floquet", "Form", "Interrupted", "Kinematics", "Linear", "Linears", "Model", "Modes", "Optimum", "Plot", "Program",
    "Record", "Result", "Simulation", "State", "Study", "Warning", "diff", "formulations", "import_text", "load", "parse", "read_table",
    "schema", "solvers", "table",
]
