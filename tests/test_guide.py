#!/usr/bin/env python3
"""The chapter of the guide on events, as printed: its files are written, its commands run, and what they print is compared
line by line, but for lines with times of the clock and the last digits of residuals and drifts.

    tests/test_guide.py TAUT SOURCE_DIR
"""
import os
import re
import shlex
import subprocess
import sys
import tempfile

TAUT, SOURCE = os.path.abspath(sys.argv[1]), sys.argv[2]
CHAPTERS = ["## Events"]
MEASURED = re.compile(r" s, after .* of set-up|residual|drift")


def chapter(text, heading):
    """From a heading to the next one of its level."""
    begin = text.index(heading + "\n")
    return text[begin:text.index("\n## ", begin + len(heading))]


def blocks(text):
    """(name or None, content) of every block; a name is the last `x.yaml` in the text before it."""
    before = ""
    for i, part in enumerate(text.split("```")):
        if i % 2 == 0:
            before = part
        elif part.startswith("yaml\n"):
            names = re.findall(r"`([a-z-]+\.yaml)`:\s*$", before)
            yield (names[-1] if names else None), part[len("yaml\n"):]
        else:
            yield None, part.lstrip("\n")


def commands(content):
    """(command, lines that it prints) of a block that begins with $."""
    for part in re.split(r"^\$ ", content, flags=re.M)[1:]:
        lines = part.rstrip("\n").split("\n")
        yield lines[0], lines[1:]


def main():
    with open(os.path.join(SOURCE, "docs/guide.md")) as file:
        text = file.read()
    faults = ran = 0
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(TAUT, os.path.join(folder, "taut"))
        environment = dict(os.environ, PATH=folder + os.pathsep + os.environ["PATH"])
        for heading in CHAPTERS:
            for name, content in blocks(chapter(text, heading)):
                if name:
                    with open(os.path.join(folder, name), "w") as file:
                        file.write(content)
                for command, expected in commands(content) if content.startswith("$") else []:
                    result = subprocess.run(shlex.split(command), cwd=folder, env=environment, text=True,
                                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
                    printed = result.stdout.rstrip("\n").split("\n")
                    ran += 1
                    same = len(printed) == len(expected) and all(
                        a == b or (MEASURED.search(a) and MEASURED.search(b)) for a, b in zip(printed, expected))
                    if result.returncode != 0 or not same:
                        faults += 1
                        print(f"FAILED: {command}\nthe guide says\n" + "\n".join(expected), "\ninstead of\n" + result.stdout)
    print(f"{ran} commands, {faults} faults")
    return 1 if faults or ran < 4 else 0


if __name__ == "__main__":
    sys.exit(main())
