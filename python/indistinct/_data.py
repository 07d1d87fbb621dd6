"""Converts frames and paths to tables of the library."""

from __future__ import annotations

import os
from typing import Any, Union

from . import _native
from ._errors import DataError, IndistinctError, Problem, tell

Data = Any
"""A pandas, Polars, or PyArrow table, a DuckDB relation, an object with ``__arrow_c_stream__``, or
the path of a file.
"""


def table(data: Data, name: str = "data") -> Union[_native.Table, os.PathLike[str], str]:
    """Converts a frame or a path. The cells of a frame are shared instead of copied if its library
    supports this.
    """
    if isinstance(data, (_native.Table, str, os.PathLike)):
        return data
    module, kind = type(data).__module__.split(".")[0], type(data).__name__
    if module == "pandas":
        data = _of_pandas(data)
    elif module == "polars" and kind == "LazyFrame":
        raise _refused(
            "E-PYTHON-001", "a Polars LazyFrame has no rows yet", "call frame.collect() first"
        )
    if not (hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__")):
        raise _refused(
            "E-PYTHON-002",
            f"an object of type '{kind}' is not a table",
            "use a pandas, Polars, or PyArrow table, a DuckDB relation, or the path of a file",
        )
    try:
        taken = _native.Table(data, name)
    except (IndistinctError, MemoryError):
        raise
    except Exception as error:
        # Omit the error message of the frame's library, because it may quote a cell.
        text = f"the {kind} cannot be converted to a table ({type(error).__name__})"
        raise _refused(
            "E-PYTHON-003",
            text,
            "check the types of the columns, and whether the library of the frame can read all rows",
        ) from None
    if not taken.columns:
        raise _refused(
            "E-PYTHON-008", f"the {kind} has no columns", "use a table with at least one column"
        )
    return taken


def _refused(code: str, message: str, help_text: str) -> DataError:
    return DataError([Problem(code, message, help_text)])


def _of_pandas(frame: Any) -> Any:
    """Converts a pandas frame to an Arrow table without the index."""
    try:
        import pyarrow
    except ImportError:
        raise _refused(
            "E-PYTHON-004",
            "pandas frames require PyArrow, which is not installed",
            "pip install pyarrow",
        ) from None
    if type(frame).__name__ != "DataFrame":
        raise _refused(
            "E-PYTHON-002",
            f"a pandas {type(frame).__name__} is not a table",
            "convert it to a DataFrame, for example with series.to_frame()",
        )
    names = [str(name) for name in frame.columns]
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise _refused(
            "E-INPUT-018",
            "the frame has several columns named " + ", ".join(f"'{name}'" for name in repeated),
            "rename all but one of them",
        )
    intervals = [name for at, name in enumerate(names) if _has_intervals(frame.iloc[:, at])]
    if intervals:
        raise DataError(
            [
                Problem(
                    "E-PYTHON-010",
                    f"the column '{name}' contains pandas intervals, such as those from pd.cut",
                    "keep the original numbers and declare a hierarchy such as ind.Hierarchy(intervals=[5, 10]), or "
                    "convert the column with .astype(str)",
                )
                for name in intervals
            ]
        )
    frame = _with_periods_as_text(frame)
    index = frame.index
    if any(name is not None for name in index.names) or type(index).__name__ != "RangeIndex":
        tell(
            "the index of the frame is dropped because it would identify rows; frame.reset_index() converts it to a column"
        )
    try:
        taken = pyarrow.Table.from_pandas(frame, preserve_index=False)
    except (pyarrow.ArrowException, ValueError, TypeError, OverflowError):
        taken = None
    if taken is None:
        raise _mixed(frame, pyarrow)
    return taken.rename_columns(names).replace_schema_metadata(None)


def _with_periods_as_text(frame: Any) -> Any:
    """Converts periods to text, such as 2023-01, because Arrow stores periods as numbers."""
    periods = [at for at, dtype in enumerate(frame.dtypes) if str(dtype).startswith("period")]
    if periods:
        frame = frame.copy(deep=False)
    for at in periods:
        # A missing period differs from itself.
        texts = [str(value) if value == value else None for value in frame.iloc[:, at]]
        frame.isetitem(at, texts)
    return frame


def _has_intervals(column: Any) -> bool:
    """Whether a pandas column contains intervals: by its type, or among its categories or
    objects."""
    dtype = column.dtype
    values = getattr(dtype, "categories", None)
    if values is None:
        values = column.dropna().head(1) if dtype == object else ()
    return str(dtype).startswith("interval") or any(
        type(value).__name__ == "Interval" for value in values
    )


def _mixed(frame: Any, pyarrow: Any) -> DataError:
    """Reports the columns with mixed types. The error message of PyArrow is omitted, because it
    would quote a cell.
    """
    found = []
    for at, name in enumerate(frame.columns):
        try:
            pyarrow.Array.from_pandas(frame.iloc[:, at])
        except (pyarrow.ArrowException, ValueError, TypeError, OverflowError):
            found.append(
                Problem(
                    "E-PYTHON-005",
                    f"the column '{name}' has values of several types, or of a type that Arrow does not support",
                    "convert the column to a single type, for example with .astype(str)",
                )
            )
    return DataError(
        found
        or [
            Problem(
                "E-PYTHON-003",
                "the frame cannot be converted to a table",
                "check the types of the columns",
            )
        ]
    )
