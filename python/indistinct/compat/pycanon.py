"""The functions of ``pycanon.anonymity``: which level of a principle a table reaches.

``data`` is any frame that the package takes. With several sensitive attributes the worst of them counts; with ``gen=False`` an
adversary may know the others, so that classes are subdivided by them. A missing value is a value of its own.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable
from typing import Any

from .._ask import check
from .._data import Data, table
from .._entries import Principle
from .._errors import IndistinctWarning
from .._keys import (
    AlphaKAnonymity,
    BetaLikeness,
    DeltaDisclosure,
    DistinctLDiversity,
    EntropyLDiversity,
    Input,
    KAnonymity,
    RecursiveDiversity,
    TCloseness,
)
from .._policy import Policy
from ._distance import distance


def k_anonymity(data: Data, quasi_ident: Iterable[str]) -> int:
    """The k of k-anonymity: the rows of the smallest class."""
    return int(_reached(data, quasi_ident, [], [KAnonymity(1)])[0]["k"])


def alpha_k_anonymity(
    data: Data, quasi_ident: Iterable[str], sens_att: Iterable[str], gen: bool = True
) -> tuple[float, int]:
    """The alpha and the k of (alpha, k)-anonymity."""
    found = _of_each(data, quasi_ident, sens_att, gen, lambda name, **more: AlphaKAnonymity(name, 1, 1, **more))
    return max(reached["alpha"] for reached in found), k_anonymity(data, quasi_ident)


def l_diversity(data: Data, quasi_ident: Iterable[str], sens_att: Iterable[str], gen: bool = True) -> int:
    """The l of distinct l-diversity."""
    found = _of_each(data, quasi_ident, sens_att, gen, lambda name, **more: DistinctLDiversity(name, 1, **more))
    return int(min(reached["l"] for reached in found))


def entropy_l_diversity(data: Data, quasi_ident: Iterable[str], sens_att: Iterable[str], gen: bool = True) -> int:
    """The largest whole l of entropy l-diversity."""
    found = _of_each(data, quasi_ident, sens_att, gen, lambda name, **more: EntropyLDiversity(name, 1, **more))
    # A class of l values that are equally frequent has exactly l, whatever its double says.
    return math.floor(float(min(reached["l"] for reached in found)) + 1e-9)


def recursive_c_l_diversity(
    data: Data, quasi_ident: Iterable[str], sens_att: Iterable[str], imp: bool = False, gen: bool = True
) -> tuple[float, int]:
    """The smallest whole c of recursive (c, l)-diversity for the l of distinct l-diversity; NaN where that is 1."""
    distinct = l_diversity(data, quasi_ident, sens_att, gen)
    if distinct <= 1:
        if imp:
            print(f"c for (c,l)-diversity cannot be calculated as l={distinct}")
        return math.nan, distinct
    found = _of_each(
        data, quasi_ident, sens_att, gen, lambda name, **more: RecursiveDiversity(name, 1, distinct, **more)
    )
    return math.floor(max(reached["c_exceeds"] for reached in found)) + 1, distinct


def t_closeness(data: Data, quasi_ident: Iterable[str], sens_att: Iterable[str], gen: bool = True) -> float:
    """The t of t-closeness: the ordered distance for numbers, the equal distance for all else."""
    taken = table(data)
    found = _of_each(
        taken, quasi_ident, sens_att, gen, lambda name, **more: TCloseness(name, 1, distance(taken, name), **more)
    )
    return float(max(reached["t"] for reached in found))


def basic_beta_likeness(data: Data, quasi_ident: Iterable[str], sens_att: Iterable[str], gen: bool = True) -> float:
    """The beta of basic beta-likeness: the largest gain of a value in a class."""
    found = _of_each(data, quasi_ident, sens_att, gen, lambda name, **more: BetaLikeness(name, 1, "basic", **more))
    return float(max(reached["beta"] for reached in found))


def enhanced_beta_likeness(
    data: Data, quasi_ident: Iterable[str], sens_att: Iterable[str], gen: bool = True
) -> float:
    """The beta of enhanced beta-likeness; infinite where some gain is above -ln p, so that no beta would do."""
    found = _of_each(data, quasi_ident, sens_att, gen, lambda name, **more: BetaLikeness(name, 1, "enhanced", **more))
    return max(_or_infinite(reached["beta"]) for reached in found)


def delta_disclosure(data: Data, quasi_ident: Iterable[str], sens_att: Iterable[str], gen: bool = True) -> float:
    """What delta must exceed for delta-disclosure privacy; infinite where a class lacks a value."""
    found = _of_each(data, quasi_ident, sens_att, gen, lambda name, **more: DeltaDisclosure(name, 1, **more))
    return max(_or_infinite(reached["delta_exceeds"]) for reached in found)


def _or_infinite(figure: Any) -> float:
    return math.inf if figure is None else float(figure)


def _names(names: Iterable[str]) -> list[str]:
    return [names] if isinstance(names, str) else [str(name) for name in names]


def _of_each(data: Data, quasi_ident: Iterable[str], sens_att: Iterable[str], gen: bool, principle: Any) -> Any:
    """What is reached of a principle on each of the sensitive attributes."""
    names = _names(sens_att)
    more = {"other_sensitive": None if gen else "quasi-identifier"}
    return _reached(data, quasi_ident, names, [principle(name, **more) for name in names])


def _reached(data: Data, quasi_ident: Iterable[str], sensitive: list[str], principles: list[Principle]) -> Any:
    policy = Policy(
        quasi_identifiers=_names(quasi_ident),
        sensitive={name: {"missing": "separate-value"} for name in sensitive},
        principles=principles,
        input=Input(unlisted="drop"),
    )
    with warnings.catch_warnings():
        # What is asked for is nothing, on purpose.
        warnings.simplefilter("ignore", IndistinctWarning)
        found = check(data, policy)
    return [claim["reached"] for claim in found["principles"]]
