#!/usr/bin/env python3
"""Tables and curves from the measurements in build/bench: report.md there, and work-precision curves as SVG.

usage: bench/report.py [--record]     (from the project's folder; --record: into docs/benchmarks.md as well)
"""

import csv
import os
import platform
import sys

import curves
from yardstick import (KERNEL_BAR_NS, KERNEL_ORDER, LANES_BAR, LARGEST, LARGEST_WITHIN, LINEAR_FROM, LINEAR_WITHIN,
                       PROBLEMS, RECURSION_FACTOR, SHORT_LADDER, TARGETS, cheapest)

OUT, PAGE, PICTURES = "build/bench", "docs/benchmarks.md", "docs/benchmarks"
BEGIN, END = "<!-- results: written by bench/report.py -->", "<!-- end of results -->"
FAMILIES = {  # name: colour; in the order of tables and legends
    "taut": "#0b6e4f", "taut, ho": "#4fb286", "SUNDIALS in taut": "#c98a1b", "Simbody": "#b23a48",
    "MuJoCo": "#6a4c93", "SUNDIALS, by hand": "#1f5fa8", "SUNDIALS, reduced": "#7aa6d6"}
OWN = ("taut, ho", "SUNDIALS in taut")  # other integrators of taut
PACKAGES = ("Simbody", "MuJoCo")
GENERAL = (*PACKAGES, "SUNDIALS, by hand")
REDUCED = "SUNDIALS, reduced"


def family(program):
    """Who it is that ran: methods of one package on one system of equations count as one."""
    if program.startswith("taut"):
        return {"taut": "taut", "taut-ho": "taut, ho"}.get(program, "SUNDIALS in taut")
    if program.startswith("sundials"):
        return REDUCED if program.endswith("-min") else "SUNDIALS, by hand"
    return "Simbody" if program.startswith("simbody") else "MuJoCo"


def read(name):
    """The rows of a table of measurements; none if it was not measured."""
    path = f"{OUT}/{name}.csv"
    if not os.path.exists(path):
        return []
    with open(path) as file:
        return list(csv.DictReader(file))


def ms(seconds):
    """A time in milliseconds with three digits."""
    time = 1e3 * float(seconds)
    return f"{time:.3g}" if time < 1000 else f"{time:.0f}"


def table(header, rows):
    """A table of Markdown."""
    lines = [header, ["---"] * len(header)] + rows
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


class Measurements:
    """Everything that was measured, by problem and family."""

    def __init__(self):
        self.taut, self.peers, self.process = read("taut"), read("peers"), read("process")
        for row in self.taut:  # processor time, which has the watch over energy and constraints in it, or wall_s
            row["time_s"] = min(row["time_s"], row["wall_s"], key=float)

    def rows(self, problem, name):
        own = [row for row in self.taut if row["problem"] == problem.name and family(row["program"]) == name]
        return own + [row for row in self.peers if row["problem"] == problem.case and family(row["program"]) == name]

    def best(self, problem, name, target):
        return cheapest(self.rows(problem, name), target)

    def cell(self, problem, name, target):
        """The time for an error, or why there is none."""
        best = self.best(problem, name, target)
        return ms(best["time_s"]) if best else "no" if self.rows(problem, name) else "-"

    def whole(self, problem, program, target):
        """Seconds from file to answer; None if the target is not reached."""
        found = [row for row in self.process if (row["program"], row["problem"]) == (program, problem.name)
                 and float(row["target"]) == target]
        return float(found[0]["time_s"]) if found else None


def verdict(taut, peers):
    """Against the fastest of the peers that get there: its time over ours."""
    peer = min((float(row["time_s"]) for row in peers), default=None)
    if peer is None:
        return "won: no peer gets there"
    ratio = peer / float(taut["time_s"])
    return f"{'won' if ratio >= 1 else 'lost'}: {ratio:.2g}"


def against_bar(taut, problem, target):
    if target not in problem.bars:
        return "-"
    bar, aim = problem.bars[target]
    time = 1e3 * float(taut["time_s"])
    return f"{bar} / {aim}: " + ("aim met" if time <= aim else "met" if time <= bar else "missed")


def times_table(data):
    """The cheapest runs that reach an error."""
    own = [name for name in OWN if any(family(row["program"]) == name for row in data.taut)]
    header = ["problem", "error", "taut (ms)", "steps x order", "at most / aim (ms)"] + own
    header += [*GENERAL, REDUCED, "best peer / taut"] if data.peers else []
    rows = []
    for problem in PROBLEMS:
        for target in TARGETS:
            taut = data.best(problem, "taut", target)
            if not taut:
                rows.append([problem.name, f"{target:.0e}", "not reached"])
                continue
            row = [problem.name, f"{target:.0e}", f"**{ms(taut['time_s'])}**", f"{taut['steps']} x {taut['order']}",
                   against_bar(taut, problem, target)]
            row += [data.cell(problem, name, target) for name in own]
            if data.peers:
                row += [data.cell(problem, name, target) for name in [*GENERAL, REDUCED]]
                fair = [*GENERAL, REDUCED] if problem.by_hand else GENERAL
                row.append("-" if not any(data.rows(problem, name) for name in fair) else
                           verdict(taut, filter(None, (data.best(problem, name, target) for name in fair))))
            rows.append(row)
    return table(header, rows)


def whole_verdict(taut, others):
    """The same for whole processes; "-" if one of the others was not measured."""
    if None in others:
        return "-"
    if not others:
        return "won: neither gets there"
    return f"{'won' if min(others) >= taut else 'lost'}: {min(others) / taut:.2g}"


def whole_table(data):
    """From file to answer."""
    rows = []
    for problem in PROBLEMS:
        for target in TARGETS:
            taut = data.whole(problem, "taut", target)
            if taut is None:
                continue
            most = problem.from_file.get(target)
            row = [problem.name, f"{target:.0e}", f"**{ms(taut)}**",
                   "-" if most is None else f"{most}: " + ("met" if 1e3 * taut <= most else "missed")]
            if data.peers:
                there = [peer for peer in PACKAGES if data.best(problem, peer, target)]
                found = {peer: data.whole(problem, peer.lower(), target) for peer in there}
                row += [ms(found[peer]) if found.get(peer) else "-" if peer in there or not data.rows(problem, peer)
                        else "no" for peer in PACKAGES]
                row.append(whole_verdict(taut, list(found.values())) if data.rows(problem, PACKAGES[0]) else "-")
            rows.append(row)
    return table(["problem", "error", "taut (ms)", "at most (ms)"] + ([*PACKAGES, "best / taut"] if data.peers else []), rows)


def ladder_table(data):
    """Errors and times by tolerance."""
    rows = []
    for problem in PROBLEMS:
        for row in data.rows(problem, "taut"):
            if float(row["tolerance"]) in [float(tolerance) for tolerance in SHORT_LADDER]:
                rows.append([problem.name, row["tolerance"], row["error"], ms(row["time_s"]), row["steps"],
                             row["rejected"], row["order"], ms(row["setup_s"])])
    return table(["problem", "tolerance", "error", "ms", "steps", "rejected", "order", "set-up (ms)"], rows)


def kernels_table():
    rows = [[row["problem"], row["operations"], row["ns"], KERNEL_BAR_NS,
             "met" if float(row["ns"]) <= KERNEL_BAR_NS else "missed"] for row in read("kernels")]
    return table(["problem", "elementary operations", "ns", "at most", ""], rows)


def growth_table():
    """Time and memory by size, and how much of the time is more than linear."""
    rows, base = [], {}
    for row in read("growth"):
        size, step = int(row["size"]), float(row["step_s"])
        if size == LINEAR_FROM:
            base[row["family"]] = step / size
        ratio = step / size / base[row["family"]] if row["family"] in base else None
        within = LARGEST_WITHIN if size == LARGEST else LINEAR_WITHIN
        rows.append([row["family"], size, row["unknowns"], ms(step), f"{1e6 * step / size:.3g}",
                     "-" if ratio is None else f"{ratio:.2f}" + ("" if ratio <= within else " (missed)"),
                     ms(row["setup_s"]), f"{float(row['peak_kb']) / 1024:.1f}"])
    return table(["family", "size", "unknowns", "step (ms)", "step / size (us)", f"relative to {LINEAR_FROM}",
                  "set-up (ms)", "memory (MB)"], rows)


def parameter_loops_table():
    """Runs with another value each, beside their steps and first expansions alone."""
    rows = []
    for row in read("parameter_loops"):
        ratio = float(row["all_s"]) / float(row["alone_s"])
        rows.append([row["problem"], row["parameter"], row["runs"], f"{1e6 * float(row['all_s']) / int(row['runs']):.4g}",
                     f"{ratio:.3f}" + ("" if ratio <= float(row["bar"]) else " (missed)"), row["bar"],
                     row["compilations"], row["difference"]])
    return table(["problem", "parameter", "runs", "a run (us)", "all / integration alone", "at most", "compilations",
                  "difference from fresh runs"], rows)


def linear_table():
    """One more linearisation along a run."""
    rows = []
    for row in read("linear"):
        ms_ = 1e3 * float(row["point_s"])
        rows.append([row["problem"], row["states"], f"{ms_:.3g}" + ("" if ms_ <= float(row["bar_ms"]) else " (missed)"),
                     row["bar_ms"], f"{1e3 * float(row['first_s']):.3g}"])
    return table(["problem", "states", "a point (ms)", "at most", "the first two, with the start (ms)"], rows)


def large_table():
    """Large mechanisms, from file to answer."""
    rows = []
    for row in read("large"):
        missed = "" if float(row["time_s"]) <= float(row["bar_s"]) else " (missed)"
        rows.append([row["what"], f"{float(row['time_s']):.3g}{missed}", row["bar_s"]])
    return table(["what", "processor time (s)", "at most"], rows)


def studies_table():
    """Sweeps beside their integrations alone, in one and two threads, and beside others."""
    alone = [[row["vary"], row["result"], row["runs_per_s"],
              row["ratio"] + ("" if float(row["ratio"]) >= 0.87 else " (missed)")] for row in read("sweep")]
    others = [[row["program"], row["tolerance"], row["error"], row["runs_per_s"]] for row in read("sweep_peers")]
    lanes = [[row["problem"], row["alone_per_s"], row["abreast_per_s"],
              row["ratio"] + ("" if float(row["ratio"]) >= LANES_BAR or row["problem"] == "pendulum" else " (missed)")]
             for row in read("lanes")]
    titles = {"P1": "pendulum to 100", "P2_N2": "four-bar N = 2 to 10", "P3_0.03": "Andrews to 0.03",
              "slider-crank": "slider-crank to 1"}
    programs = ["taut one by one", "taut side by side", "simbody", "mujoco"]
    found = {(row["problem"], row["target"], row["program"]): row["runs_per_s"] for row in read("throughput")}
    none = "no" if read("peers") else "-"  # they do not get there, or they were not run
    rates = [[titles[problem], target] + [found.get((problem, target, program), none) for program in programs]
             for problem, target in dict.fromkeys(key[:2] for key in found)]
    two = [[row["runs"], row["one_s"], row["two_s"],
            row["ratio"] + ("" if float(row["ratio"]) >= 0.9 else " (missed)")] for row in read("sweep_threads")]
    return "\n\n".join([
        table(["varied", "result", "runs a second", "of the integrations' rate (at least 0.87)"], alone),
        table(["problem", "one by one (runs a second)", "side by side", f"ratio (at least {LANES_BAR})"], lanes),
        table(["program", "tolerance", "error", "runs a second of one core"], others),
        table(["runs a second of one core", "error", "taut, one by one", "taut, side by side", "Simbody", "MuJoCo"], rates),
        table(["runs", "one thread (s)", "two threads (s of both)", "ratio (at least 0.9)"], two)])


def compiled_table():
    """Steps by compiled C."""
    columns = ["problem", "tend", "tolerance", "steps", "interpreted_us", "compiled_us", "ratio", "compiler_s"]
    rows = [[row[column] for column in columns] for row in read("compiled")]
    return table(["problem", "to", "tolerance", "steps", "a step (us)", "compiled (us)", "ratio (aim: 2)",
                  "compiler (s)"], rows)


def sensitivity_table():
    """Derivatives beside the plain run."""
    rows = []
    for row in read("sensitivity"):
        late = int(row["parameters"]) <= 8 and float(row["variations"]) > 4
        rows.append([row["parameters"], row["step_us"], row["variations"] + (" (missed)" if late else ""), row["adjoints"]])
    return table(["parameters of Andrews' mechanism", "a step (us)", "with variations (times the run; at most 4 for eight)",
                  "one result by adjoints"], rows)


def recursion_table():
    """One evaluation of accelerations on a chain, how it grows, and how it compares."""
    rows, peers, base = [], {}, None
    found = read("recursion")
    for row in found:
        if row["program"] == "simbody":
            peers[row["bodies"]] = float(row["time_s"])
    for row in found:
        if row["program"] != "taut":
            continue
        bodies, time = int(row["bodies"]), float(row["time_s"])
        base = time / bodies if bodies == LINEAR_FROM else base
        grown = time / bodies / base if base else None
        peer = peers.get(row["bodies"])
        factor = peer / time if peer else None
        late = factor is not None and factor < RECURSION_FACTOR
        rows.append([bodies, f"{1e6 * time:.3g}", f"{1e9 * time / bodies:.3g}",
                     "-" if grown is None else f"{grown:.2f}" + ("" if grown <= LINEAR_WITHIN else " (missed)"),
                     "-" if peer is None else f"{1e6 * peer:.3g}",
                     "-" if factor is None else f"{factor:.3g}" + (" (missed)" if late else "")])
    return table(["bodies", "taut (us)", "a body (ns)", f"relative to {LINEAR_FROM}", "Simbody (us)",
                  "Simbody / taut"], rows)


def loops_table():
    """The same on rows of four-bars, in relative coordinates: how loops grow."""
    return table(["loops", "coordinates", "conditions", "taut (us)", "a loop (us)"],
                 [[row["loops"], row["coordinates"], row["conditions"], f"{1e6 * float(row['time_s']):.3g}",
                   f"{1e6 * float(row['time_s']) / int(row['loops']):.3g}"] for row in read("loops")])


def instructions_table():
    rows = [[row["problem"], row["part"], f"{int(row['instructions']) / 1e6:.2f}"]
            for row in csv.DictReader(open("bench/instructions.txt"))]
    return table(["problem", "part", "million instructions"], rows)


def machine():
    """The machine, for the record."""
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")),
                 platform.processor())
    flags = open("/proc/cpuinfo").read()
    lanes = "AVX-512" if "avx512f" in flags else "AVX2" if "avx2" in flags else "no AVX2"
    return f"{model} ({lanes}, {os.cpu_count()} cores), one core used; taut {open('VERSION').read().strip()}"


def draw_curves(data, folder):
    """A picture a problem."""
    os.makedirs(folder, exist_ok=True)
    for problem in PROBLEMS:
        found = {}
        for name, colour in FAMILIES.items():
            points = [(float(row["error"]), float(row["time_s"])) for row in data.rows(problem, name)]
            points = [(max(error, 1e-16), seconds) for error, seconds in points if error < 1]
            if points:
                found[name] = (colour, curves.front(points))
        if found:
            with open(f"{folder}/{problem.name}.svg", "w") as file:
                file.write(curves.draw(problem.title, found))


def report(data):
    """The results as Markdown."""
    pictures = "\n".join(f"![{problem.title}](benchmarks/{problem.name}.svg)" for problem in PROBLEMS)
    return "\n\n".join([
        f"Machine: {machine()}.",
        "### Time for an error", times_table(data), "### From file to answer", whole_table(data),
        "### Work-precision curves", pictures, "### By tolerance", ladder_table(data),
        f"### A coefficient and elementary operation, order {KERNEL_ORDER}", kernels_table(), "### Growth", growth_table(),
        "### One evaluation of accelerations by recursion, chains of pendulums", recursion_table(),
        "### One evaluation of accelerations by recursion, rows of four-bars", loops_table(),
        "### Loops over a parameter", parameter_loops_table(), "### Linearisations", linear_table(),
        "### Steps by compiled C", compiled_table(),
        "### Large mechanisms, from file to answer", large_table(),
        "### Sweeps", studies_table(), "### Derivatives", sensitivity_table(),
        "### Instructions", instructions_table()])


def record(text):
    """Puts the results between the marks of the page."""
    with open(PAGE) as file:
        page = file.read()
    before, rest = page.split(BEGIN)
    after = rest.split(END)[1]
    with open(PAGE, "w") as file:
        file.write(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}")


def main():
    data = Measurements()
    text = report(data)
    draw_curves(data, f"{OUT}/benchmarks")
    with open(f"{OUT}/report.md", "w") as file:
        file.write(text + "\n")
    print(times_table(data), whole_table(data), kernels_table(), growth_table(), recursion_table(), loops_table(),
          parameter_loops_table(), studies_table(), sensitivity_table(), large_table(), sep="\n\n")
    print(f"\n{OUT}/report.md has all tables, {OUT}/benchmarks the curves")
    if "--record" in sys.argv[1:]:
        draw_curves(data, PICTURES)
        record(text)


if __name__ == "__main__":
    main()
