"""Every command with every form: each is read as its plain form is, or refused in words that name it and say what to do."""

import base64
import json
import os
import re
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import kinds
from harness import FIXTURES, ROOT, Outcome, Suite, each, require
from kinds import ID, SECRET, Kind

TABLE = ROOT / "Examples" / "forms.md"
V1, V2 = ("notification1", "answer1", "receipt"), ("notification2", "page2", "transaction2", "renewal2", "history2", "statuses2")
VERSION2 = "version 2"
NO_EVENT = "which is not an event"


@dataclass
class Command:
    """A command, and what it says of the kinds of records that it does not read."""

    name: str
    words: Callable[["Commands", Path, Kind], list[Any]]
    right: Callable[[Outcome, Kind], bool]
    """The record was read, and what was made of it is right."""
    refused: dict[str, str]


def parsed(outcome: Outcome) -> list[Any]:
    return [json.loads(one) for one in outcome.stdout.splitlines() if one.strip()]


def converted(outcome: Outcome, kind: Kind) -> bool:
    line = parsed(outcome)[0]
    if kind.what == "notification1":
        data = line["data"]
        return (line["notificationType"], line["subtype"], data["transactionInfo"]["transactionId"]) == ("SUBSCRIBED", "INITIAL_BUY", ID)
    found = {one["transactionId"] for each in parsed(outcome) for one in each["transactions"]}
    return bool(found) if kind.what == "receipt" else ID in found


def whole(outcome: Outcome) -> dict[str, Any]:
    return json.loads(outcome.stdout)


def has(finding: str, notes: list[dict[str, Any]]) -> bool:
    return finding in ("", "partialAnswer") or any(note["code"] == finding for note in notes)


def differing(outcome: Outcome, kind: Kind) -> bool:
    return outcome.status == 0 and whole(outcome)["verdict"] == "parity" and has(kind.finding, whole(outcome).get("notes", []))


def paired(outcome: Outcome, kind: Kind) -> bool:
    found = whole(outcome)
    return outcome.status == 0 and found["pairs"]["matched"] >= 1 and has(kind.finding, found.get("notes", []))


INSPECTED = {
    "notification1": ("notificationV1",), "answer1": ("verifyReceipt",), "receipt": ("appReceipt",),
    "notification2": ("notification",), "page2": ("answer",), "transaction2": ("transaction", "answer"),
    "renewal2": ("renewalInfo",), "history2": ("history",), "statuses2": ("statuses",),
}  # fmt: skip


def inspected(outcome: Outcome, kind: Kind) -> bool:
    first = parsed(outcome)[0]
    return first["kind"] in INSPECTED[kind.what] or kind.what == "receipt" and "receipt-data" in str(first)


def verified(outcome: Outcome, kind: Kind) -> bool:
    return outcome.status == 0 and all(one["verdict"] == "valid" for one in parsed(outcome))


def drawn(outcome: Outcome, kind: Kind) -> bool:
    return "SUBSCRIBED" in outcome.stdout and ID in outcome.stdout


def sent(outcome: Outcome, kind: Kind) -> bool:
    return "1 requests go to" in outcome.stderr and outcome.status == 0


def signed(outcome: Outcome, kind: Kind) -> bool:
    return outcome.status == 0 and "signed" in str(parsed(outcome)[0])


def asked(outcome: Outcome, kind: Kind) -> bool:
    return outcome.status == 0 and "1 customers" in outcome.stderr


def exported(outcome: Outcome, kind: Kind) -> bool:
    """A renewal info alone names no purchase."""
    found = re.search(r"^subscriptions +(\d+)$", outcome.stderr, re.MULTILINE)
    return outcome.status == 0 and found is not None and (found[1] != "0") == (kind.what != "renewal2")


def answered(outcome: Outcome, kind: Kind) -> bool:
    """The sources of `--v2` are read as `--emit verify-receipt` reads them."""
    lists = ("latest_receipt_info", "pending_renewal_info")
    return outcome.status == 0 and any(one.get(name) for one in parsed(outcome) for name in lists)


def stored(outcome: Outcome, kind: Kind) -> bool:
    """A store takes both versions, and says of each whose it is; a renewal info alone is of no transaction."""
    with sqlite3.connect(f"file:{Commands.store(outcome)}?mode=ro", uri=True) as store:
        origin = [one for one, in store.execute('select origin from "both"')]
        ids = {one for one, in store.execute("select transactionId from transactions")}
        codes = {one for one, in store.execute("select code from findings")}
    wanted = "v1" if kind.what in V1 else "v2"
    isThere = bool(ids) if kind.what == "receipt" else (ID in ids) == (kind.what != "renewal2")
    return outcome.status == 0 and set(origin) == {wanted} and isThere and kind.finding in ("", "partialAnswer", *codes)


def refusing(text: str, *whats: str) -> dict[str, str]:
    return {what: text for what in whats}


NOTHING_SIGNED = "no known name has a signed value"
COMMANDS = [
    Command("convert", lambda at, file, kind: ["convert", file, *kind.words], converted,
            refusing("it needs no conversion", *V2)),
    Command("convert --to STORE", lambda at, file, kind: ["convert", file, *kind.words, "--to", f"{file}.sqlite", "--execute"], stored, {}),
    Command("diff LEGACY", lambda at, file, kind: ["diff", "--format", "json", file, at.partner(kind, True)], differing, {}),
    Command("diff SERVER", lambda at, file, kind: ["diff", "--format", "json", at.partner(kind, False), file], differing,
            refusing("version 1 record", *V1)),
    Command("parity --legacy", lambda at, file, kind: ["parity", "--format", "json", "--legacy", file, "--server", at.partner(kind, True), *kind.words],
            paired, refusing("renewal info", "renewal2")),
    Command("parity --server", lambda at, file, kind: ["parity", "--format", "json", "--legacy", at.partner(kind, False), "--server", file, *(
        word.replace("--body", "--server-body") for word in kind.words)], paired,
            {**refusing("version 1 record", *V1), "renewal2": "renewal info"}),
    Command("inspect", lambda at, file, kind: ["inspect", "--format", "json", file, *kind.words], inspected, {}),
    Command("verify", lambda at, file, kind: ["verify", "--format", "json", *at.roots, file, *kind.words], verified,
            refusing(NOTHING_SIGNED, "notification1", "answer1")),
    Command("timeline", lambda at, file, kind: ["timeline", "--format", "json", file, *kind.words], drawn,
            {**refusing("it needs no conversion", *V2), **refusing(NO_EVENT, "answer1", "receipt")}),
    Command("replay", lambda at, file, kind: ["replay", "--to", "http://127.0.0.1:9/", "--sign", at.identity, file, *kind.words], sent,
            refusing("expected a notification", "answer1", "receipt", "transaction2", "renewal2", "history2", "statuses2")),
    Command("sign", lambda at, file, kind: ["sign", at.identity, file], signed,
            {**refusing("version 1 record", "notification1", "answer1"), "receipt": "version ", "page2": "something signed"}),
    Command("convert --emit verify-receipt", lambda at, file, kind: ["convert", "--emit", "verify-receipt", *at.roots, file, *kind.words], answered, {}),
    Command("fetch history", lambda at, file, kind: ["fetch", "history", "--bundle-id", kinds.BUNDLE, file, *kind.words], asked, {}),
    Command("export", lambda at, file, kind: ["export", "--for", "purchasely", "--environment", "all", "--to", "-", *at.roots, file, *kind.words], exported, {}),
]  # fmt: skip
WITHOUT_BODY = {"diff LEGACY", "diff SERVER", "sign"}
"""These read the record itself, not rows."""


class Commands:
    """The table of commands and forms."""

    def __init__(self, suite: Suite) -> None:
        self.suite, self.folder = suite, suite.folder / "commands"
        self.folder.mkdir()
        self.identity = self.folder / "identity"
        suite.run("identity", self.identity)
        receipts = FIXTURES / "receipts" / "signed"
        self.receipt = base64.b64decode((receipts / "app-production" / "receipt.base64").read_text())
        self.roots = ["--root", self.identity / "root.der", "--root", receipts / "root.der"]
        plain = {"notification": kinds.notification2(), "history": kinds.history(), "statuses": kinds.statuses()}
        tokens = {name: suite.run("sign", "--quiet", self.identity, "-", text=kinds.line(one)).stdout for name, one in plain.items()}
        files = {
            "notification1": kinds.notification1(), "answer1": kinds.answer(), "notification2": kinds.notification2(),
            "history2": kinds.history(), "statuses2": kinds.statuses(), "renewal2": kinds.renewal(), "transaction2": kinds.transaction(),
        }  # fmt: skip
        for name, record in files.items():
            (self.folder / f"{name}.json").write_text(kinds.line(record))
        (self.folder / "receipt.bin").write_bytes(self.receipt)
        bought = suite.run("convert", "--quiet", "--plain", self.folder / "receipt.bin").stdout
        (self.folder / "receipt2.json").write_text(bought)
        self.kinds = kinds.kinds(self.receipt, tokens, json.loads(tokens["notification"])["signedPayload"])

    def partner(self, kind: Kind, isLegacy: bool) -> Path:
        """What a record is compared with."""
        partners = {"receipt": "receipt2", "answer1": "history2", "notification1": "notification2"}
        if not isLegacy:
            partners |= {"history2": "answer1", "statuses2": "answer1"}
        if kind.what in V2 and isLegacy:
            return self.folder / f"{'notification2' if kind.what == 'page2' else kind.what}.json"
        return self.folder / f"{partners.get(kind.what, 'notification2' if isLegacy else 'notification1')}.json"

    def reads(self, command: Command, kind: Kind) -> bool:
        """Whether a command reads a form."""
        if kind.what == "other" or kind.what in command.refused:
            return False
        if command.name == "verify" and kind.what in V2:
            return self.is_signed(kind)
        # A test identity has signed them, so Slipcast may have made them of the V1 records that parity is to compare.
        return not (command.name in ("sign", "parity --legacy") and self.is_signed(kind))

    @staticmethod
    def store(outcome: Outcome) -> str:
        """The database that a command has written."""
        return next(word for word in outcome.command.split() if word.endswith(".sqlite"))

    @staticmethod
    def is_signed(kind: Kind) -> bool:
        return kind.what == "page2" or kind.name.split(",")[0] in ("token", "item of statuses") or "signed" in kind.name.split(", ")

    def check(self, case: tuple[Command, Kind, Path]) -> tuple[str, str, bool]:
        command, kind, file = case
        outcome = self.suite.run(*command.words(self, file, kind), status=(), environment={"SLIPCAST_KEY": ""})
        told = outcome.stdout + outcome.stderr
        require(SECRET not in told, "the shared secret is shown", outcome)
        if self.reads(command, kind):
            require(self.isRight(command, outcome, kind), f"not read: {outcome.stdout[:300]}", outcome)
            return kind.what, kind.name, True
        require(outcome.status in (1, 2), f"read: {outcome.stdout[:300]}", outcome)
        says = kind.says or self.words(command, kind)
        require(says in told, f"the message does not say \"{says}\": {outcome.stdout[:300]}", outcome)
        return kind.what, kind.name, False

    @staticmethod
    def isRight(command: Command, outcome: Outcome, kind: Kind) -> bool:
        try:
            return command.right(outcome, kind)
        except (ValueError, KeyError, IndexError, TypeError):
            return False

    @staticmethod
    def words(command: Command, kind: Kind) -> str:
        if command.name == "verify":
            return NOTHING_SIGNED
        if command.name == "parity --legacy" and Commands.is_signed(kind):
            return "slipcast"
        return command.refused.get(kind.what, "signed" if command.name == "sign" else "expected")

    def table(self) -> str:
        cases = []
        for number, kind in enumerate(self.kinds):
            isBinary = isinstance(kind.text, bytes) and kind.text[:1] == b"0"
            file = self.folder / f"form{number}{'.bin' if isBinary else '.json'}"
            file.write_bytes(kind.text if isinstance(kind.text, bytes) else kind.text.encode())
            for command in COMMANDS:
                if not (kind.words and command.name in WITHOUT_BODY):
                    cases.append((f"{command.name}, {kind.what}: {kind.name}", (command, kind, file)))
        cases = cases[:: self.suite.options.every]
        with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
            ready = dict(zip((name for name, _ in cases), pool.map(self.attempt, (case for _, case in cases))))
        found = each(cases, lambda case: self.settled(ready[f"{case[0].name}, {case[1].what}: {case[1].name}"]))
        rows: dict[tuple[str, str], dict[str, bool]] = {}
        for (name, case), (what, form, isRead) in zip(cases, found):
            rows.setdefault((what, form), {})[case[0].name] = isRead
        if self.suite.options.every == 1:
            self.write(rows)
        return f"{len(cases)} pairs of a command and a form"

    def attempt(self, case: tuple[Command, Kind, Path]) -> Any:
        try:
            return self.check(case)
        except Exception as wrong:
            return wrong

    @staticmethod
    def settled(result: Any) -> tuple[str, str, bool]:
        if isinstance(result, Exception):
            raise result
        require(result, "")
        return result

    def write(self, rows: dict[tuple[str, str], dict[str, bool]]) -> None:
        """The table of the documentation is what was found."""
        start, end = "<!-- written by the suite forms -->\n", "<!-- end -->\n"
        names = [command.name for command in COMMANDS]
        titles = {"notification1": "V1 notification", "answer1": "verifyReceipt response", "receipt": "app receipt",
                  "notification2": "V2 notification", "page2": "page of V2 notifications", "transaction2": "V2 transaction",
                  "renewal2": "V2 renewal info", "history2": "V2 history", "statuses2": "V2 statuses", "other": "none of these"}  # fmt: skip
        lines = ["| record | form | " + " | ".join(f"`{name}`" for name in names) + " |", "|---" * (len(names) + 2) + "|"]
        for (what, form), reads in sorted(rows.items(), key=lambda row: (list(titles).index(row[0][0]), row[0][1])):
            marks = ["" if name not in reads else "✓" if reads[name] else "–" for name in names]
            lines.append(f"| {titles[what]} | {form} | " + " | ".join(marks) + " |")
        text = TABLE.read_text()
        before, after = text.split(start)[0], text.split(end)[1]
        wanted = before + start + "\n" + "\n".join(lines) + "\n\n" + end + after
        if os.environ.get("RECORD"):
            TABLE.write_text(wanted)
        require(TABLE.read_text() == wanted, f"{TABLE.relative_to(ROOT)} says something else than was found; write it with RECORD=1")
