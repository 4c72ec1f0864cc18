"""What `slipcast` writes for the fixtures by some rules, and whether the tests would tell the difference."""

import hashlib
import json
import tempfile
from pathlib import Path

from expected import Line, requirements
from harness import FIXTURES, ROOT, Suite
from mutations import FIELDS, Mutant


class Refused(Exception):
    """The rules check finds the change."""


def common(report: str) -> str:
    """What a comparison of archives says of each side, without the rules that it was made with."""
    told = json.loads(report)
    return json.dumps([told["pairs"], told["coverage"]["legacy"], told["coverage"]["server"]])


class Views:
    """The results of the fixtures: whole for golden ones, else what the lines of `source.txt` are about."""

    def __init__(self, suite: Suite) -> None:
        self.suite = suite
        self.known: dict[str, str] = {}
        whole: dict[tuple[str, ...], list[Path]] = {}
        self.stated: dict[tuple[str, ...], list[Path]] = {}
        for path in sorted([*FIXTURES.glob("notifications/*/v1.json"), *FIXTURES.glob("receipts/*/v1.json")]):
            words = path.with_name("arguments.txt")
            cases = whole if path.with_name("v2.json").exists() else self.stated
            cases.setdefault(tuple(words.read_text().split()) if words.exists() else (), []).append(path)
        self.converted = [
            [*words, *(("--emit", form) if "--emit" not in words else ()), *paths]
            for words, paths in whole.items()
            for form in (("auto", "history", "statuses") if not words else ("auto",))
        ]
        pairs = [one for one in sorted(FIXTURES.glob("pairs/*")) if (one / "v2.json").exists()]
        self.pairs = [[one / "v1.json", one / "v2.json"] for one in pairs if (one / "diff.json").exists()]
        self.stated_pairs = [one for one in pairs if not (one / "diff.json").exists()]
        self.grouped = [
            [*command, *(archive / "arguments.txt").read_text().split(), archive / "v1.ndjson"]
            for archive in sorted(FIXTURES.glob("archives/*"))
            for command in (["convert", "--group"], ["timeline"])
        ]
        self.paired = [
            ["parity", "--format", "json", *(server.with_name("arguments.txt")).read_text().split(), "--legacy",
             server.with_name("v1.ndjson"), "--server", server]
            for server in sorted(FIXTURES.glob("archives/*/v2.ndjson"))
        ]
        files = (ROOT / "Mappings/rules/notification-types").glob("*.json")
        rules = [rule for file in files for rule in json.loads(file.read_text())["rules"]]
        self.accepts = {rule["id"]: rule.get("accepts", []) for rule in rules}

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
        return [*convert, *self.grouped, *self.paired] if kind == "decisions" else convert

    def result(self, command: list, folder: Path, *mappings: object) -> str:
        account = folder / "account.ndjson"
        account.write_text("")
        kept = ["--provenance", account] if command[0] == "convert" and "--group" not in command else []
        outcome = self.suite.run(*command, *kept, *mappings, status=(0, 1, 2))
        if outcome.status == 2:
            raise Refused(outcome.stderr)
        told = common(outcome.stdout) if command[0] == "parity" else outcome.stdout
        return hashlib.sha256(told.encode() + account.read_bytes()).hexdigest()

    def built_in(self, command: list) -> str:
        key = " ".join(map(str, command))
        if key not in self.known:
            folder = Path(tempfile.mkdtemp(dir=self.suite.folder))
            self.known[key] = self.result(command, folder)
        return self.known[key]

    def tells(self, mutant: Mutant, folder: Path) -> bool:
        """A golden result differs, or a line of a `source.txt` does not hold."""
        rules = folder / "rules"
        rules.mkdir()
        (rules / "mutant.json").write_text(mutant.content)
        commands = self.commands(mutant.kind, mutant.is_compared)
        if any(self.result(command, folder, "--mappings", rules) != self.built_in(command) for command in commands):
            return True
        if mutant.kind not in ("comparing", "grouping") and not self.lines_hold(mutant, folder, rules):
            return True
        is_compared = mutant.kind == "comparing" or mutant.kind in FIELDS or mutant.is_compared
        return is_compared and not all(self.pair_holds(pair, rules) for pair in self.stated_pairs)

    def lines_hold(self, mutant: Mutant, folder: Path, rules: Path) -> bool:
        """Every line of the notifications and receipts that are not golden holds."""
        changed = json.loads(mutant.content)["rules"][0]
        accepts = self.accepts | {changed["id"]: changed.get("accepts", [])} if "id" in changed else self.accepts
        account = folder / "account.ndjson"
        for words, paths in self.stated.items():
            account.write_text("")
            shown = ["--provenance", account, "--mappings", rules]
            outcome = self.suite.run("convert", "--quiet", *words, *paths, *shown, status=(0, 1, 2))
            if outcome.status == 2:
                raise Refused(outcome.stderr)
            for text, about in zip(outcome.stdout.splitlines(), account.read_text().splitlines(), strict=True):
                told = json.loads(about)
                codes = [finding["code"] for finding in told.get("findings", ())]
                line = Line(text.encode(), codes, lambda rule: accepts.get(rule, []))
                if not all(line.holds(*one) for one in requirements(Path(told["source"]).parent)):
                    return False
        return True

    def pair_holds(self, pair: Path, rules: Path) -> bool:
        """The verdict, the number of conflicts and the classes that `source.txt` names."""
        words = ["diff", "--format", "json", pair / "v1.json", pair / "v2.json", "--mappings", rules]
        outcome = self.suite.run(*words, status=(0, 1, 2))
        if outcome.status == 2:
            raise Refused(outcome.stderr)
        told = json.loads(outcome.stdout)
        lines = [line.split() for line in (pair / "source.txt").read_text().splitlines() if line.startswith(("verdict:", "expect"))]
        for kind, *words in lines:
            rows = [one["class"] for one in told["fields"] if words[0] in (one.get("v2Path"), one.get("v1Path"))]
            holds = {
                "verdict:": lambda: told["verdict"] == words[0],
                "expect-conflicts:": lambda: told["counts"]["conflict"] == int(words[0]),
                "expect:": lambda: bool({*rows} & {*words[1].split("|")}),
            }
            if not holds[kind]():
                return False
        return True
