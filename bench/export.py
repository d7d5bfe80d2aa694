#!/usr/bin/env python3
"""Time of one exported step beside the library's own step of the same length and order, and beside a
step of the same length by RK4 in relative coordinates. Usage: bench/export.py [TAUT]; prints a table."""
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TAUT = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "../build/taut")
MODELS = ["pendulum", "slider-crank", "andrews", "bricard", "robot"]


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else None


def step_of_library(model, folder, *options):
    """Microseconds a step, from the statistics of a run; None if it cannot be done."""
    stats = os.path.join(folder, "stats.json")
    out = os.path.join(folder, "out.csv")
    if run(TAUT, "run", model, "--quiet", "--stats", stats, "-o", out, *options) is None:
        return None
    with open(stats) as file:
        s = json.load(file)
    return 1e6 * s["wall_s"] / s["steps"]


def main():
    print("| model | order, step | exported, us | library, us | rk4 relative, us |\n|---|---|---|---|---|")
    for name in MODELS:
        model = os.path.join(HERE, "../examples", name + ".yaml")
        with tempfile.TemporaryDirectory() as folder:
            said = run(TAUT, "export", model, "--c", folder)
            order, step = said.split("order ")[1].split(",")[0], said.split("steps of ")[1].split(":")[0]
            subprocess.run(["make", "-s", "-C", folder], check=True)
            times = run(os.path.join(folder, name), "--measure", "20000")
            median = times.split("median ")[1].split(" us")[0]
            library = step_of_library(model, folder, "--solver", "taylor", "--order", order, "--step", step, "--at", step)
            rk4 = step_of_library(model, folder, "--solver", "rk4", "--formulation", "relative", "--step", step,
                                  "--at", step)
            show = lambda x: "-" if x is None else "%.2f" % x
            print("| %s | %s, %s | %s | %s | %s |" % (name, order, step, median, show(library), show(rk4)))


main()
