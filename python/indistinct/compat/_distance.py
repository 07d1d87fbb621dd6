"""How far values of a sensitive attribute are apart for t-closeness, as both packages take it."""

from __future__ import annotations

from typing import Literal

from .. import _native
from .._data import Data


def distance(data: Data, attribute: str) -> Literal["ordered", "equal"]:
    """By their order for numbers, equally for all else."""
    types = dict(data.columns) if isinstance(data, _native.Table) else {}
    is_number = types.get(attribute, "").startswith(("Int", "UInt", "Float", "Decimal"))
    return "ordered" if is_number else "equal"
