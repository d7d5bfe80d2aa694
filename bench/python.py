#!/usr/bin/env python3
"""What Python costs beside C: a loop of runs with another mass each, and the same as a batch, in processor time.

    build/python/venv/bin/python bench/python.py BENCH_BATCH MODEL [RUNS]

BENCH_BATCH is the C program of the same name; both are run in turn, and the least of each counts.
"""
import subprocess
import sys
import time

import numpy

import taut

TEND = 1.0


def loop(model, values):
    begin = time.process_time()
    s = model.simulation(tend=TEND)
    total = 0.0
    for m2 in values:
        s.set(m2=m2)
        s.run_to(TEND)
        total += s["s"]
    return time.process_time() - begin, total


def batch(model, values):
    begin = time.process_time()
    b = model.batch(len(values), m2=values, report=["end(s)"], options={"tend": TEND, "threads": 1})
    return time.process_time() - begin, b["end(s)"].sum()


def main():
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 10000
    values = 1 + 1e-4 * numpy.arange(runs)
    model = taut.load(sys.argv[2])
    best = {}
    for _ in range(3):
        words = subprocess.run([sys.argv[1], sys.argv[2], str(runs)], capture_output=True, text=True, check=True).stdout.split()
        times = {"C loop": float(words[0]), "C batch": float(words[1]), "loop": loop(model, values.tolist())[0],
                 "batch": batch(model, values)[0]}
        for name, seconds in times.items():
            best[name] = min(seconds, best.get(name, seconds))
    print(f"a run in C {1e6 * best['C loop'] / runs:.1f} us, in a Python loop {best['loop'] / best['C loop']:.3f} times that; "
          f"batch {best['batch'] / best['C batch']:.3f} times that of C ({runs} runs)")


if __name__ == "__main__":
    main()
