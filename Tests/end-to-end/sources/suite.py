"""Detects six sources of the same messages in six forms, and reads them in one run; ambiguous, wrong, huge and endless ones."""

import base64
import csv
import gzip
import io
import json
import os
import re
import shlex
import signal
import sqlite3
import subprocess
import threading
from pathlib import Path
from typing import Any

from exceptions import Exceptions
from harness import FIXTURES, Program, Suite, chance, require
from repairing import Repairing

SECRET = "SECRET-SLIPCAST-value"
# What a person types for each form, written from the documentation and not from what detect says.
SINGLE: dict[str, list[str]] = {
    "rows.ndjson": ["--body", "body", "--received-at", "received_at", "--id", "id"],
    "table.csv": ["--body", "payload", "--received-at", "received_at", "--id", "id"],
    "copy.tsv": ["--tsv", "copy", "--body", "payload", "--received-at", "received_at", "--id", "id"],
    "sqlite:shop.sqlite?table=inbox&key=id&body=payload&received-at=received_at": [],
    "app.log": ["--from-logs"],
    "cells.csv.gz": ["--separator", ";", "--body", "cell", "--received-at", "received_at", "--id", "id"],
}
MOST = 64 << 20


def messages() -> list[str]:
    """Every V1 notification of the fixtures that convert accepts as a document, on one line."""
    found = []
    for path in sorted(FIXTURES.glob("notifications/*/v1.json")):
        try:
            record = json.loads(path.read_text())
        except ValueError:
            continue
        if isinstance(record, dict) and "notification_type" in record:
            # A subscription of its own for each: ids of messages without a date depend on the messages before them.
            text = json.dumps(dict(record, password=SECRET))
            found.append(re.sub(r'(original_transaction_id": "?)(\d+)', rf"\g<1>\g<2>{len(found):03}", text))
    return found


def table(rows: list[dict[str, Any]], separator: str = ",") -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), delimiter=separator, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def write(folder: Path, found: list[str]) -> None:
    """The same messages in each form, with an id and a time where the form has room for them."""
    folder.mkdir(parents=True)
    rows = [{"id": f"m-{number}", "received_at": f"2022-03-{number % 28 + 1:02}T10:00:00Z", "note": SECRET} for number in range(len(found))]
    (folder / "rows.ndjson").write_text("".join(json.dumps({**row, "body": json.loads(body)}) + "\n" for row, body in zip(rows, found)))
    (folder / "table.csv").write_text(table([{**row, "payload": body} for row, body in zip(rows, found)]))
    escapes = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n"})
    lines = ["id\treceived_at\tpayload", *("\t".join(cell.translate(escapes) for cell in (row["id"], row["received_at"], body)) for row, body in zip(rows, found))]
    (folder / "copy.tsv").write_text("\n".join(lines) + "\n")
    base = sqlite3.connect(folder / "shop.sqlite")
    base.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, mail TEXT)")
    base.execute("INSERT INTO customers VALUES (1, ?)", (SECRET,))
    base.execute("CREATE TABLE inbox (id INTEGER PRIMARY KEY, payload TEXT, received_at TEXT)")
    base.executemany("INSERT INTO inbox VALUES (?, ?, ?)", [(number, body, rows[number]["received_at"]) for number, body in enumerate(found)])
    base.commit()
    base.close()
    (folder / "app.log").write_text("".join(f"2022-03-01 INFO {SECRET} received {body}\n" for body in found))
    cells = [{**row, "cell": base64.b64encode(body.encode()).decode()} for row, body in zip(rows, found)]
    (folder / "cells.csv.gz").write_bytes(gzip.compress(table(cells, ";").encode()))


def bytes_read(command: list[Any], folder: Path, source: Any = subprocess.DEVNULL) -> tuple[int, str]:
    """Runs a command, and counts the bytes that it read."""
    process = subprocess.Popen([str(word) for word in command], cwd=folder, stdin=source, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    told = process.stdout.read().decode() if process.stdout else ""
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    counted = Path(f"/proc/{process.pid}/io").read_text()
    require(process.wait() == 1, f"exit status {process.returncode}: {told}")
    return int(re.search(r"rchar: (\d+)", counted)[1]), told  # type: ignore[index]


class Parts:
    def __init__(self, suite: Suite) -> None:
        self.suite, self.folder = suite, suite.folder / "in"
        self.found = self.independent(messages())
        write(self.folder, self.found)
        self.names = [name.removeprefix("sqlite:").split("?")[0] for name in SINGLE]
        self.singles = {name: self.run("convert", "--quiet", *words, name, status=(0, 1)).stdout for name, words in SINGLE.items()}

    def independent(self, found: list[str]) -> list[str]:
        """Those whose id no earlier message decides: a message without a date has that of the same one before it."""
        first = self.suite.folder / "first"
        write(first, found)
        timed = (first / "rows.ndjson").read_text().splitlines(keepends=True)
        bare = [json.dumps({"body": json.loads(line)["body"]}) + "\n" for line in timed]
        ids = []
        for name, lines in (("timed", timed), ("bare", bare), ("both", timed + bare)):
            (first / f"{name}.ndjson").write_text("".join(lines))
            done = self.suite.run("convert", "--quiet", "--body", "body", "--received-at", "received_at", first / f"{name}.ndjson") \
                if name != "bare" else self.suite.run("convert", "--quiet", "--body", "body", first / "bare.ndjson")  # fmt: skip
            ids.append([json.loads(line)["notificationUUID"] for line in done.stdout.splitlines()])
        require([len(part) for part in ids] == [len(found), len(found), 2 * len(found)], "a message was rejected")
        alone, together = zip(ids[0], ids[1]), zip(ids[2][: len(found)], ids[2][len(found) :])
        return [body for body, one, other in zip(found, alone, together) if one == other]

    def run(self, *words: Any, **more: Any) -> Any:
        return self.suite.run(*words, **{"folder": self.folder, **more})

    def six(self) -> str:
        """One run of six sources has the records of six runs; detect shows no value."""
        done = self.run("detect", *self.names, "--to", "sources.json")
        require(SECRET not in done.stdout + done.stderr, "detect shows a value", done)
        require(all(str(len(self.found)) in line for line in done.stdout.splitlines() if "looked at" in line), "rows", done)
        written = json.loads((self.folder / "sources.json").read_text())
        require([source["input"] for source in written["sources"]] == list(SINGLE), f"inputs: {written}")
        for source, words in zip(written["sources"], SINGLE.values()):
            given = [part for name, value in source.get("options", {}).items() for part in ([f"--{name}"] if value is True else [f"--{name}", value])]
            require(sorted(given) == sorted(words), f"{source['input']}: {given}, expected {words}")
        together = self.run("convert", "--quiet", "--sources", "sources.json", status=(0, 1))
        require(together.stdout == "".join(self.singles.values()), "another result than six runs have")
        elsewhere = self.run("convert", "--quiet", "--sources", self.folder / "sources.json", folder=self.suite.folder, status=(0, 1))
        require(elsewhere.stdout == together.stdout, "another result from another folder")
        return f"{len(self.found)} messages in {len(SINGLE)} forms"

    def printed(self) -> str:
        """The command that detect prints for each source is the one that reads it."""
        told = self.run("detect", *self.names).stdout
        commands = re.findall(r"^  read it: slipcast (.*)$", told, re.M)
        require(len(commands) == len(SINGLE), told)
        for command, name in zip(commands, SINGLE):
            done = self.run(*shlex.split(command), "--quiet", status=(0, 1))
            require(done.stdout == self.singles[name], f"another result: {command}")
        lines = [json.loads(line) for line in self.run("detect", "--format", "json", *self.names).stdout.splitlines()]
        require([line["form"] for line in lines] == ["json", "csv", "tsv", "rows", "log", "csv"], f"forms: {lines}")
        require(all(line["kinds"] == {"notificationV1": len(self.found)} for line in lines), f"kinds: {lines}")
        return ""

    def commands(self) -> str:
        """Every command reads the same records from the file as from one source."""
        one = {"schema": 1, "sources": [{"input": "rows.ndjson", "options": {"body": "body", "received-at": "received_at", "id": "id"}}]}
        (self.folder / "one.json").write_text(json.dumps(one))
        words, place = SINGLE["rows.ndjson"], "rows.ndjson"
        cases: dict[str, tuple[list[Any], list[str]]] = {
            "timeline": (["--quiet"], words), "inspect": (["--format", "json"], words[:2]),
            "verify": (["--format", "json", "--quiet", "--exit-zero"], words[:2]),
            "replay": (["--raw", "--quiet", "--to", "http://127.0.0.1:9/"], words),
            "fetch history": (["--bundle-id", "a"], words[:2]),
        }  # fmt: skip
        for name, (more, reading) in cases.items():
            plain = self.run(*name.split(), *more, place, *reading, status=(0, 1, 2))
            listed = self.run(*name.split(), *more, "--sources", "one.json", status=(0, 1, 2))
            require((plain.status, plain.stdout, plain.stderr) == (listed.status, listed.stdout, listed.stderr), f"{name} differs", listed)
        for name, given in (("plain.csv", [place, "--body", "body"]), ("listed.csv", ["--sources", "one.json"])):
            self.run("export", "--for", "adapty", "--quiet", "--to", name, *given, status=(0, 1))
        require((self.folder / "plain.csv").read_bytes() == (self.folder / "listed.csv").read_bytes(), "export differs")
        (self.folder / "v2.ndjson").write_text(self.singles[place])
        plain = self.run("parity", "--format", "json", "--legacy", place, *words, "--server", "v2.ndjson", status=(0, 1))
        server = {"schema": 1, "sources": [{"input": "v2.ndjson"}]}
        (self.folder / "server.json").write_text(json.dumps(server))
        for given in (["--sources", "one.json", "--server", "v2.ndjson"], ["--sources", "one.json", "--server-sources", "server.json"]):
            listed = self.run("parity", "--format", "json", *given, status=(0, 1))
            one_side, other = json.loads(plain.stdout), json.loads(listed.stdout)
            require((one_side["verdict"], one_side["pairs"]) == (other["verdict"], other["pairs"]), f"parity {given} differs", listed)
        refused = self.run("parity", "--sources", "one.json", "--legacy", place, "--server", "v2.ndjson", status=2)
        require("leave out --legacy rows.ndjson" in refused.stderr, "parity", refused)
        refused = self.run("parity", "--sources", "one.json", "--body", "x", "--server", "v2.ndjson", status=2)
        require("--body" in refused.stderr and "one.json" in refused.stderr, "parity", refused)
        return f"{len(cases) + 2} commands"

    def resumed(self) -> str:
        """Killed runs of all sources, resumed until one ends."""
        self.run("detect", *self.names, "--to", "sources.json")
        expected = self.run("convert", "--quiet", "--sources", "sources.json", status=(0, 1)).stdout
        words = ["convert", "--quiet", "--sources", "sources.json", "--to", "out.ndjson", "--checkpoint", "run.json", "--checkpoint-every", "0"]
        program, random, kills = Program(self.suite.slipcast), chance("sources", self.suite.options.seed), 0
        for attempt in range(30):
            process = program.start([str(self.suite.slipcast), *words, *(["--resume"] if attempt else [])], self.folder)
            outcome = process.signal_after(random.uniform(0.02, 0.3) if attempt < 5 else 600, signal.SIGKILL).end()
            kills += outcome.was_killed
            if not outcome.was_killed:
                break
        require((self.folder / "out.ndjson").read_text() == expected, "a resumed run writes something else")
        file = self.folder / "sources.json"
        file.write_text(file.read_text().replace('"id":"id"', '"id":"note"', 1))
        refused = self.run(*words, "--resume", status=2)
        require("other options are given" in refused.stderr, "options of a source have changed", refused)
        return f"{kills} kills"

    def undecided(self) -> str:
        """Columns that fit equally well are named, and nothing reads the source before one is chosen."""
        rows = [{"a": f"{number}", "made": "2022-01-01", "seen": "2022-01-02", "raw": body, "copy": body} for number, body in enumerate(self.found[:3])]
        (self.folder / "both.csv").write_text(table(rows))
        done = self.run("detect", "both.csv", "rows.ndjson", "--to", "both.json", status=1)
        for words in ("choose --body raw or copy", "choose --received-at made or seen"):
            require(words in done.stdout, words, done)
        refused = self.run("convert", "--sources", "both.json", status=2)
        require("both.json: sources[0].choose: this source is undecided (body: raw or copy; received-at: made or seen)" in refused.stderr, "undecided", refused)
        chosen = json.loads((self.folder / "both.json").read_text())
        del chosen["sources"][0]["choose"]
        chosen["sources"][0]["options"] = {"body": "copy"}
        (self.folder / "both.json").write_text(json.dumps(chosen))
        done = self.run("convert", "--quiet", "--sources", "both.json", status=(0, 1))
        require(done.stdout.count("\n") > len(rows), "chosen", done)
        return ""

    def folders(self) -> str:
        """A folder is one source where the same options read its files, else each file is one."""
        same = self.folder / "same"
        same.mkdir()
        for name in ("a.ndjson", "b.ndjson"):
            (same / name).write_bytes((self.folder / "rows.ndjson").read_bytes())
        require(self.run("detect", "same").stdout.count("read it: ") == 1, "one source")
        (same / "c.csv").write_bytes((self.folder / "table.csv").read_bytes())
        told = self.run("detect", "same", "--to", "same/sources.json.txt")
        require(told.stdout.count("read it: ") == 3, "three sources", told)
        names = [source["input"] for source in json.loads((same / "sources.json.txt").read_text())["sources"]]
        require(names == ["a.ndjson", "b.ndjson", "c.csv"], f"relative to the file: {names}")
        return ""

    def huge(self) -> str:
        """Of huge and endless sources only the beginning is read."""
        zeros = self.folder / "zeros"
        with zeros.open("wb") as file:
            file.truncate(2 << 30)
        most = 0
        packed = self.folder / "zeros.gz"
        with gzip.open(packed, "wb", 1) as file:
            for _ in range(512):
                file.write(bytes(1 << 20))
        for name in ("zeros", "zeros.gz"):
            read, told = bytes_read([self.suite.slipcast, "detect", name], self.folder)
            require(read < 16 * MOST // 4, f"{read} bytes of {name} were read: {told}")
            most = max(most, read)
        for text in (b"y\n", b"{\"a\":1}\n", b"[", b"\0"):
            ends = os.pipe()
            sent = [0]

            def feed(end: int = ends[1], piece: bytes = text * (65536 // len(text)), sent: list[int] = sent) -> None:
                try:
                    while sent[0] < 4 * MOST:
                        sent[0] += os.write(end, piece)
                except BrokenPipeError:
                    pass
                finally:
                    os.close(end)

            # The reader must be there alone, or the pipe never breaks.
            with os.fdopen(ends[0], "rb") as source:
                process = subprocess.Popen([self.suite.slipcast, "detect", "-"], stdin=source, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            writer = threading.Thread(target=feed)
            writer.start()
            told = process.communicate()[0].decode()
            writer.join()
            require(process.returncode == 1, f"{text!r}: status {process.returncode}, {told}")
            require(sent[0] < MOST, f"{sent[0]} bytes of an endless pipe were read: {told}")
        return f"at most {most >> 20} MiB in all ways together"


def run(suite: Suite) -> None:
    parts = Parts(suite)
    for name in ("six", "printed", "commands", "resumed", "undecided", "folders", "huge"):
        suite.part(name, getattr(parts, name))
    exceptions = Exceptions(suite, parts.found)
    for name in ("few", "left_out", "mistyped", "several", "converted", "folder_of_all"):
        suite.part(name, getattr(exceptions, name))
    repairing = Repairing(suite, parts.found)
    for name in ("repaired", "counted", "reasons", "words"):
        suite.part(name, getattr(repairing, name))
