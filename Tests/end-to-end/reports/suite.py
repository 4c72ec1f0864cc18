"""Opens reports in a browser and in a JUnit reader: of a pair that agrees, one whose V2 side lies, and of archives.

--self-test breaks them in every way that the checks are there to find. Needs the packages of requirements.txt.
"""

import json
from argparse import ArgumentParser
from pathlib import Path

import behavior
import junit
import parity
from harness import FIXTURES, ROOT, Suite, anew, require
from page import Browsers, Checklist, Enough

HOSTILE = "<script>window.__pwned=1</script><img src=x onerror=window.__pwned=1>"
LEGACY = FIXTURES / "notifications/did-renew-2025-deprecation/v1.json"
SOURCES = ROOT / "Sources/SlipcastReports"
PARTS = ("Forms/HTML/page.css", "Forms/HTML/page.js")

# What is broken, and how: each must be found.
TOO_WIDE = '<p style="white-space: nowrap">' + "wide " * 400 + "</p>"
COUNTED = ("a failure too many is counted", 'failures="', 'failures="1')
FAINT = ("faint letters", "--soft: #5c5a54", "--soft: #b5b3ad")
SCRIPTED = ("rows that need the script", ".controls { display: none; }",
            ".row { display: none; } .js .row { display: block; }")  # fmt: skip
FOCUS = ("a focus that cannot be seen", ":focus-visible { outline:", ":focus-visible { outline: 0 !important; color:")
BROKEN_JUNIT = [
    COUNTED,
    ("an attribute that JUnit does not know", "<testcase ", '<testcase host="x" '),
    ("a failure that is no conflict", '"slipcast.diff.conflict"', '"slipcast.diff.semantic"'),
    ("an element that JUnit does not know", "<system-out>", "<output/><system-out>"),
]
BROKEN_PAGE = [
    ("an image", "</main>", "<img></main>"),
    ("a script of a record", "</main>", "<script>window.__pwned = 1</script></main>"),
    ("a line that is too wide", "</main>", TOO_WIDE + "</main>"),
    ("a request", "default-src 'none';", "img-src *;"),
    FAINT,
    ("filters without effect", "tile.addEventListener", "tile.removeEventListener"),
    ("a search without effect", 'search.addEventListener("input", show)', ""),
    ("an error of the script", "function nameUnfold() {", "function nameUnfold() { missing();"),
    SCRIPTED,
    FOCUS,
]
BROKEN_PARITY_JUNIT = [COUNTED, ("access behind the gates", "slipcast.parity.entitlement", "slipcast.parity.gate")]
BROKEN_PARITY = [
    ("an image", "</main>", "<img></main>"),
    ("a line that is too wide", "</main>", TOO_WIDE + "</main>"),
    FAINT,
    ("bars that nobody sees", "--bar: #767369", "--bar: #e6e3da"),
    ("a chart without words", 'role="img" aria-label="', 'role="img" data-label="'),
    ("links that open nothing", "at.open = true", "at.open = false"),
    ("a link that leads nowhere", 'id="pair-1"', 'id="pair-x"'),
    ("a matrix that no key scrolls", 'role="region" tabindex="0"', 'role="region"'),
    FOCUS,
    ("a key out of order", 'class="contents"', 'class="contents"><a href="#access" tabindex="1">x</a><p'),
    ("motion that nobody stops", ".skip {", ".skip { transition: left 1s;"),
    SCRIPTED,
]


class Reports:
    """The report files, and what opens them."""

    def __init__(self, suite: Suite, browsers: Browsers) -> None:
        self.suite, self.browsers = suite, browsers
        self.folder, self.screenshots = suite.folder, suite.options.screenshots

    def pair(self, name: str, product: str | None) -> None:
        """A V1 record and its conversion, which may name another product."""
        record = json.loads(self.suite.run("convert", "--quiet", "--plain", LEGACY).stdout)
        if product:
            record["data"]["transactionInfo"]["productId"] = product
        folder = anew(self.folder / name)
        (folder / "v2.json").write_text(json.dumps(record), encoding="utf-8")
        files = [word for ending in ("xml", "html") for word in ("--report", folder / f"report.{ending}")]
        self.suite.run("diff", LEGACY, folder / "v2.json", *files, status=(0, 1))

    def archives(self, case: Path) -> None:
        """A recorded report of two archives, with the style sheets and scripts that it names: {page.css}."""
        folder = anew(self.folder / "archives" / case.name)
        (folder / "report.xml").write_bytes((case / "report.xml").read_bytes())
        text = (case / "report.html").read_text(encoding="utf-8")
        for path in PARTS:
            source = SOURCES / path
            require(f"{{{source.name}}}" in text, f"{case} does not name {source.name}")
            text = text.replace(f"{{{source.name}}}", source.read_text(encoding="utf-8"))
        (folder / "report.html").write_text(text, encoding="utf-8")

    def look(self, name: str, texts: tuple[str, ...] = ()) -> None:
        """All checks of a report; `texts` must be shown as text."""
        module = parity if name.startswith("archives/") else behavior
        checks, folder = Checklist(), self.folder / name
        pictures = self.screenshots / name if self.screenshots else None
        (junit.check_parity if module is parity else junit.check)(folder / "report.xml", checks)
        module.check_page(self.browsers.page(folder / "report.html", checks), pictures, texts)
        checks.end()

    def found(self, name: str, junits: list, pages: list) -> str:
        """Breaks a report in each way, and expects that a check fails."""
        module = parity if name.startswith("archives/") else behavior
        for file, faults in (("report.xml", junits), ("report.html", pages)):
            for what, old, new in faults:
                path, checks = self.broken(self.folder / name / file, old, new), Checklist(seeks_fault=True)
                try:
                    if file == "report.xml":
                        (junit.check_parity if module is parity else junit.check)(path, checks)
                    else:
                        module.check_page(self.browsers.page(path, checks))
                except Enough:
                    pass
                require(checks.failed, f"not found: {what}")
        return f"{len(junits) + len(pages)} faults found"

    def broken(self, path: Path, old: str, new: str) -> Path:
        text = path.read_text(encoding="utf-8")
        require(old in text, f"cannot break {path}: no {old!r} in it")
        if new == "img-src *;":
            text = text.replace("</main>", '<p style="background: url(https://slipcast.invalid/a.png)">x</p></main>')
        folder = anew(self.folder / "broken" / path.parent.name)
        (folder / "report.html").write_bytes(path.with_suffix(".html").read_bytes())
        file = folder / path.name
        file.write_text(text.replace(old, new), encoding="utf-8")
        return file


def options(parser: ArgumentParser) -> None:
    parser.add_argument("--screenshots", type=Path, metavar="FOLDER", help="keep what the browser showed")
    parser.add_argument("--quick", action="store_true", help="without the largest report")
    parser.add_argument("--self-test", action="store_true", help="break reports, and expect that it is found")


def run(suite: Suite) -> None:
    with Browsers() as browsers:
        reports = Reports(suite, browsers)
        reports.pair("agreeing", None)
        reports.pair("lying", HOSTILE)
        cases = sorted((FIXTURES / "parity/reports").iterdir(), key=lambda case: -(case / "report.html").stat().st_size)
        if suite.options.quick:
            del cases[0]
        for case in cases:
            reports.archives(case)
        hostile = (HOSTILE,)
        parts = [(f"archives/{case.name}", hostile if case.name == "hostile" else ()) for case in cases]
        parts += [("lying", hostile), ("agreeing", ())]
        suite.at_once([(name, reports.look, name, texts) for name, texts in parts])
        if suite.options.self_test:
            faults = [("archives/findings", BROKEN_PARITY_JUNIT, BROKEN_PARITY), ("lying", BROKEN_JUNIT, BROKEN_PAGE)]
            suite.at_once([(f"faults/{case[0]}", reports.found, *case) for case in faults])
