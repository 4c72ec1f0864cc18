"""Sends notifications to `slipcast serve`: responses, the journal, targets, forwards, kills, limits; and replays."""

import shutil
from argparse import ArgumentParser

from asking import Asking
from clock import Clock
from comparing import Comparing
from existing import Existing
from forwarding import Forwarding
from guarding import Guarding
from harness import Suite
from keeping import Keeping
from limiting import Limiting
from load import Loading
from recalling import Recalling
from settling import Settling
from states import States


POSTGRESQL = True


def options(parser: ArgumentParser) -> None:
    parser.add_argument("--seconds", type=int, default=10, help="how long load is sent (default 10)")
    parser.add_argument("--kills", type=int, default=4, help="kills for each kind of target (default 4)")


class All(Asking, Limiting, Keeping, Guarding, Recalling, Existing, Forwarding, Settling, States, Comparing, Clock, Loading):
    pass


def run(suite: Suite) -> None:
    parts = All(suite)
    names = [
        "responses", "chunked", "unasked", "addresses", "tls", "slow", "heads", "strict", "budget", "unread", "crowd", "whose", "strangers", "words", "archive", "v2", "tables", "folders", "reading", "restarts", "marks", "older", "reopened", "acknowledged", "vanished", "ends", "differs", "names", "damage", "shared", "unavailable",
        "full", "kept", "closed", "existing", "secrets", "journals", "long", "punctual", "forwards", "retries", "settles", "prefixes", "compares", "clock", "checkpoints", "positions_of_targets", "replays", "plans", "broken", "paced",
    ]  # fmt: skip
    for name in names:
        suite.part(name, getattr(parts, name), suite.folder / name)
    suite.part("settle/history", parts.changed_history, suite.folder / "history")
    suite.part("kills/settle", parts.settling_kills, suite.folder / "kills-settle")
    for kind in ("file", "gzip", "folder", "sqlite", "postgres"):
        suite.part(f"kills/{kind}", parts.kills, kind, suite.folder / f"kills-{kind}")
    if suite.options.only or suite.options.kills > 1:
        for name in ("stubborn", "load", "idle", "garbage"):
            suite.part(name, getattr(parts, name), suite.folder / name)
    shutil.rmtree(suite.folder / "identity", ignore_errors=True)
