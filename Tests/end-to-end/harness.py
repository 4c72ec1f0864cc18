"""What the suites share: running commands, counting checks, folders, and one line for each part."""

import hashlib
import os
import random
import shutil
import signal
import subprocess
import threading
import time
import traceback
from argparse import Namespace
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "Fixtures"

# Checks

_tally = threading.local()


class Failure(Exception):
    """A check that failed."""


class Skipped(Exception):
    """A check that cannot be made on this machine."""


def passed(checks: int = 1) -> None:
    """Counts checks that hold, for the part that runs."""
    _tally.checks = getattr(_tally, "checks", 0) + checks


def require(holds: object, message: str, outcome: "Outcome | None" = None) -> None:
    """Counts a check; ends the part where it fails."""
    passed()
    if not holds:
        raise Failure(message if outcome is None else f"{message}\n{outcome.told()}")


def require_none(problems: Iterable[str], checks: int, what: str) -> None:
    """Counts checks, some of which failed."""
    passed(checks)
    if found := list(problems):
        raise Failure("\n  ".join([f"{len(found)} of {checks} {what}", *found]))


def each(cases: Iterable[tuple[str, Any]], check: Callable[[Any], object]) -> list[Any]:
    """Checks every case, and names all those that fail."""
    found, wrong = [], []
    for name, case in cases:
        try:
            found.append(check(case))
        except Failure as failure:
            wrong.append(f"{name}: {failure}")
    if wrong:
        raise Failure("\n".join(wrong))
    return found


class Suite:
    """The parts of a suite: each is run, gets a line, and is counted."""

    def __init__(self, name: str, program: Path, folder: Path, options: Namespace) -> None:
        self.name, self.folder, self.options = name, folder, options
        self.began, self.parts, self.checks = time.monotonic(), 0, 0
        self.failures: list[str] = []
        # A copy: a build while the suite runs changes nothing.
        self.bin = folder / "bin"
        self.bin.mkdir(exist_ok=True)
        self.slipcast = Path(shutil.copy(program, self.bin / "slipcast"))
        # Reports of two runs are compared: they state the same time.
        os.environ.setdefault("SOURCE_DATE_EPOCH", "1750000000")
        os.environ["PATH"] = f"{self.bin}{os.pathsep}{os.environ['PATH']}"

    def part(self, name: str, check: Callable[..., object], *arguments: Any) -> None:
        """Runs a part, unless --only names others; what it returns is shown on its line."""
        if self.options.only and not any(name == one or name.startswith(f"{one}/") for one in self.options.only):
            return
        began, wrong = time.monotonic(), None
        _tally.checks = 0
        try:
            words = check(*arguments) or ""
        except Skipped as reason:
            words = f"SKIPPED, {reason}"
        except (Failure, subprocess.SubprocessError) as failure:
            words, wrong = "FAILED", str(failure)
        except Exception:
            words, wrong = "FAILED", traceback.format_exc()
        self.parts += 1
        self.checks += _tally.checks
        seconds = f"{_tally.checks} checks, {time.monotonic() - began:.1f} s"
        print(f"{name}: {seconds}" + (f"; {words}" if words else ""), flush=True)
        if wrong:
            self.failures.append(f"{name}, --seed {self.options.seed}, left in {self.folder}: {wrong}")

    def at_once(self, parts: Sequence[tuple[Any, ...]], workers: int = os.cpu_count() or 2) -> None:
        """Runs parts in threads."""
        with ThreadPoolExecutor(workers) as pool:
            list(pool.map(lambda part: self.part(*part), parts))

    def end(self) -> int:
        """The last line, the failures before it, and the exit status."""
        for failure in self.failures:
            print(f"FAILED {failure}")
        if not self.parts:
            self.failures.append("nothing")
            print(f"FAILED: no part is called {' or '.join(self.options.only)}")
        seconds = time.monotonic() - self.began
        print(f"{self.name}: {self.checks} checks, {len(self.failures)} failures, {seconds:.1f} s", flush=True)
        return 1 if self.failures else 0

    def run(self, *words: object, **more: Any) -> "Outcome":
        """Runs slipcast."""
        return run([self.slipcast, *words], **more)


# Commands


@dataclass
class Outcome:
    """How a process ended."""

    status: int
    stdout: str
    stderr: str
    seconds: float
    command: str = ""

    @property
    def was_killed(self) -> bool:
        return self.status == -signal.SIGKILL

    def told(self) -> str:
        """What a process said, for a message."""
        return f"{self.command[:400]}\nstatus {self.status}, standard error:\n{self.stderr.strip()[-2000:]}"


def run(
    command: Sequence[object],
    *,
    status: int | tuple[int, ...] = 0,
    folder: Path = ROOT,
    text: str | None = None,
    environment: Mapping[str, str] | None = None,
    merged: bool = False,
    seconds: float = 600,
) -> Outcome:
    """Runs a command to its end; another exit status than expected is a failure. `merged`: as a terminal shows it."""
    words, began = [str(word) for word in command], time.monotonic()
    done = subprocess.run(
        words, cwd=folder, env={**os.environ, **(environment or {})}, input="" if text is None else text,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT if merged else subprocess.PIPE, timeout=seconds,
        encoding="utf-8", errors="replace",
    )  # fmt: skip
    outcome = Outcome(done.returncode, done.stdout, done.stderr or "", time.monotonic() - began, " ".join(words))
    expected = (status,) if isinstance(status, int) else status
    if expected:
        require(done.returncode in expected, f"exit status {done.returncode}, expected {status}", outcome)
    return outcome


def shell(script: Path, *words: object, **more: Any) -> str:
    """Runs a shell script that fails with words; returns its last line."""
    outcome = run(["bash", script, *words], status=(), merged=True, **more)
    require(outcome.status == 0, f"{script.name}: {outcome.stdout[-4000:]}")
    return outcome.stdout.strip().splitlines()[-1] if outcome.stdout.strip() else ""


class Process:
    """A process whose words go to memory; it is waited for and never left behind."""

    def __init__(self, command: list[str], folder: Path, secrets: list[str], environment: Mapping[str, str] | None):
        self.secrets, self.command = secrets, command
        self.began, self.ended = time.monotonic(), 0.0
        self.process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**os.environ, **(environment or {})},
        )  # fmt: skip

    def signal_after(self, seconds: float, number: int) -> "Process":
        while self.process.poll() is None:
            left = self.began + seconds - time.monotonic()
            if left <= 0:
                self.process.send_signal(number)
                break
            time.sleep(min(left, 0.002))
        self.ended = time.monotonic()
        return self

    def frozen(self) -> bool:
        """Stops it without ending it; false when it has ended."""
        self.process.send_signal(signal.SIGSTOP)
        try:
            result = os.waitid(os.P_PID, self.process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        except ChildProcessError:
            return False
        return result is not None and result.si_code == os.CLD_STOPPED

    def thaw(self) -> None:
        self.process.send_signal(signal.SIGCONT)

    def end(self, limit: float = 300) -> Outcome:
        try:
            parts = self.process.communicate(timeout=limit)
        except subprocess.TimeoutExpired as error:
            self.process.kill()
            self.process.communicate()
            raise Failure(f"it did not end within {limit} seconds") from error
        seconds = (self.ended or time.monotonic()) - self.began
        words = [part.decode(errors="replace") for part in parts]
        outcome = Outcome(self.process.returncode, words[0], words[1], seconds, " ".join(self.command))
        for secret in self.secrets:
            require(secret not in words[0] + words[1], "a secret is in the output", outcome)
        return outcome


@dataclass
class Program:
    """The program under test; its output and files are searched for secrets."""

    path: Path
    secrets: list[str] = field(default_factory=list)

    def add_password(self, url: str) -> None:
        if password := unquote(urlsplit(url).password or ""):
            self.secrets += [password, quote(password, safe="")]

    def convert(self, arguments: list[str], folder: Path, prefix: tuple[str, ...] = ()) -> Outcome:
        return self.start([*prefix, str(self.path), "convert", *arguments], folder).end()

    def start(self, command: list[str], folder: Path, environment: Mapping[str, str] | None = None) -> Process:
        return Process(command, folder, self.secrets, environment)

    def search(self, folder: Path, rows: Mapping[str, bytes] | None = None) -> None:
        """No file may hold a secret, compressed or not, and no table."""
        texts = {str(path): plain(path) for path in files(folder)} | dict(rows or {})
        for name, text in texts.items():
            for secret in self.secrets:
                require(secret.encode() not in text, f"a secret is in {name}")


# Folders


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def plain(path: Path) -> bytes:
    """The content of a file, without compression; of a file that is cut off as much as can be read."""
    unpack = {".gz": ["gzip", "-dc"], ".zst": ["zstd", "-q", "-dc"]}.get(path.suffix)
    if unpack is None:
        return path.read_bytes()
    return subprocess.run([*unpack, str(path)], capture_output=True, check=False).stdout


def contents(folder: Path) -> dict[str, bytes]:
    """All files of a folder, by their names in it."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in files(folder)}


def difference(expected: Mapping[str, bytes], found: Mapping[str, bytes]) -> str | None:
    """The first way in which two folders differ, in words."""
    for name in sorted(expected.keys() - found.keys()):
        return f"{name} is missing"
    for name in sorted(found.keys() - expected.keys()):
        return f"{name} should not be there"
    for name in sorted(expected):
        one, two = expected[name], found[name]
        if one != two:
            at = next((at for at, (a, b) in enumerate(zip(one, two)) if a != b), min(len(one), len(two)))
            return f"{name} differs from byte {at} on ({len(one)} bytes expected, {len(two)} found)"
    return None


def anew(folder: Path) -> Path:
    """An empty folder of that name."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def chance(*words: object) -> random.Random:
    """Random numbers that the words decide."""
    return random.Random(hashlib.sha256("/".join(map(str, words)).encode()).digest())
