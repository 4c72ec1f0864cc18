"""What a timeline says between the messages, held to the V2 events of the simulated lives."""

import json
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from archive import Archive
from harness import Suite, require
from model import DAY, HOUR, Event

SURE = ("documented", "corroborated")
# Apple charges a renewal up to a day before the period begins, and sends what ends a period soon after.
NEAR = 26 * HOUR


@dataclass
class Told:
    """The gaps and the intervals of an archive, and those that are wrong."""

    gaps: Counter = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def words(self) -> str:
        sure = sum(count for (_, is_sure), count in self.gaps.items() if is_sure)
        return f"{self.gaps.total()} gaps, {sure} of them sure"


def events(archive: Archive) -> dict[str, list[Event]]:
    found = defaultdict(list)
    for customer in archive.customers:
        for event in customer.events:
            found[str(event.original)].append(event)
    return found


def fits(gap: dict, event: Event) -> bool:
    """The event may be the one that the gap tells: its name, and its time as far as the gap states it."""
    readings = gap.get("candidates") or [{"notificationType": gap["notificationType"], "subtype": gap.get("subtype")}]
    names = {"/".join(filter(None, (one["notificationType"], one.get("subtype")))) for one in readings}
    if not event.names & names:
        return False
    early, late = event.at < gap["time"] - NEAR, event.at > gap["time"] + NEAR
    return not {"exact": early or late, "latest": late, "earliest": early}[gap["timeIs"]]


def read(suite: Suite, archive: Archive, folder: Path, name: str, *words: str) -> Told:
    """The timeline of an archive, with the intervals beside it."""
    source, states = archive.write(folder / f"{name}.ndjson"), folder / f"{name}.states.ndjson"
    rows = ["--body", "/body", "--received-at", "/receivedAt", "--id", "/id"] if archive.has_rows else []
    entries = suite.run("timeline", "--quiet", "--format", "json", *rows, *words, "--states", states, source).stdout
    truth, told = events(archive), Told()
    for line in entries.splitlines():
        entry = json.loads(line)
        if entry["kind"] != "gap":
            continue
        is_sure = entry["confidence"] in SURE
        told.gaps["/".join(filter(None, (entry["notificationType"], entry.get("subtype")))), is_sure] += 1
        original = entry.get("originalTransactionId", "")
        if is_sure and not any(fits(entry, event) for event in truth[original]):
            told.wrong.append(f"{original}: {line[:400]}")
    last: dict = {}
    for line in states.read_text().splitlines():
        one = json.loads(line)
        before = last.get("validTo") if one.get("originalTransactionId") == last.get("originalTransactionId") else 0
        require(before is not None and before <= one["validFrom"], f"intervals overlap: {last} {one}")
        require(one.get("validTo") is None or one["validFrom"] < one["validTo"], f"an interval ends before it begins: {one}")
        last = one
    source.unlink()
    states.unlink()
    return told


def require_sound(told: Told, archive: Archive, what: str) -> None:
    truth = events(archive)
    stories = []
    for line in told.wrong[:5]:
        lives = sorted(truth[line.split(":")[0]], key=lambda event: event.at)
        stories.append(f"{line}\n    " + ", ".join(f"{event.name} {event.at}" for event in lives))
    require(not told.wrong, "\n  ".join([f"{what}: {len(told.wrong)} sure gaps are wrong", *stories]))
