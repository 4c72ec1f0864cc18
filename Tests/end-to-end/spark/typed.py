"""The parts about typed_job.py: events, states, and appending although runs and workers are killed."""

from __future__ import annotations

import subprocess
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.dataset as dataset
from harness import require

from cluster import EXAMPLE, wait_for

if TYPE_CHECKING:
    from cluster import Cluster


class Typed:
    """Needs the archive and the cluster of `Test`."""

    slipcast: Path
    python: str
    directory: Path
    plain: Path
    json: Path
    output: Path
    events: Path
    cluster: Cluster
    submit: Any
    begin: Any
    finish: Any
    alone: Any

    def typed(self, table: str, *words: object) -> subprocess.Popen[bytes]:
        """Starts typed_job.py on the cluster."""
        return self.submit(EXAMPLE / "typed_job.py", table, *words, "--partitions", "6")

    def typed_rows(self, output: Path, types: dict[str, pa.DataType]) -> list[dict[str, object]]:
        """The rows of a typed table, without the day that divides them."""
        found = dataset.dataset(output, partitioning="hive").to_table()
        require({str(day)[:7] for day in found["day"].to_pylist()} <= months(found), "each row is in the folder of its day")
        return found.select(types).cast(pa.schema(types.items())).to_pylist()

    def one_machine(self, table: str, *words: object) -> tuple[list[dict[str, object]], dict[str, pa.DataType]]:
        """The rows that one slipcast writes as CSV, and their types."""
        import typed_job

        types = {name: typed_job.ARROW[kind] for name, kind in typed_job.columns_of(str(self.slipcast), table).items()}
        path = self.directory / f"one-{table}.csv"
        command = [self.slipcast, *typed_job.TABLES[table][1], path, "--exit-zero", *words]
        subprocess.run(command, check=True, capture_output=True)
        task = typed_job.Task(table, typed_job.columns_of(str(self.slipcast), table), None, ())
        return [{name: row[name] for name in types} for batch in task.rows(path) for row in batch.to_pylist()], types

    def typed_events(self) -> None:
        """Events as typed columns, settled by the other messages of their subscriptions: the rows of one machine."""
        wanted, types = self.one_machine("events", "--settle", self.plain)
        self.finish(self.typed("events", self.json, self.begin(), "--settle", "--slipcast", self.slipcast))
        found = self.typed_rows(self.output, types)
        expect(same_events(found, wanted), f"{len(wanted)} events are the same")
        expect(any(row["settledFrom"] for row in found), "some readings are settled")
        told = [line for path in Path(f"{self.output}.rejects").glob("part-*") for line in path.read_bytes().splitlines()]
        rejects = self.alone(self.plain)[1]
        expect(stable(told) == stable(rejects), f"{len(rejects)} rejects are the same")

    def typed_states(self) -> None:
        """Intervals of subscriptions: the rows of one machine."""
        wanted, types = self.one_machine("states", self.plain)
        types.pop("evidence")
        self.finish(self.typed("states", self.json, self.begin(), "--slipcast", self.slipcast))
        expect(counted(self.typed_rows(self.output, types)) == counted([{name: row[name] for name in types} for row in wanted]),
               f"{len(wanted)} intervals are the same")

    def typed_append(self) -> None:
        """A second run adds what is new, and nothing twice, although a worker is killed and the run before was broken off."""
        wanted, types = self.one_machine("events", self.plain)
        half = self.directory / "half"
        half.mkdir()
        (half / "a.ndjson").write_bytes((self.json / "a.ndjson").read_bytes())
        output = self.begin()
        self.finish(self.typed("events", half, output, "--append", "--slipcast", self.slipcast))
        first = len(self.typed_rows(output, types))
        expect(0 < first < len(wanted), f"{first} events at first")
        self.begin()
        broken = self.typed("events", self.json, output, "--append", "--slipcast", self.slipcast)
        wait_for("some tasks are done", lambda: self.typed_ends() >= 8, broken)
        broken.kill()
        broken.wait()
        self.begin()
        process = self.typed("events", self.json, output, "--append", "--slipcast", self.slipcast)
        wait_for("some tasks are done", lambda: self.typed_ends() >= 8, process)
        self.cluster.kill(self.cluster.workers[0])
        expect(process.poll() is None, "a worker is killed half-way")
        counts = self.finish(process)
        self.cluster.add_worker()
        found = self.typed_rows(output, types)
        # Transactions of receipts have no id.
        ids = [row["notificationUUID"] or str(row) for row in found]
        expect(len(ids) == len(set(ids)), "no event comes twice")
        expect(set(ids) == {row["notificationUUID"] or str(row) for row in wanted}, f"{len(wanted)} events are there")
        expect(counts["rows"] == len(wanted), f"{dict(counts)}")

    def typed_ends(self) -> int:
        """How many tasks of the running job have ended."""
        logs = [*self.events.iterdir()]
        return sum(log.read_text(errors="replace").count('"SparkListenerTaskEnd"') for log in logs)

    def refused(self) -> None:
        """What needs the other messages of a subscription is refused where a task does not see them."""
        for words, told in (
            (["slipcast_job.py", "in", "out", "--", "--settle"], "--settle"), (["typed_job.py", "states", "in", "out", "--append"], "--settle"),
            (["parity_job.py", "v1", "v2", "out", "--", "--max-missing", "1%"], "--max-missing is for whole archives"),
            (["parity_job.py", "v1", "v2", "out", "--", "--baseline=b.json"], "--baseline=b.json is for whole archives"),
        ):
            done = subprocess.run([self.python, EXAMPLE / words[0], *words[1:]], capture_output=True, text=True, check=False)
            expect(done.returncode == 2 and told in done.stderr, done.stderr[-300:])


def same_events(found: list[dict[str, object]], wanted: list[dict[str, object]]) -> bool:
    """The rows are the same, but that of messages with one id the first of an archive stays, or the earliest."""
    one, two = ({row["notificationUUID"] or str(row): row for row in rows} for rows in (found, wanted))
    other = [name for name in one if one[name] != two.get(name)]
    return len(one) == len(found) and one.keys() == two.keys() and len(other) * 100 <= len(wanted)


def counted(rows: list[dict[str, object]]) -> Counter[tuple[str, ...]]:
    return Counter(tuple(map(str, row.values())) for row in rows)


def months(table: pa.Table) -> set[str]:
    """The months of the dates of a table's rows."""
    name = next(one for one in ("signedDate", "validFrom", "time") if one in table.schema.names)
    return {str(date)[:7] for date in table[name].to_pylist()} | {"None", "__HIVE_"}


def stable(rejects: list[bytes]) -> list[bytes]:
    """Rejects without the place in the input, which depends on how the input was cut; sorted."""
    return sorted(line[line.index(b'"stage":'):] for line in rejects)


def expect(holds: bool, what: str) -> None:
    require(holds, f"expected: {what}")
