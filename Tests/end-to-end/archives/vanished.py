"""Outputs that another program deletes or replaces while a run writes them."""

import shutil
import time
from collections.abc import Callable
from pathlib import Path

from crash import Bench
from harness import require
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


def vanished_outputs(bench: Bench) -> int:
    """Changes one file at several moments of a run, in every way; gives how many runs met it."""
    every = bench.sink.every[0]
    reference = bench.reference(every)
    count = 0
    for number, change in enumerate(CHANGES):
        for share in (0.3, 0.6):
            moment = reference.seconds * share
            for attempt in range(12):
                bench.sink.reset(bench.here)
                process = bench.program.start(bench.start_command(every), bench.here)
                time.sleep(moment)
                is_running = process.frozen()
                found = targets(bench) if is_running else []
                if not found:
                    process.thaw()
                    process.end()
                    moment *= 0.7 if not is_running else 1.3
                    continue
                chosen = found[(number + attempt) % len(found)]
                change(chosen)
                process.thaw()
                outcome = process.end()
                words = f"{chosen.name} was {change.__name__} after {moment:.2f} s"
                require(outcome.status == 2, f"{words}, and the run does not tell", outcome)
                says = "run the command again" in outcome.stderr and chosen.name in outcome.stderr
                require(says, f"{words}, and nothing is advised", outcome)
                require(is_untouched(chosen, change), f"{words}, and what took its place was changed")
                require(b'"state":"finished"' not in read(bench.here / "k.json"), f"{words}, and the run counts as finished")
                if not bench.sink.database:
                    final = chosen.with_name(chosen.name.removesuffix(".part"))
                    require(not final.exists(), f"{words}, and {final.name} is there")
                count += 1
                break
            else:
                require(False, f"no run could be stopped for {change.__name__}")
    shutil.rmtree(bench.here)
    return count
