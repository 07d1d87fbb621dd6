"""The functions of the package. Each translates its arguments, calls the library, and returns the
answer.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Union

from . import _native
from ._answers import Answer, html_table, read, shown, warn
from ._data import Data
from ._data import table as _table
from ._policy import Policy, policy_parts
from ._progress import Progress, callback
from ._release import Infeasible, Release, Temporary

PathLike = Union[str, os.PathLike[str]]
PolicyLike = Union[Policy, Mapping[str, Any], PathLike]
ReleaseLike = Union[Release, PathLike]


def _optional(data: Union[Data, None], name: str = "data") -> Any:
    return None if data is None else _table(data, name)


def _directory(release: ReleaseLike) -> str:
    # Path would change an address, so a password in it could be overlooked and then shown.
    return os.fspath(release.path if isinstance(release, Release) else release)


def _path(path: Union[PathLike, None]) -> Union[Path, None]:
    return None if path is None else Path(path)


def _text(number: Any) -> Union[str, None]:
    return None if number is None else str(number)


def anonymize(
    data: Union[Data, None],
    policy: PolicyLike,
    *,
    seed: Union[int, None] = None,
    output: Union[PathLike, None] = None,
    private: Union[PathLike, None] = None,
    force: bool = False,
    ledger: Any = None,
    show_values: bool = False,
    progress: Progress = None,
) -> Union[Release, Infeasible]:
    """Searches for the recoding with the smallest loss, certifies it, and creates a release.

    Parameters
    ----------
    data
        A frame, or the path of a file; ``None`` for the input table of the policy.
    policy
        A :class:`Policy`, a dict, or the path of a policy file.
    seed
        Replaces the seed of the policy. The same table, policy, and seed produce the same release.
    output
        The release directory to write; the private directory is written next to it. By default,
        both are temporary, and :meth:`Release.write` saves them.
    private
        Another location of the private directory, which requires ``output``, or ``"none"`` to write
        no private directory; ``omitted_private`` then lists its content.
    force
        Whether to replace an existing release.
    ledger
        A :class:`Ledger`, or its path. The release is checked against the recorded releases and
        then recorded. Requires ``output``.
    show_values
        Whether messages may contain cells from the table.
    progress
        A function that receives the phase, the completed amount, and the total amount; or ``True``
        for a progress bar.

    Returns
    -------
    Release or Infeasible
        ``Infeasible`` means that no recoding satisfies the policy. Its truth value is false.

    Raises
    ------
    PolicyError
        If the policy is invalid; contains all problems in the policy.
    IndistinctError
        If the table is unreadable or does not match the policy.
    """
    if ledger is not None and output is None:
        raise ValueError("a release with a ledger requires a permanent directory; set output")
    if private not in (None, "none") and output is None:
        raise ValueError("a private directory requires a permanent release; set output")
    taken = _optional(data)
    temporary = None
    if output is None:
        temporary = Temporary()
        output = temporary.path / "release"
    with callback(progress) as call:
        text, problems = _native.anonymize(
            taken,
            policy_parts(policy),
            _directory(output),
            seed=seed,
            private=_path(private),
            force=force,
            ledger=None if ledger is None else Path(ledger),
            show_values=show_values,
            progress=call,
        )
    fields = read(text)
    warn(problems, fields.get("warnings", ()))
    if fields["status"] != "released":
        return Infeasible(fields)
    like = taken if isinstance(taken, _native.Table) else None
    # The directory of an uploaded release is a local directory.
    return Release(fields, Path(fields["release"]), like, temporary)


def check(
    data: Union[Data, None],
    policy: PolicyLike,
    *,
    show_values: bool = False,
    progress: Progress = None,
) -> Answer:
    """Checks which principles a table satisfies without recoding.

    ``holds`` is the verdict, and ``principles`` contains the levels. ``show_values`` lists the
    quasi-identifier values of the worst classes.
    """
    with callback(progress) as call:
        text, problems = _native.check(
            _optional(data), policy_parts(policy), show_values=show_values, progress=call
        )
    fields = read(text)
    warn(problems, fields.get("warnings", ()))
    return Answer(fields)


def profile(
    data: Union[Data, None],
    policy: Union[PolicyLike, None] = None,
    *,
    table: Union[str, None] = None,
    query: Union[str, None] = None,
    checklist: Union[str, None] = None,
    progress: Progress = None,
) -> Answer:
    """Reports the risks of a table without recoding: column profiles, uniqueness, class sizes, and
    re-identification risk.

    Without a policy, roles of columns are proposed from their names and values. With
    ``checklist="hipaa"``, the field ``checklist`` states for each of the 18 Safe Harbor identifiers
    where it was found, and how a release by the policy treats it.

    If ``data`` is the address of a database, either ``table`` or ``query`` selects the rows; in a
    spreadsheet, ``table`` names the sheet. With a policy, its ``[input]`` section selects the rows.
    """
    if data is None and policy is None:
        raise ValueError("expected a table, or a policy with an input table")
    if policy is not None and not (table is None and query is None):
        raise ValueError("table and query are set in the [input] section of the policy")
    parts = None if policy is None else policy_parts(policy)
    with callback(progress) as call:
        text, problems = _native.profile(
            _optional(data), parts, table=table, query=query, checklist=checklist, progress=call
        )
    fields = read(text)
    warn(problems, fields.get("warnings", ()))
    return Answer(fields)


class Explored(Answer):
    """An answer about the original table, with a report for the data holder."""

    def __init__(self, fields: Mapping[str, Any], page: str) -> None:
        super().__init__(fields)
        self._page = page

    def report(self) -> str:
        """The report as HTML. Do not publish it: it contains information about the original
        table."""
        return self._page


class Advice(Explored):
    """The feasible parameters of a table."""


class Comparison(Explored):
    """The cost of other choices. The truth value is false if no choice produces a release."""

    def __bool__(self) -> bool:
        return any("release" in choice for choice in self["choices"])

    def _repr_html_(self) -> str:
        figures = ("risk_max", "risk_mean", "loss", "n_suppressed", "n_classes", "on_frontier")
        rows = []
        for choice in self["choices"]:
            release = choice.get("release")
            said = (
                [shown(release[name]) for name in figures]
                if release
                else [choice["why_not"], *[""] * (len(figures) - 1)]
            )
            rows.append(
                (choice["method"], shown(choice["k"]), shown(choice["suppression_limit"]), *said)
            )
        return html_table(("method", "k", "limit", *figures), rows)


def advise(
    data: Union[Data, None],
    policy: PolicyLike,
    *,
    show_values: bool = False,
    progress: Progress = None,
) -> Advice:
    """Reports the feasible parameters of a table, and why other parameters are infeasible."""
    with callback(progress) as call:
        text, problems, page = _native.advise(
            _optional(data), policy_parts(policy), show_values=show_values, progress=call
        )
    warn(problems)
    return Advice(read(text), page)


def _parameter(name: str) -> tuple[str, str]:
    principle, _, parameter = name.partition(".")
    return principle, parameter


def compare(
    data: Union[Data, None],
    policy: PolicyLike,
    *,
    k: Sequence[int] = (),
    methods: Sequence[str] = (),
    limits: Sequence[float] = (),
    vary: Union[Mapping[str, Sequence[float]], None] = None,
    progress: Progress = None,
) -> Comparison:
    """Reports the cost of other choices: the policy with another k, method, or suppression limit.
    Writes nothing.

    Each of the ``choices`` contains the figures of a certified release, or the reason why there is
    none. The defaults are 3, 5, 10, and 20 for k, all methods that support the policy, and the
    suppression limit of the policy. ``vary`` contains values for parameters of other principles:
    ``{"entropy-l-diversity.l": [2, 3, 4]}``.
    """
    with callback(progress) as call:
        text, problems, page = _native.compare(
            _optional(data),
            policy_parts(policy),
            k=list(k),
            methods=list(methods),
            limits=list(limits),
            varied=[(*_parameter(name), list(values)) for name, values in (vary or {}).items()],
            progress=call,
        )
    warn(problems)
    return Comparison(read(text), page)


def init(
    data: Data,
    *,
    table: Union[str, None] = None,
    query: Union[str, None] = None,
    progress: Progress = None,
) -> Policy:
    """Examines a table and proposes an initial policy: roles, hierarchies, and a method. The
    result is only a proposal.

    :attr:`Policy.questions` lists the columns for which the table is insufficient to determine a
    role. Comments in the text of the policy explain the pending decisions, which
    :meth:`Policy.replace` can make.

    If ``data`` is the address of a database, either ``table`` or ``query`` selects the rows; in a
    spreadsheet, ``table`` names the sheet.
    """
    with callback(progress) as call:
        text = _native.init(_table(data), table=table, query=query, progress=call)
    # The path of the table in the policy is relative to the current folder, like the given path.
    return Policy.from_toml(text, name="the proposed policy")


def verify(
    release: ReleaseLike, *, population: Union[PathLike, None] = None, progress: Progress = None
) -> Answer:
    """Checks a release directory against its certificate, from its files alone; ``holds`` is the
    verdict.
    """
    with callback(progress) as call:
        return Answer(
            read(_native.verify(_directory(release), population=_path(population), progress=call))
        )


def measure(
    release: ReleaseLike,
    original: Data,
    *,
    policy: Union[PathLike, None] = None,
    queries: Union[int, None] = None,
    dimension: Union[int, None] = None,
    volume: Union[float, None] = None,
    seed: Union[int, None] = None,
    target: Union[str, None] = None,
    progress: Progress = None,
) -> Answer:
    """Measures the loss of a release relative to its original, and its remaining utility.

    Parameters
    ----------
    release
        A :class:`Release`, or its directory.
    original
        The original table of the release.
    policy
        The policy for the release; by default, the copy in the release's private directory.
    queries, dimension, volume
        The number of count queries, the number of attributes per query, and the fraction of all
        combinations that each query selects.
    seed
        The seed of queries and samples.
    target
        The attribute to predict.
    """
    with callback(progress) as call:
        text = _native.measure(
            _directory(release),
            _table(original),
            policy=_path(policy),
            queries=queries,
            dimension=dimension,
            volume=volume,
            seed=seed,
            target=target,
            progress=call,
        )
    return Answer(read(text))


def attack(
    release: ReleaseLike,
    *,
    original: Union[Data, None] = None,
    register: Union[Data, None] = None,
    prior: Union[Data, None] = None,
    prior_weight: Union[str, None] = None,
    policy: Union[PathLike, None] = None,
    worlds: Union[int, None] = None,
    thresholds: Sequence[str] = (),
    minima: Sequence[str] = (),
    progress: Progress = None,
) -> Answer:
    """Reports what the known attacks can disclose from a release.

    Parameters
    ----------
    release
        A :class:`Release`, or its directory.
    original
        The original table of the release. With it, risks are measured instead of bounded.
    register
        A table of people with original quasi-identifiers, to join with the release.
    prior
        A table with the original quasi-identifiers and sensitive values of a population: the prior
        belief of an adversary.
    prior_weight
        The column of ``prior`` with the number or fraction of people for each line; by default each
        line represents one person.
    policy
        The policy for the release; by default, the copy in the release's private directory.
    worlds
        The number of assignments of the sensitive values for which the method is repeated;
        assignments are sampled if there are more. By default, all assignments are used if there are
        few.
    thresholds
        Regulatory thresholds for class sizes, such as ``"ema-0.09"``.
    minima
        The required minima, such as ``"class=11"``, ``"statements=2"`` or ``"interval=0.05"``;
        ``holds`` is the verdict.
    """
    with callback(progress) as call:
        text = _native.attack(
            _directory(release),
            original=_optional(original, "original"),
            register=_optional(register, "register"),
            prior=_optional(prior, "prior"),
            prior_weight=prior_weight,
            policy=_path(policy),
            worlds=worlds,
            thresholds=list(thresholds),
            minima=list(minima),
            progress=call,
        )
    return Answer(read(text))


def link(
    *releases: ReleaseLike,
    originals: Mapping[int, PathLike] = {},
    person: Union[Mapping[str, str], None] = None,
    sensitive: Union[str, None] = None,
    minimum: Union[str, None] = None,
    worst: Union[int, None] = None,
    show_values: bool = False,
    progress: Progress = None,
) -> Answer:
    """Reports what an adversary who has several releases can learn.

    Parameters
    ----------
    releases
        Releases, or their directories.
    originals
        The original tables, by position in ``releases``; only their people are linked.
    person
        The quasi-identifiers of the only person to link, by column.
    sensitive
        The only sensitive attribute to examine.
    minimum
        The minimum remaining uncertainty for every person, such as ``"l=3"`` or
        ``"l=2.5,measure=entropy"``; ``holds`` is the verdict.
    worst
        The number of worst combinations to list, with ``show_values``.
    """
    with callback(progress) as call:
        text = _native.link(
            [_directory(release) for release in releases],
            originals=[(place, Path(path)) for place, path in originals.items()],
            person=None if person is None else dict(person),
            sensitive=sensitive,
            minimum=minimum,
            worst=worst,
            show_values=show_values,
            progress=call,
        )
    return Answer(read(text))


class Plan(Answer):
    """The options and the choice of the central agency. The truth value is false without a plan."""

    def __init__(self, fields: Mapping[str, Any], files: Sequence[tuple[str, str]]) -> None:
        super().__init__(fields)
        self._files = list(files)

    def __bool__(self) -> bool:
        return bool(self["status"] == "planned")

    def write(self, path: PathLike) -> Path:
        """Writes the plan to a new file; a large plan has two additional table files, named after
        the plan.
        """
        if not self._files:
            raise ValueError("the number of rows is insufficient for a plan; see n_rows_needed")
        target = Path(path)
        (first, text), *others = self._files
        if others and target.name != first:
            raise ValueError(
                f"the table files of this plan refer to the file name '{first}'; use this name for the plan"
            )
        for name, content in [*others, (target.name, text)]:
            with open(target.with_name(name), "x", encoding="utf-8") as file:
                file.write(content)
        return target


def plan(
    data: Union[Data, None] = None,
    policy: Union[PolicyLike, None] = None,
    *,
    l: int,  # noqa: E741
    delta: Any = None,
    releases: Union[int, None] = None,
    total_failure: Any = None,
    sensitive: Union[str, None] = None,
    quasi_identifiers: Sequence[str] = (),
    count: Union[str, None] = None,
    probability: Union[str, None] = None,
    order: Union[str, None] = None,
    columns: Sequence[str] = (),
    p: Any = None,
    classes: Union[int, None] = None,
    rows: Union[int, None] = None,
    linked_k: Union[int, None] = None,
    linked_entropy: Any = None,
    basis: Union[str, None] = None,
    confidence: Any = None,
    known_distribution: bool = False,
    eta: Any = None,
    independent: bool = False,
    all_combinations: bool = False,
    title: Union[str, None] = None,
    name: str = "plan.toml",
    progress: Progress = None,
) -> Plan:
    """Chooses classes for releases of several data holders: at least ``l`` sensitive values per
    person remain after linkage.

    Parameters
    ----------
    data, policy
        Earlier data with the columns of the policy. Without a policy, a table of frequencies with a
        line for each combination of ``quasi_identifiers`` (by default all other columns) and
        ``sensitive``, and either a ``count`` of rows or a ``probability``.
    l
        The number of sensitive values that must remain.
    delta
        The failure probability of a release, such as ``0.01`` or ``"1/300"``; alternatively
        ``releases`` and their ``total_failure``.
    order, columns
        The order in which classes are contiguous: ``"space-filling"``, or ``"lexicographic"`` by
        columns.
    p, classes, rows
        The point of the trade-off: this p, this number of classes, or the number of classes for
        which this number of rows is sufficient.
    linked_k, linked_entropy
        The number of records, and the l of the entropy l-diversity, that every class must have
        after linkage.
    confidence, known_distribution
        With counts: the confidence level of the bounds that replace the probabilities (by default
        0.95; the plan states it with ``all_combinations``), or whether the counts are the
        distribution itself.
    basis, eta, independent
        The basis of the number of rows, the possible error of the distribution, and whether
        sensitive values are independent of the quasi-identifiers.
    all_combinations
        Whether combinations of values that no person has are also assigned to classes.
    title, name
        The title of the plan, and the name of its file.
    """
    fields = {
        "title": title,
        "l": l,
        "delta": _text(delta),
        "releases": releases,
        "total_failure": _text(total_failure),
        "order": order,
        "columns": list(columns),
        "p": _text(p),
        "classes": classes,
        "rows": rows,
        "linked_k": linked_k,
        "linked_entropy": _text(linked_entropy),
        "basis": basis,
        "confidence": _text(confidence),
        "known_distribution": known_distribution,
        "eta": _text(eta),
        "independent": independent,
        "all_combinations": all_combinations,
    }
    with callback(progress) as call:
        text, files = _native.plan(
            _optional(data),
            None if policy is None else policy_parts(policy),
            count=count,
            probability=probability,
            sensitive=sensitive,
            quasi_identifiers=list(quasi_identifiers),
            fields=fields,
            name=name,
            progress=call,
        )
    return Plan(read(text), files)
