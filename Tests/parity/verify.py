#!/usr/bin/env python3
"""Has other commands of Slipcast judge what plant.py wrote, and compares that with the truth.

The truth is stated by the generator, from what each kind of event and each plant is. Here `diff` reads pairs of every
kind and gives the classes of their fields; `convert` gives the dates from which V1's access follows; `convert --group`
counts repetitions, companions and unreadable lines of the whole archive.
"""

import json
import re
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import access

HERE = Path(__file__).resolve().parent


class Deviations:
    """What differs, by kind of pair and path, with an example of each."""

    def __init__(self):
        self.counts = Counter()
        self.examples: dict[tuple, dict] = {}

    def compare(self, entry: dict, path: str, truth, found) -> None:
        if truth != found:
            key = (entry["name"], path, truth, found)
            self.counts[key] += 1
            self.examples.setdefault(key, entry)

    def report(self, keep: Path | None) -> None:
        for place, (key, count) in enumerate(sorted(self.counts.items(), key=str)):
            name, path, truth, found = key
            print(f"{count:5}  {name}  {path}: truth {truth}, found {found}")
            if keep and "v1" in self.examples[key]:
                keep.mkdir(parents=True, exist_ok=True)
                (keep / f"{place}.v1.json").write_text(self.examples[key]["v1"], encoding="utf-8")
                (keep / f"{place}.v2.json").write_text(self.examples[key]["v2"], encoding="utf-8")


def classes(slipcast: str, entry: dict, folder: Path, number: int) -> dict[str, str]:
    """What diff says: V2 path to class."""
    one, two = folder / f"{number}.v1.json", folder / f"{number}.v2.json"
    one.write_text(entry["v1"], encoding="utf-8")
    two.write_text(entry["v2"], encoding="utf-8")
    command = [slipcast, "diff", one, two, "--format", "json", "--exit-zero"]
    run = subprocess.run(command, capture_output=True, text=True)
    one.unlink()
    two.unlink()
    if run.returncode:
        return {"(diff failed)": run.stderr.strip()}
    return {row["v2Path"]: row["class"] for row in json.loads(run.stdout)["fields"] if row.get("v2Path")}


def verify_classes(slipcast: str, entries: list[dict], folder: Path, deviations: Deviations) -> None:
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda item: classes(slipcast, item[1], folder, item[0]), enumerate(entries)))
    for entry, told in zip(entries, found):
        for path in sorted(set(entry["classes"]) | set(told)):
            deviations.compare(entry, path, entry["classes"].get(path), told.get(path))


def verify_access(slipcast: str, entries: list[dict], folder: Path, deviations: Deviations) -> None:
    """V1's side by the dates of the cast."""
    source = folder / "samples.v1.ndjson"
    source.write_text("".join(entry["v1"] + "\n" for entry in entries), encoding="utf-8")
    run = subprocess.run([slipcast, "convert", source, "--quiet"], capture_output=True, text=True, check=True)
    for entry, line in zip(entries, run.stdout.splitlines(), strict=True):
        outcome = access.judge(access.of_server(json.loads(line)), json.loads(entry["v2"]))
        deviations.compare(entry, "(access)", entry["entitlement"], outcome)


def verify_counts(slipcast: str, folder: Path, deviations: Deviations) -> None:
    """Repetitions, companions, unreadable lines of the legacy archive."""
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    command = [slipcast, "convert", "--group", folder / "v1.ndjson"]
    run = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    table = dict(re.findall(r"^(\w+) +([\d,]+)$", run.stderr, re.M))
    pairs = truth["pairs"]
    expected = {
        "read": truth["records"]["legacy"], "rejected": pairs["rejected"]["legacy"],
        "duplicate": pairs["duplicates"]["legacy"], "foldedIn": pairs["absorbed"],
    }
    for name, count in expected.items():
        found = int(table.get(name, "0").replace(",", ""))
        deviations.compare({"name": "(archive)"}, name, count, found)


def main() -> None:
    ask = ArgumentParser(description=__doc__, epilog="other options are handed to plant.py")
    ask.add_argument("slipcast")
    ask.add_argument("--events", default="20000")
    ask.add_argument("--seed", default="1")
    ask.add_argument("--samples", default="12", help="pairs of each kind")
    ask.add_argument("--mismatches", default="0.3")
    ask.add_argument("--history", default="6")
    ask.add_argument("--keep", type=Path, help="writes pairs that deviate there")
    settings, others = ask.parse_known_args()
    deviations = Deviations()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        command = [sys.executable, HERE / "plant.py", "--out", folder]
        for option in ("events", "seed", "samples", "mismatches", "history"):
            command += [f"--{option}", getattr(settings, option)]
        subprocess.run(command + others, check=True)
        entries = [json.loads(line) for line in (folder / "samples.ndjson").open(encoding="utf-8")]
        verify_counts(settings.slipcast, folder, deviations)
        verify_access(settings.slipcast, entries, folder, deviations)
        verify_classes(settings.slipcast, entries, folder, deviations)
    deviations.report(settings.keep)
    planted = sum(entry["planted"] for entry in entries)
    kinds = len({entry["name"] for entry in entries})
    print(f"{len(entries)} pairs of {kinds} kinds ({planted} planted): {sum(deviations.counts.values())} deviations")
    sys.exit(1 if deviations.counts else 0)


if __name__ == "__main__":
    main()
