"""A terminal of a given size: runs a command in it, and says what a person sees."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from harness import ROOT, Failure

ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
SECONDS = 60


@dataclass
class Shown:
    """What a command wrote to its terminal."""

    status: int
    raw: str
    # Every state of the last line while it was drawn again.
    drawn: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The lines that remain, without colors; of a line that was drawn again, its last state."""
        lines = self.raw.replace("\r\n", "\n").split("\n")
        return "\n".join(ESCAPE.sub("", line.split("\r\x1b[K")[-1]) for line in lines)

    @property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    @property
    def widest(self) -> int:
        return max(len(line) for line in self.lines)


def show(words: Sequence[object], columns: int, *, rows: int = 24, folder: Path = ROOT, keys: bytes = b"",
         variables: dict[str, str] | None = None) -> Shown:  # fmt: skip
    """Runs a command whose standard streams are a terminal of so many columns and rows."""
    main, other = pty.openpty()
    fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name not in ("PAGER", "NO_COLOR", "COLUMNS", "LESS")}
    environment |= {"TERM": "xterm-256color", "SOURCE_DATE_EPOCH": "1750000000"} | (variables or {})
    child = subprocess.Popen([str(word) for word in words], cwd=folder, stdin=other, stdout=other, stderr=other,
                             env=environment, start_new_session=True)  # fmt: skip
    os.close(other)
    if keys:
        os.write(main, keys)
    got, end = b"", time.monotonic() + SECONDS
    try:
        while time.monotonic() < end:
            if not select.select([main], [], [], 0.2)[0]:
                if child.poll() is not None:
                    break
                continue
            try:
                piece = os.read(main, 65536)
            except OSError:
                break
            if not piece:
                break
            got += piece
        else:
            raise Failure(f"{words}: not at its end after {SECONDS} s")
    finally:
        if child.poll() is None and time.monotonic() >= end:
            child.kill()
        child.wait()
        os.close(main)
    raw = got.decode("utf-8", "replace")
    # What follows the last state of the bar are lines that remain.
    drawn = [ESCAPE.sub("", piece) for piece in raw.split("\r\x1b[K")[1:] if "\n" not in piece]
    return Shown(child.returncode, raw, [line for line in drawn if line])
