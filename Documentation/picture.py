#!/usr/bin/env python3
"""Draws the picture of README.md: the first screen of `slipcast parity` over the example's archives, as SVG.

usage: picture.py SLIPCAST [FILE]; without FILE it writes Documentation/parity.svg

The same program and example give the same bytes. `make suite NAME=terminal` fails when the picture is out of date.
"""

import re
import sys
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "Tests/end-to-end"), str(ROOT / "Tests/end-to-end/terminal")]

from screen import show  # noqa: E402

WORDS = ["parity", "--legacy", "v1.ndjson", "--server", "v2.ndjson"]
COLUMNS, LINES = 92, 22
# Letters 8.4 wide and 18 high, in the colors of a dark terminal.
WIDE, HIGH, MARGIN = 8.4, 18, 16
COLORS = {"31": "#ff7b72", "32": "#7ee787", "33": "#e3b341", "36": "#76e3ea"}
SPAN = re.compile(r"\x1b\[([0-9;]*)m")


def spans(line: str) -> list[tuple[str, str]]:
    """Pieces of a line with the style of each."""
    found, style, start = [], "", 0
    for code in SPAN.finditer(line):
        found.append((line[start : code.start()], style))
        codes = code[1].split(";")
        style = " ".join(
            ([f'fill="{COLORS[one]}"' for one in codes if one in COLORS])
            + (['font-weight="bold"'] if "1" in codes else []) + (['opacity="0.7"'] if "2" in codes else [])
        )  # fmt: skip
        start = code.end()
    return [(text, style) for text, style in [*found, (line[start:], style)] if text]


def picture(lines: list[str]) -> str:
    width, height = round(COLUMNS * WIDE + 2 * MARGIN), len(lines) * HIGH + 2 * MARGIN
    rows = []
    for number, line in enumerate(lines):
        pieces = "".join(f"<tspan {style}>{escape(text)}</tspan>" if style else escape(text) for text, style in spans(line))
        rows.append(f'<text x="{MARGIN}" y="{MARGIN + 13 + number * HIGH}" xml:space="preserve">{pieces}</text>')
    label = "A parity report in a terminal: the verdict, whose access changes, and the missing events"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-label="{label}">\n'
        f'<rect width="{width}" height="{height}" rx="8" fill="#161b22"/>\n'
        f'<g font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14" fill="#e6edf3">\n' + "\n".join(rows) + "\n</g>\n</svg>\n"
    )


def draw(slipcast: Path) -> str:
    shown = show([slipcast.resolve(), *WORDS], COLUMNS, rows=200, folder=ROOT / "Examples/migration")
    # Of the bar, which was drawn again and again, nothing remains.
    lines = [line.split("\r\x1b[K")[-1] for line in shown.raw.replace("\r\n", "\n").split("\n")[:LINES]]
    return picture(["$ slipcast " + " ".join(WORDS), *lines])


def main() -> None:
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    target = Path(sys.argv[2]) if len(sys.argv) > 2 else ROOT / "Documentation/parity.svg"
    target.write_text(draw(Path(sys.argv[1])))


if __name__ == "__main__":
    main()
