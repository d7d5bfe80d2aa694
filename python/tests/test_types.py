"""Type checkers see the package as it is: the package itself, and what they say of right and wrong calls."""
import subprocess
import sys

GOOD = """
import taut
m = taut.load("m.yaml", m2=5)
r = m.run(tol=1e-12, formulation="relative")
b = taut.Builder("arm")
b.armature("phi", "0.1")
told: str = str(m.analyze())
"""
WRONG = """
import taut
m = taut.load("m.yaml")
m.walk()
taut.Builder("arm").armatur("phi", 1)
"""


def mypy(tmp_path, text):
    (tmp_path / "user.py").write_text(text)
    return subprocess.run(["mypy", "--no-incremental", "--cache-dir", str(tmp_path / "cache"), "--python-executable",
                           sys.executable, str(tmp_path / "user.py")], capture_output=True, text=True)


def test_right_calls_pass(tmp_path):
    done = mypy(tmp_path, GOOD)
    assert done.returncode == 0, done.stdout + done.stderr


def test_wrong_calls_are_found(tmp_path):
    done = mypy(tmp_path, WRONG)
    assert done.returncode == 1
    for words in ('"walk"', '"armatur"'):
        assert words in done.stdout, done.stdout
