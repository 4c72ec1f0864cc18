"""Files cut anywhere, and output that comes in any pieces: nothing of them is lost, doubled or torn."""

from __future__ import annotations

import io
import random
from pathlib import Path

import pyarrow as pa
from harness import require

LINES = (b"", b" ", b"\t\r", b"x y", b" z", b"long" * 12)


class Drops(io.RawIOBase):
    """A pipe that gives a few bytes at a time."""

    def __init__(self, content: bytes, rng: random.Random) -> None:
        self.content, self.rng = content, rng

    def readinto(self, buffer: memoryview) -> int:
        count = min(self.rng.randint(1, 40), len(buffer), len(self.content))
        buffer[:count], self.content = self.content[:count], self.content[count:]
        return count


def cut_files(folder: Path) -> str:
    """The splits of a file have each of its lines once, whole, and count those that hold something."""
    import splits

    piece, splits.PIECE = splits.PIECE, 16
    rng, path = random.Random(1), folder / "cut %20 é.ndjson"
    try:
        for _ in range(1000):
            lines = [rng.choice(LINES) for _ in range(rng.randint(0, 12))]
            content = rng.choice((b"", splits.MARK)) + b"\n".join(lines) + rng.choice((b"", b"\n") if lines else (b"",))
            path.write_bytes(content)
            cuts = sorted({0, len(content), *(rng.randint(0, len(content)) for _ in range(3))})
            parts = [splits.Split(f"file:{path}", start, stop) for start, stop in zip(cuts, cuts[1:])]
            found = [(bytes(one.lines), one.rows) for part in parts for one in splits.lines(part)]
            wanted = content.removeprefix(splits.MARK)
            wanted += b"" if wanted.endswith(b"\n") or not wanted else b"\n"
            require(b"".join(text for text, _ in found) == wanted, f"{content} cut at {cuts}: {found}")
            rows = sum(bool(line.strip(splits.BLANK)) for line in wanted.split(b"\n"))
            require(sum(count for _, count in found) == rows, f"{content} has {rows} rows: {found}")
    finally:
        splits.PIECE = piece
    return "1000 files"


def cut_output() -> str:
    """What slipcast writes comes in whole lines, however the pipe gives it."""
    import piping

    size, piping.OUTPUT_BATCH = piping.OUTPUT_BATCH, 16
    rng = random.Random(2)
    try:
        for _ in range(1000):
            content = b"".join(b"x" * rng.randint(1, 50) + b"\n" for _ in range(rng.randint(0, 9)))
            found = [*piping.chunks(Drops(content, rng))]
            require(b"".join(chunk + b"\n" for chunk in found) == content, f"{content}: {found}")
    finally:
        piping.OUTPUT_BATCH = size
    return "1000 outputs"


def rows_as_table() -> str:
    """Rows of Parquet become lines of a table that hold the same values, whatever is in them."""
    from datetime import date, datetime, timezone

    import splits

    bodies = [b'{"a":"b"}', b'a "quote" and \\ back, \\t', b"tab\tand line\nfeed\r", None, b"", "é \U0001f600".encode(), b"\xff\x00", None]
    at = datetime(2024, 5, 1, 12, 0, 0, 250_000, timezone.utc)
    ids = ["1", 'x"y', None, "4", "5", "6", "7", None]
    times = ([at, None, at, at, None, at, at, None], [1.5e9, None, 1.5, 2.25, 0.0, 3.0, 4.0, None], [date(2024, 5, 1)] * 7 + [None])
    written = {at: "1714564800250", None: "", date(2024, 5, 1): "2024-05-01"}
    for received in times:
        body = pa.Array.from_buffers(pa.string(), len(bodies), pa.array(bodies, pa.binary()).buffers())
        batch = pa.RecordBatch.from_pydict({"id": ids, "received_at": received, "body": body})
        for start in (0, 2):
            found = [*splits.tabled(iter([splits.rows(batch.slice(start)), splits.rows(batch.slice(0, 0))]), batch.schema.names)]
            lines = b"".join(piece.lines for piece in found).split(b"\n")
            require(lines[0] == b"-\tid\treceived_at\tbody", f"{lines[0]}")
            require(sum(piece.rows for piece in found) == len(lines) - 1 == len(ids) - start, f"{len(lines)} lines")
            for line, name, time, text in zip(lines[1:], ids[start:], received[start:], bodies[start:]):
                cells = [plain(cell) for cell in line.split(b"\t")]
                require([cells[0], cells[1], cells[3]] == [b"", (name or "").encode(), (text or b"").replace(b"\0", b"\x01")], f"{line}")
                told = written.get(time, str(time)).encode()
                require(number(cells[2]) == number(told), f"{line}")
    require(not [*splits.tabled(iter(()), ["body"])], "a table without rows has no line")
    return "6 tables"


def plain(cell: bytes) -> bytes:
    """What a cell says, read letter by letter."""
    said, rest = bytearray(), iter(cell)
    for letter in rest:
        said.append({ord("t"): 9, ord("n"): 10, ord("r"): 13, ord("\\"): 92}[next(rest)] if letter == 92 else letter)
    return bytes(said)


def number(text: bytes) -> float | bytes:
    """The number that a text is, which has more than one spelling; else the text."""
    try:
        return float(text)
    except ValueError:
        return text
