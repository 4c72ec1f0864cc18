"""Every option with every kind of input: it changes the result, is refused, or is one whose effect this input cannot show."""

import os
import re
import sqlite3
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from harness import ROOT, Suite, each, require
from records import escaped, rows, table

ROWS = ["--body", "body", "--received-at", "receivedAt"]
# A value for each option; {at} is a folder of its own.
VALUES = {
    "body": "body", "received-at": "receivedAt", "id": "id", "include": "*.none", "max-record": "1", "separator": ";", "tsv": "plain",
    "emit": "statuses", "app-apple-id": "1830417002", "products": "{at}/products.json", "mappings": str(ROOT / "Examples" / "rules"), "sign": "{at}/identity",
    "complete": "2020-01-01..2026-01-01", "dedupe-memory": "1", "root": "{at}/identity/root.der", "intermediate": "{at}/identity/root.der",
    "to": "{at}/out.ndjson", "split": "date", "compress": "gz", "provenance": "{at}/provenance", "summary": "{at}/summary.json",
    "checkpoint": "{at}/checkpoint", "checkpoint-every": "1", "rejects": "{at}/rejects", "rejects-raw": "{at}/rejects-raw",
    "sources": "{at}/sources.json", "max-rejects": "0", "on-error": "stop", "jobs": "2", "progress": "none", "color": "never",
    "original-transaction-id": "1", "as-of": "2030-01-01", "report": "{at}/report.html", "format": "csv", "side": "v2",
}  # fmt: skip
# Their effect is not in the result of a small and clean input, or they need others.
SILENT = {
    "max-record", "jobs", "progress", "color", "quiet", "exit-zero", "max-rejects", "on-error", "dedupe", "complete", "products",
    "root", "intermediate", "online-time", "accept-xcode", "include", "help", "tsv", "separator", "csv", "from-logs", "mappings", "id",
}  # fmt: skip
# What the kinds of inputs have no use for: the option is refused there. Written from the contract, not from the program.
USELESS = {
    "include": {"json", "csv", "tsv", "plain", "rows", "store", "journal"},
    # The folder and the archive have NDJSON alone.
    "csv": {"json", "tsv", "folder", "archive", "rows", "store", "journal"},
    "separator": {"json", "tsv", "folder", "archive", "rows", "store", "journal"},
    "tsv": {"json", "csv", "folder", "archive", "rows", "store", "journal"},
    "from-logs": {"csv", "tsv", "rows", "store", "journal"}, "body": {"store"}, "received-at": {"store"}, "id": {"store"},
    "max-record": {"store"}, "sources": {"json", "csv", "tsv", "plain", "folder", "archive", "rows", "store"},
    "side": {"json", "csv", "tsv", "plain", "folder", "archive", "rows"},
}  # fmt: skip
OF_A_STORE = {
    "convert": {"settle", "app-apple-id", "products", "mappings", "sign", "verify", "require-verified", "provenance", "plain"},
    "timeline": {"products", "rejects", "rejects-raw", "jobs", "exit-zero"},
}


class Options:
    def __init__(self, suite: Suite) -> None:
        self.suite, self.folder = suite, suite.folder / "options"
        self.folder.mkdir()
        (self.folder / "products.json").write_text("{}")
        suite.run("identity", self.folder / "identity")
        found = rows()[:6]
        body = "".join(row["body"] + "\n" for row in found)
        self.inputs: dict[str, tuple[list[Any], list[str]]] = {}
        written = {"json.ndjson": body, "csv.csv": table(found), "tsv.tsv": escaped(found), "plain": body, "folder/a.ndjson": body}
        for name, text in written.items():
            path = self.folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
            kind = name.split("/")[0].split(".")[0]
            words = [*ROWS, *(["--tsv", "copy"] if kind == "tsv" else [])] if kind in ("csv", "tsv") else []
            self.inputs[kind] = ([self.folder / name.split("/")[0]], words)
        with zipfile.ZipFile(self.folder / "archive.zip", "w") as archive:
            archive.writestr("a.ndjson", body)
        self.inputs["archive"] = ([self.folder / "archive.zip"], [])
        base = sqlite3.connect(self.folder / "rows.db")
        base.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT, receivedAt INTEGER)")
        base.executemany("INSERT INTO notes VALUES (?, ?, ?)", [(place, row["body"], row["receivedAt"]) for place, row in enumerate(found)])
        base.commit()
        self.inputs["rows"] = ([f"sqlite:{self.folder / 'rows.db'}?table=notes&key=id&body=body"], [])
        suite.run("convert", "--quiet", self.folder / "json.ndjson", "--to", self.folder / "store.sqlite", "--execute")
        self.inputs["store"] = ([self.folder / "store.sqlite"], [])

    def names(self, command: str) -> list[str]:
        told = self.suite.run(command, "--help").stdout
        return sorted(set(re.findall(r"^  --([a-z-]+)", told, re.M)) - {"help"})

    def outcome(self, command: str, inputs: list[Any], words: list[str], place: Path) -> tuple[int, str, dict[str, bytes]]:
        place.mkdir(parents=True)
        words = [word.replace("{at}/identity", str(self.folder / "identity")).replace("{at}/products", str(self.folder / "products"))
                 .replace("{at}", str(place)) for word in words]  # fmt: skip
        done = self.suite.run(command, *inputs, *words, status=())
        told = re.sub(r"(seconds|records/s|MB/s).*|[0-9.]+ s\b.*", "", done.stderr)
        files = {str(path.relative_to(place)): b"" for path in sorted(place.rglob("*")) if path.is_file()}
        return done.status, f"{done.stdout}\n{told}", files

    def check(self, case: tuple[str, str, str, int]) -> None:
        command, kind, option, number = case
        inputs, words = self.inputs[kind]
        place = self.folder / f"run{number}"
        value = VALUES.get(option)
        given = [f"--{option}", *([value] if value else [])]
        if f"--{option}" in words:
            words = [*words[: words.index(f"--{option}")], *words[words.index(f"--{option}") + 2 :]]
        if option in ("body", "received-at", "id") and kind not in ("csv", "tsv", "store"):
            given = [f"--{option}", {"body": "/unified_receipt", "received-at": "/missing", "id": "/missing"}[option]]
        status, told, files = self.outcome(command, inputs, [*words, *given], place)
        wanted = kind in USELESS.get(option, ()) or kind == "store" and option in OF_A_STORE[command]
        refused = status == 2 and f"--{option}" in told
        if wanted:
            require(refused, f"not refused: status {status}, {told[-300:]}")
        elif not refused and option not in SILENT:
            if (command, option) == ("timeline", "received-at"):
                return  # These messages have one order, whenever they were received.
            plain = self.outcome(command, inputs, words, place / "without")
            require((status, told, files) != plain, f"ignored: {' '.join(given)}")
        else:
            # A text that is no table, or one with another separator, cannot be read as one.
            isTable = option in ("csv", "tsv", "separator") and kind in ("csv", "tsv", "plain")
            require(status in (0, 1) or refused or isTable, f"status {status}: {told[-300:]}")

    def run(self) -> str:
        cases = []
        for command in ("convert", "timeline"):
            for option in self.names(command):
                for kind in self.inputs:
                    cases.append((f"{command} --{option}, {kind}", (command, kind, option, len(cases))))
        cases = cases[:: self.suite.options.every]
        with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
            results = dict(zip((name for name, _ in cases), pool.map(self.attempt, (case for _, case in cases))))
        each(((name, results[name]) for name, _ in cases), self.settled)
        return f"{len(cases)} pairs of an option and an input"

    def attempt(self, case: tuple[str, str, str, int]) -> Any:
        try:
            return self.check(case)
        except Exception as wrong:
            return wrong

    @staticmethod
    def settled(result: Any) -> None:
        if isinstance(result, Exception):
            raise result
        require(result is None, "")
