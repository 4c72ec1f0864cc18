"""The page of a report of parity: it lists the customers that parity --access lists, and says what each number counts."""

import csv
import io
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

from answering import text_of
from answers import People
from client import Pages, pages
from harness import Suite, require
from people import write_all
from world import World

ROWS = ("--body", "/body", "--id", "/id", "--received-at", "/receivedAt")
GATES = ("lockedOut", "servedForFree", "endsEarlier", "endsLater", "refundReversed", "extended")


def reported(suite: Suite, world: World) -> str:
    """People whose access the two archives tell otherwise."""
    folder = world.folder / "reported"
    folder.mkdir()
    legacy, server = write_all(folder, People())
    listed, report = folder / "access.csv", folder / "parity.json"
    suite.run("parity", "--legacy", legacy, *ROWS, "--server", server, "--access", listed, "--report", report, "--quiet", status=(0, 1))
    found = json.loads(report.read_text())
    expected = Counter(one["originalTransactionId"] for one in csv.DictReader(io.StringIO(listed.read_text())))
    require(expected.total() > 5, f"parity lists {expected.total()} customers")
    with pages(suite, report) as ui:
        rows = {view: table(ui, view) for view in ("changes", "undecided")}
        require(Counter(one["Customer"] for one in sum(rows.values(), [])) == expected, rows)
        counts = {"changes": sum(found["access"].get(name, 0) for name in GATES), "undecided": found["access"]["unknown"]}
        require({view: len(all_rows) for view, all_rows in rows.items()} == counts, counts)
        require(all("access" in one["V1"] or "archive" in one["V1"] or one["V1"] == "unknown" for one in rows["changes"]), rows["changes"])
        page = ui.get("/parity")
        require(f"Access changes ({counts['changes']})" in page and f"Access undecided ({counts['undecided']})" in page, text_of(page)[:3000])
        numbers_are_explained(page)
    limited(suite, folder, found)
    undated(suite, folder, found)
    return f"{counts['changes']} changes of access, {counts['undecided']} undecided"


def table(ui: Pages, view: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(ui.get(f"/parity?view={view}&csv={view}"))))


def numbers_are_explained(page: str) -> None:
    numbers = re.search(r'<dl class="answers">(.*?)</dl>', page, re.S)
    require(numbers, "the page has no numbers")
    for item in re.findall(r"<div>(.*?)</div>", numbers[1], re.S) if numbers else []:
        require('class="why"' in item, f"not explained: {text_of(item)}")


def limited(suite: Suite, folder: Path, found: dict[str, Any]) -> None:
    """What a report does not list is said: a report of very many customers, and one of an older program."""
    more = json.loads(json.dumps(found))
    more["access"]["lockedOut"] += 600
    (folder / "more.json").write_text(json.dumps(more))
    older = json.loads(json.dumps(found))
    del older["access"]["customers"]
    (folder / "older.json").write_text(json.dumps(older))
    for name, words in (("more", "parity --access FILE.csv writes all of them"), ("older", "An older program wrote this report")):
        with pages(suite, folder / f"{name}.json") as ui:
            require(words in text_of(ui.get("/parity")), f"{name}: {text_of(ui.get('/parity'))[:2000]}")


def undated(suite: Suite, folder: Path, found: dict[str, Any]) -> None:
    """Events without a date are in no chart over time: the page says how many."""
    event = {"type": "REFUND", "originalTransactionId": "1", "source": "v1.ndjson", "record": 1}
    missing = [{**event, "time": 1_750_000_000_000}, event, {**event, "record": 2}]
    (folder / "undated.json").write_text(json.dumps({**found, "missing": {"legacy": missing, "server": []}}))
    with pages(suite, folder / "undated.json") as ui:
        require("2 missing events have no date, and are not in the chart." in text_of(ui.get("/parity")), text_of(ui.get("/parity")))
    # V1 messages about purchases that no list names have no date.
    told = [one["body"] for one in map(json.loads, (folder / "people.ndjson").read_text().splitlines())]
    bare = {"notification_type": "REFUND", "environment": "PROD", "bid": "com.example.slipcast", "unified_receipt": {
        "status": 0, "environment": "Production", "latest_receipt_info": [], "pending_renewal_info": []}}  # fmt: skip
    lines = [*told[:2], {**bare, "original_transaction_id": 1}, {**bare, "original_transaction_id": 2}]
    (folder / "bare.ndjson").write_text("".join(json.dumps(one) + "\n" for one in lines))
    suite.run("convert", "--quiet", "--execute", "--to", folder / "bare.sqlite", folder / "bare.ndjson", status=(0, 1))
    with pages(suite, folder / "bare.sqlite") as ui:
        require("2 events have no date, and are not in the chart." in text_of(ui.get("/")), text_of(ui.get("/")))
        require("2 messages have no date, and are not in the chart." in text_of(ui.get("/archive")), text_of(ui.get("/archive")))
