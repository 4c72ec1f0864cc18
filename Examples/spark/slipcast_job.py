#!/usr/bin/env python3
"""Converts an archive of App Store version 1 notifications on a Spark cluster; each task runs one slipcast.

    spark-submit slipcast_job.py --slipcast ./slipcast INPUT OUTPUT [option...] [-- option of slipcast convert...]

INPUT is JSON lines (one record a line, gzip too) or Parquet (a column with the record's JSON text). OUTPUT becomes a
directory with kind=converted, kind=rejected, kind=counts and, with --dedupe, kind=duplicate. The job fails when
read = converted + duplicate + rejected (+ folded, with --group) does not hold.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

import pyarrow as pa
from pyspark import SparkFiles, TaskContext
from pyspark.sql import Column, DataFrame, SparkSession, Window
from pyspark.sql import functions as F

# What a task hands back: a line of output, and which output it belongs to.
LINES = "kind string, body string"
CONVERTED, REJECTED, DUPLICATE, COUNTS = "converted", "rejected", "duplicate", "counts"

# The columns of Parquet beside the body, by their place in the converted line.
COLUMNS = {
    "notificationUUID": "notificationUUID",
    "notificationType": "notificationType",
    "subtype": "subtype",
    "signedDate": "signedDate",
    "bundleId": "data.bundleId",
    "environment": "data.environment",
    "originalTransactionId": "data.transactionInfo.originalTransactionId",
    "transactionId": "data.transactionInfo.transactionId",
}
MEMBERS = (
    "notificationUUID string, notificationType string, subtype string, signedDate bigint, "
    "data struct<bundleId: string, environment: string, "
    "transactionInfo: struct<originalTransactionId: string, transactionId: string>>"
)

OUTPUT_BATCH = 1 << 20  # bytes of converted lines that go back to Spark at a time
BLANK = b"\xef\xbb\xbf \t\r\n"  # a line of these holds no record
MARK = b"\xef\xbb\xbf"
STANDARD_INPUT = b'{"source":"-",'  # how a reject begins
TABLE_ROW = re.compile(rb"^(read|duplicate|rejected) +([\d,]+)$", re.MULTILINE)
ORIGINAL = re.compile(rb'"originalTransactionId":"([^"]*)"')
EVENT = re.compile(rb'"notificationUUID":"([^"]*)"')


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
    """Writes the rows of a partition to slipcast's standard input. The pipe is the queue: it holds 64 KiB and then
    blocks, so that memory does not grow with the partition."""

    def __init__(self, batches: Iterator[pa.RecordBatch], pipe: IO[bytes]) -> None:
        super().__init__(daemon=True)
        self.batches, self.pipe = batches, pipe
        self.rows = 0
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            with self.pipe:
                for batch in self.batches:
                    rows = filled(batch)
                    self.rows += len(rows)
                    self.pipe.write(b"".join(row + b"\n" for row in rows))
        except BrokenPipeError:
            pass  # slipcast has ended early; its exit status says why
        except BaseException as error:
            self.error = error


def filled(batch: pa.RecordBatch) -> list[bytes]:
    """The rows that hold something."""
    return [row for row in batch.column("row").to_pylist() if row and row.strip(BLANK)]


def lines_of(kind: str, lines: list[bytes]) -> pa.RecordBatch:
    """Lines as a batch for Spark."""
    bodies = pa.array([line.rstrip(b"\n") for line in lines], pa.binary()).cast(pa.string())
    return pa.RecordBatch.from_arrays([pa.array([kind] * len(lines)), bodies], ["kind", "body"])


def batches_of(file: IO[bytes]) -> Iterator[list[bytes]]:
    """The lines of a file, about a megabyte at a time."""
    while lines := file.readlines(OUTPUT_BATCH):
        yield lines


def convert(slipcast: Slipcast, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Pipes a partition through one slipcast: converted lines, then rejects, then one row of counts."""
    with tempfile.TemporaryFile() as rejects, tempfile.TemporaryFile() as words:
        process = subprocess.Popen(
            slipcast.command("--rejects", f"/dev/fd/{rejects.fileno()}"),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=words, pass_fds=[rejects.fileno()],
        )
        feeder = Feeder(batches, process.stdin)
        feeder.start()
        converted = rejected = 0
        try:
            for lines in batches_of(process.stdout):
                converted += len(lines)
                yield lines_of(CONVERTED, lines)
            status = process.wait()
        finally:
            process.kill()  # when Spark has stopped the task half-way
            process.wait()
        feeder.join()
        table = closing_table(status, words, feeder)
        rejects.seek(0)
        source = b'{"source":"partition %d",' % TaskContext.get().partitionId()
        for lines in batches_of(rejects):
            rejected += len(lines)
            yield lines_of(REJECTED, [line.replace(STANDARD_INPUT, source, 1) for line in lines])
        yield counts(table, feeder.rows, converted, rejected)


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


def counts(table: dict[str, int], rows: int, converted: int, rejected: int) -> pa.RecordBatch:
    """One row that says what became of a partition; an error when something of it is missing."""
    folded = table["read"] - converted - rejected
    if table["read"] < rows or table["rejected"] != rejected or folded < 0:
        raise RuntimeError(
            f"{rows} rows were given; slipcast tells of {table['read']} read and {table['rejected']} rejected; "
            f"it wrote {converted} converted lines and {rejected} rejects")
    row = {"read": table["read"], "converted": converted, "rejected": rejected, "folded": folded}
    return lines_of(COUNTS, [json.dumps(row).encode()])


def keyed(slipcast: Slipcast, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Each row with the original transaction id that slipcast itself finds in it; none for what it rejects."""
    for batch in batches:
        is_filled = [bool(row and row.strip(BLANK)) for row in batch.column("row").to_pylist()]
        batch = batch.filter(pa.array(is_filled, pa.bool_()))
        if batch.num_rows:
            # A byte order mark begins a file, and the row will stand in the middle of a partition.
            rows = [row.removeprefix(MARK).strip(BLANK) for row in batch.column("row").to_pylist()]
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


def read(spark: SparkSession, words: argparse.Namespace) -> DataFrame:
    """The input as one column of bytes, "row": what slipcast is to read, one record a line."""
    if words.input_format == "json":
        # Only \n ends a line, and bytes stay as they are, whether they are UTF-8 or not.
        lines = spark.read.text(words.input, lineSep="\n")
        return lines.select(F.col("value").cast("binary").alias("row"), *order(words))
    frame = spark.read.parquet(words.input)
    if frame.schema[words.body_column].dataType.simpleString() != "string":
        raise SystemExit(f"{words.body_column} is no column of strings")
    members = {"id": words.id_column, "received_at": words.received_at_column, "body": words.body_column}
    row = F.struct(*[F.col(column).alias(name) for name, column in members.items() if column])
    return frame.select(F.to_json(row).cast("binary").alias("row"), *order(words))


def order(words: argparse.Namespace) -> list[Column]:
    """Where each row stood, for --group: of two messages that time does not order, the first one in the archive leads."""
    if not words.group:
        return []
    stood = ("_metadata.file_path", "_metadata.file_block_start")
    return [F.struct(*stood, F.monotonically_increasing_id().alias("number")).alias("stood")]


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


def without_repetitions(lines: DataFrame) -> DataFrame:
    """Marks all lines of one notificationUUID but one as duplicates. The line with the earliest signedDate stays, of
    those the first in the order of the text: the same line however the records lay in the cluster."""
    event = F.from_json("body", "notificationUUID string, signedDate bigint")
    told = lines.withColumn("event", F.when(F.col("kind") == CONVERTED, event))
    same = Window.partitionBy(F.coalesce("event.notificationUUID", "body"))
    rank = F.row_number().over(same.orderBy(F.col("event.signedDate").asc_nulls_last(), "body"))
    repeated = F.col("event.notificationUUID").isNotNull() & (rank > 1)
    return told.select(F.when(repeated, DUPLICATE).otherwise(F.col("kind")).alias("kind"), "body")


def write(lines: DataFrame, words: argparse.Namespace) -> None:
    """Writes everything in one pass, so that nothing is converted twice; Spark commits each task once."""
    if words.output_format == "json":
        writer = lines.write.partitionBy("kind").option("compression", words.compression or "none")
        writer.text(words.output, lineSep="\n")
        return
    converted = F.col("kind").isin(CONVERTED, DUPLICATE)
    told = lines.withColumn("told", F.when(converted, F.from_json("body", MEMBERS)))
    columns = [F.col(f"told.{path}").alias(name) for name, path in COLUMNS.items()]
    writer = told.select("kind", *columns, "body").write.partitionBy("kind")
    writer.option("compression", words.compression or "zstd").parquet(words.output)


def settle(spark: SparkSession, words: argparse.Namespace) -> dict[str, int]:
    """What became of all records, counted in what was written. (Accumulators would count a repeated task twice.)"""
    reader = spark.read.parquet if words.output_format == "parquet" else spark.read.text
    written = reader(words.output)
    body = "body" if words.output_format == "parquet" else "value"
    kinds = {row["kind"]: row["count"] for row in written.groupBy("kind").count().collect()}
    table = F.from_json(body, "read bigint, converted bigint, rejected bigint, folded bigint")
    tables = written.where(F.col("kind") == COUNTS).select(table.alias("told"))
    told = tables.select([F.coalesce(F.sum(f"told.{name}"), F.lit(0)).alias(name)
                          for name in ("read", "converted", "rejected", "folded")]).first()
    result = {"read": told["read"]} | {kind: kinds.get(kind, 0) for kind in (CONVERTED, DUPLICATE, REJECTED)}
    result["folded"] = told["folded"]
    if told["converted"] != result[CONVERTED] + result[DUPLICATE] or told["rejected"] != result[REJECTED]:
        raise SystemExit(f"the tasks tell of {told['converted']} converted and {told['rejected']} rejected records, "
                         f"the output holds other numbers: {result}")
    return result


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
    ask.add_argument("--compression", metavar="NAME", help="of the output; JSON: none, Parquet: zstd unless given")
    ask.add_argument("--dedupe", action="store_true", help="keeps one line of each notificationUUID")
    ask.add_argument("--group", action="store_true", help="folds companion messages with slipcast convert --group")
    ask.add_argument("--partitions", type=int, default=200, metavar="N", help="--group: into how many parts")
    words = ask.parse_args(arguments[:cut])
    words.convert = arguments[cut + 1:]
    if "--settle" in words.convert and not words.group:
        ask.error("--settle needs all messages of a subscription in one task: use --group, or typed_job.py events --settle")
    return words


def main() -> int:
    words = parse(sys.argv[1:])
    spark = SparkSession.builder.appName("slipcast").getOrCreate()
    # One open file for each kind, in place of a sort by kind: lines stay in order, memory stays flat.
    spark.conf.set("spark.sql.maxConcurrentOutputFileWriters", "8")
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "500")
    if not words.installed:
        spark.sparkContext.addFile(words.slipcast)
    slipcast = Slipcast(words.slipcast, travels=not words.installed, arguments=arguments(words))
    rows = read(spark, words)
    if rows.rdd.getNumPartitions() == 0:
        raise SystemExit(f"{words.input} holds no records")
    more: tuple[str, ...] = ()
    if words.group:
        rows, more = grouped(rows, slipcast, words.partitions), ("--group",)
    whole = Slipcast(slipcast.path, slipcast.travels, slipcast.arguments + more)
    lines = rows.mapInArrow(lambda batches: convert(whole, batches), LINES)
    write(without_repetitions(lines) if words.dedupe else lines, words)
    result = settle(spark, words)
    spark.stop()
    for name, count in result.items():
        print(f"{name:<12}{count:>16,}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
