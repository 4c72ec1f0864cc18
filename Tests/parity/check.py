#!/usr/bin/env python3
"""Compares the result of `slipcast parity --format json` with the truth of plant.py, exactly.

usage: check.py [--counts] RESULT.json truth.json

Prints every deviation: what, where, expected, found. The sums of the contract are checked too. With --counts the
samples are left alone: their record numbers are those of the archives as plant.py wrote them.
"""

import json
import sys
from pathlib import Path

from expected import CLASSES, CONFLICT

# Listed deviations; the rest is counted.
SHOWN = 200
SAMPLES = 20


class Deviations:
    """Gathers what differs."""

    def __init__(self):
        self.lines: list[str] = []

    def compare(self, where: str, expected, found) -> None:
        if expected != found:
            self.lines.append(f"{where}: expected {expected}, found {found}")


def number(value: dict, name: str) -> int:
    """A count; what does not occur may be left out."""
    found = value.get(name, 0)
    return 0 if found is None else found


def check_pairs(result: dict, truth: dict, deviations: Deviations) -> None:
    """What became of the records, and that nothing is lost in between."""
    found, expected = result.get("pairs", {}), truth["pairs"]
    for name, value in expected.items():
        if isinstance(value, dict):
            for side in ("legacy", "server"):
                deviations.compare(f"pairs.{name}.{side}", value[side], number(found.get(name) or {}, side))
        else:
            deviations.compare(f"pairs.{name}", value, number(found, name))
    both = number(found, "matched") + number(found, "conflicting")
    sums = {
        "legacy": ("legacyWithoutServer", "absorbed", "notComparable"),
        "server": ("serverWithoutLegacy", "serverOnlyEvents", "unknownEvents"),
    }
    for side, names in sums.items():
        total = both + sum(number(found, name) for name in names)
        total += sum(number(found.get(name) or {}, side) for name in ("duplicates", "rejected"))
        deviations.compare(f"sum of {side} records", truth["records"][side], total)


def check_types(result: dict, truth: dict, deviations: Deviations) -> None:
    """Which V1 message was told by which V2 notification, how often."""
    if "types" not in result:
        return
    found = {(cell["legacy"], cell["server"]): cell["count"] for cell in result["types"]}
    expected = {(cell["legacy"], cell["server"]): cell["count"] for cell in truth["types"]}
    for cell in sorted(set(found) | set(expected)):
        deviations.compare(f"types {cell[0]} as {cell[1]}", expected.get(cell, 0), found.get(cell, 0))


def check_fields(result: dict, truth: dict, deviations: Deviations) -> None:
    """Per path the number of pairs of each class; paths of V1 alone are not stated."""
    found = {entry["v2Path"]: entry for entry in result.get("fields", []) if entry.get("v2Path")}
    expected = {entry["v2Path"]: entry for entry in truth["fields"]}
    if len(found) != len([entry for entry in result.get("fields", []) if entry.get("v2Path")]):
        deviations.lines.append("fields: a v2Path has more than one entry")
    for path in sorted(set(found) | set(expected)):
        for word in CLASSES:
            deviations.compare(
                f"{path} {word}", number(expected.get(path, {}), word), number(found.get(path, {}), word)
            )


def check_entitlement(result: dict, truth: dict, deviations: Deviations) -> None:
    """Access, by either side."""
    if "entitlement" not in result:
        return
    for name, value in truth["entitlement"].items():
        if name == "conflicts" and "conflicts" not in result["entitlement"]:
            continue
        deviations.compare(f"entitlement.{name}", value, number(result["entitlement"], name))


def check_samples(result: dict, truth: dict, deviations: Deviations) -> None:
    """Samples point to planted records, say something, conflicts come first, and there are as many as can be."""
    planted = {
        (plant["v2Path"], plant["class"], plant["legacyRecord"], plant["serverRecord"])
        for plants in truth["plants"].values()
        for plant in plants
    }
    is_whole = truth["plantsAreWhole"]
    expected = {entry["v2Path"]: entry for entry in truth["fields"]}
    for entry in result.get("fields", []):
        path, samples = entry.get("v2Path"), entry.get("samples", [])
        if path is None or path not in expected:
            continue
        words = [sample["class"] for sample in samples]
        wanted = sum(expected[path][word] for word in CLASSES[2:])
        deviations.compare(f"{path} number of samples", min(SAMPLES, wanted), len(samples))
        deviations.compare(
            f"{path} conflicts among the samples", min(SAMPLES, expected[path][CONFLICT]), words.count(CONFLICT)
        )
        if words != sorted(words, key=lambda word: word != CONFLICT):
            deviations.lines.append(f"{path}: conflicts do not come first")
        for sample in samples:
            if not sample.get("explanation"):
                deviations.lines.append(f"{path}: a sample without an explanation")
            key = (path, sample["class"], sample["legacyRecord"], sample["serverRecord"])
            if sample["class"] == CONFLICT and is_whole and key not in planted:
                deviations.lines.append(f"{path}: a conflict that nobody planted, records {key[2]} and {key[3]}")


def main() -> None:
    names = [word for word in sys.argv[1:] if word != "--counts"]
    if len(names) != 2:
        sys.exit(__doc__)
    text = Path(names[0]).read_text(encoding="utf-8")
    result, truth = json.loads(text), json.loads(Path(names[1]).read_text(encoding="utf-8"))
    deviations = Deviations()
    deviations.compare("schema", 1, result.get("schema"))
    deviations.compare("verdict", truth["verdict"], result.get("verdict"))
    for check in (check_pairs, check_types, check_fields, check_entitlement):
        check(result, truth, deviations)
    if "--counts" not in sys.argv:
        check_samples(result, truth, deviations)
    for secret in truth["secrets"]:
        if secret in text:
            deviations.lines.append("the shared secret stands in the result")
    for line in deviations.lines[:SHOWN]:
        print(line)
    if len(deviations.lines) > SHOWN:
        print(f"and {len(deviations.lines) - SHOWN} more")
    compared = truth["pairs"]["matched"] + truth["pairs"]["conflicting"]
    planted = sum(truth["planted"].values())
    print(f"{compared} pairs, {planted} planted in {len(truth['planted'])} kinds: {len(deviations.lines)} deviations")
    sys.exit(1 if deviations.lines else 0)


if __name__ == "__main__":
    main()
