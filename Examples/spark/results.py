"""What a task of slipcast_job.py hands back, and how it is written and counted."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.json as pa_json
from pyspark.sql import DataFrame, SparkSession, Window
from pyspark.sql import functions as F

import splits

# What a task hands back: lines of output, and which output they belong to.
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
ROWS = ", ".join(f"{name} {'bigint' if name == 'signedDate' else 'string'}" for name in ("kind", *COLUMNS, "body"))
MEMBERS = pa.schema([
    *((name, pa.string()) for name in ("notificationUUID", "notificationType", "subtype")), ("signedDate", pa.int64()),
    ("data", pa.struct([
        ("bundleId", pa.string()), ("environment", pa.string()),
        ("transactionInfo", pa.struct([("originalTransactionId", pa.string()), ("transactionId", pa.string())])),
    ])),
])


def lines_of(kind: str, chunk: bytes) -> pa.RecordBatch:
    """Lines as one row for Spark, which writes it as it is: a row for each line would cost more than converting it."""
    body = pa.array([chunk], pa.binary()).view(pa.string())
    return pa.RecordBatch.from_arrays([pa.array([kind]), body], ["kind", "body"])


def rows_of(kind: str, chunk: bytes) -> pa.RecordBatch:
    """Lines as rows, those of events with their columns."""
    whole = pa.array([chunk], pa.binary()).view(pa.string())
    bodies = pc.split_pattern(whole, "\n").flatten()
    found = [pa.nulls(len(bodies), pa.int64() if name == "signedDate" else pa.string()) for name in COLUMNS]
    if kind == CONVERTED:
        table = members(chunk)
        found = [pc.struct_field(table, path.split(".")) for path in COLUMNS.values()]
    kinds = pa.array([kind]).take(pa.array(np.zeros(len(bodies), np.int32)))
    return pa.RecordBatch.from_arrays([kinds, *found, bodies], ["kind", *COLUMNS, "body"])


def members(chunk: bytes) -> pa.Array:
    """The members of events that become columns."""
    reading = pa_json.ReadOptions(use_threads=False, block_size=len(chunk) + 1)
    try:
        table = pa_json.read_json(pa.BufferReader(chunk), reading, pa_json.ParseOptions(MEMBERS, False, "ignore"))
    except pa.ArrowInvalid:
        # A text with half of a surrogate pair, which that reader does not take.
        made = [json.loads(line) for line in chunk.splitlines()]
        return pa.array(made, pa.struct(MEMBERS))
    return table.combine_chunks().to_struct_array().combine_chunks()


def without_repetitions(lines: DataFrame) -> DataFrame:
    """Marks all lines of one notificationUUID but one as duplicates. The line with the earliest signedDate stays, of
    those the first in the order of the text: the same line however the records lay in the cluster."""
    same = Window.partitionBy(F.coalesce("notificationUUID", "body"))
    rank = F.row_number().over(same.orderBy(F.col("signedDate").asc_nulls_last(), "body"))
    repeated = F.col("notificationUUID").isNotNull() & (rank > 1)
    return lines.withColumn("kind", F.when(repeated, DUPLICATE).otherwise(F.col("kind")))


def write(lines: DataFrame, words: argparse.Namespace) -> None:
    """Lets Spark write all lines; it commits each task once."""
    if words.output_format == "json":
        writer = lines.select("kind", "body").write.partitionBy("kind").option("compression", words.compression or "none")
        writer.text(words.output, lineSep="\n")
    else:
        writer = lines.write.partitionBy("kind").option("compression", words.compression or "zstd")
        writer.parquet(words.output)


def settle(spark: SparkSession, words: argparse.Namespace) -> dict[str, int]:
    """What became of all records, counted in what was written. (Accumulators would count a repeated task twice.)"""
    reader = spark.read.parquet if words.output_format == "parquet" else spark.read.text
    written = reader(words.output)
    body = "body" if words.output_format == "parquet" else "value"
    kinds = counted(spark, words) or {row["kind"]: row["count"] for row in written.groupBy("kind").count().collect()}
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


def counted(spark: SparkSession, words: argparse.Namespace) -> dict[str, int] | None:
    """The written lines of each kind, where the tasks can read the files by themselves; empty ones included."""
    found = splits.files(spark, words.output) if words.output_format == "json" else []
    if not found or not all(splits.is_near(path) for path, _ in found):
        return None

    def count(split: splits.Split) -> Iterator[pa.RecordBatch]:
        kind = re.search("/kind=([a-z]+)/", split.path)
        yield pa.RecordBatch.from_pylist([{"kind": kind and kind[1], "count": splits.newlines(split)}])

    tasks, use = splits.each(spark, splits.plan(spark, found), count)
    frame = tasks.mapInArrow(use, "kind string, count bigint")
    return {row["kind"]: row["all"] for row in frame.groupBy("kind").agg(F.sum("count").alias("all")).collect()}
