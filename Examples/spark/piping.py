"""Runs slipcast in a task of Spark: rows go in through a pipe, lines come out."""

from __future__ import annotations

import contextlib
import fcntl
import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

from pyspark import SparkFiles

import splits

OUTPUT_BATCH = 1 << 20  # bytes of converted lines that go back to Spark at a time
PIPE_SIZE = 1031  # F_SETPIPE_SZ
Pieces = Iterator[splits.Piece]


@dataclass(frozen=True)
class Slipcast:
    """How a task calls slipcast; small, because it travels with every task."""

    path: str
    travels: bool
    arguments: tuple[str, ...] = ()

    def command(self, *more: str) -> list[str]:
        path = SparkFiles.get(os.path.basename(self.path)) if self.travels else self.path
        if self.travels and not os.access(path, os.X_OK):
            os.chmod(path, 0o755)
        # A rejected record is a result, no failure: with status 1 Spark would run the task again.
        return [path, "convert", "--jobs", "1", "--exit-zero", *more, *self.arguments]


class Feeder(threading.Thread):
    """Writes the rows of a partition to slipcast's standard input. The pipe is the queue: it holds a megabyte at most and
    then blocks, so that memory does not grow with the partition."""

    def __init__(self, pieces: Pieces, pipe: IO[bytes]) -> None:
        super().__init__(daemon=True)
        self.pieces, self.pipe = pieces, pipe
        self.rows = 0
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            with self.pipe:
                for piece in self.pieces:
                    self.rows += piece.rows
                    with memoryview(piece.lines) as lines:
                        done = 0
                        while done < len(lines):
                            done += self.pipe.write(lines[done:])
        except BrokenPipeError:
            pass  # slipcast has ended early; its exit status says why
        except BaseException as error:
            self.error = error


def widen(pipe: IO[bytes]) -> None:
    """Lets a pipe hold a megabyte, where the system allows it: fewer turns between the processes."""
    with contextlib.suppress(OSError):
        fcntl.fcntl(pipe, PIPE_SIZE, OUTPUT_BATCH)


def chunks(file: IO[bytes]) -> Iterator[bytes]:
    """What a file has, in whole lines without the last line feed, about a megabyte at a time."""
    buffer, end = bytearray(2 * OUTPUT_BATCH), 0
    while count := file.readinto(memoryview(buffer)[end:]):
        end += count
        cut = buffer.rfind(b"\n", 0, end) if end >= OUTPUT_BATCH else -1
        if cut >= 0:
            yield bytes(memoryview(buffer)[:cut])
            buffer[:end - cut - 1], end = buffer[cut + 1:end], end - cut - 1
        elif end == len(buffer):
            buffer += bytes(len(buffer))  # a long line
    if end:
        yield bytes(memoryview(buffer)[:end]).removesuffix(b"\n")


def check(status: int, words: IO[bytes], feeder: Feeder) -> str:
    """What slipcast said at its end; an error when it, or what feeds it, did not come that far."""
    words.seek(-min(words.seek(0, os.SEEK_END), 8192), os.SEEK_END)
    text = words.read().decode(errors="replace").strip()
    if feeder.error is not None:
        raise feeder.error
    if status != 0:
        # slipcast's messages name places and kinds, never what a record says.
        raise RuntimeError(f"slipcast ended with status {status}: {text}")
    return text
