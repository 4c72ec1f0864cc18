#!/usr/bin/env python3
"""Typed tables of an archive on a Spark cluster: events, timelines and states, by whole subscriptions.

    spark-submit typed_job.py events INPUT OUTPUT [--settle] [option...] [-- option of slipcast...]
    spark-submit typed_job.py timeline|states INPUT OUTPUT [option...]

INPUT is as for slipcast_job.py. All messages of a subscription come to one slipcast, one for each partition, so settling and
timelines are those of one machine. OUTPUT has the columns of the CSV files that slipcast writes, with their types, and "day",
by which it is divided. Rejected records go to OUTPUT.rejects, as lines that slipcast reads again. The job fails when a record
is neither in a line nor a reject.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as pa_csv
from pyspark import StorageLevel, TaskContext
from pyspark.sql import Column, DataFrame, SparkSession, Window
from pyspark.sql import functions as F

import grouping
import piping
import slipcast_job as base
import splits

# The column of each table that says when a row is, and how slipcast writes the table to a file.
TABLES = {
    "events": ("signedDate", ("convert", "--dedupe", "--to")),
    "timeline": ("time", ("timeline", "--to")),
    "states": ("validFrom", ("timeline", "--states")),
}
ARROW = {
    "STRING": pa.string(), "INT": pa.int32(), "BIGINT": pa.int64(), "BOOLEAN": pa.bool_(), "DOUBLE": pa.float64(),
    "TIMESTAMP": pa.timestamp("us", "UTC"),
}
PACKAGES = {"delta": "io.delta:delta-spark_2.13:4.0.0", "iceberg": "org.apache.iceberg:iceberg-spark-runtime-4.0_2.13:1.10.0"}
COLUMN = re.compile(r"^  `(\w+)` (\w+)", re.MULTILINE)
BLOCK = 8 << 20  # bytes of CSV that become rows at a time
# Of a task: a row of the table, a rejected record, or how many records there were.
REJECT, READ = "rejectedRecord", "recordsRead"


def columns_of(program: str, table: str) -> dict[str, str]:
    """The columns of a table and their types in Spark, as the program itself says them."""
    told = subprocess.run([program, "schema", f"{table}.csv", "--sql", "spark"], check=True, capture_output=True, text=True)
    return dict(COLUMN.findall(told.stdout))


def program_of(slipcast: piping.Slipcast | None) -> str:
    """The program on this node: the one that was sent, or that of the installed Python package."""
    if slipcast is not None:
        return slipcast.command()[0]
    import slipcast as package
    return package.path()


class Task:
    """Runs slipcast over one partition; travels with every task."""

    def __init__(self, table: str, columns: dict[str, str], slipcast: piping.Slipcast | None, arguments: tuple[str, ...]) -> None:
        self.table, self.slipcast, self.arguments = table, slipcast, arguments
        self.types = columns

    def schema(self) -> pa.Schema:
        fields = [pa.field(name, ARROW[kind]) for name, kind in self.types.items()]
        return pa.schema([*fields, pa.field(REJECT, pa.string()), pa.field(READ, pa.int64())])

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        with tempfile.TemporaryDirectory(prefix="slipcast-") as folder:
            place = Path(folder)
            words = [program_of(self.slipcast), *TABLES[self.table][1], str(place / "rows.csv"), "--jobs", "1", "--exit-zero",
                     "--rejects", str(place / "rejects"), *self.arguments]
            with (place / "words").open("wb") as said:
                process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=said)
                feeder = piping.Feeder(map(splits.joined, batches), process.stdin)
                feeder.start()
                try:
                    status = process.wait()
                finally:
                    process.kill()  # when Spark has stopped the task half-way
                    process.wait()
            feeder.join()
            said = (place / "words").read_text(errors="replace")
            if feeder.error is not None:
                raise feeder.error
            if status != 0:
                raise RuntimeError(f"slipcast ended with status {status}: {said[-4000:].strip()}")
            yield from self.rows(place / "rows.csv")
            rejects = self.rejects(place / "rejects")
            yield from rejects
            yield self.batch({READ: [feeder.rows]})

    def rows(self, path: Path) -> Iterator[pa.RecordBatch]:
        """The CSV as rows with types; an empty cell is no value."""
        types = {name: ARROW[kind] for name, kind in self.types.items()}
        reader = pa_csv.open_csv(
            path, pa_csv.ReadOptions(block_size=BLOCK), pa_csv.ParseOptions(newlines_in_values=True),
            pa_csv.ConvertOptions(column_types=types, null_values=[""], strings_can_be_null=True, true_values=["true"],
                                  false_values=["false"], timestamp_parsers=[pa_csv.ISO8601]))
        for batch in reader:
            yield self.batch({name: batch.column(name) for name in self.types})

    def rejects(self, path: Path) -> Iterator[pa.RecordBatch]:
        source = b'{"source":"partition %d",' % TaskContext.get().partitionId()
        with path.open("rb") as file:
            for chunk in piping.chunks(file):
                told = [line.replace(base.STANDARD_INPUT, source, 1).decode() for line in chunk.splitlines()]
                yield self.batch({REJECT: told})

    def batch(self, columns: dict[str, object]) -> pa.RecordBatch:
        """A batch of all columns, empty but for some."""
        schema, count = self.schema(), len(next(iter(columns.values())))
        arrays = [columns.get(field.name, pa.nulls(count, field.type)) for field in schema]
        return pa.RecordBatch.from_arrays(
            [array if isinstance(array, pa.Array) else pa.array(array, field.type) for array, field in zip(arrays, schema)],
            schema=schema)


def once(events: DataFrame) -> DataFrame:
    """One row of each notificationUUID, the earliest, then the first in the order of its text, wherever the records were.

    Transactions of receipts have no such id; all of them stay.
    """
    text = F.to_json(F.struct("*"))
    same = Window.partitionBy("notificationUUID").orderBy(F.col("signedDate").asc_nulls_last(), text)
    return events.withColumn("rank", F.row_number().over(same)).where("rank = 1 OR notificationUUID IS NULL").drop("rank")


def identity(columns: dict[str, str]) -> Column:
    """What a row of events is recognized by: its id, or all that it says."""
    return F.coalesce("notificationUUID", F.sha2(F.to_json(F.struct(*columns)), 256))


def ddl(columns: dict[str, str]) -> str:
    return ", ".join(f"`{name}` {kind}" for name, kind in {**columns, REJECT: "STRING", READ: "BIGINT"}.items())


def without_known(
    rows: DataFrame, columns: dict[str, str], spark: SparkSession, words: argparse.Namespace,
) -> DataFrame:
    """Leaves out the events that OUTPUT has, also of a run that was killed while it wrote."""
    if not words.append or not exists(spark, words):
        return rows
    known = load(spark, words, columns).select(identity(columns).alias("known")).distinct()
    return rows.join(known, identity(columns) == F.col("known"), "left_anti").select(rows.columns)


def load(spark: SparkSession, words: argparse.Namespace, columns: dict[str, str]) -> DataFrame:
    if words.format == "iceberg":
        return spark.table(words.output)
    reader = spark.read.format(words.format)
    if words.format == "parquet":
        # The folder has no file yet where a first run was killed.
        reader = reader.schema(", ".join(f"`{name}` {kind}" for name, kind in {**columns, "day": "DATE"}.items()))
    return reader.load(words.output)


def exists(spark: SparkSession, words: argparse.Namespace) -> bool:
    if words.format == "iceberg":
        return spark.catalog.tableExists(words.output)
    # A folder becomes a table of Delta with its first commit.
    place = f"{words.output}/_delta_log" if words.format == "delta" else words.output
    path = spark.sparkContext._jvm.org.apache.hadoop.fs.Path(place)
    return path.getFileSystem(spark.sparkContext._jsc.hadoopConfiguration()).exists(path)


def check_format(spark: SparkSession, words: argparse.Namespace) -> None:
    """Ends the job before it converts anything where Spark does not know the format."""
    find = spark._jvm.org.apache.spark.sql.execution.datasources.DataSource.lookupDataSource
    try:
        find(words.format, spark._jsparkSession.sessionState().conf())
    except Exception:
        raise SystemExit(f"--format {words.format}: this Spark does not have it; add its package: --packages {PACKAGES[words.format]}") from None


def write(rows: DataFrame, words: argparse.Namespace) -> None:
    writer = rows.write.format(words.format).partitionBy("day").mode("append" if words.append else "errorifexists")
    if words.format == "iceberg":
        writer.saveAsTable(words.output)
    else:
        writer.save(words.output)


def parse(arguments: list[str]) -> argparse.Namespace:
    """The command line; what follows -- is for slipcast."""
    cut = arguments.index("--") if "--" in arguments else len(arguments)
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("table", choices=TABLES)
    ask.add_argument("input")
    ask.add_argument("output", help="a folder; with --format iceberg a table")
    ask.add_argument("--slipcast", metavar="FILE", help="the program, sent to all nodes; else the Python package slipcast there")
    ask.add_argument("--installed", action="store_true", help="--slipcast is a path on the nodes; nothing is sent")
    ask.add_argument("--format", choices=["parquet", "delta", "iceberg"], default="parquet")
    ask.add_argument("--append", action="store_true", help="events: adds those that OUTPUT does not have yet")
    ask.add_argument("--settle", action="store_true", help="events: settles readings by the other messages of a subscription")
    ask.add_argument("--input-format", choices=["json", "parquet"], default="json")
    ask.add_argument("--body-column", default="body", metavar="NAME", help="Parquet: the record as JSON text")
    ask.add_argument("--received-at-column", metavar="NAME", help="Parquet: when it was received")
    ask.add_argument("--id-column", metavar="NAME", help="Parquet: the row's own id")
    ask.add_argument("--partitions", type=int, default=200, metavar="N", help="into how many parts subscriptions are divided")
    words = ask.parse_args(arguments[:cut])
    if words.table != "events" and (words.append or words.settle):
        # A later message changes what was known of a subscription; timelines settle by themselves.
        ask.error("--append and --settle are for events; write a timeline or states anew")
    words.convert = arguments[cut + 1:]
    return words


def main() -> int:
    words = parse(sys.argv[1:])
    spark = SparkSession.builder.appName(f"slipcast {words.table}").getOrCreate()
    spark.conf.set("spark.sql.session.timeZone", "UTC")
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "500")
    check_format(spark, words)
    base.send_modules(spark)
    if words.slipcast and not words.installed:
        spark.sparkContext.addFile(words.slipcast)
    given = base.arguments(words)
    slipcast = piping.Slipcast(words.slipcast, not words.installed, given) if words.slipcast else None
    keying = slipcast or piping.Slipcast(program_of(None), travels=False, arguments=given)
    columns = columns_of(words.slipcast or program_of(None), words.table)
    task = Task(words.table, columns, slipcast, (*given, *(["--settle"] if words.settle else [])))
    rows = grouping.grouped(base.read(spark, words), keying, words.partitions)
    # Converted once, and kept until both outputs are written; a lost part is made again from its input.
    made = rows.mapInArrow(lambda batches: task(batches), ddl(columns)).persist(StorageLevel.DISK_ONLY)
    counts = made.agg(F.coalesce(F.sum(READ), F.lit(0)), F.count(REJECT)).first()
    events = made.where(F.col(REJECT).isNull() & F.col(READ).isNull()).drop(REJECT, READ)
    events = once(events) if words.table == "events" else events
    events = events.withColumn("day", F.to_date(TABLES[words.table][0]))
    fresh = without_known(events, columns, spark, words)
    write(fresh, words)
    made.where(F.col(REJECT).isNotNull()).select(REJECT).write.mode("append" if words.append else "errorifexists").text(
        words.output + ".rejects", lineSep="\n")
    result = {"read": counts[0], "rejected": counts[1], "rows": events.count()}
    if words.append:
        result["in output"] = load(spark, words, columns).count()
    spark.stop()
    for name, count in result.items():
        print(f"{name:<12}{count:>16,}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
