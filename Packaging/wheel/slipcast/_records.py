"""Runs the program, and reads what it writes while it runs."""

from __future__ import annotations

import json
import subprocess
import tempfile
import threading
from collections.abc import Iterable, Iterator, Sequence
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any, Union

from ._program import path

if TYPE_CHECKING:
    import pyarrow

OptionValue = Union[str, int, float, bool, None, Sequence[Union[str, int]]]
"""The value of an option; True gives it without a value, a list several times, None and False leave it out."""

Input = Union[bytes, str, Iterable[Union[bytes, str, dict[str, Any]]]]
"""Records for standard input: a text of any form that the program reads, or records one by one."""

MOST_WORDS = 8192


class SlipcastError(Exception):
    """The program could not do its job; the message is the program's own, and never has a value of a record."""

    def __init__(self, status: int, message: str, command: str) -> None:
        super().__init__(message or f"slipcast {command} ended with status {status}")
        self.status, self.message, self.command = status, message, command


class Rejected(SlipcastError):
    """Records were rejected: all others were handed out."""


class Feeder(threading.Thread):
    """Writes records to the program while its output is read."""

    def __init__(self, records: Input, pipe: IO[bytes]) -> None:
        super().__init__(daemon=True)
        self.records, self.pipe = records, pipe
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            with self.pipe:
                for text in self.texts():
                    self.pipe.write(text)
        except BrokenPipeError:
            pass  # The program has ended; its exit status says why.
        except BaseException as error:  # noqa: BLE001: whoever reads the records gets it
            self.error = error

    def texts(self) -> Iterator[bytes]:
        if isinstance(self.records, (bytes, str)):
            yield self.records if isinstance(self.records, bytes) else self.records.encode()
            return
        for record in self.records:
            text = json.dumps(record) if isinstance(record, dict) else record
            yield (text if isinstance(text, bytes) else text.encode()) + b"\n"


class Records(Iterator[dict[str, Any]]):
    """The records that a run of the program writes, one dict after another.

    The run begins with the first record, and ends with the last one, with ``close``, or when nobody holds this object any
    more: no process is left behind.
    """

    def __init__(
        self, command: str, inputs: Sequence[str], records: Input | None, options: dict[str, OptionValue], *,
        fails_at: int = 2, is_document: bool = False,
    ) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._words: IO[bytes] | None = None
        self._feeder: Feeder | None = None
        self._is_closed = False
        self.message = ""
        """What the program said, once it has ended: its closing table, rejects, notes."""
        if records is not None and inputs:
            raise TypeError("give inputs or records, not both")
        self.command = [command, *words(options), *(["--", *inputs] if inputs else [])]
        self._records, self._fails_at, self._is_document = records, fails_at, is_document

    def __iter__(self) -> Records:
        return self

    def __next__(self) -> dict[str, Any]:
        if self._is_closed:
            raise StopIteration
        try:
            output = self._start()
            text = output.read() if self._is_document else output.readline()
            if text.strip():
                found: dict[str, Any] = json.loads(text)
                return found
        except BaseException:
            self.close()
            raise
        self._end()
        raise StopIteration

    def _start(self) -> IO[bytes]:
        if self._process is None:
            self._words = tempfile.TemporaryFile()
            given = subprocess.DEVNULL if self._records is None else subprocess.PIPE
            try:
                self._process = subprocess.Popen([path(), *self.command], stdin=given, stdout=subprocess.PIPE, stderr=self._words)
            except OSError as error:
                raise SlipcastError(2, f"{path()}: {error.strerror}", self.command[0]) from error
            if self._records is not None and self._process.stdin is not None:
                self._feeder = Feeder(self._records, self._process.stdin)
                self._feeder.start()
        assert self._process.stdout is not None
        return self._process.stdout

    def _end(self) -> None:
        """Waits for the program, and raises what went wrong."""
        assert self._process is not None
        status, feeder = self._process.wait(), self._feeder
        if feeder is not None:
            feeder.join()
        self.close()
        if feeder is not None and feeder.error is not None:
            raise feeder.error
        if status < 0 or status >= 2:
            raise SlipcastError(status, self.message, self.command[0])
        if status >= self._fails_at:
            raise Rejected(status, self.message, self.command[0])

    def close(self) -> None:
        """Ends the run; the rest of the records is not read."""
        if self._is_closed:
            return
        self._is_closed = True
        process = self._process
        if process is not None:
            if process.poll() is None:
                process.kill()
            process.wait()
            if process.stdout is not None:
                process.stdout.close()
            # What feeds a program that was killed fails at its next record.
            if self._feeder is None and process.stdin is not None:
                process.stdin.close()
        if self._words is not None:
            size = self._words.seek(0, 2)
            self._words.seek(max(0, size - MOST_WORDS))
            self.message = self._words.read().decode(errors="replace").strip()
            self._words.close()

    def __enter__(self) -> Records:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    def to_arrow(self) -> pyarrow.Table:
        """All records as a table of Arrow: a column for each member, objects as structs; needs the package pyarrow."""
        try:
            import pyarrow
        except ImportError as error:
            raise ImportError("to_arrow needs pyarrow: pip install pyarrow") from error
        rows = list(self)
        return pyarrow.Table.from_struct_array(pyarrow.array(rows, None if rows else pyarrow.struct([])))


def words(options: dict[str, OptionValue]) -> list[str]:
    """Options as the command line has them."""
    found: list[str] = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            found.append(option)
        elif isinstance(value, (str, int, float)):
            found += [option, str(value)]
        else:
            for one in value:
                found += [option, str(one)]
    return found
