"""Every path against the main one: how much longer than NDJSON to NDJSON it takes, in one interleaved run.

Each row is the processor time (user and system) of a run with one worker, divided by that of the main path over the same
records just before and after it: the median of --rounds such ratios, since a machine's speed changes within minutes. That
of parity is divided by two main paths, because it reads two archives (a conversion of the server's refuses all of it), and
that of inspect by verify. Rows of `serve` compare it with a handler that only answers, both sent as much as they take (wrk).
Rows of walls divide the elapsed time with one worker by that with two. Rows of starts are
millions of instructions, which valgrind counts where it is there.

`--check` fails a row that got a tenth worse than in recorded.json, which `--record` writes, with the table of the article
about speed. SLIPCAST_BENCH names a folder with a program to compare with: `converter.cpp`, and `peer_orjson.py`.
"""

import hashlib
import json
import os
import random
import re
import resource
import shutil
import statistics
import subprocess
import sys
import time
import uuid
from argparse import ArgumentParser
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from archive import notification, write
from harness import Failure, Suite, passed, require
from rows import ARTICLE, BY_NAME, RECORDED, article, recorded

# Rows whose output is that of the main path.
SAME = ["array", "csv", "tsv", "tsv quoted", "log", "base64", "base64 csv"]


PEAK = """
import os, subprocess, sys
process = subprocess.Popen(sys.argv[2:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
_, status, usage = os.wait4(process.pid, 0)
open(sys.argv[1], "w").write(f"{os.waitstatus_to_exitcode(status)} {usage.ru_maxrss}")
"""


class Paths:
    def __init__(self, suite: Suite) -> None:
        self.suite, self.folder, self.options = suite, suite.folder, suite.options
        self.rows: dict[str, float] = {}

    def prepare(self) -> str:
        """The archive in all forms, its V2 side, and what compares with other programs."""
        write(self.folder, self.options.records, self.options.seed)
        plain = self.suite.run("convert", "--plain", "--quiet", "--exit-zero", self.folder / "lines.ndjson", seconds=600).stdout
        # The server's ids are its own.
        two = re.sub(r'"notificationUUID":"[^"]*"', lambda _: f'"notificationUUID":"{uuid.uuid4()}"', plain)
        (self.folder / "server.ndjson").write_text(two)
        at = self.folder
        lines = (at / "lines.ndjson").read_text().splitlines(True)
        (at / "few.ndjson").write_text("".join(lines[: max(100, self.options.records // 10)]))
        (at / "one.ndjson").write_text(lines[0])
        self.suite.run("identity", "--quiet", at / "identity")
        self.suite.run("convert", "--quiet", "--exit-zero", "--sign", at / "identity", at / "few.ndjson", "--to", at / "signed.ndjson", seconds=600)
        require((at / "signed.ndjson").stat().st_size > 0, "there are signed records")
        self.write_histories(20_000)
        return f"{len(lines)} records of {(at / 'lines.ndjson').stat().st_size // len(lines)} bytes"

    def write_histories(self, count: int) -> None:
        """A response with many transactions, of both sides."""
        rows = [row for number in range(count) for row in notification(number, random.Random(number))["unified_receipt"]["latest_receipt_info"][:1]]
        receipt = {"status": 0, "environment": "Production", "receipt": {"bundle_id": "com.example.slipcast", "in_app": []}, "latest_receipt_info": rows}
        (self.folder / "answer.json").write_text(json.dumps(receipt))
        self.suite.run("convert", "--quiet", "--plain", "--exit-zero", self.folder / "answer.json", "--to", self.folder / "history.ndjson", seconds=600)

    # MARK: what is measured

    def convert(self, *words: object) -> list[str]:
        return [str(word) for word in (self.suite.slipcast, "convert", "--quiet", "--exit-zero", *words)]

    def processor(self) -> dict[str, list[str]]:
        """The commands whose processor time is compared."""
        at, one = self.folder, ("--plain", "--jobs", 1)
        trust = ["--root", str(at / "identity/root.der")]
        cases = {
            "plain": self.convert(*one, at / "lines.ndjson"), "array": self.convert(*one, at / "array.json"),
            "csv": self.convert(*one, "--body", "body", at / "table.csv"), "tsv": self.convert(*one, "--body", "body", at / "table.tsv"),
            "tsv quoted": self.convert(*one, "--body", "body", "--tsv", "quoted", at / "quoted.tsv"),
            "log": self.convert(*one, "--from-logs", at / "log.txt"), "base64": self.convert(*one, "--body", "/body", at / "base64.ndjson"),
            "base64 csv": self.convert(*one, "--body", "body", at / "base64.csv"),
            "csv out": self.convert(*one, at / "lines.ndjson", "--to", at / "made/out.csv"),
            "split": self.convert(*one, at / "lines.ndjson", "--to", at / "made/split", "--split", "date"),
            "provenance": self.convert(*one, at / "lines.ndjson", "--provenance", at / "made/provenance.ndjson"),
            "settle": self.convert(*one, "--settle", at / "lines.ndjson"), "group": self.convert("--jobs", 1, "--group", at / "lines.ndjson"),
            "parity": [str(self.suite.slipcast), "parity", "--quiet", "--exit-zero", "--jobs", "1", "--legacy", str(at / "lines.ndjson"), "--server", str(at / "server.ndjson")],
            "verify": [str(self.suite.slipcast), "verify", *trust, "--jobs", "1", "--quiet", str(at / "signed.ndjson")],
            "inspect": [str(self.suite.slipcast), "inspect", *trust, "--format", "json", str(at / "signed.ndjson")],
        }  # fmt: skip
        return cases | self.others()

    def others(self) -> dict[str, list[str]]:
        """A program and a script that convert field by field, where they are given."""
        if not (place := os.environ.get("SLIPCAST_BENCH")):
            return {}
        program, at = self.folder / "program", self.folder / "lines.ndjson"
        build = ["g++", "-O3", "-march=native", "-std=c++20", "-DFULL", str(Path(place) / "converter.cpp"), "-o", str(program), "-lsimdjson", "-lcrypto"]
        found = {}
        if shutil.which("g++"):
            made = subprocess.run(build, capture_output=True, text=True)
            require(made.returncode == 0, f"{' '.join(build)}\n{made.stderr[-1000:]}")
            found["program"] = [str(program), str(at)]
        try:
            import orjson  # noqa: F401

            found["script"] = ["sh", "-c", f'"{sys.executable}" "{Path(place) / "peer_orjson.py"}" < "{at}"']
        except ImportError:
            pass
        return found

    def seconds(self, command: list[str]) -> float:
        """The processor time of one run."""
        shutil.rmtree(self.folder / "made", ignore_errors=True)
        (self.folder / "made").mkdir()
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        end = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if end.returncode:
            raise Failure(f"exit status {end.returncode}: {' '.join(command)}\n{end.stderr.decode()[:1000]}")
        passed()
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def same(self) -> str:
        """All forms give the records of the main path: a path that refuses them is not a fast or a slow one."""
        cases = self.processor()
        wanted = self.digest(cases["plain"])
        for name in SAME:
            require(self.digest(cases[name]) == wanted, f"{name} gives other records")
        return f"{len(SAME)} forms"

    def digest(self, command: list[str]) -> str:
        return hashlib.sha256(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout).hexdigest()

    def measure(self) -> str:
        """Each command between two runs of what it is compared with."""
        cases = self.processor()
        main = cases.pop("plain")
        beside = {"inspect": cases.pop("verify")}
        ratios: dict[str, list[float]] = {name: [] for name in cases}
        mains: list[float] = []
        for _ in range(self.options.rounds):
            for name, command in cases.items():
                other = beside.get(name, main)
                before, took, after = self.seconds(other), self.seconds(command), self.seconds(other)
                ratios[name].append(2 * took / (before + after))
                if other is main:
                    mains += [before, after]
        self.rows |= {name: statistics.median(found) for name, found in ratios.items()}
        self.rows["parity"] /= 2
        if "program" in self.rows:
            self.rows["program"] = 1 / self.rows["program"]
        return f"main path {1e6 * statistics.median(mains) / self.options.records:.1f} µs a record"

    def walls(self) -> str:
        """Elapsed times with one worker and with two."""
        at = self.folder
        store = at / "store.sqlite"
        if not store.exists():
            self.suite.run("convert", at / "lines.ndjson", "--to", store, "--execute", "--quiet", "--exit-zero", seconds=1200)
        cases: dict[str, Callable[[int], list[str]]] = {
            "array": lambda jobs: self.convert("--plain", "--jobs", jobs, at / "array.json"),
            "group": lambda jobs: self.convert("--jobs", jobs, "--group", at / "lines.ndjson"),
            "settle": lambda jobs: self.convert("--plain", "--jobs", jobs, "--settle", at / "lines.ndjson"),
            "timeline": lambda jobs: [str(self.suite.slipcast), "timeline", "--quiet", "--format", "json", "--jobs", str(jobs), str(at / "lines.ndjson")],
            "parity": lambda jobs: [str(self.suite.slipcast), "parity", "--quiet", "--exit-zero", "--jobs", str(jobs), "--legacy", str(at / "lines.ndjson"), "--server", str(at / "server.ndjson")],
        }  # fmt: skip
        ratios: dict[str, list[float]] = {name: [] for name in cases}
        for _ in range(self.options.rounds):
            for name, command in cases.items():
                before, both, after = (self.elapsed(command(jobs)) for jobs in (1, 2, 1))
                ratios[name].append((before + after) / (2 * both))
        self.rows |= {f"wall {name}": statistics.median(found) for name, found in ratios.items()}
        return f"{os.cpu_count()} cores"

    def elapsed(self, command: list[str]) -> float:
        began = time.monotonic()
        self.seconds(command)
        return time.monotonic() - began

    def serve(self) -> str:
        """`serve` between two runs of a handler that only answers; all are sent as much as they take."""
        sys.path.append(str(Path(__file__).resolve().parents[1] / "serve"))
        from load import Sender
        from server import serving

        sender, ratios = Sender(self.folder / "load", 5), []
        for number in range(self.options.rounds):
            before, at = sender.bare(), self.folder / f"served-{number}"
            with serving(self.suite.slipcast, at, "--to", at / "v2.ndjson") as server:
                own = sender.send(server.port, server.process.pid)
            after = sender.bare()
            shutil.rmtree(at)
            ratios.append((2 * own.rate / (before.rate + after.rate), 2 * own.processor / (before.processor + after.processor)))
        self.rows["serve"], self.rows["serve cpu"] = (statistics.median(found) for found in zip(*ratios))
        return f"{own.rate:.0f}/s, {own.processor:.0f} µs each; only answering {after.rate:.0f}/s, {after.processor:.0f} µs each"

    def starts(self) -> str:
        """Processor milliseconds of a start: of the version, and of one record."""
        words = []
        for name, command in (("version", [str(self.suite.slipcast), "--version"]), ("one record", self.convert(self.folder / "one.ndjson"))):
            took = min(sum(self.seconds(command) for _ in range(10)) for _ in range(self.options.rounds))
            words.append(f"{name} {100 * took:.1f} ms")
            if shutil.which("valgrind") and shutil.which("objcopy"):
                self.rows["version" if name == "version" else "start"] = self.instructions(command)
        return ", ".join(words)

    def instructions(self, command: list[str]) -> float:
        """Millions of instructions of a run."""
        program = self.folder / "without symbols"
        if not program.exists():
            # valgrind stops at some of what debuggers are told.
            subprocess.run(["objcopy", "--strip-debug", command[0], program], check=True)
        words = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={os.devnull}", program, *command[1:]]
        told = subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True).stderr
        found = re.search(r"Collected : (\d+)", told)
        require(found is not None, told[-500:])
        return int(found[1]) / 1e6

    def memory(self) -> str:
        """The largest memory of a diff of 20,000 transactions: as JSON it may need 100 MB more than as text."""
        peaks = {}
        for form in ("text", "json"):
            command = [str(self.suite.slipcast), "diff", "--format", form, "--exit-zero", str(self.folder / "answer.json"), str(self.folder / "history.ndjson")]
            # A process begins with the memory of the one that starts it: a small one does.
            told = self.suite.folder / "peak"
            subprocess.run([sys.executable, "-c", PEAK, told, *command], check=True)
            status, peak = map(int, told.read_text().split())
            require(status == 0, f"exit status {status} of diff --format {form}")
            peaks[form] = peak // 1024
        require(peaks["json"] <= peaks["text"] + 100, f"{peaks} MB")
        return f"text {peaks['text']} MB, JSON {peaks['json']} MB"

    # MARK: what comes out

    def table(self) -> str:
        """The rows, and those that got worse."""
        known, worse = recorded(), []
        print(f"{'row':16} {'ratio':>6} {'limit':>6} {'recorded':>9}")
        for name, ratio in self.rows.items():
            row = BY_NAME[name]
            mark = "" if row.reaches(ratio) else "  beyond the limit"
            print(f"{name:16} {ratio:6.2f} {row.limit:6.2f} {known.get(name, 0):9.2f}{mark}")
            if name in known and not replace(row, limit=known[name]).reaches(ratio, slack=1.1):
                worse.append(f"{name}: {ratio:.2f}, recorded {known[name]:.2f}")
        if self.options.record:
            # Rows that were not measured keep what they have.
            known |= {name: round(ratio, 2) for name, ratio in self.rows.items()}
            RECORDED.write_text(json.dumps(known, indent=2) + "\n")
            ARTICLE.write_text(article(ARTICLE.read_text()))
        if self.options.check:
            require(not worse, "a tenth worse than recorded: " + "; ".join(worse))
        passed()
        return f"{len(self.rows)} rows"


def options(parser: ArgumentParser) -> None:
    parser.add_argument("--records", type=int, default=40_000, help="records of the archive (default 40,000)")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each row, of which the median counts (default 3)")
    parser.add_argument("--check", action="store_true", help="fail a row that is a tenth worse than recorded.json")
    parser.add_argument("--record", action="store_true", help="write recorded.json and the article's table")


def run(suite: Suite) -> None:
    paths = Paths(suite)
    suite.part("prepare", paths.prepare)
    suite.part("same", paths.same)
    suite.part("measure", paths.measure)
    suite.part("walls", paths.walls)
    suite.part("serve", paths.serve)
    suite.part("starts", paths.starts)
    suite.part("memory", paths.memory)
    suite.part("table", paths.table)
