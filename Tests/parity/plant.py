#!/usr/bin/env python3
"""Writes a planted pair of archives: v1.ndjson, v2.ndjson and truth.json, the exact result of comparing them.

Both archives are told from one model of customers' lives; neither is made from the other. Then differences are planted,
each of a kind whose class is known, and the lines are delivered in disorder, some twice, some torn, some not at all.
"""

import random
from argparse import ArgumentParser
from pathlib import Path

from planter import Planter
from telling import Teller
from years import populate


def main() -> None:
    ask = ArgumentParser(description=__doc__)
    ask.add_argument("--events", type=int, default=10_000, help="so many events (default 10000)")
    ask.add_argument("--seed", type=int, default=1)
    ask.add_argument("--mismatches", type=float, default=0.02, help="share of pairs with a planted difference")
    ask.add_argument("--out", type=Path, required=True, help="the folder to write to")
    ask.add_argument("--history", type=int, help="so many rows a V1 body lists at most (default 12, lean 4)")
    ask.add_argument("--receipt", type=int, default=60, help="bytes of latest_receipt (default 60)")
    ask.add_argument("--lean", action="store_true", help="dates as milliseconds alone")
    ask.add_argument("--losses", type=float, default=0.01, help="share of events that either side lost")
    ask.add_argument("--repeats", type=float, default=0.015, help="chance of another delivery")
    ask.add_argument("--torn", type=float, default=0.001, help="chance of an unreadable line behind a record")
    ask.add_argument(
        "--refund-requests", type=float, default=0,
        help="share of refunds requested in the app: V2 has an AUTO_RENEW_DISABLED of its own for V1's companion",
    )
    ask.add_argument("--only", default="", metavar="PREFIX", help="plants kinds whose names begin so")
    ask.add_argument("--without", metavar="PREFIX", help="and not those")
    ask.add_argument("--samples", type=int, default=0, help="also keeps so many pairs of each kind, for verify.py")
    settings = ask.parse_args()
    settings.history = settings.history or (4 if settings.lean else 12)
    if settings.history < 3:
        ask.error("--history: at least 3, or an upgrade cannot be seen")
    settings.out.mkdir(parents=True, exist_ok=True)
    planter = Planter(settings.mismatches, random.Random(settings.seed + 3), settings.only, settings.without)
    teller = Teller(settings.out, settings, planter)
    populate(teller, settings.events, random.Random(settings.seed + 4))
    teller.close(settings.out)


if __name__ == "__main__":
    main()
