"""Trouble around a run: full disks, closed pipes, folders that cannot be written to, servers that go away."""

import json
import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from crash import Bench
from harness import Process, Program, Skipped, anew, contents, each, require, run
from sinks import Server

NOBODY = 65534


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[None]:
    """A disk of that size in memory."""
    if os.geteuid() != 0:
        raise Skipped("mounting a small disk needs root")
    mounted = run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], status=())
    if mounted.status != 0:
        raise Skipped(f"a small disk cannot be mounted: {mounted.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def full_disk(bench: Bench, size: str) -> None:
    """Runs into a full disk, makes room, and goes on."""
    reference = bench.reference(0)
    bench.sink.reset(bench.here)
    with small_disk(bench.here, size):
        outcome = bench.program.convert(bench.command(0), bench.here)
        says_why = r"^slipcast: (v2|store|rejects|k\.json)\S*: .*(No space left on device|database or disk is full)"
        found = re.search(says_why, outcome.stderr, re.MULTILINE)
        require(outcome.status == 2 and found, "a full disk is not told, or no file is named", outcome)
        bench.sink.check_names(bench.here, reference.state)
        # Still full: nothing must get worse.
        again = bench.program.convert(bench.command(0, "--resume"), bench.here)
        require(again.status == 2, "a disk that is still full is not told", again)
        subprocess.run(["mount", "-o", "remount,size=64m", str(bench.here)], check=True)
        bench.finish(0, reference)


def full_temporary(program: Program, inputs: list[str], folder: Path) -> None:
    """Commands that sort more than fits in memory in temporary files, with no room for these."""
    many = folder.with_name("many.ndjson")
    lines = [line for path in inputs if path.endswith(".ndjson") for line in Path(path).read_bytes().splitlines()]
    with many.open("wb") as file:
        for number in range(20_000):
            # Ids of transactions have 14 to 17 digits; others would compress well.
            shift = number // len(lines) * 7919
            file.write(re.sub(rb"\b\d{14,17}\b", lambda id: b"%d" % (int(id[0]) + shift), lines[number % len(lines)]) + b"\n")
    with small_disk(folder, "400k"):
        for words in ["timeline"], ["convert", "--group"]:
            command = [program.path, *words, many, "--quiet"]
            seen = run(command, status=2, folder=folder, environment={"TMPDIR": str(folder)})
            require("TMPDIR" in seen.stderr and "--resume" not in seen.stderr, "a full TMPDIR is not told", seen)
    many.unlink()


def full_device(program: Program, inputs: list[str], folder: Path) -> None:
    """Standard output that takes nothing."""
    with open("/dev/full", "wb") as full:
        command = [str(program.path), "convert", "--quiet", *inputs]
        done = subprocess.run(command, cwd=folder, stdout=full, stderr=subprocess.PIPE)
    words = done.stderr.decode()
    require(done.returncode == 2 and "standard output" in words and "No space left" in words, f"/dev/full: {words}")


def closed_pipe(program: Program, inputs: list[str], folder: Path) -> None:
    """A reader that has seen enough."""
    script = 'set -o pipefail; "$0" convert --quiet "$@" | head -n 1'
    outcome = program.start(["bash", "-c", script, str(program.path), *inputs], folder).end()
    require(outcome.status == 2 and outcome.stderr == "", "a closed pipe should end it with 2, silently", outcome)
    require(outcome.stdout.count("\n") == 1, "the first line should have come", outcome)


def unwritable(program: Program, inputs: list[str], folder: Path) -> None:
    """Targets in places that cannot be written to."""
    locked = folder / "locked"
    locked.mkdir()
    locked.chmod(0o555)
    prefix = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups") if os.geteuid() == 0 else ()
    cases = [
        (["--to", "locked/v2.ndjson"], "locked/v2.ndjson", "Permission denied"),
        (["--to", "locked/v2.ndjson.zst", "--checkpoint", "locked/k.json"], "locked/", "Permission denied"),
        (["--to", "locked/days", "--split", "date"], "locked/days", "Permission denied"),
        (["--to", "locked/store.sqlite", "--execute"], "locked/store.sqlite", "Permission denied"),
        (["--to", "missing/v2.ndjson"], "missing/v2.ndjson", "No such file or directory"),
        (["--to", "missing/below/days", "--split", "date"], "missing/below/days", "No such file or directory"),
        (["--to", "missing/store.sqlite", "--execute"], "missing/store.sqlite", "No such file or directory"),
        (["--to", "-", "--rejects", "missing/r.ndjson"], "missing/r.ndjson", "No such file or directory"),
        (["--to", "-", "--provenance", "locked/a.ndjson"], "locked/a.ndjson", "Permission denied"),
        (["--to", "-", "--summary", "missing/s.json"], "missing/s.json", "No such file or directory"),
    ]
    before = contents(folder)
    for options, name, reason in cases:
        outcome = program.convert(["--quiet", *inputs, *options], folder, prefix)
        is_told = outcome.status == 2 and name in outcome.stderr and reason in outcome.stderr
        require(is_told, f"{' '.join(options)} is not refused as it should", outcome)
        require(contents(folder) == before, f"{' '.join(options)} leaves something behind")


# Sources that are damaged: how each comes from one that is whole.
def damages(whole: dict[str, bytes]) -> dict[str, bytes]:
    def flipped(name: str, place: int) -> bytes:
        text = bytearray(whole[name])
        text[place if place >= 0 else len(text) // 2] ^= 0x10
        return bytes(text)

    def cut(name: str, share: float) -> bytes:
        return whole[name][: int(len(whole[name]) * share)]

    gzip, zstd, tar, both = "good.ndjson.gz", "good.ndjson.zst", "good.tar", "good.tar.gz"
    return {
        "flipped.ndjson.gz": flipped(gzip, -1),
        "sum.ndjson.gz": flipped(gzip, len(whole[gzip]) - 6),
        "cut.ndjson.gz": cut(gzip, 0.6),
        "head.ndjson.gz": whole[gzip][:6],
        "trailer.ndjson.gz": whole[gzip][:-3],
        "flipped.ndjson.zst": flipped(zstd, -1),
        "cut.ndjson.zst": cut(zstd, 0.6),
        "head.ndjson.zst": whole[zstd][:6],
        "cut.tar": cut(tar, 0.6),
        "header.tar": flipped(tar, 20),
        "cut.tar.gz": cut(both, 0.6),
        "flipped.tar.gz": flipped(both, -1),
    }


def unnamed(line: str) -> dict:
    """A converted line without its id."""
    return {name: value for name, value in json.loads(line).items() if name != "notificationUUID"}


def damaged_source(program: Program, good: Path, bad: Path, folder: Path) -> None:
    """A damaged source between two good ones costs nothing but itself."""
    alone = program.convert(["--quiet", str(good)], folder).stdout.splitlines()
    words = [str(good), str(bad), str(good), "--rejects", "r.ndjson", "--summary", "s.json", "--to", "v2.ndjson"]
    outcome = program.convert(words, folder)
    require(outcome.status == 1, f"{bad.name}: the status should be 1", outcome)
    lines = (folder / "v2.ndjson").read_text().splitlines()
    count = len(alone)
    # Undated messages of the second good source may be other events than those of the first, with ids of their own.
    last = [unnamed(line) for line in lines[-count:]]
    is_kept = lines[:count] == alone and last == [unnamed(line) for line in alone] and len(lines) >= 2 * count
    require(is_kept, f"{bad.name}: lines of the good sources are missing", outcome)
    rejects = [json.loads(line) for line in (folder / "r.ndjson").read_text().splitlines()]
    told = [reject for reject in rejects if reject["code"] == "damaged"]
    # In an archive both the file at hand and the archive, whose other files are lost, are told.
    most = 2 if ".tar" in bad.name else 1
    require(1 <= len(told) <= most, f"{bad.name}: {len(told)} rejects say that it is damaged", outcome)
    require(bad.name in told[0]["source"] and "damaged" in told[0]["message"], f"{bad.name}: {told[0]}")
    require(f"rejected {bad}" in outcome.stderr, f"{bad.name}: it is not named", outcome)
    check_sums(json.loads((folder / "s.json").read_text()), len(lines), len(rejects), bad.name)


def check_sums(summary: dict[str, int], lines: int, rejects: int, name: str) -> None:
    ends = summary["converted"] + summary["duplicate"] + summary["rejected"]
    require(summary["read"] == ends, f"{name}: read {summary['read']}, and {ends} ended")
    require(summary["converted"] == lines, f"{name}: {summary['converted']} converted, {lines} lines")
    require(summary["rejected"] == rejects, f"{name}: {summary['rejected']} rejected, {rejects} kept")


def damaged_sources(program: Program, good: Path, folder: Path, whole: dict[str, bytes]) -> int:
    cases = damages(whole)
    for name, text in cases.items():
        (folder / name).write_bytes(text)
    each(zip(cases, cases), lambda name: damaged_source(program, good, folder / name, anew(folder / "here")))
    return len(cases)


class Loss:
    """A session that the server ends."""

    def __init__(self, server: Server) -> None:
        self.server = server

    def happen(self) -> None:
        self.server.end_sessions()

    def recover(self) -> None:
        pass


class Restart(Loss):
    """A server that dies at once, and comes back."""

    def __init__(self, server: Server) -> None:
        super().__init__(server)
        self.data = Path(server.psql("SHOW data_directory").decode().strip())
        postmaster = (self.data / "postmaster.pid").read_text().split()[0]
        self.control = Path(os.readlink(f"/proc/{postmaster}/exe")).with_name("pg_ctl")

    def command(self, *words: str) -> None:
        owner = ["runuser", "-u", self.data.owner(), "--"] if os.geteuid() == 0 else []
        log = str(self.data / "server.log")
        # The server keeps what is open, so it must not get our pipes.
        subprocess.run(
            [*owner, str(self.control), "-D", str(self.data), "-s", "-w", "-l", log, *words],
            check=True, cwd="/", stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def happen(self) -> None:
        self.command("-m", "immediate", "stop")

    def recover(self) -> None:
        # Of a server that does not run, only `restart` knows the options that it had.
        self.command("restart")


def lost_server(bench: Bench, loss: Loss) -> None:
    """Loses the server in the middle of a run, gets it back, and goes on."""

    def act(process: Process) -> float | None:
        loss.happen()
        outcome = process.end()
        loss.recover()
        if outcome.status != 2:
            require(outcome.status in (0, 1), "a run that lost its server ends in a strange way", outcome)
            return 0.7
        is_told = "postgresql://" in outcome.stderr and "--resume" in outcome.stderr
        require(is_told, "the message does not name the server and the way out", outcome)
        return None

    reference = bench.reference(0)
    bench.meet(reference.seconds / 2, act, "the loss of a server")
    bench.sink.check_names(bench.here, reference.state)
    bench.finish(0, reference)


def absent_server(bench: Bench, restart: Restart) -> None:
    """A server that is not there."""
    restart.happen()
    try:
        outcome = bench.program.convert(bench.command(0), anew(bench.here))
        is_told = outcome.status == 2 and "postgresql://" in outcome.stderr and "refused" in outcome.stderr
        require(is_told, "a server that is not there is not told", outcome)
    finally:
        restart.recover()
