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


def rows_as_json() -> None:
    """Rows of Parquet become lines that hold the same values, whatever is in them."""
    import json
    from datetime import datetime, timezone

    import splits

    bodies = ['{"a":"b"}', 'a "quote" and \\ back', "tab\tand line\nfeed", None, "", "é \U0001f600"]
    at = datetime(2024, 5, 1, 12, 0, 0, 250_000, timezone.utc)
    batch = pa.RecordBatch.from_pydict({"id": ["1", 'x"y', None, "4", "5", "6"], "received_at": [at, None, at, at, None, at], "body": bodies})
    for start in (0, 2):
        part = batch.slice(start)
        piece = splits.rows(part)
        wanted = [{name: 1714564800250 if value == at else value for name, value in row.items() if value is not None} for row in part.to_pylist()]
        require([json.loads(line) for line in piece.lines.split(b"\n")[:-1]] == wanted, f"{piece.lines}")
        require(piece.rows == len(wanted), f"{piece.rows} rows")
