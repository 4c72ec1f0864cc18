"""`serve --compare`, and `parity` over a journal: V1 and V2 notifications of one app in one journal."""

import json
import re
import shutil
from pathlib import Path

from harness import ROOT, require
from parts import Parts
from server import Server, serving

ARCHIVES = [ROOT / "Examples/migration" / name for name in ("v1.ndjson", "v2.ndjson")]
# The results in /metrics, and the members of `pairs` in parity's JSON that they add up.
RESULTS = {
    "equal": ["matched"], "conflict": ["conflicting"], "onlyV1": ["legacyWithoutServer"], "onlyV2": ["serverWithoutLegacy"],
    "neverInV1": ["serverOnlyEvents", "unknownEvents"], "neverInV2": ["absorbed"],
}  # fmt: skip


class Comparing(Parts):
    def parity(self, legacy: Path, server: Path, report: Path) -> tuple[dict[str, int], str]:
        """What parity counts, in the words of /metrics, and what it says."""
        found = self.suite.run("parity", "--quiet", "--legacy", legacy, "--server", server, "--report", report, status=(0, 1))
        pairs = json.loads(report.read_text())["pairs"]
        return {name: sum(pairs[member] for member in members) for name, members in RESULTS.items()}, found.stdout

    @staticmethod
    def compared(server: Server) -> dict[str, int]:
        found = re.findall(r'^slipcast_compared\{result="(\w+)"\} (\d+)$', server.get("/metrics"), re.M)
        return {name: int(count) for name, count in found if name in RESULTS}

    def waits(self, server: Server, expected: dict[str, int]) -> None:
        server.wait(lambda _: self.compared(server) == expected, f"{expected}, only {self.compared(server)},")

    def compares(self, folder: Path) -> str:
        """A journal with both versions: /metrics has what parity counts, for the journal and for the archives themselves."""
        folder.mkdir(parents=True)
        v1, v2 = ARCHIVES
        signed = self.suite.run("sign", "--quiet", self.identity, v2).stdout.splitlines()
        require(len(signed) == len(v2.read_text().splitlines()), "every V2 record is signed")
        expected, _ = self.parity(v1, v2, folder / "archives.json")
        require(expected["equal"] + expected["conflict"] > 50 and expected["onlyV1"] and expected["onlyV2"], str(expected))
        journal = folder / "journal"
        words = ["--compare", journal, "--compare-seconds", "1", *self.root]
        with serving(self.slipcast, folder, *words) as server:
            for line in v1.read_bytes().splitlines():
                require(server.send(line) == 200, "V1 is accepted")
            stored = server.health()["stored"]
            server.wait(lambda _: sum(self.compared(server).values()) == stored, "a comparison without V2")
            require(self.compared(server)["onlyV1"] > 50 and not self.compared(server)["equal"], "no V2 has arrived")
            for line in signed:
                require(server.send(line.encode()) == 200, "V2 is accepted")
            self.waits(server, expected)
            require(server.metric("compare_runs_total") >= 2 and server.metric("compare_failures_total") == 0, "comparisons end")
            # The journal is read while the server writes.
            found, _ = self.parity(journal, journal, folder / "journal.json")
            require(found == expected, f"parity over the journal: {found}, {expected} expected")
        with serving(self.slipcast, folder, *words) as server:
            self.waits(server, expected)
        require("compared equal=" in server.log.read_text(), "a comparison is a line of the log")
        own = json.loads((folder / "journal.json").read_text())
        require(not any(own["pairs"]["duplicates"].values()), "a journal has each event once")
        self.unfinished(folder, expected)
        # V2 is elsewhere; it comes later.
        elsewhere, late = folder / "elsewhere", folder / "late.ndjson"
        with serving(self.slipcast, elsewhere, "--compare", late, "--compare-seconds", "1") as server:
            for line in v1.read_bytes().splitlines():
                server.send(line)
            server.wait(lambda _: server.metric("compare_failures_total") > 0, "a comparison with nothing")
            require(server.health()["status"] == "ok", "a comparison is no target")
            shutil.copy(v2, late)
            self.waits(server, expected)
        return " ".join(f"{name}={count}" for name, count in expected.items())

    def unfinished(self, folder: Path, expected: dict[str, int]) -> None:
        """Another program reads a journal whose last line is being written."""
        copy = folder / "copy"
        shutil.copytree(folder / "journal", copy)
        part = sorted(copy.glob("0*.ndjson"))[-1]
        whole = part.read_bytes()
        for size in (1, 40, len(whole.splitlines()[-1]) - 1):
            part.write_bytes(whole + whole.splitlines()[-1][:size])
            found, _ = self.parity(copy, copy, folder / "copy.json")
            require(found == expected, f"an incomplete line counts: {found}")
            text = self.suite.run("convert", "--quiet", copy).stdout
            require(len(text.splitlines()) == len(whole.splitlines()), "convert reads an incomplete line")
        require(json.loads((folder / "copy.json").read_text())["pairs"] == json.loads((folder / "journal.json").read_text())["pairs"], "the same pairs")  # fmt: skip

    def comparing_words(self, folder: Path) -> str:
        folder.mkdir(parents=True)
        base = ["--listen", "127.0.0.1:0", "--journal", folder / "j"]
        for words, said in (
            (["--to", folder / "o.ndjson", "--compare", folder / "o.ndjson"], "converted V1"),
            (["--compare", "-"], "read again"), (["--compare-seconds", "5"], "--compare"),
            (["--compare", "x", "--compare-seconds", "0"], "--compare-seconds"),
        ):  # fmt: skip
            found = self.suite.run("serve", *base, *words, status=2, seconds=20)
            require(said in found.stderr, found.stderr)
        return ""
