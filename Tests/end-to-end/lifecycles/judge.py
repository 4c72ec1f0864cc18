"""Compares what slipcast writes with the truth."""

import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from time import gmtime, strftime

from archive import Archive, Delivery
from harness import ROOT, Failure, passed
from silence import Silence

SURE = ("documented", "corroborated")


def accepted() -> dict[str, list[str]]:
    """The other readings that each rule accepts."""
    found: dict[str, list[str]] = {}
    for path in sorted((ROOT / "Mappings/rules/notification-types").glob("*.json")):
        for rule in json.loads(path.read_text())["rules"]:
            found[rule["id"]] = rule.get("accepts", [])
    return found


def name_of(entry: dict) -> str:
    kind, subtype = entry["notificationType"], entry.get("subtype")
    return f"{kind}/{subtype}" if subtype else kind


@dataclass(frozen=True)
class Reading:
    """What a line says of its record."""

    name: str
    rule: str
    confidence: str
    into: str | None
    candidates: tuple[str, ...]
    accepts: tuple[str, ...]
    is_settled: bool
    original: str | None

    @staticmethod
    def of(line: dict) -> "Reading":
        migration = line["migration"]
        return Reading(
            name_of(line), migration["rule"], migration["confidence"], (migration.get("absorbed") or {}).get("into"),
            tuple(name_of(one) for one in migration.get("candidates", ())),
            tuple(name_of(one) for one in migration.get("accepts", ())), "settled" in migration,
            line["data"].get("transactionInfo", {}).get("originalTransactionId"),
        )  # fmt: skip

    def is_right(self, record: Delivery) -> bool:
        """The type is the event's; a companion may be named as one, an event's only message may not."""
        truth = record.message
        if self.into is not None:
            return truth.absorbed and self.into == truth.event.name
        return self.name in truth.event.names

    def told(self) -> str:
        words = f"{self.name} ({self.confidence}, {self.rule})"
        if self.into:
            words += f" absorbed into {self.into}"
        if self.is_settled:
            words += " settled"
        return words + (f" candidates {', '.join(self.candidates)}" if self.candidates else "")


@dataclass
class Judgment:
    """Counts of one run, and the lines that are wrong."""

    archive: Archive
    readings: list[Reading]
    wrong: list[int] = field(default_factory=list)
    missing: list[int] = field(default_factory=list)
    ambiguous: Counter = field(default_factory=Counter)
    inferred: Counter = field(default_factory=Counter)
    counts: Counter = field(default_factory=Counter)

    def judge(self) -> "Judgment":
        rules, silence = accepted(), Silence(self.archive)
        for at, (reading, record) in enumerate(zip(self.readings, self.archive.records, strict=True)):
            event = record.message.event
            self.counts[reading.confidence] += 1
            if reading.is_settled:
                self.counts["settled"] += 1
            if reading.confidence == "ambiguous":
                truth = event.name + (" (companion)" if record.message.absorbed else "")
                truth += " (open)" if record.message.is_open else ""
                is_silent = not record.message.is_open and silence.covers(record)
                self.counts["silent"] += is_silent
                self.counts["decidable"] += not (record.message.is_open or is_silent)
                truth += " (silent)" if is_silent else ""
                self.ambiguous[record.message.kind, reading.rule, reading.candidates, truth] += 1
                if not event.names.intersection(reading.candidates):
                    self.missing.append(at)
            elif reading.confidence in SURE or reading.is_settled:
                if not reading.is_right(record) and not self.is_refund_lost(record):
                    self.wrong.append(at)
            else:
                others = {*rules.get(reading.rule, ()), *reading.candidates, *reading.accepts}
                is_accepted = not others.isdisjoint(event.names)
                word = "right" if reading.is_right(record) else "accepted" if is_accepted else "wrong"
                self.inferred[word, reading.rule, event.name if word != "right" else ""] += 1
        return self

    def is_refund_lost(self, record: Delivery) -> bool:
        """The event before is a refund that no message tells any more: the period seems to run on, and what ran outranks
        the absence of a message (evidence.md §11)."""
        event = record.message.event
        before = [one for one in record.customer.events if one.at < event.at and one.original == event.original]
        if not before or before[-1].name != "REFUND":
            return False
        return all(one.message.event is not before[-1] for one in self.archive.records)

    @property
    def inferred_words(self) -> Counter:
        found: Counter = Counter()
        for (word, _, _), count in self.inferred.items():
            found[word] += count
        return found

    def require_sound(self, what: str, shown: str) -> None:
        """No line that claims certainty is wrong, and no ambiguous line lacks the truth; tells faults that contain the
        shown words."""
        passed(len(self.readings))
        if not self.wrong and not self.missing:
            return
        words = [f"{what}: {len(self.wrong)} sure lines are wrong, {len(self.missing)} ambiguous lines lack the truth"]
        faults = {at: self.fault(at) for at in self.wrong + self.missing if shown in self.fault(at)}
        words += [f"  {count} times {line}" for line, count in Counter(faults.values()).most_common(20)]
        words += [self.story(at) for at in list(faults)[:3]]
        raise Failure("\n".join(words))

    def fault(self, at: int) -> str:
        message = self.archive.records[at].message
        words = f"{message.kind}: {self.readings[at].told()}; truth {message.event.name}"
        return words + (" (companion)" if message.absorbed else "")

    # MARK: words for people

    def story(self, at: int) -> str:
        """The whole life of the customer of a record, the record marked."""
        record = self.archive.records[at]
        customer = record.customer
        lines = [
            (event.at, 0, f"  {event.number:3} {event.name} of {event.original}, transaction {event.transaction}")
            for event in customer.events
        ]
        for other, one in enumerate(self.archive.records):
            if one.customer is customer:
                mark = ">>" if other == at else "  "
                words = f"{mark}    {one.message.kind} for {one.message.event.number}"
                words += " (companion)" if one.message.absorbed else ""
                words += f", written {_time(one.message.composed)}" + (", repeated" if one.is_repeat else "")
                lines.append((one.message.at, 1, f"{words}: {self.readings[other].told()}"))
        told = "\n".join(f"  {_time(time)} {words}" for time, _, words in sorted(lines))
        return f"record {at + 1}, customer {customer.number} of {self.archive.name}:\n{told}\n  {record.text}"


def _time(milliseconds: int) -> str:
    return strftime("%Y-%m-%d %H:%M:%S", gmtime(milliseconds // 1000))


def read(archive: Archive, path: Path) -> Judgment:
    """The lines of a run, one for each record in input order."""
    with path.open() as file:
        readings = [Reading.of(json.loads(line)) for line in file]
    if len(readings) != len(archive.records):
        raise Failure(f"{len(readings)} lines for {len(archive.records)} records")
    return Judgment(archive, readings).judge()
