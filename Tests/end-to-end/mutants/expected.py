"""What the `source.txt` of a notification or receipt requires of its line; Fixtures/README.md describes the lines."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

ORDER = ["documented", "corroborated", "inferred", "ambiguous"]


def event(one: dict) -> str:
    return "/".join(one[key] for key in ("notificationType", "subtype") if one.get(key) is not None)


class Line:
    """A converted line with its findings, and what the rules accept beside it."""

    def __init__(self, line: bytes, findings: list[str], accepts: Callable[[str], list[str]]) -> None:
        self.root, self.findings = json.loads(line), findings
        self.migration = self.root.get("migration", {})
        self.candidates = [event(one) for one in self.migration.get("candidates", ())]
        self.accepts = [event(one) for one in self.migration.get("accepts", ())] + accepts(self.migration.get("rule", ""))

    def value(self, path: str) -> Any:
        found = self.root
        for part in re.split(r"[.\[\]]+", path.rstrip("]")):
            if part.isdigit():
                found = found[int(part)] if isinstance(found, list) and int(part) < len(found) else None
            else:
                found = found.get(part) if isinstance(found, dict) else None
        return found

    def spelled(self, path: str) -> str | None:
        found = self.value(path)
        return found if found is None or isinstance(found, str) else json.dumps(found, separators=(",", ":"))

    def holds(self, kind: str, words: list[str]) -> bool:
        first, inferred = words[0], self.migration.get("inferred", [])
        confidence = self.migration.get("confidence", "")
        path = "data.status" if kind == "status" else first
        wanted = [first] if kind == "status" else words[1:]
        checks: dict[str, Callable[[], bool]] = {
            "event": lambda: event(self.root) in first.split("|"),
            "confidence": lambda: confidence == first,
            "at-most": lambda: confidence in ORDER[ORDER.index(first) :],
            "at-least": lambda: confidence in ORDER[: ORDER.index(first) + 1],
            "candidates": lambda: not self.candidates if first == "none" else {*words} <= {*self.candidates},
            "absorbed": lambda: ("absorbed" in self.migration) == (first == "yes"),
            "accepts": lambda: {*words} <= {*self.accepts},
            "finding": lambda: bool(self.findings if first == "*" else {*first.split("|")} & {*self.findings}),
            "no-finding": lambda: not (self.findings if first == "*" else {*first.split("|")} & {*self.findings}),
            "findings": lambda: not self.findings,
            "has": lambda: self.value(path) is not None,
            "lacks": lambda: self.value(path) is None,
            "inferred": lambda: self.value(path) is not None and path in inferred,
            "not-inferred": lambda: path not in inferred,
            "not-documented": lambda: self.value(path) is None or path in inferred,
            "value": lambda: self.spelled(path) == " ".join(wanted),
            "status": lambda: self.spelled(path) == (None if first == "none" else first),
        }
        return checks[kind]()


def requirements(case: Path) -> list[tuple[str, list[str]]]:
    """The lines of a case below the first, without `source:`."""
    lines = [line.split() for line in (case / "source.txt").read_text().splitlines()[1:]]
    return [(words[0].removesuffix(":"), words[1:]) for words in lines if words and words[0] != "source:"]
