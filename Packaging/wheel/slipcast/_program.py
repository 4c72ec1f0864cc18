"""Where the program is."""

from __future__ import annotations

import os
from pathlib import Path

HERE = Path(__file__).resolve().parent


def path() -> str:
    """The program: that of the environment's ``SLIPCAST``, or the one in this package."""
    return os.environ.get("SLIPCAST") or str(HERE / "program" / "bin" / "slipcast")


def version() -> str:
    """The version of the program in this package."""
    return (HERE / "program" / "VERSION").read_text(encoding="ascii").strip()
