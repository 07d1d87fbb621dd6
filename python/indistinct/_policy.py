"""Policies from a file, a dict, TOML text, or keywords."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Union

from . import _native
from ._data import table
from ._entries import Entries, Principle, plain
from ._errors import PolicyError, Problem
from ._keys import (
    Attribute,
    Context,
    Hierarchy,
    Input,
    Linkage,
    Output,
    People,
    Population,
    Recoding,
    Search,
)

Names = Union[str, Sequence[str], Mapping[str, Any]]


class Policy:
    """The requirements for a release, and the settings for its creation.

    A policy consists of the text of a policy file (``docs/policy.md``) and the base folder of its
    relative paths. The keywords are the tables of that file, with the defaults of the policy
    format. When the policy is used, a single :class:`PolicyError` reports all problems.

    Parameters
    ----------
    principles
        The required principles, such as ``[KAnonymity(5), EntropyLDiversity("diagnosis", 3)]``.
    identifiers, quasi_identifiers, sensitive, insensitive
        The columns of each role: a name, several names, or a dict from names to further keys of the
        column (an :class:`Attribute` or a dict, or ``None``). Every column of the table needs a
        role, unless ``input=Input(unlisted="drop")`` omits the others.
    hierarchies
        The generalization hierarchy of each column: a :class:`Hierarchy`; a dict of labels with the
        values or labels below them; a frame or a list of rows, each with a value and its label at
        every level; or the path of a CSV file in the format of ARX.
    title
        The title of the report.
    release, input, recoding, search, linkage, output
        The policy tables of the same name.
    folder
        The base folder of relative paths; by default the current folder.

    Examples
    --------
    >>> policy = Policy(
    ...     quasi_identifiers=["age", "town"],
    ...     sensitive="diagnosis",
    ...     principles=[KAnonymity(5)],
    ...     hierarchies={"age": Hierarchy(intervals=[10, 20])},
    ... )
    >>> print(policy.to_toml())
    version = 1
    <BLANKLINE>
    [attributes.age]
    role = "quasi-identifier"
    <BLANKLINE>
    [attributes.age.hierarchy]
    intervals = [10, 20]
    <BLANKLINE>
    [attributes.town]
    role = "quasi-identifier"
    <BLANKLINE>
    [attributes.diagnosis]
    role = "sensitive"
    <BLANKLINE>
    [[principles]]
    kind = "k-anonymity"
    k = 5
    <BLANKLINE>
    """

    def __init__(
        self,
        *,
        principles: Sequence[Union[Principle, Mapping[str, Any]]] = (),
        identifiers: Names = (),
        quasi_identifiers: Names = (),
        sensitive: Names = (),
        insensitive: Names = (),
        hierarchies: Union[Mapping[str, Any], None] = None,
        title: Union[str, None] = None,
        release: Union[Context, Mapping[str, Any], None] = None,
        input: Union[Input, Mapping[str, Any], None] = None,
        people: Union[People, Mapping[str, Any], None] = None,
        population: Union[Population, Mapping[str, Any], None] = None,
        recoding: Union[Recoding, Mapping[str, Any], None] = None,
        search: Union[Search, Mapping[str, Any], None] = None,
        linkage: Union[Linkage, Mapping[str, Any], None] = None,
        output: Union[Output, Mapping[str, Any], None] = None,
        folder: Union[str, os.PathLike[str], None] = None,
    ) -> None:
        attributes: dict[str, Any] = {}
        roles = {
            "identifier": identifiers,
            "quasi-identifier": quasi_identifiers,
            "sensitive": sensitive,
            "insensitive": insensitive,
        }
        for role, names in roles.items():
            for name, more in _named(names):
                if name in attributes:
                    raise ValueError(
                        f"the column '{name}' has two roles: {attributes[name]['role']} and {role}"
                    )
                attributes[name] = {"role": role, **more}
        _declare(attributes, hierarchies or {})
        tables = {
            "release": release,
            "input": input,
            "people": people,
            "population": population,
            "recoding": recoding,
            "search": search,
            "linkage": linkage,
            "output": output,
        }
        contents = {
            "version": 1,
            "title": title,
            "attributes": attributes,
            "principles": list(principles),
            **tables,
        }
        self._set(_toml(contents), None, folder)

    def _set(
        self, text: str, name: Union[str, None], folder: Union[str, os.PathLike[str], None]
    ) -> None:
        self._text = text
        self._name = name
        self._folder = Path.cwd() if folder is None else Path(folder)

    @classmethod
    def from_file(cls, path: Union[str, os.PathLike[str]]) -> Policy:
        """Reads a policy file."""
        return cls.from_toml(
            Path(path).read_text(encoding="utf-8"), folder=Path(path).parent, name=os.fspath(path)
        )

    @classmethod
    def from_toml(
        cls,
        text: str,
        *,
        folder: Union[str, os.PathLike[str], None] = None,
        name: Union[str, None] = None,
    ) -> Policy:
        """Parses the text of a policy file; ``name`` appears in messages."""
        policy = cls.__new__(cls)
        policy._set(text, name, folder)
        return policy

    @classmethod
    def from_dict(
        cls, contents: Mapping[str, Any], *, folder: Union[str, os.PathLike[str], None] = None
    ) -> Policy:
        """Creates a policy from nested dicts with the tables of a policy file."""
        return cls.from_toml(_toml(contents), folder=folder)

    def replace(
        self, *, hierarchies: Union[Mapping[str, Any], None] = None, **changes: Any
    ) -> Policy:
        """Returns a modified copy of the policy; the changes are keywords of :class:`Policy`.

        Named columns receive the given role and keep their other keys. Texts, tables, and the list
        of principles are replaced as a whole. Comments are not preserved.

        >>> policy = Policy(quasi_identifiers=["age", "town"], principles=[KAnonymity(5)])
        >>> changed = policy.replace(insensitive="town", principles=[KAnonymity(10)])
        >>> changed.to_dict()["attributes"]["town"], changed.to_dict()["principles"]
        ({'role': 'insensitive'}, [{'kind': 'k-anonymity', 'k': 10}])
        """
        before, after = self.to_dict(), Policy(**changes).to_dict()
        attributes = before.get("attributes", {})
        for name, keys in after.pop("attributes", {}).items():
            attributes[name] = {**attributes.get(name, {}), **keys}
        _declare(attributes, hierarchies or {})
        if "principles" not in changes:
            after.pop("principles", None)
        contents = {**before, **after, "attributes": attributes}
        return Policy.from_toml(
            _toml(contents), folder=changes.get("folder", self._folder), name=self._name
        )

    @property
    def questions(self) -> list[str]:
        """Columns without a decided role (``role = "?"``). The policy cannot be used before
        :meth:`replace` sets their roles.
        """
        attributes = self.to_dict().get("attributes", {})
        return [name for name, keys in attributes.items() if keys.get("role") == "?"]

    def to_toml(self) -> str:
        """The text of the policy file."""
        return self._text

    def to_dict(self) -> dict[str, Any]:
        """The tables of the policy as nested dicts."""
        contents: dict[str, Any] = json.loads(_native.json_of(self._text))
        return contents

    def write(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the policy to a new file."""
        with open(path, "x", encoding="utf-8") as file:
            file.write(self._text)

    @property
    def folder(self) -> Path:
        """The base folder of relative paths."""
        return self._folder

    def __repr__(self) -> str:
        try:
            questions = self.questions
        except ValueError:  # invalid TOML, which is reported when the policy is used
            questions = []
        asks = (
            ", undecided roles: " + ", ".join(f"'{name}'" for name in questions)
            if questions
            else ""
        )
        return f"<Policy{f' {self._name!r}' if self._name else ''}{asks}>"

    def _repr_markdown_(self) -> str:
        return f"```toml\n{self._text}\n```"

    def _parts(self) -> tuple[str, str, Path]:
        # Problems in a policy without a file refer to the lines of this text.
        return self._text, self._name or "policy.to_toml()", self._folder


def policy_parts(policy: Any) -> tuple[str, str, Path]:
    """Converts a policy, a dict, or the path of a policy file for the native module."""
    if isinstance(policy, Mapping):
        policy = Policy.from_dict(policy)
    elif isinstance(policy, (str, os.PathLike)):
        policy = _file(policy)
    if not isinstance(policy, Policy):
        raise TypeError(
            f"an object of type '{type(policy).__name__}' is not a policy: expected a Policy, a dict, or the path of a policy file"
        )
    return policy._parts()


def _file(path: Union[str, os.PathLike[str]]) -> Policy:
    if isinstance(path, str) and "\n" in path:
        problem = "a string with several lines is not the path of a policy file"
    else:
        try:
            return Policy.from_file(path)
        except OSError as error:
            problem = f"the policy file '{os.fspath(path)!s}' cannot be read: {error.strerror}"
    raise PolicyError(
        [
            Problem(
                "E-PYTHON-009",
                problem,
                "check the path; to parse the text of a policy, use ind.Policy.from_toml(...)",
            )
        ]
    ) from None


def _toml(contents: Mapping[str, Any]) -> str:
    return _native.toml_of(json.dumps(plain(contents), allow_nan=False))


def _named(names: Names) -> list[tuple[str, dict[str, Any]]]:
    if isinstance(names, str):
        names = [names]
    if not isinstance(names, Mapping):
        return [(name, {}) for name in names]
    found = []
    for name, more in names.items():
        entries = dict(more.to_dict() if isinstance(more, Entries) else more or {})
        if "hierarchy" in entries:
            entries["hierarchy"] = plain(entries["hierarchy"])
        entries.pop("role", None)
        found.append((name, entries))
    return found


def _declare(attributes: dict[str, Any], hierarchies: Mapping[str, Any]) -> None:
    for name, declared in hierarchies.items():
        if name not in attributes:
            raise ValueError(f"the column '{name}' has a hierarchy but no role")
        attributes[name]["hierarchy"] = _hierarchy(declared)


def _hierarchy(declared: Any) -> dict[str, Any]:
    if isinstance(declared, Hierarchy):
        return declared.to_dict()
    if isinstance(declared, Mapping):
        return {"tree": _branches(declared)}
    if isinstance(declared, (str, os.PathLike)):
        return {"csv": os.fspath(declared)}
    if isinstance(declared, Sequence):
        return {"rows": [[text(cell) for cell in row] for row in declared]}
    taken = table(declared, "hierarchy")
    assert isinstance(taken, _native.Table)
    return {"rows": taken.texts()}


def _branches(labels: Mapping[Any, Any]) -> dict[str, Any]:
    below: dict[str, Any] = {}
    for label, parts in labels.items():
        if isinstance(parts, Mapping):
            below[text(label)] = [{name: branch} for name, branch in _branches(parts).items()]
        else:
            below[text(label)] = [
                _branches(it) if isinstance(it, Mapping) else text(it) for it in parts
            ]
    return below


def text(value: Any) -> str:
    """Converts a value to the text of a cell."""
    if value is None:
        return ""
    if hasattr(value, "item"):  # a NumPy number
        value = value.item()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)


__all__ = ["Attribute", "Policy"]
