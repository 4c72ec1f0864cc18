"""Runs the sh blocks of a Markdown file, in order, in a scratch copy of the repository, and compares what it shows.

- Each line of an sh block is a command; one that ends in \\ goes on. It must end with status 0, or with the one that
  the line names: # exit status 1
- A block of no language behind it, up to the next heading, is the output of the block. A line … stands for any lines,
  … in a line for any words.
- Recording writes what comes out into the blocks, with the cut lines where they were; a line that changed is written
  whole.
"""

import difflib
import re
import shutil
from dataclasses import dataclass, field
from pathlib import Path

from harness import ROOT, Suite, anew, run

# What commands may read: the rest of the repository is no part of the scratch copy.
COPIED = ("Examples", "Fixtures", "Mappings", "Tests/end-to-end/parity", "Tests/end-to-end/fetch")
CUT = "…"
STATUS = re.compile(r"\s+# exit status (\d+)$")


@dataclass
class Excerpt:
    """Lines of the file that show output, without their fences: [start, end)."""

    start: int
    end: int


@dataclass
class Block:
    """Commands, and what is shown of their output."""

    line: int
    text: list[str] = field(default_factory=list)
    excerpts: list[Excerpt] = field(default_factory=list)

    def commands(self) -> list[tuple[str, int]]:
        """Each command with the exit status that it must have."""
        commands: list[str] = []
        goes_on = False
        for line in self.text:
            if goes_on:
                commands[-1] += "\n" + line
            elif line.strip() and not line.startswith("#"):
                commands.append(line)
            goes_on = line.endswith("\\")
        found = [(STATUS.sub("", command), STATUS.search(command)) for command in commands]
        return [(command, int(status[1]) if status else 0) for command, status in found]


def blocks(lines: list[str]) -> list[Block]:
    """The sh blocks of a Markdown text."""
    found: list[Block] = []
    current, language, start = None, None, 0
    for number, line in enumerate(lines):
        if language is not None:
            if line == "```":
                if language == "sh":
                    current = Block(start, lines[start:number])
                    found.append(current)
                elif language == "" and current:
                    current.excerpts.append(Excerpt(start, number))
                language = None
        elif line.startswith("```"):
            language, start = line[3:], number + 1
        elif line.startswith("#"):
            current = None
    return found


def fits(shown: list[str], lines: list[str]) -> bool:
    """True when the lines are what is shown; … in a line is anything."""
    return len(shown) == len(lines) and all(
        re.fullmatch(".*".join(re.escape(part) for part in one.split(CUT)), line)
        for one, line in zip(shown, lines)
    )


def likeness(shown: list[str], lines: list[str]) -> float:
    return sum(
        1 if fits([one], [line]) else difflib.SequenceMatcher(None, one, line, autojunk=False).ratio() / 2
        for one, line in zip(shown, lines)
    )


def rewritten(excerpt: list[str], output: list[str]) -> list[str]:
    """The excerpt as it should be: the same where it is true, else the lines that are most like it."""
    parts: list[list[str]] = [[]]
    for line in excerpt:
        if line.strip() == CUT:
            parts.append([])
        else:
            parts[-1].append(line)
    if len(parts) == 1:
        return excerpt if fits(excerpt, output) else output
    result, at = [], 0
    for place, part in enumerate(parts):
        if place > 0:
            result.append(CUT)
        if not part:
            continue
        starts = range(at, max(at, len(output) - len(part)) + 1)
        if place == 0:
            starts = range(1)
        elif place == len(parts) - 1:
            starts = starts[-1:]
        start = next((start for start in starts if fits(part, output[start : start + len(part)])), None)
        if start is None:
            start = max(starts, key=lambda start: likeness(part, output[start : start + len(part)]))
            part = output[start : start + len(part)]
        result += part
        at = start + len(part)
    return result


class Scratch:
    """A copy of what the commands need, with slipcast on the PATH."""

    def __init__(self, folder: Path):
        self.root = folder / "repository"
        for name in COPIED:
            shutil.copytree(ROOT / name, self.root / name, ignore=shutil.ignore_patterns("__pycache__"))
        # As after a build.
        (self.root / ".build").mkdir()
        self.before = self.files()

    def run(self, command: str) -> tuple[str, int]:
        """All that a terminal would show, and the exit status."""
        done = run(["bash", "-c", command], folder=self.root, status=(), merged=True)
        return done.stdout, done.status

    def files(self) -> dict[str, tuple[int, int]]:
        """What is under version control, outside of .build, with sizes and times."""
        paths = (path for path in self.root.rglob("*") if path.is_file())
        names = {str(path.relative_to(self.root)): path.stat() for path in paths}
        return {name: (at.st_size, at.st_mtime_ns) for name, at in names.items() if not name.startswith(".build/")}


def check(suite: Suite, path: Path, record: bool) -> tuple[list[str], int, int]:
    """What is wrong with a file, nothing when all of it is true; how many commands ran, how many outputs it shows."""
    lines = path.read_text(encoding="utf-8").splitlines()
    problems: list[str] = []
    changes: list[tuple[Excerpt, list[str]]] = []
    found = blocks(lines)
    if not found:
        return [], 0, 0
    scratch = Scratch(anew(suite.folder / "scratch"))
    for block in found:
        output = ""
        for command, expected in block.commands():
            text, status = scratch.run(command)
            output += text
            if status != expected:
                problems.append(f"{path}:{block.line}: exit status {status}, not {expected}:\n{command}\n{text}")
        for excerpt in block.excerpts:
            shown = lines[excerpt.start : excerpt.end]
            true = rewritten(shown, output.splitlines())
            if true != shown:
                changes.append((excerpt, true))
                diff = "\n".join(difflib.unified_diff(shown, true, "shown", "real output", lineterm=""))
                if record:
                    print(f"{path}:{excerpt.start}: recorded\n{diff}")
                else:
                    problems.append(f"{path}:{excerpt.start}: the output is another\n{diff}")
    if scratch.files() != scratch.before:
        problems.append(f"{path}: commands write outside of .build")
    if record and changes:
        for excerpt, true in reversed(changes):
            lines[excerpt.start : excerpt.end] = true
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return problems, sum(len(block.commands()) for block in found), sum(len(block.excerpts) for block in found)
