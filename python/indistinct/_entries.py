"""Common functions of the classes for policy tables."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, ClassVar, Union

Number = Union[int, float, Decimal, Fraction]


class Entries:
    """The keys and values of a policy table. Keys with the value None are omitted, so the policy
    format determines their defaults.
    """

    def __init__(self, **entries: Any) -> None:
        self._entries = {name: value for name, value in entries.items() if value is not None}

    def to_dict(self) -> dict[str, Any]:
        """The entries as plain strings, numbers, lists, and dicts."""
        return {name: plain(value) for name, value in self._entries.items()}

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self._entries.get(name)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash((type(self), repr(self)))

    def __repr__(self) -> str:
        entries = ", ".join(f"{name}={value!r}" for name, value in self._entries.items())
        return f"{type(self).__name__}({entries})"


class Principle(Entries):
    """A requirement for a release. Each kind of principle is a subclass."""

    kind: ClassVar[str]

    def to_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, **super().to_dict()}


def plain(value: Any) -> Any:
    """Converts a value of a policy to a TOML type, without any defaults."""
    if isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, Entries):
        return value.to_dict()
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{value} is not a valid value in a policy: expected a finite number")
        return value
    if isinstance(value, (Decimal, Fraction)):
        if value == int(value):
            return int(value)
        written = float(value)
        exact = Decimal(value) if isinstance(value, Decimal) else None
        if Fraction(repr(written)) != Fraction(exact if exact is not None else value):
            raise ValueError(
                f"{value!r} has more digits than a floating-point number can represent; write the policy as TOML"
            )
        return written
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items() if item is not None}
    if isinstance(value, Sequence) or isinstance(value, (set, frozenset)):
        items = sorted(value, key=str) if isinstance(value, (set, frozenset)) else value
        return [plain(item) for item in items]
    if hasattr(value, "tolist"):  # NumPy numbers and arrays
        return plain(value.tolist())
    raise TypeError(
        f"an object of type '{type(value).__name__}' is not a valid value in a policy: expected a string, a number, a list, or a dict"
    )
