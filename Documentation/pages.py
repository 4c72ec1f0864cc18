#!/usr/bin/env python3
"""Writes the pages that are not written by hand into copies of the documentation catalogues.

usage: pages.py SLIPCAST SYMBOL_GRAPH CATALOGUES

- the mapping table and the decision tables, from the rules, as the command and Mappings/rules tell them;
- the command's reference, from the command;
- texts that lie beside what they explain (tutorial, archives, rules, tests), with their links put right.

Fails when a V1 key or a V2 field of the symbol graph is missing in the mapping table, or a public type in the topics of
all products.
"""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import decisions
import mapping

ROOT = Path(__file__).resolve().parent.parent

# What is taken along: the text, the catalogue it goes into, and its name there.
TAKEN = {
    "Examples/migration/README.md": ("SlipcastKit", "MigrationTutorial"),
    "Examples/archives.md": ("SlipcastKit", "Archives"),
    "Examples/sources.md": ("SlipcastKit", "Sources"),
    "Examples/forms.md": ("SlipcastKit", "Forms"),
    "Examples/apple-libraries.md": ("SlipcastKit", "AppleLibraries"),
    "Examples/swift.md": ("SlipcastKit", "Swift"),
    "Examples/old-backends.md": ("SlipcastKit", "OldBackends"),
    "Examples/schemas.md": ("SlipcastKit", "Schemas"),
    "Examples/ui.md": ("SlipcastKit", "LookingUpACustomer"),
    "Examples/providers/README.md": ("SlipcastKit", "Providers"),
    "Examples/providers/adapty.md": ("SlipcastKit", "Adapty"),
    "Examples/providers/purchasely.md": ("SlipcastKit", "Purchasely"),
    "Examples/providers/revenuedot.md": ("SlipcastKit", "RevenueDot"),
    "Examples/providers/revenuecat.md": ("SlipcastKit", "RevenueCat"),
    "Examples/providers/apphud.md": ("SlipcastKit", "Apphud"),
    "Examples/parquet/README.md": ("SlipcastKit", "Parquet"),
    "Examples/datasette/README.md": ("SlipcastKit", "Datasette"),
    "Examples/spark/README.md": ("SlipcastKit", "Spark"),
    "Examples/spark/COST.md": ("SlipcastKit", "SparkCost"),
    "Mappings/README.md": ("SlipcastKit", "WritingARule"),
    "Examples/testing/README.md": ("SlipcastTesting", "ParityTests"),
}

LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)\s]+)\)")
IMAGE = re.compile(r"(!\[[^\]]+\])\(([^)\s]+)\)")


def relinked(text: str, source: str) -> str:
    """The text with links to files of the repository as links to pages, or as the names of the files."""
    catalogue = TAKEN[source][0]

    def replace(found: re.Match) -> str:
        words, target = found[1], found[2].split("#")[0]
        if ":" in found[2] or not target:
            return found[0]
        path = (ROOT / source).parent.joinpath(target).resolve().relative_to(ROOT)
        if not (ROOT / path).exists():
            sys.exit(f"{source}: there is no {path}")
        page = TAKEN.get(str(path)) or TAKEN.get(f"{path}/README.md")
        if page and page[0] == catalogue:
            return f"[{words}](doc:{page[1]})"
        plain = words.strip("`")
        return f"`{path}`" if plain in (target, path.name, str(path)) else f"{words} (`{path}`)"

    lines, fenced = [], False
    for line in text.splitlines():
        fenced ^= line.startswith("```")
        lines.append(line if fenced or line.startswith("    ") else LINK.sub(replace, line))
    return "\n".join(lines) + "\n"


def asked(*words: str) -> str:
    """What a command prints."""
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout


def reference(slipcast: str) -> str:
    """The page about all commands, as the command itself writes it."""
    text = asked(slipcast, "manual", "--format", "markdown")
    if not text.startswith("# "):
        sys.exit("slipcast manual --format markdown: no title")
    return text.replace("# slipcast\n", "# The command slipcast\n", 1)


def unlisted(graphs: Path, catalogues: Path) -> list[str]:
    """Public types that no page of a product names."""
    products = [folder.name for folder in graphs.iterdir()]
    pages = "".join((catalogues / f"{name}.docc/{name}.md").read_text(encoding="utf-8") for name in products)
    symbols = [
        symbol
        for name in products
        for symbol in json.loads((graphs / name / f"{name}.symbols.json").read_text(encoding="utf-8"))["symbols"]
        if symbol["kind"]["identifier"].removeprefix("swift.") in ("class", "enum", "protocol", "struct")
    ]
    names = {symbol["pathComponents"][0] for symbol in symbols if len(symbol["pathComponents"]) == 1}
    return sorted(name for name in names if f"``{name}``" not in pages)


def main() -> int:
    slipcast, graph, catalogues = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    for source, (catalogue, name) in TAKEN.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        for _, image in IMAGE.findall(text):
            shutil.copy((ROOT / source).parent / image, catalogues / f"{catalogue}.docc" / Path(image).name)
        page = relinked(IMAGE.sub(lambda found: f"{found[1]}({Path(found[2]).name})", text), source)
        (catalogues / f"{catalogue}.docc" / f"{name}.md").write_text(page, encoding="utf-8")
    kit = catalogues / "SlipcastKit.docc"
    table = json.loads(asked(slipcast, "explain", "--list", "--format", "json"))
    page = mapping.page(table["rules"], mapping.Rules(ROOT / "Mappings/rules"))
    missing = mapping.missing(page, json.loads(graph.read_text(encoding="utf-8")))
    if missing:
        sys.exit(f"missing in the mapping table: {', '.join(missing)}")
    missing = unlisted(graph.parent.parent, catalogues)
    if missing:
        sys.exit(f"missing in the topics: {', '.join(missing)}")
    (kit / "TheMappingTable.md").write_text(page, encoding="utf-8")
    decisions.write(kit, mapping.Rules(ROOT / "Mappings/rules"))
    (kit / "CommandReference.md").write_text(reference(slipcast), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
