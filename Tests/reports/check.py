"""Checks report files with the tools that people open them with.

usage: check.py JUNIT.xml REPORT.html [--parity] [--screenshots DIR] [--text TEXT]…
       check.py --self-test [--parity] JUNIT.xml REPORT.html

With --parity the report is one of two archives, otherwise of one pair.
"""

import argparse
import os
import pathlib
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True

import behaviour
import junit
import parity
from checklist import Checklist, Enough
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
BROKEN_PARITY_JUNIT = [
    ("a failure too many is counted", 'failures="', 'failures="1'),
    ("access behind the gates", "slipcast.parity.entitlement", "slipcast.parity.gate"),
]
BROKEN_PARITY = [
    ("an image", "<main", "<img><main"),
    ("a line that is too wide", "</main>", '<p style="white-space: nowrap">' + "wide " * 400 + "</p></main>"),
    ("faint letters", "--soft: #5c5a54", "--soft: #b5b3ad"),
    ("bars that nobody sees", "--bar: #767369", "--bar: #e6e3da"),
    ("a chart without words", 'role="img" aria-label="', 'role="img" data-label="'),
    ("links that open nothing", "at.open = true", "at.open = false"),
    ("a link that leads nowhere", 'id="pair-1"', 'id="pair-x"'),
    ("a matrix that no key scrolls", 'role="region" tabindex="0"', 'role="region"'),
    ("a focus that cannot be seen", ":focus-visible { outline:", ":focus-visible { outline: 0 !important; color:"),
    ("a key out of order", 'class="contents"', 'class="contents"><a href="#access" tabindex="1">x</a><p'),
    ("motion that nobody stops", ".skip {", ".skip { transition: left 1s;"),
    ("rows that need the script", ".controls { display: none; }",
     ".row { display: none; } .js .row { display: block; }"),
]


def broken(path, old, new):
    text = pathlib.Path(path).read_text(encoding="utf-8")
    if old not in text:
        sys.exit(f"cannot break {path}: no {old!r} in it")
    if new == "img-src *;":
        text = text.replace("<main>", '<main><p style="background: url(https://slipcast.invalid/a.png)">x</p>')
    file = pathlib.Path(tempfile.mkdtemp()) / pathlib.Path(path).name
    for other in pathlib.Path(path).parent.glob(file.stem + ".*"):
        shutil.copy(other, file.parent)
    file.write_text(text.replace(old, new), encoding="utf-8")
    return file


def self_test(junit_path, page_path, is_parity):
    check_junit, check_html = kinds(is_parity)
    cases = [(junit_path, check_junit, case) for case in (BROKEN_PARITY_JUNIT if is_parity else BROKEN_JUNIT)]
    cases += [(page_path, check_html, case) for case in (BROKEN_PARITY if is_parity else BROKEN_PAGE)]

    def failed(case):
        path, check, (_, old, new) = case
        checks = Checklist(seeks_fault=True)
        try:
            check(broken(path, old, new), checks)
        except Enough:
            pass
        return checks.failed

    # Each has a browser of its own.
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(failed, cases))
    for (_, _, (what, _, _)), faults in zip(cases, found):
        print(("found " if faults else "MISSED") + f" {what}: {'; '.join(faults[:1])}")
    count = sum(1 for faults in found if faults)
    print(f"{count} of {len(cases)} faults found")
    return count == len(cases)


def kinds(is_parity):
    """The checks of the JUnit file and of the page."""
    return (parity.check_junit, parity.check_page) if is_parity else (junit.check, check_page)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("junit")
    parser.add_argument("page")
    parser.add_argument("--parity", action="store_true")
    parser.add_argument("--screenshots")
    parser.add_argument("--text", action="append", default=[])
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        return 0 if self_test(arguments.junit, arguments.page, arguments.parity) else 1
    checks = Checklist()
    check_junit, check_html = kinds(arguments.parity)
    check_junit(arguments.junit, checks)
    check_html(arguments.page, checks, arguments.screenshots, arguments.text)
    print(f"{checks.passed} checks passed, {len(checks.failed)} failed")
    return 1 if checks.failed else 0


sys.exit(main())
