"""Load and masses: acknowledged notifications per second, against a bare handler and against one write to disk per request."""

import json
import os
import re
import resource
import shutil
import socket
import subprocess
from dataclasses import dataclass
from pathlib import Path

from harness import FIXTURES, Skipped, require, run as command
from parts import Parts
from server import body, serving

HERE = Path(__file__).resolve().parent


@dataclass
class Served:
    """What a server did while it was sent as much as it takes."""

    # Acknowledged requests a second.
    rate: float
    # Milliseconds within which 99 of 100 were answered.
    late: float
    # Processor microseconds of the server for each.
    processor: float


class Sender:
    """Sends notifications of 6 KB to servers, on 64 connections; it takes a part of the machine itself."""

    def __init__(self, folder: Path, seconds: int) -> None:
        if not shutil.which("wrk") or not shutil.which("cc"):
            raise Skipped("it needs wrk and a C compiler")
        folder.mkdir(parents=True)
        self.folder, self.seconds = folder, seconds
        record = json.loads((FIXTURES / "notifications/app-account-token/v1.json").read_text())
        text = re.sub(r"\b(\d{15,16})\b", "NUMBER", json.dumps(record))
        filled = {**json.loads(text.replace(": NUMBER", ': "NUMBER"')), "filler": "x" * (6000 - len(text))}
        (folder / "body").write_text(json.dumps(filled))
        command(["cc", "-O2", "-o", folder / "bare", HERE / "bare.c", "-lmicrohttpd"])

    def send(self, port: int, process: int) -> Served:
        before = self.processor(process)
        outcome = command(
            ["wrk", "-t2", "-c64", f"-d{self.seconds}s", "-s", HERE / "load.lua", f"http://127.0.0.1:{port}/"],
            environment={"BODY": str(self.folder / "body")},
        )
        requests, duration, late, errors = map(int, re.search(r"RESULT (\d+) (\d+) (\d+) (\d+)", outcome.stdout).groups())
        require(requests > 0 and errors == 0, f"{errors} of {requests} requests failed")
        took = self.processor(process) - before
        return Served(requests / (duration / 1e6), late / 1000, 1e6 * took / requests)

    @staticmethod
    def processor(process: int) -> float:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def bare(self, *words: object) -> Served:
        """A handler that answers without looking, or after one write to disk."""
        process = subprocess.Popen([str(word) for word in [self.folder / "bare", *words]], stdout=subprocess.PIPE)
        try:
            return self.send(int(process.stdout.readline()), process.pid)
        finally:
            process.kill()
            process.wait()


class Loading(Parts):
    def load(self, folder: Path) -> str:
        sender = Sender(folder, self.suite.options.seconds)
        plain, synced = sender.bare(), sender.bare(folder / "synced")
        with serving(self.slipcast, folder, "--to", folder / "v2.ndjson") as server:
            own = sender.send(server.port, server.process.pid)
            status = Path(f"/proc/{server.process.pid}/status").read_text()
            memory = int(re.search(r"VmHWM:\s+(\d+)", status)[1]) // 1024
            stored = server.health()["stored"]
            server.wait(lambda health: not any(health["pending"].values()), "delivery", 300)
        shutil.rmtree(folder)
        return (
            f"{own.rate:.0f}/s, p99 {own.late:.1f} ms, {own.processor:.0f} µs each, {memory} MB, {stored} stored; bare handler "
            f"{plain.rate:.0f}/s ({own.rate / plain.rate:.2f} of it), {plain.processor:.0f} µs each, one write to disk per request "
            f"{synced.rate:.0f}/s ({own.rate / synced.rate:.1f} times), {os.cpu_count()} cores with the sender"
        )

    def idle(self, folder: Path) -> str:
        """10,000 connections that send nothing: others are served, and memory stays small."""
        wanted = 10_000
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        if hard != resource.RLIM_INFINITY and hard < wanted + 200:
            raise Skipped("too few open files are allowed")
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted + 200, hard))
        with serving(self.slipcast, folder, "--connections", str(wanted + 100), "--header-timeout", "5") as server:
            idle = [socket.create_connection(("127.0.0.1", server.port), 20) for _ in range(wanted)]
            for number in range(20):
                require(server.send(body(number)) == 200, "others are served")
            memory = self.resident(server.process.pid)
            require(memory < 600, f"{memory} MB for {wanted} connections")
            for one in idle:
                one.settimeout(30)
                require(one.recv(1) == b"", "an idle connection is closed")
                one.close()
            require(server.send(body(99)) == 200, "the server goes on")
        return f"{memory} MB"

    def garbage(self, folder: Path) -> str:
        """Requests that are no notifications: each is refused, memory stays flat, others are served."""
        if not shutil.which("wrk"):
            raise Skipped("it needs wrk")
        with serving(self.slipcast, folder) as server:
            def send(seconds: int) -> int:
                outcome = command(["wrk", "-t1", "-c32", f"-d{seconds}s", "-s", HERE / "garbage.lua", f"http://127.0.0.1:{server.port}/"])
                return int(re.search(r"RESULT (\d+)", outcome.stdout)[1])

            sent = send(2)
            before = self.resident(server.process.pid)
            while sent < 1_000_000:
                sent += send(10)
                require(server.send(body(sent)) == 200, "others are served")
            after = self.resident(server.process.pid)
            require(after < before + 30, f"memory grew from {before} to {after} MB")
            health = server.health()
            require(health["refused"] >= sent, f"{health['refused']} of {sent} were refused")
            require(server.log.stat().st_size < 4 << 20, "the log grows with each refused request")
        return f"{sent} requests, {after} MB"

    @staticmethod
    def resident(process: int) -> int:
        return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{process}/status").read_text())[1]) // 1024
