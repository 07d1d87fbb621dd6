"""The distance between sensitive values for t-closeness, as in both packages."""

from __future__ import annotations

from typing import Literal

from .. import _native
from .._data import Data


def distance(data: Data, attribute: str) -> Literal["ordered", "equal"]:
    """Returns "ordered" for numbers, and "equal" otherwise."""
    types = dict(data.columns) if isinstance(data, _native.Table) else {}
    is_number = types.get(attribute, "").startswith(("Int", "UInt", "Float", "Decimal"))
    return "ordered" if is_number else "equal"
