"""Damaged state files of `fetch`: a run that continues from one ends with status 2 or writes what an undamaged run writes."""

import re
import shutil
import signal
import subprocess
from pathlib import Path

from damaging import damages
from harness import Process, require
from setting import Setting, anew, v1


class States(Setting):
    def states(self, folder: Path) -> str:
        """The checkpoint, the responses since then, and the revisions, of an unfinished and of a finished run."""
        customers = self.world(30, periods=3)
        mock = self.mock(*customers, page=2)
        ids = [one.transactions[0]["originalTransactionId"] for one in customers]
        archive = self.archive(folder, [v1(id) for id in ids])
        base = ["fetch", "history", archive, "--rate", 3000, "--connections", 3, *self.credentials(mock), "--execute"]
        words = [*base, "--to", "v2.ndjson", "--checkpoint", "run.json", "--resume"]
        whole = anew(folder / "whole")
        self.run_in(whole, words, 0)
        expected = (whole / "v2.ndjson").read_bytes()
        mock.hook = self.pause
        start = self.interrupted(folder / "start", words)
        mock.hook = lambda _: None
        count = self.damage(start, folder / "place", words, expected, ["run.json", "run.json.pages", "run.json.revisions.part"])
        # A finished run is continued: nothing new may be written again.
        count += self.damage(whole, folder / "place", words, expected, ["run.json", "run.json.revisions"])
        mock.stop()
        return f"{count} files"

    def interrupted(self, place: Path, words: list[object]) -> Path:
        """A run that was killed with a part of its output, and with responses that are not in the output yet."""
        for attempt in range(60):
            anew(place)
            process = Process([str(word) for word in [self.suite.slipcast, *words]], place, [], None)
            process.signal_after(0.05 + attempt % 20 * 0.03, signal.SIGKILL)
            process.end()
            files = {path.name: path.stat().st_size for path in place.iterdir()}
            if files.get("run.json.pages", 0) > 2000 and "run.json.revisions.part" in files:
                return place
        require(False, f"no run was killed halfway: {files}")
        return place

    def run_in(self, place: Path, words: list[object], status: int | None = None) -> subprocess.CompletedProcess:
        found = subprocess.run([str(word) for word in [self.suite.slipcast, *words]], cwd=place, capture_output=True, text=True, timeout=60)
        require(status is None or found.returncode == status, f"status {found.returncode}: {found.stderr}")
        return found

    def damage(self, start: Path, place: Path, words: list[object], expected: bytes, files: list[str]) -> int:
        count = 0
        for file in files:
            text = (start / file).read_bytes()
            # Of an empty file nothing can be damaged.
            for name, damaged in [("whole", text), *(damages(text, 8) if text else [])]:
                if name != "whole" and damaged == text:
                    continue
                shutil.rmtree(place, ignore_errors=True)
                shutil.copytree(start, place)
                (place / file).write_bytes(damaged)
                found = self.run_in(place, words)
                count += 1
                if found.returncode == 2:
                    require(name != "whole" and file.split(".part")[0] in found.stderr, f"{file}, {name}: {found.stderr}")
                    require(re.search("start over|restore|another file|requested again", found.stderr), f"{file}, {name}: {found.stderr}")
                    continue
                require(found.returncode == 0, f"{file}, {name}: status {found.returncode}: {found.stderr}")
                require((place / "v2.ndjson").read_bytes() == expected, f"{file}, {name}: another output with status 0")
                # A log may lose its last events, and bytes behind what counts of a table do not count.
                require(name == "whole" or file.endswith((".pages", ".part")), f"{file}, {name}: it is believed")
        return count
