"""Commands in a terminal of 40 to 140 columns: help, reports, tables, progress, colors, the pager, and when a report was made.

`snapshots` has what a person sees at five widths; `--record` rewrites it.
"""

import http.server
import json
import math
import os
import re
import shlex
import sys
import threading
import time
from datetime import datetime, timedelta, timezone
from argparse import ArgumentParser
from pathlib import Path

from harness import FIXTURES, ROOT, Suite, require, run as execute
from screen import ESCAPE, Shown, show

WIDTHS = (40, 60, 80, 100, 140)
SNAPSHOTS = Path(__file__).resolve().parent / "snapshots"
MIGRATION = ["--legacy", "Examples/migration/v1.ndjson", "--server", "Examples/migration/v2.ndjson"]
PAIR = [f"Fixtures/pairs/price-consent-1-v2-1/v{version}.json" for version in (1, 2)]
SUBSCRIPTION = ["Fixtures/archives/subscription/v1.ndjson", "--body", "/body", "--received-at", "/received_at"]
# Shown whole, and kept as a snapshot for each width.
KEPT: dict[str, list[str]] = {
    "first-page": ["--help"],
    "help": ["help", "diff"],
    "explain": ["explain", "price_consent_status", "DID_RENEW"],
    "diff": ["diff", *PAIR],
    "parity": ["parity", *MIGRATION, "--strict", "semantic"],
    "timeline": ["timeline", "--quiet", *SUBSCRIPTION],
    "detect": ["detect", "Fixtures/archives/subscription/v1.ndjson"],
}
# Only measured.
MEASURED: dict[str, list[str]] = {
    **{f"help {name}": ["help", name] for name in ("convert", "parity", "serve", "fetch", "baseline", "replay", "export")},
    "manual": ["manual"], "list": ["explain", "--list"], "verbose": ["explain", "--verbose", "DID_RENEW"],
    "schema": ["schema"], "whole diff": ["diff", "--verbose", *PAIR], "whole parity": ["parity", "--verbose", *MIGRATION],
    "inspect": ["inspect", "Fixtures/notifications/did-renew/v1.json"],
    "beginning": ["explain", "transaction.p"],
}  # fmt: skip
MESSAGES = 6000


def options(parser: ArgumentParser) -> None:
    parser.add_argument("--quick", action="store_true", help="no bars; what has no snapshot: only the narrowest and the widest terminal")
    parser.add_argument("--record", action="store_true", help="rewrite the snapshots")


def letters(text: str) -> str:
    """A text without what laying out adds: blanks, line ends, and the backslash of a command that goes on."""
    return re.sub(r"\s", "", text.replace("\\\n", ""))


class Terminals:
    def __init__(self, suite: Suite) -> None:
        self.suite, self.slipcast, self.folder = suite, suite.slipcast, suite.folder
        report = suite.run("diff", *PAIR, "--format", "json", status=(0, 1)).stdout
        self.digest = json.loads(report)["rules"]["digest"]

    def show(self, words: list[str], columns: int, **more: object) -> Shown:
        return show([self.slipcast, *words], columns, **more)

    def widths(self, name: str, words: list[str], keeps: bool) -> str:
        """No line is wider than the terminal; nothing is lost in a narrow one."""
        texts = {}
        widths = WIDTHS if keeps or not self.suite.options.quick else (WIDTHS[0], WIDTHS[-1])
        for columns in widths:
            shown = self.show(words, columns, rows=2000)
            require(shown.status in (0, 1), f"{words}: status {shown.status}\n{shown.text[-500:]}")
            require(shown.widest <= columns, f"{words}: {shown.widest} columns in {columns}")
            texts[columns] = shown.text
            if keeps:
                self.compare(SNAPSHOTS / f"{name}-{columns}.txt", shown.text)
        if words[0] in ("--help", "help", "manual", "explain") and name != "beginning":
            for columns in widths[:-1]:
                require(letters(texts[columns]) == letters(texts[140]), f"{words}: other words in {columns} columns than in 140")
        smallest = self.show(words, 20, rows=2000)
        require(smallest.widest <= 40, f"{words}: a terminal of 20 columns gets text for {smallest.widest}, not for 40")
        return ""

    def compare(self, path: Path, text: str) -> None:
        # The folder of the checkout and speeds differ from machine to machine.
        text = re.sub(r"\d+\.\d{3}\s+s,\s+[\d,]+\s+pairs/s", "… s, … pairs/s", text.replace(str(ROOT), "…"))
        # So does the digest of the rules with each rule; a narrow terminal breaks it.
        text = re.sub(r"[0-9a-f]{6,}", lambda found: "#" * len(found[0]) if found[0] in self.digest else found[0], text)
        if self.suite.options.record:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        require(path.exists() and path.read_text() == text, f"{path.name} differs from what is shown; --record rewrites it")

    def pipes(self) -> None:
        """Text that is not for a terminal depends on no surroundings."""
        plain = self.suite.run("help", "convert").stdout
        for variables in ({"COLUMNS": "40", "PAGER": "false"}, {"TERM": "dumb", "NO_COLOR": "1"}):
            require(self.suite.run("help", "convert", environment=variables).stdout == plain, f"{variables} changed text in a pipe")
        report = self.folder / "report.txt"
        first = self.show(["parity", *MIGRATION, "--report", str(report)], 40)
        wide = report.read_text()
        self.show(["parity", *MIGRATION, "--report", str(report)], 140)
        require(first.widest <= 40 and report.read_text() == wide, "the terminal changed a report in a file")

    # Progress

    def archive(self, name: str, messages: int = MESSAGES) -> Path:
        """Many messages, each with ids of its own."""
        path = self.folder / name
        lines = []
        record = json.loads((FIXTURES / "notifications/did-renew/v1.json").read_text())
        for number in range(messages):
            text = re.sub(r'("original_transaction_id": ?")(\d+)', rf"\g<1>{900000000000000 + number // 4}", json.dumps(record))
            lines.append(re.sub(r'("transaction_id": ?")(\d+)', rf"\g<1>{800000000000000 + number}", text) + "\n")
        path.write_text("".join(lines))
        return path

    def bar(self, words: list[str], columns: int, *, stages: tuple[str, ...] = ("",)) -> None:
        shown = self.show(words, columns)
        require(shown.status in (0, 1), f"{words}: status {shown.status}\n{shown.text[-800:]}")
        require(shown.drawn, f"{words}: no progress was shown")
        widest = max(len(line) for line in shown.drawn)
        require(widest < columns, f"{words}: a bar of {widest} in {columns} columns: {max(shown.drawn, key=len)}")
        for stage in stages:
            # In few columns the share matters more than the stage's name.
            drawn = [line for line in shown.drawn if line.startswith(stage) or columns < 60]
            require(drawn and all(re.search(r"\d+%", line) for line in drawn), f"{words}: stage {stage!r} shows no share: {shown.drawn[-3:]}")
        # A stage that ends at once has no rate; the run as a whole has one.
        require(any("/s" in line for line in shown.drawn), f"{words}: no rate: {shown.drawn[-3:]}")
        require("\r\x1b[K" in shown.raw and not any(line.startswith(("[", "settling")) and "%]" in line for line in shown.lines),
                f"{words}: the bar remained on the screen")  # fmt: skip

    def bars(self) -> str:
        server, messages = self.folder / "many-v2.ndjson", MESSAGES
        archive = self.archive("many.ndjson", messages)
        began = time.monotonic()
        self.suite.run("convert", archive, "--plain", "--to", server)
        # A short run shows no bar.
        if (times := math.ceil(1.5 / (time.monotonic() - began))) > 1:
            archive = self.archive("many.ndjson", messages * times)
            self.suite.run("convert", archive, "--plain", "--to", server)
        checks = {
            "convert": (["convert", archive, "--to", self.folder / "one.ndjson"], ("",)),
            "settle": (["convert", archive, "--settle", "--to", self.folder / "two.ndjson"], ("settling", "converting")),
            "group": (["convert", archive, "--group", "--to", self.folder / "three.ndjson"], ("converting", "grouping")),
            "timeline": (["timeline", archive, "--to", self.folder / "four.ndjson"], ("converting", "writing")),
            "export": (["export", "--for", "adapty", archive, "--to", self.folder / "six.csv"], ("",)),
            "parity": (["parity", "--legacy", archive, "--server", server], ("pairing",)),
        }
        for words, stages in checks.values():
            for columns in (40, 80):
                self.bar([str(word) for word in words], columns, stages=stages)
        return f"{len(checks)} commands"

    def replay(self) -> None:
        """A bar for sending: a server that answers slowly."""

        class Slow(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                threading.Event().wait(0.02)
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_: object) -> None: ...

        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Slow) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            archive = self.archive("few.ndjson", 60)
            address = f"http://127.0.0.1:{server.server_port}/"
            self.bar(["replay", "--raw", str(archive), "--to", address, "--execute"], 60, stages=("sending",))
            server.shutdown()

    def fetch(self) -> None:
        """A bar for requests: Apple's server, as the suite `fetch` makes it, that answers slowly."""
        sys.path.append(str(ROOT / "Tests/end-to-end/fetch"))
        from setting import Setting, v1

        setting = Setting(self.suite)
        mock = setting.mock(*setting.world(60))
        mock.hook = lambda request: time.sleep(0.02)
        archive = setting.archive(self.folder / "customers", [v1(f"7300{number * 1000:011d}") for number in range(60)])
        for columns in (60,) if self.suite.options.quick else (40, 80):
            target = self.folder / f"fetched-{columns}.ndjson"
            words = ["fetch", "history", archive, *setting.credentials(mock), "--connections", "1", "--to", target, "--execute"]
            self.bar([str(word) for word in words], columns)
            require(len(target.read_text().splitlines()) == 60, "not all customers were fetched")
        mock.stop()

    # Colors and the pager

    def colors(self) -> None:
        words = ["diff", *PAIR]
        colored = re.compile(r"\x1b\[[0-9;]*m")
        require(colored.search(self.show(words, 80).raw), "a terminal gets no colors")
        for variables in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            require(not colored.search(self.show(words, 80, variables=variables).raw), f"{variables} and colors")
        require(colored.search(self.show(words, 80, variables={"NO_COLOR": ""}).raw), "an empty NO_COLOR took the colors")
        require(colored.search(self.show([*words, "--color", "always"], 80, variables={"NO_COLOR": "1"}).raw), "--color always and no colors")

    def pager(self) -> None:
        pager = {"PAGER": "sed s/^/paged:/"}
        long = self.show(["help", "convert"], 80, variables=pager)
        require(all(line.startswith("paged:") for line in long.lines if line), f"long text passed by the pager\n{long.text[:300]}")
        require(long.status == 0, f"status {long.status}")
        for words in (["--version"], ["explain", "DID_RENEW"]):
            require("paged:" not in self.show(words, 80, rows=60, variables=pager).text, f"{words} is short and was paged")
        for name in ("", "cat", " "):
            require("paged:" not in self.show(["help", "convert"], 80, variables={"PAGER": name}).text, f"PAGER={name!r}")
        timeline = self.show(["timeline", "--quiet", *SUBSCRIPTION], 80, variables=pager)
        require(timeline.text.startswith("paged:Subscription"), "a timeline was not paged")
        inside = f"{shlex.quote(str(self.slipcast))} help convert | cat"
        piped = show(["sh", "-c", inside], 80, variables=pager)
        require("paged:" not in piped.text and "--rejects" in piped.text, "output in a pipe was paged")
        machine = self.show(["convert", "--quiet", "Fixtures/notifications/did-renew/v1.json"], 80, variables=pager)
        require("paged:" not in machine.text, "data was paged")
        left = self.show(["manual"], 80, variables={"PAGER": "head -n 3"})
        require(left.status == 2 and len(left.lines) < 8, f"a pager that ends early: status {left.status}, {left.text[-300:]}")
        wrong = self.show(["help", "convert"], 80, variables={"PAGER": "no-such-pager"})
        require(wrong.status == 2, "a pager that is not there was no error")

    def picture(self) -> None:
        """The picture of README.md shows what parity shows."""
        target = self.folder / "parity.svg"
        execute([sys.executable, ROOT / "Documentation/picture.py", self.slipcast, target])
        current = (ROOT / "Documentation/parity.svg").read_text()
        require(target.read_text() == current, "Documentation/parity.svg is out of date: python3 Documentation/picture.py SLIPCAST")
        require("](Documentation/parity.svg)" in (ROOT / "README.md").read_text(), "README.md does not show the picture")

    # When and how

    def made(self) -> None:
        time = "2025-06-15 15:06:40 UTC"
        secret = "SECRET-SLIPCAST-pass"
        environment = {"SOURCE_DATE_EPOCH": "1750000000"}
        for name in ("report.txt", "report.md", "report.html", "report.xml", "report.json"):
            path = self.folder / name
            for words in (["parity", *MIGRATION, "--strict", "semantic"], ["diff", *PAIR, "--strict", "semantic"]):
                self.suite.run(*words, "--report", path, environment=environment, status=(0, 1))
                text = path.read_text()
                stated = "1750000000000" if name.endswith("json") else time
                require(stated in " ".join(text.split()), f"{words[0]} {name} does not say when it was made")
                require("semantic" in text and "strict" in text, f"{words[0]} {name} does not say with which options")
                first = text
                self.suite.run(*words, "--report", path, environment=environment, status=(0, 1))
                require(path.read_text() == first, f"{words[0]} {name}: two runs at one time differ")
        for name in ("run.json", "run.csv", "run.md", "run.html", "run.xml"):
            path = self.folder / name
            self.suite.run("convert", "--quiet", FIXTURES / "notifications/did-renew/v1.json", "--emit", "notification", "--summary", path,
                           environment=environment)  # fmt: skip
            text = path.read_text()
            stated = {"json": "1750000000000", "csv": "2025-06-15T15:06:40Z", "xml": "2025-06-15T15:06:40Z"}
            require(stated.get(path.suffix[1:], time) in text, f"{name} does not say when it was made")
        page = self.folder / "life.html"
        self.suite.run("timeline", *SUBSCRIPTION, "--report", page, environment=environment)
        require(time in page.read_text(), "the page of timeline does not say when it was made")
        now = execute(["env", "-u", "SOURCE_DATE_EPOCH", self.slipcast, "diff", *PAIR]).stdout
        stated = re.search(r"Made (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) UTC by slipcast", " ".join(now.split()))
        age = stated and datetime.now(timezone.utc) - datetime.fromisoformat(stated[1]).replace(tzinfo=timezone.utc)
        require(age is not None and abs(age) < timedelta(minutes=5), f"a report does not state the time of its run: {stated}")
        masked = self.suite.run("diff", *PAIR, "--ignore", f"postgres://user:{secret}@host/x", status=2)
        require(secret not in masked.stdout + masked.stderr, "a password in a report's options")


def run(suite: Suite) -> None:
    here = Terminals(suite)
    for name, words in KEPT.items():
        suite.part(f"widths/{name.replace(' ', '-')}", here.widths, name, words, True)
    for name, words in MEASURED.items():
        suite.part(f"widths/{name.replace(' ', '-')}", here.widths, name, words, False)
    suite.part("pipes", here.pipes)
    # Bars of runs that are long enough to have one.
    if not suite.options.quick:
        suite.part("bars", here.bars)
    suite.part("replay", here.replay)
    suite.part("fetch", here.fetch)
    suite.part("colors", here.colors)
    suite.part("pager", here.pager)
    suite.part("picture", here.picture)
    suite.part("made", here.made)
