"""What several commands say of one archive: about no message do they contradict each other.

`convert --settle`, `convert --settle --group` and `timeline` read the same archive. A message is either an event or part
of one, everywhere. A reading that other messages settle holds in all three; of any other, a part of an event fits, or
the event is not sure. Messages are compared by their ids, so two events must not share one.
"""

import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from archive import Archive
from harness import Suite, require
from judge import SURE, Reading, name_of


@dataclass
class Compared:
    """The messages of one archive, and the contradictions about them."""

    counts: Counter = field(default_factory=Counter)
    found: list[str] = field(default_factory=list)

    def words(self) -> str:
        counts = self.counts
        return f"{counts['messages']} messages: {counts['event']} events, {counts['companion']} parts of them"


def whole(name: str) -> str:
    """An upgrade or a return, with or without an offer: parts of it need not show the offer."""
    return name.split("/")[-1] if name.endswith(("/UPGRADE", "/RESUBSCRIBE")) else name


@dataclass(frozen=True)
class Entry:
    """An event as the timeline has it."""

    name: str
    confidence: str

    @staticmethod
    def of(line: dict) -> "Entry":
        return Entry(name_of(line), line["confidence"])


def possible(reading: Reading) -> set[str]:
    """The events that a line leaves open, or the one that it reports."""
    is_open = reading.confidence not in SURE and not reading.is_settled
    return {reading.name, *(reading.candidates if is_open else ()), *(reading.accepts if is_open else ())}


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def read(suite: Suite, archive: Archive, folder: Path, name: str, *words: str) -> Compared:
    source = archive.write(folder / f"{name}.ndjson")
    rows = ["--body", "/body", "--received-at", "/receivedAt", "--id", "/id"] if archive.has_rows else []
    targets = {kind: folder / f"{name}.{kind}.ndjson" for kind in ("settled", "grouped", "told")}
    suite.run("convert", "--quiet", "--settle", *rows, *words, "--to", targets["settled"], source)
    suite.run("convert", "--quiet", "--settle", "--group", *rows, *words, "--to", targets["grouped"], source)
    suite.run("timeline", "--quiet", "--format", "json", *rows, *words, "--to", targets["told"], source)
    compared = compare(*(lines(path) for path in targets.values()))
    for path in (source, *targets.values()):
        path.unlink()
    return compared


def compare(settled: list[dict], grouped: list[dict], told: list[dict]) -> Compared:
    events = {line["notificationUUID"]: Entry.of(line) for line in told if line["kind"] == "event"}
    leads = {line["notificationUUID"]: line["lead"] for line in told if line["kind"] == "companion"}
    groups = {line["notificationUUID"]: Reading.of(line) for line in grouped}
    compared, seen = Compared(), {}
    for line in settled:
        uuid, reading = line["notificationUUID"], Reading.of(line)
        compared.counts["messages"] += 1
        other = seen.setdefault(uuid, reading)
        if other.name != reading.name:
            compared.found.append(f"{uuid}: two events with one id: {other.told()}, {reading.told()}")
        if uuid in events:
            compared.counts["event"] += 1
            compared.found += about(uuid, reading, events[uuid], groups.get(uuid))
        elif uuid in leads:
            compared.counts["companion"] += 1
            lead = events.get(leads[uuid])
            if lead is None or uuid in groups or not may_be_part(reading, lead):
                compared.found.append(f"{uuid}: {reading.told()}, but part of {lead}; grouped {groups.get(uuid)}")
        else:
            compared.found.append(f"{uuid}: in no timeline: {reading.told()}")
    return compared


def may_be_part(reading: Reading, lead: Entry) -> bool:
    """A message that others show to report another event is part of none; an event that may have lost a message to
    another one says so by its confidence."""
    if not reading.is_settled and lead.confidence not in SURE:
        return True
    return whole(lead.name) in {whole(one) for one in possible(reading)}


def about(uuid: str, reading: Reading, event: Entry, group: Reading | None) -> list[str]:
    """The contradictions about a message that the timeline has as an event."""
    found = []
    if event.name not in possible(reading):
        found.append(f"{uuid}: {reading.told()}, but {event} in the timeline")
    if group is None or (group.name, group.confidence) != (event.name, event.confidence):
        found.append(f"{uuid}: {event} in the timeline, but {group and group.told()} with --group")
    return found


def require_agreement(compared: Compared, what: str) -> None:
    require(not compared.found, "\n  ".join([f"{what}: {len(compared.found)} contradictions", *compared.found[:5]]))
