"""Pages and `parity` say of the same events that the other side has them."""

import csv
import io
import json
from collections import Counter

import archive
from client import pages
from harness import Suite, require
from world import World

ROWS = ("--body", "/body", "--id", "/id", "--received-at", "/receivedAt")
# Events of V1, of some hundred, that parity pairs and a page does not: it does not read the records again.
MOST = 3


def pairs(suite: Suite, world: World) -> str:
    """Simulated customers with V2's events of the same lives."""
    lives = archive.make("mixed", 11, 20 if suite.options.quick else 60)
    lives.has_rows = True
    folder = world.folder / "pairs"
    lives.write_truth(folder)
    legacy, server = (folder / f"mixed.{side}.ndjson" for side in ("v1", "v2"))
    store, report = folder / "pairs.sqlite", folder / "pairs.json"
    suite.run("convert", "--quiet", *ROWS, "--settle", "--execute", "--to", store, legacy, status=(0, 1))
    suite.run("convert", "--quiet", "--execute", "--to", store, server, status=(0, 1))
    suite.run("parity", "--legacy", legacy, *ROWS, "--settle", "--server", server, "--same-span", "--report", report, "--quiet", status=(0, 1))
    missing = Counter(one.get("originalTransactionId") for one in json.loads(report.read_text())["missing"]["legacy"])
    unpaired: Counter[str] = Counter()
    events = 0
    with pages(suite, store) as ui:
        for original in sorted({str(event.original) for one in lives.customers for event in one.events}):
            reply = ui.ask(f"/customer/{original}?csv=events")
            rows = list(csv.DictReader(io.StringIO(reply.text))) if reply.status == 200 else []
            events += len(rows)
            unpaired[original] = sum(one["V2"] == "not in V2" for one in rows)
    require(events > 200, f"{events} events")
    more, less = (unpaired - missing).total(), (missing - unpaired).total()
    require(more <= MOST and less <= MOST, f"the pages lack V2 of {more} events that parity pairs, and have it of {less} that it does not")
    return f"{events} events, {unpaired.total()} of V1 without V2, {missing.total()} by parity"
