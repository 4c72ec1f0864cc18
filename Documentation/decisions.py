"""The page about notification types: a drawing and a table for each V1 type, from the rules."""

from pathlib import Path

import drawing
from mapping import Rules, cell, code

MARK = "<!-- the decision tables -->"


def outcome(row: dict) -> str:
    """The result of a row, in words."""
    known = row.get("confidence", "documented")
    if row.get("candidates"):
        readings = "; ".join(f"{code(one['to'])} if {cell(one['needs'])}" for one in row["candidates"])
        return f"**ambiguous**: {readings}"
    to = "V1’s own type" if row["to"] == "*" else code(row["to"])
    return f"**{known}**, absorbed into {to}" if row.get("absorbed") else f"**{known}**: {to}"


def condition(row: dict) -> str:
    """What a row is about, when it fits, and what else is to be known of it."""
    facts = [code(fact) for fact in row.get("all", [])] + [f"not {code(fact)}" for fact in row.get("none", [])]
    words = [cell(row["meaning"]["v1"]), f"When {', '.join(facts)}." if facts else "Otherwise."]
    if row.get("accepts"):
        words.append(f"V2 may also send {', '.join(code(event) for event in row['accepts'])}.")
    if row.get("finding"):
        words.append(f"Finding {code(row['finding'])}: {cell(row['findingMessage'])}")
    if row.get("note"):
        words.append(f"*{cell(row['note'])}*")
    return " ".join(words)


def table(rows: list[dict]) -> list[str]:
    lines = ["| | V1 | V2 |", "|---|---|---|"]
    return lines + [f"| {number} | {condition(row)} | {outcome(row)} |" for number, row in enumerate(rows, start=1)]


def drawn(row: dict) -> drawing.Row:
    events = [drawing.Event(one["to"], one["needs"]) for one in row.get("candidates", [])]
    if not events:
        events = [drawing.Event("V1’s own type, unchanged" if row["to"] == "*" else row["to"])]
    return drawing.Row(
        says=row["meaning"]["v1"], all=row.get("all", []), none=row.get("none", []), events=events,
        confidence=row.get("confidence", "documented"), absorbed=row.get("absorbed", False))


def write(catalogue: Path, rules: Rules):
    """Writes the drawings, and puts them and their tables where the page has its mark."""
    types: dict[str, list[dict]] = {}
    for row in rules.read("notification-types", "rules"):
        types.setdefault(row.get("type") or row["id"].split(".")[1], []).append(row)
    lines = ["![Meaning of the colors: documented, corroborated, inferred, ambiguous, absorbed.](decision-legend)", ""]
    pictures = {"legend": lambda palette: drawing.legend(palette)}
    for name, rows in types.items():
        shown = "any other type" if name == "*" else name
        file = "other" if name == "*" else name
        says = f"The decision table of {shown}, {len(rows)} row{'s'[: len(rows) - 1]}, which the text below repeats."
        lines += [f"## {shown}", "", f"![{says}](decision-{file})", "", *table(rows), ""]
        drawn_rows = [drawn(row) for row in rows]
        pictures[file] = lambda palette, name=shown, rows=drawn_rows: drawing.decision(name, rows, palette)
    lines += ["## The facts", "", "An unknown fact counts as not holding.", "", "| fact | holds when |", "|---|---|"]
    lines += [f"| {code(fact['fact'])} | {cell(fact['meaning'])} |" for fact in rules.read("facts", "facts")]
    for era in rules.read("eras", "eras"):
        if any(f"before:{era['id']}" in row.get("all", []) for rows in types.values() for row in rows):
            fact = code(f"before:{era['id']}")
            lines.append(f"| {fact} | the event is before {era['date']}: {cell(era['change'])} |")
    for file, draw in pictures.items():
        (catalogue / f"decision-{file}.svg").write_text(draw(drawing.LIGHT), encoding="utf-8")
        (catalogue / f"decision-{file}~dark.svg").write_text(draw(drawing.DARK), encoding="utf-8")
    page = catalogue / "NotificationTypes.md"
    before, mark, after = page.read_text(encoding="utf-8").partition(MARK)
    if not mark:
        raise SystemExit(f"{page.name} has no line {MARK}")
    page.write_text(before + "\n".join(lines) + after, encoding="utf-8")
