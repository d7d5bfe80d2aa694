# Every C file of the project, one list a room, in the order of the ranks.
# One path a line, alphabetical inside a room; a file that is not listed is not built.

set(TAUT_CORE_SOURCES
    src/core/arena.c
    src/core/clock.c
    src/core/dense.c
    src/core/sparse.c
    src/core/stairs.c
    src/core/status.c
    src/core/text.c
    src/core/version.c
)

set(TAUT_EXPR_SOURCES
    src/expr/diff.c
    src/expr/graph.c
    src/expr/heap.c
    src/expr/infix.c
    src/expr/jet.c
    src/expr/kernels.c
    src/expr/ops.c
    src/expr/pattern.c
    src/expr/point.c
    src/expr/print.c
    src/expr/tape.c
    src/expr/vec.c
)

set(TAUT_SOLVE_SOURCES
    src/solve/assembly.c
    src/solve/assign.c
    src/solve/blocks.c
    src/solve/consistent.c
    src/solve/hermite.c
    src/solve/homotopy.c
    src/solve/index2.c
    src/solve/lifted.c
    src/solve/newton.c
    src/solve/nlp.c
    src/solve/ode.c
    src/solve/partials.c
    src/solve/pole.c
    src/solve/redundant.c
    src/solve/series.c
    src/solve/singular.c
    src/solve/stage.c
    src/solve/stepper.c
    src/solve/structure.c
    src/solve/sundials.c
    src/solve/system.c
    src/solve/taylor.c
    src/solve/twopoint.c
    src/solve/weights.c
)

set(TAUT_MODEL_SOURCES
    src/model/body.c
    src/model/build.c
    src/model/check.c
    src/model/connect.c
    src/model/equations.c
    src/model/initial.c
    src/model/joint.c
    src/model/mechanism.c
    src/model/parts.c
    src/model/problem.c
    src/model/read.c
    src/model/reader.c
    src/model/share.c
    src/model/symbols.c
    src/model/yaml.c
)

set(TAUT_FORM_SOURCES
    src/form/assemble.c
    src/form/dae.c
    src/form/drive.c
    src/form/force.c
    src/form/formulas.c
    src/form/hamilton.c
    src/form/kin.c
    src/form/lagrange.c
    src/form/natural.c
    src/form/rigidity.c
    src/form/vary.c
)

set(TAUT_TASK_SOURCES
    src/task/analyze.c
    src/task/observe.c
    src/task/prepare.c
    src/task/result.c
    src/task/simulate.c
    src/task/simulation.c
)

set(TAUT_OUT_SOURCES
    src/out/analysis.c
    src/out/ascii.c
    src/out/csv.c
    src/out/file.c
    src/out/json.c
    src/out/mat.c
    src/out/plot.c
    src/out/svg.c
    src/out/ticks.c
    src/out/unit.c
    src/out/utf8.c
    src/out/write.c
)

# The program; it sees the public headers and its own room.
set(TAUT_CLI_SOURCES
    src/cli/args.c
    src/cli/draw.c
    src/cli/main.c
    src/cli/paths.c
    src/cli/show.c
)

# Benchmarks: bench/bench_x.c becomes the program bench_x in the build folder.
set(TAUT_BENCH_SOURCES
    bench/bench_steps.c
)
