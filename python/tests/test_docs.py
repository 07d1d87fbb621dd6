"""Runs the examples of the documentation."""

import contextlib
import doctest
import importlib
import io
import os
import pkgutil
import re
import shutil
from pathlib import Path

import indistinct
import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "python.md"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TUTORIAL = ROOT / "docs" / "tutorial-python.md"
BLOCK_WITH_OUTPUT = re.compile(
    r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL
)


@pytest.mark.skipif(not PAGE.exists(), reason="only in the repository")
def test_the_tour_runs(tmp_path, monkeypatch):
    for library in ("pandas", "polars", "pyarrow", "duckdb"):
        pytest.importorskip(library)
    monkeypatch.chdir(tmp_path)
    names = {}
    blocks = BLOCK.findall(PAGE.read_text())
    assert len(blocks) > 8
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), names)


@pytest.mark.skipif(not TUTORIAL.exists(), reason="only in the repository")
def test_the_tutorial_shows_its_output(tmp_path, monkeypatch):
    """``UPDATE_DOCS=1`` writes the output to the page."""
    pytest.importorskip("pandas")
    example = ROOT / "examples" / "hospital"
    shutil.copy(example / "hospital.csv", tmp_path / "patients.csv")
    shutil.copy(example / "hierarchies" / "nationality.csv", tmp_path)
    monkeypatch.chdir(tmp_path)
    names = {}

    def current(match):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(match[1], str(TUTORIAL), "exec"), names)
        output = f"\n```text\n{printed.getvalue()}```\n" if printed.getvalue() else ""
        return f"```python\n{match[1]}```\n{output}"

    text = TUTORIAL.read_text(encoding="utf-8")
    expected = BLOCK_WITH_OUTPUT.sub(current, text)
    if os.environ.get("UPDATE_DOCS"):
        TUTORIAL.write_text(expected, encoding="utf-8")
    else:
        assert text == expected, "docs/tutorial-python.md is not up to date: UPDATE_DOCS=1 pytest"


def test_examples_in_docstrings():
    names = [module.name for module in pkgutil.walk_packages(indistinct.__path__, "indistinct.")]
    tried = 0
    for name in [
        "indistinct",
        *(name for name in names if "__main__" not in name and "_native" not in name),
    ]:
        result = doctest.testmod(importlib.import_module(name), extraglobs=vars(indistinct))
        assert result.failed == 0, name
        tried += result.attempted
    assert tried >= 3


@pytest.mark.skipif(not PAGE.exists(), reason="only in the repository")
def test_the_page_lists_the_codes_of_the_package():
    code = re.compile(r"E-PYTHON-\d{3}")
    files = [
        *Path(indistinct.__file__).parent.rglob("*.py"),
        *(ROOT / "python" / "src").glob("*.rs"),
    ]
    sources = [path.read_text(encoding="utf-8") for path in files]
    assert sorted(set(code.findall(PAGE.read_text()))) == sorted(
        {one for source in sources for one in code.findall(source)}
    )
