"""Brings all messages of a subscription to one partition, so that one slipcast sees them."""

from __future__ import annotations

import base64
import binascii
import functools
import json
import re
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from typing import IO

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

import piping
import splits

ORIGINAL = re.compile(rb'"originalTransactionId":"([^"]*)"')
EVENT = re.compile(rb'"notificationUUID":"([^"]*)"')
NAMES = ("originalTransactionId", "original_transaction_id")
# Finds the ids of rows, in their order; none for what slipcast rejects.
Finder = Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]


def keyed_by_v1(slipcast: piping.Slipcast, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Each row with the original transaction id that slipcast itself finds in it: one slipcast for the partition. The rows
    wait in a file until it is known which of them it rejected."""
    with tempfile.TemporaryFile() as kept, tempfile.TemporaryFile() as rejects, tempfile.TemporaryFile() as words:
        process = subprocess.Popen(
            slipcast.command("--plain", "--quiet", "--rejects", f"/dev/fd/{rejects.fileno()}"), bufsize=0,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=words, pass_fds=[rejects.fileno()],
        )
        feeder = piping.Feeder(keeping(batches, kept), process.stdin)
        feeder.start()
        try:
            found = [pa.array([match and match[1] for match in map(key, chunk.splitlines())], pa.binary())
                     for chunk in piping.chunks(process.stdout)]
            status = process.wait()
        finally:
            process.kill()  # when Spark has stopped the task half-way
            process.wait()
        feeder.join()
        piping.check(status, words, feeder)
        rejects.seek(0)
        refused = {json.loads(line)["line"] for line in rejects}
        if sum(map(len, found)) + len(refused) != feeder.rows:
            raise RuntimeError(f"{feeder.rows} rows gave {sum(map(len, found))} lines and {len(refused)} rejects: "
                               "grouping wants one record a row")
        yield from with_keys(kept, (one for some in found for one in some.to_pylist()), refused)


def key(line: bytes) -> re.Match[bytes] | None:
    """Where a converted line names its subscription; its own id where it names none, so that repetitions meet."""
    return ORIGINAL.search(line) or EVENT.search(line)


def keeping(batches: Iterator[pa.RecordBatch], file: IO[bytes]) -> Iterator[splits.Piece]:
    """The filled rows of batches as lines; they are also kept in a file."""
    writer = None
    for batch in map(filled, batches):
        writer = writer or pa.ipc.new_stream(file, batch.schema)
        writer.write_batch(batch)
        if batch.num_rows:
            yield splits.joined(batch)
    if writer:
        writer.close()


def filled(batch: pa.RecordBatch) -> pa.RecordBatch:
    """The rows that hold something, without the mark that begins a file: the row will stand in the middle of a partition."""
    rows = [(row or b"").removeprefix(splits.MARK).strip(splits.BLANK) for row in batch.column("row").to_pylist()]
    whole = pa.RecordBatch.from_arrays([pa.array(rows, pa.binary()), batch.column("stood")], ["row", "stood"])
    return whole.filter(pa.array([bool(row) for row in rows], pa.bool_()))


def with_keys(file: IO[bytes], keys: Iterator[bytes | None], refused: set[int]) -> Iterator[pa.RecordBatch]:
    """The kept rows with their keys."""
    if file.seek(0, 2) == 0:
        return
    file.seek(0)
    number = 0
    for batch in pa.ipc.open_stream(file):
        numbers = range(number + 1, number + 1 + batch.num_rows)
        number += batch.num_rows
        found = [None if one in refused else next(keys) for one in numbers]
        yield add_key(batch, [one and one.decode() for one in found])


def add_key(batch: pa.RecordBatch, keys: list[str | None]) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays([pa.array(keys, pa.string()), *batch.columns], ["key", *batch.schema.names])


def keyed_by_v2(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Each row of Apple's with the original transaction id that it states; signatures are not verified."""
    for batch in map(filled, batches):
        yield add_key(batch, [stated(row) for row in batch.column("row").to_pylist()])


def stated(row: bytes) -> str | None:
    """The id that a V2 notification states, in any of its shapes: decoded, signed, or in a row."""
    try:
        return next(ids(json.loads(row), 8), None)
    except ValueError:
        return None


def ids(value: object, depth: int) -> Iterator[str]:
    """The ids in a value, those of a transaction first; texts that hold JSON or a signed payload are opened."""
    if isinstance(value, str) and depth > 0:
        opened = payload(value)
        if opened is not None:
            yield from ids(opened, depth - 1)
    if isinstance(value, list) and depth > 0:
        found = {next(ids(item, depth - 1), None) for item in value} - {None}
        if len(found) > 1:
            raise RuntimeError("a row of V2 is about several subscriptions: parity on Spark wants one notification a row")
        yield from found
    if isinstance(value, dict) and depth > 0:
        yield from (str(value[name]) for name in NAMES if isinstance(value.get(name), (str, int)))
        for name in sorted(value, key=lambda name: "ransaction" not in name):
            if name not in NAMES:
                yield from ids(value[name], depth - 1)


def payload(text: str) -> object | None:
    """What a text holds: JSON, or what is signed in a JWS; none for other texts."""
    parts = text.split(".")
    try:
        if len(parts) == 3 and text.startswith("ey"):
            return json.loads(base64.urlsafe_b64decode(parts[1] + "=" * (-len(parts[1]) % 4)))
        return json.loads(text) if text.startswith(("{", "[")) else None
    except (ValueError, binascii.Error):
        return None


def order() -> Column:
    """Where a row stood: of two messages that time does not order, the first one in the archive leads."""
    stood = ("_metadata.file_path", "_metadata.file_block_start")
    return F.struct(*stood, F.monotonically_increasing_id().alias("number")).alias("stood")


def keyed(rows: DataFrame, find: Finder) -> DataFrame:
    """The rows with their keys, and with the place that all rows of a subscription share.

    Ids of transactions are digits. A record that names none has the id of its event, which depends on those before it, so all
    of these share one place. What slipcast rejects goes anywhere.
    """
    stood = rows.schema["stood"].dataType.simpleString()
    keys = rows.mapInArrow(find, f"key string, row binary, stood {stood}")
    place = F.when(F.col("key").contains("-"), "none").otherwise(F.coalesce("key", F.xxhash64("row").cast("string")))
    return keys.withColumn("place", place)


def grouped(rows: DataFrame, slipcast: piping.Slipcast, partitions: int) -> DataFrame:
    """The rows of V1, all those of one subscription in one partition, in the order of the archive."""
    keys = keyed(rows, functools.partial(keyed_by_v1, slipcast))
    return keys.repartition(partitions, "place").sortWithinPartitions("stood").select("row")
