"""Finds the commands that Markdown texts, doc comments and helps show outside of sh blocks."""

import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path

# What begins a command, behind settings of the environment.
PROGRAMS = {
    "slipcast", "make", "swift", "python3", "bash", "sh", "git", "psql", "jq", "spark-submit", "apt-get", "apt",
    "export", "pip", "brew", "curl", "docker", "sudo", "cd", "pbpaste", "openssl", "valgrind", "cp", "mv", "rm",
    "mkdir",
}
SETTING = re.compile(r"^[A-Z][A-Z_]*=\S* +")
INLINE = re.compile(r"(?<!`)`([^`]+)`(?!`)")
QUOTED = re.compile(r"slipcast [a-z][a-z-]*(?: [^\"'`|<>]*)?")


@dataclass
class Mention:
    """Commands that stand together, in order."""

    place: str
    commands: list[str] = field(default_factory=list)
    # A whole block of commands, or words in a sentence.
    is_block: bool = True


def bare(command: str) -> str:
    """The command without settings of the environment."""
    while SETTING.match(command):
        command = SETTING.sub("", command, count=1)
    return command


def program(line: str) -> str | None:
    """The program that a line calls, if it looks like a call."""
    words = bare(line.removeprefix("$ ").strip()).split()
    if not words:
        return None
    name = words[0].split("/")[-1] if "/" in words[0] else words[0]
    if name in PROGRAMS or name == "python" or words[0].startswith("$PYSPARK"):
        return name
    return None


def joined(lines: list[str]) -> list[str]:
    """Lines that end in \\ with what follows; comments and empty lines left out."""
    commands: list[str] = []
    goes_on = False
    for line in lines:
        text = line.strip().removeprefix("$ ")
        if goes_on:
            commands[-1] = commands[-1][:-1].rstrip() + " " + text
        elif text and not text.startswith("#"):
            commands.append(text)
        goes_on = text.endswith("\\")
    return [shlexed(command) for command in commands]


def shlexed(command: str) -> str:
    """The command without the comment behind it."""
    return re.sub(r"\s{2,}# .*$", "", command)


def of_lines(lines: list[str], place: str, first: int) -> Mention | None:
    """A block, when it begins with a command."""
    body = [line for line in lines if line.strip() and not line.strip().startswith("#")]
    if body and program(body[0]):
        return Mention(f"{place}:{first}", joined(lines))
    return None


def of_markdown(text: str, place: str) -> list[Mention]:
    """All commands of a text outside of its sh blocks."""
    found: list[Mention] = []
    fence, start, indented = None, 0, []
    body: list[str] = []
    follows_sh = False
    paragraph: list[str] = []
    lines = text.splitlines()
    for number, line in enumerate([*lines, ""], start=1):
        if fence is None and line.startswith("    ") and (indented or not lines[number - 2].strip()):
            indented.append(line)
            continue
        if indented:
            found += [mention for mention in [of_lines(indented, place, number - len(indented))] if mention]
            indented = []
        if paragraph and (not line.strip() or line.startswith(("```", "#", "|", "- "))):
            # Code may go on in the next line of its paragraph.
            found += inline(" ".join(paragraph), f"{place}:{number - len(paragraph)}")
            paragraph = []
        if line.startswith("```"):
            if fence is None:
                fence, start, body = line[3:].strip(), number, []
            else:
                # What stands behind sh is its output, and sh itself is run elsewhere.
                if fence == "sh":
                    follows_sh = True
                elif fence or not follows_sh:
                    block = of_lines(body, place, start)
                    found += [block] if block else [
                        Mention(f"{place}:{start}", [quote], is_block=False)
                        for inner in body if fence for quote in QUOTED.findall(inner)]
                fence = None
        elif fence is not None:
            body.append(line)
        else:
            if line.startswith("#"):
                follows_sh = False
            if line.strip():
                paragraph.append(line)
    return found


def inline(line: str, place: str) -> list[Mention]:
    """Commands in code voice."""
    return [
        Mention(place, [" ".join(code.split())], is_block=False) for code in INLINE.findall(line)
        if program(code) and (len(bare(code).split()) > 1 or code == "make")]


def of_comments(path: Path, root: Path) -> list[Mention]:
    """Commands in the doc comments of a source."""
    found: list[Mention] = []
    paragraph: list[str] = []
    for number, line in enumerate([*path.read_text(encoding="utf-8").splitlines(), ""], start=1):
        words_of_line = line.lstrip().removeprefix("///").strip() if line.lstrip().startswith("///") else ""
        if words_of_line:
            paragraph.append(words_of_line)
        elif paragraph:
            found += inline(" ".join(paragraph), f"{path.relative_to(root)}:{number - len(paragraph)}")
            paragraph = []
    return found


def words(command: str) -> list[str]:
    """The words of a command, up to a pipe or a redirection."""
    try:
        parts = shlex.split(command, comments=True)
    except ValueError:
        parts = command.split()
    ends = [place for place, word in enumerate(parts) if word in ("|", ">", "<", "&&", ";", "||", "2>")]
    return parts[: min(ends)] if ends else parts
