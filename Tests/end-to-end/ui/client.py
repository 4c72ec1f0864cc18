"""A running `slipcast ui`, and requests to it that no browser would send."""

import http.client
import re
import signal
import subprocess
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Iterator

from harness import Failure, Suite, require


@dataclass
class Reply:
    status: int
    headers: dict[str, str]
    text: str


class Pages:
    """One process."""

    def __init__(self, suite: Suite, *words: object, listen: str = "127.0.0.1:0") -> None:
        self.log = suite.folder / f"ui-{time.monotonic_ns()}.log"
        command = [suite.slipcast, "ui", *words, "--listen", listen]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [str(word) for word in command], stdin=subprocess.DEVNULL, stdout=log, stderr=log)  # fmt: skip
        end = time.monotonic() + 30
        while True:
            text = self.log.read_text(errors="replace")
            if found := re.search(r"http://\S*:(\d+)/", text):
                self.port = int(found[1])
                return
            if self.process.poll() is not None or time.monotonic() > end:
                self.process.kill()
                raise Failure(f"the pages did not start: {text}")
            time.sleep(0.01)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ask(self, path: str, method: str = "GET", body: bytes | None = None, **headers: str) -> Reply:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            connection.putrequest(method, path, skip_host="Host" in names, skip_accept_encoding=True)
            for name, value in names.items():
                connection.putheader(name, value)
            if body is not None:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            answer = connection.getresponse()
            return Reply(
                answer.status, {name.lower(): value for name, value in answer.getheaders()},
                answer.read().decode(errors="replace"))  # fmt: skip
        finally:
            connection.close()

    def get(self, path: str, status: int = 200, **headers: str) -> str:
        reply = self.ask(path, **headers)
        require(reply.status == status, f"GET {path}: {reply.status}, expected {status}\n{reply.text[:400]}")
        return reply.text

    def follow(self, path: str) -> tuple[str, str]:
        """The address that redirections lead to, and its text."""
        for _ in range(5):
            reply = self.ask(path)
            if reply.status != 303:
                return path, reply.text
            path = reply.headers["location"]
        raise Failure(f"{path}: too many redirections")

    def end(self) -> None:
        self.process.send_signal(signal.SIGINT)
        try:
            status = self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise Failure("the pages did not end") from None
        require(status == 0, f"the pages ended with {status}: {self.log.read_text()}")


@contextmanager
def pages(suite: Suite, *words: object, listen: str = "127.0.0.1:0") -> Iterator[Pages]:
    running = Pages(suite, *words, listen=listen)
    try:
        yield running
    except BaseException:
        running.process.kill()
        running.process.wait()
        raise
    else:
        running.end()


def free_folder(path: Path) -> Path:
    path.mkdir(parents=True, exist_ok=True)
    return path
