"""Fetches from a mock of Apple's server: every endpoint, every failure, rates, kills, secrets, wrong responses."""

from argparse import ArgumentParser

from broken import Broken
from endpoints import Endpoints
from failing import Failing
from harness import Suite
from orders import Orders
from resuming import Resuming
from speed import Speed
from states import States


def options(parser: ArgumentParser) -> None:
    parser.add_argument("--kills", type=int, default=4, help="kills of a run with a checkpoint (default 4)")
    parser.add_argument("--quick", action="store_true", help="leave out what takes long")
    parser.add_argument("--customers", type=int, default=0, help="customers of the speed test; 0: none")


class All(Endpoints, Orders, Failing, Broken, Resuming, States, Speed):
    pass


def run(suite: Suite) -> None:
    parts = All(suite)
    names = [
        "history", "order", "archives", "environments", "apps", "statuses", "refunds", "notifications", "orders", "lookup", "covers", "lists", "dry", "direct",
        "missing", "comparing", "retries", "resets", "waiting", "unauthorized", "codes", "untrusted", "wrong", "incomplete", "places", "windows", "neighbors", "keys", "network", "http2",
        "rates", "resumes", "continues", "fails", "moves", "ages", "renews", "echoes", "states",
    ]  # fmt: skip
    for name in names:
        if suite.options.quick and name in ("states", "wrong", "rates", "resumes", "network", "retries", "http2"):
            continue
        suite.part(name, getattr(parts, name), suite.folder / name)
    for kind in ("ndjson", "ndjson.gz", "ndjson.zst"):
        suite.part(f"kills/{kind}", parts.kills, kind, suite.folder / f"kills-{kind}")
    if suite.options.customers:
        suite.part("speed", parts.speed, suite.folder / "speed")
