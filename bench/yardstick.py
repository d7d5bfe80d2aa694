"""The yardstick: problems, what counts as their error, how fast is fast enough, and the peers' methods."""

from dataclasses import dataclass, field

TARGETS = (1e-6, 1e-10)  # errors at which times are compared
THROUGHPUT_TARGETS = (1e-3, 1e-6, 1e-10)  # the same for runs a second
SLACK = 2.0              # a run counts for a target up to this multiple of it, taut's and the peers' alike


@dataclass(frozen=True)
class Problem:
    name: str
    title: str
    model: str      # a file, or a program that prints it
    columns: str    # the coordinates that count; see bench_ladder.c
    case: str       # reference values, and the name under which peers know it
    bars: dict = field(default_factory=dict)  # target: (at most, aim) in ms
    from_file: dict = field(default_factory=dict)  # target: from file to answer at most, in ms
    by_hand: bool = False  # one coordinate, so the fair peers are those with equations reduced by hand

    @property
    def reference(self):
        """True values; where there are no peers, those of a second model at tol 1e-13 (tests/models)."""
        folder = "bench/peers/reference" if self.case in SUNDIALS_METHODS else "bench/models"
        return f"{folder}/{self.case}.txt"

    def times(self):
        """The times at which the error is taken; the last one is the end of the run."""
        with open(self.reference) as file:
            return [line.split()[0] for line in file]


def four_bar(n):
    return f"examples/four-bar {n}", f"A0x,A0y,A{n}x-{n},A{n}y"


def chain(n):
    middle = (n + 1) // 2
    return f"examples/pendulum-chain {n}", f"P1x,P1y,P{middle}x,P{middle}y,P{n}x,P{n}y"


ANDREWS = "examples/andrews.yaml", "beta,Theta,gamma,Phi,delta,Omega,epsilon"

PROBLEMS = (
    Problem("P1", "pendulum, natural coordinates, to t = 100", "examples/pendulum.yaml", "Ax,Ay", "P1",
            {1e-10: (5.6, 1.7)}),
    Problem("P1_angle", "pendulum, Lagrangian in one angle, to t = 100", "bench/models/pendulum-angle.yaml", "x,y",
            "P1", {1e-10: (2, 0.6)}, by_hand=True),
    Problem("P2_N2", "four-bar, N = 2, to t = 10", *four_bar(2), "P2_N2", {1e-6: (3, 1), 1e-10: (4, 1.5)}),
    Problem("P2_N40", "four-bar, N = 40, to t = 1", *four_bar(40), "P2_N40", {1e-6: (2.7, 0.6), 1e-10: (4, 1)}),
    Problem("P2_N200", "four-bar, N = 200, to t = 1", *four_bar(200), "P2_N200", {1e-6: (13, 3), 1e-10: (20, 5)},
            from_file={1e-10: 8}),
    Problem("P3_0.03", "Andrews' mechanism to t = 0.03", *ANDREWS, "P3_0.03", {1e-10: (2, 0.8)}, from_file={1e-10: 2.5}),
    Problem("P3_0.3", "Andrews' mechanism to t = 0.3", *ANDREWS, "P3_0.3", {1e-6: (40, 20)}),
    Problem("P4_n10", "chain of n = 10, to t = 1", *chain(10), "P4_n10", {1e-10: (0.69, 0.23)}),
    Problem("P4_n200", "chain of n = 200, to t = 1", *chain(200), "P4_n200", {1e-10: (17, 4)}),
    Problem("P5", "flyball governor (stiff) to t = 10", "examples/flyball-governor.yaml", "Bx,By,Bz,Ez", "P5"),
    # no peer knows it: the other solvers of taut are what it is compared with
    Problem("strut", "McPherson strut (stiff) to t = 10", "examples/mcpherson.yaml", "Ay,Bx,By", "strut"),
    Problem("P6", "Bricard's mechanism to t = 10", "examples/bricard.yaml", "P2x,P2y,P2z,P3x,P3y,P3z", "P6",
            {1e-10: (3, 1.2)}, from_file={1e-10: 4}),
)

LADDER = ["1e-4"] + [f"{digit}e-{k}" for k in range(5, 15) for digit in (3, 1)]  # tolerances of taut
SHORT_LADDER = ["1e-6", "1e-8", "1e-10", "1e-12"]
COARSE_LADDER = ["1e-2", "1e-3", "1e-4", "1e-6", "1e-8", "1e-10", "1e-12", "1e-14"]
OTHER_SOLVERS = ("ho", "bdf", "adams", "erk", "ida")  # of taut, besides "auto"; those that it has

COARSE = ["1e-3", "1e-5", "1e-7", "1e-9", "1e-11"]
PEER_LADDER = ["1e-4"] + [f"1e-{k}" for k in range(6, 14)]
NEAR_TARGETS = {"P1": ["5e-12", "3e-12", "5e-14", "3e-14"], "P3_0.03": ["3e-12", "3e-13"], "P4_n10": ["3e-6"],
                "P5": ["3e-13"], "P6": ["2e-6"]}

SUNDIALS_METHODS = {  # "-min": equations in minimal coordinates, derived by hand
    "P1": "ida adams bdfproj erk8 adams-min erk8-min", "P2_N2": "ida adams bdfproj erk8 adams-min erk8-min",
    "P2_N40": "ida adams bdfproj erk8", "P2_N200": "ida adams erk8", "P3_0.03": "ida adams bdfproj erk8",
    "P3_0.3": "ida adams bdfproj erk8", "P4_n10": "ida adams bdfproj erk8", "P4_n200": "ida adams erk8",
    "P5": "ida bdfproj bdf-min adams-min dirk5-min", "P6": "ida adams bdfproj erk8"}
SIMBODY_METHODS = {
    "P1": "rkm cpodes-adams cpodes-bdf", "P2_N2": "rkm cpodes-bdf", "P2_N40": "rkm", "P2_N200": "rkm",
    "P3_0.03": "rkm cpodes-bdf", "P3_0.3": "rkm cpodes-bdf", "P4_n10": "rkm cpodes-adams",
    "P4_n200": "rkm cpodes-adams", "P5": "rkm cpodes-bdf", "P6": "rkm cpodes-bdf"}
SIMBODY_LADDER = {"P2_N40": ["1e-3", "1e-5"], "P2_N200": ["1e-3"]}  # the others take minutes
MUJOCO_STEPS = {
    "P1": "2e-2 1e-2 5e-3 2e-3 1e-3", "P2_N2": "1e-2 1e-3 1e-4", "P2_N40": "1e-2 1e-3 1e-4", "P2_N200": "1e-2 1e-3",
    "P3_0.03": "1e-4 1e-5 1e-6", "P3_0.3": "1e-4 1e-5 1e-6", "P4_n10": "2e-2 1e-2 1e-3 1e-4",
    "P4_n200": "1e-2 1e-3", "P5": "2e-4 1e-4 5e-5", "P6": "1e-2 1e-3 1e-4"}


def peer_runs(case):
    """Peer, method and tolerances (MuJoCo: time steps) for a case."""
    if case not in SUNDIALS_METHODS:
        return
    for method in SUNDIALS_METHODS[case].split():
        yield "sundials", method, PEER_LADDER + NEAR_TARGETS.get(case, [])
    for method in SIMBODY_METHODS[case].split():
        yield "simbody", method, SIMBODY_LADDER.get(case, COARSE)
    for method in ["RK4"] + (["implicit"] if case == "P5" else []):
        yield "mujoco", method, MUJOCO_STEPS[case].split()


LANES_BAR = 2.5  # so many times the runs a second of one by one, for eight side by side

CHAINS = (10, 100, 1000, 10000)  # bodies, for one evaluation of accelerations by recursion
RECURSION_FACTOR = 2.0           # so much faster than Simbody, up to 1000 bodies
GROWTH = (("four-bar", "examples/four-bar"), ("chain", "examples/pendulum-chain"))
SIZES = (10, 20, 50, 100, 200, 500, 1000, 2000)
LARGEST = 10000    # the last size of growth
LINEAR_FROM = 100  # from this size on a step may take LINEAR_WITHIN times what is linear
LINEAR_WITHIN = 1.2
LARGEST_WITHIN = 1.5  # ... and so much at the largest size, which no cache holds
KERNEL_ORDER = 20
KERNEL_BAR_NS = 1.5
KERNEL_PROBLEMS = ("P6", "P2_N200")


def cheapest(rows, target):
    """The fastest of the rows that reach the target; None if there is none."""
    good = [row for row in rows if float(row["error"]) <= SLACK * target]
    return min(good, key=lambda row: float(row["time_s"]), default=None)

# Loops over one parameter: name, model, parameter, first value, end, tolerance, runs, and how much longer than the
# steps alone they may take.
PARAMETER_LOOPS = (
    ("Andrews to 0.03", "examples/andrews.yaml", "c0", "4530", "0.03", "1e-6", 10000, 1.15),
    ("slider-crank to 1", "examples/slider-crank.yaml", "m2", "1", "1", "1e-6", 10000, 1.15),
    ("Bricard to 10", "examples/bricard.yaml", "m", "1", "10", "1e-6", 1000, 1.15),
    ("four-bars N = 200", "examples/four-bar 200", "m", "1", "1", "1e-6", 1000, 1.2),
)

# Long runs by compiled C: name (no commas), model, end (a tenth of it in quick benchmarks), tolerance. The aim is twice
# the speed.
COMPILED = (
    ("Andrews", "examples/andrews.yaml", "0.3", "1e-6"),
    ("pendulum", "examples/pendulum.yaml", "1000", "1e-9"),
    ("pendulum in one angle", "bench/models/pendulum-angle.yaml", "1000", "1e-9"),
    ("slider-crank", "examples/slider-crank.yaml", "100", "1e-9"),
    ("Bricard", "examples/bricard.yaml", "100", "1e-9"),
)

# Large mechanisms, the whole process: title (no commas: it goes into a CSV file), model, arguments of taut, and how many
# seconds of the processor at most.
END = "--tend 0.1 --every 0.1"
RELATIVE = f"run FILE {END} --formulation relative --solver"
LARGE = (
    ("chain n = 400 in relative coordinates by taylor", "examples/pendulum-chain 400", f"{RELATIVE} taylor", 0.06),
    ("chain n = 400 in relative coordinates by erk", "examples/pendulum-chain 400", f"{RELATIVE} erk", 0.06),
    ("chain n = 10000 in relative coordinates by taylor", "examples/pendulum-chain 10000", f"{RELATIVE} taylor", 2),
    ("four-bars N = 1000 in relative coordinates by taylor", "examples/four-bar 1000", f"{RELATIVE} taylor", 0.4),
    ("four-bars N = 1000 in relative coordinates by erk", "examples/four-bar 1000", f"{RELATIVE} erk", 0.6),
    ("reactions of four-bars N = 1000 at one instant", "examples/four-bar 1000", "run FILE --at 0 --reactions", 1),
    ("analyze of four-bars N = 1000", "examples/four-bar 1000", "analyze FILE", 0.4),
    ("chain of 100000 point masses in natural coordinates", "examples/pendulum-chain 100000", f"run FILE {END}", 60),
)
