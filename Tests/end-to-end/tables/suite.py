"""Converts CSV and TSV: the same bytes as from NDJSON, in every wrapping; broken rows one by one; resumed runs."""

import csv
import gzip
import io
import json
import random
import signal
import tarfile
import time
import zipfile
from pathlib import Path

from harness import FIXTURES, Program, Suite, anew, require
import encoded

ROWS = ["--body", "/payload", "--received-at", "/created_at", "--id", "/id"]


def rows(copies: int = 1) -> list[dict[str, str]]:
    """Rows as a company's table has them: an id, a time, and the body as text over one or several lines."""
    found = []
    for path in sorted(FIXTURES.glob("notifications/*/v1.json")):
        try:
            record = json.loads(path.read_text())
        except ValueError:
            continue
        if not isinstance(record, dict):
            continue
        number = len(found)
        body = json.dumps(record, indent=2 if number % 3 == 0 else None)
        created = "" if number % 5 == 0 else f"2024-01-{number % 28 + 1:02} 10:00:00"
        found.append({"id": str(number), "a,b/c~d": 'x "y"' if number % 2 else "", "payload": body, "created_at": created})
    return [dict(row, id=f"{copy}-{row['id']}") for copy in range(copies) for row in found]


def as_ndjson(found: list[dict[str, str]]) -> str:
    return "".join(json.dumps({name: value for name, value in row.items() if value}) + "\n" for row in found)


def as_csv(found: list[dict[str, str]], separator: str = ",", end: str = "\n", quoting: int = csv.QUOTE_MINIMAL) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(found[0]), delimiter=separator, lineterminator=end, quoting=quoting)
    writer.writeheader()
    writer.writerows(found)
    return text.getvalue()


def as_copy(found: list[dict[str, str]], null: str) -> str:
    """The text of COPY, or of mysql --batch."""
    escapes = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})
    lines = ["\t".join(found[0])] + ["\t".join(value.translate(escapes) or null for value in row.values()) for row in found]
    return "\n".join(lines) + "\n"


class Parts:
    def __init__(self, suite: Suite) -> None:
        self.suite, self.folder = suite, suite.folder
        self.rows = rows()
        (self.folder / "rows.ndjson").write_text(as_ndjson(self.rows))
        self.expected = self.convert(self.folder / "rows.ndjson")

    def convert(self, *words: object, **more: object) -> str:
        return self.suite.run("convert", "--quiet", *ROWS, *words, status=(0, 1), **more).stdout

    def forms(self) -> str:
        """Every spelling of the same rows, from files of each name and from standard input."""
        plain = [row for row in self.rows if not set("\t\n\\") & set("".join(row.values()))]
        spellings = {
            "a.csv": as_csv(self.rows), "b.csv": "\ufeff" + as_csv(self.rows, end="\r\n"), "c.csv": as_csv(self.rows).rstrip("\n"),
            "d.csv": as_csv(self.rows, quoting=csv.QUOTE_ALL), "e.CSV": as_csv(self.rows) + "\n\n",
        }  # fmt: skip
        for name, text in spellings.items():
            path = self.folder / name
            path.write_bytes(text.encode())
            require(self.convert(path) == self.expected, f"{name} gives other records than NDJSON")
            require(self.convert(path, "--jobs", "1") == self.expected, f"{name} with one worker")
        text = spellings["a.csv"]
        require(self.convert("--csv", "-", text=text) == self.expected, "standard input")
        other = self.folder / "other.csv"
        other.write_text(as_csv(self.rows, ";"))
        require(self.convert(other, "--separator", ";") == self.expected, "--separator")
        for name, null in (("copy.tsv", "\\N"), ("batch.tsv", "NULL")):
            (self.folder / name).write_text(as_copy(self.rows, null))
            require(self.convert(self.folder / name, "--tsv", "copy") == self.expected, name)
            require(self.convert("-", "--tsv", "copy", text=as_copy(self.rows, null)) == self.expected, f"{name}, standard input")
        (self.folder / "plain.ndjson").write_text(as_ndjson(plain))
        simple = self.convert(self.folder / "plain.ndjson")
        for name, words in (("plain.tsv", []), ("forced.tsv", ["--tsv", "plain"])):
            (self.folder / name).write_text("\n".join("\t".join(row.values()) for row in [dict(zip(plain[0], plain[0])), *plain]) + "\n")
            require(self.convert(self.folder / name, *words) == simple, name)
        for name, quoting in (("quoted.tsv", csv.QUOTE_MINIMAL), ("all.tsv", csv.QUOTE_ALL)):
            (self.folder / name).write_text(as_csv(self.rows, "\t", quoting=quoting))
            require(self.convert(self.folder / name, "--tsv", "quoted") == self.expected, name)
        return f"{len(self.rows)} rows"

    def wrappings(self) -> str:
        """Compressed, in archives and in folders."""
        text, place = as_csv(self.rows).encode(), self.folder / "wrapped"
        place.mkdir()
        (place / "rows.csv.gz").write_bytes(gzip.compress(text))
        with zipfile.ZipFile(place / "rows.zip", "w") as archive:
            archive.writestr("2021/rows.csv", text)
        with tarfile.open(place / "rows.tar", "w") as archive:
            entry = tarfile.TarInfo("rows.csv.gz")
            entry.size = len(gzip.compress(text, mtime=0))
            archive.addfile(entry, io.BytesIO(gzip.compress(text, mtime=0)))
        for path in place.iterdir():
            require(self.convert(path) == self.expected, f"{path.name} gives other records")
        same = self.convert(*[self.folder / "rows.ndjson"] * 3)
        require(self.convert(place) == same, "a folder of three")
        compared = self.suite.run("parity", "--legacy", place / "rows.zip", "--server", place / "rows.zip", *ROWS, status=(0, 1, 2))
        require("unknown option" not in compared.stderr, compared.stderr)
        timeline = self.suite.run("timeline", "--quiet", *ROWS, place / "rows.csv.gz", status=(0, 1)).stdout
        same = self.suite.run("timeline", "--quiet", *ROWS, self.folder / "rows.ndjson", status=(0, 1)).stdout
        require(timeline == same, "timeline reads tables in another way")
        return ""

    def broken(self) -> str:
        """A broken row is one reject with its column; the rows around it are converted."""
        good = as_csv([row for row in self.rows if "\n" not in row["payload"]][:3], quoting=csv.QUOTE_ALL)
        head, *lines = good.splitlines(keepends=True)
        secret = '"9","","{""password"":""SECRET-SLIPCAST-table"",""notification_type"":""CANCEL""}'
        cases = {
            "cellsDiffer": '"7","x","y"\n', "textAfterQuote": '"7"x,"","{}",""\n', "quoteInCell": '7,,{"a":1},\n',
            "nulInCell": '7,,a\0b,\n', "quoteNotClosed": secret + "\n", "invalidUTF8": None,
        }  # fmt: skip
        for code, line in cases.items():
            path, rejects = self.folder / f"{code}.csv", self.folder / f"{code}.rejects"
            raw = '7,,\u00ff,\n'.encode("latin-1") if line is None else line.encode()
            path.write_bytes((head + "".join(lines[:1])).encode() + raw + good[len(head + lines[0]):].encode())
            outcome = self.suite.run("convert", "--quiet", *ROWS, path, "--rejects", rejects, status=1)
            found = [json.loads(one) for one in rejects.read_text().splitlines()]
            if line is not None:
                codes = {one["code"] for one in found}
                # The next row begins with a quote, which closes the cell.
                require(code in codes or code == "quoteNotClosed" and "textAfterQuote" in codes, f"{code}: {found}")
                require(any("column" in one["message"] for one in found), f"{code} names no column: {found}")
            require(outcome.stdout.count("\n") == 3, f"{code} takes other rows along")
            require("SECRET-SLIPCAST" not in rejects.read_text(), "a reject has the shared secret")
        # Rows over several lines, the header again, quotes with backslashes: each is one reject that says what it is.
        told = {
            '7,,"{\n  ""a"": 1,\n  ""b"": 2\n}"x,\n': ("textAfterQuote", "column 3 (payload)"),
            '7,,"{\n  ""a"": 1\n}",,\n': ("cellsDiffer", "column 4"),
            '7,,"{\\"a\\":1}",\n': ("textAfterQuote", "backslash"),
            head: ("headerRepeated", "the header row again"),
        }
        for number, (line, (code, words)) in enumerate(told.items()):
            path, rejects = self.folder / f"told{number}.csv", self.folder / f"told{number}.rejects"
            path.write_text(head + lines[0] + line + "".join(lines[1:]))
            outcome = self.suite.run("convert", "--quiet", *ROWS, path, "--rejects", rejects, status=1)
            found = [json.loads(one) for one in rejects.read_text().splitlines()]
            require([one["code"] for one in found] == [code] and found[0]["record"] == 2, f"{line!r}: {found}")
            require(words in found[0]["message"] and outcome.stdout.count("\n") == 3, f"{line!r}: {found}")
        # A quote that is not closed, far before the end: the rows after it are not lost.
        open_quote = self.folder / "open.csv"
        plain = [row for row in rows(6) if "\n" not in row["payload"]]
        many = as_csv(plain)
        first = many.index("\n") + 1
        open_quote.write_text(many[:first] + '8,"never closed,{},\n' + many[first:])
        alone = self.folder / "alone.csv"
        alone.write_text(many)
        outcome = self.suite.run("convert", "--quiet", *ROWS, "--max-record", "1", open_quote, status=1)
        require(len(many) > 2 << 20, "the archive is longer than two records may be")
        require(outcome.stdout == self.convert(alone, "--max-record", "1"), "an open quote takes other rows along")
        long = self.folder / "long.csv"
        long.write_text(head + lines[0] + '"8","","' + "z" * (3 << 20) + '\n","x"\n' + good[len(head) + len(lines[0]):])
        outcome = self.suite.run("convert", *ROWS, "--max-record", "1", long, status=1)
        require(outcome.stdout.count("\n") >= 3 and "--max-record" in outcome.stderr, outcome.stderr)
        return ""

    def heads(self) -> str:
        """A header row that cannot be right ends the run, with advice."""
        cases = (
            ("id;payload\n1;x\n", [], "--separator ';'"), ("id\tpayload\n1\tx\n", [], "--tsv"), ("id,id\n1,2\n", [], "same name"),
            ("id,,x\n1,2,3\n", [], "no name"), ('"id,payload\n1,2\n', [], "header row"),
            ("id,payload\r1,x\r", [], "carriage returns"), ("sep=;\nid;payload\n", ["--separator", ";"], "tail -n +2"),
            ("id,payload\n", ["--separator", ";;"], "--separator"), ("id,payload\n", ["--csv", "--tsv", "copy"], "--tsv has no effect"),
            ('"id";"payload"\n"1";"x"\n', [], "--separator ';'"), ('"id"\t"payload"\n"1"\t"x"\n', [], "--tsv"),
            ('"id"|"payload"\n"1"|"x"\n', [], "--separator '|'"), ('id;"pay,load"\n1;x\n', [], "--separator ';'"),
            ('"id","payload"\n"1","x"\n', ["--separator", ";"], "--csv"), ('"id" x,"payload"\n1,x\n', [], "its quotes closed"),
        )  # fmt: skip
        for text, words, said in cases:
            path = self.folder / "head.csv"
            path.write_text(text)
            outcome = self.suite.run("convert", *ROWS, *words, path, status=2)
            require(said in outcome.stderr, f"{text!r}: {outcome.stderr}")
        path = self.folder / "wide.csv"
        path.write_text(as_csv(self.rows[:2]))
        expected = self.suite.run("convert", "--quiet", *ROWS, path).stdout
        for encoding in ("utf-16", "utf-16-le", "utf-16-be"):
            path.write_bytes(as_csv(self.rows[:2]).encode(encoding))
            require(self.suite.run("convert", "--quiet", *ROWS, path).stdout == expected, f"{encoding} gives other lines")
        path.write_bytes(as_csv(self.rows[:2]).encode("utf-32"))
        outcome = self.suite.run("convert", *ROWS, path, status=2)
        require("iconv -f UTF-32" in outcome.stderr, outcome.stderr)
        late = self.folder / "late.tsv"
        late.write_text("id\tpayload\n" + "1\tx\n" * 200_000 + "2\ta\\tb\n")
        target = self.folder / "late.ndjson"
        outcome = self.suite.run("convert", *ROWS, late, "--to", target, status=2)
        require("--tsv copy" in outcome.stderr and "--tsv plain" in outcome.stderr, outcome.stderr)
        require(not target.exists() and not Path(f"{target}.part").exists(), "a partly written target is left")
        lone = self.folder / "lone.csv"
        lone.write_text(as_csv(self.rows[:2]))
        outcome = self.suite.run("convert", lone, status=1)
        require("--body names the column" in outcome.stderr, outcome.stderr)
        return ""

    def names(self) -> str:
        """Files of folders are recognized by their extensions in upper case too; --include is taken literally."""
        folder = anew(self.folder / "names")
        text = as_csv(self.rows[:3])
        for name in ("A.CSV", "b.Csv.GZ"):
            (folder / name).write_bytes(gzip.compress(text.encode()) if name.endswith("GZ") else text.encode())
        expected = self.suite.run("convert", "--quiet", *ROWS, folder / "A.CSV", folder / "b.Csv.GZ", status=(0, 1)).stdout
        found = self.suite.run("convert", *ROWS, folder, status=(0, 1))
        require(found.stdout == expected and "skipped" not in found.stderr, found.stderr)
        (folder / "NOTES.DOC").write_text("x")
        found = self.suite.run("convert", *ROWS, folder, status=(0, 1))
        require(found.stdout == expected and "NOTES.DOC" in found.stderr, found.stderr)
        self.suite.run("convert", *ROWS, folder, "--include", "*.csv", status=2)
        return ""

    def logs(self) -> str:
        """Records between other text in the lines of a log; the rest is counted."""
        records = [json.dumps(json.loads(row["payload"])) for row in self.rows]
        # One fixture is no record of any kind.
        records = [record for record in records if any(f'"{key}"' in record for key in ("notification_type", "latest_receipt_info", "receipt"))]
        plain = self.folder / "records.ndjson"
        plain.write_text("".join(record + "\n" for record in records))
        expected = self.suite.run("convert", "--quiet", plain, status=(0, 1)).stdout
        lines = []
        for number, record in enumerate(records):
            lines.append(f"2024-01-01T00:00:0{number % 10}Z INFO [http-{number}] body={record} status=200")
            lines.append(f"2024-01-01 DEBUG {{'not': json}} {{\"level\":\"info\"}} brace }} {{")
            if number % 7 == 0:
                lines.append("")
        lines.append(f"[req {{id=5 {{\"open\": payload={records[2]} }}")
        lines.append(f"two in a line: {records[0]}{records[1]}")
        log = self.folder / "app.log"
        log.write_text("\n".join(lines))
        both = self.folder / "both.ndjson"
        both.write_text(plain.read_text() + records[2] + "\n" + records[0] + "\n" + records[1] + "\n")
        expected = self.suite.run("convert", "--quiet", both, status=(0, 1)).stdout
        summary = self.folder / "logs.json"
        found = self.suite.run("convert", "--from-logs", log, "--summary", summary, status=(0, 1))
        require(found.stdout == expected, "a log gives other records than NDJSON")
        skipped = len(lines) - len(records) - 2
        counts = json.loads(summary.read_text())
        require(counts["skippedLines"] == skipped, f"{counts['skippedLines']} skipped lines, expected {skipped}")
        require("skippedLines" in found.stderr, found.stderr)
        self.suite.run("convert", "--quiet", "--from-logs", "-", text=log.read_text(), status=(0, 1))
        broken = self.folder / "broken.log"
        broken.write_text('x {"notification_type":"DID_RENEW",\n "password":"SECRET-SLIPCAST-log"}\n' + f"y {records[0]}\n")
        rejects = self.folder / "broken.rejects"
        outcome = self.suite.run("convert", "--quiet", "--from-logs", broken, "--rejects", rejects, status=1)
        require(outcome.stdout.count("\n") == 1 and "incomplete" in rejects.read_text(), outcome.stderr)
        require("SECRET-SLIPCAST" not in rejects.read_text(), "a reject has the shared secret")
        return f"{len(lines)} lines"

    def resumed(self) -> str:
        """Killed and resumed runs write what an undisturbed run writes."""
        many = rows(20)
        chance, kills = random.Random(self.suite.options.seed), 0
        for name, packed in (("many.csv", False), ("many.csv.gz", True)):
            source, target = self.folder / name, self.folder / f"{name}.ndjson"
            text = as_csv(many).encode()
            source.write_bytes(gzip.compress(text, 1) if packed else text)
            expected = self.convert(source)
            words = ["convert", "--quiet", *ROWS, str(source), "--to", str(target), "--checkpoint", f"{target}.json", "--checkpoint-every", "0"]
            program = Program(self.suite.slipcast)
            began = time.monotonic()
            self.suite.run(*words, status=(0, 1))
            took = time.monotonic() - began
            require(target.read_text() == expected, "a run with a checkpoint")
            target.unlink()
            Path(f"{target}.json").unlink()
            for attempt in range(30):
                more = ["--resume"] if attempt else []
                process = program.start([str(self.suite.slipcast), *words, *more], self.folder)
                outcome = process.signal_after(chance.uniform(0.2, 0.8) * took if attempt < 3 else 600, signal.SIGKILL).end()
                kills += outcome.was_killed
                if not outcome.was_killed:
                    break
            require(target.exists() and target.read_text() == expected, "a resumed run writes something else")
        require(kills > 0, "no run was killed")
        return f"{kills} kills"


def run(suite: Suite) -> None:
    parts = Parts(suite)
    for name in ("forms", "wrappings", "broken", "heads", "names", "logs", "resumed"):
        suite.part(name, getattr(parts, name))
    encoded.run(suite)
