"""Sources in which a few rows are unlike the others, as those of companies are: what detect says of them."""

import json
import shlex
import sqlite3
from pathlib import Path
from typing import Any

from harness import Suite, require


class Exceptions:
    def __init__(self, suite: Suite, found: list[str]) -> None:
        self.suite, self.folder = suite, suite.folder / "exceptions"
        self.folder.mkdir()
        self.found = (found * (60 // len(found) + 1))[:60]

    def run(self, *words: Any, **more: Any) -> Any:
        return self.suite.run(*words, **{"folder": self.folder, **more})

    def write(self, name: str, rows: list[dict[str, Any]]) -> Path:
        path = self.folder / name
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return path

    def rows(self, **columns: Any) -> list[dict[str, Any]]:
        """Rows with other columns; a function makes the value of a row from its number."""
        return [
            {"id": f"m-{n}", "received_at": f"2022-03-{n % 28 + 1:02}T10:00:00Z", "body": body}
            | {name: value(n) if callable(value) else value for name, value in columns.items()}
            for n, body in enumerate(self.found)
        ]  # fmt: skip

    def detected(self, rows: list[dict[str, Any]], status: int = 0) -> Any:
        self.write("rows.ndjson", rows)
        return self.run("detect", "rows.ndjson", status=status)

    def read(self, told: str) -> list[str]:
        """The words of the command that detect prints."""
        lines = [line for line in told.splitlines() if line.startswith("  read it: ")]
        require(len(lines) == 1, told)
        return shlex.split(lines[0].removeprefix("  read it: slipcast convert "))[:-1]

    def few(self) -> str:
        """A column is chosen although a few rows have no time, or an id that repeats; detect says how many."""
        rows = self.rows()
        rows[7]["received_at"] = "not a date"
        rows[9]["id"] = "m-8"
        done = self.detected(rows)
        require(self.read(done.stdout) == ["--body", "body", "--received-at", "received_at", "--id", "id"], "choice", done)
        for words in ("received_at has times in 59 of 60 rows", "id has 59 different values in 60 rows"):
            require(f"  note: {words}" in done.stdout, words, done)
        rows[11]["received_at"], rows[12]["id"] = None, None
        done = self.detected(rows)
        for words in ("received_at has times in 58 of 60 rows", "id has 58 different values in 60 rows"):
            require(f"  note: {words}" in done.stdout, words, done)
        return ""

    def left_out(self) -> str:
        """A column that looks meant for it, and is not chosen, is named with the reason."""
        cases: list[tuple[dict[str, Any], str]] = [
            ({"received_at": lambda n: "2022-03-01" if n % 3 else "unknown"},
             "--received-at received_at is not chosen: it has times in 40 of 60 rows"),
            ({"received_at": "03/15/2022 4:20 PM"}, "--received-at received_at is not chosen: it has no times that Slipcast reads"),
            ({"id": lambda n: n // 2}, "--id id is not chosen: it has 30 different values in 60 rows"),
        ]  # fmt: skip
        for columns, words in cases:
            done = self.detected(self.rows(**columns))
            require(f"  note: {words}" in done.stdout, words, done)
            option = words.split()[0]
            require(option not in self.read(done.stdout), f"{option} is chosen", done)
        done = self.detected(self.rows(received_at=lambda n: "2022-03-01" if n % 3 else "unknown", made="2022-03-01"))
        require("--received-at made" in done.stdout and cases[0][1] in done.stdout, "the other has the better name", done)
        plain = self.detected(self.rows())
        require("note:" not in plain.stdout, "a note where nothing is unusual", plain)
        return f"{len(cases)} reasons"

    def mistyped(self) -> str:
        """The column with nearly all records is chosen; the others are named, and so is the place of a reject's record."""
        rows = self.rows()
        for place in (5, 6, 7):
            rows[place]["boyd"] = rows[place].pop("body")
        done = self.detected(rows)
        require(self.read(done.stdout)[:2] == ["--body", "body"], "choice", done)
        for words in ("records: 57 notificationV1 in body", "body has a record in 57 of 60 rows", "boyd has one in 3, which --body body does not read"):
            require(words in done.stdout, words, done)
        rows[8]["boyd"], rows[8]["body"] = rows[8]["body"], None
        rows[9] = {"id": "m-9", "other": json.loads(rows[9]["body"])}
        rows[10] = {"id": "m-10"}
        self.write("rows.ndjson", rows)
        self.run("convert", "--quiet", "--body", "body", "--rejects", "rejects.ndjson", "rows.ndjson", status=1)
        rejects = [json.loads(line) for line in (self.folder / "rejects.ndjson").read_text().splitlines()]
        require([one["code"] for one in rejects] == ["bodyMissing"] * 6, f"{rejects}")
        ends = ["boyd has one"] * 4 + ["other has one", "found nothing"]
        require(all(one["message"].endswith(end) for one, end in zip(rejects, ends)), f"{[one['message'] for one in rejects]}")
        return ""

    def several(self) -> str:
        """Two columns with the same records: both are counted, and the command leaves no value open that a shell would take."""
        done = self.detected(self.rows(copy=lambda n: self.found[n]), status=1)
        for words in ("records: 60 notificationV1 in body; 60 notificationV1 in copy", "choose --body body or copy", "--body NAME"):
            require(words in done.stdout, words, done)
        require("…" not in done.stdout, "an open value", done)
        return ""

    def converted(self) -> str:
        """Of V2 records, detect, convert and timeline say which commands read them; of rows without --body, convert points to detect."""
        self.write("rows.ndjson", self.rows())
        lines = self.run("convert", "--quiet", "--body", "body", "--received-at", "received_at", "rows.ndjson").stdout
        (self.folder / "v2.ndjson").write_text(lines + '{"notificationType":"DID_RENEW","cut')
        parity, store = "slipcast parity --legacy V1 --server v2.ndjson", "slipcast convert --to archive.sqlite --execute"
        done = self.run("detect", "--to", "one.json", "v2.ndjson")
        for words in (f"  compare it: {parity}\n", f"  keep it: {store} v2.ndjson\n"):
            require(words in done.stdout, words, done)
        require("read it" not in done.stdout + done.stderr and "parity --legacy V1 --server-sources one.json" in done.stderr, "detect --to", done)
        for command, advice in (("convert", parity), ("timeline", f"{store} v2.ndjson && slipcast timeline archive.sqlite")):
            done = self.run(command, "v2.ndjson", status=1)
            require(done.stderr.count(advice) == 1, f"{command}: {advice}", done)
        self.run("convert", "--quiet", "--to", "archive.sqlite", "--execute", "v2.ndjson", status=1)
        require(self.run("timeline", "--quiet", "archive.sqlite").stdout.count("\n") > 10, "the advice of timeline")
        self.run("parity", "--quiet", "--body", "body", "--received-at", "received_at", "--legacy", "rows.ndjson", "--server", "v2.ndjson", status=(0, 1))
        mixed = self.run("detect", "--to", "two.json", "v2.ndjson", "rows.ndjson")
        require("slipcast convert --to archive.sqlite --execute --sources two.json" in mixed.stderr, "V1 and V2", mixed)
        wrapped = self.folder / "wrapped.ndjson"
        wrapped.write_text("".join(json.dumps({"n": n, "body": line}) + "\n" for n, line in enumerate(lines.splitlines())))
        done = self.run("detect", "wrapped.ndjson")
        require("parity --legacy V1 --server-body body --server wrapped.ndjson" in done.stdout, "rows of V2", done)
        done = self.run("convert", "rows.ndjson", status=1)
        require(done.stderr.count("slipcast detect rows.ndjson") == 1, "rows without --body", done)
        done = self.run("convert", "--body", "body", "rows.ndjson", "wrapped.ndjson", status=1)
        require("slipcast detect" not in done.stderr and "parity" not in done.stderr, "some were converted", done)
        return ""

    def folder_of_all(self) -> str:
        """detect looks at every file of a folder; names in the file of sources are relative to it; its own file is no source."""
        exports = self.folder / "exports"
        exports.mkdir()
        rows = self.rows()
        (exports / "app.log").write_text("".join(f"2022-03-01 INFO {body}\n" for body in self.found))
        base = sqlite3.connect(exports / "shop.db")
        base.execute("CREATE TABLE inbox (id INTEGER PRIMARY KEY, body TEXT, received_at TEXT)")
        base.executemany("INSERT INTO inbox VALUES (?, ?, ?)", [(n, row["body"], row["received_at"]) for n, row in enumerate(rows)])
        base.commit()
        base.close()
        (exports / "rows.ndjson").write_text("".join(json.dumps(row) + "\n" for row in rows))
        (exports / "README.txt").write_text("What each file is.\n")
        database = "exports/shop.db?table=inbox&key=id&body=body&received-at=received_at"
        (self.folder / "out").mkdir()
        for target, start in (("sources.json", ""), ("out/sources.json", "../"), ("./out/sources.json", "../")):
            done = self.run("detect", "exports", "--to", target)
            require("1 file without records: README.txt" in done.stderr, target, done)
            written = [source["input"] for source in json.loads((self.folder / target).read_text())["sources"]]
            require(written == [f"{start}exports/app.log", f"{start}exports/rows.ndjson", f"sqlite:{start}{database}"], f"{target}: {written}")
            done = self.run("convert", "--dry-run", "--summary", "summary.json", "--sources", target, status=(0, 1))
            summary = json.loads((self.folder / "summary.json").read_text())
            require(summary["read"] == 180 and not any(".." in name for name in summary["sources"]), f"{target}: {summary['sources']}")
        for _ in range(2):
            done = self.run("detect", "--quiet", "exports", "--to", "exports/sources.json")
            require(done.stdout.count("read it: ") == 3 and not done.stderr, "its own file", done)
        moved = self.folder / "moved"
        moved.mkdir()
        (self.folder / "exports").rename(moved / "exports")
        self.run("convert", "--dry-run", "--quiet", "--sources", moved / "exports" / "sources.json", status=(0, 1))
        return ""
