"""A running `slipcast serve`, requests to it, and services that it forwards to."""

import http.client
import json
import os
import re
import signal
import subprocess
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Iterator

from harness import FIXTURES, Failure, require

# Every client of a test has the same address.
TEST_LIMITS = ("--connections-per-address", "20000")
SECRET = "SECRET-SLIPCAST-serve"


def body(number: int, kind: str = "DID_RENEW") -> bytes:
    """A V1 notification of a subscription of its own."""
    record = json.loads((FIXTURES / "notifications/app-account-token/v1.json").read_text())
    text = json.dumps({**record, "notification_type": kind, "password": SECRET})
    # Ids of transactions have 15 digits; other numbers have fewer.
    return re.sub(r"\b\d{15,16}\b", lambda id: f"{int(id[0]) + number * 1000}", text).encode()


class Server:
    """One process. `wait` ends it with a failure after its time limit."""

    def __init__(self, slipcast: Path, folder: Path, *words: object, prefix: tuple[str, ...] = ()) -> None:
        self.folder, self.log = folder, folder / "log"
        folder.mkdir(parents=True, exist_ok=True)
        self.journal = folder / "journal"
        command = [*prefix, slipcast, "serve", "--listen", "127.0.0.1:0", "--journal", self.journal, *([] if TEST_LIMITS[0] in words else TEST_LIMITS), *words]
        with self.log.open("ab") as log:
            begin = log.tell()
            self.process = subprocess.Popen(
                [str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log
            )
        end = time.monotonic() + 30
        while True:
            text = self.log.read_bytes()[begin:].decode()
            if port := re.search(r"started.*?127\.0\.0\.1:(\d+)", text):
                self.port = int(port[1])
                return
            if self.process.poll() is not None or time.monotonic() > end:
                self.process.kill()
                raise Failure(f"the server did not start: {text}")
            time.sleep(0.01)

    def connection(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)

    def send(self, data: bytes, path: str = "/", method: str = "POST", **headers: str) -> int:
        connection = self.connection()
        try:
            connection.request(method, path, data, {name.replace("_", "-"): value for name, value in headers.items()})
            return connection.getresponse().status
        finally:
            connection.close()

    def get(self, path: str, status: int = 200) -> str:
        connection = self.connection()
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            text = answer.read().decode()
            require(answer.status == status, f"GET {path}: {answer.status} {text}")
            return text
        finally:
            connection.close()

    def health(self) -> dict[str, Any]:
        connection = self.connection()
        try:
            connection.request("GET", "/healthz")
            answer = connection.getresponse()
            found = json.loads(answer.read())
            require((answer.status == 503) == (found["status"] == "failed"), f"{answer.status}: {found}")
            return found
        finally:
            connection.close()

    def metric(self, name: str) -> float:
        found = re.search(rf"^slipcast_{re.escape(name)} (\S+)$", self.get("/metrics"), re.M)
        require(found, f"/metrics has no {name}")
        return float(found[1])

    @property
    def processor_seconds(self) -> float:
        """What the process computed so far, whatever else the machine does."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def wait(self, holds: Any, what: str, seconds: float = 30) -> dict[str, Any]:
        """Waits until the health report says so."""
        end = time.monotonic() + seconds
        while True:
            health = self.health()
            if holds(health):
                return health
            if time.monotonic() > end:
                raise Failure(f"{what} did not happen: {health}\n{self.log.read_text()[-2000:]}")
            time.sleep(0.02)

    def delivered(self) -> dict[str, Any]:
        return self.wait(lambda health: not any(health["pending"].values()), "the delivery of all events")

    def end(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        try:
            return self.process.wait(40)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise Failure("the server did not end") from None


@contextmanager
def serving(slipcast: Path, folder: Path, *words: object, **more: Any) -> Iterator[Server]:
    """A server that ends with its block, by SIGTERM and with status 0."""
    server = Server(slipcast, folder, *words, **more)
    try:
        yield server
        if server.process.poll() is None:
            require(server.end() == 0, f"the exit status is {server.process.returncode}: {server.log.read_text()[-1000:]}")
    finally:
        if server.process.poll() is None:
            server.process.kill()
            server.process.wait()


class Service:
    """A service that notifications are forwarded to; it answers with `status`. One that is away holds its port, but refuses every connection."""

    def __init__(self, is_away: bool = False) -> None:
        self.status, self.bodies, self.connections = 200, [], 0
        service = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def setup(self) -> None:
                super().setup()
                service.connections += 1

            def do_POST(self) -> None:
                data = self.rfile.read(int(self.headers["Content-Length"]))
                status = service.status(data) if callable(service.status) else service.status
                if status == 200:
                    service.bodies.append(data)
                if status == 0:  # no answer at all
                    self.close_connection = True
                    return
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler, bind_and_activate=False)
        self.server.daemon_threads = True
        # A port that is only remembered could be given to another program meanwhile, even to the server that forwards to it.
        self.server.server_bind()
        self.port, self.is_away = self.server.server_address[1], True
        if not is_away:
            self.come_back()

    def come_back(self) -> None:
        self.is_away = False
        self.server.server_activate()
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def end(self) -> None:
        if not self.is_away:
            self.server.shutdown()
        self.server.server_close()


@contextmanager
def service(is_away: bool = False) -> Iterator[Service]:
    one = Service(is_away)
    try:
        yield one
    finally:
        one.end()
