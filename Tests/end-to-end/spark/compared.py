"""The parts about parity_job.py: the rows and the verdict of one machine, although archives are divided and a worker is killed."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow.dataset as dataset
from harness import ROOT, require

from cluster import EXAMPLE, wait_for

if TYPE_CHECKING:
    from cluster import Cluster

MIGRATION = ROOT / "Examples/migration"
LATE = """#!{python}
# slipcast, which begins late, so that there is time to kill it half-way.
import os, sys, time
time.sleep(0.7)
os.execv({slipcast!r}, [{slipcast!r}, *sys.argv[1:]])
"""
KEYS = ("kind", "side", "type", "originalTransactionId", "path", "class", "v1Access", "v2Access", "time", "v1Until", "v2Until", "code")


class Compared:
    """Needs the cluster of `Test`."""

    slipcast: Path
    python: str
    directory: Path
    output: Path
    log: Path
    events: Path
    cluster: Cluster
    submit: Any
    begin: Any
    script: Any
    write: Any
    typed_ends: Any

    def sides(self) -> tuple[Path, Path]:
        """The two archives of the example; V2 ends a month earlier, lacks a refund and has a line that cannot be read."""
        one, two = (MIGRATION / name for name in ("v1.ndjson", "v2.ndjson"))
        lines = two.read_bytes().splitlines()
        dates = sorted(json.loads(line)["signedDate"] for line in lines)
        kept = [line for line in lines if json.loads(line)["signedDate"] <= dates[-1] - 30 * 86_400_000]
        refund = next(line for line in kept if json.loads(line)["notificationType"] == "REFUND")
        return one, self.write("v2-earlier.ndjson", [line for line in kept if line != refund] + [b'{"signedPayload":"ey.ey.ey"}'])

    def compare(self, *words: object, slipcast: Path | None = None) -> subprocess.Popen[bytes]:
        one, two = self.sides()
        return self.submit(EXAMPLE / "parity_job.py", one, two, self.begin(), "--partitions", "6",
                           "--slipcast", slipcast or self.slipcast, *words)

    def alone_compared(self, *words: object) -> tuple[Counter[tuple[str, ...]], dict[str, Any]]:
        """What fails according to one slipcast, in the columns of the job's table, and its report."""
        sys.path.insert(0, str(EXAMPLE))
        import parity_job

        one, two = self.sides()
        access = self.directory / "alone-access.ndjson"
        done = subprocess.run([self.slipcast, "parity", "--legacy", one, "--server", two, "--format", "json", "--quiet", "--exit-zero",
                               "--access", access, *words], check=True, capture_output=True)
        report = json.loads(done.stdout)
        rows = parity_job.Task(parity_job.piping.Slipcast("slipcast", False), ("0", "1"), ()).rows(report, access)
        return told([row for row in rows if row["kind"] != parity_job.REPORT]), report

    def same_failures(self, status: int, *words: object) -> str:
        """The table and the counts are those of one machine."""
        text = self.log.read_text(errors="replace")
        require(status == 1, f"the job ended with status {status}:\n{text[-6000:]}")
        wanted, report = self.alone_compared(*words)
        rows = dataset.dataset(self.output, partitioning="hive").to_table().to_pylist()
        for row in rows:
            for name in ("time", "v1Until", "v2Until"):
                row[name] = row[name] and round(row[name].timestamp() * 1e6)
        found = told(rows)
        require(found == wanted, f"not on one machine: {found - wanted}; only there: {wanted - found}")
        counts = {name: int(count.replace(",", "")) for name, count in re.findall(r"^([\w ]+?) +([\d,]+)$", text, re.M)}
        pairs, coverage = report["pairs"], report["coverage"]
        for name, count in {"matched": pairs["matched"], "conflicting": pairs["conflicting"], "absorbed": pairs["absorbed"],
                            "missing of v1": coverage["legacy"]["missing"], "missing of v2": coverage["server"]["missing"],
                            "unread of v2": 1, "endsEarlier": report["access"]["endsEarlier"]}.items():
            require(counts.get(name) == count, f"{name}: {counts.get(name)}, {count} on one machine")
        gates = {gate["name"] for gate in report["gates"] if not gate["holds"]}
        verdict = re.search(r"^CONFLICT  (.*)$", text, re.M)
        failing = {re.sub(r" in \d+ partitions?$", "", one) for one in verdict[1].split(", ")} if verdict else set()
        require(failing == gates, f"gates: {failing}; {gates} on one machine")
        return f"{wanted.total()} rows"

    def parity(self) -> str:
        """Both archives, divided by subscription: only the time that the whole archives cover decides what is missing."""
        process = self.compare()
        told = self.same_failures(process.wait())
        coverage = self.alone_compared()[1]["coverage"]
        outside = sum(coverage[side]["missingOutside"] for side in ("legacy", "server"))
        require(outside > 0, "some events lie outside of the common time")
        return f"{told}, {outside} events outside of the common time"

    def parity_killed(self) -> str:
        """A worker is killed half-way."""
        process = self.compare("--", "--strict", "serverOnly", slipcast=self.script("late", LATE))
        wait_for("some tasks are done", lambda: self.typed_ends() >= 8, process)
        self.cluster.kill(self.cluster.workers[0])
        require(process.poll() is None, "the job still runs")
        told = self.same_failures(process.wait(), "--strict", "serverOnly")
        self.cluster.add_worker()
        return told


def told(rows: list[dict[str, Any]]) -> Counter[tuple[str, ...]]:
    return Counter(tuple(str(row.get(name)) for name in KEYS) for row in rows)
