"""A store that `convert --settle` filled, against the files: timelines, states and the table `states` are the same.

In a store that two runs filled, each run settles its own messages, so readings may differ; but a period of which one run
has the message, and only the lists of the other one show it, is no renewal without a message.
"""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from archive import Archive
from harness import Suite, require

COLUMNS = ["originalTransactionId", "validFrom", "validTo", "status", "access", "reason", "productId", "confidence"]


def told(suite: Suite, folder: Path, name: str, source: Path, *words: str) -> tuple[list[dict], list[dict]]:
    """The lines of a timeline, and the intervals."""
    lines, states = folder / f"{name}.told.ndjson", folder / f"{name}.states.ndjson"
    suite.run("timeline", "--quiet", "--format", "json", "--to", lines, "--states", states, *words, source)
    found = [[json.loads(line) for line in path.read_text().splitlines()] for path in (lines, states)]
    for path in (lines, states):
        path.unlink()
    return found[0], found[1]


def table(store: Path) -> list[tuple]:
    with closing(sqlite3.connect(store)) as database:
        return sorted(database.execute(f"SELECT {', '.join(COLUMNS)} FROM states"), key=str)


def rows_of(states: list[dict]) -> list[tuple]:
    return sorted((tuple(one.get(column) for column in COLUMNS) for one in states), key=str)


def same(suite: Suite, archive: Archive, folder: Path, name: str) -> str:
    folder.mkdir(exist_ok=True)
    source, store = archive.write(folder / f"{name}.ndjson"), folder / f"{name}.sqlite"
    words = ["--body", "/body", "--received-at", "/receivedAt", "--id", "/id"] if archive.has_rows else []
    suite.run("convert", "--quiet", "--settle", *words, "--execute", "--to", store, source)
    files, stored = told(suite, folder, "files", source, *words), told(suite, folder, "store", store)
    for kind, one, other in zip(("timeline", "states"), files, stored, strict=True):
        # Evidence names the rows of a source by their ids, and of a store by their places.
        ours, theirs = ([{**line, "evidence": None} for line in lines] for lines in (one, other))
        different = [pair for pair in zip(ours, theirs, strict=False) if pair[0] != pair[1]]
        require(len(ours) == len(theirs) and not different, f"{name}: {kind} of the store is another one: {different[:2]}")
    require(table(store) == rows_of(stored[1]), f"{name}: the table states is not what timeline --states shows")
    gaps = sum(line["kind"] == "gap" for line in files[0])
    halves = two_runs(suite, archive, folder, name, words)
    return f"{len(files[1])} intervals, {gaps} events without a message; {halves}"


def two_runs(suite: Suite, archive: Archive, folder: Path, name: str, words: list[str]) -> str:
    lines, store = (folder / f"{name}.ndjson").read_text().splitlines(keepends=True), folder / f"{name}.halves.sqlite"
    middle = len(lines) // 2
    for number, part in enumerate((lines[:middle], lines[middle:])):
        half = folder / f"{name}.{number}.ndjson"
        half.write_text("".join(part))
        suite.run("convert", "--quiet", "--settle", *words, "--execute", "--to", store, half)
    found, states = told(suite, folder, "halves", store)
    reported: dict[str, set] = {}
    for line in found:
        if line["kind"] in ("event", "companion"):
            reported.setdefault(line.get("originalTransactionId"), set()).add((line.get("productId"), line.get("expiresDate")))
    twice = [
        line for line in found
        if line["kind"] == "gap" and line["notificationType"] == "DID_RENEW"
        and (line.get("productId"), line.get("expiresDate")) in reported.get(line.get("originalTransactionId"), ())
    ]  # fmt: skip
    whole = {
        (line.get("originalTransactionId"), line["notificationType"], line["time"]) for line in told(
            suite, folder, "whole", folder / f"{name}.ndjson", *words)[0] if line["kind"] == "gap"
    }  # fmt: skip
    twice = [line for line in twice if (line.get("originalTransactionId"), "DID_RENEW", line["time"]) not in whole]
    require(not twice, f"{name}: renewals that messages report, and gaps too: {twice[:2]}")
    require(table(store) == rows_of(states), f"{name}: after two runs, the table states is not what timeline --states shows")
    return f"two runs: {len(states)} intervals"
