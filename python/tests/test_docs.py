"""Runs the examples of the documentation."""

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import indistinct
import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "python.md"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


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
    sources = [path.read_text() for path in Path(indistinct.__file__).parent.rglob("*.py")]
    assert sorted(set(code.findall(PAGE.read_text()))) == sorted(
        {one for source in sources for one in code.findall(source)}
    )
