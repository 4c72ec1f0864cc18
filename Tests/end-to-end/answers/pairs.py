"""Pairs of archives of answers, and that `parity` and `diff` find nothing in them."""

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import model
import snapshots
from harness import Suite, chance, require
from kinds import KINDS
from model import DAY, HOUR, MINUTE
from snapshots import Told

BASE = model.day("2025-03-01")

# When V1 and V2 are asked about a customer.
TIMES: dict[str, Callable[[random.Random], tuple[list[int], list[int]]]] = {
    "same": lambda rng: ([BASE], [BASE + rng.randrange(MINUTE)]),
    "later": lambda rng: ([BASE], [BASE + rng.choice((3 * HOUR, 2 * DAY, 60 * DAY))]),
    "earlier": lambda rng: ([BASE + rng.choice((3 * HOUR, 2 * DAY, 60 * DAY))], [BASE]),
    "spread": lambda rng: ([BASE - rng.randrange(300 * DAY)], [BASE - 100 * DAY]),
    "several": lambda rng: (sorted(BASE - rng.randrange(900 * DAY) for _ in range(3)), [BASE]),
}


@dataclass
class Pair:
    """Both archives of some customers."""

    folder: Path
    customers: list[Told]

    def write(self, name: str, lines: list[dict]) -> Path:
        path = self.folder / f"{name}.ndjson"
        path.write_text("".join(json.dumps(one) + "\n" for one in lines))
        return path

    def histories(self) -> list[Path]:
        """Both sides."""
        lines = [page for one in self.customers for pages in one.histories for page in pages]
        return [self.legacy(self.customers), self.write("histories", lines)]

    def statuses(self) -> list[Path]:
        """Both sides, of customers with subscriptions in both."""
        customers = [one for one in self.customers if one.statuses]
        return [self.legacy(customers), self.write("statuses", [line for one in customers for line in one.statuses])]

    def agreed(self, told: Told) -> int:
        """Until then both archives know everything about a customer."""
        return min(int(told.legacy[-1]["receipt"]["request_date_ms"]), signed(told))

    def lists(self, told: Told, one: dict) -> bool:
        """V1's last answer lists a transaction of V2's."""
        answer = told.legacy[-1]
        rows = answer.get("latest_receipt_info", []) + answer["receipt"]["in_app"]
        return any(row["transaction_id"] == one["transactionId"] for row in rows)

    def legacy(self, customers: list[Told]) -> Path:
        lines = [line for one in customers for line in one.legacy]
        chance("order", len(lines)).shuffle(lines)
        return self.write("v1", lines)


def signed(told: Told) -> int:
    return told.histories[-1][0]["transactions"][0]["signedDate"]


def make(suite: Suite, kind: str, when: str) -> Pair:
    folder = suite.folder / f"{kind}-{when}"
    folder.mkdir(exist_ok=True)
    found = []
    for number in range(1, suite.options.customers + 1):
        legacy, server = TIMES[when](chance("answers", kind, when, suite.options.seed, number))
        told = snapshots.life(kind, suite.options.seed, number, legacy, server)
        if told and not snapshots.is_recovered_since(told):
            found.append(told)
    require(len(found) > suite.options.customers // 3, f"only {len(found)} customers bought something before")
    return Pair(folder, found)


def compare(suite: Suite, sides: list[Path], *options: str) -> dict:
    words = ["--legacy", sides[0], "--server", sides[1], *options]
    outcome = suite.run("parity", "--quiet", "--format", "json", *words, status=(0, 1))
    return json.loads(outcome.stdout)


def failures(report: dict) -> list[str]:
    """The gates that fail, and the pairs in conflict."""
    found = [f"{one['name']}: {one['message']}" for one in report["gates"] if not one["holds"]]
    for one in report["fields"]:
        for sample in one.get("samples", [])[:2] if one["conflict"] else []:
            if sample["class"] == "conflict":
                found.append(f"{one.get('v2Path')}: {json.dumps(sample)}")
    found += [json.dumps(one) for one in report["access"].get("customers", []) if one["outcome"] != "unknown"][:2]
    return found


def agree(suite: Suite, kind: str, when: str) -> str:
    """No gate fails, and `diff` of the newest answers finds no contradiction either."""
    pair = make(suite, kind, when)
    words = []
    for sides in (pair.histories, pair.statuses):
        report = compare(suite, sides())
        wrong = failures(report)
        require(not wrong, "\n  ".join([sides.__name__, *wrong]))
        require(report["pairs"]["matched"] > 10, f"{sides.__name__}: {report['pairs']}")
        words.append(f"{report['pairs']['matched']} pairs of {sides.__name__}")
    for told in pair.customers[: 4 if KINDS[kind].is_common else 8]:
        diff(suite, pair, told)
    return ", ".join(words)


def diff(suite: Suite, pair: Pair, told: Told) -> None:
    one = pair.write("one", told.legacy[-1:])
    for name, lines in (("status", told.statuses[-1:]), ("page", told.histories[-1][:1])):
        if lines and (name == "status" or len(told.histories[-1]) == 1):
            suite.run("diff", "--quiet", one, pair.write(name, lines), status=0)
