"""What a server recalls: its journal and targets after a restart, repetitions, targets that were away."""

import json
import os
import re
import socket
import time
from pathlib import Path

from harness import Failure, require
from parts import Parts, lines
from server import body, service, serving


class Recalling(Parts):
    def marks(self, folder: Path) -> str:
        """A body with a byte order mark is converted; a journal that others could read is protected."""
        with serving(self.slipcast, folder, "--to", folder / "v2.ndjson", "--rejects", folder / "rejects", *self.root) as server:
            for data in (body(1), *self.signed(1)):
                require(server.send(b"\xef\xbb\xbf" + data) == 200, "a notification is accepted")
            require(server.delivered()["converted"] == 2, f"both are converted: {lines(folder / 'rejects')}")
        source = folder / "v1.json"
        source.write_bytes(body(1))
        expected = self.suite.run("convert", "--quiet", source).stdout
        require(lines(folder / "v2.ndjson")[0] + "\n" == expected, "it is converted as without the mark")
        part = next(folder.glob("journal/0*.ndjson"))
        part.chmod(0o644)
        with serving(self.slipcast, folder, "--to", folder / "v2.ndjson", *self.root) as server:
            server.send(body(2))
        require(part.stat().st_mode & 0o777 == 0o600, "others can read the journal")
        return ""

    def older(self, folder: Path) -> str:
        """A journal that ends before what a target has is refused; so is a target that is shorter than it was."""
        for name in ("v2.ndjson", "v2.sqlite"):
            place = folder / name
            target = place / name
            with serving(self.slipcast, place, "--to", target) as server:
                for number in range(10):
                    server.send(body(number))
                server.delivered()
            part = next(place.glob("journal/0*.ndjson"))
            whole = part.read_bytes()
            part.write_bytes(b"".join(whole.splitlines(keepends=True)[:6]))
            words = ["serve", "--listen", "127.0.0.1:0", "--journal", place / "journal", "--to", target]
            if target.suffix == ".ndjson":
                refused = self.suite.run(*words, status=2, seconds=20)
                require("has event 10" in refused.stderr, refused.stderr)
                part.write_bytes(whole)
                target.write_bytes(b"".join(target.read_bytes().splitlines(keepends=True)[:6]))
            with serving(self.slipcast, place, "--to", target) as server:
                server.wait(lambda health: health["status"] == "failed" if target.suffix == ".sqlite" else health["status"] == "degraded", "trouble")
                if target.suffix == ".sqlite":
                    require(server.send(body(20)) == 503, "an event is acknowledged that the target never gets")
                require("--resume" not in server.log.read_text(), "the log names an option of another command")
        return ""

    def reopened(self, folder: Path) -> str:
        """A target that fails after events of this process is opened again, and goes on; so does one that is there later."""
        target, away = folder / "v2.ndjson", folder / "away"
        with serving(self.slipcast, folder, "--to", target) as server:
            for number in range(5):
                require(server.send(body(number)) == 200, "accepted")
            server.delivered()
            target.rename(away)
            require(server.send(body(5)) == 200, "accepted")
            server.wait(lambda health: health["status"] == "degraded", "degraded")
            require(server.send(body(6)) == 200, "accepted while the target fails")
            away.rename(target)
            require(server.delivered()["converted"] == 7, "all are delivered")
        late = folder / "late/v2.ndjson"
        with serving(self.slipcast, folder, "--to", late, "--from-now") as server:
            server.wait(lambda health: health["status"] == "degraded", "degraded")
            require(server.send(body(7)) == 200, "accepted")
            late.parent.mkdir()
            server.delivered()
            require(server.send(body(8)) == 200, "accepted")
            server.delivered()
        require(len(lines(late)) == 2, f"{len(lines(late))} of 2 events since the start")
        return ""

    def names(self, folder: Path) -> str:
        """A target is recognized in every spelling, a service with another token too; an open line ends before V2 begins."""
        folder.mkdir(parents=True)
        target = folder / "v2.ndjson"
        target.write_text('{"old": 1}')
        spellings = [target, f"{folder}/./v2.ndjson", f"{folder}/../{folder.name}/v2.ndjson", os.path.relpath(target)]
        for number, name in enumerate(spellings, 1):
            with serving(self.slipcast, folder, "--to", name) as server:
                server.send(body(number))
                require(server.delivered()["pending"] == {str(name): 0}, "the target has the name that was given")
            found = lines(target)
            require(found[0] == '{"old": 1}' and len(found) == number + 1, f"{name}: {len(found) - 1} of {number} events")
        table = folder / "v2.csv"
        table.write_text("a,b\r\n1,2\r\n")
        with serving(self.slipcast, folder, "--to", table) as server:
            server.wait(lambda health: health["status"] == "degraded", "degraded")
            require("another header row" in server.log.read_text() and table.read_bytes() == b"a,b\r\n1,2\r\n", "another table is continued")
        # A pointer into a line of the journal does not hide that it is one.
        told = self.suite.run("convert", "--quiet", "--received-at", "/receivedAt", "--id", "/id", folder / "journal").stdout.splitlines()
        require(len(told) == 4 and time.time() * 1000 - json.loads(told[0])["signedDate"] < 600_000, "the arrival is not the received time")
        with service() as one:
            for token, secret in (("1", "a"), ("2", "b")):
                words = ["--forward", f"raw=http://user:{secret}@127.0.0.1:{one.port}/?token={token}", "--forward", f"raw=http://127.0.0.1:{one.port}/"]
                with serving(self.slipcast, folder, *words) as server:
                    server.send(body(10 + int(token)))
                    server.delivered()
                    pending = re.search(r'"pending":{([^}]*)}', server.get("/healthz"))[1]
                    require(len(set(re.findall(r'"[^"]+"', pending))) == pending.count('":') == 2, f"names are not unique: {pending}")
            # Six events for each of the two names.
            require(len(one.bodies) == 12 and len(set(one.bodies)) == 6, f"{len(one.bodies)} requests for two services and six events")
        return ""

    def closed(self, folder: Path) -> str:
        """After SIGTERM the system accepts no connection for the server, while a running request goes on."""
        with serving(self.slipcast, folder) as server:
            data = body(1)
            slow = socket.create_connection(("127.0.0.1", server.port))
            slow.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(data) + data[:50])
            time.sleep(0.2)
            server.process.terminate()
            time.sleep(0.5)
            try:
                socket.create_connection(("127.0.0.1", server.port), timeout=5).close()
                raise Failure("a connection is accepted that nobody serves")
            except ConnectionRefusedError:
                pass
            slow.sendall(data[50:])
            require(slow.recv(100).startswith(b"HTTP/1.1 200"), "a running request is answered")
            require(server.process.wait(30) == 0, "the exit status is 0")
        return ""
