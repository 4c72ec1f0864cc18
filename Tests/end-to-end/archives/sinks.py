"""Every kind of place that a conversion writes to, and how to look at what is there."""

import json
import sqlite3
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

from harness import anew, contents, difference, require

# Columns that tell the time of a run.
CLOCKS = {"startedat", "finishedat", "statesat", "since"}


def sqlite_rows(path: Path) -> dict[str, bytes]:
    """All rows of all tables of an SQLite file, one text for each table, and its schema."""
    with sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True) as database:
        check = database.execute("PRAGMA integrity_check").fetchone()[0]
        require(check == "ok", f"{path} is damaged: {check}")
        found: dict[str, bytes] = {}
        schema = database.execute("SELECT type, name, sql FROM sqlite_master ORDER BY type, name").fetchall()
        found["schema"] = repr(schema).encode()
        for name in [name for kind, name, _ in schema if kind == "table"]:
            columns = [row[1] for row in database.execute(f"PRAGMA table_info({name})")]
            kept = ", ".join(column for column in columns if column.lower() not in CLOCKS)
            rows = sorted(repr(row) for row in database.execute(f"SELECT {kept} FROM {name}"))
            found[f"table {name}"] = "\n".join(rows).encode()
    database.close()
    return found


@dataclass
class Server:
    """A PostgreSQL server of the tests; each check has the schema `public` for itself."""

    url: str

    def psql(self, *commands: str, text: bytes | None = None) -> bytes:
        words = ["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", self.url]
        for command in commands:
            words += ["-c", command]
        done = subprocess.run(words, input=text, capture_output=True, check=False)
        require(done.returncode == 0, f"psql: {done.stderr.decode().replace(self.url, 'the server').strip()}")
        return done.stdout

    def clear(self) -> None:
        self.psql("SET client_min_messages = error", "DROP SCHEMA public CASCADE", "CREATE SCHEMA public")

    def rows(self) -> dict[str, bytes]:
        """All rows of all tables, one text for each table."""
        columns = self.psql(
            "SELECT quote_ident(table_name), string_agg(quote_ident(column_name), ', ' ORDER BY ordinal_position)"
            " FROM information_schema.columns WHERE table_schema = 'public'"
            f" AND column_name NOT IN ({', '.join(repr(name) for name in sorted(CLOCKS))}) GROUP BY 1 ORDER BY 1"
        )
        found: dict[str, bytes] = {}
        for line in columns.decode().splitlines():
            name, names = line.split("|")
            query = f'SELECT ROW({names})::text COLLATE "C" FROM {name} ORDER BY 1'
            found[f"table {name}"] = self.psql(query)
        found["indexes"] = self.psql("SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1")
        return found

    def is_closing(self) -> bool:
        """The last run builds its indexes, or has done so; the server may still work for a client that is gone."""
        others = "datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
        for _ in range(50):
            if self.psql(f"SELECT count(*) FROM pg_stat_activity WHERE {others}").strip() == b"0":
                break
            time.sleep(0.05)
        return self.psql("SELECT count(*) FROM pg_indexes WHERE indexname = 'notifications_by_subscription'").strip() != b"0"

    def end_sessions(self) -> int:
        """Ends all other sessions; tells how many."""
        ended = self.psql(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        return int(ended)


def without_place(checkpoint: bytes) -> bytes:
    """A finished checkpoint without the place where the last part of the run ended."""
    found = json.loads(checkpoint)
    # The digest covers the place.
    del found["position"], found["sha256"]
    return json.dumps(found).encode()


@dataclass
class Sink:
    """A kind of target with the options that belong to it."""

    name: str
    arguments: list[str]
    # Options that stand only in databases' places.
    checkpoint: list[str] = field(default_factory=lambda: ["--checkpoint", "k.json"])
    database: str = ""
    server: Server | None = None
    # Reads rows of a database in place of the archive.
    reads_rows: bool = False
    # Values of --checkpoint-every to try.
    every: tuple[int, ...] = (0, 1)

    def reset(self, folder: Path) -> None:
        anew(folder)
        if self.server:
            self.server.clear()

    def state(self, folder: Path) -> dict[str, bytes]:
        """All that a run wrote: files by their names, and the rows of tables."""
        found = contents(folder)
        if "k.json" in found:
            found["k.json"] = without_place(found["k.json"])
        if self.database:
            del found[self.database]
            found |= sqlite_rows(folder / self.database)
        if self.server:
            found |= self.server.rows()
        return found

    def check_names(self, folder: Path, expected: dict[str, bytes]) -> None:
        """What has a final name is whole, also after a kill."""
        for name, text in contents(folder).items():
            is_working = name.endswith((".part", ".new")) or name.startswith("k.json") or name.startswith("store.")
            require(is_working or text == expected.get(name), f"{name} looks whole after a kill, and is not")

    def compare(self, folder: Path, expected: dict[str, bytes]) -> None:
        found = difference(expected, self.state(folder))
        require(found is None, f"it does not end as an undisturbed run: {found}")


def sinks(server: Server) -> list[Sink]:
    """All kinds of targets."""
    rejects, account = ["--rejects", "rejects.ndjson"], ["--provenance", "account.ndjson"]
    return [
        Sink("ndjson", ["--to", "v2.ndjson", *rejects, *account]),
        Sink("gzip", ["--to", "v2.ndjson.gz", *rejects, "--plain"]),
        Sink("zstd", "--to v2.ndjson.zst --rejects rejects.ndjson.zst --provenance account.ndjson.zst".split()),
        Sink("split-date", ["--to", "days", "--split", "date", "--compress", "zst", "--dedupe", *rejects], every=(1,)),
        Sink("split-count", ["--to", "parts/", "--split", "100", *rejects]),
        Sink("split-bundle", ["--to", "apps", "--split", "bundle", "--compress", "gz", *account]),
        Sink("dedupe", ["--to", "v2.ndjson", "--dedupe", *rejects, *account]),
        Sink("rows", ["--to", "v2.ndjson", *rejects], reads_rows=True),
        Sink("sqlite", ["--to", "store.sqlite", "--execute", *rejects], checkpoint=[], database="store.sqlite"),
        Sink("postgresql", ["--to", server.url, "--execute", *rejects], checkpoint=[], server=server),
    ]
