"""Mutants: one change of one rule at a time; the fixtures must tell that something changed.

A mutant is detected where `slipcast` writes another result for a golden fixture, whose files hold the results of the
built-in rules, or where a line in some `source.txt` no longer holds; the tests of `make test` compare both. Rules that
`slipcast` refuses are not counted. survivors.json explains each mutant that may survive; one that is not there is a
failure, and so is one there that is detected. At least 98 of 100 must be detected.
"""

import json
import tempfile
from argparse import ArgumentParser
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from harness import Suite, passed, require
from mutations import Mutant, mutants
from views import Refused, Views

HERE = Path(__file__).resolve().parent
SHARE = 0.98


def options(parser: ArgumentParser) -> None:
    parser.add_argument("--rule", default="", metavar="WORDS", help="only mutants whose name contains the words")
    parser.add_argument("--list", action="store_true", help="print every survivor, explained or not")


def run(suite: Suite) -> None:
    suite.part("mutants", tried, suite)


def tried(suite: Suite) -> str:
    views = Views(suite)
    made = [one for one in mutants() if suite.options.rule in one.name]
    require(made, f"no mutant is called {suite.options.rule}")

    def fate(mutant: Mutant) -> str:
        with tempfile.TemporaryDirectory(dir=suite.folder) as folder:
            try:
                return "detected" if views.tells(mutant, Path(folder)) else "survives"
            except Refused:
                return "refused"

    with ThreadPoolExecutor(2) as pool:
        fates = dict(zip(made, pool.map(fate, made)))
    refused = Counter(one.kind for one in made if fates[one] == "refused")
    all_refused = [kind for kind, count in Counter(one.kind for one in made).items() if count == refused[kind]]
    require(not all_refused, f"every mutant is refused of: {', '.join(all_refused)}")
    made = [one for one in made if fates[one] != "refused"]
    survivors = {one.name for one in made if fates[one] == "survives"}
    passed(len(made))
    explained = json.loads((HERE / "survivors.json").read_text())
    names = {one.name for one in made}
    if suite.options.list:
        print("\n".join(sorted(survivors)))
    kinds = Counter(one.kind for one in made)
    words = f"{len(made) - len(survivors)} of {len(made)} detected"
    words += f" ({', '.join(f'{kinds[kind]} {kind}' for kind in sorted(kinds))})"
    unexplained = sorted(survivors - set(explained))
    require(not unexplained, "\n  ".join([f"{words}; not explained:", *unexplained]))
    stale = sorted(name for name in explained if name in names and name not in survivors)
    require(not stale, "\n  ".join(["survivors.json explains mutants that are detected:", *stale]))
    require(suite.options.rule or len(survivors) <= len(made) * (1 - SHARE), f"{words}, due {SHARE:.0%}")
    return words
