"""Runs the command by ``python -m indistinct``."""

import sys

from ._command import main

sys.exit(main())
