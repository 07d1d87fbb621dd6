"""Functions for writing hierarchies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Union


def generate_intervals(
    quasi_ident: Sequence[float], inf: Union[int, float], sup: Union[int, float], step: int
) -> list[str]:
    """Returns for each number the label of its interval ``[low, high)``. The intervals start at
    ``inf`` and have the width ``step``.
    """
    labels = []
    for number in quasi_ident:
        low = inf + (number - inf) // step * step
        if not inf <= low <= sup:
            raise ValueError(f"a value is outside of [{inf}, {sup}]")
        labels.append(f"[{low}, {low + step})")
    return labels
