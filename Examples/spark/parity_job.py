#!/usr/bin/env python3
"""Compares two archives on a Spark cluster, subscription by subscription, with slipcast parity.

    spark-submit parity_job.py V1 V2 OUTPUT [option...] [-- option of slipcast parity...]

V1 and V2 are as INPUT of slipcast_job.py, one notification a row. All messages and notifications of a subscription come to
one slipcast, one for each partition. The time that both archives cover is a property of the whole archives, so a first round
asks each partition what it covers, and the second tells all of them (--covers, --server-covers).

OUTPUT becomes a Parquet table of what fails: kind=missing, kind=difference, kind=access and kind=unread. The job ends with 0
if the archives are in parity by the gates' defaults, and with 1 if not.
"""

from __future__ import annotations

import argparse
import functools
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark import StorageLevel
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import grouping
import piping
import slipcast_job as base

SIDES = ("legacy", "server")
# What each partition can judge alone. Limits and baselines count over whole archives.
ALLOWED = {
    "--settle", "--complete", "--strict", "--tolerance", "--as-of", "--same-span", "--app-apple-id", "--products", "--mappings",
    "--body", "--received-at", "--id", "--server-body", "--server-received-at", "--server-id", "--max-record",
}
COVERED, REPORT = "covered", "report"  # what a partition covers, and its counts
TEXTS = (
    "side", "type", "originalTransactionId", "transactionId", "productId", "path", "class", "code", "message", "v1Access", "v2Access",
    "v1Reason", "v2Reason", "v1Id", "v2Id",
)
TIMES = ("time", "v1Until", "v2Until")
SCHEMA = pa.schema([("kind", pa.string()), *((name, pa.string()) for name in TEXTS),
                    *((name, pa.timestamp("us", "UTC")) for name in TIMES), ("told", pa.string())])
DDL = ", ".join(f"`{field.name}` {'TIMESTAMP' if field.name in TIMES else 'STRING'}" for field in SCHEMA)
Row = dict[str, Any]
Covers = tuple[str, str]


class Task:
    """Compares the rows of a partition; travels with every task."""

    def __init__(self, slipcast: piping.Slipcast, covers: Covers | None, arguments: tuple[str, ...]) -> None:
        self.slipcast, self.covers, self.arguments = slipcast, covers, arguments

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        with tempfile.TemporaryDirectory(prefix="slipcast-") as folder:
            place = Path(folder)
            if not self.write(batches, place):
                return
            covers = self.covers or ("none", "none")
            words = [self.slipcast.command()[0], "parity", "--jobs", "1", "--exit-zero", "--quiet", "--format", "json",
                     "--covers", covers[0], "--server-covers", covers[1], *self.arguments]
            for side in SIDES:
                words += [f"--{side}", str(place / f"{side}.ndjson")]
            access = place / "access.ndjson"
            # When access is judged depends on the time of both archives.
            words += ["--access", str(access)] if covers != ("none", "none") else []
            with (place / "report").open("wb") as report:
                done = subprocess.run(words, stdout=report, stderr=subprocess.PIPE, check=False)
            if done.returncode != 0:
                raise RuntimeError(f"slipcast ended with status {done.returncode}: {done.stderr.decode(errors='replace')[-4000:].strip()}")
            report = json.loads((place / "report").read_bytes())
            rows = [covered(report)] if self.covers is None else [*self.rows(report, access)]
            for start in range(0, len(rows), 10_000):
                yield pa.RecordBatch.from_pylist(rows[start:start + 10_000], SCHEMA)

    def write(self, batches: Iterator[pa.RecordBatch], folder: Path) -> int:
        """The rows of both sides as files."""
        count = 0
        with (folder / "legacy.ndjson").open("wb") as legacy, (folder / "server.ndjson").open("wb") as server:
            for batch in batches:
                count += batch.num_rows
                for side, row in zip(batch.column("side").to_pylist(), batch.column("row").to_pylist()):
                    (legacy if side == SIDES[0] else server).write(row + b"\n")
        return count

    def rows(self, report: Row, access: Path) -> Iterator[Row]:
        """What fails in a partition, then its counts."""
        for side, one in ((side, one) for side in SIDES for one in report.get("missing", {}).get(side, [])):
            yield row("missing", one, side=of(side), time=moment(one.get("time"))) | {f"{of(side)}Id": one.get("id")}
        for difference in report["differences"]:
            for pair in difference["pairs"]:
                yield row("difference", pair, path=difference["path"], v1Id=pair.get("legacyId"), v2Id=pair.get("serverId")) | {
                    "class": difference["class"]}
        for side, one in ((side, one) for side in SIDES for one in report.get("unread", {}).get(side, [])):
            ids = one.get("originalTransactionIds") or [None]
            yield row("unread", one, side=of(side), originalTransactionId=ids[0]) | {f"{of(side)}Id": one.get("id")}
        if access.exists():
            with access.open("rb") as lines:
                for line in map(json.loads, lines):
                    yield row("access", line, v1Until=moment(line.get("v1Until")), v2Until=moment(line.get("v2Until")))
        yield {"kind": REPORT, "told": json.dumps({"pairs": report["pairs"], "access": report.get("access", {}), "coverage": report["coverage"],
               "failing": [gate["name"] for gate in report["gates"] if not gate["holds"]]})}


def of(side: str) -> str:
    return "v1" if side == "legacy" else "v2"


def row(kind: str, told: Row, **more: object) -> Row:
    """A row of the table: what the report says of it, as far as there are columns for it."""
    return {"kind": kind} | {name: told[name] for name in TEXTS if isinstance(told.get(name), str)} | more


def moment(milliseconds: int | None) -> int | None:
    """A time in microseconds."""
    return None if milliseconds is None else milliseconds * 1000


def covered(report: Row) -> Row:
    return {"kind": COVERED, "told": json.dumps({side: report["coverage"].get(side, {}) for side in SIDES})}


def whole(rows: DataFrame, task: Task) -> Covers:
    """The time that each of the archives covers: the first round."""
    told = [json.loads(one["told"]) for one in rows.mapInArrow(lambda batches: task(batches), DDL).select("told").collect()]

    def span(side: str) -> str:
        parts = [one[side] for one in told if "from" in one.get(side, {})]
        return f"{min(one['from'] for one in parts)}..{max(one['to'] for one in parts)}" if parts else "none"

    return span("legacy"), span("server")


def both(spark: SparkSession, words: argparse.Namespace, slipcast: piping.Slipcast) -> DataFrame:
    """The rows of both sides, all those of one subscription in one partition, each side in the order of its archive."""
    finders = {"legacy": functools.partial(grouping.keyed_by_v1, slipcast), "server": grouping.keyed_by_v2}
    sides = []
    for side, given in zip(SIDES, (words.v1, words.v2)):
        rows = base.read(spark, argparse.Namespace(**vars(words) | {"input": given}))
        sides.append(grouping.keyed(rows, finders[side]).withColumn("side", F.lit(side)).select("side", "place", "row", "stood"))
    found = sides[0].unionByName(sides[1]).repartition(words.partitions, "place").sortWithinPartitions("side", "stood")
    return found.select("side", "row").persist(StorageLevel.DISK_ONLY)


def summed(reports: list[Row]) -> tuple[dict[str, int], Counter[str]]:
    """The counts of all partitions, and in how many of them each gate fails."""
    counts: Counter[str] = Counter()
    failing: Counter[str] = Counter()
    for one in reports:
        pairs, access = one["pairs"], one["access"]
        counts.update({name: pairs[name] for name in ("matched", "conflicting", "absorbed")})
        for side in SIDES:
            counts.update({f"missing of {of(side)}": one["coverage"][side]["missing"],
                           f"unread of {of(side)}": pairs.get("rejected", {}).get(side, 0),
                           f"repeated in {of(side)}": pairs["duplicates"][side]})
        counts.update({name: access.get(name, 0) for name in ("lockedOut", "servedForFree", "endsEarlier", "endsLater")})
        failing.update(one["failing"])
    if counts["matched"] + counts["conflicting"] == 0:
        failing["compared"] += 1
    return dict(counts), failing


def parse(arguments: list[str]) -> argparse.Namespace:
    """The command line; what follows -- is for slipcast."""
    cut = arguments.index("--") if "--" in arguments else len(arguments)
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("v1", "v2", "output"):
        ask.add_argument(name)
    ask.add_argument("--slipcast", default="slipcast", metavar="FILE", help="the program; it is sent to all nodes")
    ask.add_argument("--installed", action="store_true", help="--slipcast is a path on the nodes; nothing is sent")
    ask.add_argument("--input-format", choices=["json", "parquet"], default="json", help="of both archives")
    ask.add_argument("--body-column", default="body", metavar="NAME", help="Parquet: the record as JSON text")
    ask.add_argument("--received-at-column", metavar="NAME", help="Parquet: when it was received")
    ask.add_argument("--id-column", metavar="NAME", help="Parquet: the row's own id")
    ask.add_argument("--partitions", type=int, default=200, metavar="N", help="into how many parts subscriptions are divided")
    words = ask.parse_args(arguments[:cut])
    words.convert = arguments[cut + 1:]
    for word in words.convert:
        if word.startswith("--") and word.split("=")[0] not in ALLOWED:
            ask.error(f"{word} is for whole archives: limits and known differences are counted over all partitions; read OUTPUT")
    return words


def main() -> int:
    words = parse(sys.argv[1:])
    spark = SparkSession.builder.appName("slipcast parity").getOrCreate()
    spark.conf.set("spark.sql.session.timeZone", "UTC")
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "500")
    base.send_modules(spark)
    if not words.installed:
        spark.sparkContext.addFile(words.slipcast)
    rows = base.arguments(words)
    program = piping.Slipcast(words.slipcast, not words.installed)
    reading = [word for name in ("--body", "--received-at", "--id") if name in rows for word in (name, rows[rows.index(name) + 1])]
    found = both(spark, words, piping.Slipcast(program.path, program.travels, tuple(reading)))
    if words.input_format == "parquet":
        rows = (*rows, *(word.replace("--", "--server-", 1) for word in rows[len(words.convert):]))
    covers = whole(found, Task(program, None, rows))
    task = Task(program, covers, rows)
    made = found.mapInArrow(lambda batches: task(batches), DDL).persist(StorageLevel.DISK_ONLY)
    reports = [json.loads(one["told"]) for one in made.where(F.col("kind") == REPORT).select("told").collect()]
    made.where(F.col("kind") != REPORT).drop("told").write.partitionBy("kind").parquet(words.output)
    spark.stop()
    counts, failing = summed(reports)
    for name, count in counts.items():
        print(f"{name:<16}{count:>16,}")
    told = [f"{name} in {count} partition{'s' if count != 1 else ''}" for name, count in failing.items()]
    print("CONFLICT  " + ", ".join(told) if told else "PARITY")
    return 1 if failing else 0


if __name__ == "__main__":
    sys.exit(main())
