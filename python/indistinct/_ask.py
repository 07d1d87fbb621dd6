"""The questions. Each translates its arguments, asks the library, and gives its answer."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Union

from . import _native
from ._answers import Answer, html_table, read, shown, warn
from ._data import Data, table
from ._policy import Policy, policy_parts
from ._progress import Progress, callback
from ._release import Infeasible, Release, Temporary

PathLike = Union[str, os.PathLike[str]]
PolicyLike = Union[Policy, Mapping[str, Any], PathLike]
ReleaseLike = Union[Release, PathLike]


def _optional(data: Union[Data, None], name: str = "data") -> Any:
    return None if data is None else table(data, name)


def _directory(release: ReleaseLike) -> Path:
    return release.path if isinstance(release, Release) else Path(release)


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
    force: bool = False,
    ledger: Any = None,
    show_values: bool = False,
    progress: Progress = None,
) -> Union[Release, Infeasible]:
    """Searches for the recoding with the least loss, certifies it, and makes a release.

    Parameters
    ----------
    data
        A frame, or the path of a file; ``None`` for the table that the policy names.
    policy
        A :class:`Policy`, a dict, or the path of a policy file.
    seed
        In place of the policy's. The same table, policy and seed give the same release.
    output
        Where to write the release directory; the private part is written beside it. If left out, both are temporary, and
        :meth:`Release.write` keeps them.
    force
        Whether a release that is there is replaced.
    ledger
        A :class:`Ledger`, or the path of one: the release is checked against the recorded ones, and recorded. Needs ``output``.
    show_values
        Whether cells of the table may be in messages.
    progress
        A function of the phase, what is done and what there is to do; or ``True`` for a bar.

    Returns
    -------
    Release or Infeasible
        The second is false: that no recoding satisfies the policy is an answer.

    Raises
    ------
    PolicyError
        With everything that is wrong with the policy.
    IndistinctError
        If the table cannot be read or does not fit the policy.
    """
    if ledger is not None and output is None:
        raise ValueError("a release that a ledger records needs a place to stay: give output=")
    taken = _optional(data)
    temporary = None
    if output is None:
        temporary = Temporary()
        output = temporary.path / "release"
    with callback(progress) as call:
        text, problems = _native.anonymize(
            taken,
            policy_parts(policy),
            Path(output),
            seed=seed,
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
    return Release(fields, Path(output), like, temporary)


def check(
    data: Union[Data, None], policy: PolicyLike, *, show_values: bool = False, progress: Progress = None
) -> Answer:
    """Tells which principles a table satisfies as it is; ``holds`` is the verdict, ``principles`` the levels reached.

    ``show_values`` lists the quasi-identifier values of the worst classes.
    """
    with callback(progress) as call:
        text, problems = _native.check(_optional(data), policy_parts(policy), show_values=show_values, progress=call)
    fields = read(text)
    warn(problems, fields.get("warnings", ()))
    return Answer(fields)


def profile(
    data: Union[Data, None],
    policy: Union[PolicyLike, None] = None,
    *,
    checklist: Union[str, None] = None,
    progress: Progress = None,
) -> Answer:
    """Tells what a table risks as it is: columns and what their values look like, uniqueness, class sizes, re-identification risk.

    Without a policy, roles of columns are proposed from their names and values. With ``checklist="hipaa"`` the field ``checklist``
    says for each of the 18 identifiers of Safe Harbor where it was found, and what a release by the policy does about it.
    """
    if data is None and policy is None:
        raise ValueError("give a table, or a policy that names one")
    parts = None if policy is None else policy_parts(policy)
    with callback(progress) as call:
        text, problems = _native.profile(_optional(data), parts, checklist=checklist, progress=call)
    warn(problems)
    return Answer(read(text))


class Explored(Answer):
    """An answer about the original table, with a page for its holder."""

    def __init__(self, fields: Mapping[str, Any], page: str) -> None:
        super().__init__(fields)
        self._page = page

    def report(self) -> str:
        """The page as HTML. Do not publish it: it tells about the original table."""
        return self._page


class Advice(Explored):
    """What is within reach."""


class Comparison(Explored):
    """What other choices would cost; false where none of them gives a release."""

    def __bool__(self) -> bool:
        return any("release" in choice for choice in self["choices"])

    def _repr_html_(self) -> str:
        figures = ("risk_max", "risk_mean", "loss", "n_suppressed", "n_classes", "on_frontier")
        rows = []
        for choice in self["choices"]:
            release = choice.get("release")
            said = [shown(release[name]) for name in figures] if release else [choice["why_not"], *[""] * (len(figures) - 1)]
            rows.append((choice["method"], shown(choice["k"]), shown(choice["suppression_limit"]), *said))
        return html_table(("method", "k", "limit", *figures), rows)


def advise(
    data: Union[Data, None], policy: PolicyLike, *, show_values: bool = False, progress: Progress = None
) -> Advice:
    """Tells which parameters are reachable on a table, and what stops the others."""
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
    """Tells what other choices would cost: the policy with another k, method or suppression limit. Nothing is written.

    Each of the ``choices`` has the figures of a release that was searched for and certified, or says why there is none. What is
    left out stands for 3, 5, 10 and 20; for all methods that go with the policy; and for the policy's own limit. ``vary`` gives values of
    parameters of other principles: ``{"entropy-l-diversity.l": [2, 3, 4]}``.
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


def init(data: Data, *, progress: Progress = None) -> Policy:
    """Looks at a table and proposes a policy to start from: roles, hierarchies, a method. A proposal, not a decision.

    What the table cannot tell is asked: :attr:`Policy.questions` lists those columns, comments of the policy's text say what there is
    to decide, and :meth:`Policy.replace` answers.
    """
    with callback(progress) as call:
        text = _native.init(table(data), progress=call)
    # The path of the table in it starts from the current folder, as the path that was given does.
    return Policy.from_toml(text, name="the proposed policy")


def verify(release: ReleaseLike, *, population: Union[PathLike, None] = None, progress: Progress = None) -> Answer:
    """Checks a release directory against its certificate, from its bytes alone; ``holds`` is the verdict."""
    with callback(progress) as call:
        return Answer(read(_native.verify(_directory(release), population=_path(population), progress=call)))


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
    """Measures what a release lost against its original, and what it is still good for.

    Parameters
    ----------
    release
        A :class:`Release`, or its directory.
    original
        The table that it was made of.
    policy
        The policy that it was made with; the copy in its private part if left out.
    queries, dimension, volume
        Number of count queries, attributes in each, and the share of all combinations that each asks for.
    seed
        Of queries and samples.
    target
        The attribute to predict.
    """
    with callback(progress) as call:
        text = _native.measure(
            _directory(release),
            table(original),
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
    """Tells what the known attacks get out of a release.

    Parameters
    ----------
    release
        A :class:`Release`, or its directory.
    original
        The table that it was made of: figures are then measured instead of bounded.
    register
        A table of people with raw quasi-identifiers, to be joined with the release.
    prior
        A table with the raw quasi-identifiers and sensitive values of a population: what an adversary believes beforehand.
    prior_weight
        Its column that says how many people, or what share of all, a line stands for; each line for one person if left out.
    policy
        The policy that it was made with; the copy in its private part if left out.
    worlds
        On how many ways to deal the sensitive values the method is run again, drawn at random where there are more; on all where there
        are few if left out.
    thresholds
        Thresholds of regulators to compare class sizes with, such as ``"ema-0.09"``.
    minima
        What must hold, such as ``"class=11"``, ``"statements=2"`` or ``"interval=0.05"``; ``holds`` is the verdict.
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
    sensitive: Union[str, None] = None,
    minimum: Union[str, None] = None,
    worst: Union[int, None] = None,
    show_values: bool = False,
    progress: Progress = None,
) -> Answer:
    """Tells what an adversary learns who holds several releases.

    Parameters
    ----------
    releases
        Releases, or their directories.
    originals
        For places among the releases the files that they were made of: then only their people are linked.
    sensitive
        The only sensitive attribute to look at.
    minimum
        What must remain for everybody, such as ``"l=3"`` or ``"l=2.5,measure=entropy"``; ``holds`` is the verdict.
    worst
        How many of the worst combinations are listed, with ``show_values``.
    """
    with callback(progress) as call:
        text = _native.link(
            [_directory(release) for release in releases],
            originals=[(place, Path(path)) for place, path in originals.items()],
            sensitive=sensitive,
            minimum=minimum,
            worst=worst,
            show_values=show_values,
            progress=call,
        )
    return Answer(read(text))


class Plan(Answer):
    """What the central agency can choose, and what it chose; without a plan it is false."""

    def __init__(self, fields: Mapping[str, Any], files: Sequence[tuple[str, str]]) -> None:
        super().__init__(fields)
        self._files = list(files)

    def __bool__(self) -> bool:
        return bool(self["status"] == "planned")

    def write(self, path: PathLike) -> Path:
        """Writes the plan to a new file; a large one has two tables beside it, which are named after it."""
        if not self._files:
            raise ValueError("so few rows are not enough for a plan: see n_rows_needed")
        target = Path(path)
        (first, text), *others = self._files
        if others and target.name != first:
            raise ValueError(f"the tables of this plan are named after '{first}': give the plan that name")
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
    basis: Union[str, None] = None,
    eta: Any = None,
    independent: bool = False,
    all_combinations: bool = False,
    title: Union[str, None] = None,
    name: str = "plan.toml",
    progress: Progress = None,
) -> Plan:
    """Chooses classes for releases of several holders, so that joining them leaves ``l`` sensitive values for everybody.

    Parameters
    ----------
    data, policy
        Earlier data, whose columns the policy describes. Or without a policy a table of frequencies, with a line for each
        combination of ``quasi_identifiers`` (all other columns if left out) and of the ``sensitive`` attribute, and how frequent
        it is: a ``count`` of rows or a ``probability``.
    l
        How many sensitive values must remain.
    delta
        With what probability one release may fail, such as ``0.01`` or ``"1/300"``; or ``releases`` and their ``total_failure``.
    order, columns
        The order in which classes are contiguous: ``"space-filling"`` or ``"lexicographic"`` by columns.
    p, classes, rows
        Which point of the trade-off is taken: this p, so many classes, or what so many rows are enough for.
    basis, eta, independent
        What the number of rows rests on; by how much the distribution may be wrong; whether sensitive values do not depend on
        quasi-identifiers.
    all_combinations
        Whether combinations that nobody had get a class, too.
    title, name
        The plan's title, and the name of its file.
    """
    asked = {
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
        "basis": basis,
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
            asked=asked,
            name=name,
            progress=call,
        )
    return Plan(read(text), files)
