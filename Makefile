# A thin front to CMake: see CMakePresets.json for the builds themselves.
JOBS   ?= $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= /usr/local
WERROR ?= OFF           # ON: warnings of the release build are errors too
SETUP  ?= scripts/setup # SETUP=true: install nothing
PYTHON ?= /usr/bin/python3

FORMATTED = find src include tests bench examples/c -name '*.[ch]' -print0
DEMO      = mechanism0

# $(call run_build,PRESET,OPTIONS,TARGETS) configures and builds; $(call run_tests,PRESET,FOLDER) tests, and
# ends with CTest's own count.
run_build = cmake --preset $(1) $(2) > /dev/null && cmake --build --preset $(1) -j $(JOBS) $(3)
run_tests = status=0; ctest --preset $(1) -j $(JOBS) --output-log $(2)/ctest.log || status=$$?; \
            grep 'tests passed' $(2)/ctest.log; exit $$status

ARCHIVE = taut-$(shell cat VERSION)-$(shell uname -s | tr A-Z a-z)-$(shell uname -m)

.PHONY: all build setup demo test bench instructions asan tsan coverage format format-check tidy valgrind fuzz nightly python screenshots gallery campaign architectures install uninstall deb dist wasm clean

all: build

setup:
	@$(SETUP)

RELEASE = -DTAUT_WERROR=$(strip $(WERROR))

# The program alone; tests and benchmarks build the rest.
build: setup
	@$(call run_build,release,$(RELEASE),--target taut)

demo: build
	@mkdir -p build/demo
	build/taut run examples/$(DEMO).yaml -o build/demo/$(DEMO).csv

# Compilers for other machines and public robots are wanted, but tests say what is missing and do without them. An engine that
# does not build, although all is there that it is built with, is a fault.
test:
	@$(SETUP) test python
	-@$(SETUP) targets
	-@$(SETUP) models
	-@$(SETUP) wasm
	@[ ! -e out/wasm/vendor/ready ] || JOBS=$(JOBS) scripts/wasm
	@$(call run_build,release,$(RELEASE))
	@$(call run_tests,release,build)

# Time and error beside other programs, growth, instructions: docs/benchmarks.md. QUICK=1: without the others;
# RECORD=1: into that page.
bench: python
	@$(SETUP) bench $(if $(QUICK),,peers)
	@$(call run_build,release,$(RELEASE),--target taut bench_batch bench_compile bench_contacts bench_events bench_growth bench_kernels bench_ladder bench_lanes bench_linear bench_loop bench_recursion bench_sensitivity bench_sweep)
	@QUICK=$(QUICK) RECORD=$(RECORD) bench/run

# The engine of live pages (taut view --live), as WebAssembly, and the program with it.
wasm:
	@$(SETUP) wasm
	@JOBS=$(JOBS) scripts/wasm
	@$(call run_build,release,$(RELEASE),--target taut)

# Only the instruction counts, compared with the recorded ones.
instructions:
	@$(SETUP) bench
	@$(call run_build,release,$(RELEASE),--target taut)
	@bench/instructions

asan tsan:
	@$(SETUP) test
	@$(call run_build,$@)
	@$(call run_tests,$@,out/$@)

# Lines of the library and the program that the tests reach: a file a line, then the rooms.
coverage:
	@$(SETUP) test
	@$(call run_build,coverage)
	@find out/coverage -name '*.gcda' -delete
	@$(call run_tests,coverage,out/coverage)
	@scripts/coverage

# Memory errors and leaks on a few examples, by valgrind.
valgrind: build
	@scripts/valgrind

# Random mechanisms in all formulations, by all kinds of solvers: docs/accuracy.md. COUNT=1000
COUNT ?= 1000
campaign: build
	@scripts/units
	@scripts/campaign $(COUNT)

# Every fuzzer for a minute: make fuzz SECONDS=60
SECONDS ?= 60
fuzz:
	@tests/fuzz/run $(SECONDS)

# Every fuzzer for ten minutes of processor time.
nightly:
	@tests/fuzz/run 600

# Another compiler and other processors: tests of widths, and the digits of all examples.
architectures:
	@$(SETUP) architectures
	@JOBS=$(JOBS) scripts/architectures

format: setup
	@$(FORMATTED) | xargs -0r clang-format -i

format-check: setup
	@$(FORMATTED) | xargs -0r clang-format --dry-run -Werror

# clang-tidy, a process a file; fails if one of them has a finding. xargs ends at 123 then.
tidy: setup
	@cmake --preset dev > /dev/null
	@find src -name '*.c' -print0 | xargs -0r -n 1 -P $(JOBS) clang-tidy -p out/dev --quiet
	@echo "tidy: no findings"

# build/python/taut-*.whl, the Python package with the library in it, and build/python/venv, where it is installed.
VENV = build/python/venv
python:
	@$(SETUP) python
	@$(call run_build,release,$(RELEASE),--target taut_python)
	@rm -rf build/python/*.whl $(VENV)
	@$(PYTHON) python/backend.py build/python
	@$(PYTHON) -m venv --system-site-packages $(VENV)
	@$(VENV)/bin/pip install --quiet --no-index --disable-pip-version-check build/python/*.whl
	@echo "python: $(VENV)/bin/python has it; python/README.md is the tour"

# The pictures of the README, from this build.
screenshots: build
	@node web/screenshots.mjs

# build/gallery/index.html: all examples with pictures, their pages and models.
gallery: build
	@$(SETUP) test
	@node web/gallery.mjs

# PYTHON_TOO=1: the Python package as well, into the folder of PREFIX that this Python looks at.
install: setup $(if $(PYTHON_TOO),python)
	@$(call run_build,release,$(RELEASE))
	cmake --install build --prefix $(PREFIX)
	$(if $(PYTHON_TOO),$(PYTHON) -m pip install --quiet --no-index --no-deps --force-reinstall --break-system-packages --prefix $(PREFIX) build/python/*.whl)

# What the last `make install` has written, and folders of taut that are empty then.
uninstall:
	@test -f build/install_manifest.txt || { echo "uninstall: nothing was installed from here (build/install_manifest.txt)"; exit 1; }
	@xargs -d '\n' rm -f < build/install_manifest.txt
	@xargs -d '\n' -n 1 dirname < build/install_manifest.txt | grep taut | sort -ru | xargs -d '\n' rmdir -p --ignore-fail-on-non-empty 2> /dev/null || true
	@rm build/install_manifest.txt

# build/*.deb, for apt-get install ./taut_*.deb
deb: setup
	@$(call run_build,release,$(RELEASE))
	@cd build && cpack -G DEB > /dev/null && ls -1 *.deb

# build/$(ARCHIVE).tar.gz: unpack it anywhere; the program needs libc and libm only.
dist: build
	@rm -rf build/dist
	@cmake --install build --component program --prefix build/dist/$(ARCHIVE) --strip > /dev/null
	@tar -C build/dist -czf build/$(ARCHIVE).tar.gz --owner=0 --group=0 --sort=name $(ARCHIVE)
	@ls -1 build/$(ARCHIVE).tar.gz

clean:
	rm -rf build out
