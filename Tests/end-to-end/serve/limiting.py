"""What a stranger can take: HTTP that is read in one way only, memory of bodies, connections, time to read answers."""

import re
import socket
import time
from pathlib import Path

from harness import require
from parts import Parts
from server import Server, body, serving


def exchange(server: Server, data: bytes, *later: bytes) -> bytes:
    """Sends bytes and returns everything that is answered until the connection ends."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as one:
        one.sendall(data)
        for more in later:
            time.sleep(0.1)
            one.sendall(more)
        found = b""
        try:
            while part := one.recv(65536):
                found += part
        except OSError:
            pass
        return found


def statuses(answer: bytes) -> list[int]:
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d+)", answer)]


class Limiting(Parts):
    def strict(self, folder: Path) -> str:
        """A request that a proxy could read in another way is 400, is not stored, and ends the connection."""
        data = body(1)
        length = b"Content-Length: %d\r\n" % len(data)
        start, end = b"POST / HTTP/1.1\r\nHost: x\r\n", b"Connection: close\r\n\r\n"
        chunks = b"%x\r\n" % len(data) + data + b"\r\n0\r\n\r\n"
        smuggled = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"
        refused = {
            "two equal lengths": [start + length * 2 + end + data],
            "two lengths": [start + b"Content-Length: 0\r\n" + length + end + data],
            "length and chunks": [start + length + b"Transfer-Encoding: chunked\r\n" + end + chunks],
            "chunks and length": [start + b"Transfer-Encoding: chunked\r\nContent-Length: 0\r\n" + end + chunks + smuggled],
            "two codings": [start + b"Transfer-Encoding: chunked\r\n" * 2 + end + chunks],
            "another coding": [start + b"Transfer-Encoding: gzip, chunked\r\n" + end + chunks],
            "a sign in the length": [start + b"Content-Length: +%d\r\n" % len(data) + end + data],
            "a list of lengths": [start + b"Content-Length: %d, %d\r\n" % (len(data), len(data)) + end + data],
            "LF after the request line": [(start + length + end).replace(b"HTTP/1.1\r\n", b"HTTP/1.1\n") + data],
            "LF after a header": [(start + length + end).replace(b"Host: x\r\n", b"Host: x\n") + data],
            "LF after the last header": [(start + end + length).replace(b"\r\n\r\n", b"\r\n") + b"X: y\n\r\n" + data],
            "LF as empty line": [start + length + end[:-2] + b"\n" + data],
            "LF twice at the end": [start + length + end[:-4] + b"\n\n" + data],
            "LF as empty line, the body later": [start + length + end[:-2] + b"\n", data],
            "LF twice at the end, the body later": [start + length + end[:-4] + b"\n\n", data],
            "LF after the empty line's text": [start + length + b"Empty:\n" + end + data],
            "LF everywhere": [(start + length + end).replace(b"\r\n", b"\n") + data],
            "LF everywhere, in chunks": [(start + b"Transfer-Encoding: chunked\r\n" + end).replace(b"\r\n", b"\n") + chunks],
            "LF after the size of a chunk": [start + b"Transfer-Encoding: chunked\r\n" + end + chunks.replace(b"\r\n", b"\n", 1)],
            "CR in a value": [start + length + b"X: a\rb\r\n" + end + data],
            "a blank before the colon": [start.replace(b"Host:", b"Host :") + length + end + data],
            "NUL in the path": [(start + length + end).replace(b" / ", b" /a\0b ") + data],
            "NUL behind the path": [(start + length + end).replace(b" / ", b" /\0 ") + data],
            "encoded NUL": [(start + length + end).replace(b" / ", b" /apple%00 ") + data],
            "encoded NUL at the start": [(start + length + end).replace(b" / ", b" /%00apple?x=%00 ") + data],
            "no host": [b"POST / HTTP/1.1\r\n" + length + end + data],
            "a line that continues another": [start + length + b"X: a\r\n b\r\n" + end + data],
            "NUL in a header": [start + length + b"X: a\0b\r\n" + end + data],
        }
        accepted = {
            "plain": [start + length + end + data], "in two parts": [start + length + end, data], "in three parts": [start, length + end[:-1], end[-1:] + data],
            "in small parts": [start + length + end[:-6], end[-6:-3], end[-3:-1], end[-1:], data], "chunks": [start + b"Transfer-Encoding: chunked\r\n" + end + chunks],
            "chunks later": [start + b"Transfer-Encoding: Chunked\r\n" + end, chunks], "no blanks": [(start + length + end).replace(b": ", b":") + data],
            "an empty value": [start + length + b"Empty:\r\nBlank: \r\nX: y  \r\n" + end + data], "an encoded path": [(start + length + end).replace(b" / ", b" /a%20b%2500?x=%00&y ") + data],
            "an empty value at the end": [start + length + b"Connection: close\r\nEmpty:\r\n\r\n" + data], "HTTP/1.0": [(start + length + end).replace(b"/1.1", b"/1.0") + data],
            "two requests": [start + length + b"\r\n" + data + start + length + end + data],
        }  # fmt: skip
        with serving(self.slipcast, folder) as server:
            for name, parts in refused.items():
                found = exchange(server, *parts)
                # libmicrohttpd may write its own answer twice.
                require(set(statuses(found)) == {400}, f"{name}: {statuses(found)}")
            require(server.health()["stored"] == 0, "nothing is stored")
            require(server.health()["refused"] == len(refused), f"each is counted: {server.health()}")
            require("reason=notHTTP" in server.log.read_text(), "each is a line of the log")
            for name, parts in accepted.items():
                found = statuses(exchange(server, *parts))
                require(found == ([200, 200] if name == "two requests" else [200]), f"{name}: {found}")
            require(server.health()["stored"] == 1, "what is accepted is stored")
        with serving(self.slipcast, folder / "path", "--path", "/apple") as server:
            for path in (b"/apple%00", b"/apple%00/x", b"/apple\0"):
                require(statuses(exchange(server, (start + length + end).replace(b" / ", b" " + path + b" ") + data)) == [400], "a NUL ends the path")
        return f"{len(refused)} refused, {len(accepted)} accepted"

    def budget(self, folder: Path) -> str:
        """Bodies that arrive slowly stay under --body-budget; what does not fit is 503, and others are served afterwards."""
        length, count = 4 << 20, 60
        with serving(self.slipcast, folder, "--body-budget", "32", "--body-timeout", "20", "--max-body", "4") as server:
            require(server.send(body(0)) == 200, "a notification is accepted")
            before = self.resident(server.process.pid)
            head = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % length
            slow = []
            for _ in range(count):
                one = socket.create_connection(("127.0.0.1", server.port), timeout=20)
                one.sendall(head + b" " * (length - 10))
                slow.append(one)
            time.sleep(0.5)
            memory = self.resident(server.process.pid) - before
            # A body that grows is copied once.
            require(memory < 32 + 24, f"{memory} MB for {count} bodies of 4 MB")
            require(server.send(b" " * (1 << 20) + body(1)) == 503, "a body without memory for it is refused")
            require("reason=busy" in server.log.read_text(), "the log says why")
            for one in slow:
                one.close()
            server.wait(lambda _: server.send(b" " * (1 << 20) + body(1)) == 200, "the memory is given back")
            for number in range(2, 40):
                require(server.send(b" " * (1 << 20) + body(number)) == 200, "each request gives its memory back")
            refused = self.suite.run("serve", "--listen", "127.0.0.1:0", "--journal", folder / "j", "--body-budget", "1", status=2)
            require("--body-budget is at least --max-body" in refused.stderr, refused.stderr)
        return f"{memory} MB for {count} bodies of 4 MB"

    def unread(self, folder: Path) -> str:
        """A client that sends requests and never reads the answers is closed; so is one that reads no long answer."""
        with serving(self.slipcast, folder, "--answer-timeout", "1", "--header-timeout", "3") as server:
            for request in (b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n", b"POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}"):
                one = socket.socket()
                one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                one.settimeout(0.2)
                one.connect(("127.0.0.1", server.port))
                begin = time.monotonic()
                ended = False
                while not ended and time.monotonic() - begin < 30:
                    try:
                        one.sendall(request * 50)
                    except TimeoutError:
                        pass
                    except OSError:
                        ended = True
                require(ended, f"a client that never reads {request[:5]!r} is not closed")
                one.close()
                require(server.send(body(1)) == 200, "others are served")
            # Where the system takes all answers, the client keeps it waiting for the next head.
            require(server.metric('timeouts_total{part="answer"}') + server.metric('timeouts_total{part="head"}') >= 2, "it is counted")
        return ""

    def crowd(self, folder: Path) -> str:
        """One address has at most --connections-per-address connections; another one is served all the same."""
        with serving(self.slipcast, folder, "--connections-per-address", "8", "--header-timeout", "30") as server:
            many = [socket.create_connection(("127.0.0.1", server.port), timeout=5) for _ in range(40)]
            time.sleep(0.3)
            left = 0
            for one in many:
                one.settimeout(0.01)
                try:
                    left += one.recv(1) != b""
                except TimeoutError:
                    left += 1
                except OSError:
                    pass
            require(left == 8, f"{left} of 40 connections are open")
            with socket.socket() as other:
                other.bind(("127.0.0.2", 0))
                other.settimeout(5)
                other.connect(("127.0.0.1", server.port))
                data = body(1)
                other.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(data) + data)
                require(other.recv(100).startswith(b"HTTP/1.1 200"), "another address is served")
            for one in many:
                one.close()
            time.sleep(0.3)
            require(server.send(body(2)) == 200, "it is served again")
        return ""

    @staticmethod
    def resident(process: int) -> int:
        return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{process}/status").read_text())[1]) // 1024
