"""Answers of the library: its JSON output with named fields."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, KeysView, Mapping, Sequence
from typing import Any

from . import _native
from ._errors import problem_of, spoken, tell


class Answer:
    """An answer. The fields of the JSON output are available as items and as attributes.

    ``answer.principles``, ``answer["principles"]``, and ``answer.to_dict()["principles"]`` are
    equivalent. ``dict(answer)`` also works. An answer is not a ``Mapping``, because some libraries
    would treat the fields of a release as columns.
    """

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self._fields = dict(fields)

    def __getitem__(self, name: str) -> Any:
        return self._fields[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def keys(self) -> KeysView[str]:
        """The names of the fields."""
        return self._fields.keys()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self._fields:
            raise AttributeError(
                f"the answer has no field '{name}'; its fields are {', '.join(self._fields)}"
            )
        return self._fields[name]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._fields]

    def __bool__(self) -> bool:
        """The verdict of the answer. An answer without a verdict is true."""
        return bool(self._fields.get("holds", True))

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {', '.join(self._fields)}>"

    def to_dict(self) -> dict[str, Any]:
        """The fields as a dict."""
        return dict(self._fields)

    def _repr_html_(self) -> str:
        parts = []
        if "holds" in self._fields:
            parts.append(f"<p><b>{'holds' if self._fields['holds'] else 'does not hold'}</b></p>")
        if claims := self._fields.get("principles"):
            parts.append(principles_table(claims))
        plain = {
            name: value
            for name, value in self._fields.items()
            if isinstance(value, (int, float, str))
        }
        parts.append(html_table(("", ""), [(name, shown(value)) for name, value in plain.items()]))
        return "".join(parts)


def html_table(header: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """Renders a small HTML table in which every cell is text."""
    cells = "".join(
        f"<th style='text-align:left'>{html.escape(name)}</th>" for name in header if any(header)
    )
    body = "".join(
        "<tr>"
        + "".join(f"<td style='text-align:left'>{html.escape(cell)}</td>" for cell in row)
        + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>"


def principles_table(claims: list[dict[str, Any]]) -> str:
    """The required level, the reached level, and the verdict for each principle."""
    rows = []
    for claim in claims:
        about = f" ({claim['attribute']})" if claim.get("attribute") else ""
        verdict = "holds" if claim["holds"] else "does not hold"
        rows.append(
            (
                claim["kind"] + about,
                _entries(claim.get("required")),
                _entries(claim.get("reached")),
                verdict,
            )
        )
    return html_table(("principle", "required", "reached", ""), rows)


def _entries(figures: Any) -> str:
    if not isinstance(figures, dict):
        return "-"
    return ", ".join(f"{name} = {shown(value)}" for name, value in figures.items())


def shown(value: Any) -> str:
    """Formats a figure."""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


_SENTENCES = ("assumptions", "notes", "meaning", "why", "why_not")


def _said(fields: dict[str, Any]) -> dict[str, Any]:
    """Replaces command-line options with Python keywords in all sentences of an answer."""
    for name in _SENTENCES:
        said = fields.get(name)
        if isinstance(said, str):
            fields[name] = spoken(said)
        elif isinstance(said, list):
            fields[name] = [spoken(one) if isinstance(one, str) else one for one in said]
    return fields


def read(text: str) -> dict[str, Any]:
    """Parses the fields of an answer."""
    fields: dict[str, Any] = json.loads(text, object_hook=_said)
    return fields


def warn(problems: list[Any], facts: Any = ()) -> None:
    """Issues the warnings of the command and of the answer."""
    texts = [spoken(text) for text in _native.describe_warnings(json.dumps(list(facts)))]
    for text in [*(str(problem_of(*problem)) for problem in problems), *texts]:
        tell(text)
