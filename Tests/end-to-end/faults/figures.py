"""The figures of memory that SECURITY.md states: a check fails at 1.3 times what its row says."""

import re
from functools import cache

from harness import ROOT, Failure

MOST = 1.3


@cache
def stated(part: str) -> float:
    """The megabytes that the row of a part states; where it has several, the last."""
    for line in (ROOT / "SECURITY.md").read_text("utf-8").splitlines():
        if line.startswith("| `") and f"`{part}`" in line.split("|")[1]:
            if found := re.findall(r"(\d+) MB", line.rsplit("|", 2)[1]):
                return float(found[-1])
    raise Failure(f"SECURITY.md states no memory for {part}")


def most(part: str) -> float:
    """The megabytes at which a check of the part fails."""
    return MOST * stated(part)
