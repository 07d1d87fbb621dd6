"""Publish tables about people under stated privacy principles, and verify every release
independently.

>>> import indistinct as ind
>>> policy = ind.Policy(
...     quasi_identifiers=["age", "sex"],
...     sensitive="diagnosis",
...     principles=[ind.KAnonymity(2), ind.DistinctLDiversity("diagnosis", 2)],
...     hierarchies={"age": ind.Hierarchy(intervals=[10])},
... )

``ind.anonymize(frame, policy)`` searches for a recoding, certifies it, and returns a
:class:`Release`. ``ind.check`` reports the principles that a frame satisfies, ``ind.profile`` its
risks, ``ind.advise`` the feasible parameters, and ``ind.compare`` the cost of other choices.
``ind.verify`` checks a release directory from its files alone. Frames can be from pandas, Polars,
PyArrow, DuckDB, or any library that supports the Arrow PyCapsule interface.
"""

from __future__ import annotations

from . import _keys
from ._answers import Answer
from ._ask import (
    advise,
    anonymize,
    attack,
    check,
    compare,
    init,
    link,
    measure,
    plan,
    profile,
    verify,
)
from ._entries import Principle
from ._errors import (
    DataError,
    IndistinctError,
    IndistinctWarning,
    NotReleasedError,
    PolicyError,
    Problem,
)
from ._keys import *  # noqa: F403
from ._ledger import Ledger
from ._native import Table, __version__
from ._policy import Policy
from ._release import Infeasible, Release

__all__ = [
    "Answer",
    "DataError",
    "IndistinctError",
    "IndistinctWarning",
    "Infeasible",
    "Ledger",
    "NotReleasedError",
    "Policy",
    "PolicyError",
    "Principle",
    "Problem",
    "Release",
    "Table",
    "__version__",
    "advise",
    "anonymize",
    "attack",
    "check",
    "compare",
    "init",
    "link",
    "measure",
    "plan",
    "profile",
    "verify",
    *_keys.__all__,
]
