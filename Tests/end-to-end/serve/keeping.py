"""The journal and the target of --to: what is stored and delivered, whatever happens."""

import json
import os
import random
import re
import socket
import sqlite3
import subprocess
import threading
import time
from pathlib import Path

from harness import Skipped, plain, require, run as command
from parts import Parts, lines, records
from server import Server, body, serving


class Keeping(Parts):
    def archive(self, folder: Path) -> str:
        """All fixtures, each twice and in another order: the target has what `convert --dedupe` writes."""
        sent = records()
        target, rejects = folder / "v2.ndjson", folder / "rejects.ndjson"
        with serving(self.slipcast, folder, "--to", target, "--rejects", rejects) as server:
            for data in sent:
                require(server.send(data) == 200, "a notification of V1 is accepted")
            again = sent[:]
            random.Random(self.suite.options.seed).shuffle(again)
            for data in again[:100]:
                require(server.send(data) == 200, "a repeated notification is accepted")
            health = server.delivered()
            require(health["stored"] + health["repeated"] == len(sent) + 100 and health["repeated"] >= 100, str(health))
        source = folder / "v1.ndjson"
        source.write_bytes(b"".join(data + b"\n" for data in sent))
        expected = self.suite.run("convert", "--quiet", "--dedupe", source, status=(0, 1)).stdout
        require(target.read_text() == expected, "the target differs from what convert writes")
        journal = self.suite.run("convert", "--quiet", folder / "journal", status=(0, 1)).stdout
        require(journal == expected, "convert reads the journal in another way")
        require(health["rejected"] == len(lines(rejects)), "every reject is in --rejects")
        require(health["converted"] == len(lines(target)), "every conversion is in the target")
        for path in (target, rejects, folder / "log"):
            require("SECRET-SLIPCAST" not in path.read_text(), f"{path.name} has the shared secret")
        for path in folder.glob("journal/*"):
            require(path.stat().st_mode & 0o777 == 0o600, f"others can read {path.name}")
        return f"{len(sent)} notifications"

    def v2(self, folder: Path) -> str:
        """V2 is delivered decoded, in a file and in a database, next to V1."""
        sent = self.signed(5)
        for target in (folder / "v2.ndjson", folder / "v2.sqlite"):
            with serving(self.slipcast, folder / target.suffix, "--to", target, *self.root) as server:
                for number, data in enumerate(sent):
                    require(server.send(data) == 200 and server.send(body(number)) == 200, "both versions are accepted")
                health = server.delivered()
                require(health["converted"] == 10, f"all are delivered: {health}")
        again = self.suite.run("convert", "--quiet", folder / ".ndjson/journal").stdout
        require(again == (folder / "v2.ndjson").read_text(), "convert reads the journal in another way")
        decoded = [json.loads(line) for line in lines(folder / "v2.ndjson")][::2]
        plain = self.suite.run("convert", "--quiet", "--plain", self.suite.folder / "signed.ndjson").stdout.splitlines()
        for one, other in zip(decoded, map(json.loads, plain), strict=True):
            one["data"]["transactionInfo"].pop("signedDate", None)
            one["data"].get("renewalInfo", {}).pop("signedDate", None)
            other["data"]["transactionInfo"].pop("signedDate", None)
            other["data"].get("renewalInfo", {}).pop("signedDate", None)
            require(one == other, "a decoded notification differs from what was signed")
        with sqlite3.connect(folder / "v2.sqlite") as store:
            sides = dict(store.execute("select origin, count(*) from notifications group by 1"))
            require(sides == {"v1": 5, "v2": 5}, f"the store has 5 notifications of each side: {sides}")
        # Timelines read one side of a store, and of a journal.
        for source in (folder / "v2.sqlite", folder / ".ndjson/journal"):
            told = self.suite.run("timeline", "--format", "json", source, status=(0, 1))
            require("5 V2 records were left out (--side v2)" in told.stderr and "5 messages" in told.stderr, told.stderr)
            told = self.suite.run("timeline", "--format", "json", source, "--side", "both", status=(0, 1))
            require("10 messages" in told.stderr, told.stderr)
        return ""

    def tables(self, folder: Path) -> str:
        """A CSV file has one header row, and the rows that `convert` writes, also after kills and restarts."""
        sent, signed = records()[:60], self.signed(3)
        for name in ("v2.csv", "v2.csv.gz"):
            place = folder / name
            target = place / name
            for begin in range(0, 60, 20):
                server = Server(self.slipcast, place, "--to", target, *self.root)
                for data in sent[begin : begin + 20] + [line for line in signed if begin == 20]:
                    require(server.send(data) == 200, "a notification is accepted")
                if begin:
                    server.delivered()
                server.end(9)
            with serving(self.slipcast, place, "--to", target, *self.root) as server:
                server.delivered()
            self.suite.run("convert", "--quiet", place / "journal", "--to", place / "expected.csv", status=(0, 1))
            require(plain(target) == (place / "expected.csv").read_bytes(), f"{name} differs from what convert writes")
        refused = self.suite.run("serve", "--listen", "127.0.0.1:0", "--journal", folder / "j", "--to", folder / "v2.parquet", status=2)
        require(".parquet" in refused.stderr, refused.stderr)
        return ""

    def folders(self, folder: Path) -> str:
        """A folder of --split has the files that `convert` writes, also after kills and restarts, and can be read meanwhile."""
        sent, signed = records()[:60], self.signed(3)
        for words in (["--split", "date"], ["--split", "bundle", "--compress", "gz"], ["--split", "7"]):
            place = folder / "-".join(words[1:])
            target = place / "v2"
            for begin in range(0, 60, 20):
                server = Server(self.slipcast, place, "--to", target, *words, "--rejects", place / "rejects", *self.root)
                for data in sent[begin : begin + 20] + [line for line in signed if begin == 20]:
                    require(server.send(data) == 200, "a notification is accepted")
                if begin:
                    health = server.delivered()
                    count = sum(plain(path).count(b"\n") for path in target.iterdir())
                    require(count == health["stored"] - len(lines(place / "rejects")), f"{count} lines can be read: {health}")
                server.end(9)
            # A killed server may have made a file after its last commit.
            late = re.sub(rb"\b1[5-9]\d{11}\b", lambda time: str(int(time[0]) + 5000 * 86_400_000).encode(), body(1))
            (folder / "late.json").write_bytes(late)
            date = json.loads(self.suite.run("convert", "--quiet", folder / "late.json").stdout)["signedDate"]
            left = target / time.strftime("%Y-%m-%d.ndjson", time.gmtime(date / 1000))
            require(not left.exists(), "the day of the late notification is new")
            if words[1] == "date":
                left.write_text('{"left": 1}\n')
            with serving(self.slipcast, place, "--to", target, *words, "--rejects", place / "rejects", *self.root) as server:
                server.send(late)
                server.delivered()
            self.suite.run("convert", "--quiet", place / "journal", "--to", place / "expected", *words, status=(0, 1))
            found, expected = ({path.name: plain(path) for path in (place / name).iterdir()} for name in ("v2", "expected"))
            require(found.keys() == expected.keys() and (len(found) > 1 or words[1] == "bundle"), f"{sorted(found)}, expected {sorted(expected)}")
            require(found == expected, "the files differ from what convert writes")
            with serving(self.slipcast, place, "--to", target, "--split", "bundle" if words[1] != "bundle" else "date") as server:
                server.wait(lambda health: health["status"] == "degraded", "degraded")
                require("name another folder" in server.log.read_text(), "another --split is refused")
        return ""

    def reading(self, folder: Path) -> str:
        """Others read a database while the server writes it; a reader who takes long blocks nobody."""
        target = folder / "v2.sqlite"
        with serving(self.slipcast, folder, "--to", target) as server:
            require(server.send(body(0)) == 200, "a notification is accepted")
            server.delivered()
            reader = sqlite3.connect(f"file:{target}?mode=ro", uri=True, timeout=1)
            reader.execute("begin")
            require(reader.execute("select count(*) from notifications").fetchone() == (1,), "the database can be read")
            for number in range(1, 300):
                require(server.send(body(number)) == 200, "a notification is accepted")
            health = server.delivered()
            require(health["status"] == "ok" and health["converted"] == 300, f"a reader blocks the server: {health}")
            require(reader.execute("select count(*) from notifications").fetchone() == (1,), "a reader sees a moment")
            reader.rollback()
            require(reader.execute("select count(*) from notifications").fetchone() == (300,), "all can be read")
            indexes = reader.execute("select count(*) from sqlite_master where type = 'index' and name like '%_by_%'").fetchone()[0]
            require(indexes >= 9, f"{indexes} indexes")
            self.suite.run("timeline", target, "--original-transaction-id", "1", status=1)
            second = self.suite.run("convert", "--quiet", "Fixtures/archives/subscription/v1.ndjson", "--to", target, "--execute", status=2)
            require("another run" in second.stderr, second.stderr)
        # A reader is there when the server ends.
        reader.execute("begin")
        reader.execute("select * from runs").fetchone()
        with serving(self.slipcast, folder, "--to", target) as server:
            server.send(body(301))
            server.delivered()
        reader.close()
        with sqlite3.connect(target) as store:
            require(store.execute("select count(*) from notifications").fetchone() == (301,), "each event is there once")
        return ""

    def restarts(self, folder: Path) -> str:
        """A second server is refused; a later target receives everything, or what arrives from now on."""
        with serving(self.slipcast, folder) as server:
            for number in range(20):
                server.send(body(number))
            second = self.suite.run("serve", "--listen", "127.0.0.1:0", "--journal", server.journal, status=2)
            require("another run" in second.stderr, second.stderr)
        with serving(self.slipcast, folder, "--to", folder / "all.ndjson") as server:
            require(server.delivered()["stored"] == 20, "the journal has 20 events")
            require(server.send(body(3)) == 200 and server.health()["repeated"] == 1, "an event is known after a restart")
        with serving(self.slipcast, folder, "--to", folder / "new.ndjson", "--from-now") as server:
            server.delivered()
            server.send(body(100))
            server.delivered()
        require(len(lines(folder / "all.ndjson")) == 20, "a later target receives the whole journal")
        require(len(lines(folder / "new.ndjson")) == 1, "--from-now leaves earlier events out")
        return ""

    def damage(self, folder: Path) -> str:
        """An incomplete last record is cut off; any other damage ends the start."""
        with serving(self.slipcast, folder) as server:
            for number in range(5):
                server.send(body(number))
        part = next(folder.glob("journal/0*.ndjson"))
        whole = part.read_bytes()
        for length in (1, 20, len(whole.splitlines()[-1]) - 1, len(whole.splitlines()[-1]) // 2):
            part.write_bytes(whole + whole.splitlines()[-1][:length])
            with serving(self.slipcast, folder) as server:
                require(server.health()["stored"] == 5, "the five events are there")
            require(part.read_bytes() == whole, "the incomplete record was cut off")
        starts = [0]
        for line in whole.splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        for at in (starts[1] + 200, starts[2] + 10, starts[4] + 50, 5):
            part.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
            refused = self.suite.run("serve", "--listen", "127.0.0.1:0", "--journal", folder / "journal", status=2, seconds=20)
            start = max(one for one in starts if one <= at)
            require(part.name in refused.stderr and f"byte {start}" in refused.stderr, refused.stderr)
        part.write_bytes(whole)
        (folder / "journal/0000000000000009.ndjson").write_bytes(b"")
        missing = self.suite.run("serve", "--listen", "127.0.0.1:0", "--journal", folder / "journal", status=2)
        require("lacks the events 6 to 8" in missing.stderr, missing.stderr)
        return ""

    def shared(self, folder: Path) -> str:
        """Two journals, and an archive, go into one database: each event of each is there."""
        target, source = folder / "v2.sqlite", folder / "v1.ndjson"
        folder.mkdir(parents=True)
        source.write_bytes(body(0) + b"\n")
        self.suite.run("convert", "--quiet", source, "--to", target, "--execute")
        for number, name in ((1, "one"), (2, "two"), (3, "one")):
            with serving(self.slipcast, folder / name, "--to", target) as server:
                require(server.send(body(number)) == 200, "a notification is accepted")
                server.delivered()
        with sqlite3.connect(target) as store:
            found = store.execute("select count(*) from notifications").fetchone()[0]
        require(found == 4, f"{found} of 4 events are in the store")
        return ""

    def unavailable(self, folder: Path) -> str:
        """Requests are answered while the target is away; it gets everything later."""
        for name in ("there/v2.ndjson", "there/v2.sqlite"):
            place = folder / name.replace("/", "-")
            target = place / name
            with serving(self.slipcast, place, "--to", target) as server:
                for number in range(10):
                    require(server.send(body(number)) == 200, "a notification is accepted")
                server.wait(lambda health: health["status"] == "degraded", "degraded")
                require(server.health()["pending"] == {str(target) if target.suffix == ".ndjson" else next(iter(server.health()["pending"])): 10}, "10 wait")  # fmt: skip
                target.parent.mkdir()
                require(server.delivered()["status"] == "ok", "all is well again")
                require(server.health()["converted"] == 10, "all are delivered")
        return ""

    def full(self, folder: Path) -> str:
        """A full disk: 503 and nothing stored; the server goes on when there is room."""
        if os.geteuid() != 0:
            raise Skipped("only root can mount a small disk")
        disk = folder / "journal"
        disk.mkdir(parents=True)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", disk], capture_output=True).returncode:
            raise Skipped("no small disk can be mounted")
        try:
            with serving(self.slipcast, folder, "--to", folder / "v2.ndjson") as server:
                statuses = [server.send(body(number)) for number in range(200)]
                require(set(statuses) == {200, 503}, f"statuses: {sorted(set(statuses))}")
                stored = statuses.count(200)
                health = server.health()
                require(health["stored"] == stored, "refused events are not stored")
                require(health["status"] == "degraded" and health["refused"] == 200 - stored, f"nothing can be stored: {health}")
                command(["mount", "-o", "remount,size=4m", disk])
                again = [server.send(body(number)) for number in range(200)]
                require(set(again) == {200}, "all are accepted when there is room")
                health = server.delivered()
                require(health["status"] == "ok", "all is well again")
                require(health["stored"] == 200 and health["repeated"] == stored, f"each is stored once: {health}")
            require(len(set(lines(folder / "v2.ndjson"))) == 200, "each is delivered once")
            with serving(self.slipcast, folder, "--to", folder / "v2.ndjson") as server:
                require(server.delivered()["stored"] == 200, "the journal is whole")
        finally:
            subprocess.run(["umount", "-l", disk], check=False)
        return f"{statuses.count(503)} answers 503"

    def kept(self, folder: Path) -> str:
        """SIGTERM: running requests are answered, everything is on disk, the status is 0."""
        with serving(self.slipcast, folder, "--to", folder / "v2.ndjson") as server:
            slow = socket.create_connection(("127.0.0.1", server.port))
            data = body(1)
            slow.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(data) + data[:50])
            time.sleep(0.2)
            server.process.terminate()
            time.sleep(0.3)
            slow.sendall(data[50:])
            require(slow.recv(100).startswith(b"HTTP/1.1 200"), "a running request is answered")
            require(server.process.wait(30) == 0, "the exit status is 0")
        with serving(self.slipcast, folder, "--to", folder / "v2.ndjson") as server:
            require(server.delivered()["stored"] == 1, "it is stored")
        return ""

    def kills(self, kind: str, folder: Path) -> str:
        """kill -9 under load: no acknowledged event is lost, none is delivered twice."""
        target = {"file": folder / "v2.ndjson", "gzip": folder / "v2.ndjson.gz", "folder": folder / "v2", "sqlite": folder / "v2.sqlite",
                  "postgres": os.environ.get("SLIPCAST_POSTGRES")}[kind]  # fmt: skip
        words = ["--split", "20"] if kind == "folder" else []
        accepted: list[int] = []
        chance = random.Random(f"{self.suite.options.seed} {kind}")
        number = iter(range(10**6))
        rounds = self.suite.options.kills
        for _ in range(rounds):
            server = Server(self.slipcast, folder, "--to", target, *words)
            stop = threading.Event()

            def load() -> None:
                while not stop.is_set():
                    one = next(number)
                    try:
                        if server.send(body(one)) == 200:
                            accepted.append(one)
                    except OSError:
                        return
                    except Exception:  # a response that was cut off
                        return

            threads = [threading.Thread(target=load) for _ in range(8)]
            for thread in threads:
                thread.start()
            time.sleep(chance.uniform(0.05, 0.7))
            server.process.kill()
            server.process.wait()
            stop.set()
            for thread in threads:
                thread.join()
        with serving(self.slipcast, folder, "--to", target, *words) as server:
            stored = server.delivered()["stored"]
        expected = {
            json.loads(line)["notificationUUID"]
            for line in self.suite.run("convert", "--quiet", folder / "journal").stdout.splitlines()
        }
        require(len(expected) == stored, f"the journal has {len(expected)} events of {stored} twice")
        if kind == "postgres":
            found = command(["psql", target, "-Atc", "select notificationUUID from notifications"]).stdout.split()
        elif kind == "sqlite":
            with sqlite3.connect(target) as store:
                found = [row[0] for row in store.execute("select notificationUUID from notifications")]
        else:
            text = "".join(plain(path).decode() for path in (sorted(target.iterdir()) if kind == "folder" else [target]))
            found = [json.loads(line)["notificationUUID"] for line in text.splitlines()]
        require(len(found) == len(set(found)), f"{len(found) - len(set(found))} events were delivered twice")
        require(set(found) == expected, f"{len(expected - set(found))} events of the journal were not delivered")
        source = folder / "accepted.ndjson"
        source.write_bytes(b"".join(body(one) + b"\n" for one in accepted))
        ids = {json.loads(line)["notificationUUID"] for line in self.suite.run("convert", "--quiet", source).stdout.splitlines()}
        require(ids <= expected, f"{len(ids - expected)} acknowledged events were lost")
        return f"{rounds} kills, {len(accepted)} events acknowledged, {stored} stored"
