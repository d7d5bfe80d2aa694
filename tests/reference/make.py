#!/usr/bin/env python3
"""Reference states for the numerical tests: run in this folder, it writes the headers beside it.

Independent of taut: each problem is an explicit ODE in minimal coordinates (angles, a rotation
matrix, concentrations), integrated by Taylor series in 45 decimal digits with mpmath; a second run with smaller steps must
agree to 25 digits. Takes some minutes.
"""
from mpmath import mp, mpf, fdot, sin, cos

mp.dps = 45
ORDER = 50


# ---- Taylor arithmetic: series are lists of coefficients, made longer one by one ----

def product(a, b, k):
    """Coefficient k of a*b."""
    return fdot(a[: k + 1], b[k::-1])


def multiply(a, b):
    n = min(len(a), len(b))
    return [product(a, b, k) for k in range(n)]


def divide(a, b):
    q = []
    for k in range(min(len(a), len(b))):
        q.append((a[k] - fdot(b[1 : k + 1], q[k - 1 :: -1] if k else [])) / b[0])
    return q


def derivative(a):
    return [(k + 1) * a[k + 1] for k in range(len(a) - 1)]


def evaluate(a, h):
    value = mpf(0)
    for c in reversed(a):
        value = value * h + c
    return value


class SinCos:
    """sin and cos of a series, coefficient by coefficient."""

    def __init__(self, a):
        self.a, self.s, self.c = a, [sin(a[0])], [cos(a[0])]

    def extend(self):
        k = len(self.s)
        slope = [l * self.a[l] for l in range(1, k + 1)]
        self.s, self.c = (
            self.s + [fdot(slope, self.c[k - 1 :: -1]) / k],
            self.c + [-fdot(slope, self.s[k - 1 :: -1]) / k],
        )


# ---- first-order systems x' = f(x), f given coefficient by coefficient ----

def integrate(rate, x, times, tol, order=ORDER):
    """rate(series, k): coefficient k of f. The states at `times`, from t = 0; the last two
    coefficients give the step."""
    states, t = [], mpf(0)
    for wanted in times:
        while t < wanted:
            series = [[v] for v in x]
            for k in range(order):
                for s, r in zip(series, rate(series, k)):
                    s.append(r / (k + 1))
            h = wanted - t
            for s in series:
                size = max(abs(s[0]), mpf(10) ** -6)
                for k in (order - 1, order):
                    if s[k] != 0:
                        h = min(h, (tol * size / abs(s[k])) ** (mpf(1) / k))
            t = wanted if h == wanted - t else t + h
            x = [evaluate(s, h) for s in series]
        states.append(x)
    return states


def checked(rate, x, times, order=ORDER):
    coarse = integrate(rate, x, times, mpf(10) ** -32, order)
    fine = integrate(rate, x, times, mpf(10) ** -35, order)
    worst = max(abs(a - b) for p, q in zip(coarse, fine) for a, b in zip(p, q))
    print("  a tighter tolerance changes", mp.nstr(worst, 3), flush=True)
    assert worst < mpf(10) ** -25
    return fine


def lorenz(s, k):
    x, y, z = s
    return [
        10 * (y[k] - x[k]),
        28 * x[k] - product(x, z, k) - y[k],
        product(x, y, k) - mpf(8) / 3 * z[k],
    ]


def van_der_pol(s, k):
    x, v = s
    squares = [product(x, x, i) for i in range(k + 1)]
    return [v[k], v[k] - product(squares, v, k) - x[k]]


def robertson(s, k):
    y1, y2 = s
    y3 = [(1 if i == 0 else 0) - y1[i] - y2[i] for i in range(k + 1)]
    slow = mpf("0.04") * y1[k] - 10**4 * product(y2, y3, k)
    return [-slow, slow - 3 * 10**7 * product(y2, y2, k)]


def free_top(s, k):
    """Euler's equations in body axes, u' and v' and w' from omega."""
    Iu, Iv, Iw = 1, 2, 3
    p, q, r = s[:3]
    u, v, w = s[3:6], s[6:9], s[9:12]
    rates = [
        mpf(Iv - Iw) / Iu * product(q, r, k),
        mpf(Iw - Iu) / Iv * product(r, p, k),
        mpf(Iu - Iv) / Iw * product(p, q, k),
    ]
    rates += [product(r, v[i], k) - product(q, w[i], k) for i in range(3)]
    rates += [product(p, w[i], k) - product(r, u[i], k) for i in range(3)]
    rates += [product(q, u[i], k) - product(p, v[i], k) for i in range(3)]
    return rates


def free_top_state(x):
    """u, v, u', v' as in a model file."""
    p, q, r = x[:3]
    u, v, w = x[3:6], x[6:9], x[9:12]
    du = [r * v[i] - q * w[i] for i in range(3)]
    dv = [p * w[i] - r * u[i] for i in range(3)]
    return u + v + du + dv


# ---- chained pendula: angles one after the other, r_k = L + C lam_(k-1) known as a series ----

def chained_step(a, G, L, C, order):
    """Series of (x, y, lam) of every pendulum from its angle and rate: r a'' = G cos a - 2 r' a'."""
    result = []
    r = [L] + [mpf(0)] * (order + 2)
    for angle, rate in a:
        n = len(r) - 2  # orders of r'' that are known
        dr, ddr = derivative(r), derivative(derivative(r))
        s = [angle, rate]
        trig = SinCos(s)
        acceleration = []
        for k in range(n):
            ds = [(i + 1) * s[i + 1] for i in range(k + 1)]
            known = G * trig.c[k] - 2 * product(dr, ds, k)
            known -= fdot(r[1 : k + 1], acceleration[k - 1 :: -1] if k else [])
            acceleration.append(known / r[0])
            s.append(acceleration[k] / ((k + 1) * (k + 2)))
            trig.extend()
        ds = derivative(s)[:n]
        pull = [G * trig.s[k] - ddr[k] for k in range(n)]
        lam = [p + q for p, q in zip(multiply(ds, ds), divide(pull, r[:n]))]
        result.append((s[:n], r[:n], lam))
        r = [L + C * lam[0]] + [C * c for c in lam[1:]]
    return result


def chained(P, times, h, order):
    G, L, C = mpf("9.81"), mpf(10), mpf("0.1")
    a = [(mpf(0), mpf(0))] * P
    states = []

    def state(t, series):
        row = []
        for s, r, lam in series:
            angle, rate = evaluate(s, t), evaluate(derivative(s), t)
            length, growth = evaluate(r, t), evaluate(derivative(r), t)
            c, si = cos(angle), sin(angle)
            row += [length * c, length * si, growth * c - length * rate * si]
            row += [growth * si + length * rate * c, evaluate(lam, t)]
        return row

    for step in range(int(round(times[-1] / h)) + 1):
        series = chained_step(a, G, L, C, order)
        if any(abs(step * h - mpf(wanted)) < h / 4 for wanted in times):
            states.append(state(mpf(0), series))
        a = [(evaluate(s, h), evaluate(derivative(s), h)) for s, r, lam in series]
    return states


# ---- writing ----

def number(v):
    text = mp.nstr(v, 22, strip_zeros=False, min_fixed=-1, max_fixed=20)
    return text if "." in text or "e" in text else text + ".0"


def table(name, comment, times, states):
    lines = ["/* %s */" % comment]
    lines.append("static const double %s_time[%d] = {%s};" % (name, len(times), ", ".join(map(str, times))))
    lines.append("static const double %s_state[%d][%d] = {" % (name, len(states), len(states[0])))
    for row in states:
        lines.append("    {%s}," % ",\n     ".join(number(v) for v in row))
    lines.append("};")
    return "\n".join(lines) + "\n"


def write(name, tables):
    guard = "TAUT_REFERENCE_%s_H" % name.upper()
    with open(name + ".h", "w") as out:
        out.write("/* Reference states, written by make.py in this folder; do not edit. */\n")
        out.write("#ifndef %s\n#define %s\n\n/* clang-format off */\n" % (guard, guard))
        out.write("\n".join(tables))
        out.write("/* clang-format on */\n\n#endif\n")


def main():
    whole = list(range(1, 11))
    print("pendula")
    coarse, fine = chained(7, whole, mpf(1) / 32, 64), chained(7, whole, mpf(1) / 64, 64)
    worst = max(abs(p - q) for a, b in zip(coarse, fine) for p, q in zip(a, b))
    print("  halving the step changes", mp.nstr(worst, 3))
    assert worst < mpf(10) ** -25
    write("pendula", [table("pendula", "x, y, x', y', lam of the chained pendula 1 to 7; the first one is "
                            "the simple pendulum", whole, fine)])
    print("free top")
    start = [mpf("0.1"), mpf(2), mpf("0.1")] + [mpf(v) for v in (1, 0, 0, 0, 1, 0, 0, 0, 1)]
    states = checked(free_top, start, whole + [100])
    write("free_top", [table("free_top", "u, v, u', v' of the free top, 3 numbers each", whole + [100],
                             [free_top_state(x) for x in states])])
    print("Lorenz")
    tables = [table("lorenz", "x, y, z from (1, 1, 1)", [5, 10, 15],
                    checked(lorenz, [mpf(1)] * 3, [5, 10, 15]))]
    print("Van der Pol")
    tables.append(table("van_der_pol", "x, x' from (2, 0) with mu = 1", [5, 10, 15],
                        checked(van_der_pol, [mpf(2), mpf(0)], [5, 10, 15])))
    print("Robertson")
    times = [mpf("0.5"), 4, 40]
    states = checked(robertson, [mpf(1), mpf(0)], times, 36)
    tables.append(table("robertson", "y1, y2, y3 from (1, 0, 0)", times,
                        [[y1, y2, 1 - y1 - y2] for y1, y2 in states]))
    write("equations", tables)


if __name__ == "__main__":
    main()
