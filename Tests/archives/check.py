"""Ends conversions of an archive in every way, and expects that nothing is lost or doubled.

Usage:

    python3 Tests/archives/check.py SLIPCAST [--rounds N] [--seed S] [--size M] [--only NAME]… [--round R] [--keep FOLDER]

Names: crash (or one kind of sink, such as crash/zstd), and those that `CHECKS` lists. --round repeats one round of
a crash test, --size multiplies the archive. PostgreSQL is used when SLIPCAST_POSTGRES names a server, whose schema
`public` is emptied. The folder is kept after a failure.
"""

import argparse
import os
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import archive
from crash import Bench, crash_test
from chain import from_postgresql, from_sqlite, rows, through_databases
from faults import Loss, Restart, closed_pipe, damaged_sources, full_device, full_disk, lost_server, unwritable
from faults import absent_server, full_temporary
from harness import Failure, Program, Skipped, anew, require
from interrupts import interrupt_test
from moments import each_checkpoint, hot_journal, rows_without_a_key, torn_schema, two_runs
from refusals import database_refusals, file_refusals, goes_on_afterwards
from sinks import Server, Sink, sinks
from vanished import vanished_outputs

ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Setting:
    """What all checks share."""

    program: Program
    archive: archive.Archive
    rows: str
    server: Server | None
    folder: Path
    seed: int
    # Of so many checkpoints of a run one is gone on from; more than one means that the test is to be short.
    stride: int
    failures: list[str] = field(default_factory=list)

    def bench(self, sink: Sink, area: str) -> Bench:
        inputs = [self.rows] if sink.reads_rows else self.archive.sources
        folder = self.folder / area / sink.name
        folder.mkdir(parents=True, exist_ok=True)
        return Bench(self.program, sink, inputs, folder)


def table_of_rows(path: Path, records: archive.Archive) -> str:
    """A table with legacy records, some of them no records; gives its location."""
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE inbox (number INTEGER PRIMARY KEY, payload TEXT, arrived INTEGER)")
        for number, body in enumerate(records.good, 1):
            text = "no record" if number % 50 == 0 else body
            database.execute("INSERT INTO inbox VALUES (?, ?, ?)", (number, text, 1_650_000_000_000 + number))
    database.close()
    return f"sqlite:{path}?table=inbox&key=number&body=payload&received-at=arrived"


def crashes(setting: Setting, only: list[str], rounds: range) -> None:
    for sink in sinks(setting.server):
        if only and f"crash/{sink.name}" not in only and "crash" not in only:
            continue
        began = time.monotonic()
        tally = crash_test(setting.bench(sink, "crash"), setting.seed, rounds)
        print(
            f"crash {sink.name}: {tally.rounds} rounds, {tally.hits} of {tally.kills} kills hit a running process,"
            f" {len(tally.failures)} failures, {time.monotonic() - began:.1f} s",
            flush=True,
        )
        setting.failures += tally.failures
        # A kill near the end of a run may come too late when the machine is quicker than before.
        if tally.kills >= 10 and tally.hits * 2 < tally.kills:
            setting.failures.append(f"crash {sink.name}: only {tally.hits} of {tally.kills} kills hit")


def benches(setting: Setting, area: str, names: list[str]) -> list[Bench]:
    """The named kinds of sinks; in a short test without those that differ little from others."""
    similar = {"refusals": ["zstd", "dedupe"], "encounters": ["zstd", "dedupe"]}.get(area, [])
    left_out = similar if setting.stride > 1 else []
    chosen = [sink for sink in sinks(setting.server) if sink.name in names and sink.name not in left_out]
    return [setting.bench(sink, area) for sink in chosen]


def moments(setting: Setting) -> str:
    """Crashes at chosen moments."""
    count = 0
    for bench in benches(setting, "moments", ["ndjson", "zstd", "split-count", "dedupe", "rows"]):
        try:
            count += each_checkpoint(bench, setting.stride)
        except Failure as failure:
            raise Failure(f"{bench.sink.name}: {failure}") from failure
    [unordered, store] = benches(setting, "moments", ["rows", "sqlite"])
    rows_without_a_key(unordered)
    hot_journal(store)
    torn_schema(store)
    return f"{count} checkpoints, rows without a key, a journal, torn tables"


def encounters(setting: Setting) -> str:
    """Two runs with the same target."""
    found = benches(setting, "encounters", ["ndjson", "zstd", "split-count", "dedupe", "sqlite", "postgresql"])
    for bench in found:
        try:
            two_runs(bench)
        except Failure as failure:
            raise Failure(f"{bench.sink.name}: {failure}") from failure
    return f"{len(found)} kinds of sinks"


def vanishing(setting: Setting) -> str:
    """Outputs that are deleted or replaced during a run."""
    count = 0
    for bench in benches(setting, "vanishing", ["ndjson", "zstd", "split-count", "dedupe", "sqlite"]):
        try:
            count += vanished_outputs(bench)
        except Failure as failure:
            raise Failure(f"{bench.sink.name}: {failure}") from failure
    return f"{count} runs"


def interrupts(setting: Setting) -> str:
    """Ctrl-C, and the command that is printed then."""
    found = benches(setting, "interrupts", ["ndjson", "zstd", "split-count", "dedupe", "rows", "sqlite", "postgresql"])
    wrong = []
    for place, bench in enumerate(found):
        try:
            interrupt_test(bench, signal.SIGTERM if place == 2 else signal.SIGINT)
        except Failure as failure:
            wrong.append(f"{bench.sink.name}: {failure}")
    require(not wrong, "\n".join(wrong))
    return f"{len(found)} kinds of sinks"


def refusals(setting: Setting) -> str:
    """What must not go on."""
    count, wrong = 0, []
    for bench in benches(setting, "refusals", ["ndjson", "zstd", "split-count", "dedupe", "sqlite", "postgresql"]):
        test = file_refusals if bench.sink.checkpoint else database_refusals
        try:
            count += test(ROOT, bench, setting.archive.folder)
            if bench.sink.checkpoint:
                goes_on_afterwards(bench)
        except Failure as failure:
            wrong.append(f"{bench.sink.name}: {failure}")
    require(not wrong, "\n".join(wrong))
    return f"{count} refusals"


def full_disks(setting: Setting) -> str:
    """Disks with too little room."""
    targets = [
        (Sink("ndjson", ["--to", "v2.ndjson", "--rejects", "rejects.ndjson"]), "900k"),
        (Sink("rejects", ["--to", "v2.ndjson.zst", "--plain", "--provenance", "v2.account.ndjson"]), "2m"),
        (Sink("zstd", ["--to", "v2.ndjson.zst", "--rejects", "rejects.ndjson.zst"]), "100k"),
        (Sink("split", ["--to", "v2", "--split", "100"]), "900k"),
        (Sink("sqlite", ["--to", "store.sqlite", "--execute"], checkpoint=[], database="store.sqlite"), "2m"),
    ]
    for sink, size in targets:
        try:
            full_disk(setting.bench(sink, "full-disks"), size)
        except Failure as failure:
            raise Failure(f"{sink.name}: {failure}") from failure
    commands = full_temporary(setting.program, setting.archive.sources, anew(setting.folder / "full-disks" / "temporary"))
    return f"{len(targets)} kinds of sinks, {commands} commands with temporary files"


def streams(setting: Setting) -> str:
    """Standard output that is closed or full."""
    folder = anew(setting.folder / "streams")
    closed_pipe(setting.program, setting.archive.sources, folder)
    full_device(setting.program, setting.archive.sources, folder)
    return "a closed pipe and a full device"


def places(setting: Setting) -> str:
    """Folders that are not there or cannot be written to."""
    folder = anew(setting.folder / "places")
    folder.chmod(0o777)
    return f"{unwritable(setting.program, setting.archive.sources[:1], folder)} places"


def damages(setting: Setting) -> str:
    """Sources that are damaged."""
    folder = anew(setting.folder / "damages")
    lines = archive.lined(record.encode() for record in setting.archive.good[:150])
    tar = archive.tarred({"one.ndjson": lines[: len(lines) // 2], "two.ndjson": lines})
    whole = {
        "good.ndjson.gz": archive.zipped(lines),
        "good.ndjson.zst": archive.zstandard(lines),
        "good.tar": tar,
        "good.tar.gz": archive.zipped(tar),
    }
    good = setting.archive.folder / "last.ndjson"
    return f"{damaged_sources(setting.program, good, folder, whole)} damaged sources"


def servers(setting: Setting) -> str:
    """A server that ends our session, that dies, that is not there."""
    if setting.server is None:
        raise Skipped("SLIPCAST_POSTGRES is not set")
    [bench] = benches(setting, "servers", ["postgresql"])
    lost_server(bench, Loss(setting.server))
    if not sys.platform.startswith("linux"):
        return "an ended session; a restart SKIPPED, it needs /proc"
    restart = Restart(setting.server)
    lost_server(bench, restart)
    absent_server(bench, restart)
    return "an ended session, a dead server, a server that is not there"


def chains(setting: Setting) -> str:
    """From files through both databases into a file."""
    return through_databases(setting.program, setting.archive.sources, setting.server, setting.folder / "chains")


def tables(setting: Setting) -> str:
    """Rows of tables with legacy records."""
    bodies = [*setting.archive.good[:300], "no record", '{"hello":1}', "", setting.archive.good[0]]
    table = rows(bodies)
    from_sqlite(setting.program, table, setting.folder / "tables")
    if setting.server is None:
        return "SQLite (PostgreSQL SKIPPED)"
    return f"SQLite and {from_postgresql(setting.program, table, setting.server, setting.folder / 'tables')} PostgreSQL types"


Check = Callable[[Setting], str]
CHECKS: dict[str, Check] = {
    "moments": moments,
    "encounters": encounters,
    "vanishing": vanishing,
    "interrupts": interrupts,
    "refusals": refusals,
    "full-disks": full_disks,
    "streams": streams,
    "places": places,
    "damages": damages,
    "servers": servers,
    "chains": chains,
    "tables": tables,
}


def others(setting: Setting, only: list[str]) -> None:
    for name, check in CHECKS.items():
        if only and name not in only:
            continue
        began = time.monotonic()
        try:
            words = check(setting)
        except Skipped as reason:
            words = f"SKIPPED, {reason}"
        except Failure as failure:
            setting.failures.append(f"{name}, --seed {setting.seed}, left in {setting.folder / name}: {failure}")
            words = "FAILED"
        print(f"{name}: {words}, {time.monotonic() - began:.1f} s", flush=True)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("slipcast", type=Path)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--round", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--size", type=int, default=1)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--keep", type=Path)
    return parser.parse_args()


def setting(options: argparse.Namespace) -> Setting:
    folder = options.keep or Path(tempfile.mkdtemp(prefix="slipcast-archives."))
    folder = folder.resolve()
    folder.mkdir(exist_ok=True)
    # One check runs as somebody else.
    folder.chmod(0o755)
    program = folder / "bin" / "slipcast"
    program.parent.mkdir(exist_ok=True)
    shutil.copy(options.slipcast, program)
    shutil.rmtree(folder / "archive's files", ignore_errors=True)
    records = archive.make(ROOT, folder / "archive's files", options.size)
    url = os.environ.get("SLIPCAST_POSTGRES")
    tested = Program(program)
    if url:
        tested.add_password(url)
    (folder / "inbox.sqlite").unlink(missing_ok=True)
    stride = 1 if options.rounds > 10 else 12
    rows = table_of_rows(folder / "inbox.sqlite", records)
    return Setting(tested, records, rows, Server(url) if url else None, folder, options.seed, stride)


def main() -> int:
    options = arguments()
    here = setting(options)
    print(f"--seed {options.seed} --size {options.size}, in {here.folder}")
    if here.server is None:
        print("PostgreSQL: SKIPPED, SLIPCAST_POSTGRES is not set")
    known = {"crash", *CHECKS, *(f"crash/{sink.name}" for sink in sinks(here.server))}
    if unknown := sorted(set(options.only) - known):
        print(f"FAILED there is no {', '.join(unknown)}; there are {', '.join(sorted(known))}")
        return 2
    rounds = range(options.rounds) if options.round is None else range(options.round, options.round + 1)
    if rounds and (not options.only or any(name.startswith("crash") for name in options.only)):
        crashes(here, options.only, rounds)
    others(here, options.only)
    for failure in here.failures:
        print(f"FAILED {failure}")
    if not here.failures and options.keep is None:
        shutil.rmtree(here.folder)
    return 1 if here.failures else 0


if __name__ == "__main__":
    sys.exit(main())
