"""Readings that other messages settle: in every form of a run, and judged by simulated lives.

The truth comes first (life.py); messages and their V2 events follow from it. `--customers N` sets the size, and
`--stories N` prints so many lives in which something is wrong.
"""

import json
import random
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path

from harness import Suite, passed, require
from life import DAY, HOUR, Life, Message

CERTAIN = ("documented", "corroborated")


def options(parser: ArgumentParser) -> None:
    parser.add_argument("--customers", type=int, default=300, help="lives to simulate (default 300)")
    parser.add_argument("--stories", type=int, default=1, help="lives to print where readings are wrong (default 1)")


def name(event: dict) -> str:
    return event["notificationType"] + (f"/{event['subtype']}" if event.get("subtype") else "")


def is_wrong(line: dict, message: Message) -> bool:
    """The line's one reading is not what happened."""
    absorbed = line["migration"].get("absorbed")
    found = absorbed["into"] if absorbed else name(line)
    truth = message.truth
    if found == truth.event:
        return False if absorbed or not truth.is_companion else found not in truth.accepts
    return found not in truth.accepts


class Lives:
    def __init__(self, suite: Suite) -> None:
        self.suite, self.folder, self.options = suite, suite.folder, suite.options
        self.lives = {number: Life(number, self.options.seed) for number in range(self.options.customers)}
        self.messages = sorted((message for life in self.lives.values() for message in life.messages), key=lambda one: one.sent)
        self.told = 0

    def convert(self, messages: list[Message], *words: str, received: bool) -> list[dict]:
        source = self.folder / "archive.ndjson"
        with source.open("w") as file:
            for message in messages:
                row = {"received_at": message.sent, "body": message.body} if received else message.body
                file.write(json.dumps(row) + "\n")
        wrapped = ["--body", "/body", "--received-at", "/received_at"] if received else []
        text = self.suite.run("convert", "--quiet", *wrapped, *words, source).stdout
        lines = [json.loads(line) for line in text.splitlines()]
        require(len(lines) == len(messages), f"{len(lines)} lines of {len(messages)} messages")
        return lines

    def judge(self, messages: list[Message], lines: list[dict], what: str) -> None:
        """No certain reading is wrong, and no ambiguous one lacks the truth among its candidates."""
        wrong: Counter[str] = Counter()
        for message, line in zip(messages, lines):
            migration, truth = line["migration"], message.truth
            fault = None
            if migration["confidence"] in CERTAIN and is_wrong(line, message):
                fault = "settled" if "settled" in migration else migration["confidence"]
            elif migration["confidence"] == "ambiguous":
                candidates = {name(one) for one in migration["candidates"]}
                if not candidates & {truth.event, *truth.accepts}:
                    fault = "truth is no candidate"
            if fault is None:
                continue
            facts = ",".join(migration.get("settled", {}).get("facts", []))
            wrong[f"{fault}: {message.body['notification_type']} {migration['rule']} [{facts}] reads {name(line)}, is {truth.event}"] += 1
            if self.told < self.options.stories:
                self.told += 1
                print("\n".join(self.lives[message.customer].story), json.dumps(message.body), json.dumps(migration), sep="\n")
        passed(len(messages))
        require(not wrong, f"{what}:\n" + "\n".join(f"{count:6} {words}" for words, count in wrong.most_common(40)))

    def alone(self, received: bool) -> str:
        """Each record by itself."""
        lines = self.convert(self.messages, received=received)
        self.judge(self.messages, lines, "single records")
        kinds = Counter(line["migration"]["confidence"] for line in lines)
        return ", ".join(f"{kinds[kind]} {kind}" for kind in ("documented", "corroborated", "inferred", "ambiguous"))

    def whole(self, received: bool, *words: str) -> str:
        """With all messages at most a tenth of the ambiguous readings is left."""
        before = self.convert(self.messages, received=received)
        after = self.convert(self.messages, "--settle", *words, received=received)
        self.judge(self.messages, after, "the whole archive")
        # Where Apple documents no single answer, no message can decide.
        first, second = (
            [line for message, line in zip(self.messages, lines) if line["migration"]["confidence"] == "ambiguous" and not message.truth.accepts]
            for lines in (before, after)
        )
        left: Counter[str] = Counter()
        for message, line in zip(self.messages, after):
            if line["migration"]["confidence"] == "ambiguous" and not message.truth.accepts:
                left[f"{line['migration']['rule']} is {message.truth.event}"] += 1
        self.left = left
        words = f"ambiguous {len(first)} -> {len(second)}"
        if self.options.stories > 1:
            print("\n".join(f"{count:6} {words}" for words, count in left.most_common(25)))
        return words

    def settled(self) -> str:
        """The owner's word that nothing is missing settles most of the rest."""
        span = f"{min(one.sent for one in self.messages) - 90 * DAY}..{max(one.sent for one in self.messages) + 90 * DAY}"
        words = self.whole(True, "--complete", span)
        before, after = (int(part) for part in words.removeprefix("ambiguous ").split(" -> "))
        # A share of few lines says nothing.
        require(before < 100 or after * 10 <= before, words + "\n" + "\n".join(f"{count:6} {rule}" for rule, count in self.left.most_common(20)))
        return words

    def missing(self, share: float) -> str:
        """Messages are lost, repeated, late and out of order: readings may stay open, and none is wrong."""
        chance = random.Random(f"{self.options.seed}-{share}")
        kept = [message for message in self.messages if chance.random() >= share]
        kept += [message for message in kept if chance.random() < 0.1]
        order = [(message.sent + chance.choice([0, 0, 0, 6 * HOUR, 30 * HOUR]), place) for place, message in enumerate(kept)]
        kept = [kept[place] for _, place in sorted(order)]
        lines = self.convert(kept, "--settle", received=share < 0.5)
        self.judge(kept, lines, f"{share:.0%} of the messages missing")
        return f"{len(kept)} messages, {sum('settled' in line['migration'] for line in lines)} settled"


    def same(self) -> str:
        """Standard input, workers, several sources, a checkpoint, signing and grouping change no reading."""
        source, target = self.folder / "archive.ndjson", self.folder / "out.ndjson"
        source.write_text("".join(json.dumps(message.body) + "\n" for message in self.messages))
        wanted = self.suite.run("convert", "--quiet", "--settle", "--jobs", "1", source).stdout
        require(wanted.count('"settled"') > 10, "nothing is settled")
        require(self.suite.run("convert", "--quiet", "--settle", "--jobs", "2", source).stdout == wanted, "--jobs changes the output")
        piped = self.suite.run("convert", "--quiet", "--settle", "-", text=source.read_text()).stdout
        require(piped == wanted, "standard input changes the output")
        checkpoint = self.folder / "run.json"
        words = ["convert", "--quiet", "--settle", source, "--to", target, "--checkpoint", checkpoint, "--checkpoint-every", "1"]
        self.suite.run(*words)
        require(target.read_text() == wanted, "a checkpoint changes the output")
        self.suite.run(*words, "--resume")
        other = self.suite.run(*[word for word in words if word != "--settle"], "--resume", status=2)
        require("options" in other.stderr, other.stderr)
        identity = self.folder / "identity"
        self.suite.run("identity", "--quiet", identity)
        signed = self.suite.run("convert", "--quiet", "--settle", "--sign", identity, source).stdout
        require(signed.count("signedPayload") == wanted.count("\n"), "a signed line is missing")
        grouped = self.suite.run("convert", "--quiet", "--settle", "--group", source, "--summary", self.folder / "sum.json")
        require('"settled"' in grouped.stdout, "grouping loses settled readings")
        summary = json.loads((self.folder / "sum.json").read_text())
        require(summary["ambiguousBefore"] > summary["ambiguous"], str(summary))
        store = self.folder / "store.sqlite"
        self.suite.run("convert", "--quiet", "--settle", source, "--to", store, "--execute")
        once = self.suite.run("timeline", "--quiet", source).stdout
        require(self.suite.run("timeline", "--quiet", store).stdout == once, "a store and its archive differ")
        half = len(self.messages) // 2
        parts = [self.folder / "a.ndjson", self.folder / "b.ndjson"]
        for part, messages in zip(parts, (self.messages[:half], self.messages[half:])):
            part.write_text("".join(json.dumps(message.body) + "\n" for message in messages))
        both = [json.loads(line) for line in self.suite.run("convert", "--quiet", "--settle", *parts).stdout.splitlines()]
        whole = [json.loads(line) for line in wanted.splitlines()]
        require([name(line) for line in both] == [name(line) for line in whole], "two sources settle otherwise")
        sources = {one["source"] for line in both for one in line["migration"].get("settled", {}).get("by", [])}
        require(sources == {str(part) for part in parts}, f"witnesses name {sources}")
        return f"{wanted.count(chr(10))} lines"

    def compared(self) -> str:
        """`parity --settle` holds V2 to the settled reading; without it, each candidate is accepted."""
        source, server = self.folder / "archive.ndjson", self.folder / "server.ndjson"
        lines = [json.loads(line) for line in self.suite.run("convert", "--quiet", "--settle", source).stdout.splitlines()]
        place = next(
            place for place, line in enumerate(lines)
            if line["migration"]["rule"] == "type.DID_RENEW.gap" or line["migration"].get("settled", {}).get("from") == "ambiguous"
            and "absorbed" not in line["migration"] and len(line["migration"]["candidates"]) > 1
        )
        other = next(one for one in lines[place]["migration"]["candidates"] if name(one) != name(lines[place]))
        changed = {"notificationType": other["notificationType"], **({"subtype": other["subtype"]} if "subtype" in other else {})}
        lines[place] = {**{key: value for key, value in lines[place].items() if key not in ("notificationType", "subtype")}, **changed}
        server.write_text("".join(json.dumps({key: value for key, value in line.items() if key != "migration"}) + "\n" for line in lines))
        fields = {}
        for words in ([], ["--settle"]):
            report = self.suite.run("parity", "--format", "json", "--legacy", source, "--server", server, *words, status=(0, 1)).stdout
            found = {field.get("v2Path"): field for field in json.loads(report)["fields"]}
            fields[bool(words)] = sum(found[path]["conflict"] for path in ("notificationType", "subtype") if path in found)
        require(fields[True] > fields[False], f"conflicts of type and subtype: {fields}")
        return f"{fields[False]} -> {fields[True]} conflicts"

    def refused(self) -> str:
        """What is wrong about --complete is said, with what to write."""
        for words in (["--complete", "2021-01-01..2021-02-01"], ["--settle", "--complete", "2021"], ["--settle", "--complete", "2022-01-01..2021-01-01"]):
            outcome = self.suite.run("convert", *words, self.folder / "archive.ndjson", status=2)
            require("--complete" in outcome.stderr, outcome.stderr)
        return ""


def run(suite: Suite) -> None:
    lives = Lives(suite)
    suite.part("same", lives.same)
    suite.part("compared", lives.compared)
    suite.part("refused", lives.refused)
    suite.part("alone", lives.alone, True)
    suite.part("aloneUndated", lives.alone, False)
    suite.part("whole", lives.whole, False)
    suite.part("complete", lives.settled)
    for share in (0.05, 0.3, 0.7):
        suite.part(f"missing{int(share * 100)}", lives.missing, share)
