#!/usr/bin/env python3
"""README and guide as they are printed: their files are written, their commands run in the order in which they stand, and
what they print is compared line by line.

A line that is measured (times, residuals, drifts, steps) has to have the same words; other numbers may differ by two
units of their last printed digit. A line `...` stands for any lines. A file has the name `x.yaml` (or .csv) that stands
last before its block; what the text only speaks of is in tests/printed. Commands of programs that need not be there are left out, and counted.

    tests/test_printed.py TAUT SOURCE_DIR [--write]

--write puts what commands say into the pages, where it differs and none of its lines is left out: to be read before it
is kept.
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

TAUT, SOURCE = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
WRITE = "--write" in sys.argv
PAGES = [a for a in sys.argv[3:] if a != "--write"] or [
    "README.md", "docs/guide.md", "docs/mechspec.md", "docs/papers.md", "docs/conventions.md", "docs/recipes.md"]
OTHERS = re.compile(r"octave|xdg-open|pip |python|apt-get|make |mpirun|git clone|^cc |cmake ")
MEASURED = re.compile(r"starts, |derivatives by|converged|exceeded|--set k=| s, after .* of set-up|residual|drift|steps,|confirmed to|estimated error|digits by|:(?:taylor|ho|erk|adams|ida|bdf|rk4) |runs, \d+ failed|\bms\b|\bus\b| s a run|µs|%")
CLOCK = re.compile(r"# (?:ms|us|µs|s)\b")
ROUNDING = 1e-9  # what is below is nothing but errors of that size
PAIR = re.compile(r" +(?:natural|reference|relative|minimal):\w+ +\d")
NUMBER = re.compile(r"[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?")


def blocks(text):
    """(name of a file or None, content) of every block between fences."""
    before = ""
    for i, part in enumerate(re.split(r"^```", text, flags=re.M)):
        if i % 2 == 0:
            before = part
            continue
        language, _, content = part.partition("\n")
        names = re.findall(r"`([a-zA-Z0-9_-]+\.(?:yaml|csv|txt))`", before[-500:])
        is_file = language in ("yaml", "csv") or (names and names[-1].endswith(".csv") and "$" not in content)
        yield (names[-1] if names and is_file else None), content


def commands(content):
    """(command, lines that it prints) of a block that begins with $."""
    for part in re.split(r"^\$ ", content, flags=re.M)[1:]:
        lines = part.rstrip("\n").split("\n")
        while lines[0].endswith("\\") and len(lines) > 1:
            lines[0] = lines[0][:-1] + lines.pop(1)
        yield lines[0], lines[1:]


def same_number(a, b):
    """Two units of the last digit that `b`, the printed one, has."""
    mantissa, _, exponent = b.lower().partition("e")
    decimals = len(mantissa.partition(".")[2])
    unit = 10.0 ** (int(exponent or 0) - decimals)
    rounding = abs(float(a)) < ROUNDING and abs(float(b)) < ROUNDING
    return rounding or abs(float(a) - float(b)) <= 2.001 * unit


def same_line(a, b):
    if a == b:
        return True
    words = [NUMBER.sub("#", line) for line in (a, b)]
    if MEASURED.search(b):  # a busy machine takes seconds where others take milliseconds
        return CLOCK.sub("# s", words[0]).split() == CLOCK.sub("# s", words[1]).split()
    if words[0].split() != words[1].split():
        return False
    numbers = list(zip(NUMBER.findall(a), NUMBER.findall(b)))
    return all(same_number(x, y) for x, y in numbers)


def same_text(printed, expected):
    """Do the lines fit, where `...` stands for any number of them?"""
    if not expected:
        return not printed
    if expected[0].strip() == "...":
        return any(same_text(printed[k:], expected[1:]) for k in range(len(printed) + 1))
    return bool(printed) and same_line(printed[0], expected[0]) and same_text(printed[1:], expected[1:])


def lines_of(text):
    return text.rstrip("\n").split("\n") if text.strip("\n") else []


def by_name(lines):
    """Rows of a comparison stand in the order of their times: sorted by name here."""
    at = [k for k, line in enumerate(lines) if PAIR.match(line)]
    rows = sorted(lines[k] for k in at)
    return [rows.pop(0) if k in at else line for k, line in enumerate(lines)]


def fetch_examples(command, folder):
    """What a command names and no block has given is an example, with the tables beside it."""
    for name in re.findall(r"[a-z0-9-]+\.yaml", command):
        if os.path.exists(os.path.join(folder, name)):
            continue
        for path in glob.glob(os.path.join(SOURCE, "examples", "*", name)):
            for file in [path] + glob.glob(os.path.join(os.path.dirname(path), "*.csv")):
                shutil.copy(file, folder)


def run_page(page, folder, environment):
    """Returns how many commands ran, failed, and were left out."""
    with open(os.path.join(SOURCE, page), encoding="utf-8") as file:
        text = file.read()
    ran = faults = left = 0
    pristine = text
    for name, content in blocks(text):
        if name:
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(content)
        for command, expected in commands(content) if content.startswith("$ ") else []:
            if OTHERS.search(command):
                left += 1
                continue
            fetch_examples(command, folder)
            result = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, text=True, check=False,
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
            ran += 1
            failed = any("error:" in line or "stopped:" in line for line in expected)
            right = not expected or same_text(by_name(lines_of(result.stdout)), by_name(expected))
            if (result.returncode != 0) != failed or not right:
                faults += 1
                old = "\n".join(expected)
                if WRITE and right is False and old and not any(line.strip() == "..." for line in expected):
                    text = text.replace(old + "\n", "\n".join(lines_of(result.stdout)) + "\n")
                    continue
                print(f"FAILED ({page}): {command}\nit says\n" + "\n".join(expected) + "\ninstead of\n" + result.stdout)
    if text != pristine:
        with open(os.path.join(SOURCE, page), "w", encoding="utf-8") as file:
            file.write(text)
    return ran, faults, left


def main():
    total = [0, 0, 0]
    for page in PAGES:
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, "build"))
            os.symlink(TAUT, os.path.join(folder, "taut"))
            os.symlink(TAUT, os.path.join(folder, "build/taut"))
            os.symlink(os.path.join(SOURCE, "examples"), os.path.join(folder, "examples"))
            shutil.copytree(os.path.join(SOURCE, "tests/printed"), folder, dirs_exist_ok=True)
            environment = dict(os.environ, PATH=folder + os.pathsep + os.environ["PATH"], COLUMNS="80", LC_ALL="C.UTF-8")
            counts = run_page(page, folder, environment)
            print(f"{page}: {counts[0]} commands run, {counts[1]} faults, {counts[2]} of other programs left out")
            total = [a + b for a, b in zip(total, counts)]
    return 1 if total[1] or total[0] < 60 else 0


if __name__ == "__main__":
    sys.exit(main())
