"""Takes events from the lives, has them planted and delivered, and keeps the truth."""

import json
import random
from argparse import Namespace
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import access
import expected
import model
import server
from delivery import Feed, Place, repeated, torn
from legacy import Message, redelivered
from model import Period, Subscription
from truth import Truth


@dataclass
class Event:
    """One action, as V1 and V2 tell it, and what a comparison of the two must say."""

    # What the life calls it.
    name: str
    message: Message
    notification: dict
    # When it happened, as V1 tells; None where V1 does not.
    time: int | None
    classes: dict[str, str]
    # Another event of the same type about the same period lies so near that only the details tell them apart.
    is_delicate: bool = False

    @property
    def server_name(self) -> str:
        subtype = self.notification.get("subtype")
        return self.notification["notificationType"] + (f"/{subtype}" if subtype else "")


# Events of lapses that Apple documents no V1 message for: without one, nothing is missing in V1.
UNTOLD = {"EXPIRED", "EXPIRED/PRICE_INCREASE", "EXPIRED/PRODUCT_NOT_FOR_SALE"}
# Types whose messages state no time.
UNDATED = {"DID_CHANGE_RENEWAL_PREF", "PRICE_INCREASE_CONSENT", "CONSUMPTION_REQUEST"}


class Teller:
    """Writes both archives."""

    def __init__(self, folder: Path, settings: Namespace, planter):
        self.settings, self.planter = settings, planter
        self.random = random.Random(settings.seed)
        self.legacy = Feed(folder / "v1.ndjson", random.Random(settings.seed + 1))
        self.server = Feed(folder / "v2.ndjson", random.Random(settings.seed + 2))
        self.truth = Truth()
        self.events = 0

    # MARK: making

    def message(self, kind: str, sub: Subscription, target: Period | None, unlisted: bool = False) -> Message:
        """A V1 message about the state of now."""
        listed = [] if unlisted else sub.visible(self.settings.history)
        return Message(kind, sub, listed, target, self.settings)

    def notification(
        self, kind: str, subtype: str | None, signed: int, sub: Subscription, target: Period | None
    ) -> dict:
        """A V2 notification about the state of now, signed some milliseconds past a second."""
        return server.notification(sub, kind, subtype, signed + 1 + self.random.randrange(999), target, self.random)

    # MARK: telling

    def tell(
        self, name: str, message: Message, notification: dict, time: int | None,
        companions: tuple[Message, ...] = (), is_certain: bool = False, is_delicate: bool = False,
    ) -> bool:
        """An event of both archives; whether V1's side was delivered. A certain one is never lost."""
        self.events += 1
        if (time if time is not None else notification["signedDate"]) < model.LIVE:
            self.send(message)
            self.truth.pairs["notComparable"] += 1
            self.absorb(*companions)
            return True
        classes = expected.classes(message, notification, time, self.settings.history)
        event = Event(name, message, notification, time, classes, is_delicate)
        kind, changes = self.planter.plant(event)
        if kind is None and not is_certain:
            chance = self.random.random()
            if chance < self.settings.losses:
                self.truth.pairs["legacyWithoutServer"] += 1
                self.send(message)
                self.absorb(*companions)
                return True
            if chance > 1 - self.settings.losses:
                self.truth.pairs["serverOnlyEvents" if event.server_name in UNTOLD else "serverWithoutLegacy"] += 1
                self.publish(notification)
                return False
        dates = access.of_legacy(message)
        outcome = access.judge(dates, notification)
        end = access.server_end(dates, notification, classes) if outcome == access.GRANTED else None
        owner = (message.sub.app.bundle, message.sub.original)
        self.truth.pair((message.kind, event.server_name), classes, outcome, end, owner)
        places = self.send(message), self.publish(notification)
        if kind is not None:
            self.truth.plant(kind, places, changes)
        self.absorb(*companions)
        return True

    def absorb(self, *companions: Message) -> None:
        """Messages that V2 never sends."""
        for companion in companions:
            self.send(companion)
            self.truth.pairs["absorbed"] += 1

    def alone(self, notification: dict) -> None:
        """An event that V1 never tells."""
        if notification["signedDate"] < model.LIVE:
            return
        self.events += 1
        self.publish(notification)
        self.truth.pairs["serverOnlyEvents"] += 1

    # MARK: delivering

    def send(self, message: Message) -> Place:
        # Whether one of these repeats another depends on what lies between, and lines are delivered in disorder.
        repeats = 0 if message.head["notification_type"] in UNDATED else self.settings.repeats
        text = message.text(self.random)
        return self.deliver("legacy", text, repeats, lambda: redelivered(text, self.random))

    def publish(self, notification: dict) -> Place:
        text = json.dumps(notification, separators=(",", ":"))
        return self.deliver("server", text, self.settings.repeats, lambda: repeated(notification, self.random))

    def deliver(self, side: str, text: str, repeats: float, again: Callable[[], str]) -> Place:
        """A line, perhaps some repetitions of it, perhaps a torn line behind it."""
        feed, place = self.legacy if side == "legacy" else self.server, Place()
        feed.add(text, place)
        while self.random.random() < repeats:
            self.truth.duplicates[side] += 1
            feed.add(again(), place)
        if self.random.random() < self.settings.torn:
            self.truth.rejected[side] += 1
            feed.add(torn(text, self.random), Place())
        return place

    def close(self, folder: Path) -> None:
        self.legacy.close()
        self.server.close()
        truth = self.truth.document((self.legacy.records, self.server.records))
        (folder / "truth.json").write_text(json.dumps(truth), encoding="utf-8")
