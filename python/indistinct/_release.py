"""Releases, and the answer that is returned if there is no release."""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import tempfile
import weakref
from pathlib import Path
from typing import Any, Union

from . import _native
from ._answers import Answer, principles_table
from ._errors import NotReleasedError, Problem


class Temporary:
    """A folder that is removed when no object refers to it anymore."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="indistinct-"))
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)


class Release(Answer):
    """A certified release: rows, certificate, report, and the private directory.

    The release is a directory, by default a temporary one that is removed with this object;
    :meth:`write` saves it. The object contains the fields of the command's JSON (``recoding``,
    ``loss``, ``principles``, ``risk``, ``explanation``, ``warnings``, ...) and returns the rows as
    frames. It supports the Arrow PyCapsule interface: ``polars.DataFrame(release)``,
    ``pyarrow.table(release)`` and ``duckdb.sql("select * from release")`` read the rows.

    Only :attr:`private` contains confidential values.
    """

    released = True

    def __init__(
        self,
        fields: dict[str, Any],
        directory: Path,
        like: Union[_native.Table, None],
        temporary: Union[Temporary, None] = None,
    ) -> None:
        super().__init__(fields)
        self._directory = directory
        self._like = like
        self._temporary = temporary
        self._read: Union[dict[str, _native.Table], None] = None

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        n, suppressed, classes = self["n_released"], self["n_suppressed"], self["n_classes"]
        return f"<Release: {n:,} row{'s' * (n != 1)} in {classes:,} class{'es' * (classes != 1)}, {suppressed:,} suppressed>"

    @property
    def path(self) -> Path:
        """The release directory."""
        return self._directory

    @property
    def private(self) -> Union[Path, None]:
        """The directory with the confidential files for the data holder, unless it was omitted."""
        private = self._fields.get("private")
        return None if private is None else Path(private)

    @property
    def tables(self) -> dict[str, _native.Table]:
        """The released tables by name: a single table ``data``, or two tables for Anatomy."""
        if self._read is None:
            self._read = {
                table.name: table for table in _native.tables(self._directory, self._like)
            }
        return self._read

    def _table(self) -> _native.Table:
        tables = self.tables
        if len(tables) == 1:
            return next(iter(tables.values()))
        names = " and ".join(tables)
        message = f"the release has two tables, {names}, which can be joined only by class"
        raise NotReleasedError(
            [Problem("E-PYTHON-006", message, "access each table with release.tables['...']")]
        )

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._table().__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> Any:
        return self._table().__arrow_c_schema__()

    def to_arrow(self) -> Any:
        """The rows as a PyArrow table if PyArrow is installed, and otherwise as a table with the
        Arrow PyCapsule interface.
        """
        try:
            import pyarrow
        except ImportError:
            return self._table()
        return pyarrow.table(self._table())

    def to_pandas(self, **options: Any) -> Any:
        """The rows as a pandas frame; the options are those of ``pyarrow.Table.to_pandas``.

        Without options, integer columns with missing values have the type ``Int64`` of pandas
        instead of ``float64``, which cannot represent all integers.
        """
        import pyarrow

        rows = pyarrow.table(self._table())
        frame = rows.to_pandas(**options)
        if not options:
            import pandas

            for name in rows.column_names:
                column = rows.column(name)
                if pyarrow.types.is_integer(column.type) and column.null_count > 0:
                    unsigned = pyarrow.types.is_unsigned_integer(column.type)
                    dtype = pandas.UInt64Dtype() if unsigned else pandas.Int64Dtype()
                    wide = pyarrow.uint64() if unsigned else pyarrow.int64()
                    frame[name] = column.cast(wide).to_pandas(types_mapper={wide: dtype}.get)
        return frame

    def to_polars(self) -> Any:
        """The rows as a Polars frame."""
        import polars

        return polars.DataFrame(self._table())

    @property
    def certificate(self) -> dict[str, Any]:
        """The certificate: claims that anyone can recompute, and further facts with their basis."""
        certificate: dict[str, Any] = json.loads(
            (self._directory / "certificate.json").read_text(encoding="utf-8")
        )
        return certificate

    @property
    def losses(self) -> dict[str, float]:
        """The losses by name. Lower values are better."""
        losses: dict[str, float] = self["loss"]
        return losses

    def policy(self) -> str:
        """The effective policy as published in the release."""
        return (self._directory / "policy.toml").read_text(encoding="utf-8")

    def report(self, *, private: bool = False) -> str:
        """The report as HTML: the public report, or the confidential report for the data holder."""
        folder = self.private if private else self._directory
        if folder is None:
            raise ValueError("the release has no private directory, because it was omitted")
        return (folder / "report.html").read_text(encoding="utf-8")

    def plots(self) -> list[str]:
        """The charts of the public report, as standalone SVG strings."""
        page = self.report()
        # The colors and the rules for pictures from the style sheet of the page.
        rules = [
            *re.findall(r":root \{[^}]*\}", page)[:1],
            *re.findall(r"^svg [^\n]*\}$", page, re.MULTILINE),
        ]
        style = (
            "<style>"
            + "\n".join([*rules, "svg { font-family: system-ui, sans-serif; }"])
            + "</style>"
        )
        head = '<svg xmlns="http://www.w3.org/2000/svg" width="480" '
        pictures = re.findall(r"<svg ([^>]*>)(.*?</svg>)", page, re.DOTALL)
        return [head + attributes + style + picture for attributes, picture in pictures]

    def write(
        self,
        path: Union[str, os.PathLike[str]],
        *,
        private: Union[str, os.PathLike[str], None] = None,
        force: bool = False,
    ) -> Path:
        """Writes the release directory to ``path``, and the confidential files to ``PATH.private``;
        either all files are written or none. ``private`` is another location of the confidential
        files, or ``"none"`` to write no confidential files.
        """
        if self.private is None and private not in (None, "none"):
            raise ValueError("the release has no private directory, because it was omitted")
        target = None if private is None else Path(private)
        _native.copy_release(self._directory, self.private, Path(path), target, force)
        return Path(path)

    def _repr_html_(self) -> str:
        n, suppressed, classes = self["n_released"], self["n_suppressed"], self["n_classes"]
        heading = (
            f"<p><b>Released</b>: {n:,} rows in {classes:,} classes, {suppressed:,} suppressed</p>"
        )
        page = base64.b64encode(self.report().encode()).decode()
        frame = (
            f"<details><summary>Report</summary><iframe sandbox src='data:text/html;base64,{page}' "
            "style='width:100%;height:40em;border:1px solid #ccc'></iframe></details>"
        )
        return heading + principles_table(self["principles"]) + frame


class Infeasible(Answer):
    """No recoding of the method satisfies the policy, and no files were written. This is an answer,
    not an error.

    ``nearest`` is the recoding closest to satisfying the policy, and ``is_proved`` states whether
    it is proved that no recoding exists.
    """

    released = False

    @property
    def nearest(self) -> Any:
        """The recoding closest to satisfying the policy, or None for methods that report another
        shortfall.
        """
        return self._fields.get("nearest")

    def __repr__(self) -> str:
        return "<Infeasible: nothing was released; .nearest contains the closest recoding>"

    def __bool__(self) -> bool:
        return False

    def _refuse(self, *_: Any, **__: Any) -> Any:
        message = "there is no release, because no recoding that was tried satisfies the policy"
        help_text = "see .nearest for the closest recoding, and ind.advise(data, policy) for feasible parameters"
        raise NotReleasedError([Problem("E-PYTHON-007", message, help_text)])

    to_arrow = to_pandas = to_polars = write = report = _refuse

    def _repr_html_(self) -> str:
        proved = (
            "It is proved that no such recoding exists."
            if self["is_proved"]
            else "Other recodings may satisfy the policy."
        )
        nearest = self.nearest
        table = principles_table(nearest["principles"]) if nearest else ""
        return f"<p><b>Infeasible</b>: no recoding that was tried satisfies the policy. {proved} Closest recoding:</p>{table}"
