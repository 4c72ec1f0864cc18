"""Rejects of sources of several forms: kept in a folder, repaired, and converted again; what reasons and counts say."""

import base64
import csv
import gzip
import io
import json
import sqlite3
from pathlib import Path
from typing import Any

from harness import Suite, require


class Repairing:
    def __init__(self, suite: Suite, found: list[str]) -> None:
        self.suite, self.folder = suite, suite.folder / "repairing"
        self.folder.mkdir()
        self.found = (found * (30 // len(found) + 1))[:30]
        self.broken = {4, 9}

    def run(self, *words: Any, **more: Any) -> Any:
        return self.suite.run(*words, **{"folder": self.folder, **more})

    def body(self, place: int) -> str:
        """The record of a row; of some rows, one without its type."""
        body = self.found[place]
        return body.replace('"notification_type"', '"notification_tipe"') if place in self.broken else body

    def write(self) -> None:
        """Two sources of each form, with the same names in other folders."""
        time = "2022-03-01T10:00:00Z"
        (self.folder / "old").mkdir(exist_ok=True)
        rows = [json.dumps({"id": f"m-{n}", "at": time, "body": self.body(n)}) for n in range(6)]
        (self.folder / "rows.ndjson").write_text("\n".join(rows) + "\n")
        (self.folder / "old" / "rows.ndjson").write_text("".join(self.body(n) + "\n" for n in range(6, 12)))
        for name, separator, cells in (("table.csv", ",", range(0, 6)), ("old/table.csv", ";", range(6, 12))):
            text = io.StringIO()
            writer = csv.writer(text, delimiter=separator, lineterminator="\n")
            writer.writerows([["id", "at", "payload"], *([f"c-{n}", time, self.body(n)] for n in cells)])
            (self.folder / name).write_text(text.getvalue())
        encoded = [f"t-{n}\t{base64.b64encode(self.body(n).encode()).decode()}" for n in range(12)]
        (self.folder / "hooks.tsv").write_text("\n".join(["id\tbody", *encoded, "t-12\t" + "eyJub3RpZmljYXRpb25fdHlwZSI6I"]) + "\n")
        with gzip.open(self.folder / "list.json.gz", "wt") as file:
            json.dump([json.loads(self.body(n)) for n in range(12)], file, indent=1)
        (self.folder / "app.log").write_text("".join(f"2022 INFO {self.body(n)}\n" for n in range(12)))
        base = sqlite3.connect(self.folder / "shop.db")
        base.execute("DROP TABLE IF EXISTS inbox")
        base.execute("CREATE TABLE inbox (id INTEGER PRIMARY KEY, body TEXT, at TEXT)")
        base.executemany("INSERT INTO inbox VALUES (?, ?, ?)", [(n, self.body(n), time) for n in range(12)])
        base.execute("INSERT INTO inbox VALUES (100, NULL, ?)", (time,))
        base.commit()
        base.close()

    def sources(self) -> None:
        table = {"body": "payload", "received-at": "at", "id": "id"}
        listed: list[dict[str, Any]] = [
            {"input": "rows.ndjson", "options": {"body": "body", "received-at": "at", "id": "id"}}, {"input": "old/rows.ndjson"},
            {"input": "table.csv", "options": table}, {"input": "old/table.csv", "options": {**table, "separator": ";"}},
            {"input": "hooks.tsv", "options": {"body": "body", "id": "id"}}, {"input": "list.json.gz"},
            {"input": "app.log", "options": {"from-logs": True}}, {"input": "sqlite:shop.db?table=inbox&key=id&body=body&received-at=at"},
        ]  # fmt: skip
        (self.folder / "sources.json").write_text(json.dumps({"schema": 1, "sources": listed}))

    def lines(self, text: str) -> list[str]:
        """The converted records, without what a repair in another file changes."""
        return sorted(json.dumps([line["notificationType"], line.get("subtype"), line["signedDate"], line["data"]]) for line in map(json.loads, text.splitlines()))

    def repaired(self) -> str:
        """The rejects of all sources, repaired in their folder and converted again, are the records of a run without a fault."""
        self.write()
        self.sources()
        refused = self.run("convert", "--quiet", "--sources", "sources.json", "--rejects-raw", "raw", status=2)
        require("name a folder: --rejects-raw raw/" in refused.stderr and not (self.folder / "raw").exists(), "one file", refused)
        first = self.run("convert", "--sources", "sources.json", "--rejects-raw", "raw/", "--rejects", "r.ndjson", "--summary", "s.json", status=1)
        summary = json.loads((self.folder / "s.json").read_text())
        kept = sorted(path.name for path in (self.folder / "raw").iterdir())
        expected = ["1-rows.ndjson", "2-rows.ndjson", "3-table.csv", "4-table.csv", "5-hooks.tsv", "6-list.json", "7-app.log", "8-rows.ndjson", "sources.json"]
        require(kept == expected, f"files: {kept}")
        require(all(path.stat().st_mode & 0o77 == 0 for path in (self.folder / "raw").iterdir()), "others can read secrets")
        again = self.run("convert", "--sources", "raw/sources.json", "--summary", "s2.json", "--dry-run", status=1)
        counts = json.loads((self.folder / "s2.json").read_text())
        require(counts["read"] == counts["rejected"] == summary["rejected"], f"{summary['rejected']} rejects, {counts} in the folder", again)
        for path in (self.folder / "raw").iterdir():
            text = path.read_text()
            wrong, right = "notification_tipe", "notification_type"
            if path.suffix == ".tsv":
                encoded = [line.split("\t") for line in text.splitlines()[1:-1]]
                cells = [f"{key}\t{base64.b64encode(base64.b64decode(body).replace(wrong.encode(), right.encode())).decode()}" for key, body in encoded]
                last = base64.b64encode(self.found[12].encode()).decode()
                text = "\n".join(["id\tbody", *cells, f"t-12\t{last}"]) + "\n"
            if path.name == "8-rows.ndjson":
                text = text.replace('"body":null', '"body":' + json.dumps(self.found[13]))
            path.write_text(text.replace(wrong, right))
        second = self.run("convert", "--quiet", "--sources", "raw/sources.json")
        self.broken = set()
        whole = self.folder / "whole"
        whole.mkdir()
        self.folder = whole
        self.write()
        self.sources()
        (whole / "hooks.tsv").write_text((whole / "hooks.tsv").read_text().replace("\teyJub3RpZmljYXRpb25fdHlwZSI6I\n", f"\t{base64.b64encode(self.found[12].encode()).decode()}\n"))
        base = sqlite3.connect(whole / "shop.db")
        base.execute("UPDATE inbox SET body = ? WHERE id = 100", (self.found[13],))
        base.commit()
        base.close()
        all_records = self.run("convert", "--quiet", "--sources", "sources.json")
        require(self.lines(first.stdout + second.stdout) == self.lines(all_records.stdout), "other records than without a fault")
        self.folder, self.broken = whole.parent, {4, 9}
        return f"{summary['rejected']} rejects of {len(expected) - 1} sources"

    def counted(self) -> str:
        """The closing table and the summary count by source and by reason."""
        done = self.run("convert", "--sources", "sources.json", "--dry-run", "--summary", "s.json", "--summary", "s.csv", "--summary", "s.xml", "--summary", "s.md", "--summary", "s.html", status=1)
        summary = json.loads((self.folder / "s.json").read_text())
        require(sum(summary["rejectedFor"].values()) == summary["rejected"], f"reasons: {summary['rejectedFor']}")
        require([one["source"] for one in summary["bySource"]] == summary["sources"], f"sources: {summary['bySource']}")
        for name in ("read", "rejected"):
            require(sum(one[name] for one in summary["bySource"]) == summary[name], f"{name}: {summary['bySource']}")
        require(f"bodyMissing  {' ' * 8}" in done.stderr or "  bodyMissing" in done.stderr, "reasons", done)
        lines = [line.split() for line in done.stderr.splitlines()]
        require(["source", "read", "rejected"] in lines and ["hooks.tsv", "13", "3"] in lines, "sources", done)
        require("rejectedFor.bodyMissing,1" in (self.folder / "s.csv").read_text(), "CSV")
        require('<source name="hooks.tsv" read="13" rejected="3"/>' in (self.folder / "s.xml").read_text(), "XML")
        words = ["convert", "--quiet", "--sources", "sources.json", "--to", "o.ndjson", "--rejects-raw", "kept/", "--checkpoint", "c.json", "--summary", "s2.json"]
        self.run(*words, "--on-error", "stop", status=1)
        for _ in range(40):
            done = self.run(*words, "--on-error", "stop", "--resume", status=(0, 1))
            if (self.folder / "o.ndjson").exists():
                break
        resumed = json.loads((self.folder / "s2.json").read_text())
        names = ("read", "rejected", "rejectedFor", "bySource")
        require([resumed[name] for name in names] == [summary[name] for name in names], f"a resumed run counts {resumed}")
        read = self.run("convert", "--sources", "kept/sources.json", "--summary", "s3.json", "--dry-run", status=1)
        require(json.loads((self.folder / "s3.json").read_text())["read"] == summary["rejected"], "the folder of a resumed run", read)
        return ""

    def reasons(self) -> str:
        """Of a text that is no record, the reject says what it is instead."""
        encoded = base64.b64encode(self.found[0].encode()).decode()
        packed = base64.b64encode(gzip.compress(self.found[0].encode())).decode()
        whole = len(encoded) - len(encoded) % 4
        cases = [
            (encoded[: whole // 2 // 4 * 4 + 1], "base64 that ends too early"), (packed[:200], "gzip in base64 that ends too early"),
            ("!!!notbase64!!!", "found other text"), ("hello", "found other text"),
            (encoded[:100] + "!" + encoded[100:], "a character that base64 does not have (100 bytes into it)"),
            (encoded[: whole // 2 // 4 * 4], "the decoded body: "), ('{"a', "the JSON text in this string: "), ("", "found nothing"), (None, "found nothing"),
        ]  # fmt: skip
        (self.folder / "bodies.ndjson").write_text("".join(json.dumps({"body": body}) + "\n" for body, _ in cases))
        self.run("convert", "--quiet", "--body", "body", "--rejects", "bodies.rejects.ndjson", "bodies.ndjson", status=1)
        found = [json.loads(line)["message"] for line in (self.folder / "bodies.rejects.ndjson").read_text().splitlines()]
        require(len(found) == len(cases), f"{found}")
        for (body, words), message in zip(cases, found):
            require(words in message, f"{str(body)[:30]}: {message}, expected {words}")
        return ""

    def words(self) -> str:
        """What messages do not say, and what they do."""
        self.write()
        refused = self.run("convert", "a", status=2)
        require("did you mean" not in refused.stderr, "a name with nothing in common", refused)
        refused = self.run("convert", "--rejects", "r.csv", "rows.ndjson", status=2)
        require("--rejects r.csv: .csv is not written; write .ndjson" in refused.stderr, "--rejects", refused)
        return ""
