"""The ledger of releases, against which new releases are checked."""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType
from typing import Any, Union

from . import _native
from ._answers import Answer, read, warn
from ._ask import PathLike, PolicyLike, ReleaseLike, _directory, _optional, anonymize
from ._policy import policy_parts
from ._progress import Progress, callback
from ._release import Infeasible, Release


class Ledger(os.PathLike[str]):
    """A ledger: a file with the published information of each recorded release.

    As a context manager, the ledger is verified when the block begins, and a damaged ledger raises
    an error. No file remains open; each call is a separate transaction.

    >>> with Ledger("releases.ledger") as ledger:  # doctest: +SKIP
    ...     ledger.anonymize(frame, policy, output="release-2")
    """

    def __init__(self, path: PathLike) -> None:
        self._path = Path(path)

    @classmethod
    def create(cls, path: PathLike, *, key: Union[PathLike, None] = None) -> Ledger:
        """Creates an empty ledger. ``key`` is a new file that identifies people of growing tables;
        store it separately.
        """
        _native.ledger_init(Path(path), key=None if key is None else Path(key))
        return cls(path)

    def __fspath__(self) -> str:
        return os.fspath(self._path)

    def __enter__(self) -> Ledger:
        verified = self.verify()
        if not verified:
            raise ValueError(f"the ledger '{self._path}' is damaged; call .verify() for details")
        return self

    def __exit__(
        self,
        kind: Union[type[BaseException], None],
        error: Union[BaseException, None],
        trace: Union[TracebackType, None],
    ) -> None:
        return None

    def anonymize(
        self, data: Any, policy: PolicyLike, output: PathLike, **options: Any
    ) -> Union[Release, Infeasible]:
        """Like :func:`indistinct.anonymize`, but checks the release against the recorded releases
        and records it.
        """
        return anonymize(data, policy, output=output, ledger=self, **options)

    def add(
        self,
        release: ReleaseLike,
        *,
        name: Union[str, None] = None,
        population: Union[str, None] = None,
    ) -> Answer:
        """Records a release that was created without the ledger."""
        return Answer(
            read(
                _native.ledger_add(
                    self._path, _directory(release), name=name, population=population
                )
            )
        )

    def check(
        self,
        release: Union[ReleaseLike, None] = None,
        *,
        policy: Union[PolicyLike, None] = None,
        data: Any = None,
        minimum: Union[str, None] = None,
        original: Union[PathLike, None] = None,
        population: Union[str, None] = None,
        progress: Progress = None,
    ) -> Answer:
        """Links a release, or the release that a policy would produce, with the recorded releases;
        ``holds`` is the verdict.
        """
        if (release is None) == (policy is None):
            raise ValueError("expected either a release or a policy")
        with callback(progress) as call:
            text = _native.ledger_check(
                self._path,
                directory=None if release is None else _directory(release),
                policy=None if policy is None else policy_parts(policy),
                data=_optional(data),
                minimum=minimum,
                original=None if original is None else Path(original),
                population=population,
                progress=call,
            )
        return Answer(read(text))

    def list(self) -> list[Answer]:
        """The recorded releases in order."""
        listing = read(_native.ledger_list(self._path))
        warn([], listing["warnings"])
        return [Answer(record) for record in listing["releases"]]

    def verify(self) -> Answer:
        """Checks that the ledger and the existing release directories are unchanged."""
        return Answer(read(_native.ledger_verify(self._path)))

    def remove(self, name: str, reason: str) -> Answer:
        """Removes a release that no one has received; the ledger records the reason."""
        return Answer(read(_native.ledger_remove(self._path, name, reason)))

    def __repr__(self) -> str:
        return f"Ledger({os.fspath(self._path)!r})"
