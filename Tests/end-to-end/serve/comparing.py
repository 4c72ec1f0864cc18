"""`parity` over a journal: V1 and V2 notifications of one app in one journal."""

import json
import shutil
from pathlib import Path

from harness import ROOT, require
from parts import Parts
from server import serving

ARCHIVES = [ROOT / "Examples/migration" / name for name in ("v1.ndjson", "v2.ndjson")]
# Results, and the members of `pairs` in parity's JSON that they add up.
RESULTS = {
    "equal": ["matched"], "conflict": ["conflicting"], "onlyV1": ["legacyWithoutServer"], "onlyV2": ["serverWithoutLegacy"],
    "neverInV1": ["serverOnlyEvents", "unknownEvents"], "neverInV2": ["absorbed"],
}  # fmt: skip


class Comparing(Parts):
    def parity(self, legacy: Path, server: Path, report: Path) -> tuple[dict[str, int], str]:
        """What parity counts, and what it says."""
        found = self.suite.run("parity", "--quiet", "--legacy", legacy, "--server", server, "--report", report, status=(0, 1))
        pairs = json.loads(report.read_text())["pairs"]
        return {name: sum(pairs[member] for member in members) for name, members in RESULTS.items()}, found.stdout

    def compares(self, folder: Path) -> str:
        """A journal with both versions: parity counts what it counts for the archives themselves."""
        folder.mkdir(parents=True)
        v1, v2 = ARCHIVES
        signed = self.suite.run("sign", "--quiet", self.identity, v2).stdout.splitlines()
        require(len(signed) == len(v2.read_text().splitlines()), "every V2 record is signed")
        expected, _ = self.parity(v1, v2, folder / "archives.json")
        require(expected["equal"] + expected["conflict"] > 50 and expected["onlyV1"] and expected["onlyV2"], str(expected))
        journal = folder / "journal"
        with serving(self.slipcast, folder, *self.root) as server:
            for line in [*v1.read_bytes().splitlines(), *(line.encode() for line in signed)]:
                require(server.send(line) == 200, "it is accepted")
            # The journal is read while the server runs.
            found, _ = self.parity(journal, journal, folder / "journal.json")
            require(found == expected, f"parity over the journal: {found}, {expected} expected")
        own = json.loads((folder / "journal.json").read_text())
        require(not any(own["pairs"]["duplicates"].values()), "a journal has each event once")
        self.unfinished(folder, expected)
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
