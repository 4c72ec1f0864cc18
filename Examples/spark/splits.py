"""Files that the tasks read by themselves, in parts of about 128 MB, because the way through the JVM costs more than converting.

Only for files that every node sees under their path (file:), and not for compressed JSON lines: Spark reads all others.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession

PACKED = (".gz", ".bz2", ".zst", ".deflate", ".snappy", ".lz4", ".xz")
PIECE = 1 << 20  # bytes that are read at a time
ROWS = 500  # of a Parquet file, at a time
MARK = b"\xef\xbb\xbf"
BLANK = MARK + b" \t\r\n"  # a line of these holds no record
SPLIT = "path string, start bigint, stop bigint"


class Piece(NamedTuple):
    """Some lines, and how many of them hold something."""

    lines: bytes
    rows: int


class Split(NamedTuple):
    """A part of a file, in bytes; what begins in it belongs to it."""

    path: str
    start: int
    stop: int


def files(spark: SparkSession, path: str) -> list[tuple[str, int]]:
    """The files that Spark finds there, with their sizes."""
    found = spark.read.format("binaryFile").load(path).select("path", "length")
    return sorted((row["path"], row["length"]) for row in found.collect())


def plan(spark: SparkSession, found: list[tuple[str, int]]) -> list[list[Split]]:
    """The splits of each task: as large as those of Spark's own readers, small files together."""
    settings = spark._jsparkSession.sessionState().conf()
    most, extra = settings.filesMaxPartitionBytes(), settings.filesOpenCostInBytes()
    whole = sum(size + extra for _, size in found)
    most = min(most, max(extra, whole // spark.sparkContext.defaultParallelism))
    tasks: list[list[Split]] = []
    full = most
    for path, size in found:
        for start in range(0, size, most):
            stop = min(start + most, size)
            if full + stop - start > most:
                tasks.append([])
                full = 0
            tasks[-1].append(Split(path, start, stop))
            full += stop - start + extra
    return tasks


def frame(spark: SparkSession, tasks: list[list[Split]]) -> DataFrame:
    """The splits as rows, those of a task in one partition."""
    rows = spark.sparkContext.parallelize(tasks, len(tasks)).flatMap(lambda splits: splits)
    return spark.createDataFrame(rows, SPLIT)


def is_near(path: str, packed: tuple[str, ...] = PACKED) -> bool:
    """Every node can open the file itself."""
    return path.startswith("file:") and not path.endswith(packed)


def splits(batches: Iterator[pa.RecordBatch]) -> Iterator[Split]:
    for batch in batches:
        yield from (Split(**row) for row in batch.to_pylist())


def local(path: str) -> str:
    """A path of Spark's as the system has it; Spark does not encode it."""
    return "/" + path.removeprefix("file:").lstrip("/")


def lines(batches: Iterator[pa.RecordBatch]) -> Iterator[Piece]:
    """The lines of all splits."""
    for split in splits(batches):
        with open(local(split.path), "rb", buffering=PIECE) as file:
            stop = line_at(file, split.stop)
            file.seek(line_at(file, split.start))
            if split.start == 0 and file.read(len(MARK)) != MARK:
                file.seek(0)
            yield from pieces(file, stop)


def line_at(file: BinaryIO, place: int) -> int:
    """Where the first line begins that does not begin before a place."""
    if place == 0:
        return 0
    file.seek(place - 1)
    file.readline()
    return file.tell()


def pieces(file: BinaryIO, stop: int) -> Iterator[Piece]:
    """What a file has from here on, up to the beginning of a line, in whole lines."""
    while (rest := stop - file.tell()) > 0:
        some = file.read(min(PIECE, rest))
        if not some:
            return
        if not some.endswith(b"\n"):
            some += file.readline() or b"\n"
            if not some.endswith(b"\n"):
                some += b"\n"
        yield Piece(some, some.count(b"\n") - blanks(some))


def newlines(split: Split) -> int:
    """How many lines end in a split."""
    with open(local(split.path), "rb", buffering=0) as file:
        file.seek(split.start)
        rest, count = split.stop - split.start, 0
        while rest > 0 and (some := file.read(min(PIECE, rest))):
            rest, count = rest - len(some), count + some.count(b"\n")
        return count


def blanks(some: bytes) -> int:
    """How many lines hold nothing; few archives have any, so that is looked for first."""
    if some[:1] not in b"\n \t\r\xef" and not any(pair in some for pair in (b"\n\n", b"\n ", b"\n\t", b"\n\r", b"\n\xef")):
        return 0
    return sum(not line.strip(BLANK) for line in some.split(b"\n")[:-1])


def joined(batch: pa.RecordBatch) -> Piece:
    """The rows of a batch that Spark read, as lines."""
    column = batch.column(0).cast(pa.binary()).drop_null()
    if len(column) == 0:
        return Piece(b"", 0)
    whole = pa.ListArray.from_arrays(pa.array([0, len(column)], pa.int32()), column)
    text = pc.binary_join(whole, b"\n")[0].as_py() + b"\n"
    return Piece(text, len(column) - blanks(text))


def tables(batches: Iterator[pa.RecordBatch], columns: dict[str, str]) -> Iterator[Piece]:
    """The rows of Parquet files whose row groups have their middle in a split; columns are what they become and their names."""
    for split in splits(batches):
        file = pq.ParquetFile(local(split.path))
        groups = [number for number in range(file.num_row_groups) if split.start <= middle(file, number) < split.stop]
        for batch in file.iter_batches(ROWS, row_groups=groups, columns=[*columns.values()]):
            yield rows(batch.select([*columns.values()]).rename_columns([*columns]))


def middle(file: pq.ParquetFile, number: int) -> int:
    """Where the middle of a row group is in its file."""
    group = file.metadata.row_group(number)
    parts = [group.column(place) for place in range(group.num_columns)]
    first = min(part.dictionary_page_offset or part.data_page_offset for part in parts)
    return first + sum(part.total_compressed_size for part in parts) // 2


def rows(batch: pa.RecordBatch) -> Piece:
    """The rows of a table as JSON lines with the members "id", "received_at" and "body", as far as they have a value."""
    names = [name for name in batch.schema.names if name != "body"]
    members = [[member(name, value) for value in moments(batch.column(name)).to_pylist()] for name in names]
    heads = [b"".join(some) for some in zip(*members)] or [b""] * batch.num_rows
    column = batch.column("body").cast(pa.binary())
    quote = quoted if is_plain(column) else dumped
    some: list[bytes] = []
    for head, body in zip(heads, column.to_pylist()):
        some += [b"{", head[:-1], b"}\n"] if body is None else [b"{", head, b'"body":"', quote(body), b'"}\n']
    return Piece(b"".join(some), batch.num_rows)


def member(name: str, value: object) -> bytes:
    """A member of a line and a comma; nothing where it has no value."""
    return b"" if value is None else f'"{name}":{json.dumps(value, default=str, ensure_ascii=False)},'.encode()


def moments(column: pa.Array) -> pa.Array:
    """A column, timestamps as milliseconds since 1970."""
    if not pa.types.is_timestamp(column.type):
        return column
    return column.cast(pa.timestamp("ms", column.type.tz), safe=False).cast(pa.int64())


def is_plain(column: pa.Array) -> bool:
    """No text of a column has a control character, which JSON would have to escape."""
    start, stop = (column.offset + place for place in (0, len(column)))
    offsets = np.frombuffer(column.buffers()[1], np.int32)
    if offsets[start] == offsets[stop]:
        return True
    return bool(np.frombuffer(column.buffers()[2], np.uint8)[offsets[start]:offsets[stop]].min() >= 0x20)


def quoted(text: bytes) -> bytes:
    return text.replace(b"\\", b"\\\\").replace(b'"', b'\\"')


def dumped(text: bytes) -> bytes:
    return json.dumps(text.decode(errors="surrogateescape"), ensure_ascii=False)[1:-1].encode(errors="surrogateescape")
