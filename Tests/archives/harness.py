"""Runs the program, kills it, and looks at what it left."""

import hashlib
import os
import random
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from archive import SECRET


class Failure(Exception):
    """Something that must not be."""


class Skipped(Exception):
    """A check that cannot be made on this machine."""


@dataclass
class Outcome:
    """How a process ended."""

    status: int
    stdout: str
    stderr: str
    seconds: float

    @property
    def was_killed(self) -> bool:
        return self.status == -signal.SIGKILL


def require(holds: bool, message: str, outcome: Outcome | None = None) -> None:
    if not holds:
        raise Failure(message if outcome is None else f"{message}\n{told(outcome)}")


def told(outcome: Outcome) -> str:
    """What a process said, for a message."""
    return f"status {outcome.status}, standard error:\n{outcome.stderr.strip()[-2000:]}"


@dataclass
class Program:
    """The program under test; whatever it says is searched for secrets."""

    path: Path
    secrets: list[str] = field(default_factory=lambda: [SECRET])

    def add_password(self, url: str) -> None:
        password = unquote(urlsplit(url).password or "")
        if password:
            self.secrets += [password, quote(password, safe="")]

    def convert(self, arguments: list[str], folder: Path, prefix: tuple[str, ...] = ()) -> Outcome:
        return self.start([*prefix, str(self.path), "convert", *arguments], folder).end()

    def start(
        self, command: list[str], folder: Path, environment: Mapping[str, str] | None = None
    ) -> "Process":
        return Process(command, folder, self.secrets, environment)

    def search(self, folder: Path, rows: Mapping[str, bytes] | None = None) -> None:
        """No file may hold a secret, compressed or not, and no table."""
        texts = {str(path): plain(path) for path in files(folder)} | dict(rows or {})
        for name, text in texts.items():
            for secret in self.secrets:
                require(secret.encode() not in text, f"a secret stands in {name}")


class Process:
    """A process whose words go to memory; it is waited for and never left behind."""

    def __init__(
        self, command: list[str], folder: Path, secrets: list[str], environment: Mapping[str, str] | None
    ) -> None:
        self.secrets = secrets
        self.began = time.monotonic()
        self.ended = 0.0
        self.process = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=None if environment is None else {**os.environ, **environment},
        )

    def signal_after(self, seconds: float, number: int) -> "Process":
        while self.process.poll() is None:
            left = self.began + seconds - time.monotonic()
            if left <= 0:
                self.process.send_signal(number)
                break
            time.sleep(min(left, 0.002))
        self.ended = time.monotonic()
        return self

    def end(self, limit: float = 300) -> Outcome:
        try:
            stdout, stderr = self.process.communicate(timeout=limit)
        except subprocess.TimeoutExpired as error:
            self.process.kill()
            self.process.communicate()
            raise Failure(f"it did not end within {limit} seconds") from error
        seconds = (self.ended or time.monotonic()) - self.began
        words = [part.decode(errors="replace") for part in (stdout, stderr)]
        outcome = Outcome(self.process.returncode, words[0], words[1], seconds)
        for secret in self.secrets:
            require(secret not in words[0] + words[1], "a secret was said", outcome)
        return outcome


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def plain(path: Path) -> bytes:
    """The content of a file, without compression; what is not whole as far as it can be read."""
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
        if expected[name] != found[name]:
            return f"{name} differs{place(expected[name], found[name])}"
    return None


def place(expected: bytes, found: bytes) -> str:
    """Where two texts part."""
    pairs = zip(expected, found, strict=False)
    at = next((place for place, (one, two) in enumerate(pairs) if one != two), min(len(expected), len(found)))
    return f" from byte {at} on ({len(expected)} bytes expected, {len(found)} found)"


def anew(folder: Path) -> Path:
    """An empty folder of that name."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def chance(*words: object) -> random.Random:
    """Random numbers that the words decide."""
    seed = "/".join(str(word) for word in words)
    return random.Random(hashlib.sha256(seed.encode()).digest())
