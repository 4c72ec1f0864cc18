#!/usr/bin/env python3
"""Makes the archives of the tutorial: v1.ndjson as a careless exporter wrote it, v1-fixed.ndjson, and v2.ndjson.

usage: make.py, with Tests/end-to-end/parity two folders up; always the same bytes. The customers are in customers.py.
"""

import json
import random
import sys
from argparse import Namespace
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "Tests" / "end-to-end" / "parity"))

import server  # noqa: E402
from legacy import CHANGES, Message, redelivered  # noqa: E402
from model import HOUR, SECOND, Period, Subscription  # noqa: E402

# The exporter's database was away, UTC.
OUTAGE = (1744423200000, 1744434000000)  # 2025-04-12 02:00 to 05:00
ERASED = "00000000-0000-0000-0000-000000000000"
SETTINGS = Namespace(lean=True, receipt=24, history=4)


class Book:
    """Takes down what happens, in both versions; stands for the gateway and its exporter."""

    def __init__(self, seed: int):
        self.random, self.settings = random.Random(seed), SETTINGS
        self.legacy: list[tuple[int, str, str | None]] = []
        self.server: list[tuple[int, str]] = []
        # Customers who had their account erased, and refunds that the exporter missed, by original transaction.
        self.erased: set[int] = set()
        self.missed: set[int] = set()

    # MARK: what lives ask of a teller

    def message(self, kind: str, sub: Subscription, target: Period | None, unlisted: bool = False) -> Message:
        listed = [] if unlisted else sub.visible(SETTINGS.history)
        return Message(kind, sub, listed, target, SETTINGS)

    def notification(self, kind, subtype, signed: int, sub: Subscription, target: Period | None) -> dict:
        made = server.notification(
            sub, kind, subtype, signed + 1 + self.random.randrange(999), target, random.Random(signed)
        )
        made["notificationUUID"] = sub.numbers.uuid()
        return made

    def tell(
        self, name, message, notification, time, companions=(), is_certain=False, is_delicate=False, lost: str = ""
    ) -> bool:
        """An event; `lost` names the side that has no record of it."""
        at = time if time is not None else notification["signedDate"] // SECOND * SECOND
        for place, one in enumerate((message, *companions)):
            if lost != "legacy":
                self.send(one, at + place)
        if lost != "server":
            self.publish(notification)
        return True

    def absorb(self, *messages: Message, at: int) -> None:
        for message in messages:
            self.send(message, at)

    def alone(self, notification: dict) -> None:
        self.publish(notification)

    # MARK: writing

    def send(self, message: Message, at: int) -> None:
        body = json.loads(message.text(self.random))
        if message.sub.original in self.erased:
            for row in body["unified_receipt"]["latest_receipt_info"]:
                row["app_account_token"] = ERASED
        right = json.dumps(body, separators=(",", ":"))
        was_away = OUTAGE[0] <= at < OUTAGE[1]
        wrong = None if was_away else json.dumps(self.careless(body, message), separators=(",", ":"))
        self.legacy.append((at, right, wrong))

    def careless(self, body: dict, message: Message) -> dict:
        """The exporter read expires_date_pst as if there were no summer time, and knows of no refund that it missed."""
        for row in body["unified_receipt"]["latest_receipt_info"]:
            if "expires_date_ms" in row:
                expires = int(row["expires_date_ms"])
                row["expires_date_ms"] = str(expires + (HOUR if is_summer(expires) else 0))
            if message.sub.original in self.missed:
                row.pop("cancellation_date_ms", None)
                row.pop("cancellation_reason", None)
        return body

    def publish(self, notification: dict) -> None:
        self.server.append((notification["signedDate"], json.dumps(notification, separators=(",", ":"))))

    def repeat(self, places: tuple[int, ...], server_place: int) -> None:
        """Some deliveries come twice."""
        self.legacy.sort(key=lambda entry: entry[0])
        self.server.sort()
        for place in places:
            at, right, wrong = self.legacy[place]
            seed = random.Random(place)
            later = redelivered(right, seed), wrong and redelivered(wrong, random.Random(place))
            self.legacy.append((at + 6 * HOUR, *later))
        at, line = self.server[server_place]
        self.server.append((at + HOUR, line))


def is_summer(instant: int) -> bool:
    """Whether clocks in Los Angeles are an hour ahead then."""
    return sum(change * 1000 <= instant for change in CHANGES) % 2 == 1


def main() -> None:
    from customers import visit

    book = Book(20250601)
    visit(book)
    book.repeat((17, 41), 23)
    legacy = sorted(book.legacy, key=lambda entry: entry[0])
    files = {
        "v1.ndjson": [wrong for _, _, wrong in legacy if wrong],
        "v1-fixed.ndjson": [right for _, right, _ in legacy],
        "v2.ndjson": [line for _, line in sorted(book.server, key=lambda entry: entry[0])],
    }
    for name, lines in files.items():
        (HERE / name).write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        print(f"{name:18}{len(lines):5} records")


if __name__ == "__main__":
    main()
