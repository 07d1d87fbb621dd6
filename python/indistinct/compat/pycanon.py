"""The functions of ``pycanon.anonymity``, which compute the level of a principle for a table.

``data`` is any frame that the package supports. With several sensitive attributes, the result is
that of the worst attribute. With ``gen=False``, an adversary may know the other sensitive
attributes, which subdivide the classes. A missing value counts as a distinct value.
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
    """The k of k-anonymity: the size of the smallest class."""
    return int(_reached(data, quasi_ident, [], [KAnonymity(1)])[0]["k"])


def alpha_k_anonymity(
    data: Data, quasi_ident: Iterable[str], sens_att: Iterable[str], gen: bool = True
) -> tuple[float, int]:
    """The alpha and k of (alpha, k)-anonymity."""
    found = _of_each(
        data, quasi_ident, sens_att, gen, lambda name, **more: AlphaKAnonymity(name, 1, 1, **more)
    )
    return max(reached["alpha"] for reached in found), k_anonymity(data, quasi_ident)


def l_diversity(
    data: Data, quasi_ident: Iterable[str], sens_att: Iterable[str], gen: bool = True
) -> int:
    """The l of distinct l-diversity."""
    found = _of_each(
        data, quasi_ident, sens_att, gen, lambda name, **more: DistinctLDiversity(name, 1, **more)
    )
    return int(min(reached["l"] for reached in found))


def entropy_l_diversity(
    data: Data, quasi_ident: Iterable[str], sens_att: Iterable[str], gen: bool = True
) -> int:
    """The largest integer l of entropy l-diversity."""
    found = _of_each(
        data, quasi_ident, sens_att, gen, lambda name, **more: EntropyLDiversity(name, 1, **more)
    )
    # A class of l equally frequent values has exactly l; the tolerance compensates for rounding.
    return math.floor(float(min(reached["l"] for reached in found)) + 1e-9)


def recursive_c_l_diversity(
    data: Data,
    quasi_ident: Iterable[str],
    sens_att: Iterable[str],
    imp: bool = False,
    gen: bool = True,
) -> tuple[float, int]:
    """The smallest integer c of recursive (c, l)-diversity for the l of distinct l-diversity; NaN
    if this l is 1.
    """
    distinct = l_diversity(data, quasi_ident, sens_att, gen)
    if distinct <= 1:
        if imp:
            print(f"c for (c,l)-diversity cannot be calculated as l={distinct}")
        return math.nan, distinct
    found = _of_each(
        data,
        quasi_ident,
        sens_att,
        gen,
        lambda name, **more: RecursiveDiversity(name, 1, distinct, **more),
    )
    return math.floor(max(reached["c_exceeds"] for reached in found)) + 1, distinct


def t_closeness(
    data: Data, quasi_ident: Iterable[str], sens_att: Iterable[str], gen: bool = True
) -> float:
    """The t of t-closeness, with the ordered distance for numbers and the equal distance
    otherwise."""
    taken = table(data)
    found = _of_each(
        taken,
        quasi_ident,
        sens_att,
        gen,
        lambda name, **more: TCloseness(name, 1, distance(taken, name), **more),
    )
    return float(max(reached["t"] for reached in found))


def basic_beta_likeness(
    data: Data, quasi_ident: Iterable[str], sens_att: Iterable[str], gen: bool = True
) -> float:
    """The beta of basic beta-likeness: the largest relative gain of a value in a class."""
    found = _of_each(
        data,
        quasi_ident,
        sens_att,
        gen,
        lambda name, **more: BetaLikeness(name, 1, "basic", **more),
    )
    return float(max(reached["beta"] for reached in found))


def enhanced_beta_likeness(
    data: Data, quasi_ident: Iterable[str], sens_att: Iterable[str], gen: bool = True
) -> float:
    """The beta of enhanced beta-likeness; infinite if a gain exceeds -ln p, because then no beta is
    sufficient.
    """
    found = _of_each(
        data,
        quasi_ident,
        sens_att,
        gen,
        lambda name, **more: BetaLikeness(name, 1, "enhanced", **more),
    )
    return max(_or_infinite(reached["beta"]) for reached in found)


def delta_disclosure(
    data: Data, quasi_ident: Iterable[str], sens_att: Iterable[str], gen: bool = True
) -> float:
    """The lower bound that delta must exceed for delta-disclosure privacy; infinite if a value does
    not occur in a class.
    """
    found = _of_each(
        data, quasi_ident, sens_att, gen, lambda name, **more: DeltaDisclosure(name, 1, **more)
    )
    return max(_or_infinite(reached["delta_exceeds"]) for reached in found)


def _or_infinite(figure: Any) -> float:
    return math.inf if figure is None else float(figure)


def _names(names: Iterable[str]) -> list[str]:
    return [names] if isinstance(names, str) else [str(name) for name in names]


def _of_each(
    data: Data, quasi_ident: Iterable[str], sens_att: Iterable[str], gen: bool, principle: Any
) -> Any:
    """The levels of a principle for each sensitive attribute."""
    names = _names(sens_att)
    more = {"other_sensitive": None if gen else "quasi-identifier"}
    return _reached(data, quasi_ident, names, [principle(name, **more) for name in names])


def _reached(
    data: Data, quasi_ident: Iterable[str], sensitive: list[str], principles: list[Principle]
) -> Any:
    policy = Policy(
        quasi_identifiers=_names(quasi_ident),
        sensitive={name: {"missing": "separate-value"} for name in sensitive},
        principles=principles,
        input=Input(unlisted="drop"),
    )
    with warnings.catch_warnings():
        # Ignore warnings about the vacuous requirements, which are intentional.
        warnings.simplefilter("ignore", IndistinctWarning)
        found = check(data, policy)
    return [claim["reached"] for claim in found["principles"]]
