"""Checks report files with the tools that people open them with.

usage: check.py JUNIT.xml REPORT.html [--screenshots DIR] [--text TEXT]… | check.py --self-test JUNIT.xml REPORT.html
"""

import argparse
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True

import behaviour
import junit
from checklist import Checklist
from page import Page


def check_page(path, checks, screenshots=None, expected=()):
    page = Page(path, checks)
    try:
        page.check_looks(screenshots)
        behaviour.check_harmless(page, expected)
        page.open(1280, "light")
        if page.rows > 0:
            behaviour.check_first_view(page)
            behaviour.check_filters(page)
            behaviour.check_search(page)
            behaviour.check_keyboard(page)
        behaviour.check_quiet(page)
        behaviour.check_without_script(page)
    finally:
        page.close()


# What is broken, and how: each must be found.
BROKEN_JUNIT = [
    ("a failure too many is counted", 'failures="', 'failures="1'),
    ("an attribute that JUnit does not know", "<testcase ", '<testcase host="x" '),
    ("a failure that is no conflict", '"slipcast.diff.conflict"', '"slipcast.diff.semantic"'),
    ("an element that JUnit does not know", "<system-out>", "<output/><system-out>"),
]
BROKEN_PAGE = [
    ("an image", "<main>", "<main><img>"),
    ("a script of a record", "<main>", "<main><script>window.__pwned = 1</script>"),
    ("a line that is too wide", "<main>", '<main><p style="white-space: nowrap">' + "wide " * 400),
    ("a request", "default-src 'none';", "img-src *;"),
    ("faint letters", "--soft: #5c5a54", "--soft: #b5b3ad"),
    ("filters without effect", "tile.addEventListener", "tile.removeEventListener"),
    ("a search without effect", 'search.addEventListener("input", show)', ""),
    ("an error of the script", "function nameUnfold() {", "function nameUnfold() { missing();"),
    ("rows that need the script", ".controls { display: none; }",
     ".row { display: none; } .js .row { display: block; }"),
    ("a focus that cannot be seen", ":focus-visible { outline:", ":focus-visible { outline: 0 !important; color:"),
]


def broken(path, old, new):
    text = pathlib.Path(path).read_text(encoding="utf-8")
    if old not in text:
        sys.exit(f"cannot break {path}: no {old!r} in it")
    if new == "img-src *;":
        text = text.replace("<main>", '<main><p style="background: url(https://slipcast.invalid/a.png)">x</p>')
    file = pathlib.Path(tempfile.mkdtemp()) / pathlib.Path(path).name
    file.write_text(text.replace(old, new), encoding="utf-8")
    return file


def self_test(junit_path, page_path):
    missed = 0
    cases = [(junit_path, junit.check, case) for case in BROKEN_JUNIT]
    cases += [(page_path, check_page, case) for case in BROKEN_PAGE]
    for path, check, (what, old, new) in cases:
        checks = Checklist(is_quiet=True)
        check(broken(path, old, new), checks)
        missed += not checks.failed
        print(("found " if checks.failed else "MISSED") + f" {what}: {'; '.join(checks.failed[:1])}")
    print(f"{len(cases) - missed} of {len(cases)} faults found")
    return missed == 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("junit")
    parser.add_argument("page")
    parser.add_argument("--screenshots")
    parser.add_argument("--text", action="append", default=[])
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        return 0 if self_test(arguments.junit, arguments.page) else 1
    checks = Checklist()
    junit.check(arguments.junit, checks)
    check_page(arguments.page, checks, arguments.screenshots, arguments.text)
    print(f"{checks.passed} checks passed, {len(checks.failed)} failed")
    return 1 if checks.failed else 0


sys.exit(main())
