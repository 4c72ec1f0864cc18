"""`serve --settle` against `convert --settle` and `timeline` of the same journal.

A server settles with the events before; so a line of it may leave open what the whole archive settles, and never says
with certainty what the whole archive does not allow.
"""

import hashlib
import json
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Callable

import kept
from agreement import possible
from archive import Archive
from harness import Suite, require
from judge import SURE, Reading


def journal(suite: Suite, archive: Archive, folder: Path) -> tuple[Path, int]:
    """A journal with the records of an archive in the order of their arrival, each event once."""
    from server import serving

    source = folder / "rows.ndjson"
    records = sorted(archive.records, key=lambda one: one.arrived)
    source.write_text(
        "".join(f'{{"id":"{at}","receivedAt":{one.arrived},"body":{one.text}}}\n' for at, one in enumerate(records))
    )
    rows = ["--body", "/body", "--received-at", "/receivedAt", "--id", "/id"]
    ids = [json.loads(line)["notificationUUID"] for line in suite.run("convert", "--quiet", *rows, source).stdout.splitlines()]
    with serving(suite.slipcast, folder):
        pass
    seen, lines = set(), []
    for one, uuid in zip(records, ids, strict=True):
        if uuid in seen:
            continue
        seen.add(uuid)
        text = json.dumps(
            {"number": len(seen), "receivedAt": one.arrived, "version": "V1", "id": uuid, "body": one.text},
            separators=(",", ":"), ensure_ascii=False,
        )[1:]  # fmt: skip
        lines.append(f'{{"sum":"{hashlib.sha256(text.encode()).hexdigest()[:16]}",{text}\n')
    (folder / "journal/0000000000000001.ndjson").write_text("".join(lines))
    return folder / "journal", len(lines)


def agrees(suite: Suite, archive: Archive, folder: Path) -> str:
    from server import serving

    folder.mkdir(exist_ok=True)
    source, count = journal(suite, archive, folder)
    target = folder / "v2.ndjson"
    with serving(suite.slipcast, folder, "--to", target, "--settle") as server:
        server.delivered()
    live = [json.loads(line) for line in target.read_text().splitlines()]
    words = ["--received-at", "receivedAt", source]
    whole = [json.loads(line) for line in suite.run("convert", "--quiet", "--settle", *words).stdout.splitlines()]
    require(len(live) == len(whole) == count, f"{len(live)} lines of serve, {len(whole)} of convert, {count} events")
    told = [json.loads(line) for line in suite.run("timeline", "--quiet", "--format", "json", *words).stdout.splitlines()]
    listed = {one["notificationUUID"] for one in told if one["kind"] in ("event", "companion")}
    wrong, settled = [], 0
    for one, other in zip(live, whole, strict=True):
        uuid, (now, later) = one["notificationUUID"], (Reading.of(one), Reading.of(other))
        settled += now.is_settled
        if uuid != other["notificationUUID"] or uuid not in listed:
            wrong.append(f"{uuid}: {other['notificationUUID']} with convert, in the timeline: {uuid in listed}")
        elif contradict(now, later):
            wrong.append(f"{uuid}: {now.told()} with serve, {later.told()} with convert")
    require(not wrong, "\n  ".join([f"{len(wrong)} contradictions", *wrong[:5]]))
    return f"{count} events, {settled} settled by a server"


LISTED = """originalTransactionId, subscription, period, product, purchaseDate, expiresDate, cancellationDate,
    revocationDate, toldExpiresDate, renewsSeenDate, intents, traits"""


def stored(suite: Suite, archive: Archive, folder: Path) -> str:
    """A store that a server fills in two sessions keeps what the lists of all events show, and its table `states` is what
    `timeline` shows of it."""
    from server import serving

    folder.mkdir(exist_ok=True)
    source, count = journal(suite, archive, folder)
    live, whole = folder / "live.sqlite", folder / "whole.sqlite"
    file = source / "0000000000000001.ndjson"
    lines = file.read_text().splitlines(keepends=True)
    for part in (lines[: count // 2], lines):
        file.write_text("".join(part))
        with serving(suite.slipcast, folder, "--to", live) as server:
            server.delivered()
            wait_until(lambda: judged(live) == len(part), "the table states")
    suite.run("convert", "--quiet", "--settle", "--received-at", "receivedAt", "--execute", "--to", whole, source)
    ours, theirs = (rows(store, f"SELECT {LISTED} FROM listed_periods") for store in (live, whole))
    require(theirs and ours == theirs, f"{len(ours)} periods of a server, {len(theirs)} of convert: {sorted(ours ^ theirs, key=str)[:4]}")
    twice = rows(live, "SELECT originalTransactionId, subscription, period FROM listed_periods GROUP BY 1, 2, 3 HAVING count(*) > 1")
    require(not twice, f"periods that are kept twice: {twice}")
    told = suite.run("timeline", "--quiet", "--to", folder / "t", "--states", folder / "live.states.ndjson", live)
    require("convert --settle" not in told.stderr, told.stderr)
    require(kept.table(live) == kept.rows_of([json.loads(line) for line in (folder / "live.states.ndjson").read_text().splitlines()]),
            "the table states is not what timeline --states shows")  # fmt: skip
    return f"{len(ours)} periods in a store of a server"


def rows(store: Path, query: str) -> set[tuple]:
    with closing(sqlite3.connect(store, timeout=20)) as database:
        return set(database.execute(query))


def judged(store: Path) -> int:
    """How many records the table `states` shows."""
    return sum(number or 0 for (number,) in rows(store, "SELECT judged FROM runs"))


def wait_until(holds: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + 30
    while not holds():
        require(time.monotonic() < end, f"{what} did not happen")
        time.sleep(0.05)


def contradict(now: Reading, later: Reading) -> bool:
    """One of the two is sure of what the other does not allow."""
    is_sure = [one.is_settled or one.confidence in SURE for one in (now, later)]
    return is_sure[0] and now.name not in possible(later) or is_sure[1] and later.name not in possible(now)
