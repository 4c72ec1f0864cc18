"""What a server finds: files that exist, secrets of other editors; its journal as an input; times between attempts."""

import gzip
import json
import subprocess
import time
from pathlib import Path

from harness import require
from parts import Parts, lines
from server import SECRET, body, service, serving


class Existing(Parts):
    def existing(self, folder: Path) -> str:
        """A file of --to that exists is appended to: no line of it is spoiled, and a table keeps one header row."""
        with serving(self.slipcast, folder / "first", "--to", folder / "new.csv") as server:
            require(server.send(body(1)) == 200, "a notification is accepted")
            server.delivered()
        header, row = (folder / "new.csv").read_bytes().decode().split("\r\n", 1)
        table = header + "\r\n" + row
        line = self.suite.run("convert", "--quiet", folder / "first/journal").stdout
        files = {
            "whole.ndjson": ('{"old":1}\n', '{"old":1}\n' + line), "cut.ndjson": ('{"old":1}', '{"old":1}\n' + line),
            "cut.ndjson.gz": ('{"old":1}', '{"old":1}\n' + line), "empty.ndjson": ("", line),
            "empty.csv": ("", table), "empty.csv.gz": ("", table), "headed.csv": (header, header + "\n" + row),
            "rows.csv": (table, table + row), "cut.csv": (table[:-2], table[:-2] + "\n" + row),
        }  # fmt: skip
        for name, (before, after) in files.items():
            target, is_packed = folder / name, name.endswith(".gz")
            target.write_bytes(gzip.compress(before.encode()) if is_packed else before.encode())
            for number in range(2):
                with serving(self.slipcast, folder / f"{name}.run", "--to", target) as server:
                    require(server.send(body(1)) == 200, "a notification is accepted")
                    health = server.delivered()
                    require(health["status"] == "ok", f"{name}: {health}")
                data = target.read_bytes()
                text = (gzip.decompress(data) if is_packed else data).decode()
                require(text == after, f"{name}, start {number + 1}: {text[:200]!r}, expected {after[:200]!r}")
        others = {"other.csv": b"a,b\n1,2\n", "other-cut.csv": b"a,b\n1,2", "other.csv.gz": gzip.compress(b"a,b\n1,2\n")}
        for name, text in others.items():
            other = folder / name
            other.write_bytes(text)
            with serving(self.slipcast, folder / f"{name}.run", "--to", other) as server:
                require(server.send(body(1)) == 200, "a notification is accepted")
                server.wait(lambda health: health["status"] == "degraded", "degraded")
                require("header row" in server.log.read_text(), server.log.read_text())
            require(other.read_bytes() == text, "a table of others is changed")
        return f"{len(files)} files"

    def secrets(self, folder: Path) -> str:
        """Files of secrets as editors write them: with a byte order mark, with CRLF, with blank lines."""
        folder.mkdir(parents=True)
        for number, text in enumerate((f"\ufeff{SECRET}\n", f"\ufeff\r\nother\r\n{SECRET}\r\n", SECRET)):
            path = folder / f"secrets{number}"
            path.write_bytes(text.encode())
            with serving(self.slipcast, folder / str(number), "--shared-secret", path) as server:
                require(server.send(body(1)) == 200, f"the secret in {text!r} is known")
                require(server.send(body(2).replace(SECRET.encode(), b"wrong")) == 403, "another secret is refused")
        path.write_bytes(b"\xef\xbb\xbf\r\n")
        refused = self.suite.run("serve", "--listen", "127.0.0.1:0", "--journal", folder / "j", "--shared-secret", path, status=2)
        require("one secret on each line" in refused.stderr, refused.stderr)
        return ""

    def journals(self, folder: Path) -> str:
        """convert and parity take times and numbers from a journal, and name what is damaged in it."""
        journal = folder / "journal"
        with serving(self.slipcast, folder, "--to", folder / "v2.ndjson", "--signed-date", "arrival", *self.root) as server:
            for number, data in enumerate([*map(body, range(4)), *self.signed(1)]):
                require(server.send(data) == 200, f"notification {number} is accepted")
            server.delivered()
        part = next(journal.glob("0*.ndjson"))
        events, text = [json.loads(line) for line in lines(part)], part.read_bytes()
        plain = self.suite.run("convert", "--quiet", journal).stdout
        dated = self.suite.run("convert", "--quiet", journal, "--received-at", "receivedAt").stdout
        require(dated == (folder / "v2.ndjson").read_text(), "--received-at gives what --signed-date arrival gives")
        for words in (["--id", "/id"], ["--id", "number", "--received-at", "/receivedAt"]):
            accounts = folder / "accounts"
            self.suite.run("convert", "--quiet", journal, *words, "--provenance", accounts)
            ids = [json.loads(line)["id"] for line in lines(accounts)]
            require(ids == [str(event[words[1].strip("/")]) for event in events[:4]], f"{words}: {ids}")
        report = folder / "r.json"
        for words in ([], ["--received-at", "receivedAt"]):
            self.suite.run("parity", "--quiet", "--legacy", journal, "--server", journal, *words, "--report", report, status=1)
            pairs = json.loads(report.read_text())["pairs"]
            require((pairs["legacyWithoutServer"], pairs["serverWithoutLegacy"]) == (4, 1), f"{words}: {pairs}")

        one, two, three, four, five = text.splitlines(keepends=True)
        changed = two.replace(b"DID_RENEW", b"DID_RENEX", 1)
        starts = [0, len(one), len(one + two), len(one + two + three)]
        rows = plain.splitlines(keepends=True)
        # What the part holds, which rejects that gives (line and place), and which events are left.
        cases = {
            "changed": (one + changed + three + four + five, [(2, starts[1], "checksum")], [0, 2, 3, 4]),
            "repeated": (one + two + two + three + four + five, [(3, starts[2], "event 2 already")], range(5)),
            "missing": (one + four + five, [(2, starts[1], "events 2 to 3")], [0, 3, 4]),
            "one missing": (one + three + four + five, [(2, starts[1], "event 2 ")], [0, 2, 3, 4]),
            "changed and repeated": (changed + text, [(1, 0, "checksum")], range(5)),
            "begins late": (two + three + four + five, [(1, 0, "event 1 ")], [1, 2, 3, 4]),
            "cut": (one + two[:-20] + b"\n" + three + four + five, [(2, starts[1], "checksum")], [0, 2, 3, 4]),
        }
        rejects = folder / "rejects"
        for name, (content, expected, left) in cases.items():
            part.write_bytes(content)
            found = self.suite.run("convert", "--quiet", journal, "--rejects", rejects, status=1).stdout
            told = [json.loads(line) for line in lines(rejects)]
            require([(one["line"], one["offset"]) for one in told] == [one[:2] for one in expected], f"{name}: {told}")
            require(all(one["code"] == "journalDamaged" and words[2] in one["message"] for one, words in zip(told, expected)), f"{name}: {told}")
            require(found == "".join(rows[place] for place in left), f"{name}: other events than {list(left)}")
            require(SECRET not in rejects.read_text(), f"{name}: the secret is in --rejects")
            for jobs in (1, 2):
                self.suite.run("parity", "--quiet", "--legacy", journal, "--server", journal, "--jobs", jobs, "--report", report, status=1)
                pairs = json.loads(report.read_text())["pairs"]
                require(pairs["rejected"]["legacy"] == len(told), f"{name}: {pairs}")
        # A part that is missing between two others; an incomplete end of the last one is what a server still writes.
        part.write_bytes(one)
        last = journal / "0000000000000004.ndjson"
        last.write_bytes(four + five + one[:50])
        found = self.suite.run("convert", "--quiet", journal, "--rejects", rejects, status=1).stdout
        told = [json.loads(line) for line in lines(rejects)]
        require(found == rows[0] + rows[3] + rows[4] and "events 2 to 3" in told[0]["message"] and len(told) == 1, str(told))
        last.unlink()
        part.write_bytes(text)
        require(self.suite.run("convert", "--quiet", journal).stdout == plain, "the journal is as before")
        return f"{len(cases)} kinds of damage"

    def long(self, folder: Path) -> str:
        """A journal of several blocks is converted like its bodies, also when the run is killed and resumed."""
        with serving(self.slipcast, folder) as server:
            for number in range(300):
                require(server.send(body(number)) == 200, "a notification is accepted")
        source = folder / "v1.ndjson"
        source.write_bytes(b"".join(body(number) + b"\n" for number in range(300)))
        expected = self.suite.run("convert", "--quiet", source).stdout
        for jobs in (1, 2):
            require(self.suite.run("convert", "--quiet", folder / "journal", "--jobs", jobs).stdout == expected, f"{jobs} jobs")
        target, checkpoint = folder / "v2.ndjson", folder / "checkpoint"
        words = ["convert", "--quiet", "--jobs", "1", folder / "journal", "--to", target, "--checkpoint", checkpoint, "--checkpoint-every", "0"]
        for delay in (0.005, 0.01, 0.02, 0.04):
            process = subprocess.Popen([str(word) for word in [self.slipcast, *words, *(["--resume"] if checkpoint.exists() else [])]], stderr=subprocess.DEVNULL)
            time.sleep(delay)
            process.kill()
            process.wait()
        self.suite.run(*words, *(["--resume"] if checkpoint.exists() else []))
        require(target.read_text() == expected, "a resumed run writes something else")
        return f"{len(expected.splitlines())} events"

    def punctual(self, folder: Path) -> str:
        """Between two attempts are as many seconds as --retry-seconds says; a busy machine adds some."""
        gaps = []
        with service() as one:
            for name, schedule in (("one", "1,1"), ("two", "2")):
                times: list[float] = []
                one.status = lambda _: times.append(time.monotonic()) or 500
                words = ["--forward", f"raw=http://127.0.0.1:{one.port}/", "--retry-seconds", schedule]
                expected = [int(seconds) for seconds in schedule.split(",")]
                with serving(self.slipcast, folder / name, *words) as server:
                    require(server.send(body(1)) == 200, "accepted")
                    server.wait(lambda _: len(times) == len(expected) + 1, "all attempts", 60)
                for seconds, first, second in zip(expected, times, times[1:]):
                    require(seconds <= second - first < seconds + 10, f"{second - first:.2f} s instead of {seconds} s")
                    gaps.append(second - first)
        return f"{max(gaps):.2f} s at most"
