"""The parts about tables of Iceberg and Delta: Iceberg itself, in Spark 3.5; what is said where a package is missing."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness import ROOT, Skipped, require

from cluster import EXAMPLE

if TYPE_CHECKING:
    from collections.abc import Callable

PYTHON = ROOT / ".build/spark-3.5/bin/python"  # make iceberg-packages
FIND = "import snowpark_connect_deps_iceberg as it, pathlib; print(*pathlib.Path(it.__file__).parent.glob('jars/iceberg-spark-runtime-3.5_2.12-*.jar'))"
TABLE = "lake.shop.events"
ASK = f"""
import json
from pyspark.sql import SparkSession
spark = SparkSession.builder.getOrCreate()
found = spark.table("{TABLE}")
days = spark.sql("SELECT count(*) AS files, count(DISTINCT partition.day) AS days FROM {TABLE}.files").first()
print(json.dumps([[row["notificationUUID"], str(row)] for row in found.collect()]
  + [[spark.sql("SELECT * FROM {TABLE}.snapshots").count(), days["files"], days["days"], found.where("day IS NOT NULL").select("day").distinct().count()]]))
"""


class Lakes:
    """Needs the archive of `Test`."""

    slipcast: Path
    python: str
    directory: Path
    json: Path
    plain: Path
    one_machine: Callable[..., Any]

    def iceberg(self) -> str:
        """A table divided by day; a second run, and one after a run that was killed, add what is new and nothing twice."""
        if not PYTHON.exists():
            raise Skipped(f"{PYTHON} is not there: make iceberg-packages")
        [jar] = subprocess.run([PYTHON, "-c", FIND], check=True, capture_output=True, text=True).stdout.split()
        settings = {"spark.ui.enabled": "false", "spark.sql.catalog.lake": "org.apache.iceberg.spark.SparkCatalog",
                    "spark.sql.catalog.lake.type": "hadoop", "spark.sql.catalog.lake.warehouse": self.directory / "lake"}
        given = " ".join(["--driver-memory 1g --jars", jar, *(f"--conf {name}={value}" for name, value in settings.items()), "pyspark-shell"])
        environment = os.environ | {"PYSPARK_PYTHON": str(PYTHON), "PYSPARK_SUBMIT_ARGS": given}

        def job(archive: Path, *, wait: bool = True) -> subprocess.Popen[str]:
            process = subprocess.Popen(
                [PYTHON, EXAMPLE / "typed_job.py", "events", archive, TABLE, "--append", "--format", "iceberg", "--partitions", "4",
                 "--slipcast", self.slipcast], env=environment, cwd=self.directory, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if wait:
                said = process.communicate()[0]
                require(process.returncode == 0, f"status {process.returncode}: {said[-4000:]}")
            return process

        def ask() -> tuple[list[str], list[int]]:
            told = subprocess.run([PYTHON, "-c", ASK], env=environment, check=True, capture_output=True, text=True).stdout
            *rows, counts = json.loads(told.splitlines()[-1])
            return [uuid or text for uuid, text in rows], counts

        half = self.directory / "half.ndjson"
        half.write_bytes(b"\n".join(self.plain.read_bytes().splitlines()[:3000]))
        whole = self.directory / "whole.ndjson"
        whole.write_bytes(b"\n".join(self.plain.read_bytes().splitlines()[:6000]))
        job(half)
        first = ask()[0]
        broken = job(whole, wait=False)
        for line in broken.stdout:
            if "setLogLevel" in line:
                break
        try:
            broken.wait(12)
        except subprocess.TimeoutExpired:
            broken.kill()
        broken.communicate()
        job(whole)
        job(whole)
        wanted = [row["notificationUUID"] or str(row) for row in self.one_machine("events", whole)[0]]
        found, (snapshots, files, days, all_days) = ask()
        require(len(found) == len(set(found)), "no event comes twice")
        require(len(found) == len(wanted), f"{len(found)} events, {len(wanted)} on one machine")
        ids = [{one for one in some if not one.startswith(("Row(", "{"))} for some in (found, wanted, first)]
        require(ids[0] == ids[1] and ids[2] < ids[0], "the events are those of one machine, and some were there at first")
        require(days == all_days > 1 and files >= days, f"{files} files of {days} days")
        return f"{len(found)} events of {days} days, {snapshots} snapshots"

    def missing_packages(self) -> None:
        """A format whose package is not in the session is named before anything is converted."""
        for form, package in (("delta", "io.delta:delta-spark"), ("iceberg", "org.apache.iceberg:iceberg-spark-runtime")):
            output = self.directory / f"not-{form}"
            job = [self.python, EXAMPLE / "typed_job.py", "events", self.plain, output, "--format", form, "--slipcast", self.slipcast]
            done = subprocess.run(job, capture_output=True, text=True, check=False)
            require(done.returncode == 1 and package in done.stderr, f"{form}: {done.stderr[-600:]}")
            require(not output.exists() and not Path(f"{output}.rejects").exists(), "nothing was written")
