"""One change of one rule at a time."""

import json
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

from harness import ROOT

RULES = ROOT / "Mappings/rules"
FIELDS = ("transaction", "renewal", "notification", "receipt", "statuses")
OTHER = {
    "documented": "inferred", "corroborated": "documented", "inferred": "documented",
    "identical": "derived", "renamed": "derived", "retyped": "derived", "widened": "identical", "narrowed": "identical",
    "derived": "identical", "conflict": "derived", "serverOnly": "conflict", "legacyOnly": "conflict",
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """A rule file that lies over the built-in ones, with one changed rule."""

    name: str
    kind: str
    content: str

    @property
    def is_compared(self) -> bool:
        """No output but a comparison shows the change."""
        return self.name.endswith(": no accepts")


def mutants() -> Iterator[Mutant]:
    for path in sorted(RULES.rglob("*.json")):
        document = json.loads(path.read_text())
        family = document["family"]
        make = {"decisions": windows, "grouping": groups, "comparing": comparing}.get(family)
        if path.parent.name == "notification-types":
            make = decisions
        elif family in FIELDS:
            make = fields
        if make is None:
            continue
        for place, rule in enumerate(document["rules"]):
            for change, changed in make(rule, document["rules"]):
                name = rule.get("id") or f"{family}.{rule.get('to') or rule['from'][0]}"
                # What the built-in rules alone may say: when a type happened.
                head = {key: value for key, value in document.items() if key not in ("rules", "event")}
                yield Mutant(f"{name}: {change}", family, json.dumps(head | {"rules": [changed]}))


Changes = Iterator[tuple[str, dict]]


def without(rule: dict, key: str, place: int | None = None) -> dict:
    changed = deepcopy(rule)
    if place is None:
        del changed[key]
    else:
        del changed[key][place]
    return changed


def decisions(rule: dict, rules: list[dict]) -> Changes:
    """A row of the decision table: its conditions, event, confidence, and candidates."""
    for key in ("all", "none"):
        for place, condition in enumerate(rule.get(key, ())):
            yield f"no {condition}", without(rule, key, place)
    if "to" in rule:
        others = [one["to"] for one in rules if one.get("to", rule["to"]) != rule["to"]]
        yield "another event", rule | {"to": others[0] if others else "TEST"}
        yield "another confidence", rule | {"confidence": OTHER[rule.get("confidence", "documented")]}
    candidates = rule.get("candidates", ())
    for place in range(len(candidates) if len(candidates) > 2 else 0):
        yield f"no candidate {candidates[place]['to']}", without(rule, "candidates", place)
    if len(candidates) > 1:
        yield "another first candidate", rule | {"candidates": [*candidates[1:], candidates[0]]}
    for key in ("accepts", "absorbed", "finding"):
        if key in rule:
            yield f"no {key}", without(rule, key)


def windows(rule: dict, _: list[dict]) -> Changes:
    """A window or a limit, longer and shorter; an order of evidence, turned round."""
    for key in ("milliseconds", "sandbox", "count"):
        if rule.get(key, 0) > 0:
            yield f"{key} doubled", rule | {key: rule[key] * 2}
            yield f"{key} halved", rule | {key: rule[key] // 2}
    if "order" in rule:
        yield "another order", rule | {"order": rule["order"][1:] + rule["order"][:1]}


def groups(rule: dict, _: list[dict]) -> Changes:
    for key in ("lead", "companion"):
        words = rule.get(key, "").split()
        for word in words if len(words) > 1 else ():
            yield f"no {word} in {key}", rule | {key: " ".join(one for one in words if one != word)}
    for place, condition in enumerate(rule.get("if", ())):
        yield f"no {condition}", without(rule, "if", place)
    if "confidence" in rule:
        yield "another confidence", rule | {"confidence": OTHER[rule["confidence"]]}


def comparing(rule: dict, _: list[dict]) -> Changes:
    yield "another class", rule | {"class": OTHER.get(rule["class"], "conflict")}
    if rule.get("milliseconds"):
        yield "milliseconds doubled", rule | {"milliseconds": rule["milliseconds"] * 2}
        yield "milliseconds halved", rule | {"milliseconds": rule["milliseconds"] // 2}


def fields(rule: dict, _: list[dict]) -> Changes:
    """A field rule: its sources, relation, confidence, and what is compared."""
    sources = rule.get("from", ())
    for place in range(len(sources) if len(sources) > 1 else 0):
        yield f"no {sources[place]}", without(rule, "from", place)
    if rule["relation"] not in ("legacyOnly", "serverOnly"):
        yield "another relation", rule | {"relation": OTHER[rule["relation"]]}
    if rule.get("using"):
        yield "another confidence", rule | {"confidence": OTHER[rule.get("confidence", "documented")]}
    for key in ("absent", "untold", "undecidable", "compare", "silentAs"):
        if key in rule:
            yield f"no {key}", without(rule, key)
