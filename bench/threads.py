#!/usr/bin/env python3
"""10,000 slider-cranks by one thread and by two, in turns and by the clock: for a machine that does nothing else.

usage: bench/threads.py [PROGRAM]     (from the project's folder; without PROGRAM: build/taut)

Prints runs a second, the part of twice one thread's rate that two have (bar 0.9), and the same by processor time, which
does not see what others do. Exits with 1 below the bar or if the tables differ.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time

ROUNDS, RUNS, BAR = 5, 10000, 0.9
STUDY = ["sweep", "examples/slider-crank.yaml", "--vary", "l1=0.35..0.45:100", "--vary", "m2=0.5..1.5:100", "--report",
         "max(Ay)", "--tend", "1", "--tol", "1e-9", "--quiet"]


def measure(program, threads, path):
    """Seconds by the clock, and of processor time."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run([program] + STUDY + ["-j", str(threads), "-o", path], check=True)
    clock, after = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    return clock, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else "build/taut"
    with tempfile.TemporaryDirectory() as folder:
        paths = {threads: os.path.join(folder, f"{threads}.csv") for threads in (1, 2)}
        seconds = {1: [], 2: []}
        for _ in range(ROUNDS):
            for threads in (1, 2):
                seconds[threads].append(measure(program, threads, paths[threads]))
        same = open(paths[1], "rb").read() == open(paths[2], "rb").read()
    clock = {threads: min(pair[0] for pair in seconds[threads]) for threads in (1, 2)}
    work = {threads: min(pair[1] for pair in seconds[threads]) for threads in (1, 2)}
    part = clock[1] / (2 * clock[2])
    print(f"one thread {RUNS / clock[1]:.5g} runs a second, two {RUNS / clock[2]:.5g}: {part:.3f} of twice the rate (bar {BAR}); "
          f"by processor time {work[1] / work[2]:.3f}; load before {os.getloadavg()[0]:.1f}; tables {'equal' if same else 'DIFFER'}")
    return 0 if same and part >= BAR else 1


if __name__ == "__main__":
    sys.exit(main())
