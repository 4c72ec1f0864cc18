"""The command: becomes the program in this package."""

from __future__ import annotations

import os
import sys

from ._program import path


def main() -> None:
    """Runs the program in place of this process."""
    program = path()
    try:
        os.execv(program, [program, *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"slipcast: {program}: {error.strerror}; install the package for this system and processor")


if __name__ == "__main__":
    main()
