"""Output that the tasks write by themselves, because the way through the JVM costs more than converting.

Each attempt of a task writes into a folder of its own below OUTPUT/_temporary. Spark hands the driver the result of one
attempt of each task, however many there were; when all tasks have ended, the driver moves the files of these attempts to
their places, and removes the rest. Until then OUTPUT holds no file that Spark would read.

Only for folders that every node sees under their path (file:); Spark writes all others.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark import TaskContext
from pyspark.sql import DataFrame, SparkSession

import results
import splits

SCHEMA = "folder string, file string"  # what a task hands back: where a file is, and its place in OUTPUT
PACKED = ("zstd", "snappy", "gzip", "none")  # codecs that Spark and pyarrow name alike
GROUP = 32 << 20  # bytes of lines in a row group of Parquet
# Texts that do not repeat: a dictionary of them is of no use.
UNIQUE = ("body", "notificationUUID", "transactionId")


class Output(Protocol):
    def write(self, chunk: bytes) -> None: ...

    def close(self) -> None: ...


class TextOutput:
    def __init__(self, path: Path) -> None:
        self.file = path.open("wb", buffering=0)

    def write(self, chunk: bytes) -> None:
        for part in (chunk, b"\n"):
            with memoryview(part) as rest:
                done = 0
                while done < len(rest):
                    done += self.file.write(rest[done:])

    def close(self) -> None:
        self.file.close()


class ParquetOutput:
    """Row groups of many chunks: readers pass over whole groups."""

    def __init__(self, path: Path, kind: str, codec: str) -> None:
        self.kind = kind
        self.waiting: list[pa.RecordBatch] = []
        self.size = 0
        self.names = [*results.COLUMNS, "body"]
        schema = pa.schema([(name, pa.int64() if name == "signedDate" else pa.string()) for name in self.names])
        common = [name for name in self.names if name not in UNIQUE]
        self.file = pq.ParquetWriter(
            path, schema, compression=codec, use_dictionary=common, write_statistics=[*results.COLUMNS])

    def write(self, chunk: bytes) -> None:
        self.waiting.append(results.rows_of(self.kind, chunk).select(self.names))
        self.size += len(chunk)
        if self.size >= GROUP:
            self.flush()

    def flush(self) -> None:
        if self.waiting:
            self.file.write_table(pa.Table.from_batches(self.waiting))
        self.waiting, self.size = [], 0

    def close(self) -> None:
        self.flush()
        self.file.close()


@dataclass(frozen=True)
class Writer:
    """Writes what tasks make; travels with every task."""

    output: str
    codec: str | None  # of Parquet; text is not compressed

    def __call__(self, made: Iterator[tuple[str, bytes]]) -> Iterator[pa.RecordBatch]:
        """Writes the lines of a task, a file for each kind, and tells where they are."""
        task = TaskContext.get()
        folder = Path(self.output, "_temporary", f"{task.taskAttemptId()}-{uuid.uuid4()}")
        ending = f"{self.codec}.parquet" if self.codec else "txt"
        places: dict[str, str] = {}
        with contextlib.ExitStack() as ends:
            files: dict[str, Output] = {}
            for kind, chunk in made:
                if kind not in files:
                    places[kind] = f"kind={kind}/part-{task.partitionId():05}-{uuid.uuid4()}.{ending}"
                    path = folder / places[kind]
                    path.parent.mkdir(parents=True)
                    files[kind] = ParquetOutput(path, kind, self.codec) if self.codec else TextOutput(path)
                    ends.callback(files[kind].close)
                files[kind].write(chunk)
        yield pa.RecordBatch.from_pydict({"folder": [str(folder)] * len(places), "file": [*places.values()]})

    def begin(self) -> None:
        """Makes the folder; one that is there already is refused, as Spark does."""
        try:
            os.makedirs(self.output)
        except FileExistsError:
            raise SystemExit(f"{self.output} exists already; name another folder, or remove it") from None

    def finish(self, told: DataFrame) -> None:
        """Runs the tasks, and moves the files of those that Spark took."""
        output = Path(self.output)
        try:
            for row in told.collect():
                place = output / row["file"]
                place.parent.mkdir(exist_ok=True)
                os.rename(Path(row["folder"], row["file"]), place)
            (output / "_SUCCESS").touch()
        finally:
            shutil.rmtree(output / "_temporary", ignore_errors=True)
            with contextlib.suppress(OSError):
                output.rmdir()  # where nothing came of it


def writer(spark: SparkSession, output: str, form: str, codec: str | None) -> Writer | None:
    """What writes to a folder; `None` where Spark has to."""
    path = spark._jvm.org.apache.hadoop.fs.Path(output)
    whole = path.getFileSystem(spark._jsc.hadoopConfiguration()).makeQualified(path).toString()
    codec = codec or ("zstd" if form == "parquet" else "none")
    if not splits.is_near(whole, ()) or codec not in PACKED or form == "json" and codec != "none":
        return None
    return Writer(splits.local(whole), codec if form == "parquet" else None)
