"""A realistic clean pair of archives, what is planted into it, and how the outcome is judged."""

import copy
import json
import random
import re
from collections.abc import Callable
from pathlib import Path

from collector import Told, legacy_lines, server_lines, tell
from harness import ROOT, Suite, anew, require

DAY = 86_400_000
HOUR = 3_600_000
# V1's archive; V2's begins and ends two weeks later.
BEGIN, END, LATER = 1_709_251_200_000, 1_727_740_800_000, 14 * DAY
EXPIRES = "data.transactionInfo.expiresDate"


class Pair:
    """Two archives of one time, before anything is planted."""

    def __init__(self, events: int, seed: int) -> None:
        self.told = [one for one in tell(events, seed) if BEGIN <= one.at <= END + LATER]
        self.seed = seed

    def inner(self, fits: Callable[[Told], bool]) -> list[int]:
        """The places of events that both archives surely cover, with a period that lies inside too."""
        found = []
        for place, one in enumerate(self.told):
            period = one.transaction
            if not one.legacy or one.server is None or not period.get("expiresDate"):
                continue
            start, end = period["purchaseDate"], period["expiresDate"]
            if start > BEGIN + LATER + 2 * DAY and end < END - 2 * DAY and fits(one):
                found.append(place)
        return found

    def write(self, folder: Path, told: list[Told] | None = None, extra: list[dict] | None = None) -> list[object]:
        rng = random.Random(self.seed)
        told = self.told if told is None else told
        first = legacy_lines([one for one in told if one.at <= END], rng)
        second = server_lines([one for one in told if one.at >= BEGIN + LATER], rng)
        second += [json.dumps(one) for one in extra or []]
        anew(folder)
        for name, lines in (("v1", first), ("v2", second)):
            (folder / f"{name}.ndjson").write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        return ["--legacy", folder / "v1.ndjson", "--server", folder / "v2.ndjson"]


def documented() -> list[str]:
    """The options of the documented job, without its inputs, baseline and reports."""
    text = (ROOT / "Examples/migration/ci.yml").read_text(encoding="utf-8")
    command = re.search(r"slipcast parity ((?:.*\\\n)*.*)", text)
    require(command, "ci.yml has no slipcast parity")
    words = command[1].replace("\\\n", " ").split()
    kept, skip = [], False
    for word in words:
        if skip:
            skip = False
        elif word in ("--legacy", "--server", "--baseline", "--report"):
            skip = True
        else:
            kept.append(word)
    return kept


class Judge:
    """Compares, and looks at exit status, headline and causes."""

    def __init__(self, suite: Suite, pair: Pair, counts: tuple[int, ...]) -> None:
        # How often each kind of loss is planted, one archive for each number.
        self.suite, self.pair, self.counts = suite, pair, counts
        baseline = suite.folder / "none.json"
        baseline.write_text('{"schema": 1, "differences": []}')
        # --same-span is for exports that should cover the same time; these begin and end two weeks apart.
        words = [word for word in documented() if word != "--same-span"]
        self.commands = {"default": [], "documented": [*words, "--baseline", baseline]}

    def run(self, name: str, sides: list[object], status: int) -> list[tuple[str, dict, str]]:
        found = []
        for command, options in self.commands.items():
            report = self.suite.folder / f"{name}-{command}.json"
            outcome = self.suite.run("parity", *sides, *options, "--report", report, status=status)
            headline = outcome.stdout.splitlines()[0]
            found.append((headline, json.loads(report.read_text()), f"{name}, {command}"))
        return found


def lost(pair: Pair, type: str, count: int) -> tuple[list[Told], list[int]]:
    """V2's archive without so many notifications of a type."""
    places = pair.inner(lambda one: one.type == type)
    require(len(places) >= count, f"only {len(places)} {type} to lose")
    chosen = places[:: max(1, len(places) // count)][:count]
    told = list(pair.told)
    for place in chosen:
        told[place] = Told(told[place].at, told[place].legacy)
    return told, chosen


def changed(pair: Pair, fits: Callable[[Told], bool], change: Callable[[dict], None], count: int | None) -> list[Told]:
    """V2's archive with so many notifications changed; None: all that fit."""
    places = pair.inner(fits) if count else [at for at, one in enumerate(pair.told) if one.server and fits(one)]
    require(len(places) >= (count or 1), f"only {len(places)} to change")
    told = list(pair.told)
    for place in places[:: max(1, len(places) // count)][:count] if count else places:
        server = copy.deepcopy(told[place].server)
        change(server)
        told[place] = Told(told[place].at, told[place].legacy, server)
    return told


def expire(server: dict) -> None:
    """Access is over, by V2."""
    end = server["data"]["transactionInfo"]["purchaseDate"] + HOUR
    server["data"]["transactionInfo"]["expiresDate"] = server["data"]["renewalInfo"]["renewalDate"] = end
    server["data"]["status"] = 2


def renamed(server: dict) -> dict:
    """The same notification of other purchases in another app."""
    text = json.dumps(server).replace("com.example.", "com.example.other.")
    for name in ("originalTransactionId", "transactionId", "webOrderLineItemId"):
        text = re.sub(rf'("{name}": ")\d', r"\g<1>99", text)
    return json.loads(text)


def shift(by: int) -> Callable[[dict], None]:
    def change(server: dict) -> None:
        server["data"]["transactionInfo"]["expiresDate"] += by

    return change


def has_expiry(one: Told) -> bool:
    # Near its end both sides of a state may be right.
    return one.type == "DID_RENEW" and "expiresDate" in one.transaction


def consent(server: dict) -> None:
    server["data"]["renewalInfo"]["priceIncreaseStatus"] = 1


def recode(server: dict) -> None:
    server["data"]["transactionInfo"]["productId"] = "com.example.kiln.renamed"
