"""Pages as files: of a subscription, of parity, of runs. They share the style and the charts of the application."""

import base64
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from browsing import BLACK, SIZES, WIDE, schemes
from harness import Suite
from page import FAINT, Browsers, Checklist, Page
from people import MONTHLY, PREMIUM, Person, write_all
from world import World

# Each has a table of its numbers and words for who does not see it.
BARE = """
return [...document.querySelectorAll("figure.time")].filter((one) =>
  !one.querySelector("svg[role=img][aria-label]") || !one.querySelector("details table")).length
"""
# The most pages on paper: a life of 62 events once took 13.
PAGES = {"timeline": 4, "parity": 7, "convert": 1, "replay": 2}


class Taker(BaseHTTPRequestHandler):
    """Takes everything."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


def eventful() -> Person:
    """A life of 62 events: renewals, and changes of the plan and of auto-renew between them."""
    one = Person("eventful", 900).months(0)
    for number in range(1, 21):
        start = number * 30
        one.next = PREMIUM if number % 2 else MONTHLY
        change = "DID_CHANGE_RENEWAL_PREF/DOWNGRADE" if number % 2 else "DID_CHANGE_RENEWAL_PREF"
        one.tell("DID_CHANGE_RENEWAL_PREF", start - 20).event(change, start - 20)
        one.off(start - 10)
        one.renews, one.next = True, MONTHLY
        one.buy(start).tell("DID_RENEW", start).event("DID_RENEW", start)
    return one.off(625)


def made(suite: Suite, world: World) -> dict[str, Path]:
    """The files by the command that writes them."""
    folder = world.folder / "files"
    folder.mkdir(exist_ok=True)
    person = eventful()
    legacy, server = write_all(folder, [person])
    named = ["--body", "/body", "--id", "/id", "--received-at", "/receivedAt"]
    store, found = folder / "eventful.sqlite", {name: folder / f"{name}.html" for name in PAGES}
    suite.run("convert", "--quiet", *named, "--execute", "--to", store, "--summary", found["convert"], legacy)
    suite.run("timeline", store, "--report", found["timeline"])
    suite.run("parity", "--legacy", legacy, *named, "--server", server, "--report", found["parity"], "--quiet", status=(0, 1))
    with ThreadingHTTPServer(("127.0.0.1", 0), Taker) as taker:
        threading.Thread(target=taker.serve_forever, daemon=True).start()
        suite.run("replay", "--to", f"http://127.0.0.1:{taker.server_port}/", *named, "--raw", "--execute", "--summary", found["replay"],
                  "--quiet", legacy)  # fmt: skip
        taker.shutdown()
    return found


def paper(page: Page) -> int:
    """The pages that a print has."""
    printed = page.browser.execute_cdp_cmd("Page.printToPDF", {"printBackground": False, "paperWidth": 8.27, "paperHeight": 11.69})
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", base64.b64decode(printed["data"])))


def files(suite: Suite, world: World, browsers: Browsers) -> str:
    """Each file in four modes and on paper."""
    checks, sheets = Checklist(), []
    for name, path in made(suite, world).items():
        page = browsers.page(path, checks)
        for width, height in SIZES:
            for scheme in schemes(suite, width):
                page.open(width, scheme, height)
                where = f"{name} at {width} px, {scheme}: "
                page.save(suite.options.screenshots, f"file-{name}-{width}-{scheme}")
                for state in ("first view", "all open"):
                    if state == "all open":
                        page.run("for (const part of document.querySelectorAll('details')) part.open = true")
                    sizes = page.run(WIDE)
                    checks.check(f"{where}no horizontal scroll, {state}", sizes[0] <= sizes[1], sizes)
                    checks.equal(f"{where}contrast is enough, {state}", page.run(FAINT), [])
                checks.equal(f"{where}nothing is drawn black", page.run(BLACK), 0)
        checks.equal(f"{name}: every chart has words and a table", page.run(BARE), 0)
        page.open(1280, "light")
        count = paper(page)
        checks.check(f"{name}: at most {PAGES[name]} pages on paper", 0 < count <= PAGES[name], count)
        sheets.append(f"{name} {count}")
    checks.end()
    return f"pages on paper: {', '.join(sheets)}"
