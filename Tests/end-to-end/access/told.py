"""What the forms of one report say of the same pairs, with and without a baseline."""

import html
import json
import re
from pathlib import Path

from harness import FIXTURES, Suite, anew, require

MOVED = "data.transactionInfo.expiresDate"
DAY = 86_400_000


def message(number: int) -> dict:
    """A V1 notification of a subscription of its own."""
    text = (FIXTURES / "notifications/app-account-token/v1.json").read_text()
    return json.loads(re.sub(r"\b\d{15,16}\b", lambda id: f"{int(id[0]) + number * 1000}", text))


def on_demand(page: str, name: str) -> dict:
    """What a page shows on demand."""
    data = re.search(rf'<template id="{name}">(.*?)</template>', page, re.DOTALL)
    require(data, f"the page has no {name}")
    return json.loads(html.unescape(data[1]))


class Told:
    def __init__(self, suite: Suite) -> None:
        self.suite, self.folder = suite, anew(suite.folder / "told")
        self.legacy = self.folder / "v1.ndjson"
        self.legacy.write_text("".join(json.dumps(message(number)) + "\n" for number in range(12)))
        self.lines = suite.run("convert", "--quiet", "--plain", self.legacy).stdout.splitlines()
        self.few, self.more = self.server(5), self.server(6)

    def server(self, moved: int) -> Path:
        """V2 in which periods of so many customers end later."""
        path, events = self.folder / f"v2-{moved}.ndjson", [json.loads(line) for line in self.lines]
        for event in events[:moved]:
            event["data"]["transactionInfo"]["expiresDate"] += DAY
        path.write_text("".join(json.dumps(event) + "\n" for event in events))
        return path

    def parity(self, server: Path, *words: object, status: int = 1) -> None:
        self.suite.run("parity", "--quiet", "--legacy", self.legacy, "--server", server, *words, status=status)

    def forms(self) -> str:
        """A form does not depend on which other forms are written."""
        count = 0
        for words in ([], ["--verbose"]):
            for ending in ("md", "txt", "xml", "html", "json"):
                alone, beside = self.folder / f"alone.{ending}", self.folder / f"beside.{ending}"
                self.parity(self.more, *words, "--report", alone)
                others = [word for other in ("html", "json", "md") for word in ("--report", self.folder / f"other.{other}")]
                self.parity(self.more, *words, "--report", beside, *others)
                require(alone.read_text() == beside.read_text(), f"{ending} {words} depends on other reports")
                count += 1
        page = (self.folder / "alone.html").read_text()
        data = page[page.index('id="find-data"') :]
        require(MOVED in data and data.count("V1 record") >= 6, "the page lists the pairs")
        return f"{count} reports"

    def grown(self) -> str:
        """A difference that has grown is accepted as often as the baseline says, in all forms and gates alike."""
        baseline = self.folder / "baseline.json"
        given = ["--baseline", baseline, "--legacy", self.legacy]
        self.suite.run("baseline", "record", *given, "--server", self.few, "--reason", "known")
        self.suite.run("baseline", "check", *given, "--server", self.few)
        for server, accepted, status in ((self.few, 5, 0), (self.more, 5, 1)):
            reports = {ending: self.folder / f"grown.{ending}" for ending in ("json", "txt", "md", "xml")}
            words = [word for path in reports.values() for word in ("--report", path)]
            self.parity(server, "--baseline", baseline, "--min-agreement", f"{MOVED}=100%", *words, status=status)
            result = json.loads(reports["json"].read_text())
            field = next(field for field in result["fields"] if field.get("v2Path") == MOVED)
            require(field["accepted"] == accepted, f"{field['accepted']} pairs of the field are accepted")
            found = [one["accepted"] for one in result["differences"] if one["path"] == MOVED]
            require(found == ([5] if status else []), f"accepted pairs of the differences: {found}")
            gates = {gate["name"].split()[0]: gate for gate in result["gates"]}
            require(all(gates[name]["holds"] == (status == 0) for name in ("baseline", "minAgreement")), str(gates))
            agreeing = "11 of 12 pairs" if status else "12 of 12 pairs"
            require(gates["minAgreement"]["message"].startswith(agreeing), str(gates["minAgreement"]))
            for ending in ("txt", "md"):
                text = reports[ending].read_text()
                require("5 accepted" in text and "6 accepted" not in text, f"{ending} says another number")
            case = re.search(rf'<testcase name="{re.escape(MOVED)}".*?(</testcase>|/>\n)', reports["xml"].read_text(), re.S)
            kind = "<failure" if status else "<skipped"
            require(case and kind in case[0], f"JUnit has no {kind}> for the field: {case and case[0][:300]}")
        return ""

    def strange(self) -> str:
        """A record of the server's archive that is of no version is told from what should be there."""
        server = self.folder / "strange.ndjson"
        server.write_text('{"x":1}\n' + self.more.read_text())
        rejects = self.folder / "strange.rejects"
        self.parity(server, "--rejects", rejects)
        found = [json.loads(line) for line in rejects.read_text().splitlines()]
        require([one["code"] for one in found] == ["unknownRecord"], str(found))
        require("version 2" in found[0]["message"] and "version 1" not in found[0]["message"], found[0]["message"])
        legacy = self.folder / "strange-v1.ndjson"
        legacy.write_text('{"x":1}\n' + self.legacy.read_text())
        self.suite.run("parity", "--quiet", "--legacy", legacy, "--server", self.more, "--rejects", rejects, status=1)
        require("version 1 notification" in rejects.read_text(), "the legacy side expects version 1")
        return ""

    def logs(self) -> str:
        """--from-logs reads the records of either side: V1 in a log, V2 as lines or in a log of its own."""
        log, plain = self.folder / "v1.log", self.folder / "plain.json"
        log.write_text("".join(f"INFO {line}\n" for line in self.legacy.read_text().splitlines()))
        self.parity(self.more, "--report", plain)
        expected = json.loads(plain.read_text())["pairs"]
        identity = self.folder / "identity"
        self.suite.run("identity", "--quiet", identity)
        signed = self.folder / "signed.ndjson"
        signed.write_text(self.suite.run("sign", "--quiet", identity, self.more).stdout)
        for name, source, before in (("plain", self.more, ""), ("log", self.more, "INFO "), ("signed", signed, "INFO ")):
            server = self.folder / f"{name}.v2.log"
            server.write_text("".join(f"{before}{line}\nINFO {{\"level\":1}}\n" for line in source.read_text().splitlines()))
            report = self.folder / "logs.json"
            self.suite.run("parity", "--quiet", "--from-logs", "--legacy", log, "--server", server, "--report", report, status=1)
            found = json.loads(report.read_text())["pairs"]
            require(found == expected, f"{name}: {found}, expected {expected}")
        # A record that was cut off is a reject, and no part of it a record.
        server.write_text("INFO " + self.lines[0][:-60] + "\n" + self.more.read_text())
        rejects = self.folder / "logs.rejects"
        self.suite.run("parity", "--quiet", "--from-logs", "--legacy", log, "--server", server, "--rejects", rejects, status=1)
        require([json.loads(line)["code"] for line in rejects.read_text().splitlines()] == ["incomplete"], rejects.read_text())
        return ""


def run(suite: Suite) -> None:
    told = Told(suite)
    for name in ("forms", "grown", "strange", "logs"):
        suite.part(f"told/{name}", getattr(told, name))
