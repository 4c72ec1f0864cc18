"""Files that the tasks read by themselves, because the way through the JVM costs more than converting.

Only for files that every node sees under their path (file:), and not for compressed JSON lines: Spark reads all others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO, NamedTuple, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession

PACKED = (".gz", ".bz2", ".zst", ".deflate", ".snappy", ".lz4", ".xz")
PIECE = 1 << 18  # bytes that are read at a time; they stay in the processor's cache until slipcast has them
ROWS = 500  # of a Parquet file, at a time
MARK = b"\xef\xbb\xbf"
BLANK = MARK + b" \t\r\n"  # a line of these holds no record
BLANKS = np.frombuffer(BLANK, np.uint8)
CELL = pa.large_binary()
LINE, TAB = pa.scalar(b"\n", CELL), pa.scalar(b"\t", CELL)
UNNAMED = "-"  # the column of the empty cells
# The backslash first. A byte 0, which no cell may have, becomes a byte that JSON allows as little: so the reject has an id.
ESCAPES = ((b"\\", b"\\\\"), (b"\t", b"\\t"), (b"\n", b"\\n"), (b"\r", b"\\r"), (b"\0", b"\x01"))
Batches = Iterator[pa.RecordBatch]
T = TypeVar("T")


class Piece(NamedTuple):
    """Some lines, and how many of them hold something. They are to be used before the next piece is asked for."""

    lines: bytes | memoryview
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
    """The splits of each task, small files together: up to four times as large as those of Spark's own readers, because
    a task of Python costs as much as some thousand records."""
    settings = spark._jsparkSession.sessionState().conf()
    most, extra = 4 * settings.filesMaxPartitionBytes(), settings.filesOpenCostInBytes()
    whole = sum(size + extra for _, size in found)
    most = min(most, max(extra, whole // (4 * spark.sparkContext.defaultParallelism)))
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


def each(
    spark: SparkSession, tasks: list[list[Split]], use: Callable[[Split], Iterator[T]],
) -> tuple[DataFrame, Callable[[Batches], Iterator[T]]]:
    """A frame with one row for each task, its number, and what uses the splits of the rows."""
    known = spark.sparkContext.broadcast(tasks)

    def pieces(batches: Batches) -> Iterator[T]:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                for split in known.value[number]:
                    yield from use(split)

    return spark.range(0, len(tasks), 1, len(tasks)).toDF("task"), pieces


def is_near(path: str, packed: tuple[str, ...] = PACKED) -> bool:
    """Every node can open the file itself."""
    return path.startswith("file:") and not path.endswith(packed)


def local(path: str) -> str:
    """A path of Spark's as the system has it; Spark does not encode it."""
    return "/" + path.removeprefix("file:").lstrip("/")


def lines(split: Split) -> Iterator[Piece]:
    """The lines of a split."""
    with open(local(split.path), "rb") as file:
        start, stop = line_at(file, split.start), line_at(file, split.stop)
        file.seek(start)
        if start == 0 and file.read(len(MARK)) == MARK:
            start = len(MARK)
    with open(local(split.path), "rb", buffering=0) as file:
        file.seek(start)
        yield from pieces(file, stop - start)


def line_at(file: BinaryIO, place: int) -> int:
    """Where the first line begins that does not begin before a place."""
    if place == 0:
        return 0
    file.seek(place - 1)
    file.readline()
    return file.tell()


def pieces(file: BinaryIO, size: int) -> Iterator[Piece]:
    """So many bytes of a file, which begins a line here, in whole lines; the last line may lack its end."""
    buffer, kept = bytearray(PIECE), 0
    while size > 0:
        if kept == len(buffer):
            buffer += bytes(len(buffer))  # a long line
        count = file.readinto(memoryview(buffer)[kept:kept + size])
        if not count:
            break
        size, end = size - count, kept + count
        cut = buffer.rfind(b"\n", 0, end) + 1
        if cut:
            some = memoryview(buffer)[:cut]
            yield Piece(some, filled(some))
            some.release()
        buffer[:end - cut], kept = buffer[cut:end], end - cut
    if kept:
        some = bytes(buffer[:kept]) + b"\n"
        yield Piece(some, filled(some))


def newlines(split: Split) -> int:
    """How many lines end in a split."""
    with open(local(split.path), "rb", buffering=0) as file:
        file.seek(split.start)
        rest, count = split.stop - split.start, 0
        while rest > 0 and (some := file.read(min(PIECE, rest))):
            rest, count = rest - len(some), count + some.count(b"\n")
        return count


def filled(some: bytes | memoryview) -> int:
    """How many of some lines hold something. Few archives have others: only lines that begin with a blank are looked at."""
    ends = np.flatnonzero(np.frombuffer(some, np.uint8) == 10)
    firsts = np.frombuffer(some, np.uint8)[np.append(0, ends[:-1] + 1)]
    if not np.isin(firsts, BLANKS).any():
        return len(ends)
    return sum(bool(line.strip(BLANK)) for line in bytes(some).split(b"\n")[:-1])


def joined(batch: pa.RecordBatch) -> Piece:
    """The rows of a batch that Spark read, as lines."""
    column = batch.column(0).cast(pa.binary()).drop_null()
    if len(column) == 0:
        return Piece(b"", 0)
    whole = pa.ListArray.from_arrays(pa.array([0, len(column)], pa.int32()), column)
    text = pc.binary_join(whole, b"\n")[0].as_py() + b"\n"
    return Piece(text, filled(text))


def table(split: Split, columns: dict[str, str]) -> Iterator[Piece]:
    """The rows of the row groups that have their middle in a split; columns are those of rows() and their names."""
    file = pq.ParquetFile(local(split.path))
    groups = [number for number in range(file.num_row_groups) if split.start <= middle(file, number) < split.stop]
    for batch in file.iter_batches(ROWS, row_groups=groups, columns=[*columns.values()], use_threads=False):
        yield rows(batch.select([*columns.values()]).rename_columns([*columns]))


def middle(file: pq.ParquetFile, number: int) -> int:
    """Where the middle of a row group is in its file."""
    group = file.metadata.row_group(number)
    parts = [group.column(place) for place in range(group.num_columns)]
    first = min(part.dictionary_page_offset or part.data_page_offset for part in parts)
    return first + sum(part.total_compressed_size for part in parts) // 2


def tabled(pieces: Iterator[Piece], names: Iterable[str]) -> Iterator[Piece]:
    """Pieces of rows() below the names of their columns; without a row, there is no table either."""
    for number, piece in enumerate(pieces):
        if number == 0:
            yield Piece("\t".join((UNNAMED, *names)).encode(), 0)
        yield piece


def rows(batch: pa.RecordBatch) -> Piece:
    """The rows of a table as lines of TSV, with the escapes of PostgreSQL's COPY; what has no value is an empty cell.

    Each begins with the end of the line before it and an empty cell, so that a row without any value is no empty line.
    Arrow writes them: a loop of Python over the rows costs as much as slipcast takes to convert them.
    """
    if batch.num_rows == 0:
        return Piece(b"", 0)
    cells = [LINE, *(escaped(text(column)) for column in batch.columns)]
    lines = pc.binary_join_element_wise(*cells, TAB, null_handling="replace", null_replacement=b"")
    return Piece(memoryview(lines.buffers()[2]), batch.num_rows)


def text(column: pa.Array) -> pa.Array:
    """The values of a column as texts, timestamps as milliseconds since 1970."""
    if pa.types.is_timestamp(column.type):
        column = column.cast(pa.timestamp("ms", column.type.tz), safe=False).cast(pa.int64())
    if pa.types.is_string(column.type):
        column = column.cast(pa.binary())  # the bytes as they are, whether they are UTF-8 or not
    elif not pa.types.is_binary(column.type):
        column = column.cast(pa.string()).cast(pa.binary())
    return column.cast(CELL)


def escaped(column: pa.Array) -> pa.Array:
    """Texts as cells. Most batches hold nothing to escape, and to see that costs little."""
    ends = np.frombuffer(column.buffers()[1], np.int64)[[column.offset, column.offset + len(column)]]
    some = column.buffers()[2]
    some = b"" if some is None else some[ends[0]:ends[1]].to_pybytes()
    for plain, cell in ESCAPES:
        if plain in some:
            column = pc.replace_substring(column, plain, cell)
    return column
