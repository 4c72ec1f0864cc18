"""What a process has started, from /proc (Linux)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

TICKS = 100  # clock ticks a second


class Process(NamedTuple):
    number: int
    words: str  # its command line
    cpu: float  # seconds of its own, user and system
    reaped: float  # those of its children that it has waited for


def descendants(root: int) -> Iterator[Process]:
    """What a process has started, and what that has started, and so on."""
    children: dict[int, list[tuple[int, list[str]]]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                told = (entry / "stat").read_text().rpartition(")")[2].split()
            except (FileNotFoundError, ProcessLookupError):
                continue
            children.setdefault(int(told[1]), []).append((int(entry.name), told))
    todo = list(children.get(root, []))
    while todo:
        number, told = todo.pop()
        todo += children.get(number, [])
        try:
            words = Path(f"/proc/{number}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except (FileNotFoundError, ProcessLookupError):
            continue
        user, system, reaped_user, reaped_system = (int(ticks) / TICKS for ticks in told[11:15])
        yield Process(number, words, user + system, reaped_user + reaped_system)
