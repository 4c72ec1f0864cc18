"""A standalone Spark cluster on this machine: one master and workers of one core each, every one a process."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pyspark
from harness import ROOT

EXAMPLE = ROOT / "Examples/spark"
sys.path.insert(0, str(EXAMPLE))
from processes import descendants  # noqa: E402

SPARK_HOME = Path(pyspark.__file__).parent
PATIENCE = 300  # seconds
JVM = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


def wait_for(what: str, done: Callable[[], bool], alive: subprocess.Popen[bytes] | None = None) -> None:
    """Waits until it is so; an error when that takes too long or the process ends before."""
    end = time.monotonic() + PATIENCE
    while not done():
        if time.monotonic() > end:
            raise TimeoutError(f"waited {PATIENCE} seconds for: {what}")
        if alive is not None and alive.poll() is not None:
            raise ChildProcessError(f"the process ended before: {what}")
        time.sleep(0.01)


class Cluster:
    """Started on entry, ended on exit. `workers` holds the workers' processes."""

    def __init__(self, directory: Path, python: str, workers: int = 2) -> None:
        self.directory, self.size = directory, workers
        self.workers: list[subprocess.Popen[bytes]] = []
        self.environment = os.environ | {
            "SPARK_HOME": str(SPARK_HOME), "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_LOCAL_DIRS": str(directory / "local"),
            "SPARK_DAEMON_MEMORY": "256m", "SPARK_DAEMON_JAVA_OPTS": JVM,
            "PYSPARK_PYTHON": python, "PYSPARK_DRIVER_PYTHON": python,
        }

    def __enter__(self) -> Cluster:
        self.directory.mkdir(parents=True)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = str(free.getsockname()[1])
        self.url = f"spark://127.0.0.1:{port}"
        self.master = self.start("master", "master.Master", "--port", port)
        wait_for("the master leads", lambda: self.has_said("elected leader") == 1, self.master)
        for _ in range(self.size):
            self.add_worker()
        return self

    def __exit__(self, *_: object) -> None:
        for process in [*self.workers, self.master]:
            for child in [*descendants(process.pid)]:
                os.kill(child.number, signal.SIGTERM)
            process.terminate()
            process.wait()

    def start(self, name: str, role: str, *words: str) -> subprocess.Popen[bytes]:
        command = [SPARK_HOME / "bin/spark-class", f"org.apache.spark.deploy.{role}",
                   "--host", "127.0.0.1", "--webui-port", "0", *words]
        with (self.directory / f"{name}.log").open("wb") as log:
            return subprocess.Popen(command, env=self.environment, stdout=log, stderr=log)

    def add_worker(self) -> None:
        name = f"worker-{len(self.workers)}"
        known = self.has_said("Registering worker")
        worker = self.start(name, "worker.Worker", "--cores", "1", "--memory", "1g",
                            "--work-dir", str(self.directory / name), self.url)
        self.workers.append(worker)
        wait_for(f"{name} is known", lambda: self.has_said("Registering worker") > known, worker)

    def has_said(self, words: str) -> int:
        """How often the master's log holds these words."""
        return (self.directory / "master.log").read_text(errors="replace").count(words)

    def executor(self, worker: subprocess.Popen[bytes]) -> int | None:
        """The worker's executor, if it has one."""
        found = [child.number for child in descendants(worker.pid) if "CoarseGrainedExecutorBackend" in child.words]
        return found[0] if found else None

    def kill(self, worker: subprocess.Popen[bytes]) -> None:
        """Kills a worker and its executor without a last word, as a machine goes that loses its power."""
        executor = self.executor(worker)
        for process in filter(None, [worker.pid, executor]):
            os.kill(process, signal.SIGKILL)
        worker.wait()
        self.workers.remove(worker)
