"""Mutants: one change of one rule at a time; the fixtures must tell that something changed.

A mutant is detected where `slipcast` writes another result for a fixture. The files of the fixtures hold the results of
the built-in rules (the tests of `make test` compare them), so such a mutant fails these tests. Rules that `slipcast`
refuses are not counted. survivors.json explains each mutant that may survive; one that is not there is a failure, and so
is one there that is detected. At least 98 of 100 must be detected.
"""

import hashlib
import json
import tempfile
from argparse import ArgumentParser
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from harness import FIXTURES, Suite, passed, require
from mutations import FIELDS, Mutant, mutants

HERE = Path(__file__).resolve().parent
SHARE = 0.98


def options(parser: ArgumentParser) -> None:
    parser.add_argument("--rule", default="", metavar="WORDS", help="only mutants whose name contains the words")
    parser.add_argument("--list", action="store_true", help="print every survivor, explained or not")


class Refused(Exception):
    """The rules check finds the change."""


class Views:
    """What slipcast writes for the fixtures, by some rules."""

    def __init__(self, suite: Suite) -> None:
        self.suite = suite
        self.known: dict[str, str] = {}
        cases: dict[tuple[str, ...], list[Path]] = {}
        for path in sorted([*FIXTURES.glob("notifications/*/v1.json"), *FIXTURES.glob("receipts/*/v1.json")]):
            words = path.with_name("arguments.txt")
            cases.setdefault(tuple(words.read_text().split()) if words.exists() else (), []).append(path)
        self.converted = [
            [*words, *(("--emit", form) if "--emit" not in words else ()), *paths]
            for words, paths in cases.items()
            for form in (("auto", "history", "statuses") if not words else ("auto",))
        ]
        self.pairs = [
            [one / "v1.json", one / "v2.json"] for one in sorted(FIXTURES.glob("pairs/*")) if (one / "v2.json").exists()
        ]
        self.grouped = [
            [*command, *(archive / "arguments.txt").read_text().split(), archive / "v1.ndjson"]
            for archive in sorted(FIXTURES.glob("archives/*"))
            for command in (["convert", "--group"], ["timeline"])
        ]

    def commands(self, kind: str, is_compared: bool) -> list[list]:
        """The commands whose output rules of a kind decide, the quick ones first; `diff` shows what is compared."""
        convert = [["convert", "--quiet", *words] for words in self.converted]
        diff = [["diff", "--format", "json", *pair] for pair in self.pairs]
        if kind == "comparing":
            return diff
        if kind == "grouping":
            return self.grouped
        if kind in FIELDS or is_compared:
            return [*convert, *diff]
        return [*convert, *self.grouped] if kind == "decisions" else convert

    def result(self, command: list, folder: Path, *mappings: object) -> str:
        account = folder / "account.ndjson"
        account.write_text("")
        kept = ["--provenance", account] if command[0] == "convert" and "--group" not in command else []
        outcome = self.suite.run(*command, *kept, *mappings, status=(0, 1, 2))
        if outcome.status == 2:
            raise Refused(outcome.stderr)
        return hashlib.sha256(outcome.stdout.encode() + account.read_bytes()).hexdigest()

    def built_in(self, command: list) -> str:
        key = " ".join(map(str, command))
        if key not in self.known:
            folder = Path(tempfile.mkdtemp(dir=self.suite.folder))
            self.known[key] = self.result(command, folder)
        return self.known[key]

    def tells(self, mutant: Mutant, folder: Path) -> bool:
        """A result of some fixture differs."""
        (folder / "rules").mkdir(parents=True, exist_ok=True)
        (folder / "rules/mutant.json").write_text(mutant.content)
        return any(
            self.result(command, folder, "--mappings", folder / "rules") != self.built_in(command)
            for command in self.commands(mutant.kind, mutant.is_compared)
        )


def run(suite: Suite) -> None:
    suite.part("mutants", tried, suite)


def tried(suite: Suite) -> str:
    views = Views(suite)
    made = [one for one in mutants() if suite.options.rule in one.name]
    require(made, f"no mutant is called {suite.options.rule}")

    def fate(numbered: tuple[int, Mutant]) -> str:
        number, mutant = numbered
        try:
            return "detected" if views.tells(mutant, suite.folder / f"m{number}") else "survives"
        except Refused:
            return "refused"

    with ThreadPoolExecutor(2) as pool:
        fates = dict(zip(made, pool.map(fate, enumerate(made))))
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
