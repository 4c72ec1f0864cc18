"""Crashes at chosen moments: behind each checkpoint, and in the middle of a database's commit."""

import json
import shutil
import sqlite3
import time
from pathlib import Path

from crash import Bench
from harness import Process, anew, require
from interrupts import interrupted


def snapshots(bench: Bench) -> list[Path]:
    """What a run would leave if it were killed behind its checkpoints, one folder for each."""
    bench.sink.reset(bench.here)
    store = anew(bench.folder / "moments")
    process = bench.program.start(bench.start_command(0, "--jobs", "1"), bench.here)
    found: list[Path] = []
    last = b""
    while process.process.poll() is None:
        checkpoint = read(bench.here / "k.json")
        if checkpoint == last:
            time.sleep(0.0002)
            continue
        last = checkpoint
        if process.frozen():
            found.append(store / str(len(found)))
            shutil.copytree(bench.here, found[-1])
            process.thaw()
    process.end()
    return found


def read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""


def each_checkpoint(bench: Bench, stride: int) -> int:
    """Goes on from all checkpoints of a run, or each so many; gives how many."""
    reference = bench.reference(0)
    kept = snapshots(bench)
    require(len(kept) >= 5, f"only {len(kept)} checkpoints were seen")
    chosen = [*kept[:: max(1, stride)], kept[-1]]
    for folder in chosen:
        shutil.rmtree(bench.here)
        shutil.copytree(folder, bench.here)
        bench.finish(0, reference)
    return len(chosen)


def rows_without_a_key(bench: Bench) -> None:
    """Rows that have no order: going on in their middle must be refused, not guessed."""
    bench.inputs = [location.replace("&key=number", "") for location in bench.inputs]
    bench.folder = anew(bench.folder / "without a key")
    reference = bench.reference(0)
    refused = 0
    for folder in snapshots(bench):
        position = json.loads((folder / "k.json").read_bytes())["position"]
        is_inside = position["records"] > 0 and not position["behindMember"]
        shutil.rmtree(bench.here)
        shutil.copytree(folder, bench.here)
        if not is_inside:
            bench.finish(0, reference)
            continue
        outcome = bench.program.convert(bench.command(0, "--resume"), bench.here)
        require(outcome.status == 2 and "key=COLUMN" in outcome.stderr, "rows without a key go on", outcome)
        refused += 1
    require(refused > 0, "no checkpoint lay between two rows")


def two_runs(bench: Bench) -> None:
    """A second run beside one that still goes on: it is refused, and the first ends as ever."""
    every = bench.sink.every[0]
    reference = bench.reference(every)

    def act(first: Process) -> float | None:
        if not first.frozen():
            first.end()
            return 0.7
        second = bench.program.convert(bench.command(every, "--resume"), bench.here)
        first.thaw()
        ended = first.end()
        if "another run" not in second.stderr:
            # The first had nothing open yet.
            return 1.3
        require(second.status == 2, "a second run is not refused", second)
        require(ended.status == reference.status, "a second run disturbs the first", ended)
        bench.sink.compare(bench.here, reference.state)
        return None

    bench.meet(reference.seconds / 3, act, "a second run")


def torn_schema(bench: Bench) -> None:
    """A store that was killed while its tables were made: a header, a journal, and nothing in it."""
    every = bench.sink.every[0]
    reference = bench.reference(every)
    bench.sink.reset(bench.here)
    path = bench.here / bench.sink.database
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE soon_gone (number INTEGER)")
        database.execute("DROP TABLE soon_gone")
    database.close()
    bench.finish(every, reference)


def hot_journal(bench: Bench) -> None:
    """A store that was killed while SQLite wrote into the file: what it began must be taken back."""
    every = bench.sink.every[0]
    interrupted(bench, every)
    path = bench.here / bench.sink.database
    torn = anew(bench.folder / "torn")
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA cache_size = 1")
    database.execute("BEGIN IMMEDIATE")
    database.execute("UPDATE notifications SET body = body || ' '")
    for file in bench.here.iterdir():
        shutil.copy(file, torn / file.name)
    database.execute("ROLLBACK")
    database.close()
    require((torn / f"{path.name}-journal").stat().st_size > 512, "no journal was left")
    shutil.rmtree(bench.here)
    shutil.copytree(torn, bench.here)
    dry_run = bench.program.convert([*bench.inputs, "--to", path.name], bench.here)
    require("dry run" in dry_run.stderr and dry_run.status == 1, "a dry run fails", dry_run)
    bench.finish(every, bench.reference(every))
