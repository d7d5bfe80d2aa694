#!/usr/bin/env python3
"""Runs all benchmarks on one core and writes what it measures as CSV into build/bench.

usage: bench/measure.py [--quick]     (from the project's folder; --quick: a short ladder, no peers)
"""

import glob
import os
import resource
import shutil
import subprocess
import sys

from yardstick import (CHAINS, COARSE_LADDER, COMPILED, GROWTH, KERNEL_ORDER, KERNEL_PROBLEMS, LADDER, LARGE, LARGEST,
                       OTHER_SOLVERS, PARAMETER_LOOPS, PROBLEMS, SHORT_LADDER, SIZES, SLACK, TARGETS, THROUGHPUT_TARGETS,
                       cheapest, peer_runs)

BUILD, OUT = "build", "build/bench"
SECONDS = 0.3        # runs are repeated for so long (and at least five times)
PATIENCE = 60        # seconds that a single measurement may take
ENOUGH = 2           # seconds of a run beyond which no finer tolerance is tried: others need milliseconds
PROCESS_RUNS = 10    # of a whole program, or three if they take longer than ...
PROCESS_SECONDS = 2
TOLERANCE_GROWTH = "1e-9"
PEER_ENVIRONMENT = {"PEER_REF": "bench/peers/reference", "PEER_LIMIT": str(ENOUGH)}


class Table:
    """A CSV file that grows line by line, shown on the terminal as well."""

    def __init__(self, name, header):
        self.rows, self.header = [], header.split(",")
        self.file = open(f"{OUT}/{name}.csv", "w")
        self.add(self.header)

    def add(self, values):
        line = ",".join(str(value) for value in values)
        if line.count(",") != len(self.header) - 1:
            print(f"# {self.file.name}: this is no line for it: {line}", file=sys.stderr)
            return
        print(line, flush=True)
        print(line, file=self.file, flush=True)
        if values is not self.header:
            self.rows.append(dict(zip(self.header, line.split(","))))


def pin_to_one_core():
    """Everything that is started from here on shares the last core we may use."""
    core = max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")


def output_lines(command, environment=None):
    """What a program prints, as lists of fields; what is there so far if it fails or takes too long."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=PATIENCE,
                              env={**os.environ, **(environment or {})})
        text, complaint = done.stdout, done.stderr.strip() if done.returncode else ""
    except subprocess.TimeoutExpired as late:
        text, complaint = (late.stdout or b"").decode(), f"gave up after {PATIENCE} s"
    if complaint:
        print(f"# {' '.join(command[:4])} ...: {complaint.splitlines()[0]}", file=sys.stderr)
    return [line.split(",") for line in text.splitlines()]


def process_seconds(command, environment=None, runs=3):
    """Processor time of a program from its start to its end; the best of several runs."""
    used = []
    silent = [(os.POSIX_SPAWN_OPEN, descriptor, os.devnull, os.O_WRONLY, 0) for descriptor in (1, 2)]
    while len(used) < runs or (len(used) < PROCESS_RUNS and sum(used) < PROCESS_SECONDS):
        child = os.posix_spawn(command[0], command, {**os.environ, **(environment or {})}, file_actions=silent)
        _, status, usage = os.wait4(child, 0)
        used.append(usage.ru_utime + usage.ru_stime)
        if status:
            sys.exit(f"{' '.join(command)}: failed")
    return min(used)


def model_file(model):
    """The file of a model; printed by a program if the model says so."""
    if " " not in model:
        return model
    path = f"{OUT}/{os.path.basename(model).replace(' ', '-')}.yaml"
    with open(path, "w") as file:
        subprocess.run(model.split(), stdout=file, check=True)
    return path


def solvers():
    """Of the other solvers, those that this taut has."""
    text = subprocess.run([f"{BUILD}/taut", "run", "--help"], stdout=subprocess.PIPE, text=True, check=True).stdout
    words = next(line for line in text.splitlines() if "--solver" in line).replace(",", " ").split()
    return [name for name in OTHER_SOLVERS if name in words]


def measure_ladder(table, problem, solver, ladder, runs, seconds):
    """A row a tolerance, from coarse to fine; ends where a run takes too long or does not come to its end."""
    for tolerance in ladder:
        lines = output_lines([f"{BUILD}/bench_ladder", str(runs), str(seconds), solver, model_file(problem.model),
                              problem.reference, problem.columns, tolerance])
        if not lines:
            break
        table.add(["taut" if solver == "auto" else f"taut-{solver}", problem.name] + lines[0])
        if float(table.rows[-1]["time_s"]) > ENOUGH:
            break


def measure_taut(table, problem, quick):
    measure_ladder(table, problem, "auto", SHORT_LADDER if quick else LADDER, 5, 0.1 if quick else SECONDS)
    if not quick:
        for solver in solvers():
            measure_ladder(table, problem, solver, COARSE_LADDER, 1, 0.1)


def measure_peers(table, case):
    environment = {**PEER_ENVIRONMENT, "PEER_BUDGET": str(SECONDS)}
    for peer, method, ladder in peer_runs(case):
        for line in output_lines([f"{OUT}/peers/peer_{peer}", method, case] + ladder, environment):
            if "nan" not in line:
                table.add(line)


def measure_ladders(quick):
    """taut and the peers, problem by problem: both sides of a comparison under the same conditions."""
    taut = Table("taut", "program,problem,tolerance,error,time_s,wall_s,steps,rejected,order,operations,setup_s")
    peers = None
    if not quick:
        subprocess.run(["make", "-s", "-C", "bench/peers", f"B={os.path.abspath(OUT)}/peers"], check=True)
        peers = Table("peers", "program,problem,tolerance,error,time_s,steps,evaluations")
    for problem in PROBLEMS:
        measure_taut(taut, problem, quick)
        if peers and problem.case not in [row["problem"] for row in peers.rows]:
            measure_peers(peers, problem.case)
    return taut, peers


def measure_processes(taut, peers):
    """From file to answer, set-up included: taut, and the packages that build a mechanism as it does."""
    table = Table("process", "program,problem,target,tolerance,time_s")
    for problem in PROBLEMS:
        for target in TARGETS:
            of_taut = [row for row in taut.rows if row["program"] == "taut" and row["problem"] == problem.name]
            best = cheapest(of_taut, target)
            if best:
                times = problem.times()
                command = [f"{BUILD}/taut", "run", model_file(problem.model), "--quiet", "--tol", best["tolerance"],
                           "--tend", times[-1], "--at", ",".join(times), "-o", f"{OUT}/answer.csv"]
                table.add(["taut", problem.name, target, best["tolerance"], f"{process_seconds(command):.4g}"])
            for peer in ("simbody", "mujoco") if peers else ():
                rows = [row for row in peers.rows if row["program"].startswith(peer) and row["problem"] == problem.case]
                best = cheapest(rows, target)
                if best:
                    method = best["program"].split("-", 1)[1]
                    command = [f"{OUT}/peers/peer_{peer}", method, problem.case, best["tolerance"]]
                    seconds = process_seconds(command, {**PEER_ENVIRONMENT, "PEER_BUDGET": "0"})
                    table.add([peer, problem.name, target, best["tolerance"], f"{seconds:.4g}"])


def measure_growth(quick):
    table = Table("growth", "family,size,unknowns,operations,steps,step_s,setup_s,peak_kb")
    for family, program in GROWTH:
        for size in (*(SIZES[:-2] if quick else SIZES), LARGEST):
            model = model_file(f"{program} {size}")
            for line in output_lines([f"{BUILD}/bench_growth", TOLERANCE_GROWTH, "0.5", model]):
                table.add([family, size] + line)


def measure_kernels():
    table = Table("kernels", "problem,operations,coefficients,ns")
    for problem in PROBLEMS:
        if problem.name in KERNEL_PROBLEMS:
            for line in output_lines([f"{BUILD}/bench_kernels", str(KERNEL_ORDER), model_file(problem.model)]):
                table.add([problem.name] + line)


def measure_recursion(quick):
    """One evaluation of accelerations on chains, by recursion; Simbody's beside it."""
    table = Table("recursion", "program,bodies,time_s,first,last")
    programs = [("taut", f"{BUILD}/bench_recursion")] + ([] if quick else [("simbody", f"{OUT}/peers/peer_rates")])
    for bodies in CHAINS:
        for name, program in programs:
            for line in output_lines([program, str(bodies)]):
                table.add([name] + line)
    table = Table("loops", "loops,coordinates,conditions,time_s")
    for size in SIZES[:-3] if quick else SIZES[:-1]:
        for line in output_lines([f"{BUILD}/bench_recursion", model_file(f"examples/four-bar {size}")]):
            table.add([size] + line)


def measure_loops(quick):
    """Runs of one simulation with another value of a parameter each."""
    table = Table("parameter_loops", "problem,parameter,bar,runs,steps,all_s,alone_s,compilations,difference")
    for name, model, parameter, value, tend, tolerance, runs, bar in PARAMETER_LOOPS:
        runs = runs // 10 if quick else runs
        command = [f"{BUILD}/bench_loop", model_file(model), parameter, value, tend, tolerance, str(runs)]
        for line in output_lines(command):
            table.add([name, parameter, bar] + line)


def measure_sweep():
    """A study in one thread beside its integrations alone, in runs a second."""
    table = Table("sweep", "vary,result,runs_per_s,integrations_per_s,ratio")
    for vary in ["m2=uniform(0.5,2)", "l1=uniform(0.35,0.45)"]:
        for result in ["max(Ay)", "rms(s')", "end(s)"]:
            for line in output_lines([f"{BUILD}/bench_sweep", "1e-9", "1", "100", model_file("examples/slider-crank.yaml"),
                                      vary, result]):
                table.add([vary.split("=")[0], result] + line)


def measure_lanes(quick):
    """Runs of a study in the lanes of one thread, beside the same one by one."""
    table = Table("lanes", "problem,alone_per_s,abreast_per_s,ratio")
    cases = [("slider-crank", "10", 400, "m1=uniform(0.9,1.1)", "end(s)"),
             ("andrews", "0.03", 400, "mom=uniform(0.03,0.034)", "end(Fx)"),
             ("four-bar-2", "10", 200, "m=uniform(0.9,1.1)", "end(A1x)"),
             ("pendulum", "10", 800, "L=uniform(0.9,1.1)", "end(Ax)")]
    for name, tend, runs, vary, result in cases:
        runs = runs // 4 if quick else runs
        for line in output_lines([f"{BUILD}/bench_lanes", "1e-9", tend, str(runs), model_file(f"examples/{name}.yaml"), vary,
                                  result]):
            table.add([name] + line)


def measure_compiled(quick):
    """Steps by compiled C beside those of the interpreter, in turns; a new cache, so that the compiler has to work."""
    table = Table("compiled", "problem,tend,tolerance,steps,interpreted_us,compiled_us,ratio,compiler_s")
    cache = os.path.abspath(f"{OUT}/cache")
    shutil.rmtree(cache, ignore_errors=True)
    for name, model, tend, tolerance in COMPILED:
        tend = f"{float(tend) / 10:g}" if quick else tend
        for line in output_lines([f"{BUILD}/bench_compile", model_file(model), tend, tolerance], {"XDG_CACHE_HOME": cache}):
            table.add([name, tend, tolerance] + line)


def throughput_of_taut(table, problem, target, tolerance, case):
    """Runs a second at this tolerance, one by one and side by side."""
    model, tend, runs, vary, result = case
    for line in output_lines([f"{BUILD}/bench_lanes", tolerance, tend, str(runs), model_file(model), vary, result]):
        table.add([problem, target, "taut one by one", tolerance, line[0]])
        table.add([problem, target, "taut side by side", tolerance, line[1]])


def measure_throughput(taut, peers, sweep):
    """Runs a second of one core at the same errors. Peers are measured without set-up; a study of taut includes it."""
    table = Table("throughput", "problem,target,program,setting,runs_per_s")
    cases = {"P2_N2": ("examples/four-bar-2.yaml", "10", 200, "m=uniform(0.9,1.1)", "end(A1x)"),
             "P3_0.03": ("examples/andrews.yaml", "0.03", 400, "mom=uniform(0.03,0.034)", "end(Fx)"),
             "P1": ("examples/pendulum.yaml", "100", 80, "L=uniform(0.9,1.1)", "end(Ax)")}
    slider = ("examples/slider-crank.yaml", "1", 2000, "l1=uniform(0.35,0.45)", "end(s)")
    for target in THROUGHPUT_TARGETS:
        good = [row for row in sweep.rows if float(row["error"]) <= SLACK * target]
        own = next((row for row in good if row["program"] == "taut sweep"), None)  # from coarse to fine
        if own:
            throughput_of_taut(table, "slider-crank", target, own["tolerance"], slider)
        for peer in ("simbody", "mujoco"):
            best = max([row for row in good if row["program"].startswith(peer)], key=lambda row: float(row["runs_per_s"]),
                       default=None)
            if best:
                table.add(["slider-crank", target, peer, best["tolerance"], best["runs_per_s"]])
        for problem, case in cases.items():
            best = cheapest([row for row in taut.rows if row["program"] == "taut" and row["problem"] == problem], target)
            if best:
                throughput_of_taut(table, problem, target, best["tolerance"], case)
            for peer in ("simbody", "mujoco"):
                best = cheapest([row for row in peers if row["program"].startswith(peer) and row["problem"] == problem], target)
                if best:
                    table.add([problem, target, peer, best["tolerance"], f"{1 / float(best['time_s']):.5g}"])


def processor_seconds(command):
    """Processor time of a program, from its start to its end."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure_sweep_peers(quick):
    """The same slider-cranks by a sweep, by a loop over the program, and by Simbody in a loop, at several tolerances:
    processor time of one core, and errors beside a sweep at 1e-13."""
    table = Table("sweep_peers", "program,tolerance,error,runs_per_s")
    model, truth, own = model_file("examples/slider-crank.yaml"), f"{OUT}/sweep-truth.csv", f"{OUT}/sweep-own.csv"
    settings = ["--report", "s=end(s)", "--tend", "1", "--quiet"]

    def sweep(counts, tolerance, path):
        grid = ["--vary", f"l1=0.35..0.45:{counts[0]}", "--vary", f"m2=0.5..1.5:{counts[1]}"]
        return processor_seconds([f"{BUILD}/taut", "sweep", model] + grid + settings +
                                 ["--rtol", tolerance, "--atol", tolerance, "-j", "1", "-o", path])

    def rows(path):
        return [line.split(",") for line in open(path).read().splitlines()[1:]]
    few, many = (4, 4), (40, 40)
    sweep(few, "1e-13", truth)
    for tolerance in ["1e-3", "1e-5", "1e-7", "1e-9", "1e-11"]:
        sweep(few, tolerance, own)
        error = max(abs(float(a[3]) - float(b[3])) for a, b in zip(rows(truth), rows(own)))
        if tolerance == "1e-9":
            error_of_run = error
        seconds = min(sweep(many, tolerance, f"{OUT}/sweep-many.csv") for _ in range(3))
        table.add(["taut sweep", tolerance, f"{error:.3g}", f"{many[0] * many[1] / seconds:.5g}"])
    seconds = min(processor_seconds([f"{BUILD}/taut", "run", model, "--set", f"l1={run[1]}", "--set", f"m2={run[2]}",
                                     "--tend", "1", "--at", "1", "--rtol", "1e-9", "--atol", "1e-9", "-o", f"{OUT}/run.csv",
                                     "--quiet"]) for run in rows(own)[:8])
    table.add(["taut run in a loop", "1e-9", f"{error_of_run:.3g}", f"{1 / seconds:.5g}"])
    for peer, ladder in [] if quick else [("peer_sweep", ["1e-3", "1e-6", "1e-8", "1e-10"]),
                                          ("peer_sweep_mujoco", ["1e-3", "1e-4", "1e-5"])]:
        for line in output_lines([f"{OUT}/peers/{peer}", truth, "1"] + ladder):
            table.add(line)
    return table


def measure_threads():
    """Processor time of a sweep by one thread over that by two: what is left of twice the rate on two free cores."""
    table = Table("sweep_threads", "runs,one_s,two_s,ratio")
    command = [f"{BUILD}/taut", "sweep", model_file("examples/slider-crank.yaml"), "--vary", "l1=0.35..0.45:100", "--vary",
               "m2=0.5..1.5:30", "--report", "max(Ay)", "--tend", "1", "--rtol", "1e-9", "--atol", "1e-9", "--quiet", "-o",
               f"{OUT}/sweep-threads.csv", "-j"]
    one, two = (min(processor_seconds(command + [threads]) for _ in range(5)) for threads in ["1", "2"])
    table.add([3000, f"{one:.4g}", f"{two:.4g}", f"{one / two:.3f}"])


def measure_events():
    """What 100 watched functions add to a step, linear in the unknowns and squared distances; a sample of a controller."""
    table = Table("events", "problem,step_us,linear,squares")
    points = {"andrews": ["0.03", "F", "E", "G", "H", "D"],
              "four-bar-40": ["1", "A1", "A5", "A9", "A17", "A23", "A31", "A40"]}
    for name, arguments in points.items():
        for line in output_lines([f"{BUILD}/bench_events", model_file(f"examples/{name}.yaml")] + arguments):
            table.add([name] + line)
    for line in output_lines([f"{BUILD}/bench_events", model_file("bench/models/sampled-pid.yaml")]):
        table.add(["sampled-pid"] + line + ["", ""])


def measure_sensitivity():
    """Parameters of Andrews' mechanism beside the plain run: variations, bar 4 times for eight, and adjoints of one result."""
    table = Table("sensitivity", "parameters,step_us,variations,adjoints")
    for names in ["d,da,e,ea,zf,rr,c0,mom", "d,da,e,ea,zf,fa,rr,ra,ss,sa,sb,sc,sd,zt,ta,tb,u,ua,ub,c0,l0,mom"]:
        for line in output_lines([f"{BUILD}/bench_sensitivity", model_file("examples/andrews.yaml"), "0.1", names,
                                  "end(beta)"]):
            table.add([names.count(",") + 1] + line)


def measure_contacts():
    """A cycle of the woodpecker, first and later, beside time-stepping; a thousand bounces. Bars: 3, 1 and 20 ms."""
    table = Table("contacts", "first_ms,later_ms,stepping_ms,error_m,stepping_error_m,bounces_ms,bounces")
    for line in output_lines([f"{BUILD}/bench_contacts", model_file("examples/contact/woodpecker.yaml"),
                              model_file("bench/models/ball-0.999.yaml")]):
        table.add(line)


def measure_linear(quick):
    """One more linearisation along a run; bars in milliseconds."""
    table = Table("linear", "problem,bar_ms,states,first_s,point_s")
    for name, model, tend, points, set_, bar in [("Andrews", "examples/andrews.yaml", "0.001", 200, [], "0.2"),
                                                 ("four-bars N = 200", "examples/four-bar-40.yaml", "0.01", 20, ["N=200"],
                                                  "20")]:
        command = [f"{BUILD}/bench_linear", model_file(model), tend, str(points // 4 if quick else points)] + set_
        for line in output_lines(command):
            table.add([name, bar] + line)
    times = [processor_seconds([f"{BUILD}/taut", "modes", "bench/models/rods.yaml", "--quiet"]) for _ in range(1 if quick else 3)]
    table.add(["modes of 500 rods", "2000", "1000", f"{min(times):.6g}", f"{min(times):.6g}"])


def measure_large():
    """Large mechanisms, from file to answer, in processor time."""
    table = Table("large", "what,bar_s,time_s")
    for what, model, arguments, bar in LARGE:
        words = [model_file(model) if word == "FILE" else word for word in arguments.split()]
        output = ["--quiet", "-o", f"{OUT}/large-rows.csv"] if words[0] == "run" else []
        table.add([what, bar, f"{process_seconds([f'{BUILD}/taut'] + words + output, runs=1 if bar > 10 else 3):.4g}"])


def main():
    quick = "--quick" in sys.argv[1:]
    os.makedirs(OUT, exist_ok=True)
    for old in glob.glob(f"{OUT}/*.csv"):
        os.remove(old)
    pin_to_one_core()
    taut, peers = measure_ladders(quick)
    measure_processes(taut, peers)
    measure_growth(quick)
    measure_kernels()
    measure_recursion(quick)
    measure_loops(quick)
    measure_sweep()
    measure_lanes(quick)
    measure_compiled(quick)
    sweep = measure_sweep_peers(quick)
    measure_throughput(taut, peers.rows if peers else [], sweep)
    measure_threads()
    measure_events()
    measure_contacts()
    measure_sensitivity()
    measure_linear(quick)
    measure_large()


if __name__ == "__main__":
    main()
