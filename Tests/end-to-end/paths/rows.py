"""The rows of `make bench`, and the table of them in the article about speed.

usage: python3 Tests/end-to-end/paths/rows.py [--write]

Without `--write` it fails where the article has another table than recorded.json gives.
"""

import json
import sys
from dataclasses import dataclass
from pathlib import Path

RECORDED = Path(__file__).with_name("recorded.json")
ARTICLE = Path(__file__).resolve().parents[3] / "Sources/SlipcastKit/SlipcastKit.docc/Speed.md"
HEAD = "| path | ratio | should be |\n"


@dataclass(frozen=True)
class Row:
    name: str
    words: str
    # What the row should reach.
    limit: float
    # Less is worse.
    is_least: bool = False

    def reaches(self, ratio: float, slack: float = 1) -> bool:
        """The ratio is within the limit, or within another figure of the same kind."""
        return ratio * slack >= self.limit if self.is_least else ratio <= self.limit * slack


ROWS = [
    Row("array", "records in a JSON array", 1.3),
    Row("csv", "JSON in a column of a CSV file", 1.5),
    Row("tsv", "JSON in a column of a TSV file, unquoted", 1.4),
    Row("tsv quoted", "the same with quotes", 1.5),
    Row("log", "lines of a log (`--from-logs`)", 1.3),
    Row("base64", "base64 in a member of each line", 1.6),
    Row("base64 csv", "base64 in a column of a CSV file", 1.6),
    Row("csv out", "a CSV file out", 1.6),
    Row("split", "files by date out (`--split date`)", 1.8),
    Row("provenance", "with the full account (`--provenance`)", 2.2),
    Row("settle", "`--settle`", 2.2),
    Row("group", "`--group`", 2.5),
    Row("parity", "`parity`, for each of its two archives", 3.0),
    Row("inspect", "`inspect --format json` against `verify`", 1.6),
    Row("program", "against a C++ program that writes the same values", 1.9),
    Row("script", "a Python script with orjson against the main path", 2.8, is_least=True),
    Row("wall array", "JSON array: one worker to two", 1.7, is_least=True),
    Row("wall group", "`--group`: one worker to two", 1.7, is_least=True),
    Row("wall settle", "`--settle`: one worker to two", 1.7, is_least=True),
    Row("wall timeline", "`timeline`: one worker to two", 1.7, is_least=True),
    Row("wall parity", "`parity`: one worker to two", 1.7, is_least=True),
    Row("serve", "`serve`: acknowledged a second, of a handler that only answers", 0.5, is_least=True),
    Row("serve cpu", "`serve`: processor time of a request, against that handler", 4.2),
    Row("version", "`--version`, millions of instructions", 12),
    Row("start", "one record, millions of instructions", 45),
]
BY_NAME = {row.name: row for row in ROWS}


def recorded() -> dict[str, float]:
    return json.loads(RECORDED.read_text()) if RECORDED.exists() else {}


def table(ratios: dict[str, float]) -> str:
    lines = [HEAD.rstrip(), "|---|---|---|"]
    for row in ROWS:
        if row.name in ratios:
            bound = "at least" if row.is_least else "at most"
            lines.append(f"| {row.words} | {ratios[row.name]:.2f} | {bound} {row.limit:g} |")
    return "\n".join(lines) + "\n"


def article(text: str) -> str:
    """The article with the table that recorded.json gives."""
    before, rest = text.split(HEAD)
    return before + table(recorded()) + "\n" + rest.split("\n\n", 1)[1]


def main() -> int:
    text = ARTICLE.read_text()
    if "--write" in sys.argv[1:]:
        ARTICLE.write_text(article(text))
    elif article(text) != text:
        print(f"{ARTICLE.name} has another table than recorded.json gives: python3 Tests/end-to-end/paths/rows.py --write")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
