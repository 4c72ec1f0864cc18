#!/usr/bin/env python3
"""Converts an archive of App Store version 1 notifications on a Spark cluster; each task runs one slipcast.

    spark-submit slipcast_job.py --slipcast ./slipcast INPUT OUTPUT [option...] [-- option of slipcast convert...]

INPUT is JSON lines (one record a line, gzip too) or Parquet (a column with the record's JSON text). OUTPUT becomes a
directory with kind=converted, kind=rejected, kind=counts and, with --dedupe, kind=duplicate. The job fails when
read = converted + duplicate + rejected (+ folded, with --group) does not hold.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pyarrow as pa
from pyspark import TaskContext
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import grouping
import piping
import results
import splits
import writing
from results import CONVERTED, COUNTS, REJECTED

STANDARD_INPUT = b'{"source":"-",'  # how a reject begins
TABLE_ROW = re.compile(r"^(read|duplicate|rejected) +([\d,]+)$", re.MULTILINE)
Made = Iterator[tuple[str, bytes]]
Pieces = Callable[[Iterator[pa.RecordBatch]], piping.Pieces]


def convert(slipcast: piping.Slipcast, pieces: piping.Pieces) -> Made:
    """Pipes a partition through one slipcast: converted lines, then rejects, then one row of counts, each with its kind."""
    with tempfile.TemporaryFile() as rejects, tempfile.TemporaryFile() as words:
        process = subprocess.Popen(
            slipcast.command("--rejects", f"/dev/fd/{rejects.fileno()}"), bufsize=0,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=words, pass_fds=[rejects.fileno()],
        )
        piping.widen(process.stdin)
        piping.widen(process.stdout)
        feeder = piping.Feeder(pieces, process.stdin)
        feeder.start()
        converted = rejected = 0
        try:
            for chunk in piping.chunks(process.stdout):
                converted += chunk.count(b"\n") + 1
                yield CONVERTED, chunk
            status = process.wait()
        finally:
            process.kill()  # when Spark has stopped the task half-way
            process.wait()
        feeder.join()
        table = closing_table(piping.check(status, words, feeder))
        rejects.seek(0)
        source = b'{"source":"partition %d",' % TaskContext.get().partitionId()
        for chunk in piping.chunks(rejects):
            told = chunk.split(b"\n")
            rejected += len(told)
            yield REJECTED, b"\n".join(line.replace(STANDARD_INPUT, source, 1) for line in told)
        yield COUNTS, counts(table, feeder.rows, converted, rejected)


def closing_table(text: str) -> dict[str, int]:
    """The counts that slipcast printed at its end."""
    table = {name: int(count.replace(",", "")) for name, count in TABLE_ROW.findall(text)}
    if len(table) < 3:
        raise RuntimeError(f"slipcast did not tell its counts: {text}")
    return table


def counts(table: dict[str, int], rows: int, converted: int, rejected: int) -> bytes:
    """One line that says what became of a partition; an error when something of it is missing."""
    folded = table["read"] - converted - rejected
    if table["read"] < rows or table["rejected"] != rejected or folded < 0:
        raise RuntimeError(
            f"{rows} rows were given; slipcast tells of {table['read']} read and {table['rejected']} rejected; "
            f"it wrote {converted} converted lines and {rejected} rejects")
    row = {"read": table["read"], "converted": converted, "rejected": rejected, "folded": folded}
    return json.dumps(row).encode()


@dataclass(frozen=True)
class Source:
    """A part of the input: rows of a frame, and what makes lines of them in a task."""

    frame: DataFrame
    pieces: Pieces


def sources(spark: SparkSession, words: argparse.Namespace) -> list[Source]:
    """The input. Tasks read files by themselves where they can; what is elsewhere, or compressed, comes through Spark."""
    names = columns_of(spark, words) if words.input_format == "parquet" else {}
    found = [] if words.through_spark else splits.files(spark, words.input)
    # The values of a partition's columns are in the path.
    inside = not any(f"/{name}=" in path for path, _ in found for name in names.values())
    found = [(path, size) for path, size in found if size]
    near = [(path, size) for path, size in found if inside and splits.is_near(path, () if names else splits.PACKED)]
    rest = [path for path, _ in found if path not in dict(near)]
    if any(letter in path for path in rest for letter in "*?[{\\"):
        near, rest = [], []  # Spark takes paths for patterns
    made = []
    if near:
        use = functools.partial(splits.table, columns=names) if names else splits.lines
        frame, pieces = splits.each(spark, splits.plan(spark, near), use)
        made.append(Source(frame, below(names, pieces)))
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
                  below(names, lambda batches: map(splits.rows, batches)))


def below(names: dict[str, str], pieces: Pieces) -> Pieces:
    """The pieces of a table, its columns' names first; those of JSON lines have none."""
    return (lambda batches: splits.tabled(pieces(batches), names)) if names else pieces


def columns_of(spark: SparkSession, words: argparse.Namespace) -> dict[str, str]:
    """The columns of Parquet that slipcast gets, by what they become."""
    if spark.read.parquet(words.input).schema[words.body_column].dataType.simpleString() != "string":
        raise SystemExit(f"{words.body_column} is no column of strings")
    names = {"id": words.id_column, "received_at": words.received_at_column, "body": words.body_column}
    return {member: name for member, name in names.items() if name}


def read(spark: SparkSession, words: argparse.Namespace) -> DataFrame:
    """The input as one column of bytes, "row", one record a line, and where each stood: for --group."""
    if words.input_format == "json":
        lines = spark.read.text(words.input, lineSep="\n")
        return lines.select(F.col("value").cast("binary").alias("row"), grouping.order())
    row = F.struct(*[F.col(name).alias(member) for member, name in columns_of(spark, words).items()])
    return spark.read.parquet(words.input).select(F.to_json(row).cast("binary").alias("row"), grouping.order())


def arguments(words: argparse.Namespace) -> tuple[str, ...]:
    """slipcast's arguments for the rows that read() makes."""
    return (*words.convert, *members(words, "/"))


def table_arguments(words: argparse.Namespace) -> tuple[str, ...]:
    """Those for the rows of sources(); Parquet comes as a table."""
    return (*words.convert, *(("--tsv", "copy") if words.input_format == "parquet" else ()), *members(words, ""))


def members(words: argparse.Namespace, before: str) -> Iterator[str]:
    """The options that name the body of a row of Parquet, its id and its time."""
    if words.input_format == "parquet":
        yield from ("--body", before + "body")
        yield from ("--id", before + "id") if words.id_column else ()
        yield from ("--received-at", before + "received_at") if words.received_at_column else ()


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
                     help="Spark reads and writes all files; else tasks do it with files of the nodes (file:), which costs half as much")
    ask.add_argument("--compression", metavar="NAME", help="of the output; JSON: none, Parquet: zstd unless given")
    ask.add_argument("--dedupe", action="store_true", help="keeps one line of each notificationUUID")
    ask.add_argument("--group", action="store_true", help="folds companion messages with slipcast convert --group")
    ask.add_argument("--partitions", type=int, default=200, metavar="N", help="--group: into how many parts")
    words = ask.parse_args(arguments[:cut])
    words.convert = arguments[cut + 1:]
    if "--settle" in words.convert and not words.group:
        ask.error("--settle needs all messages of a subscription in one task: use --group, or typed_job.py events --settle")
    return words


def converted(
    spark: SparkSession, slipcast: piping.Slipcast, words: argparse.Namespace,
    use: Callable[[Made], Iterator[pa.RecordBatch]], schema: str,
) -> DataFrame:
    """What is made of the lines of all partitions."""
    if words.group:
        frame = grouping.grouped(read(spark, words), slipcast, words.partitions)
        whole = piping.Slipcast(slipcast.path, slipcast.travels, (*slipcast.arguments, "--group"))
        found = [Source(frame, lambda batches: map(splits.joined, batches))]
    else:
        whole, found = slipcast, sources(spark, words)
    if all(one.frame.rdd.getNumPartitions() == 0 for one in found):
        raise SystemExit(f"{words.input} holds no records")
    parts = [one.frame.mapInArrow(lambda batches, pieces=one.pieces: use(convert(whole, pieces(batches))), schema) for one in found]
    return functools.reduce(DataFrame.union, parts)


def write(spark: SparkSession, slipcast: piping.Slipcast, words: argparse.Namespace) -> None:
    """Converts and writes everything in one pass, so that nothing is converted twice. Tasks write files by themselves where
    they can."""
    near = None if words.dedupe or words.through_spark else writing.writer(spark, words.output, words.output_format, words.compression)
    if near:
        told = converted(spark, slipcast, words, near, writing.SCHEMA)
        near.begin()
        return near.finish(told)
    asks_rows = words.output_format == "parquet" or words.dedupe
    batch, schema = (results.rows_of, results.ROWS) if asks_rows else (results.lines_of, results.LINES)
    lines = converted(spark, slipcast, words, lambda made: itertools.starmap(batch, made), schema)
    results.write(results.without_repetitions(lines) if words.dedupe else lines, words)


def send_modules(spark: SparkSession) -> None:
    """Sends the files beside this one to all nodes."""
    for module in (grouping, piping, results, splits, writing):
        spark.sparkContext.addPyFile(module.__file__)
    spark.sparkContext.addPyFile(__file__)


def main() -> int:
    words = parse(sys.argv[1:])
    spark = SparkSession.builder.appName("slipcast").getOrCreate()
    # One open file for each kind, in place of a sort by kind: lines stay in order, memory stays flat.
    spark.conf.set("spark.sql.maxConcurrentOutputFileWriters", "8")
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "500")
    if not words.installed:
        spark.sparkContext.addFile(words.slipcast)
    given = arguments(words) if words.group else table_arguments(words)
    slipcast = piping.Slipcast(words.slipcast, travels=not words.installed, arguments=given)
    send_modules(spark)
    write(spark, slipcast, words)
    result = results.settle(spark, words)
    spark.stop()
    for name, count in result.items():
        print(f"{name:<12}{count:>16,}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
