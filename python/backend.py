"""Builds the wheel, with nothing but the standard library and cffi: the backend of `pip install ./python` (PEP 517),
and a script.

    backend.py FOLDER      writes taut-VERSION-py3-none-PLATFORM.whl there, and prints its name

The library is that of `make python`, ../build/python/libtaut.so, or $TAUT_LIBRARY; $TAUT_BUILD is another folder
than ../build.
"""
import base64
import contextlib
import hashlib
import os
import pathlib
import sys
import sysconfig
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent
METADATA = """Metadata-Version: 2.1
Name: taut
Version: {version}
Summary: Multibody dynamics by Taylor series and automatic differentiation
Requires-Python: >=3.9
Requires-Dist: numpy
Requires-Dist: cffi
Provides-Extra: all
Requires-Dist: pandas; extra == "all"
Requires-Dist: matplotlib; extra == "all"
Requires-Dist: ipython; extra == "all"
Description-Content-Type: text/markdown

{readme}"""


def version():
    return (TOP / "VERSION").read_text().strip()


def tag():
    """The library is of this platform; no compiled code depends on the version of Python."""
    return "py3-none-" + sysconfig.get_platform().replace("-", "_").replace(".", "_")


def build_folder():
    return pathlib.Path(os.environ.get("TAUT_BUILD", TOP / "build"))


def library():
    path = pathlib.Path(os.environ.get("TAUT_LIBRARY", build_folder() / "python" / "libtaut.so"))
    if not path.is_file():
        raise SystemExit(f"{path} is not there: `make python` builds it")
    return path


def files():
    """(name in the wheel, content) of the package: its sources, what is made from the headers, and the library."""
    sys.path.insert(0, str(HERE))
    import native

    for path in sorted((HERE / "taut").iterdir()):
        if path.suffix in (".py", ".pyi", ".typed"):
            yield "taut/" + path.name, path.read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        with contextlib.redirect_stdout(None):
            native.make([TOP / "include", build_folder() / "include"], folder)
        for path in sorted(pathlib.Path(folder).iterdir()):
            if path.is_file():
                yield "taut/" + path.name, path.read_bytes()
    for path in sorted((TOP / "examples" / "parts").glob("*.yaml")):  # that models include by name
        yield "taut/parts/" + path.name, path.read_bytes()
    yield "taut/libtaut.so", library().read_bytes()


def info():
    """(name, content) of the folder .dist-info."""
    readme = (HERE / "README.md").read_text()
    yield "METADATA", METADATA.format(version=version(), readme=readme).encode()
    yield "WHEEL", f"Wheel-Version: 1.0\nGenerator: taut\nRoot-Is-Purelib: false\nTag: {tag()}\n".encode()
    for name in ("LICENSE", "NOTICE"):
        yield name, (TOP / name).read_bytes()


def write(wheel, name, content):
    entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))  # the same sources give the same bytes
    entry.external_attr = 0o644 << 16
    entry.compress_type = zipfile.ZIP_DEFLATED
    wheel.writestr(entry, content)
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}\n"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name = f"taut-{version()}-{tag()}.whl"
    folder = f"taut-{version()}.dist-info/"
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w") as wheel:
        record = [write(wheel, n, c) for n, c in files()]
        record += [write(wheel, folder + n, c) for n, c in info()]
        write(wheel, folder + "RECORD", ("".join(record) + folder + "RECORD,,\n").encode())
    return name


def build_sdist(sdist_directory, config_settings=None):
    raise SystemExit("taut has no source distribution for Python: build a wheel from a clone")


def get_requires_for_build_wheel(config_settings=None):
    return []


if __name__ == "__main__":
    os.makedirs(sys.argv[1], exist_ok=True)
    print(os.path.join(sys.argv[1], build_wheel(sys.argv[1])))
