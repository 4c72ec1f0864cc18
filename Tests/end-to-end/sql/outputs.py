"""Every table of the program, filled from all fixtures: CSV files, NDJSON files and a store."""

import csv
import io
import json
import sqlite3
from pathlib import Path
from typing import Any

import journal
from harness import FIXTURES, ROOT, Suite, anew, require

ARCHIVES = sorted(path.parent for path in FIXTURES.glob("archives/*/v1.ndjson"))
Row = dict[str, Any]


class Outputs:
    """The files by the names of `schema --sql`, such as events.csv, each in a folder where it has its own name."""

    def __init__(self, suite: Suite) -> None:
        self.suite, self.folder = suite, anew(suite.folder / "outputs")
        self.records = [p for kind in ("notifications", "receipts") for p in sorted(FIXTURES.glob(f"{kind}/*/v1.json"))]
        self.rows: dict[str, list[Row]] = {}
        self.store = self.folder / "store.sqlite"
        self.convert()
        self.timelines()
        self.others()
        for name, rows in self.rows.items():
            require(rows, f"{name} has no row")
        for table in self.tables_of_store():
            self.rows[f"store.{table}"] = self.stored(table)

    def add_lines(self, name: str, text: str) -> None:
        self.rows.setdefault(f"{name}.ndjson", []).extend(json.loads(line) for line in text.splitlines())
        with (self.folder / f"{name}.ndjson").open("a") as file:
            file.write(text)

    def add_table(self, name: str, path: Path) -> None:
        """Appends a table to the one of that name, without another header."""
        text = path.read_bytes().decode()
        self.rows.setdefault(f"{name}.csv", []).extend(csv.DictReader(io.StringIO(text, newline="")))
        whole = self.folder / f"{name}.csv"
        with whole.open("ab") as file:
            file.write((text.split("\n", 1)[1] if whole.stat().st_size else text).encode())

    def convert(self) -> None:
        """Conversions of all fixtures in every shape, as CSV, as lines and in a store; rejects and accounts."""
        base, kinds = ["convert", "--quiet", "--exit-zero"], {"notification": "notificationType", "history": "transactions", "statuses": "data"}
        runs: list[list[object]] = [[*words, *self.records] for words in ([], ["--emit", "history"], ["--emit", "statuses"], ["--emit", "app-transaction"], ["--plain"])]
        runs += [[option, *archive_words(archive)] for archive in ARCHIVES for option in ("--group", "--settle")]
        runs += [[FIXTURES / "rejects"], [FIXTURES / "streams"], [self.journal()], [self.renewal()]]
        for number, words in enumerate(runs):
            table, lines, account, rejects = (self.folder / f"{number}.{end}" for end in ("csv", "ndjson", "account", "rejects"))
            more = ["--rejects", rejects] + ([] if "--group" in words else ["--provenance", account])
            self.suite.run(*base, *words, "--to", lines, *more)
            # Receipts have no events.
            if "app-transaction" not in words:
                self.suite.run(*base, *words, "--to", table)
                self.add_table("events", table)
            for line in lines.read_text().splitlines():
                document = json.loads(line)
                kind = next((name for name, member in kinds.items() if member in document), "app-transaction")
                self.add_lines(kind, line + "\n")
            for name, path in (("provenance", account), ("reject", rejects)):
                if path.exists():
                    self.add_lines(name, path.read_text())
        identity = self.folder / "identity"
        self.suite.run("identity", "--quiet", identity)
        signed = self.suite.run("convert", "--quiet", "--exit-zero", "--sign", identity, *self.records[:5]).stdout
        self.add_lines("notification", signed)
        (self.folder / "signed.ndjson").write_text(signed)
        self.add_lines("verdict", self.suite.run("verify", self.folder / "signed.ndjson", status=1).stdout)
        self.suite.run(*base, *self.records, FIXTURES / "rejects", self.folder / "journal", "--to", self.store, "--keep-bodies", "--execute")
        empty = [name for name in self.rows["events.csv"][0] if not any(row[name] for row in self.rows["events.csv"])]
        require(not empty, f"no fixture has a value in {empty}")

    def journal(self) -> Path:
        """V2 notifications with a value in every member."""
        schemas = [json.loads(self.suite.run("schema", name).stdout) for name in ("notification", "app-transaction")]
        journal.write(self.folder / "journal", *schemas)
        return self.folder / "journal"

    def renewal(self) -> Path:
        """A renewal that states since when auto-renew is on, as no fixture does."""
        record = json.loads((FIXTURES / "notifications/did-renew/v1.json").read_text())
        record |= {"auto_renew_status": "true", "auto_renew_status_change_date_ms": "1600000000123"}
        path = self.folder / "renewal.json"
        path.write_text(json.dumps(record))
        return path

    def timelines(self) -> None:
        for number, archive in enumerate(ARCHIVES):
            words = archive_words(archive)
            for end in ("csv", "ndjson"):
                timeline, states = self.folder / f"t{number}.{end}", self.folder / f"s{number}.{end}"
                self.suite.run("timeline", "--quiet", "--exit-zero", "--to", timeline, "--states", states, *words)
                for name, path in (("timeline", timeline), ("states", states)):
                    self.add_table(name, path) if end == "csv" else self.add_lines(name, path.read_text())

    def others(self) -> None:
        """Parity, export, and lines of fetch, which are written by hand from its schema."""
        migration = ROOT / "Examples/migration"
        for end in ("csv", "ndjson"):
            access = self.folder / f"a.{end}"
            self.suite.run("parity", "--quiet", "--legacy", migration / "v1.ndjson", "--server", migration / "v2.ndjson", "--access", access, status=1)
            self.add_table("access", access) if end == "csv" else self.add_lines("access", access.read_text())
        found = self.suite.run("detect", "--quiet", "--format", "json", *(archive / "v1.ndjson" for archive in ARCHIVES), self.folder / "events.csv", status=(0, 1))
        self.add_lines("detect", found.stdout)
        missing = self.folder / "missing"
        self.suite.run("export", "--for", "apphud", "--quiet", "--to", self.folder / "export.csv", "--missing", missing, *self.records, status=(0, 1))
        self.add_lines("export-missing", missing.read_text())
        places = self.folder / "places"
        self.suite.run("convert", "--emit", "verify-receipt", "--quiet", "--provenance", places, *self.records, status=(0, 1))
        self.add_lines("receipt-provenance", places.read_text())
        asked = {"endpoint": "history", "id": "730000000000001", "environment": "Production", "page": 1}
        history = {"revision": "1", "hasMore": False, "bundleId": "com.example.slipcast", "environment": "Production", "signedTransactions": ["a.b.c"]}
        self.add_lines("fetch", "".join(json.dumps(line) + "\n" for line in (
            {**history, "slipcast": asked}, {"status": 0, "signedTransactions": ["a.b.c"], "slipcast": {**asked, "endpoint": "orders"}},
        )))  # fmt: skip
        self.add_lines("fetch-missing", json.dumps({"id": "1", "environment": "Production", "errorCode": 4040010, "message": "not found"}) + "\n")

    def tables_of_store(self) -> list[str]:
        with sqlite3.connect(self.store) as database:
            return [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")]

    def stored(self, table: str) -> list[Row]:
        with sqlite3.connect(self.store) as database:
            database.row_factory = sqlite3.Row
            return [dict(row) for row in database.execute(f"SELECT * FROM {table}")]


def archive_words(archive: Path) -> list[object]:
    return [*(archive / "arguments.txt").read_text().split(), archive / "v1.ndjson"]
