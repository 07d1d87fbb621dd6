"""The functions of ``anjana.anonymity``, which recode a frame to satisfy a principle.

``hierarchies`` contains a dict of levels for each quasi-identifier. Each level is a sequence as
long as the others: level 0 contains the values, level 1 their labels, and so on. ``supp_level`` is
a percentage. Columns that are neither identifiers, quasi-identifiers, nor the sensitive attribute
are released unchanged. The result is a pandas frame with the columns of the input, `*` for every
identifier, and the rows in random order. If no recoding within the limit satisfies the principle,
the result is empty, with a warning.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Union

from ..._ask import anonymize
from ..._data import Data, table
from ..._entries import Principle
from ..._errors import tell
from ..._keys import (
    AlphaKAnonymity,
    BetaLikeness,
    DeltaDisclosure,
    DistinctLDiversity,
    EntropyLDiversity,
    KAnonymity,
    Recoding,
    RecursiveDiversity,
    TCloseness,
)
from ..._policy import Policy, text
from .._distance import distance
from . import utils

Names = Iterable[str]
Hierarchies = Mapping[str, Mapping[int, Sequence[Any]]]
Principles = Callable[..., list[Principle]]


def _recoder(principles: Principles) -> Callable[..., Any]:
    """Builds a function of the package from its principles. The common parameters surround the
    specific ones.
    """
    data, *own = inspect.signature(principles).parameters.values()
    _, ident, quasi_ident, *_, supp_level, hierarchies = inspect.signature(
        _anonymized
    ).parameters.values()
    signature = inspect.Signature([data, ident, quasi_ident, *own, supp_level, hierarchies])

    @functools.wraps(principles)
    def recoded(*arguments: Any, **keywords: Any) -> Any:
        given = signature.bind(*arguments, **keywords).arguments
        data = table(given["data"])
        required = principles(data, **{parameter.name: given[parameter.name] for parameter in own})
        common = (given["ident"], given["quasi_ident"], given.get("sens_att"))
        return _anonymized(data, *common, required, given["supp_level"], given["hierarchies"])

    recoded.__signature__ = signature  # type: ignore[attr-defined]
    return recoded


def _anonymized(
    data: Any,
    ident: Names,
    quasi_ident: Names,
    sens_att: Union[str, None],
    principles: Sequence[Principle],
    supp_level: float,
    hierarchies: Hierarchies,
) -> Any:
    import pandas
    import pyarrow

    rows = pyarrow.table(data)
    values = {
        name: {text(value) for value in rows[name].unique().to_pylist()}
        for name in quasi_ident
        if name in rows.column_names
    }
    # A column that contains only stars is no longer a quasi-identifier.
    stars = [*ident, *(name for name, found in values.items() if found == {"*"})]
    quasi = [name for name in quasi_ident if name not in stars]
    sensitive = [] if sens_att is None else [sens_att]
    policy = Policy(
        identifiers=stars,
        quasi_identifiers=quasi,
        sensitive=sensitive,
        insensitive=[
            name for name in rows.column_names if name not in {*stars, *quasi, *sensitive}
        ],
        principles=principles,
        hierarchies={
            name: _by_value(hierarchies[name], values[name])
            for name in quasi
            if name in hierarchies and name in values
        },
        recoding=Recoding(suppression_limit=Decimal(str(supp_level)) / 100),
    )
    made = anonymize(data, policy)
    if not made:
        tell("no recoding within the limit satisfies the principle")
        return pandas.DataFrame()
    return made.to_pandas().assign(**dict.fromkeys(stars, "*"))[rows.column_names]


def _by_value(levels: Mapping[int, Sequence[Any]], values: set[str]) -> list[tuple[str, ...]]:
    """Converts a hierarchy by levels to a hierarchy by values.

    A frame that was already recoded contains labels instead of values. Such a label remains
    unchanged up to its own level.
    """
    columns = [[text(cell) for cell in levels[level]] for level in sorted(levels)]
    if len({len(column) for column in columns}) > 1:
        raise ValueError("all levels of a hierarchy must have the same length")
    rows = list(dict.fromkeys(zip(*columns)))
    recoded = values - set(columns[0])
    if not recoded:
        return rows
    found = {row[0]: row for row in rows if row[0] in values}
    for level in range(1, len(columns)):
        for row in rows:
            if row[level] in recoded:
                found.setdefault(row[level], (row[level],) * level + row[level:])
    return list(found.values())


@_recoder
def k_anonymity(data: Data, k: int) -> list[Principle]:
    """Recodes the frame to satisfy k-anonymity."""
    return [KAnonymity(k)]


@_recoder
def alpha_k_anonymity(data: Data, sens_att: str, k: int, alpha: float) -> list[Principle]:
    """Recodes the frame to satisfy (alpha, k)-anonymity."""
    return [AlphaKAnonymity(sens_att, alpha, k)]


@_recoder
def l_diversity(data: Data, sens_att: str, k: int, l_div: int) -> list[Principle]:
    """Recodes the frame to satisfy k-anonymity and distinct l-diversity."""
    return [KAnonymity(k), DistinctLDiversity(sens_att, l_div)]


@_recoder
def entropy_l_diversity(data: Data, sens_att: str, k: int, l_div: float) -> list[Principle]:
    """Recodes the frame to satisfy k-anonymity and entropy l-diversity."""
    return [KAnonymity(k), EntropyLDiversity(sens_att, l_div)]


@_recoder
def recursive_c_l_diversity(
    data: Data, sens_att: str, k: int, c: float, l_div: int
) -> list[Principle]:
    """Recodes the frame to satisfy k-anonymity and recursive (c, l)-diversity."""
    return [KAnonymity(k), RecursiveDiversity(sens_att, c, l_div)]


@_recoder
def t_closeness(data: Data, sens_att: str, k: int, t: float) -> list[Principle]:
    """Recodes the frame to satisfy k-anonymity and t-closeness, with the ordered distance for
    numbers and the equal distance otherwise.
    """
    return [KAnonymity(k), TCloseness(sens_att, t, distance(data, sens_att))]


@_recoder
def basic_beta_likeness(data: Data, sens_att: str, k: int, beta: float) -> list[Principle]:
    """Recodes the frame to satisfy k-anonymity and basic beta-likeness."""
    return [KAnonymity(k), BetaLikeness(sens_att, beta, "basic")]


@_recoder
def enhanced_beta_likeness(data: Data, sens_att: str, k: int, beta: float) -> list[Principle]:
    """Recodes the frame to satisfy k-anonymity and enhanced beta-likeness."""
    return [KAnonymity(k), BetaLikeness(sens_att, beta, "enhanced")]


@_recoder
def delta_disclosure(data: Data, sens_att: str, k: int, delta: float) -> list[Principle]:
    """Recodes the frame to satisfy k-anonymity and delta-disclosure privacy."""
    return [KAnonymity(k), DeltaDisclosure(sens_att, delta)]


__all__ = [
    "alpha_k_anonymity",
    "basic_beta_likeness",
    "delta_disclosure",
    "enhanced_beta_likeness",
    "entropy_l_diversity",
    "k_anonymity",
    "l_diversity",
    "recursive_c_l_diversity",
    "t_closeness",
    "utils",
]
