"""The notebooks of examples/notebooks run from the first cell to the last; their own assertions judge the numbers."""
import json
import pathlib
import sys

import nbclient
import nbformat
import pytest

SOURCE = pathlib.Path(__file__).parents[2] / "examples" / "notebooks"
NAMES = ["bicycle-modes", "first-steps", "fitting", "linkage-design", "robot-arm"]


@pytest.fixture
def kernel(tmp_path, monkeypatch):
    """A kernel in the Python of the tests, wherever another one is installed."""
    folder = tmp_path / "kernels" / "tested"
    folder.mkdir(parents=True)
    (folder / "kernel.json").write_text(json.dumps(
        {"argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"], "display_name": "tested",
         "language": "python"}))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "runtime"))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("MPLCONFIGDIR", str(tmp_path / "matplotlib"))
    return "tested"


def test_these_are_all():
    assert sorted(p.stem for p in SOURCE.glob("*.ipynb")) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_notebook(name, kernel):
    notebook = nbformat.read(SOURCE / f"{name}.ipynb", as_version=4)
    for cell in notebook.cells:  # they are kept without what was printed
        assert cell.cell_type != "code" or (not cell.outputs and cell.execution_count is None)
    assert any("assert " in cell.source for cell in notebook.cells)
    nbclient.NotebookClient(notebook, kernel_name=kernel, timeout=120,
                            resources={"metadata": {"path": str(SOURCE)}}).execute()


def test_what_is_wrong_is_found(kernel):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("import taut\nassert 1 == 2")])
    with pytest.raises(nbclient.exceptions.CellExecutionError):
        nbclient.NotebookClient(notebook, kernel_name=kernel, timeout=120).execute()
