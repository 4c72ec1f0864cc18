"""Writes a held page with the style sheets and scripts that it names: {page.css}.

usage: whole.py HELD.html PAGE.html
"""

import pathlib
import sys

SOURCES = pathlib.Path(__file__).parents[2] / "Sources" / "SlipcastReports"

held, page = map(pathlib.Path, sys.argv[1:])
text = held.read_text(encoding="utf-8")
for path in ("HTML/page.css", "Parity/HTML/parity.css", "HTML/page.js", "Parity/HTML/parity.js"):
    source = SOURCES / path
    if f"{{{source.name}}}" not in text:
        sys.exit(f"{held} does not name {source.name}")
    text = text.replace(f"{{{source.name}}}", source.read_text(encoding="utf-8"))
page.write_text(text, encoding="utf-8")
