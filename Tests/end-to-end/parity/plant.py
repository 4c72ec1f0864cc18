"""Writes a planted pair of archives: v1.ndjson, v2.ndjson and truth.json, the exact result of comparing them.

Both archives are told from one model of customers' lives; neither is made from the other. Then differences are planted,
each of a kind whose class is known, and the lines are delivered in disorder, some twice, some torn, some not at all.
"""

import random
from argparse import ArgumentParser
from pathlib import Path

import plants_access  # noqa: F401, it registers kinds
import plants_legacy  # noqa: F401
from plants_server import KINDS
from telling import Teller
from years import populate


class Planter:
    """Plants a share of the pairs; the kind that waits longest and fits goes first."""

    def __init__(self, rate: float, rng: random.Random):
        self.rate, self.random, self.queue = rate, rng, list(KINDS)

    def plant(self, event) -> tuple[str | None, dict[str, str]]:
        """Changes one of the two records; the kind, and the classes that this gives."""
        if self.rate <= 0 or self.random.random() >= self.rate:
            return None, {}
        for place, name in enumerate(self.queue):
            changes = KINDS[name](event, self.random)
            if changes is None:
                continue
            self.queue.append(self.queue.pop(place))
            event.classes |= changes
            return name, changes
        return None, {}


def main(words: list[str]) -> None:
    ask = ArgumentParser(description=__doc__)
    ask.add_argument("--events", type=int, required=True, help="so many events")
    ask.add_argument("--seed", type=int, default=1)
    ask.add_argument("--mismatches", type=float, default=0.02, help="share of pairs with a planted difference")
    ask.add_argument("--out", type=Path, required=True, help="the folder to write to")
    ask.add_argument("--history", type=int, help="so many rows a V1 body lists at most (default 12, lean 4)")
    ask.add_argument("--receipt", type=int, default=60, help="bytes of latest_receipt (default 60)")
    ask.add_argument("--lean", action="store_true", help="dates as milliseconds alone")
    ask.add_argument("--losses", type=float, default=0.01, help="share of events that either side lost")
    ask.add_argument("--repeats", type=float, default=0.015, help="chance of another delivery")
    ask.add_argument("--torn", type=float, default=0.001, help="chance of an unreadable line behind a record")
    settings = ask.parse_args(words)
    settings.history = settings.history or (4 if settings.lean else 12)
    teller = Teller(settings.out, settings, Planter(settings.mismatches, random.Random(settings.seed + 3)))
    populate(teller, settings.events, random.Random(settings.seed + 4))
    teller.close(settings.out)
