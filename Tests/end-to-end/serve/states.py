"""Damaged state files: a run that continues from one ends with status 2 or writes what an undamaged run writes."""

import json
import re
import shutil
import subprocess
import time
from pathlib import Path

from damaging import damages
from harness import require
from parts import Parts, lines
from server import Server, Service, body, service, serving


class States(Parts):
    # About so many changed bytes of each file.
    @property
    def positions(self) -> int:
        kills = self.suite.options.kills
        return 8 if kills < 2 else 25 if kills < 10 else 10_000

    def checkpoints(self, folder: Path) -> str:
        """Damaged checkpoints of `convert`."""
        folder.mkdir(parents=True)
        source = folder / "v1.ndjson"
        source.write_bytes(b"".join(body(number) + b"\n" for number in range(1500)) + b"{}\n")
        base = ["convert", "--quiet", source]
        expected = self.suite.run(*base, "--dedupe", status=1).stdout
        start = folder / "start"
        start.mkdir()
        words = [*base, "--to", "v2.ndjson", "--dedupe", "--rejects", "rejects", "--checkpoint", "c.json", "--checkpoint-every", "0", "--resume"]
        for _ in range(50):
            shutil.rmtree(start)
            start.mkdir()
            process = subprocess.Popen([str(word) for word in [self.slipcast, *words]], cwd=start, stderr=subprocess.DEVNULL)
            while process.poll() is None:
                text = (start / "c.json").read_text() if (start / "c.json").exists() else ""
                if re.search(r'"read":[1-9]', text):
                    break
            process.kill()
            process.wait()
            text = (start / "c.json").read_bytes()
            if b'"state":"running"' in text and (start / "v2.ndjson.part").exists():
                break
        require(b'"state":"running"' in text and re.search(rb'"read":[1-9]', text), "no run was killed halfway")
        place, count, refused = folder / "place", 0, 0
        for name, damaged in [("whole", text), *damages(text, self.positions)]:
            if name != "whole" and damaged == text:
                continue
            shutil.rmtree(place, ignore_errors=True)
            shutil.copytree(start, place)
            (place / "c.json").write_bytes(damaged)
            found = subprocess.run([str(word) for word in [self.slipcast, *words]], cwd=place, capture_output=True, text=True, timeout=60)
            count += 1
            if name == "whole":
                require(found.returncode == 1 and (place / "v2.ndjson").read_text() == expected, f"the undamaged run: {found.stderr}")
                require(len(lines(place / "rejects")) == 1, "a record that cannot be converted is a reject")
                continue
            refused += found.returncode == 2
            require(found.returncode == 2, f"{name}: status {found.returncode}")
            require("c.json" in found.stderr and re.search("start over|restore|another file", found.stderr), f"{name}: {found.stderr}")
        # A state of another command.
        (place / "c.json").write_bytes(text.replace(b'"slipcastState":"convert"', b'"slipcastState":"fetch"'))
        foreign = subprocess.run([str(word) for word in [self.slipcast, *words]], cwd=place, capture_output=True, text=True, timeout=60)
        require(foreign.returncode == 2 and "it is a state of slipcast fetch" in foreign.stderr, foreign.stderr)
        return f"{count} checkpoints, {refused} refused"

    def positions_of_targets(self, folder: Path) -> str:
        """Damaged states of a target, of a service, and of the journal itself."""
        start = folder / "start"
        with service() as one:
            words = ["--to", "v2.ndjson", "--forward", f"raw=http://127.0.0.1:{one.port}/", "--from-now", "--retry-seconds", "3600"]
            # The state of a target that was closed well, of a service with a waiting event, and events that neither has.
            one.status = lambda data: 500 if b"com.example.slipcast.waits" in data else 200
            server = Server(self.slipcast, start, *self.at(start, words))
            for number in range(6):
                data = body(number)
                require(server.send(data if number != 3 else data.replace(b'"bid": "', b'"bid": "com.example.slipcast.waits')) == 200, "accepted")
            server.wait(lambda health: list(health["pending"].values()) == [0, 1], "the delivery of all events but one")
            require(server.end() == 0, "it ends")
            with serving(self.slipcast, start) as server:
                for number in range(10, 13):
                    server.send(body(number))
            sent = list(one.bodies)
            count, refused = 0, 0
            files = sorted(path.name for path in (start / "journal").iterdir() if path.suffix in (".json", ".log"))
            require(len(files) == 3, f"{files}")
            for file in files:
                text = (start / "journal" / file).read_bytes()
                for name, damaged in [("whole", text), *damages(text, min(self.positions // 2, 100))]:
                    if name != "whole" and damaged == text:
                        continue
                    count += 1
                    status = self.resumed(folder / "place", start, file, damaged, words, one, sent)
                    refused += status == 2
                    # A kill may cut the last lines of a log off: events are then sent again.
                    left = damaged[: damaged.rfind(b"\n") + 1]
                    is_cut = file.endswith(".log") and left != b"" and text.startswith(left)
                    require(status == (0 if name == "whole" else 2) or is_cut, f"{file}, {name}: status {status}")
        return f"{count} states, {refused} refused"

    def at(self, place: Path, words: list[str]) -> list[object]:
        return [place / word if word == "v2.ndjson" else word for word in words]

    def resumed(self, place: Path, start: Path, file: str, damaged: bytes, words: list[str], one: Service, sent: list[bytes]) -> int:
        """A server over the damaged file: status 2, or everything is delivered."""
        # The state of a target is found by its path.
        shutil.rmtree(place, ignore_errors=True)
        if not start.with_name("kept").exists():
            shutil.copytree(start, start.with_name("kept"))
        shutil.rmtree(start)
        shutil.copytree(start.with_name("kept"), start)
        (start / "journal" / file).write_bytes(damaged)
        one.bodies[:] = sent
        command = [self.slipcast, "serve", "--listen", "127.0.0.1:0", "--journal", start / "journal", *self.at(start, words)]
        log = start / "log"
        log.write_text("")
        with log.open("ab") as output:
            process = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        end = time.monotonic() + 20
        try:
            while process.poll() is None and time.monotonic() < end:
                if len(lines(start / "v2.ndjson")) == 9 and len(set(one.bodies)) == 8:
                    break
                time.sleep(0.01)
            if process.poll() is None:
                process.terminate()
            status = process.wait(20)
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
        if status == 2:
            require(file in log.read_text() and re.search("restore it|new folder", log.read_text()), log.read_text())
            return 2
        found = [json.loads(line)["notificationUUID"] for line in lines(start / "v2.ndjson")]
        require(len(found) == len(set(found)) == 9, f"{file}: {len(found)} lines, {len(set(found))} events: {log.read_text()}")
        require(len(set(one.bodies)) == 8, f"{file}: the service has {len(set(one.bodies))} of 8 events")
        return status
