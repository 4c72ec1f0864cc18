"""Lives of subscriptions: the truth is made first, then V1 archives from it, and slipcast reads the archives.

Each part is KIND/CHECK: `--only refunds` runs all checks of one kind of life, `--only refunds/convert` one of them.
convert: no documented or corroborated line is wrong, and every ambiguous line has the truth among its candidates.
settle: no settled line is wrong on a complete archive whose owner does not say that it is complete.
complete: where the owner says so, at most a tenth of the ambiguous lines remain, and no settled line is wrong. Lines
whose reading depends on what Apple does not document, or on what V1 did not tell then (silence.py), are counted
separately: nothing in an archive can settle them. Small runs have few ambiguous lines, and are held to a sixth.
lost-…: on an archive in which messages are missing no settled line is wrong, and no gap of the timeline that is sure.
timeline: every gap that is sure is an event that V2 sent; the intervals of the states do not overlap, and customers had
access, or not, as the sure ones say. The same holds of lost-….
forms/…: the form of a run changes no settled line (forms.py).
"""

import json
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path

import archive
import forms
import judge
import timelines
from archive import Archive
from harness import Skipped, Suite, chance, require
from judge import Judgment
from kinds import KINDS

LOSSES = {"lost-5": 0.05, "lost-30": 0.3, "lost-70": 0.7, "lost-bursts": 0.0}


def options(parser: ArgumentParser) -> None:
    parser.add_argument("--customers", type=int, default=40, help="customers of each kind (default 40)")
    parser.add_argument("--write", type=Path, metavar="DIR", help="write archives, truth and V2 events there")
    parser.add_argument("--fault", default="", metavar="WORDS", help="tell only failures whose line contains the words")
    parser.add_argument("--table", type=Path, metavar="FILE", help="write a table of the ambiguous lines there")


class Parts:
    """The checks of one kind of life; the archive is made once."""

    def __init__(self, suite: Suite, name: str) -> None:
        self.suite, self.name = suite, name
        self.folder = suite.folder / name
        self.archive: Archive | None = None
        self.before: Judgment | None = None

    def made(self) -> Archive:
        if self.archive is None:
            options = self.suite.options
            self.folder.mkdir(exist_ok=True)
            self.archive = archive.make(self.name, options.seed, options.customers)
            if options.write:
                self.archive.write_truth(options.write)
        return self.archive

    def judged(self, records: Archive, name: str, *words: str) -> Judgment:
        source, target = records.write(self.folder / f"{name}.ndjson"), self.folder / f"{name}.v2.ndjson"
        rows = ["--body", "/body", "--received-at", "/receivedAt", "--id", "/id"] if records.has_rows else []
        self.suite.run("convert", "--quiet", *rows, *words, "--to", target, source, folder=self.folder)
        found = judge.read(records, target)
        source.unlink()
        target.unlink()
        return found

    def convert(self) -> str:
        records = self.made()
        found = self.before = self.judged(records, "convert")
        found.require_sound("convert", self.suite.options.fault)
        return told(found)

    def settle(self) -> str:
        if not settles(self.suite):
            raise Skipped("the program has no --settle")
        return self.settled("settle")

    def complete(self) -> str:
        if not settles(self.suite):
            raise Skipped("the program has no --settle")
        return self.settled("complete", "--complete", self.made().span())

    def settled(self, name: str, *words: str) -> str:
        before = self.before or self.judged(self.made(), "before")
        found = self.judged(self.made(), name, "--settle", *words)
        found.require_sound(" ".join(["convert --settle", *words]), self.suite.options.fault)
        was, remain = before.counts["decidable"], found.counts["decidable"]
        if KINDS[self.name].is_common:
            self.suite.totals[name] += remain
            if words:
                self.suite.remaining += found.ambiguous
                self.suite.totals["was"] += was
            self.suite.totals["silent"] += found.counts["silent"] if words else 0
        return f"ambiguous {was} → {remain}; {told(found)}"

    def lost(self, check: str) -> str:
        if not settles(self.suite):
            raise Skipped("the program has no --settle")
        rng = chance("lost", self.name, check, self.suite.options.seed)
        lost = archive.losses(self.made(), LOSSES[check], rng, burst=check == "lost-bursts")
        found = self.judged(self.made().without(lost), check, "--settle")
        what = f"convert --settle, {len(lost)} of {len(self.made().records)} records missing"
        found.require_sound(what, self.suite.options.fault)
        kept = self.made().without(lost)
        gaps = timelines.read(self.suite, kept, self.folder, check)
        timelines.require_sound(gaps, kept, f"timeline, {len(lost)} of {len(self.made().records)} records missing")
        return f"{told(found)}; {gaps.words()}"

    def timeline(self) -> str:
        found = timelines.read(self.suite, self.made(), self.folder, "timeline", "--complete", self.made().span())
        timelines.require_sound(found, self.made(), "timeline")
        return found.words()


def settles(suite: Suite) -> bool:
    if not hasattr(suite, "has_settle"):
        suite.has_settle = "--settle" in suite.run("help", "convert").stdout
    return suite.has_settle


def told(found: Judgment) -> str:
    counts, words = found.counts, found.inferred_words
    sure = sum(counts[one] for one in judge.SURE)
    text = f"{len(found.readings)} records: {sure} sure, {counts['ambiguous']} ambiguous, {counts['inferred']} inferred"
    text += f" ({words['right']} right, {words['accepted']} accepted, {words['wrong']} wrong)"
    return text + (f", {counts['settled']} settled" if counts["settled"] else "")


def tenth(suite: Suite) -> str:
    """The target holds for all kinds together."""
    if not settles(suite):
        raise Skipped("the program has no --settle")
    was, remain = suite.totals["was"], suite.totals["complete"]
    left = {key: count for key, count in suite.remaining.items() if not key[-1].endswith(("(open)", "(silent)"))}
    lines = [f"  {count} {key}" for key, count in Counter(left).most_common(20)]
    share = 10 if was >= 2000 else 6
    failure = [f"ambiguous {was} → {remain}, more than 1 of {share}", *lines]
    require(was < 100 or remain * share <= was, "\n".join(failure))
    text = f"ambiguous {was} → {remain}, and {suite.totals['silent']} about which V1 was silent"
    return f"{text}; {suite.totals['settle']} where the archive is not known to be complete"


def run(suite: Suite) -> None:
    suite.remaining, suite.totals = Counter(), Counter()
    tables = []
    for name in KINDS:
        parts = Parts(suite, name)
        suite.part(f"{name}/convert", parts.convert)
        suite.part(f"{name}/settle", parts.settle)
        suite.part(f"{name}/complete", parts.complete)
        suite.part(f"{name}/timeline", parts.timeline)
        for check in LOSSES:
            suite.part(f"{name}/{check}", parts.lost, check)
        if parts.before:
            tables.append((name, parts.before))
    forms.run(suite)
    if not suite.options.only:
        suite.part("all/complete", tenth, suite)
    if suite.options.table:
        write_table(suite.options.table, tables)


def write_table(path: Path, tables: list[tuple[str, Judgment]]) -> None:
    """What stays ambiguous, and which inferred readings are wrong, as JSON: the most frequent first."""
    ambiguous: Counter = Counter()
    inferred: Counter = Counter()
    for _, found in tables:
        ambiguous += found.ambiguous
        inferred += found.inferred
    rows = [
        {"count": count, "v1": key[0], "rule": key[1], "candidates": key[2], "truth": key[3]}
        for key, count in ambiguous.most_common()
    ]
    others = [
        {"count": count, "reading": key[0], "rule": key[1], "truth": key[2]} for key, count in inferred.most_common()
    ]
    path.write_text(json.dumps({"ambiguous": rows, "inferred": others}, indent=1))
