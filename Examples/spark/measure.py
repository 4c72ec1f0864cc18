#!/usr/bin/env python3
"""Measures what a record costs, through slipcast alone and through Spark on this machine's cores.

    measure.py SLIPCAST DIRECTORY [--small N] [--large N] [--times N] [--receipt-bytes N] [--case NAME]

Spark is measured at two sizes and told by the difference, so that the start of the job does not count. CPU seconds are
those of all processes of the run, user and system; they suffer less than the clock from other work on the machine. The
best of several runs is told.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

from processes import descendants

HERE = Path(__file__).resolve().parent
PER_FILE = 20_000
CASES = {
    "JSON to JSON": ("json", []),
    "JSON to Parquet": ("json", ["--output-format", "parquet"]),
    "Parquet to Parquet": ("parquet", ["--input-format", "parquet", "--output-format", "parquet"]),
    "JSON to JSON, --dedupe": ("json", ["--dedupe"]),
    "JSON to JSON, --through-spark": ("json", ["--through-spark"]),
    "Parquet to Parquet, --through-spark": ("parquet", ["--input-format", "parquet", "--output-format", "parquet", "--through-spark"]),
}


class Cost(NamedTuple):
    cpu: float
    clock: float


def run(command: list[object]) -> Cost:
    """What a command costs by itself; an error when it fails."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    finish(start_quietly(command))
    after, clock = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic() - start
    return Cost(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, clock)


def run_spark(command: list[object]) -> Cost:
    """What a job costs, with all processes: looked up ten times a second, because Spark does not wait for its Python
    workers. These do wait for their slipcasts, whose seconds are therefore taken from the workers."""
    start, seconds = time.monotonic(), {}
    process = start_quietly(command)
    while process.poll() is None:
        for child in descendants(os.getpid()):
            # What ends has no words any more.
            if child.words and " convert --jobs 1 " not in child.words:
                seconds[child.number] = child.cpu + (child.reaped if "pyspark.daemon" in child.words else 0)
        time.sleep(0.1)
    finish(process)
    return Cost(sum(seconds.values()), time.monotonic() - start)


def start_quietly(command: list[object]) -> subprocess.Popen[bytes]:
    return subprocess.Popen([*map(str, command)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def finish(process: subprocess.Popen[bytes]) -> None:
    if process.wait() != 0:
        sys.exit(f"status {process.returncode}: {process.args}")


def best(costs: list[Cost]) -> Cost:
    return Cost(min(cost.cpu for cost in costs), min(cost.clock for cost in costs))


def size(path: Path) -> int:
    return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())


def archive(words: argparse.Namespace, form: str, count: int) -> Path:
    """An archive of so many records, made unless it is there."""
    path = words.directory / f"{form}-{count}"
    if not path.exists():
        run([sys.executable, HERE / "make_archive.py", count, path, "--form", form,
             "--files", -(-count // PER_FILE), "--receipt-bytes", words.receipt_bytes])
    return path


def alone(words: argparse.Namespace) -> None:
    """One slipcast with one job, on the large archive."""
    path = archive(words, "json", words.large)
    run(["cat", *path.iterdir()])
    cost = best([run([words.slipcast, "convert", "--jobs", 1, "--quiet", "--exit-zero", path])
                 for _ in range(words.times)])
    tell("slipcast --jobs 1", words.large, cost, size(path), None)


def through_spark(words: argparse.Namespace, name: str) -> None:
    """The job at two sizes, in turn."""
    form, more = CASES[name]
    output = words.directory / "output"
    costs: dict[int, list[Cost]] = {words.small: [], words.large: []}
    for _ in range(words.times):
        for count in costs:
            shutil.rmtree(output, ignore_errors=True)
            path = archive(words, form, count)
            job = [sys.executable, HERE / "slipcast_job.py", "--slipcast", words.slipcast, *more]
            costs[count].append(run_spark([*job, path.resolve().as_uri(), output.resolve().as_uri()]))
    small, large = best(costs[words.small]), best(costs[words.large])
    difference = Cost(large.cpu - small.cpu, large.clock - small.clock)
    print(f"  whole runs: {words.small:,} records {small.cpu:.1f} CPU s, {small.clock:.1f} s; "
          f"{words.large:,} records {large.cpu:.1f} CPU s, {large.clock:.1f} s")
    tell(name, words.large - words.small, difference, size(path) * (words.large - words.small) // words.large,
         size(output) * (words.large - words.small) // words.large)


def tell(name: str, records: int, cost: Cost, read: int, written: int | None) -> None:
    print(f"{name}: {records / cost.cpu:,.0f} records/s per core (CPU), {records / cost.clock:,.0f} records/s by the "
          f"clock, {cost.cpu / records * 1e9 / 3600:,.1f} core-hours for 10^9; {read / records:,.0f} bytes read"
          + (f", {written / records:,.0f} bytes written a record" if written else " a record"), flush=True)


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("slipcast", type=Path)
    ask.add_argument("directory", type=Path)
    ask.add_argument("--small", type=int, default=100_000)
    ask.add_argument("--large", type=int, default=600_000)
    ask.add_argument("--times", type=int, default=3)
    ask.add_argument("--receipt-bytes", type=int, default=3000)
    ask.add_argument("--case", choices=[*CASES], help="only this one")
    words = ask.parse_args()
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["PYSPARK_SUBMIT_ARGS"] = (
        "--driver-memory 2g --conf spark.ui.enabled=false --conf spark.ui.showConsoleProgress=false pyspark-shell")
    alone(words)
    for name in [words.case] if words.case else CASES:
        through_spark(words, name)


if __name__ == "__main__":
    main()
