"""The functions of ``anjana.anonymity``: a frame recoded so that a principle holds.

``hierarchies`` gives for a quasi-identifier a dict of levels, each a column as long as the others: level 0 has the values, level 1
their labels, and so on. ``supp_level`` is a percentage. Columns that are neither identifiers, quasi-identifiers nor the sensitive
attribute are released as they are. The answer is a pandas frame without the identifiers, its rows in random order; it is empty, with a
warning, where no recoding within the limit satisfies the principle.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Union

from .. import _native
from .._ask import anonymize
from .._data import Data, table
from .._entries import Principle
from .._errors import tell
from .._keys import (
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
from .._policy import Policy

Names = Iterable[str]
Hierarchies = Mapping[str, Mapping[int, Sequence[Any]]]


def k_anonymity(
    data: Data, ident: Names, quasi_ident: Names, k: int, supp_level: float, hierarchies: Hierarchies
) -> Any:
    """k-anonymity."""
    return _anonymized(data, ident, quasi_ident, None, [KAnonymity(k)], supp_level, hierarchies)


def alpha_k_anonymity(
    data: Data,
    ident: Names,
    quasi_ident: Names,
    sens_att: str,
    k: int,
    alpha: float,
    supp_level: float,
    hierarchies: Hierarchies,
) -> Any:
    """(alpha, k)-anonymity."""
    return _anonymized(
        data, ident, quasi_ident, sens_att, [AlphaKAnonymity(sens_att, alpha, k)], supp_level, hierarchies
    )


def l_diversity(
    data: Data,
    ident: Names,
    quasi_ident: Names,
    sens_att: str,
    k: int,
    l_div: int,
    supp_level: float,
    hierarchies: Hierarchies,
) -> Any:
    """k-anonymity and distinct l-diversity."""
    principles = [KAnonymity(k), DistinctLDiversity(sens_att, l_div)]
    return _anonymized(data, ident, quasi_ident, sens_att, principles, supp_level, hierarchies)


def entropy_l_diversity(
    data: Data,
    ident: Names,
    quasi_ident: Names,
    sens_att: str,
    k: int,
    l_div: float,
    supp_level: float,
    hierarchies: Hierarchies,
) -> Any:
    """k-anonymity and entropy l-diversity."""
    principles = [KAnonymity(k), EntropyLDiversity(sens_att, l_div)]
    return _anonymized(data, ident, quasi_ident, sens_att, principles, supp_level, hierarchies)


def recursive_c_l_diversity(
    data: Data,
    ident: Names,
    quasi_ident: Names,
    sens_att: str,
    k: int,
    c: float,
    l_div: int,
    supp_level: float,
    hierarchies: Hierarchies,
) -> Any:
    """k-anonymity and recursive (c, l)-diversity."""
    principles = [KAnonymity(k), RecursiveDiversity(sens_att, c, l_div)]
    return _anonymized(data, ident, quasi_ident, sens_att, principles, supp_level, hierarchies)


def t_closeness(
    data: Data,
    ident: Names,
    quasi_ident: Names,
    sens_att: str,
    k: int,
    t: float,
    supp_level: float,
    hierarchies: Hierarchies,
) -> Any:
    """k-anonymity and t-closeness: the ordered distance for numbers, the equal distance for all else."""
    taken = table(data)
    types = dict(taken.columns) if isinstance(taken, _native.Table) else {}
    numeric = types.get(sens_att, "").startswith(("Int", "UInt", "Float", "Decimal"))
    principles = [KAnonymity(k), TCloseness(sens_att, t, "ordered" if numeric else "equal")]
    return _anonymized(taken, ident, quasi_ident, sens_att, principles, supp_level, hierarchies)


def basic_beta_likeness(
    data: Data,
    ident: Names,
    quasi_ident: Names,
    sens_att: str,
    k: int,
    beta: float,
    supp_level: float,
    hierarchies: Hierarchies,
) -> Any:
    """k-anonymity and basic beta-likeness."""
    principles = [KAnonymity(k), BetaLikeness(sens_att, beta, "basic")]
    return _anonymized(data, ident, quasi_ident, sens_att, principles, supp_level, hierarchies)


def enhanced_beta_likeness(
    data: Data,
    ident: Names,
    quasi_ident: Names,
    sens_att: str,
    k: int,
    beta: float,
    supp_level: float,
    hierarchies: Hierarchies,
) -> Any:
    """k-anonymity and enhanced beta-likeness."""
    principles = [KAnonymity(k), BetaLikeness(sens_att, beta, "enhanced")]
    return _anonymized(data, ident, quasi_ident, sens_att, principles, supp_level, hierarchies)


def delta_disclosure(
    data: Data,
    ident: Names,
    quasi_ident: Names,
    sens_att: str,
    k: int,
    delta: float,
    supp_level: float,
    hierarchies: Hierarchies,
) -> Any:
    """k-anonymity and delta-disclosure privacy."""
    principles = [KAnonymity(k), DeltaDisclosure(sens_att, delta)]
    return _anonymized(data, ident, quasi_ident, sens_att, principles, supp_level, hierarchies)


def generate_intervals(
    quasi_ident: Sequence[float], inf: Union[int, float], sup: Union[int, float], step: int
) -> list[str]:
    """For each number the label of its interval ``[low, high)``; they begin at ``inf`` and are ``step`` wide."""
    labels = []
    for number in quasi_ident:
        low = inf + (number - inf) // step * step
        if not inf <= low <= sup:
            raise ValueError(f"a value lies outside of [{inf}, {sup}]")
        labels.append(f"[{low}, {low + step})")
    return labels


def _rows(levels: Mapping[int, Sequence[Any]]) -> list[list[Any]]:
    """A hierarchy by levels as one by values."""
    columns = [list(levels[level]) for level in sorted(levels)]
    if len({len(column) for column in columns}) > 1:
        raise ValueError("the levels of a hierarchy are columns of one length")
    return [list(row) for row in dict.fromkeys(zip(*columns))]


def _anonymized(
    data: Data,
    ident: Names,
    quasi_ident: Names,
    sens_att: Union[str, None],
    principles: Sequence[Principle],
    supp_level: float,
    hierarchies: Hierarchies,
) -> Any:
    import pandas

    taken = table(data)
    identifiers, quasi = list(ident), list(quasi_ident)
    sensitive = [] if sens_att is None else [sens_att]
    named = {*identifiers, *quasi, *sensitive}
    columns = [name for name, _ in taken.columns] if isinstance(taken, _native.Table) else []
    policy = Policy(
        identifiers=identifiers,
        quasi_identifiers=quasi,
        sensitive=sensitive,
        insensitive=[name for name in columns if name not in named],
        principles=principles,
        hierarchies={name: _rows(levels) for name, levels in hierarchies.items() if name in quasi},
        recoding=Recoding(suppression_limit=supp_level / 100),
    )
    made = anonymize(taken, policy)
    if not made:
        tell("no recoding within the limit satisfies the principle")
        return pandas.DataFrame()
    return made.to_pandas()
