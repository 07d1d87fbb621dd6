"""The ``indistinct`` command."""

from __future__ import annotations

import sys

from . import _native


def main() -> int:
    """Runs the command with the arguments of this process."""
    return _native.command(["indistinct", *sys.argv[1:]])
