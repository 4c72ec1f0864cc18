#!/usr/bin/env python3
"""Converts an archive of App Store version 1 notifications on a Spark cluster; each task runs one slipcast.

    spark-submit slipcast_job.py --slipcast ./slipcast INPUT OUTPUT [option...] [-- option of slipcast convert...]

INPUT is JSON lines (one record a line, gzip too) or Parquet (a column with the record's JSON text). OUTPUT becomes a
directory with kind=converted, kind=rejected, kind=counts and, with --dedupe, kind=duplicate. The job fails when
read = converted + duplicate + rejected (+ folded, with --group) does not hold.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import functools
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO

import pyarrow as pa
from pyspark import SparkFiles, TaskContext
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

import results
import splits
from results import CONVERTED, COUNTS, REJECTED

OUTPUT_BATCH = 1 << 20  # bytes of converted lines that go back to Spark at a time
PIPE_SIZE = 1031  # F_SETPIPE_SZ
STANDARD_INPUT = b'{"source":"-",'  # how a reject begins
TABLE_ROW = re.compile(rb"^(read|duplicate|rejected) +([\d,]+)$", re.MULTILINE)
ORIGINAL = re.compile(rb'"originalTransactionId":"([^"]*)"')
EVENT = re.compile(rb'"notificationUUID":"([^"]*)"')


Pieces = Iterator[splits.Piece]
Batch = Callable[[str, bytes], pa.RecordBatch]


@dataclass(frozen=True)
class Slipcast:
    """How a task calls slipcast; small, because it travels with every task."""

    path: str
    travels: bool
    arguments: tuple[str, ...] = ()

    def command(self, *more: str) -> list[str]:
        path = SparkFiles.get(os.path.basename(self.path)) if self.travels else self.path
        if self.travels and not os.access(path, os.X_OK):
            os.chmod(path, 0o755)
        # A rejected record is a result, no failure: with status 1 Spark would run the task again.
        return [path, "convert", "--jobs", "1", "--exit-zero", *more, *self.arguments]


class Feeder(threading.Thread):
    """Writes the rows of a partition to slipcast's standard input. The pipe is the queue: it holds a megabyte at most and
    then blocks, so that memory does not grow with the partition."""

    def __init__(self, pieces: Pieces, pipe: IO[bytes]) -> None:
        super().__init__(daemon=True)
        self.pieces, self.pipe = pieces, pipe
        self.rows = 0
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            with self.pipe:
                for piece in self.pieces:
                    self.rows += piece.rows
                    self.pipe.write(piece.lines)
        except BrokenPipeError:
            pass  # slipcast has ended early; its exit status says why
        except BaseException as error:
            self.error = error


def widen(pipe: IO[bytes]) -> None:
    """Lets a pipe hold a megabyte, where the system allows it: fewer turns between the processes."""
    with contextlib.suppress(OSError):
        fcntl.fcntl(pipe, PIPE_SIZE, OUTPUT_BATCH)


def chunks(file: IO[bytes]) -> Iterator[bytes]:
    """What a file has, in whole lines, about a megabyte at a time."""
    some: list[bytes] = []
    size = 0
    while more := file.read(OUTPUT_BATCH):
        some.append(more)
        size += len(more)
        if size >= OUTPUT_BATCH and b"\n" in more:
            whole, _, rest = b"".join(some).rpartition(b"\n")
            yield whole + b"\n"
            some, size = [rest], len(rest)
    if rest := b"".join(some):
        yield rest


def convert(slipcast: Slipcast, pieces: Pieces, batch: Batch) -> Iterator[pa.RecordBatch]:
    """Pipes a partition through one slipcast: converted lines, then rejects, then one row of counts."""
    with tempfile.TemporaryFile() as rejects, tempfile.TemporaryFile() as words:
        process = subprocess.Popen(
            slipcast.command("--rejects", f"/dev/fd/{rejects.fileno()}"), bufsize=0,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=words, pass_fds=[rejects.fileno()],
        )
        widen(process.stdin)
        widen(process.stdout)
        feeder = Feeder(pieces, process.stdin)
        feeder.start()
        converted = rejected = 0
        try:
            for chunk in chunks(process.stdout):
                converted += chunk.count(b"\n")
                yield batch(CONVERTED, chunk)
            status = process.wait()
        finally:
            process.kill()  # when Spark has stopped the task half-way
            process.wait()
        feeder.join()
        table = closing_table(status, words, feeder)
        rejects.seek(0)
        source = b'{"source":"partition %d",' % TaskContext.get().partitionId()
        for chunk in chunks(rejects):
            told = chunk.splitlines(keepends=True)
            rejected += len(told)
            yield batch(REJECTED, b"".join(line.replace(STANDARD_INPUT, source, 1) for line in told))
        yield batch(COUNTS, counts(table, feeder.rows, converted, rejected))


def closing_table(status: int, words: IO[bytes], feeder: Feeder) -> dict[str, int]:
    """The counts that slipcast printed at its end; an error when it did not come that far."""
    words.seek(-min(words.seek(0, os.SEEK_END), 8192), os.SEEK_END)
    text = words.read()
    if feeder.error is not None:
        raise feeder.error
    table = {name.decode(): int(count.replace(b",", b"")) for name, count in TABLE_ROW.findall(text)}
    if status != 0 or len(table) < 3:
        # slipcast's messages name places and kinds, never what a record says.
        raise RuntimeError(f"slipcast ended with status {status}: {text.decode(errors='replace').strip()}")
    return table


def counts(table: dict[str, int], rows: int, converted: int, rejected: int) -> bytes:
    """One line that says what became of a partition; an error when something of it is missing."""
    folded = table["read"] - converted - rejected
    if table["read"] < rows or table["rejected"] != rejected or folded < 0:
        raise RuntimeError(
            f"{rows} rows were given; slipcast tells of {table['read']} read and {table['rejected']} rejected; "
            f"it wrote {converted} converted lines and {rejected} rejects")
    row = {"read": table["read"], "converted": converted, "rejected": rejected, "folded": folded}
    return json.dumps(row).encode() + b"\n"


def keyed(slipcast: Slipcast, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Each row with the original transaction id that slipcast itself finds in it; none for what it rejects."""
    for batch in batches:
        is_filled = [bool(row and row.strip(splits.BLANK)) for row in batch.column("row").to_pylist()]
        batch = batch.filter(pa.array(is_filled, pa.bool_()))
        if batch.num_rows:
            # A byte order mark begins a file, and the row will stand in the middle of a partition.
            rows = [row.removeprefix(splits.MARK).strip(splits.BLANK) for row in batch.column("row").to_pylist()]
            keys = pa.array(original_ids(slipcast, rows), pa.string())
            columns = [keys, pa.array(rows, pa.binary()), batch.column("stood")]
            yield pa.RecordBatch.from_arrays(columns, ["key", "row", "stood"])


def original_ids(slipcast: Slipcast, rows: list[bytes]) -> list[str | None]:
    """The original transaction id of each row. Converted lines come in the order of the rows, without the rejects."""
    with tempfile.TemporaryFile() as rejects:
        run = subprocess.run(
            slipcast.command("--plain", "--quiet", "--rejects", f"/dev/fd/{rejects.fileno()}"),
            input=b"\n".join(rows), capture_output=True, pass_fds=[rejects.fileno()],
        )
        rejects.seek(0)
        refused = {json.loads(line)["line"] for line in rejects}
    if run.returncode != 0:
        raise RuntimeError(f"slipcast ended with status {run.returncode}: {run.stderr.decode(errors='replace')}")
    lines = run.stdout.splitlines()
    if len(lines) + len(refused) != len(rows):
        raise RuntimeError(f"{len(rows)} rows gave {len(lines)} lines and {len(refused)} rejects: "
                           "--group wants one record a row")
    converted = iter(lines)
    found = (None if number in refused else key(next(converted)) for number in range(1, len(rows) + 1))
    return [match and match.group(1).decode() for match in found]


def key(line: bytes) -> re.Match[bytes] | None:
    """Where a converted line names its subscription; its own id where it names none, so that repetitions meet."""
    return ORIGINAL.search(line) or EVENT.search(line)


@dataclass(frozen=True)
class Source:
    """A part of the input: rows of a frame, and what makes lines of them in a task."""

    frame: DataFrame
    pieces: Callable[[Iterator[pa.RecordBatch]], Pieces]


def sources(spark: SparkSession, words: argparse.Namespace) -> list[Source]:
    """The input. Tasks read files by themselves where they can; what is elsewhere, or compressed, comes through Spark."""
    names = columns_of(spark, words) if words.input_format == "parquet" else {}
    found = [] if words.through_spark else splits.files(spark, words.input)
    # The values of a partition's columns are in the path.
    inside = not any(f"/{name}=" in path for path, _ in found for name in names.values())
    near = [one for one in found if inside and splits.is_near([one], () if names else splits.PACKED)]
    rest = [path for path, _ in found if path not in dict(near)]
    if any(letter in path for path in rest for letter in "*?[{\\"):
        near, rest = [], []  # Spark takes paths for patterns
    made = []
    if near:
        own = (lambda batches: splits.tables(batches, names)) if names else splits.lines
        made.append(Source(splits.frame(spark, splits.plan(spark, near)), own))
    if rest or not near:
        made.append(through_spark(spark, words, rest if near else words.input, names))
    return made


def through_spark(spark: SparkSession, words: argparse.Namespace, paths: str | list[str], names: dict[str, str]) -> Source:
    """Rows that Spark reads."""
    if not names:
        # Only \n ends a line, and bytes stay as they are, whether they are UTF-8 or not.
        return Source(spark.read.text(paths, lineSep="\n"), lambda batches: map(splits.joined, batches))
    frame = spark.read.parquet(*([paths] if isinstance(paths, str) else paths))
    return Source(frame.select(*[F.col(name).alias(member) for member, name in names.items()]),
                  lambda batches: map(splits.rows, batches))


def columns_of(spark: SparkSession, words: argparse.Namespace) -> dict[str, str]:
    """The columns of Parquet that become members of the rows for slipcast."""
    if spark.read.parquet(words.input).schema[words.body_column].dataType.simpleString() != "string":
        raise SystemExit(f"{words.body_column} is no column of strings")
    names = {"id": words.id_column, "received_at": words.received_at_column, "body": words.body_column}
    return {member: name for member, name in names.items() if name}


def read(spark: SparkSession, words: argparse.Namespace) -> DataFrame:
    """The input as one column of bytes, "row", one record a line, and where each stood: for --group."""
    if words.input_format == "json":
        lines = spark.read.text(words.input, lineSep="\n")
        return lines.select(F.col("value").cast("binary").alias("row"), order())
    row = F.struct(*[F.col(name).alias(member) for member, name in columns_of(spark, words).items()])
    return spark.read.parquet(words.input).select(F.to_json(row).cast("binary").alias("row"), order())


def order() -> Column:
    """Where a row stood: of two messages that time does not order, the first one in the archive leads."""
    stood = ("_metadata.file_path", "_metadata.file_block_start")
    return F.struct(*stood, F.monotonically_increasing_id().alias("number")).alias("stood")


def arguments(words: argparse.Namespace) -> tuple[str, ...]:
    """slipcast's arguments for the rows that read() makes."""
    found = list(words.convert)
    if words.input_format == "parquet":
        found += ["--body", "/body"]
        found += ["--id", "/id"] if words.id_column else []
        found += ["--received-at", "/received_at"] if words.received_at_column else []
    return tuple(found)


def grouped(rows: DataFrame, slipcast: Slipcast, partitions: int) -> DataFrame:
    """The rows, all those of one subscription in one partition. What has no original transaction id goes anywhere."""
    stood = rows.schema["stood"].dataType.simpleString()
    keys = rows.mapInArrow(lambda batches: keyed(slipcast, batches), f"key string, row binary, stood {stood}")
    place = F.coalesce("key", F.xxhash64("row").cast("string"))
    return keys.repartition(partitions, place).sortWithinPartitions("stood").select("row")


def parse(arguments: list[str]) -> argparse.Namespace:
    """The command line; what follows -- is for slipcast."""
    cut = arguments.index("--") if "--" in arguments else len(arguments)
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("input")
    ask.add_argument("output")
    ask.add_argument("--slipcast", default="slipcast", metavar="FILE",
                     help="the program; it is sent to all nodes (default: ./slipcast)")
    ask.add_argument("--installed", action="store_true", help="--slipcast is a path on the nodes; nothing is sent")
    ask.add_argument("--input-format", choices=["json", "parquet"], default="json")
    ask.add_argument("--output-format", choices=["json", "parquet"], default="json")
    ask.add_argument("--body-column", default="body", metavar="NAME", help="Parquet: the record as JSON text")
    ask.add_argument("--received-at-column", metavar="NAME", help="Parquet: when it was received")
    ask.add_argument("--id-column", metavar="NAME", help="Parquet: the row's own id")
    ask.add_argument("--through-spark", action="store_true",
                     help="Spark reads all files; else tasks read files of the nodes (file:) by themselves, which costs half as much")
    ask.add_argument("--compression", metavar="NAME", help="of the output; JSON: none, Parquet: zstd unless given")
    ask.add_argument("--dedupe", action="store_true", help="keeps one line of each notificationUUID")
    ask.add_argument("--group", action="store_true", help="folds companion messages with slipcast convert --group")
    ask.add_argument("--partitions", type=int, default=200, metavar="N", help="--group: into how many parts")
    words = ask.parse_args(arguments[:cut])
    words.convert = arguments[cut + 1:]
    if "--settle" in words.convert and not words.group:
        ask.error("--settle needs all messages of a subscription in one task: use --group, or typed_job.py events --settle")
    return words


def made(spark: SparkSession, slipcast: Slipcast, words: argparse.Namespace) -> DataFrame:
    """All lines of the output."""
    asks_rows = words.output_format == "parquet" or words.dedupe
    batch, schema = (results.rows_of, results.ROWS) if asks_rows else (results.lines_of, results.LINES)
    if words.group:
        frame = grouped(read(spark, words), slipcast, words.partitions)
        whole = Slipcast(slipcast.path, slipcast.travels, (*slipcast.arguments, "--group"))
        found = [Source(frame, lambda batches: map(splits.joined, batches))]
    else:
        whole, found = slipcast, sources(spark, words)
    if all(one.frame.rdd.getNumPartitions() == 0 for one in found):
        raise SystemExit(f"{words.input} holds no records")
    parts = [one.frame.mapInArrow(lambda batches, pieces=one.pieces: convert(whole, pieces(batches), batch), schema) for one in found]
    lines = functools.reduce(DataFrame.union, parts)
    return results.without_repetitions(lines) if words.dedupe else lines


def main() -> int:
    words = parse(sys.argv[1:])
    spark = SparkSession.builder.appName("slipcast").getOrCreate()
    # One open file for each kind, in place of a sort by kind: lines stay in order, memory stays flat.
    spark.conf.set("spark.sql.maxConcurrentOutputFileWriters", "8")
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "500")
    if not words.installed:
        spark.sparkContext.addFile(words.slipcast)
    slipcast = Slipcast(words.slipcast, travels=not words.installed, arguments=arguments(words))
    for module in (results, splits):
        spark.sparkContext.addPyFile(module.__file__)
    results.write(made(spark, slipcast, words), words)
    result = results.settle(spark, words)
    spark.stop()
    for name, count in result.items():
        print(f"{name:<12}{count:>16,}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
