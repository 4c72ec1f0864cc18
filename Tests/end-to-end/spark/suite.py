"""Runs Examples/spark/slipcast_job.py on a cluster of two workers and holds its output beside that of one slipcast.

Needs the packages of Examples/spark/requirements.txt.
"""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

import pyarrow.parquet as pq
from harness import Suite, require

from cluster import EXAMPLE, JVM, SPARK_HOME, Cluster, descendants, wait_for
import cutting
from compared import Compared
from lakes import Lakes
from typed import Typed, expect, stable

import make_archive  # beside slipcast_job.py; cluster has made both known

COUNT = 24_000
SECRET = b"SECRET-SLIPCAST"  # the beginning of the shared secret in the fixtures
SLOW = """#!{python}
# slipcast, whose output comes slowly, so that there is time to kill it half-way.
import subprocess, sys, time
process = subprocess.Popen([{slipcast!r}, *sys.argv[1:]], stdout=subprocess.PIPE, close_fds=False)
while chunk := process.stdout.read1(1 << 14):
    sys.stdout.buffer.write(chunk)
    sys.stdout.buffer.flush()
    time.sleep(0.02)
sys.exit(process.wait())
"""


IDENTIFIER = re.compile(rb'"notificationUUID":"([^"]*)"')


def are_same(lines: list[bytes], wanted: list[bytes]) -> bool:
    """Whether lines of the cluster are those of one machine, but for ids of events without a time.

    A task cannot know that another one repeats such an event, so the event keeps the id of the first one.
    """
    texts = [sorted(IDENTIFIER.sub(b"", line) for line in some) for some in (lines, wanted)]
    ids = [{found[1] for line in some if (found := IDENTIFIER.search(line))} for some in (lines, wanted)]
    return texts[0] == texts[1] and ids[0] <= ids[1]


class Test(Typed, Compared, Lakes):
    """An archive in two forms, what one slipcast makes of it, and a cluster."""

    def __init__(self, suite: Suite) -> None:
        self.slipcast, self.python, self.directory = suite.slipcast, sys.executable, suite.folder
        self.cluster = Cluster(suite.folder / "cluster", self.python)
        self.runs = 0

    # MARK: the archive

    def write_archives(self) -> None:
        """JSON lines in three files of different manners, and the same records as rows."""
        lines = [*make_archive.records(COUNT)]
        third = COUNT // 3
        self.json, self.parquet = self.directory / "json", self.directory / "parquet"
        self.plain, self.wrapped = self.write("plain.ndjson", lines), self.directory / "wrapped.ndjson"
        for folder in (self.json, self.parquet):
            folder.mkdir()
        (self.json / "a.ndjson").write_bytes(b"\n".join(lines[:third]) + b"\n\n  \n")
        (self.json / "b %2B é.ndjson").write_bytes(b"\xef\xbb\xbf" + b"\r\n".join(lines[third:2 * third]))
        (self.json / "empty.ndjson").touch()
        (self.json / "c.ndjson.gz").write_bytes(gzip.compress(b"\n".join(lines[2 * third:]), 1))
        make_archive.write_parquet(iter(lines), self.parquet / "rows.parquet")
        with self.wrapped.open("w", encoding="utf-8") as file:
            for row in make_archive.rows(iter(lines)):
                told = {name: value for name, value in row.items() if value is not None}
                file.write(json.dumps(told, separators=(",", ":"), ensure_ascii=False) + "\n")

    def alone(self, archive: Path, *words: str) -> tuple[list[bytes], list[bytes]]:
        """What one slipcast on one machine writes: converted lines and rejects."""
        rejects = self.directory / "alone.rejects"
        command = [self.slipcast, "convert", "--quiet", "--exit-zero", "--rejects", rejects, *words, archive]
        done = subprocess.run(command, check=True, capture_output=True)
        return done.stdout.splitlines(), rejects.read_bytes().splitlines()

    # MARK: the job

    def script(self, name: str, text: str) -> Path:
        """A program that calls slipcast."""
        path = self.directory / name
        path.write_text(text.format(python=self.python, slipcast=str(self.slipcast)))
        path.chmod(0o755)
        return path

    def begin(self) -> Path:
        """The output of the next run; its events go to `self.events`, its words to `self.log`."""
        self.runs += 1
        self.output = self.directory / f"output-{self.runs}"
        self.events = self.directory / f"events-{self.runs}"
        self.log = self.directory / f"log-{self.runs}"
        self.events.mkdir()
        return self.output

    def start(self, *words: object, slipcast: Path | None = None) -> subprocess.Popen[bytes]:
        """Starts the job on the cluster."""
        before, after = split(words)
        job = [EXAMPLE / "slipcast_job.py", *before, "--slipcast", slipcast or self.slipcast]
        return self.submit(*job, self.begin(), *after)

    def submit(self, *words: object) -> subprocess.Popen[bytes]:
        """Hands a program to the cluster."""
        settings = {
            "spark.driver.host": "127.0.0.1", "spark.ui.enabled": "false", "spark.executor.memory": "768m",
            "spark.driver.memory": "768m", "spark.sql.files.maxPartitionBytes": "3m", "spark.sql.shuffle.partitions": 4,
            # Short runs gain nothing from the JVM's second compiler, and other tests want the processors too.
            "spark.driver.extraJavaOptions": JVM, "spark.executor.extraJavaOptions": JVM,
            "spark.eventLog.enabled": "true", "spark.eventLog.dir": self.events.as_uri(),
            "spark.eventLog.compress": "false", "spark.eventLog.rolling.enabled": "false",
        }
        command = [SPARK_HOME / "bin/spark-submit", "--master", self.cluster.url]
        for name, value in settings.items():
            command += ["--conf", f"{name}={value}"]
        with self.log.open("wb") as log:
            words = [str(word) for word in (*command, *words)]
            return subprocess.Popen(words, env=self.cluster.environment, stdout=log, stderr=log)

    def run(self, *words: object) -> Counter[str]:
        """Runs the job to its end and gives the counts it printed."""
        return self.finish(self.start(*words))

    def finish(self, process: subprocess.Popen[bytes]) -> Counter[str]:
        status = process.wait()
        text = self.log.read_text(errors="replace")
        require(status == 0, f"the job ended with status {status}:\n{text[-6000:]}")
        return Counter({name: int(count.replace(",", ""))
                        for name, count in re.findall(r"^(\w+) +([\d,]+)$", text, re.MULTILINE)})

    def text(self, kind: str) -> list[bytes]:
        """The lines of one kind that the job wrote as JSON."""
        return [line for path in sorted(self.output.glob(f"*{kind}/part-*"))
                for line in path.read_bytes().splitlines()]

    def table(self, kind: str) -> list[dict[str, object]]:
        """The rows of one kind that the job wrote as Parquet."""
        return [row for path in sorted(self.output.glob(f"kind={kind}/part-*"))
                for row in pq.ParquetFile(path).read().to_pylist()]

    # MARK: the tests

    def json_to_json(self) -> None:
        """JSON to JSON: LF, CRLF with a byte-order mark, gzip; the same lines as one machine, whoever reads and writes."""
        converted, rejects = self.alone(self.plain)
        for words in ([], ["--through-spark"]):
            counts = self.run(self.json, *words)
            self.compare_text(counts, converted, rejects)
            names = sorted(path.name for path in self.output.iterdir() if not path.name.startswith("."))
            expect(names == ["_SUCCESS", "kind=converted", "kind=counts", "kind=rejected"], f"nothing else: {names}")
        # The rejects can be fed to slipcast again.
        files = [self.write("again.ndjson", self.text("rejected")), self.write("again-alone.ndjson", rejects)]
        reasons = [Counter((told["stage"], told["code"]) for told in map(json.loads, self.alone(file)[1]))
                   for file in files]
        expect(reasons[0] == reasons[1], f"slipcast judges its {len(rejects)} rejects and those of the job alike")
        process = self.start(self.json)
        self.output.mkdir()
        expect(process.wait() != 0 and "exists already" in self.log.read_text(errors="replace"), "a folder that is there is refused")
        expect(not [*self.output.iterdir()], "and left as it is")

    def write(self, name: str, lines: list[bytes]) -> Path:
        """A file of these lines."""
        path = self.directory / name
        path.write_bytes(b"\n".join(lines))
        return path

    def same_lines(self, converted: list[bytes], rejects: list[bytes]) -> None:
        expect(are_same(self.text("converted"), converted), f"{len(converted)} converted lines are the same")
        expect(stable(self.text("rejected")) == stable(rejects), f"{len(rejects)} rejects are the same")

    def compare_text(self, counts: Counter[str], converted: list[bytes], rejects: list[bytes]) -> None:
        self.same_lines(converted, rejects)
        self.expect_counts(counts, converted=len(converted), rejected=len(rejects))

    def expect_counts(self, counts: Counter[str], **expected: int) -> None:
        expect(+counts == +Counter(expected, read=COUNT), f"read = converted + duplicate + rejected: {dict(+counts)}")

    def parquet_to_parquet(self) -> None:
        """Parquet to Parquet, with ids and times of receipt; the same lines as one machine."""
        converted, rejects = self.alone(
            self.wrapped, "--plain", "--body", "/body", "--id", "/id", "--received-at", "/received_at")
        for words in ([], ["--through-spark"]):
            counts = self.run(self.parquet, "--input-format", "parquet", "--output-format", "parquet", *words,
                              "--id-column", "id", "--received-at-column", "received_at", "--", "--plain")
            rows = self.table("converted")
            bodies = [str(row["body"]).encode() for row in rows]
            expect(are_same(bodies, converted), f"{len(converted)} bodies are the same")
            expect(all(columns(json.loads(str(row["body"]))) == row for row in rows), "the columns say what the bodies say")
            told = [str(row["body"]).encode() for row in self.table("rejected")]
            expect(as_rows(told) == as_rows(rejects), f"{len(rejects)} rejects are the same, each with its id")
            self.expect_counts(counts, converted=len(converted), rejected=len(rejects))

    def dedupe(self) -> None:
        """--dedupe: one line of each event stays, the earliest; the others are kept apart."""
        wrapped = ["--body", "/body", "--id", "/id", "--received-at", "/received_at"]
        counts = self.run(self.wrapped, "--dedupe", "--", *wrapped)
        converted, rejects = self.alone(self.wrapped, *wrapped)
        told = self.text("converted") + self.text("duplicate")
        expect(are_same(told, converted), f"{len(converted)} lines are the same")
        # Of events without a time a task gives ids by what it has seen, so which lines repeat is a question to its own lines.
        kept = earliest(told)
        expect(sorted(self.text("converted")) == sorted(kept), f"{len(kept)} lines stay, as by plain reckoning")
        apart = len(told) - len(kept)
        expect(apart > 0, "some repetitions are kept apart")
        self.expect_counts(counts, converted=len(kept), duplicate=apart, rejected=len(rejects))

    def killed_worker(self) -> None:
        """A worker and its executor are killed half-way."""
        process = self.start(self.json, slipcast=self.script("slow", SLOW))
        victim = self.cluster.workers[0]
        wait_for("some tasks are done", lambda: self.tasks_done() >= 6, process)
        wait_for("the victim converts", lambda: len(self.converting(victim)) > 0, process)
        time.sleep(0.1)
        at_work, done = self.converting(victim), self.tasks_done()
        self.cluster.kill(victim)
        expect(len(at_work) > 0 and process.poll() is None,
               f"killed when {done} tasks were done and {len(at_work)} slipcast was running on the victim")
        counts = self.finish(process)
        ends = self.task_ends()
        lost = [end for end in ends if end["Task End Reason"]["Reason"] == "ExecutorLostFailure"]
        repeated = {end["Task Info"]["Index"] for end in lost}
        healed = {end["Task Info"]["Index"] for end in ends
                  if end["Task Info"]["Attempt"] > 0 and end["Task End Reason"]["Reason"] == "Success"}
        expect(len(lost) > 0 and repeated <= healed,
               f"Spark lost {len(lost)} running task with the worker and ran it again, of {len(ends)} tasks")
        self.compare_text(counts, *self.alone(self.plain))
        self.cluster.add_worker()

    def converting(self, worker: subprocess.Popen[bytes]) -> list[int]:
        """The processes of slipcast that run under a worker."""
        return [child.number for child in descendants(worker.pid)
                if child.words.startswith(f"{self.slipcast} convert --jobs 1 ")]

    def tasks_done(self) -> int:
        """How many tasks have written their counts, which come last, while the job still runs."""
        return sum((path / "kind=counts").exists() for path in self.output.glob("_temporary/*"))

    def task_ends(self) -> list[dict[str, object]]:
        """What Spark noted at the end of each task of the stage that converts: writing.py waits for it."""
        events = [json.loads(line) for line in next(self.events.iterdir()).read_text().splitlines()
                  if '"SparkListenerTaskEnd"' in line or '"SparkListenerStageSubmitted"' in line]
        stages = [event["Stage Info"] for event in events if "Stage Info" in event]
        [number] = {stage["Stage ID"] for stage in stages if "writing.py" in str(stage["Stage Name"])}
        return [event for event in events if event.get("Stage ID") == number]

    def failure(self) -> None:
        """A slipcast that cannot do its job fails the job, and says why."""
        process = self.start(self.json, "--", "--no-such-option")
        expect(process.wait() != 0, "the job ends with another status than 0")
        text = self.log.read_text(errors="replace")
        expect("slipcast ended with status 2" in text and "no-such-option" in text, "slipcast's own words in the log")
        expect(not (self.output / "_SUCCESS").exists(), "there is no _SUCCESS")
        expect(not self.output.exists(), "nothing of it stays")

    def pipe(self) -> None:
        """Pipe_job.py: the same lines, where the records are UTF-8."""
        lines = [line for line in self.plain.read_bytes().splitlines() if line.isascii()]
        archive = self.write("ascii.ndjson", lines)
        process = self.submit(EXAMPLE / "pipe_job.py", self.slipcast, archive, self.begin())
        self.finish(process)
        converted, rejects = self.alone(archive)
        self.same_lines(converted, rejects)

    def group(self) -> None:
        """--group: all records of one subscription meet in one process; the same lines as one machine."""
        counts = self.finish(self.start(self.json, "--group", "--partitions", "6"))
        converted, rejects = self.alone(self.plain, "--group")
        self.same_lines(converted, rejects)
        folded = COUNT - len(converted) - len(rejects)
        self.expect_counts(counts, converted=len(converted), rejected=len(rejects), folded=folded)

    def keys(self) -> None:
        """--group partitions by the original transaction id of the converted line, or by the event's id."""
        import grouping
        import piping
        import pyarrow as pa

        rows = [*islice(make_archive.records(COUNT), 500)]
        batches = [pa.RecordBatch.from_pydict({"row": some, "stood": [*range(len(some))]}) for some in (rows[:90], [b" "], rows[90:])]
        found = [row for batch in grouping.keyed_by_v1(piping.Slipcast(str(self.slipcast), travels=False), iter(batches))
                 for row in batch.to_pylist()]
        expect([row["row"] for row in found] == rows, "the rows are the same, in their order")
        converted, rejects = self.alone(self.write("few.ndjson", rows))
        told = [json.loads(line) for line in converted]
        ids = [line["data"].get("transactionInfo", {}).get("originalTransactionId")
               or line["data"].get("renewalInfo", {}).get("originalTransactionId") or line["notificationUUID"] for line in told]
        refused = {json.loads(line)["line"] for line in rejects}
        expect([row["key"] for number, row in enumerate(found, 1) if number not in refused] == ids, f"{len(ids)} keys")
        expect(all(found[number - 1]["key"] is None for number in refused), f"{len(refused)} rejects have none")

    def keys_of_v2(self) -> None:
        """The id that a V2 notification states, in its shapes; several in one row are refused."""
        import base64

        import grouping

        def signed(value: object) -> str:
            return "eyJh." + base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=") + ".c2ln"

        transaction, renewal = {"transactionId": "12", "originalTransactionId": "11"}, {"originalTransactionId": "10"}
        decoded = {"data": {"renewalInfo": renewal, "transactionInfo": transaction}}
        payload = {"data": {"signedRenewalInfo": signed(renewal), "signedTransactionInfo": signed(transaction)}}
        shapes = {
            "decoded": decoded, "signed": {"signedPayload": signed(payload)}, "text in a row": {"body": json.dumps(decoded)},
            "columns": {"data": {"signed_transaction_info": {"original_transaction_id": 11}}}, "a list of one": [decoded],
        }
        for name, shape in shapes.items():
            expect(grouping.stated(json.dumps(shape).encode()) == "11", name)
        for name, row in {"no JSON": b"{", "none": b'{"a":"ey.ey.ey"}'}.items():
            expect(grouping.stated(row) is None, name)
        try:
            grouping.stated(json.dumps({"signedTransactions": [signed(transaction), signed({"originalTransactionId": "9"})]}).encode())
        except RuntimeError as error:
            expect("several subscriptions" in str(error), str(error))
        else:
            expect(False, "two subscriptions in one row are an error")

    def secret(self) -> None:
        """No trace of the shared secret."""
        traces = [path for path in [*self.directory.glob("log-*"), *self.directory.glob("output-*/**/*"),
                                    *self.directory.glob("cluster/**/*")]
                  if path.is_file() and path.suffix != ".jar" and not self.is_shuffle(path) and SECRET in path.read_bytes()]
        expect(traces == [], "the logs of driver, master, workers and executors and all outputs are free of it")

    @staticmethod
    def is_shuffle(path: Path) -> bool:
        """V1 records on their way between tasks, as the sources have them: a worker that was killed leaves its own behind."""
        return any(part.startswith("blockmgr-") for part in path.parts)


def split(words: Iterable[object]) -> tuple[list[object], list[object]]:
    """What stands before and from -- on."""
    found = [*words]
    cut = found.index("--") if "--" in found else len(found)
    return found[:cut], found[cut:]


def as_rows(rejects: list[bytes]) -> list[dict[str, object]]:
    """Rejected rows of a table in the order of their ids. A row is the same however it is spelled as JSON."""
    rows = [json.loads(b"{" + line) for line in stable(rejects)]
    # Input that might hold a secret is not kept.
    return sorted((row | {"input": row["input"] and json.loads(row["input"])} for row in rows), key=lambda row: row["id"])


def columns(line: dict[str, object]) -> dict[str, object]:
    """The row of Parquet that a converted line should give, reckoned without Spark."""
    data = line.get("data") or {}
    transaction = data.get("transactionInfo") or {}
    row = {name: line.get(name) for name in ("notificationUUID", "notificationType", "subtype", "signedDate")}
    row |= {name: data.get(name) for name in ("bundleId", "environment")}
    row |= {name: transaction.get(name) for name in ("originalTransactionId", "transactionId")}
    return row | {"body": json.dumps(line, separators=(",", ":"), ensure_ascii=False)}


def earliest(lines: list[bytes]) -> list[bytes]:
    """One line of each event: the earliest signedDate, then the first in the order of the bytes. Lines without an id stay."""
    kept: dict[str, tuple[float, bytes]] = {}
    rest: list[bytes] = []
    for line in lines:
        event = json.loads(line)
        rank = (event.get("signedDate", float("inf")), line)
        if (uuid := event.get("notificationUUID")) is None:
            rest.append(line)
        else:
            kept[uuid] = min(rank, kept.get(uuid, rank))
    return rest + [line for _, line in kept.values()]


def run(suite: Suite) -> None:
    test = Test(suite)
    test.write_archives()
    suite.part("cut files", cutting.cut_files, suite.folder)
    suite.part("cut output", cutting.cut_output)
    suite.part("rows as table", cutting.rows_as_table)
    suite.part("keys", test.keys)
    suite.part("keys of v2", test.keys_of_v2)
    suite.part("refused", test.refused)
    suite.part("missing packages", test.missing_packages)
    suite.part("iceberg", test.iceberg)
    with test.cluster:
        parts = [test.json_to_json, test.parquet_to_parquet, test.dedupe, test.killed_worker, test.group, test.pipe,
                 test.typed_events, test.typed_states, test.typed_append, test.parity, test.parity_killed]
        for part in (*parts, test.failure):
            suite.part(part.__name__.replace("_", " "), part)
    suite.part("secret", test.secret)
