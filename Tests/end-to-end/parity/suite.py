"""Compares planted archives and expects the exact truth: what, where, expected, found.

Each archive is compared as it was written, by one job and by two, and shuffled and zipped; then samples are left alone,
because their record numbers are those of the archives as plant.py wrote them.
"""

import gzip
import json
import random
import resource
import time
from argparse import ArgumentParser
from pathlib import Path

import plant
from expected import CLASSES, CONFLICT
from harness import Suite, anew, require, require_none, run as command

SAMPLES = 20


class Judge:
    """Compares a result with the truth; gathers what differs."""

    def __init__(self, text: str, truth: dict) -> None:
        self.text, self.result, self.truth = text, json.loads(text), truth
        self.lines: list[str] = []
        self.checks = 0

    def compare(self, where: str, expected: object, found: object) -> None:
        self.checks += 1
        if expected != found:
            self.lines.append(f"{where}: expected {expected}, found {found}")

    def judge(self, with_samples: bool) -> str:
        self.compare("schema", 1, self.result.get("schema"))
        self.compare("verdict", self.truth["verdict"], self.result.get("verdict"))
        self.pairs()
        self.types()
        self.fields()
        for name, value in self.truth["entitlement"].items():
            self.compare(f"entitlement.{name}", value, number(self.result["entitlement"], name))
        if with_samples:
            self.samples()
        for secret in self.truth["secrets"]:
            self.compare("the shared secret in the result", False, secret in self.text)
        require_none(self.lines[:200], self.checks, "values differ")
        compared = self.truth["pairs"]["matched"] + self.truth["pairs"]["conflicting"]
        planted = self.truth["planted"]
        return f"{compared} pairs, {sum(planted.values())} planted in {len(planted)} kinds"

    def pairs(self) -> None:
        """What became of the records, and that nothing is lost in between."""
        found, expected = self.result["pairs"], self.truth["pairs"]
        for name, value in expected.items():
            if isinstance(value, dict):
                for side in ("legacy", "server"):
                    self.compare(f"pairs.{name}.{side}", value[side], number(found.get(name) or {}, side))
            else:
                self.compare(f"pairs.{name}", value, number(found, name))
        sums = {
            "legacy": ("legacyWithoutServer", "absorbed", "notComparable"),
            "server": ("serverWithoutLegacy", "serverOnlyEvents", "unknownEvents"),
        }
        for side, names in sums.items():
            total = sum(number(found, name) for name in ("matched", "conflicting", *names))
            total += sum(number(found.get(name) or {}, side) for name in ("duplicates", "rejected"))
            self.compare(f"sum of {side} records", self.truth["records"][side], total)

    def types(self) -> None:
        """Which V1 message was told by which V2 notification, how often."""
        found, expected = (
            {(cell["legacy"], cell["server"]): cell["count"] for cell in side["types"]}
            for side in (self.result, self.truth)
        )
        for cell in sorted(found | expected):
            self.compare(f"types {cell[0]} as {cell[1]}", expected.get(cell, 0), found.get(cell, 0))

    def fields(self) -> None:
        """Per path the number of pairs of each class; paths of V1 alone are not stated."""
        entries = [entry for entry in self.result["fields"] if entry.get("v2Path")]
        found = {entry["v2Path"]: entry for entry in entries}
        expected = {entry["v2Path"]: entry for entry in self.truth["fields"]}
        self.compare("entries of paths", len(found), len(entries))
        for path in sorted(found | expected):
            for word in CLASSES:
                counts = [number(side.get(path, {}), word) for side in (expected, found)]
                self.compare(f"{path} {word}", *counts)

    def samples(self) -> None:
        """Samples name planted records, have an explanation, conflicts come first, and there are as many as can be."""
        planted = {
            (one["v2Path"], one["class"], one["legacyRecord"], one["serverRecord"])
            for plants in self.truth["plants"].values() for one in plants
        }  # fmt: skip
        expected = {entry["v2Path"]: entry for entry in self.truth["fields"]}
        for entry in self.result["fields"]:
            path, samples = entry.get("v2Path"), entry.get("samples", [])
            if path not in expected:
                continue
            words = [sample["class"] for sample in samples]
            wanted = sum(expected[path][word] for word in CLASSES[2:])
            self.compare(f"{path} number of samples", min(SAMPLES, wanted), len(samples))
            conflicts = min(SAMPLES, expected[path][CONFLICT])
            self.compare(f"{path} conflicts among the samples", conflicts, words.count(CONFLICT))
            self.compare(f"{path} order of samples", sorted(words, key=lambda word: word != CONFLICT), words)
            for sample in samples:
                self.compare(f"{path}: a sample with an explanation", True, bool(sample.get("explanation")))
                key = (path, sample["class"], sample["legacyRecord"], sample["serverRecord"])
                if sample["class"] == CONFLICT and self.truth["plantsAreWhole"]:
                    self.compare(f"{path}: a planted conflict, records {key[2:]}", True, key in planted)


def number(value: dict, name: str) -> int:
    """A count; what does not occur may be left out."""
    return value.get(name, 0) or 0


def shuffled(source: Path, target: Path) -> None:
    """The lines in another order, zipped."""
    lines = source.read_bytes().splitlines(keepends=True)
    random.Random(7).shuffle(lines)
    target.write_bytes(gzip.compress(b"".join(lines), 1))


def case(suite: Suite, folder: Path, expected: int, *words: str) -> str:
    """One planted pair of archives, in every way."""
    truth = planted(suite, folder, *words)

    def compare(ending: str, jobs: int) -> str:
        sides = ["--legacy", folder / f"v1.ndjson{ending}", "--server", folder / f"v2.ndjson{ending}"]
        # Torn and lost records are part of every delivery here.
        limits = ["--max-rejects", "10%", "--max-access-changes", 10**6]
        words = ["parity", "--format", "json", *limits, *sides, "--jobs", jobs]
        return suite.run(*words, status=expected).stdout

    one = compare("", 1)
    require(one == compare("", 2), "the result depends on the number of jobs")
    told = Judge(one, truth).judge(True)
    for side in ("v1", "v2"):
        shuffled(folder / f"{side}.ndjson", folder / f"{side}.ndjson.gz")
    Judge(compare(".gz", 2), truth).judge(False)
    return told


def planted(suite: Suite, folder: Path, *words: str) -> dict:
    events = ["--events", str(suite.options.events), "--seed", str(suite.options.seed)]
    plant.main([*events, "--out", str(anew(folder)), *words])
    return json.loads((folder / "truth.json").read_text(encoding="utf-8"))


def speed(suite: Suite, folder: Path) -> str:
    """One core: seconds, pairs a second, peak memory; records are lean, so that the comparison is measured."""
    truth = planted(suite, folder, "--lean")
    sides = ["--legacy", folder / "v1.ndjson", "--server", folder / "v2.ndjson"]
    words = ["parity", *sides, "--max-rejects", "10%", "--format", "json", "--jobs", 1]
    began = time.monotonic()
    result = command(["taskset", "-c", "0", suite.slipcast, *words], status=(0, 1), seconds=7200).stdout
    seconds = time.monotonic() - began
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    told = Judge(result, truth).judge(True)
    pairs = truth["pairs"]["matched"] + truth["pairs"]["conflicting"]
    size = sum((folder / name).stat().st_size for name in ("v1.ndjson", "v2.ndjson")) / 1e6
    return (
        f"{told}; {size:,.0f} MB in {seconds:.2f} s ({usage.ru_utime + usage.ru_stime:.2f} s of processor), "
        f"{pairs / seconds:,.0f} pairs/s, {size / seconds:,.0f} MB/s, peak memory {usage.ru_maxrss / 1024:,.0f} MB"
    )


def options(parser: ArgumentParser) -> None:
    parser.add_argument("--events", type=int, default=20_000, help="events of each pair of archives (default 20000)")
    parser.add_argument("--speed", action="store_true", help="measure one comparison on one core instead")


def run(suite: Suite) -> None:
    if suite.options.speed:
        suite.part("speed", speed, suite, suite.folder / "speed")
        return
    for name, expected, words in (
        ("nothing planted", 0, "--mismatches 0 --losses 0"),
        ("losses alone", 1, "--mismatches 0"),
        ("some planted", 1, "--mismatches 0.03"),
        ("many planted, short lists", 1, "--mismatches 0.4 --history 4 --lean"),
        ("rough delivery", 1, "--mismatches 0.05 --losses 0.1 --repeats 0.2 --torn 0.02"),
    ):
        suite.part(name, case, suite, suite.folder / "case", expected, *words.split())
