"""Exceptions and warnings."""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Union


@dataclass(frozen=True)
class Problem:
    """A problem that the library reports."""

    code: str
    """A stable code, such as ``E-POLICY-003``; see ``docs/errors.md``, and ``docs/python.md`` for
    the codes of this package.
    """
    message: str
    """A description of the problem and of the expected input."""
    help: Union[str, None] = None
    """A remedy for the problem."""
    place: Union[str, None] = None
    """The location in the text of the policy: name, line, and column."""

    def __str__(self) -> str:
        place = f" ({self.place})" if self.place else ""
        help_text = f"\n  help: {self.help}" if self.help else ""
        return f"{self.code}: {self.message}{place}{help_text}"


_OPTION = re.compile(r"--([a-z][a-z-]*)(?: ([A-Z]{2,}\b|[a-z]+=[^\s;)]*[^\s;),.]))?")
_SWITCHES = {"all_combinations", "force", "independent", "known_distribution", "show_values"}


def spoken(text: str) -> str:
    """Replaces command-line options in a message of the library with Python keywords.

    >>> spoken("use --policy FILE; --show-values lists the values; for example --minimum l=3")
    'use policy=FILE; show_values=True lists the values; for example minimum="l=3"'
    """

    def keyword(option: re.Match[str]) -> str:
        name, value = option[1].replace("-", "_"), option[2] or "..."
        if name in _SWITCHES:
            return f"{name}=True" + (f" {option[2]}" if option[2] else "")
        return f'{name}="{value}"' if "=" in value else f"{name}={value}"

    return _OPTION.sub(keyword, text)


def problem_of(code: str, message: str, help: Union[str, None], place: Union[str, None]) -> Problem:
    """Converts a problem of the library."""
    return Problem(code, spoken(message), help and spoken(help), place)


def _problems(found: Iterable[object]) -> tuple[Problem, ...]:
    return tuple(one if isinstance(one, Problem) else problem_of(*one) for one in found)  # type: ignore[misc]


class IndistinctError(Exception):
    """The base class of errors; a single exception contains all problems."""

    problems: tuple[Problem, ...]
    """All problems. No text contains a cell from the table unless ``show_values`` is set."""

    def __init__(self, problems: Iterable[object]) -> None:
        self.problems = _problems(problems)
        super().__init__(self.problems)

    def __str__(self) -> str:
        several = f"{len(self.problems)} problems\n" if len(self.problems) > 1 else ""
        return several + "\n".join(str(problem) for problem in self.problems)


class PolicyError(IndistinctError, ValueError):
    """The policy is invalid or does not match the table."""


class DataError(IndistinctError, ValueError):
    """A frame cannot be converted to a table."""


class NotReleasedError(IndistinctError):
    """There is no release, because the policy cannot be satisfied."""


class IndistinctWarning(UserWarning):
    """A warning for the data holder about input that is accepted but may be wrong."""


def tell(text: str) -> None:
    """Issues a warning at the line that called the package."""
    package = __name__.partition(".")[0]
    frame, level = sys._getframe(1), 2
    while (
        frame.f_back is not None
        and frame.f_globals.get("__name__", "").partition(".")[0] == package
    ):
        frame, level = frame.f_back, level + 1
    warnings.warn(text, IndistinctWarning, stacklevel=level)
