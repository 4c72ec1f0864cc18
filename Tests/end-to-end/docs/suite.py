"""Runs or checks every command that the documentation shows: README, Markdown texts, articles, doc comments, helps.

- sh blocks run in order and their outputs are compared (tutorial.py); --record writes what comes out into the texts.
- `slipcast …` elsewhere runs in a folder as a user has it (desk.py) and must not end with status 2; where it names
  no input of its own, its command and options must exist.
- `make …` must be a target, `swift …` have the options, a script have them too.
- What can be neither run nor checked stands in EXEMPT with its reason; a reason that nothing needs any more fails.
- Errors that are planted in a text must be found.
"""

import re
import shutil
from argparse import ArgumentParser
from functools import cache
from pathlib import Path

import mentions
import plant
import tutorial
from desk import SUBSCRIPTION, Desk
from harness import ROOT, Suite, require, require_none, run as execute
from mentions import Mention, bare, program, words

POSTGRESQL = True
EXEMPT = {
    r"^slipcast serve ": "it runs until it is ended; make serve-test runs it",
    r"^slipcast ui (?!.*--export)": "it runs until it is ended; make ui-test runs it",
    r"^slipcast replay .*--execute": "nobody listens there; make serve-test sends to a server",
    r"^slipcast fetch .*--execute": "nobody listens there; make fetch-test fetches from a mock of Apple's server",
    r"^slipcast verify-receipt --fetch": "nobody listens there; make verify-receipt-test asks a mock of Apple's server",
    r"^slipcast verify --online-checks": "it asks Apple's OCSP responder; make fetch-test asks one of this machine",
    r"^curl -s http://127": "nobody listens there; make serve-test asks a server",
    r"^mysql ": "a server of the reader",
    r"^openssl rand ": "it writes another text each time",
    r"^spark-submit --master spark:": "a cluster of two workers runs the job in make spark-test",
    r"^spark-submit --master (yarn|k8s:)": "the text itself says that these two lines were not tested",
    r"^export PYSPARK_PYTHON=": "make spark-demo runs the job with this setting",
    r"^apt-get install libsimdjson14": "libraries of another Debian than this one may be",
    r"^pip install slipcast-": "the package is built in make wheel-test, which installs it",
    r"^make limbo\.json$": "a target of x509-limbo's own makefile",
}
# What stands for something that the reader knows.
STANDS_FOR = {
    "ID": SUBSCRIPTION, "NAME": "price_consent_status", "WORD": "inferred", "RULE": "renewal.priceIncreaseStatus", "COMMAND": "convert",
}
SKIPPED = ("Fixtures/parity/reports/", ".build/", ".venv/", "Examples/consumer/.build/")


def texts() -> list[Path]:
    """All Markdown texts of the repository."""
    found = []
    for path in sorted(ROOT.rglob("*.md")):
        if not str(path.relative_to(ROOT)).startswith(SKIPPED) and "/.build/" not in str(path):
            found.append(path.relative_to(ROOT))
    return found


class Check:
    """Judges mentions, and counts what it did."""

    def __init__(self, desk: Desk):
        self.desk = desk
        self.problems: list[str] = []
        self.counts = {"run": 0, "known by their names": 0, "targets": 0, "exempt": 0}
        self.used: set[str] = set()
        self.helps: dict[str, str] = {}
        self.seen: dict[str, str | None] = {}
        program_help = self.shown("slipcast --help")
        names = re.findall(r"^  ([a-z][a-z-]*(?: [a-z]+)?)  +\S", program_help, re.M)
        while names:
            name = names.pop(0)
            status, text = desk.run(f"slipcast {name} --help", desk.pristine)
            if f"Usage: slipcast {name} COMMAND" in text:
                # The first page shows a family of commands on one line.
                names += re.findall(rf"^  ({name} [a-z]+)  +\S", text, re.M)
            elif status == 0:
                self.helps[name] = text
        self.program_help = program_help

    def shown(self, command: str) -> str:
        return self.desk.run(command, self.desk.pristine)[1]

    def help_examples(self) -> list[Mention]:
        """The examples of all helps, and the lines of the program's own."""
        found = [Mention("slipcast --help", [line.strip().split("   ")[0]])
                 for line in self.program_help.splitlines() if line.startswith("  slipcast ")]
        for name, text in self.helps.items():
            _, _, examples = text.partition("\nExamples:\n")
            found += [Mention(f"slipcast {name} --help", [line.strip()])
                      for line in examples.split("\n\n")[0].splitlines() if line.startswith("    ")]
            if not examples:
                self.problems.append(f"slipcast {name} --help: no examples")
        return found

    def judge(self, mention: Mention):
        place = None
        for command in mention.commands:
            reason = next((pattern for pattern in EXEMPT if re.search(pattern, command)), None)
            if reason:
                self.used.add(reason)
                self.counts["exempt"] += 1
                continue
            if not mention.is_block and command in self.seen:
                problem = self.seen[command]
            else:
                place = place or self.desk.copy()
                problem = self.judged(command, place, mention.is_block)
                if not mention.is_block:
                    self.seen[command] = problem
            if problem:
                self.problems.append(f"{mention.place}: {command}\n    {problem}")

    def judged(self, command: str, place: Path, is_block: bool) -> str | None:
        """What is wrong with a command."""
        name = program(command)
        if name == "slipcast" or re.search(r"[|(] *slipcast ", command):
            return self.slipcast(command, place, is_block)
        if name == "make":
            return self.make(bare(command))
        if name == "swift":
            return self.swift(words(bare(command)))
        if name in ("python", "python3", "bash") or command.startswith("$PYSPARK_PYTHON"):
            return self.script(words(bare(command)))
        return "this command is neither run nor checked"

    def slipcast(self, command: str, place: Path, is_block: bool) -> str | None:
        command = re.sub(r"^\S*/?slipcast(?= )", "slipcast", bare(command))
        for word, value in STANDS_FOR.items():
            command = re.sub(rf"(?<= ){word}\b", value, command)
        problem = self.names(command)
        if problem:
            return problem
        is_open = "…" in command or re.search(r"(?<![\w/.])[A-Z]{3,}(?![\w=])", re.sub(r"explain \S+", "", command))
        if is_open or not is_block and not self.has_input(words(command[command.index("slipcast ") :])[1:]):
            self.counts["known by their names"] += 1
            return None
        self.counts["run"] += 1
        self.clear(command, place)
        status, output = self.desk.run(command, place)
        return f"exit status {status}\n{output}" if status not in (0, 1) else None

    def command(self, inner: list[str]) -> str:
        """The command that words begin with."""
        for length in (2, 1):
            if " ".join(inner[:length]) in self.helps:
                return " ".join(inner[:length])
        return ""

    def has_input(self, inner: list[str]) -> bool:
        """Whether a command could run: `slipcast convert --group` in a sentence speaks of an option alone."""
        name = self.command(inner)
        rest = inner[len(name.split()) :]
        if {"--help", "--list", "--legacy"} & set(rest) or inner[0].startswith("--"):
            return True
        takes_value = set(re.findall(r"^  (--[a-z0-9-]+) \S", self.helps[name], re.M))
        operands = [
            word for before, word in zip(["", *rest], rest)
            if before not in takes_value and (word == "-" or not word.startswith("-"))]
        return bool(operands)

    def names(self, command: str) -> str | None:
        """Whether each command and option of a pipeline exists."""
        for part in re.findall(r"slipcast ((?:[^|)'\"]|'[^']*'|\"[^\"]*\")*)", command):
            inner = words(part)
            if inner[:1] in (["--help"], ["--version"], ["help"]):
                continue
            name = self.command(inner)
            if not name:
                return f"there is no command {' '.join(inner[:1])}"
            for word in inner:
                option = re.match(r"--[a-z][a-z0-9-]*", word)
                if option and not re.search(rf"^\s*{option[0]}\b", self.helps[name], re.M):
                    return f"slipcast {name} has no option {option[0]}"
        return None

    def clear(self, command: str, place: Path):
        """What a command makes must not be there before."""
        made = re.findall(r"slipcast identity (?:--quiet )?(\S+)", command)
        if "--resume" not in command:
            made += [target for target in re.findall(r"--to (\S+)", command) if not target.startswith("'")]
        if "baseline record" in command and "--force" not in command:
            made += re.findall(r"--baseline (\S+)", command)
        for name in made:
            path = place / name
            if path.exists() and path.resolve().is_relative_to(place.resolve()):
                shutil.rmtree(path) if path.is_dir() else path.unlink()

    def make(self, command: str) -> str | None:
        parts = [word.replace("…", "1") for word in words(command)]
        self.counts["targets"] += 1
        done = run_once("make", "-n", *parts[1:])
        return None if done.status == 0 else done.stderr.strip()

    def swift(self, parts: list[str]) -> str | None:
        """Whether swift has the options; whether there is a test of the name."""
        self.counts["known by their names"] += 1
        if len(parts) < 2:
            return None
        if parts[1] not in ("build", "test", "run", "format", "package"):
            return f"swift {parts[1]}?"
        text = run_once("swift", parts[1], "--help").stdout
        for word in parts[2:]:
            if word.startswith("-") and not re.search(rf"(?<![\w-]){re.escape(word.split('=')[0])}\b", text):
                return f"swift {parts[1]} has no option {word}"
        if "--filter" in parts:
            wanted = parts[parts.index("--filter") + 1]
            tests = (ROOT / "Tests").rglob("*.swift")
            if not any(wanted in path.name or wanted in path.read_text(encoding="utf-8") for path in tests):
                return f"no test is called {wanted}"
        return None

    def script(self, parts: list[str]) -> str | None:
        """Whether a script is there, and knows the options."""
        self.counts["known by their names"] += 1
        script = next((word for word in parts[1:] if word.endswith((".py", ".sh"))), None)
        if script is None or not (ROOT / script).exists():
            return "there is no such script"
        text = (ROOT / script).read_text(encoding="utf-8")
        own = parts[parts.index(script) + 1 :]
        for word in own[: own.index("--")] if "--" in own else own:
            if word.startswith("--") and word.split("=")[0] not in text:
                return f"{script} has no option {word}"
        return None


@cache
def run_once(*words: str):
    return execute(words, status=())


def tutorials(suite: Suite, file: Path, record: bool) -> str:
    """Runs the sh blocks of a text."""
    problems, commands, outputs = tutorial.check(suite, file, record)
    require_none(problems, commands + outputs, "are wrong")
    return f"{commands} commands, {outputs} outputs" if commands else "no sh block"


def elsewhere(suite: Suite, files: list[Path], comments: bool) -> str:
    """Runs or checks all other commands."""
    check = Check(Desk(suite))
    found: list[Mention] = []
    for path in files:
        found += mentions.of_markdown((ROOT / path).read_text(encoding="utf-8"), str(path))
    if comments:
        for path in sorted((ROOT / "Sources").rglob("*.swift")):
            found += mentions.of_comments(path, ROOT)
        found += check.help_examples()
    for mention in found:
        check.judge(mention)
    if comments:
        check.problems += [f"EXEMPT: nothing shows {one} any more" for one in EXEMPT if one not in check.used]
    require_none(check.problems, sum(check.counts.values()), "commands are wrong")
    return ", ".join(f"{count} {what}" for what, count in check.counts.items())


def planted(suite: Suite) -> None:
    """The suite finds what is wrong in a text."""
    file = suite.folder / "wrong.md"
    file.write_text(plant.TEXT, encoding="utf-8")
    problems = tutorial.check(suite, file, False)[0]
    check = Check(Desk(suite))
    for mention in mentions.of_markdown(plant.TEXT, "wrong.md"):
        check.judge(mention)
    told = "\n".join(problems + check.problems)
    for line in plant.EXPECTED:
        require(line in told, f"not found: {line}\nbut:\n{told}")


def options(parser: ArgumentParser) -> None:
    parser.add_argument("--record", action="store_true", help="write the outputs of sh blocks into the texts")
    parser.add_argument("--text", nargs="+", type=Path, default=[], metavar="FILE", help="look at these texts alone")


def run(suite: Suite) -> None:
    files = suite.options.text or texts()
    suite.part("planted errors", planted, suite)
    for file in files:
        if "```sh" in (ROOT / file).read_text(encoding="utf-8"):
            suite.part(f"sh blocks/{file}", tutorials, suite, ROOT / file, suite.options.record)
    suite.part("commands elsewhere", elsewhere, suite, files, not suite.options.text)
