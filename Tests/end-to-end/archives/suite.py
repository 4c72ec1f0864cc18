"""Ends conversions of an archive in every way, and expects that nothing is lost or doubled.

Parts: crash/SINK for each kind of target, then those of `PARTS`. With more than 10 rounds every checkpoint of a run is
resumed, otherwise one in 12, and targets that differ little from others are left out.
"""

import os
import signal
import sqlite3
from argparse import ArgumentParser
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import archive
from chain import from_postgresql, from_sqlite, rows, through_databases
from crash import Bench, crash_test
from faults import Loss, Restart, absent_server, closed_pipe, damaged_sources, full_device, full_disk, full_temporary
from faults import lost_server, unwritable
from harness import ROOT, Program, Suite, anew, each
from interrupts import interrupt_test
from moments import each_checkpoint, hot_journal, rows_without_a_key, torn_schema, two_runs
from refusals import database_refusals, file_refusals, goes_on_afterwards
from sinks import Server, Sink, sinks
from vanished import vanished_outputs

POSTGRESQL = True


def options(parser: ArgumentParser) -> None:
    parser.add_argument("--rounds", type=int, default=1, help="kills for each kind of target (default 1)")
    parser.add_argument("--round", type=int, help="repeat this round alone")
    parser.add_argument("--size", type=int, default=1, help="multiplies the archive")


@dataclass
class Setting:
    """What all parts share."""

    program: Program
    archive: archive.Archive
    rows: str
    server: Server
    folder: Path
    # Of so many checkpoints of a run one is resumed; more than one means that the test is to be short.
    stride: int

    def bench(self, sink: Sink, area: str) -> Bench:
        folder = self.folder / area / sink.name
        folder.mkdir(parents=True, exist_ok=True)
        return Bench(self.program, sink, [self.rows] if sink.reads_rows else self.archive.sources, folder)

    def benches(self, area: str, names: str) -> list[tuple[str, Bench]]:
        """The named kinds of sinks."""
        left_out = ("zstd", "dedupe") if area in ("refusals", "encounters") and self.stride > 1 else ()
        chosen = [sink for sink in sinks(self.server) if sink.name in names.split() and sink.name not in left_out]
        return [(sink.name, self.bench(sink, area)) for sink in chosen]


def table_of_rows(path: Path, records: archive.Archive) -> str:
    """A table with legacy records, some of them no records; gives its location."""
    path.unlink(missing_ok=True)
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE inbox (number INTEGER PRIMARY KEY, payload TEXT, arrived INTEGER)")
        for number, body in enumerate(records.good, 1):
            text = "no record" if number % 50 == 0 else body
            database.execute("INSERT INTO inbox VALUES (?, ?, ?)", (number, text, 1_650_000_000_000 + number))
    database.close()
    return f"sqlite:{path}?table=inbox&key=number&body=payload&received-at=arrived"


def moments(setting: Setting) -> str:
    """Crashes at chosen moments."""
    found = setting.benches("moments", "ndjson zstd split-count dedupe rows")
    count = sum(each(found, lambda bench: each_checkpoint(bench, setting.stride)))
    [(_, unordered), (_, store)] = setting.benches("moments", "rows sqlite")
    rows_without_a_key(unordered)
    hot_journal(store)
    torn_schema(store)
    return f"{count} checkpoints, rows without a key, a journal, torn tables"


def encounters(setting: Setting) -> None:
    """Two runs with the same target."""
    each(setting.benches("encounters", "ndjson zstd split-count dedupe sqlite postgresql"), two_runs)


def vanishing(setting: Setting) -> None:
    """Outputs that are deleted or replaced during a run."""
    each(setting.benches("vanishing", "ndjson zstd split-count dedupe sqlite"), vanished_outputs)


def interrupts(setting: Setting) -> None:
    """Ctrl-C, and the command that is printed then."""
    found = setting.benches("interrupts", "ndjson zstd split-count dedupe rows sqlite postgresql")
    kinds = [signal.SIGTERM if place == 2 else signal.SIGINT for place in range(len(found))]
    cases = [(name, (bench, kind)) for (name, bench), kind in zip(found, kinds)]
    each(cases, lambda case: interrupt_test(*case))


def refusals(setting: Setting) -> str:
    """What must not go on."""

    def refused(bench: Bench) -> int:
        if not bench.sink.checkpoint:
            return database_refusals(ROOT, bench, setting.archive.folder)
        count = file_refusals(ROOT, bench, setting.archive.folder)
        goes_on_afterwards(bench)
        return count

    found = setting.benches("refusals", "ndjson zstd split-count dedupe sqlite postgresql")
    return f"{sum(each(found, refused))} refusals"


def full_disks(setting: Setting) -> None:
    """Disks with too little room."""
    targets = [
        (Sink("ndjson", ["--to", "v2.ndjson", "--rejects", "rejects.ndjson"]), "900k"),
        (Sink("rejects", ["--to", "v2.ndjson.zst", "--plain", "--provenance", "v2.account.ndjson"]), "2m"),
        (Sink("zstd", ["--to", "v2.ndjson.zst", "--rejects", "rejects.ndjson.zst"]), "100k"),
        (Sink("split", ["--to", "v2", "--split", "100"]), "900k"),
        (Sink("sqlite", ["--to", "store.sqlite", "--execute"], checkpoint=[], database="store.sqlite"), "2m"),
    ]
    cases = [(sink.name, (setting.bench(sink, "full-disks"), size)) for sink, size in targets]
    each(cases, lambda case: full_disk(*case))
    full_temporary(setting.program, setting.archive.sources, anew(setting.folder / "full-disks" / "temporary"))


def streams(setting: Setting) -> None:
    """Standard output that is closed or full."""
    folder = anew(setting.folder / "streams")
    closed_pipe(setting.program, setting.archive.sources, folder)
    full_device(setting.program, setting.archive.sources, folder)


def places(setting: Setting) -> None:
    """Folders that do not exist or cannot be written to."""
    folder = anew(setting.folder / "places")
    folder.chmod(0o777)
    unwritable(setting.program, setting.archive.sources[:1], folder)


def damages(setting: Setting) -> str:
    """Sources that are damaged."""
    lines = archive.lined(record.encode() for record in setting.archive.good[:150])
    tar = archive.tarred({"one.ndjson": lines[: len(lines) // 2], "two.ndjson": lines})
    whole = {
        "good.ndjson.gz": archive.zipped(lines), "good.ndjson.zst": archive.zstandard(lines),
        "good.tar": tar, "good.tar.gz": archive.zipped(tar),
    }  # fmt: skip
    good = setting.archive.folder / "last.ndjson"
    return f"{damaged_sources(setting.program, good, anew(setting.folder / 'damages'), whole)} damaged sources"


def servers(setting: Setting) -> None:
    """A server that ends our session, that dies, that does not run."""
    [(_, bench)] = setting.benches("servers", "postgresql")
    lost_server(bench, Loss(setting.server))
    restart = Restart(setting.server)
    lost_server(bench, restart)
    absent_server(bench, restart)


def chains(setting: Setting) -> str:
    """From files through both databases into a file."""
    return through_databases(setting.program, setting.archive.sources, setting.server, setting.folder / "chains")


def tables(setting: Setting) -> None:
    """Rows of tables with legacy records."""
    table = rows([*setting.archive.good[:300], "no record", '{"hello":1}', "", setting.archive.good[0]])
    from_sqlite(setting.program, table, setting.folder / "tables")
    from_postgresql(setting.program, table, setting.server, setting.folder / "tables")


PARTS: list[Callable[[Setting], str | None]] = [
    moments, encounters, vanishing, interrupts, refusals, full_disks, streams, places, damages, servers, chains, tables,
]


def run(suite: Suite) -> None:
    given = suite.options
    program = Program(suite.slipcast, [archive.SECRET])
    url = os.environ["SLIPCAST_POSTGRES"]
    program.add_password(url)
    records = archive.make(ROOT, anew(suite.folder / "archive's files"), given.size)
    table = table_of_rows(suite.folder / "inbox.sqlite", records)
    setting = Setting(program, records, table, Server(url), suite.folder, 1 if given.rounds > 10 else 12)
    rounds = range(given.rounds) if given.round is None else range(given.round, given.round + 1)
    for sink in sinks(setting.server) if rounds else []:
        suite.part(f"crash/{sink.name}", crash_test, setting.bench(sink, "crash"), given.seed, rounds)
    for part in PARTS:
        suite.part(part.__name__.replace("_", "-"), part, setting)
