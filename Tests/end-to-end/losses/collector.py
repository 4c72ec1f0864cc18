"""Gathers what the model of the suite parity tells, event by event, so that archives can be cut and changed as wanted."""

import json
import random
import sys
from argparse import Namespace
from dataclasses import dataclass, field
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "parity"))

import model  # noqa: E402
from legacy import Message, redelivered  # noqa: E402
from telling import Teller  # noqa: E402
from years import populate  # noqa: E402


@dataclass
class Told:
    """One event: when it was sent, the V1 message and its companions, the V2 notification."""

    at: int
    legacy: list[str] = field(default_factory=list)
    server: dict | None = None

    @property
    def type(self) -> str:
        """V2's type, with the subtype."""
        if self.server is None:
            return ""
        subtype = self.server.get("subtype")
        return self.server["notificationType"] + (f"/{subtype}" if subtype else "")

    @property
    def transaction(self) -> dict:
        return (self.server or {}).get("data", {}).get("transactionInfo", {})

    @property
    def original(self) -> str:
        return self.transaction.get("originalTransactionId", "")


class Collector(Teller):
    """Keeps the events instead of writing them."""

    def __init__(self, seed: int) -> None:
        self.settings = Namespace(seed=seed, history=12, receipt=60, lean=False)
        self.random = random.Random(seed)
        self.events, self.told = 0, []

    def tell(self, name, message, notification, time, companions=(), is_certain=False, is_delicate=False) -> bool:
        self.events += 1
        texts = [one.text(self.random) for one in (message, *companions)]
        self.told.append(Told(notification["signedDate"], texts, notification))
        return True

    def absorb(self, *companions: Message) -> None:
        for companion in companions:
            self.told.append(Told(self.told[-1].at, [companion.text(self.random)]))

    def alone(self, notification: dict) -> None:
        self.events += 1
        self.told.append(Told(notification["signedDate"], [], notification))


def tell(events: int, seed: int) -> list[Told]:
    """The events of some customers of three apps, from the time when V2 exists, in the order in which they were sent."""
    collector = Collector(seed)
    populate(collector, events, random.Random(seed + 4))
    return sorted((one for one in collector.told if one.at >= model.LIVE), key=lambda one: one.at)


def legacy_lines(told: list[Told], rng: random.Random) -> list[str]:
    """V1's archive; some messages were sent again."""
    lines = []
    for one in told:
        for text in one.legacy:
            lines.append(text)
            if rng.random() < 0.03 and "PREF" not in text and "CONSENT\"" not in text:
                lines.append(redelivered(text, rng))
    return lines


def server_lines(told: list[Told], rng: random.Random) -> list[str]:
    """V2's archive; some notifications were sent again."""
    lines = []
    for one in told:
        if one.server is None:
            continue
        lines.append(json.dumps(one.server, separators=(",", ":")))
        if rng.random() < 0.03:
            lines.append(lines[-1])
    return lines
