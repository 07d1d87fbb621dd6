"""Progress reports by a callback or a tqdm bar."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Union

Progress = Union[Callable[[str, int, int], object], bool, None]
"""A function of the phase (``count``, ``search``, ``write``), the completed amount, and the total
amount (0 if unknown); ``True`` displays a tqdm bar if tqdm is installed."""


@contextmanager
def callback(progress: Progress) -> Iterator[Union[Callable[[str, int, int], object], None]]:
    """The callback for the native module."""
    if progress is None or progress is False:
        yield None
    elif callable(progress):
        yield progress
    else:
        bar = _Bar()
        try:
            yield bar
        finally:
            bar.close()


class _Bar:
    def __init__(self) -> None:
        try:
            from tqdm.auto import tqdm  # type: ignore[import-untyped,unused-ignore]
        except ImportError:
            tqdm = None
        self._tqdm: Any = tqdm
        self._bar: Any = None
        self._phase = ""

    def __call__(self, phase: str, done: int, total: int) -> None:
        if self._tqdm is None:
            return
        if phase != self._phase:
            self.close()
            self._phase = phase
            self._bar = self._tqdm(desc=phase, total=total or None)
        self._bar.total = total or None
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
        self._bar = None
