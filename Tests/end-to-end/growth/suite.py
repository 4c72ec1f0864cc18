"""Time grows with the size of the input: hostile shapes at two sizes, in every reader.

Each shape is read at a size and at twice that size. The processor time beyond that of the start may grow 2.5 times at
most. Where it seems to grow more, four times the size is tried in several rounds with pauses, and the shortest times
count: a square is sixteen times as long in every round, other work on the machine is not there in all of them. Where a
time is too short to be compared, the sizes are doubled until it is not. `--self-test` gives a command whose time grows
with the square, which must fail.
"""

import json
import os
import resource
import subprocess
import sys
import threading
import time
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path

from harness import FIXTURES, Suite, require

MOST = 2.5
# The part of a shape's size with which its search begins; twice a size costs more than all sizes before it.
FIRST = 8
# Rounds in which a growth that seems too large is tried again, and the seconds of the pause before the second one.
ROUNDS, PAUSE = 6, 0.5
# Seconds beyond the start from which two times can be compared, and sizes up to which they are sought.
SHORTEST, LARGEST = 0.05, 24 << 20
SECRET = "SECRET-SLIPCAST-growth"


def options(parser: ArgumentParser) -> None:
    parser.add_argument("--all", action="store_true", help="every key with every kind of value, not with one of them")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="of the pieces, keys and records each Nth (default 1: all)")


Shape = Callable[[int], str]


def record() -> dict:
    return json.loads((FIXTURES / "notifications/did-renew/v1.json").read_text("utf-8"))


def seconds(words: list[object]) -> float:
    """The processor time of a command in user mode; 60 seconds at most."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (60, 60))

    child = subprocess.Popen([str(word) for word in words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL, preexec_fn=limit)  # fmt: skip
    _, _, usage = os.wait4(child.pid, 0)
    child.returncode = 0
    return usage.ru_utime


class Growth:
    def __init__(self, suite: Suite) -> None:
        self.suite, self.folder, self.starts, self.rounds = suite, suite.folder, {}, ROUNDS

    def start(self, command: tuple[str, ...], name: str) -> float:
        """The shortest time so far of a command for next to nothing."""
        if command not in self.starts:
            self.starts[command] = self.empty(command, name)
        return self.starts[command]

    def empty(self, command: tuple[str, ...], name: str) -> float:
        # Parts run at once, each with files of its own.
        file = self.folder / f"start-{threading.get_ident()}-{name}"
        file.write_text(json.dumps(record()), "utf-8")
        took = min(self.time(command, file) for _ in range(2))
        return min(took, self.starts.get(command, took))

    def time(self, command: tuple[str, ...], file: Path) -> float:
        words = [str(file) if word == "FILE" else word for word in command]
        return seconds([self.suite.slipcast, *words])

    def check(
        self, name: str, command: tuple[str, ...], shape: Shape, ending: str, count: int, most: float = MOST
    ) -> None:
        start, count = self.start(command, "x" + ending), count if most != MOST else max(1, count // FIRST)
        file = self.folder / f"{name.replace('/', '-')}{ending}"

        def whole(count: int) -> float:
            file.write_text(shape(count), "utf-8", errors="surrogateescape")
            return self.time(command, file)

        short = whole(count) - start
        while short < SHORTEST and len(shape(count)) < LARGEST:
            count *= 2
            short = whole(count) - start
        holds, words = whole(2 * count) - start <= most * max(short, SHORTEST / 2), ""
        shorts, longs = [], []
        for round in range(0 if holds else self.rounds):
            # The times of a round are taken next to each other: a slow second then counts for all of them.
            time.sleep(round and PAUSE * 2 ** (round - 1))
            start = self.starts[command] = self.empty(command, "x" + ending)
            shorts.append(whole(count))
            longs.append(whole(4 * count))
            short, longer = min(shorts) - start, min(longs) - start
            holds = longer <= most**2 * max(short, SHORTEST / 2)
            words = f"{name} ({' '.join(command)}): {short:.2f} s for {count}, {longer:.2f} s for {4 * count}"
            if holds:
                break
        file.unlink()
        require(holds, words)


def repeated(key: str, value: str, around: str = "{{{}}}") -> Shape:
    """One member many times in the object that `around` has room for."""
    member = f"{json.dumps(key)}:{value}"
    return lambda count: around.format(",".join([member] * count))


CONVERT = ("convert", "--quiet", "FILE", "--provenance", "/dev/null", "--rejects", "/dev/null")
V2_COMMANDS = (("inspect", "--format", "json", "FILE"), ("verify", "FILE"))

SCOPES = {
    "body": '{{{},"notification_type":"CANCEL"}}',
    "unified_receipt": '{{"notification_type":"CANCEL","unified_receipt":{{{}}}}}',
    "transaction": '{{"notification_type":"CANCEL","unified_receipt":{{"latest_receipt_info":[{{{}}}]}}}}',
    "renewal": '{{"notification_type":"CANCEL","unified_receipt":{{"pending_renewal_info":[{{{}}}]}}}}',
    "answer": '{{"status":0,{}}}',
    "receipt": '{{"status":0,"receipt":{{{}}}}}',
    "in_app": '{{"status":0,"receipt":{{"in_app":[{{{}}}]}}}}',
}

KEYS = {
    "body": ["notification_type", "password", "environment", "auto_renew_status", "auto_renew_status_change_date_ms",
             "original_transaction_id", "cancellation_date", "latest_receipt", "unified_receipt", "unknown"],
    "unified_receipt": ["latest_receipt_info", "pending_renewal_info", "latest_receipt", "status"],
    "transaction": ["product_id", "transaction_id", "purchase_date", "purchase_date_ms", "purchase_date_pst",
                    "expires_date", "expires_date_ms", "is_trial_period", "web_order_line_item_id", "quantity"],
    "renewal": ["auto_renew_status", "expiration_intent", "grace_period_expires_date_ms", "price_consent_status"],
    "answer": ["latest_receipt_info", "receipt", "status", "is-retryable", "exception"],
    "receipt": ["in_app", "receipt_creation_date_ms", "bundle_id", "adam_id"],
    "in_app": ["purchase_date_ms", "product_id"],
}  # fmt: skip

# A value that is read, which is an implausible date where a date is read, and one of another kind.
VALUES = ('"99"', "{}")


def known_keys(growth: Growth, scope: str) -> str:
    """Every kind of known key in a scope, alone, with values of every kind."""
    shapes = [(key, value) for key in KEYS[scope] for value in VALUES]
    if not growth.suite.options.all:
        # Each key with one of the values, each value with half of the keys.
        shapes = [(key, VALUES[place % len(VALUES)]) for place, key in enumerate(KEYS[scope])][:: growth.suite.options.every]
    for key, value in shapes:
        growth.check(f"{scope}/{key}", CONVERT, repeated(key, value, SCOPES[scope]), ".json", 120_000)
    return f"{len(shapes)} shapes"


def lists(key: str, item: dict | str) -> Shape:
    """A record whose list has many items."""

    def shape(count: int) -> str:
        body = record()
        item_text = item if isinstance(item, str) else json.dumps(item)
        text = json.dumps(body["unified_receipt"] | {key: "@@"})
        body["unified_receipt"] = "##"
        return json.dumps(body).replace('"##"', text.replace('"@@"', "[" + ",".join([item_text] * count) + "]"))

    return shape


def numbered(count: int) -> str:
    """Many transactions of one subscription, each with its own ids and dates."""
    body = record()
    first = body["unified_receipt"]["latest_receipt_info"][0]
    day = 86_400_000
    items = []
    for number in range(count):
        start = 1_500_000_000_000 + number * day
        items.append(first | {"transaction_id": str(10**12 + number), "web_order_line_item_id": str(10**12 + number),
                              "purchase_date_ms": str(start), "expires_date_ms": str(start + day)})  # fmt: skip
    body["unified_receipt"]["latest_receipt_info"] = items
    return json.dumps(body)


def minimal(members: str) -> Shape:
    """Many short transactions, with their number in some members."""

    def shape(count: int) -> str:
        items = ("{" + members.replace("%d", str(number)) + "}" for number in range(count))
        return '{"notification_type":"CANCEL","unified_receipt":{"latest_receipt_info":[' + ",".join(items) + "]}}"

    return shape


RECORDS: dict[str, tuple[Shape, str, int]] = {
    "equal transactions": (lists("latest_receipt_info", record()["unified_receipt"]["latest_receipt_info"][0]), ".json", 2_000),
    "transactions": (numbered, ".json", 2_000),
    "equal renewals": (lists("pending_renewal_info", record()["unified_receipt"]["pending_renewal_info"][0]), ".json", 8_000),
    "empty transactions": (lists("latest_receipt_info", "{}"), ".json", 40_000),
    "numbers as transactions": (lists("latest_receipt_info", "1"), ".json", 80_000),
    "unreadable owners": (minimal('"transaction_id":"%d","original_transaction_id":"%d","in_app_ownership_type":{}'), ".json", 10_000),
    "unreadable ids": (minimal('"transaction_id":{},"original_transaction_id":"%d","expires_date_ms":"2","cancellation_date_ms":"1500000000000"'), ".json", 10_000),
    "deep lists": (lambda n: (("[" * 100 + "]" * 100 + "\n") * (n // 100)), ".ndjson", 200_000),
    "braces": (lambda n: "{\n" * n, ".ndjson", 40_000),
    "open strings": (lambda n: '{"a\n' * n, ".ndjson", 20_000),
    "backslashes": (lambda n: '{"a":"' + "\\" * n + '"}', ".ndjson", 1_000_000),
    "quotes": (lambda n: '"' * n, ".ndjson", 1_000_000),
    "escapes": (lambda n: '{"notification_type":"' + "\\u0041" * n + '"}', ".ndjson", 300_000),
    "concatenated": (lambda n: '{"a":1}' * n, ".ndjson", 20_000),
    "broken items": (lambda n: "[" + '{"a":tru},' * n + "1]", ".json", 20_000),
    "one array": (lambda n: "[" + ",".join([json.dumps(record())] * n) + "]", ".json", 200),
    "cut records": (lambda n: json.dumps(record(), indent=1)[:-200] * n, ".ndjson", 100),
    "csv quotes": (lambda n: "a,b\n" + '"' * n, ".csv", 400_000),
    "csv rows": (lambda n: "a,b\n" + '"x\n' * n, ".csv", 40_000),
    "csv columns": (lambda n: ",".join(f"c{k}" for k in range(n)) + "\n" + "," * (n - 1) + "\n", ".csv", 2_000),
    "nested text": (lambda n: json.dumps({"notification_type": "A", "unified_receipt": json.dumps({"x": "y" * n})}), ".json", 500_000),
}  # fmt: skip

LOGS: dict[str, tuple[Shape, int]] = {
    "braces": (lambda n: "{\n" * n, 40_000),
    "braces behind words": (lambda n: "x {\n" * n, 40_000),
    "braces on a line": (lambda n: "{" * n, 400_000),
    "members": (lambda n: '{"a":\n' * n, 20_000),
    # Each line begins an object that may go on over all further lines.
    "open members": (lambda n: '"a":{\n' * n, 4_000),
    "open records": (lambda n: '{"notification_type":1\n' * n, 2_000),
    "cut records": (lambda n: json.dumps(record(), indent=1)[:-200] * n, 100),
    "cut lines": (lambda n: (json.dumps(record())[:-30] + "\n") * n, 200),
    "objects on a line": (lambda n: '{"notification_type":1 ' + '{"receipt":1}' * n, 40_000),
    "whole records": (lambda n: ("x " + json.dumps(record()) + "\n") * n, 200),
}


# Pieces that open, close or begin something, repeated, and what stands before them.
PIECES: dict[str, tuple[str, str]] = {
    "lines of {": ("{\n", ""), "lines of [ behind a record": ("[\n", "RECORD\n"),
    "one line of [ behind a record": ("[", "RECORD"), "[ only": ("[", ""), "lines of [": ("[\n", ""),
    "lines of }": ("}\n", ""), "lines of ]": ("]\n", ""), "lines of quotes": ('"\n', ""),
    "[ before records": ("[\n{}\n", "{}\n"), "lines cut behind a colon": ('{"a":\n', ""),
    "lines cut behind a bracket, and records": ('{"a":[\n{}\n', ""), "words": ("x\n", ""),
    "commas in an array": ("[,", ""), "empty objects": ("{}\n", ""),
    "lone braces behind an open array": ("{\n", '{"a":[\n'), "lone braces behind commas": ('{"a":[{},\n{\n', ""),
    "lines of backslashes": ('"\\\n', ""), "one line of backslashes": ("\\", ""), "passwords": ('"password"\n', ""),
    "passwords with blanks": ("password             \n", ""), "open passwords": ('{"password":[\n', ""),
    "open lists in an array": ('{"a":[\n', "[\n"), "open lists": ('{"a":[\n{"b":\n', ""),
    "lists closed wrongly in an array": ('{"a":[\n{}\n},\n', "[\n"),
    "unfit brackets in an array": ('{"a":[\n{"b":]\n', "[\n"),
    "objects behind colons in an array": ('{"a":\n{}\n', "[\n"), "objects behind colons": ('{"a":\n{}\n', ""),
    "spread records that are no JSON": ('{"a":[\n{},\n{x}\n]}\n', ""), "two brackets a line": ("[{\n", "{\n"),
    "tokens": ("eyJhbGciOiJFUzI1NiJ9.e30.c2ln\n", ""), "base64 of one width": ("MIIAAAAAAAAAAAAA\n", ""),
    "one line of base64": ("MIIA", ""), "base64 that begins with every line": ("MIIAAAAAAAAAAAAA\nAAAA\n", ""),
    "base64 behind open lists": ('{"a":[\nMIIAAAAAAAAAAAAA\n', ""), "base64 with escapes": ('"MIIAAAAAAAAAAAAA\\/"\n', ""),
    "words like base64": ("MIIAAAAAAAAAAAAA!\n", ""), "objects behind objects": ("{}", '{"c":'),
    "records with open strings": ('{"a":"x}', ""), "open records": ('{"a":{"a":', ""),
    "broken records behind each other": ('{"a":x}', ""), "lists behind objects": ('{"a":[{"a":1}', '{"c":'),
    "records behind members": ('{"a":{"b":1}{', ""), "starts of records": ('}{"', '{"c":'),
    "nested arrays in an array": ("[[],", "["), "escaped quotes": ('\\"', '{"a":"'),
    "open lists behind blanks": (' {"a":[\n {}\n', ""),
    "records between open ones behind blanks": ('{"a":1}\n"{"a":\n ', ""),
    "records between quotes behind blanks": ('\\"\n {"a":1}\n"', '{"a":[\n'),
}  # fmt: skip


# A text without an end is searched in each block that it goes through, and not at all within one block: such shapes are
# compared from three blocks on, where the time for twice the size is 2.3 to 2.5 times as long.
FROM_BLOCKS = {"lists behind objects": (3 << 18, 3.0)}


def pieces(growth: Growth, names: list[str]) -> str:
    """Pieces without an end, as lines of an archive."""
    before = json.dumps(record())
    for name in names:
        piece, head = PIECES[name]

        def shape(count: int, piece: str = piece, head: str = head) -> str:
            return head.replace("RECORD", before) + piece * (count // len(piece))

        growth.check(name, CONVERT, shape, ".ndjson", *FROM_BLOCKS.get(name, (48 << 10,)))
    return f"{len(names)} shapes"


def readers(growth: Growth) -> str:
    """Texts of every form, by the command that reads all of them."""
    chosen = list(RECORDS.items())[:: growth.suite.options.every]
    for name, (shape, ending, count) in chosen:
        growth.check(name, CONVERT, shape, ending, count)
    return f"{len(chosen)} shapes"


def logs(growth: Growth) -> str:
    command = (*CONVERT, "--from-logs")
    for name, (shape, count) in LOGS.items():
        growth.check(f"log {name}", command, shape, ".log", count)
    return f"{len(LOGS)} shapes"


def server_records(growth: Growth) -> str:
    """V2 members many times, in what reads V2 records."""
    pair = FIXTURES / "pairs/price-consent-1-v2-1/v1.json"
    commands = [*V2_COMMANDS, ("diff", str(pair), "FILE"), ("parity", "--legacy", str(pair), "--server", "FILE")]
    around = '{{"notificationType":"DID_RENEW","notificationUUID":"x","data":{{"transactionInfo":{{{}}}}}}}'
    shapes = {
        "expiresDate": repeated("expiresDate", "1", around),
        "unknown": repeated("zz", '"1"', around),
        "numbered": lambda n: around.format(",".join(f'"z{k}":1' for k in range(n))),
        "notificationType": repeated("notificationType", '"REFUND"'),
        "signedTransactions": lambda n: '{"signedTransactions":[' + ",".join(['"e30.e30.AA"'] * n) + "]}",
    }
    for command in commands:
        for name, shape in shapes.items():
            growth.check(f"{command[0]} {name}", command, shape, ".json", 10_000)
    return f"{len(commands) * len(shapes)} shapes"


def self_test(growth: Growth) -> None:
    """A command whose time grows with the square is found."""
    program = growth.folder / "square"
    program.write_text(f"#!{sys.executable}\nimport sys\nn = len(open(sys.argv[-1]).read()) // 100\nfor a in range(n):\n"
                       "  for b in range(n): pass\n")  # fmt: skip
    program.chmod(0o755)
    real, growth.suite.slipcast, growth.rounds = growth.suite.slipcast, program, 2
    try:
        # What else the machine does may hide it once: a short run then seems long.
        require(any(found(growth) for _ in range(3)), "a square was not found")
    finally:
        growth.suite.slipcast, growth.rounds = real, ROUNDS


def found(growth: Growth) -> bool:
    try:
        growth.check("square", ("FILE",), lambda n: "x" * n, ".txt", 200_000)
    except Exception as failure:
        require("square" in str(failure), f"another failure: {failure}")
        return True
    return False


def run(suite: Suite) -> None:
    growth = Growth(suite)
    for command in (CONVERT, (*CONVERT, "--from-logs"), *V2_COMMANDS):
        growth.start(command, "x.json")
    suite.part("self-test", self_test, growth)
    parts = [(f"keys/{scope}", known_keys, growth, scope) for scope in KEYS]
    parts += [("readers", readers, growth), ("logs", logs, growth), ("V2 records", server_records, growth)]
    names = list(PIECES)[:: suite.options.every]
    parts += [(f"pieces/{start // 16}", pieces, growth, names[start : start + 16]) for start in range(0, len(names), 16)]
    suite.at_once(parts)
