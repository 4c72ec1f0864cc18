"""The same records by other ways: through databases, and out of tables."""

import json
import sqlite3
from pathlib import Path

from harness import Program, anew, contents, difference, plain, require
from sinks import Server

INSTANT = 1_650_000_000_000


def convert(program: Program, folder: Path, *words: str, status: tuple[int, ...] = (0, 1)) -> bytes:
    """Runs a conversion that must succeed; gives what it wrote to standard output."""
    outcome = program.convert(["--quiet", *words], folder)
    require(outcome.status in status, " ".join(words), outcome)
    return outcome.stdout.encode()


def without_duplicates(lines: bytes) -> bytes:
    """The lines whose notificationUUID has not come before."""
    seen: set[str] = set()
    kept = []
    for line in lines.splitlines(keepends=True):
        name = json.loads(line)["notificationUUID"]
        if name not in seen:
            seen.add(name)
            kept.append(line)
    return b"".join(kept)


def same(expected: bytes, found: bytes, what: str) -> None:
    words = difference({what: expected}, {what: found})
    require(words is None, f"other lines than from the files: {words}")


def through_databases(program: Program, sources: list[str], server: Server, folder: Path) -> str:
    """Files to SQLite, to PostgreSQL, to compressed NDJSON."""
    anew(folder)
    expected = without_duplicates(convert(program, folder, *sources))
    same(expected, convert(program, folder, *sources, "--dedupe"), "--dedupe")
    convert(program, folder, *sources, "--to", "store.sqlite", "--execute")
    same(expected, convert(program, folder, "store.sqlite"), "SQLite")
    server.clear()
    convert(program, folder, "store.sqlite", "--to", server.url, "--execute")
    convert(program, folder, server.url, "--to", "v2.ndjson.zst")
    same(expected, plain(folder / "v2.ndjson.zst"), "the end of the chain")
    # What is there already is not written again.
    before = contents(folder)
    again = program.convert([server.url, "--to", "store.sqlite", "--execute"], folder)
    count = expected.count(b"\n")
    is_told = again.status == 0 and f"{count:,}" in again.stderr.split("duplicate")[1].split("\n")[0]
    require(is_told, "records that are there already should be duplicates", again)
    same(expected, convert(program, folder, "store.sqlite"), "a store that was filled twice")
    require(before.keys() == contents(folder).keys(), "something was left behind")
    program.search(folder)
    return f"{count} lines"


def rows(bodies: list[str]) -> list[tuple[int, str, int]]:
    """Key, body and time of each row."""
    return [(3 * number, body, INSTANT + 1000 * number) for number, body in enumerate(bodies, 1)]


def expected_of(program: Program, folder: Path, table: list[tuple[int, str, int]]) -> tuple[bytes, list[str]]:
    """What the rows give as NDJSON: lines, and the ids of rejects."""
    lines = [json.dumps({"key": key, "body": body, "at": time}) for key, body, time in table]
    (folder / "rows.ndjson").write_text("\n".join(lines) + "\n")
    words = ["rows.ndjson", "--body", "/body", "--id", "/key", "--received-at", "/at", "--rejects", "rejects.ndjson"]
    found = convert(program, folder, *words)
    return found, ids(folder / "rejects.ndjson")


def ids(path: Path) -> list[str]:
    return [json.loads(line)["id"] for line in path.read_text().splitlines()]


def from_sqlite(program: Program, table: list[tuple[int, str, int]], folder: Path) -> None:
    """Rows of an SQLite table, which has them in another order."""
    expected, rejected = expected_of(program, anew(folder), table)
    with sqlite3.connect(folder / "in box.db") as database:
        database.execute("CREATE TABLE legacy (id INTEGER, body, at INTEGER)")
        database.execute("CREATE UNIQUE INDEX keys ON legacy (id)")
        for place, (key, body, time) in enumerate(reversed(table)):
            database.execute("INSERT INTO legacy VALUES (?, ?, ?)", (key, body.encode() if place % 2 else body, time))
    database.close()
    location = "sqlite:in%20box.db?table=legacy&key=id&body=body&received-at=at"
    same(expected, convert(program, folder, location, "--rejects", "r.ndjson"), "rows of SQLite")
    require(ids(folder / "r.ndjson") == rejected, "other rows of SQLite are rejected")


def from_postgresql(program: Program, table: list[tuple[int, str, int]], server: Server, folder: Path) -> None:
    """Rows of PostgreSQL tables of each type that holds bodies."""
    kinds = ["text bigint", "bytea bigint", "json timestamptz", "jsonb timestamptz", "varchar timestamp"]
    for body_type, time_type in map(str.split, kinds):
        # Only text may hold what is no JSON.
        fitting = [row for row in table if body_type in ("text", "bytea", "varchar") or row[1].startswith("{")]
        expected, rejected = expected_of(program, anew(folder), fitting)
        fill(server, fitting, body_type, time_type)
        location = f"{server.url}?table=legacy&key=id&body=body&received-at=at"
        what = f"{body_type} rows of PostgreSQL"
        same(expected, convert(program, folder, location, "--rejects", "r.ndjson"), what)
        require(ids(folder / "r.ndjson") == rejected, f"other {what} are rejected")


def fill(server: Server, table: list[tuple[int, str, int]], body_type: str, time_type: str) -> None:
    """Makes the table `legacy`, by way of one that holds texts."""
    server.clear()
    text = "".join(f"{key}\t{escaped(body)}\t{time}\n" for key, body, time in reversed(table))
    server.psql("CREATE TABLE raw (id bigint, body text, at bigint)")
    server.psql("COPY raw FROM STDIN", text=text.encode())
    body = "convert_to(body, 'UTF8')" if body_type == "bytea" else f"body::{body_type}"
    time = {
        "bigint": "at",
        "timestamptz": "to_timestamp(at / 1000)",
        "timestamp": "to_timestamp(at / 1000) AT TIME ZONE 'UTC'",
    }[time_type]
    server.psql(f"CREATE TABLE legacy AS SELECT id, {body} AS body, {time} AS at FROM raw", "DROP TABLE raw")


def escaped(text: str) -> str:
    """A value as COPY reads it."""
    return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")
