#!/usr/bin/env python3
"""Makes the first page of the merged site, leads its root there, and checks that every link between pages arrives.

usage: landing.py SITE [BASE_PATH]
"""

import json
import sys
from pathlib import Path

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Slipcast</title>
<meta http-equiv="refresh" content="0; url={address}">
<a href="{address}">Slipcast’s documentation</a>
</html>
"""


def broken(site: Path) -> list[str]:
    """Links to pages that the site does not have."""
    found = []
    for file in sorted((site / "data").rglob("*.json")):
        for reference in json.loads(file.read_text(encoding="utf-8")).get("references", {}).values():
            address = reference.get("url", "").split("#")[0]
            if address.startswith("/documentation/") and not (site / f"data{address}.json").exists():
                found.append(f"{file.relative_to(site)}: {address}")
    return found


ABOUT = (
    "Slipcast converts legacy App Store data to version 2 typed models, with an account of every field, and explains"
    " how V1 and V2 differ in meaning."
)
FIRST = (
    "GettingStarted", "MigrationTutorial", "TheMappingTable", "NotificationTypes", "PriceIncreases", "CommandReference",
)


def introduce(site: Path):
    """Says on the first page what the toolkit is for, and where to begin."""
    file = site / "data/documentation.json"
    page = json.loads(file.read_text(encoding="utf-8"))
    page["abstract"] = [{"type": "text", "text": ABOUT}]
    names = []
    for name in FIRST:
        address = f"/documentation/slipcastkit/{name.lower()}"
        article = json.loads((site / f"data{address}.json").read_text(encoding="utf-8"))
        names.append(f"doc://SlipcastKit/documentation/SlipcastKit/{name}")
        page["references"][names[-1]] = {
            "identifier": names[-1], "url": address, "kind": "article", "role": "article", "type": "topic",
            "title": article["metadata"]["title"], "abstract": article.get("abstract", []),
        }
    products = page["topicSections"][0]["identifiers"]
    page["topicSections"] = [
        {"anchor": "Start-here", "title": "Start here", "identifiers": names},
        {"anchor": "Products", "title": "Products", "identifiers": products},
    ]
    file.write_text(json.dumps(page), encoding="utf-8")


def main() -> int:
    site, base = Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else ""
    introduce(site)
    problems = broken(site)
    for problem in problems:
        print(f"leads nowhere: {problem}", file=sys.stderr)
    address = "/".join(["", *[part for part in base.split("/") if part], "documentation", ""])
    (site / "index.html").write_text(PAGE.format(address=address), encoding="utf-8")
    pages = len(list((site / "data").rglob("*.json")))
    print(f"{pages} pages in {site}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
