"""An archive of version 1 notifications, made anew and always the same.

Each record is one of Fixtures/notifications with other ids and dates, so that all are
distinct; among them stand exact repetitions, broken lines, and objects that are no
record. They are spread over sources of every shape, with names that a shell must quote.
"""

import gzip
import io
import json
import random
import re
import subprocess
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

# Stands for the shared secret of every record; no output may show it.
SECRET = "Tell-Nobody-5f1d7c90a3"
PACIFIC = ZoneInfo("America/Los_Angeles")
TEXT_DATE = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) (Etc/GMT|America/Los_Angeles)")


def shifted(text: str, zone: str, days: int) -> str:
    """A date of V1, so many days later."""
    there = PACIFIC if zone != "Etc/GMT" else timezone.utc
    moment = datetime.strptime(text, "%Y-%m-%d %H:%M:%S").replace(tzinfo=there)
    later = (moment.astimezone(timezone.utc) + timedelta(days=days)).astimezone(there)
    return f"{later:%Y-%m-%d %H:%M:%S} {zone}"


def variant(record: str, number: int) -> str:
    """The same event of another customer, on another day."""
    days = number % 40
    text = re.sub(r"\b7300\d{11}\b", lambda m: str(int(m[0]) + number * 10**8), record)
    text = re.sub(r"\b1[4-9]\d{11}\b", lambda m: str(int(m[0]) + days * 86_400_000), text)
    text = TEXT_DATE.sub(lambda m: shifted(m[1], m[2], days), text)
    text = text.replace('"bid":"com.example.slipcast"', f'"bid":"com.example.app{number}"')
    return re.sub(r'"password":"[^"]*"', f'"password":"{SECRET}"', text)


def fixtures(root: Path) -> list[str]:
    """The records of Fixtures/notifications that need no options, each on one line."""
    found = []
    for path in sorted((root / "Fixtures/notifications").glob("*/v1.json")):
        if (path.parent / "arguments.txt").exists():
            continue
        try:
            record = json.loads(path.read_bytes())
        except ValueError:
            continue
        if isinstance(record, dict) and "notification_type" in record:
            found.append(json.dumps(record, ensure_ascii=False, separators=(",", ":")))
    return found


@dataclass
class Records:
    """Hands out lines: records, and so many repetitions and broken ones among them."""

    patterns: list[str]
    random: random.Random
    made: list[str] = field(default_factory=list)
    broken: int = 0
    lines: int = 0

    def good(self) -> str:
        """The next record; no two are alike."""
        number = len(self.made)
        record = variant(self.patterns[number % len(self.patterns)], number // len(self.patterns) + 1)
        self.made.append(record)
        return record

    def next(self, breaks: bool = True) -> bytes:
        """The next line: mostly a record, now and then something else."""
        self.lines += 1
        chance = self.random.random()
        if chance < 0.03 and self.made:
            return self.random.choice(self.made).encode()
        if breaks and chance < 0.06:
            return self.wreck()
        return self.good().encode()

    def wreck(self) -> bytes:
        """A line that gives one reject."""
        self.broken += 1
        text = variant(self.random.choice(self.patterns), 7).encode()
        match self.broken % 4:
            case 0:
                return text[: self.random.randrange(20, len(text) - 1)].rstrip()
            case 1:
                return b'{"hello":"this is no record","password":"%s"}' % SECRET.encode()
            case 2:
                return b"this is no JSON, and password=%d" % self.broken
            case _:
                return text.replace(b'"bid"', b'"b\xff\xfed"', 1) + b"}"

    def take(self, count: int, breaks: bool = True) -> Iterator[bytes]:
        for _ in range(count):
            yield self.next(breaks)


@dataclass
class Archive:
    """The sources in the order in which they are to be read, and what is in them."""

    folder: Path
    sources: list[str]
    # Lines of all sources but those that are cut off.
    lines: int
    broken: int
    good: list[str]


def lined(items: Iterator[bytes]) -> bytes:
    return b"".join(item + b"\n" for item in items)


def pretty(items: Iterator[bytes]) -> bytes:
    """An array, indented."""
    records = [json.loads(item) for item in items]
    return json.dumps(records, ensure_ascii=False, indent=2).encode() + b"\n"


def zipped(text: bytes) -> bytes:
    return gzip.compress(text, mtime=0)


def zstandard(text: bytes) -> bytes:
    return subprocess.run(["zstd", "-q", "-c", "--check"], input=text, capture_output=True, check=True).stdout


def tarred(members: dict[str, bytes]) -> bytes:
    """A tar archive without any dates of today."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name, text in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text))
    return buffer.getvalue()


def make(root: Path, folder: Path, size: int = 1) -> Archive:
    """Writes the archive into a new folder; `size` multiplies the number of records."""
    records = Records(fixtures(root), random.Random(20220607))
    (folder / "by day").mkdir()
    files = {
        "plain.ndjson": lined(records.take(400 * size)),
        "by day/2022's.json.gz": zipped(lined(records.take(200 * size))),
        "array.json": pretty(records.take(200 * size, breaks=False)),
        "months.tar.gz": zipped(
            tarred(
                {
                    "2021/march.ndjson": lined(records.take(120 * size)),
                    "2021/april.json": pretty(records.take(80 * size, breaks=False)),
                    "2021/readme.md": b"no records here\n",
                    "2021/may.ndjson.gz": zipped(lined(records.take(100 * size))),
                }
            )
        ),
        "späte.ndjson.zst": zstandard(lined(records.take(200 * size))),
    }
    # The file of words in the archive is one more record that is none.
    lines, broken, good = records.lines + 1, records.broken + 1, list(records.made)
    # Sources that break off must not keep the run from those behind them.
    cut = zipped(lined(records.take(60)))
    files["cut.ndjson.gz"] = cut[: len(cut) * 2 // 3]
    long = zstandard(lined(records.take(200)))
    files["cut.ndjson.zst"] = long[: len(long) * 3 // 4]
    parts = tarred({"one.ndjson": lined(records.take(20)), "two.ndjson": lined(records.take(40))})
    files["cut.tar.gz"] = zipped(parts)[: len(zipped(parts)) * 3 // 4]
    files["last.ndjson"] = lined(good[place].encode() for place in range(0, len(good), 97))
    for name, text in files.items():
        (folder / name).write_bytes(text)
    names = ["plain.ndjson", "by day", *[name for name in files if "/" not in name][1:]]
    repeated = len(range(0, len(good), 97))
    return Archive(folder, [f"{folder}/{name}" for name in names], lines + repeated, broken, good)
