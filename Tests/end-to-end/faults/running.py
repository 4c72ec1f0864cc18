"""Runs a command once, and tells how it ended, how long it took and how much memory it used."""

import os
import resource
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from harness import Failure, require

# What the issue of every fault must be: the job was done, something was rejected, or it could not be done.
FINE, FINDINGS, FAILED = 0, 1, 2
SECONDS_PER_MEGABYTE = 2.0


@dataclass
class Seen:
    """How a process ended."""

    command: list[str]
    status: int
    stdout: bytes
    stderr: str
    # Of all its processors.
    seconds: float
    # Its largest resident memory, in MB.
    memory: float

    def told(self) -> str:
        return f"{' '.join(self.command)}\nstatus {self.status}, standard error:\n{self.stderr.strip()[-1500:]}"

    def count(self, name: str) -> int:
        """A number of the closing table."""
        for line in self.stderr.splitlines():
            words = line.split()
            if len(words) == 2 and words[0] == name:
                return int(words[1].replace(",", ""))
        raise Failure(f"the closing table has no {name}\n{self.told()}")


@dataclass
class Limits:
    """What the system grants the process, by the letters of `ulimit`."""

    space: int | None = None  # -v, KiB
    stack: int | None = None  # -s, KiB
    files: int | None = None  # -n

    def set(self) -> None:
        named = [(resource.RLIMIT_AS, self.space, 1024), (resource.RLIMIT_STACK, self.stack, 1024)]
        for limit, value, unit in [*named, (resource.RLIMIT_NOFILE, self.files, 1)]:
            if value is not None:
                resource.setrlimit(limit, (value * unit, value * unit))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


@dataclass
class Running:
    """How commands are run."""

    program: Path
    folder: Path
    runs: int = 0

    def run(
        self,
        words: Sequence[str],
        *,
        limits: Limits | None = None,
        environment: Mapping[str, str] | None = None,
        feed: Callable[[IO[bytes]], None] | None = None,
        stdin: int | IO[bytes] | None = None,
        closed: Sequence[int] = (),
        keeps: bool = True,
        seconds: float = 60,
    ) -> Seen:
        """Runs it to its end; `keeps` says whether its standard output is wanted, `feed` writes its input."""
        self.runs += 1
        out, errors = self.folder / "out.txt", self.folder / "err.txt"

        def prepare() -> None:
            (limits or Limits()).set()
            for descriptor in closed:
                os.close(descriptor)

        command = [str(self.program), *words]
        with open(out if keeps else os.devnull, "wb") as output, open(errors, "wb") as said:
            process = subprocess.Popen(
                command,
                cwd=self.folder,
                stdin=subprocess.PIPE if feed else subprocess.DEVNULL if stdin is None else stdin,
                stdout=output,
                stderr=said,
                env={**os.environ, **(environment or {})},
                preexec_fn=prepare,
            )
            if feed and process.stdin:
                self.hand(process.stdin, feed)
            status, usage = self.wait(process, seconds)
        stdout = out.read_bytes() if keeps else b""
        spent = usage.ru_utime + usage.ru_stime
        words_said = errors.read_bytes().decode(errors="replace")
        return Seen(list(words), status, stdout, words_said, spent, usage.ru_maxrss / 1024)

    @staticmethod
    def hand(pipe: IO[bytes], feed: Callable[[IO[bytes]], None]) -> None:
        try:
            feed(pipe)
            pipe.close()
        except BrokenPipeError:
            pass

    @staticmethod
    def wait(process: "subprocess.Popen[bytes]", seconds: float) -> tuple[int, resource.struct_rusage]:
        ends = time.monotonic() + seconds
        pause = 0.001
        while True:
            number, status, usage = os.wait4(process.pid, os.WNOHANG)
            if number:
                process.returncode = os.waitstatus_to_exitcode(status)
                return process.returncode, usage
            if time.monotonic() > ends:
                process.send_signal(signal.SIGKILL)
                process.wait()
                raise Failure(f"{process.args}: it did not end within {seconds} seconds")
            time.sleep(pause)
            pause = min(pause * 1.5, 0.02)


def demand(holds: object, message: str, seen: Seen) -> None:
    """Counts a check of a run; a message names the run only where it fails."""
    require(holds, "" if holds else f"{message}: {seen.told()}")


def expect(seen: Seen, *statuses: int, says: str | None = None) -> Seen:
    """One of these ends, and no other; an end with 2 has words."""
    has_words = seen.stderr.startswith("slipcast: ") or "\nslipcast: " in seen.stderr
    demand(seen.status in (statuses or (FINE, FINDINGS, FAILED)), f"exit status other than {statuses}", seen)
    demand(seen.status != FAILED or has_words, "it does not say why", seen)
    demand("atal error" not in seen.stderr, "a run time's words", seen)
    demand(says is None or says in seen.stderr, f"it does not say {says!r}", seen)
    return seen


def expect_quick(seen: Seen, size: int) -> Seen:
    """No more than two seconds for each megabyte of input."""
    most = max(size / 1e6, 1.0) * SECONDS_PER_MEGABYTE
    demand(seen.seconds <= most, f"it took {seen.seconds:.1f} s for {size / 1e6:.1f} MB", seen)
    return seen


def balanced(seen: Seen) -> Seen:
    """Nothing lost: read = converted + duplicate + rejected."""
    parts = seen.count("converted") + seen.count("duplicate") + seen.count("rejected")
    demand(seen.count("read") == parts, "read is not converted + duplicate + rejected", seen)
    return seen
