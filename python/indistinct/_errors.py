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
    """One thing that is wrong."""

    code: str
    """A stable code, such as ``E-POLICY-003``; ``docs/errors.md`` lists them, and ``docs/python.md`` those of this package."""
    message: str
    """What is wrong, and what was expected."""
    help: Union[str, None] = None
    """What to do about it."""
    place: Union[str, None] = None
    """Where in the text of the policy: name, line and column."""

    def __str__(self) -> str:
        place = f" ({self.place})" if self.place else ""
        help_text = f"\n  help: {self.help}" if self.help else ""
        return f"{self.code}: {self.message}{place}{help_text}"


_OPTION = re.compile(r"--([a-z][a-z-]*)(?: ([A-Z]{2,}\b|[a-z]+=[^\s;)]*[^\s;),.]))?")
_SWITCHES = {"all_combinations", "force", "independent", "show_values"}


def spoken(text: str) -> str:
    """A sentence of the library with keywords in place of the command's options.

    >>> spoken("give it with --policy FILE; --show-values names them; for example --minimum l=3")
    'give it with policy=FILE; show_values=True names them; for example minimum="l=3"'
    """

    def keyword(option: re.Match[str]) -> str:
        name, value = option[1].replace("-", "_"), option[2] or "..."
        if name in _SWITCHES:
            return f"{name}=True" + (f" {option[2]}" if option[2] else "")
        return f'{name}="{value}"' if "=" in value else f"{name}={value}"

    return _OPTION.sub(keyword, text)


def problem_of(code: str, message: str, help: Union[str, None], place: Union[str, None]) -> Problem:
    """What the library says is wrong."""
    return Problem(code, spoken(message), help and spoken(help), place)


def _problems(found: Iterable[object]) -> tuple[Problem, ...]:
    return tuple(one if isinstance(one, Problem) else problem_of(*one) for one in found)  # type: ignore[misc]


class IndistinctError(Exception):
    """Why a question cannot be answered: everything that is wrong, in one exception."""

    problems: tuple[Problem, ...]
    """All of it. No cell of the table is in any text unless ``show_values`` asked for it."""

    def __init__(self, problems: Iterable[object]) -> None:
        self.problems = _problems(problems)
        super().__init__(self.problems)

    def __str__(self) -> str:
        several = f"{len(self.problems)} problems\n" if len(self.problems) > 1 else ""
        return several + "\n".join(str(problem) for problem in self.problems)


class PolicyError(IndistinctError, ValueError):
    """The policy is wrong, or does not fit the table."""


class DataError(IndistinctError, ValueError):
    """A frame that cannot be taken as a table."""


class NotReleasedError(IndistinctError):
    """There is no release to look at: the policy cannot be met."""


class IndistinctWarning(UserWarning):
    """Something that is accepted, and that the holder of the table should know."""


def tell(text: str) -> None:
    """Warns at the line that called the package."""
    package = __name__.partition(".")[0]
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == package:
        frame, level = frame.f_back, level + 1
    warnings.warn(text, IndistinctWarning, stacklevel=level)
