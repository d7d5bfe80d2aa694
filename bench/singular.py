#!/usr/bin/env python3
"""How often does a run leave a singular position on the wrong branch?

Four-bars whose links can lie on one line have two branches there: parallelograms, antiparallelograms,
kites and general change-point linkages. On each branch all points are smooth functions of one angle
(closed forms below), so the motion is an ordinary differential equation of second order, which is
integrated here by extrapolation: a reference that shares nothing with taut. Random lengths, masses
and speeds, fast passages and slow ones; every pair of formulation and solver. A run is

  right   if all points are within 1e-4 of the reference (scaled by the largest link),
  loose   if they are within 0.03 of it (a method of low order, a sensitive motion),
  refused if it says so (exit 1),
  WRONG   if it ends with exit 0 farther away.

usage: singular.py TAUT [--count N] [--seed S] [--tol T,...] [--pairs F:S,...] [--families F,...] [--keep DIR] [-v]
Exit status 1 if any run is WRONG."""
import argparse
import cmath
import math
import os
import random
import subprocess
import sys
import tempfile
import time

PAIRS = ("natural:taylor", "relative:taylor", "reference:taylor", "natural:ho", "relative:erk",
         "relative:adams", "relative:bdf", "natural:erk", "reference:ida", "natural:ida",
         "minimal:auto", "natural:auto")


# ---- geometry: points A and B as functions of one angle ----

def parallelogram(p, x):
    ax, ay = p["a"] * math.cos(x), p["a"] * math.sin(x)
    return (ax, ay), (ax + p["d"], ay)


def antiparallelogram(p, x):
    """B is the image of O in the perpendicular bisector of AC."""
    ax, ay = p["a"] * math.cos(x), p["a"] * math.sin(x)
    ux, uy = p["d"] - ax, -ay
    length2 = ux * ux + uy * uy
    # image of O in the line through M = (A + C)/2 with normal u
    s = 2.0 * ((p["d"] + ax) / 2 * ux + ay / 2 * uy) / length2
    return (ax, ay), (s * ux, s * uy)


def kite(p, x):
    """a = d, b = c: A is the image of C in the line OB."""
    bx, by = p["d"] + p["c"] * math.cos(x), p["c"] * math.sin(x)
    s = 2.0 * p["d"] * bx / (bx * bx + by * by)
    return (s * bx - p["d"], s * by), (bx, by)


def folded(p, x):
    """b = c + d - a, a the shortest: all on one line at x = 0. The root changes its sign there."""
    a, b, c, d = p["a"], p["b"], p["c"], p["d"]
    ax, ay = a * math.cos(x), a * math.sin(x)
    ux, uy = d - ax, -ay
    l2 = ux * ux + uy * uy
    root = p["sign"] * 2.0 * math.sqrt(a * d) * math.sin(x / 2) * math.sqrt((b + c) ** 2 - l2)
    along, across = (b * b - c * c + l2) / (2 * l2), root / (2 * l2)
    return (ax, ay), (ax + along * ux - across * uy, ay + along * uy + across * ux)


def near(p, x):
    """a = c, b a little shorter than d: two branches come close at x = 0 and do not cross."""
    a, b, c, d = p["a"], p["b"], p["c"], p["d"]
    ax, ay = a * cmath.cos(x), a * cmath.sin(x)
    ux, uy = d - ax, -ay
    l2 = ux * ux + uy * uy
    gap = (d - b) * (d + b - 2 * a) + 4 * a * d * cmath.sin(x / 2) ** 2
    along = (b * b - c * c + l2) / (2 * l2)
    across = p["sign"] * cmath.sqrt(gap * ((b + c) ** 2 - l2)) / (2 * l2)
    return (ax, ay), (ax + along * ux - across * uy, ay + along * uy + across * ux)


POINTS = {"parallelogram": parallelogram, "antiparallelogram": antiparallelogram, "kite": kite,
          "folded": folded, "near": near}


DIFFERENCE = ((1, 672 / 840), (2, -168 / 840), (3, 32 / 840), (4, -3 / 840))


def slopes(p, x):
    """dA/dx, dB/dx by a difference of high order: entire to 1e-12 or so."""
    h = 1e-2
    out = [0.0] * 4
    for k, c in DIFFERENCE:
        (pa, pb), (ma, mb) = p["points"](p, x + k * h), p["points"](p, x - k * h)
        for i, v in enumerate((pa[0] - ma[0], pa[1] - ma[1], pb[0] - mb[0], pb[1] - mb[1])):
            out[i] += c * v / h
    return out


def inertia(p, x):
    """T = I(x) x'^2/2: rods with their mass along them, m/3 (u^2 + u v + v^2) each."""
    s = slopes(p, x)
    a, b = s[:2], s[2:]
    dot = lambda u, v: u[0] * v[0] + u[1] * v[1]
    return (p["m1"] * dot(a, a) + p["m2"] * (dot(a, a) + dot(a, b) + dot(b, b)) +
            p["m3"] * dot(b, b)) / 3


def potential_slope(p, x):
    s = slopes(p, x)
    return p["g"] * (p["m1"] * s[1] / 2 + p["m2"] * (s[1] + s[3]) / 2 + p["m3"] * s[3] / 2)


def potential(p, x):
    (_, ay), (_, by) = p["points"](p, x)
    return p["g"] * (p["m1"] * ay / 2 + p["m2"] * (ay + by) / 2 + p["m3"] * by / 2)


def rates(p, y):
    x, v = y
    h = 1e-2
    slope = sum(c * (inertia(p, x + k * h) - inertia(p, x - k * h)) / h for k, c in DIFFERENCE)
    return v, -(0.5 * slope * v * v + potential_slope(p, x)) / inertia(p, x)


def step(p, y, H):
    """One step by extrapolation of the midpoint rule, order 12; the value and an error."""
    rows = []
    for k in range(1, 7):
        n = 2 * k
        h = H / n
        f = rates(p, y)
        a, b = y, (y[0] + h * f[0], y[1] + h * f[1])
        for _ in range(n - 1):
            f = rates(p, b)
            a, b = b, (a[0] + 2 * h * f[0], a[1] + 2 * h * f[1])
        f = rates(p, b)
        row = [tuple(0.5 * (a[i] + b[i] + h * f[i]) for i in (0, 1))]
        for j in range(1, k):
            q = (k / (k - j)) ** 2 - 1
            row.append(tuple(row[j - 1][i] + (row[j - 1][i] - rows[-1][j - 1][i]) / q
                             for i in (0, 1)))
        rows.append(row)
    last = rows[-1]
    return last[-1], max(abs(last[-1][i] - last[-2][i]) for i in (0, 1))


def motion(p, y, t, tend):
    """Points (t, x, v) of the reference on the way to tend."""
    h, out = 0.02, [(t, y)]
    while t < tend:
        h = min(h, tend - t)
        new, error = step(p, y, h)
        if error > 1e-10 and h > 1e-6:
            h *= 0.5
            continue
        t, y = (tend if h == tend - t else t + h), new
        out.append((t, y))
        if error < 1e-12:
            h *= 1.5
    return out


def time_between(p, x, v, end):
    """From one angle to another without a turn: by the energy, with slopes from complex steps."""
    def state(y):
        a, b = p["points"](p, complex(y, 1e-30))
        return [k.real for k in a + b], [k.imag * 1e30 for k in a + b]

    def terms(y):
        q, s = state(y)
        dot = lambda i, j: s[i] * s[j] + s[i + 1] * s[j + 1]
        T = (p["m1"] * dot(0, 0) + p["m2"] * (dot(0, 0) + dot(0, 2) + dot(2, 2)) +
             p["m3"] * dot(2, 2)) / 6
        return T, p["g"] * (p["m1"] * q[1] + p["m2"] * (q[1] + q[3]) + p["m3"] * q[3]) / 2

    T, V = terms(x)
    energy = T * v * v + V

    def slowness(y):
        T, V = terms(y)
        return math.sqrt(T / (energy - V))

    def integral(a, fa, b, fb, m, fm, whole, depth):
        l, r = (a + m) / 2, (m + b) / 2
        fl, fr = slowness(l), slowness(r)
        left, right = (m - a) / 6 * (fa + 4 * fl + fm), (b - m) / 6 * (fm + 4 * fr + fb)
        if depth == 0 or abs(left + right - whole) < 1e-12:
            return left + right + (left + right - whole) / 15
        return (integral(a, fa, m, fm, l, fl, left, depth - 1) +
                integral(m, fm, b, fb, r, fr, right, depth - 1))

    total = 0.0
    for a, b in ((x, 0.0), (0.0, end)):
        m = (a + b) / 2
        fa, fm, fb = slowness(a), slowness(m), slowness(b)
        total += integral(a, fa, b, fb, m, fm, (b - a) / 6 * (fa + 4 * fm + fb), 40)
    return abs(total), [v * k for k in state(x)[1]]


# ---- random linkages ----

def make_near(p, rng):
    a = p["a"]
    p["c"], p["d"] = a, a * rng.uniform(1.2, 3)
    p["b"] = p["d"] - 10 ** rng.uniform(-9, -3)
    p["x"], p["v"], end = -rng.uniform(0.3, 0.9), rng.uniform(5, 9), rng.uniform(0.4, 1.5)
    p["sign"] = 1
    if abs(near(p, p["x"])[1][1] - near(p, p["x"])[0][1]) > 1e-2:
        p["sign"] = -1  # it begins as a parallelogram
    try:
        p["tend"], p["rates"] = time_between(p, p["x"], p["v"], end)
    except (ValueError, RecursionError):
        return None
    p["end"] = end
    return p


def make(family, rng, style):
    p = {"family": family, "points": POINTS[family], "style": style,
         "m1": rng.uniform(0.5, 3), "m2": rng.uniform(0.5, 3), "m3": rng.uniform(0.5, 3),
         "g": rng.choice([0.0, 9.81, 9.81]), "sign": rng.choice([-1, 1])}
    a = p["a"] = rng.choice([1.0, rng.uniform(0.5, 1.5)])
    if family == "near":
        return make_near(p, rng) if style == "fast" else None
    if family in ("parallelogram", "antiparallelogram"):
        p["c"], p["d"] = a, a * rng.uniform(1.2, 3)
        p["b"] = p["d"]
    elif family == "kite":
        p["d"] = a
        p["b"] = p["c"] = a * rng.choice([rng.uniform(0.4, 0.9), rng.uniform(1.2, 2.5)])
    else:
        p["d"], p["c"] = a * rng.uniform(1.3, 3), a * rng.uniform(1.2, 2.5)
        p["b"] = p["c"] + p["d"] - a
    flat = rng.choice([0.0, math.pi]) if family != "folded" else 0.0
    if style == "slow":  # let go close to a flat position, nearly at rest
        p["g"] = 9.81
        x = flat + rng.choice([-1, 1]) * rng.uniform(0.01, 0.15)
        v = rng.choice([0.0, rng.uniform(-0.05, 0.05)])
        p["tend"] = 1.5
    else:
        x = flat + rng.choice([-1, 1]) * rng.uniform(0.3, 1.2)
        v = math.copysign(rng.uniform(2, 8), flat - x)
        p["tend"] = rng.choice([2.0, 4.0])
    if style == "turns":  # it comes to rest shortly before or after it lies flat, and returns
        p["g"] = 9.81
        beyond = rng.choice([-1, 1]) * 10 ** rng.uniform(-5, -1)
        gained = potential(p, x) - potential(p, flat + math.copysign(beyond, beyond * (flat - x)))
        if gained > 0:
            x = 2 * flat - x
            gained = potential(p, x) - potential(p, flat + math.copysign(beyond, beyond * (flat - x)))
        if gained > 0:
            return None
        v = math.copysign(math.sqrt(-2 * gained / inertia(p, x)), flat - x)
        p["tend"] = rng.choice([1.0, 2.0])
    p["x"], p["v"] = x, v
    if style == "ends":  # the run ends exactly where all lies flat
        period = 2 * math.pi if family == "folded" else math.pi
        points = motion(p, (x, v), 0.0, 4.0)
        for (t, y), (_, then) in zip(points, points[1:]):
            low, high = sorted((y[0], then[0]))
            target = math.ceil(low / period) * period
            if low < target < high:
                break
        else:
            return None
        for _ in range(20):
            dt = (target - y[0]) / y[1]
            t, y = t + dt, step(p, y, dt)[0]
        p["tend"] = t
    return p


def real_points(p, x):
    return [[complex(k).real for k in point] for point in p["points"](p, x)]


def text(p):
    (ax, ay), (bx, by) = real_points(p, p["x"])
    s = p["rates"] if "rates" in p else [p["v"] * k for k in slopes(p, p["x"])]
    rod = lambda n, l, m: f"    {n}: {{Geom: [[{l!r}]], Dyna: [[{l!r}/2], {m!r}, {m!r}*{l!r}^2/12]}}\n"
    return ("Dimension: 2\nPartData:\n  Fixed: {O: [0, 0], C: [%r, 0]}\n  Rigids:\n" % p["d"] +
            rod("OA", p["a"], p["m1"]) + rod("AB", p["b"], p["m2"]) + rod("CB", p["c"], p["m3"]) +
            "AppliedForces: {Gravity: %r}\n" % p["g"] +
            "ProblemData:\n  tend: %r\n  positions: {A: [%r, %r], B: [%r, %r]}\n" %
            (p["tend"], ax, ay, bx, by) +
            "  velocities: {A: [%r, %r], B: [%r, %r]}\n" % tuple(s))


# ---- runs ----

def run(taut, path, pair, tol, tend):
    formulation, solver = pair.split(":")
    began = time.time()
    try:
        r = subprocess.run([taut, "run", path, "--formulation", formulation, "--solver", solver,
                            "--tol", tol, "--at", repr(tend), "--quiet", "-o", "-"],
                           capture_output=True, text=True, timeout=4)
    except subprocess.TimeoutExpired:
        return "crawls", None, "", 4.0
    rows = [line.split(",") for line in r.stdout.strip().splitlines()]
    point = None
    if len(rows) > 1:
        got = dict(zip((c.strip('"') for c in rows[0]), rows[-1]))
        if abs(float(got["t"]) - tend) < 1e-9 * tend:
            point = [float(got[k]) for k in ("Ax", "Ay", "Bx", "By")]
    return r.returncode, point, r.stderr, time.time() - began


def judge(code, point, truth, size):
    if code == "crawls":
        return "crawls"
    if code not in (0, 1):
        return "CRASH"
    if code == 1:
        return "refused"
    off = max(abs(a - b) for a, b in zip(point, truth)) / size if point else math.inf
    return "right" if off < 1e-4 else "loose" if off < 0.03 else "WRONG"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("taut")
    parser.add_argument("--count", type=int, default=5, help="linkages of each family and style")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tol", default="1e-6,1e-9,1e-12")
    parser.add_argument("--pairs", default=",".join(PAIRS))
    parser.add_argument("--families", default=",".join(POINTS))
    parser.add_argument("--styles", default="fast,slow,turns,ends")
    parser.add_argument("--keep", help="folder for the files of runs that are not right")
    parser.add_argument("-v", action="store_true")
    o = parser.parse_args()
    table, slowest = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        for family in o.families.split(","):
            for style in o.styles.split(","):
                for k in range(o.count):
                    p = make(family, random.Random(f"{o.seed} {family} {style} {k}"), style)
                    if p is None:  # it never lies flat
                        continue
                    end = (p["end"] if "end" in p else
                           motion(p, (p["x"], p["v"]), 0.0, p["tend"])[-1][1][0])
                    (ax, ay), (bx, by) = real_points(p, end)
                    path = os.path.join(folder, "x.yaml")
                    with open(path, "w") as f:
                        f.write(text(p))
                    for pair in o.pairs.split(","):
                        for tol in o.tol.split(","):
                            code, point, said, took = run(o.taut, path, pair, tol, p["tend"])
                            what = judge(code, point, (ax, ay, bx, by), max(p["b"], p["d"]))
                            cell = table.setdefault((pair, style), {})
                            cell[what] = cell.get(what, 0) + 1
                            slowest[pair] = max(slowest.get(pair, 0), took)
                            if what == "right":
                                continue
                            if o.v:
                                print(family, style, k, pair, tol, what, point,
                                      (ax, ay, bx, by), said.strip()[:300], flush=True)
                            if o.keep:
                                os.makedirs(o.keep, exist_ok=True)
                                name = f"{family}-{style}-{k}.yaml"
                                with open(os.path.join(o.keep, name), "w") as f:
                                    f.write(text(p))
    wrong = 0
    for (pair, style), cell in sorted(table.items()):
        print(f"{pair:18} {style:5} " + "  ".join(f"{k} {cell[k]}" for k in sorted(cell)) +
              f"   (slowest {slowest[pair]:.2f} s)")
        wrong += cell.get("WRONG", 0) + cell.get("CRASH", 0)
    print(f"{wrong} WRONG")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
