"""Outputs that another program deletes or replaces while a run writes them."""

import shutil
from collections.abc import Callable
from pathlib import Path

from crash import Bench
from harness import Process, require
from moments import read

FOREIGN = b"foreign\n"


def deleted(path: Path) -> None:
    path.unlink()


def replaced(path: Path) -> None:
    path.unlink()
    path.write_bytes(FOREIGN)


def linked(path: Path) -> None:
    path.unlink()
    other = path.with_name("other")
    other.write_bytes(FOREIGN)
    path.symlink_to(other)


def folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


CHANGES: list[Callable[[Path], None]] = [deleted, replaced, linked, folder]


def is_untouched(path: Path, change: Callable[[Path], None]) -> bool:
    if change is deleted:
        return not path.exists()
    return path.is_dir() if change is folder else path.read_bytes() == FOREIGN


def targets(bench: Bench) -> list[Path]:
    """What the run has open, by the names that it has now."""
    if bench.sink.database:
        path = bench.here / bench.sink.database
        # Its tables are there: the run has begun to write.
        return [path] if path.exists() and path.stat().st_size > 16384 else []
    return sorted(bench.here.rglob("*.part"))


def vanished_outputs(bench: Bench) -> None:
    """Changes one file at several moments of a run, in every way."""
    seconds = bench.reference(bench.sink.every[0]).seconds
    for number, change in enumerate(CHANGES):
        for share in (0.3, 0.6):
            bench.meet(seconds * share, lambda process: vanish(bench, process, change, number), change.__name__)
    shutil.rmtree(bench.here)


def vanish(bench: Bench, process: Process, change: Callable[[Path], None], number: int) -> float | None:
    is_running = process.frozen()
    found = targets(bench) if is_running else []
    is_running = is_running and not bench.is_finished()
    if not found or not is_running:
        process.thaw()
        process.end()
        return 1.3 if is_running else 0.7
    chosen = found[number % len(found)]
    change(chosen)
    process.thaw()
    outcome = process.end()
    words = f"{chosen.name} was {change.__name__}"
    require(outcome.status == 2, f"{words}, and the run does not tell", outcome)
    says = "run the command again" in outcome.stderr and chosen.name in outcome.stderr
    require(says, f"{words}, and nothing is advised", outcome)
    require(is_untouched(chosen, change), f"{words}, and what took its place was changed")
    require(b'"state":"finished"' not in read(bench.here / "k.json"), f"{words}, and the run counts as finished")
    final = chosen.with_name(chosen.name.removesuffix(".part"))
    require(bench.sink.database or not final.exists(), f"{words}, and {final.name} is there")
    return None
