"""Records in which one text after the other is hostile, of V1 and of V2, and what the pages make of them."""

import copy
import re
import sqlite3
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Iterator
from urllib.parse import quote

from client import pages
from guarding import VIEWS
from harness import Suite, require, require_none
from world import HOSTILE, IMAGE, SCRIPT, START, World, message, server_life, write, write_server

LONG = HOSTILE + "y" * 20_000


class Alive(HTMLParser):
    """Elements and attributes of a page that no page of the program has: they came from a value."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = dict(attrs)
        if tag in ("img", "iframe", "object", "embed") or tag == "script" and names.get("src") != "/assets/ui.js":
            self.found.append(f"<{tag}>")
        self.found += [f"{tag} {name}" for name in names if name.startswith("on") or name == "style"]



def leaves(value: Any, path: tuple = ()) -> Iterator[tuple]:
    """The places of all texts and numbers of a record."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if items is None:
        yield path
        return
    for key, child in items:
        yield from leaves(child, (*path, key))


def changed(record: dict[str, Any], path: tuple, value: str) -> dict[str, Any]:
    """A copy of a record with another value in one place."""
    record = copy.deepcopy(record)
    at: Any = record
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return record


def renamed(record: Any, number: int) -> Any:
    """A copy whose ids are those of another customer and event."""
    if isinstance(record, dict):
        return {key: renamed(child, number) for key, child in record.items()}
    if isinstance(record, list):
        return [renamed(child, number) for child in record]
    if not isinstance(record, str):
        return record
    return re.sub(r"^5[78]0000000(?=\d{6}$)", f"58{number:07d}", record).replace("5a1c0000", f"5a1c{number:04x}")


def records(text: str, first: int) -> tuple[list[tuple[int, dict[str, Any]]], list[dict[str, Any]]]:
    """One record for each text that it can have: of V1 with its time, and of V2."""
    number = first
    legacy, server = [], []
    known = message("DID_RENEW", "580000000000000", 1)
    apple = server_life()[5]
    for record, kept in ((known, legacy), (apple, server)):
        for path in leaves(record):
            number += 1
            one = renamed(changed(record, path, text), number)
            if kept is legacy:
                legacy.append((START + 50 * 86_400_000, one))
            else:
                server.append(one)
    return legacy, server


def poisoned(suite: Suite, world: World, name: str, text: str, first: int) -> tuple[Path, Path, Path]:
    """A store of hostile records of both versions, and a report of parity over them."""
    legacy, server = records(text, first)
    rows, apple = write(world.folder / f"{name}.ndjson", legacy), write_server(world.folder / f"{name}-v2.ndjson", server)
    store, report = world.folder / f"{name}.sqlite", world.folder / f"{name}.json"
    named = ["--body", "/body", "--id", "/id", "--received-at", "/receivedAt"]
    suite.run("convert", "--quiet", *named, "--keep-bodies", "--execute", "--to", store, rows, status=(0, 1))
    suite.run("convert", "--quiet", "--execute", "--to", store, apple, status=(0, 1))
    suite.run("parity", "--legacy", rows, *named, "--server", apple, "--report", report, "--same-span", "--quiet", status=(0, 1))
    return store, report, apple


def addresses(store: Path) -> list[str]:
    """The pages of all customers and events of a store."""
    with sqlite3.connect(store) as rows:
        customers = rows.execute("SELECT DISTINCT originalTransactionId FROM notifications WHERE originalTransactionId <> ''").fetchall()
        events = rows.execute("SELECT notificationUUID FROM notifications WHERE notificationUUID <> ''").fetchall()
    require(len(customers) > 20 and len(events) > 40, f"{len(customers)} customers, {len(events)} events are hostile")
    return [f"/customer/{quote(one, safe='')}" for one, in customers] + [f"/event/{quote(one, safe='')}" for one, in events]


def hostile_records(suite: Suite, world: World) -> str:
    """Each text of a V1 message, of a V2 notification and of a report of parity, made hostile and very long: no page lets
    it come alive, or becomes large."""
    wrong, count = [], 0
    for name, text, first in (("poisoned", HOSTILE, 1), ("stretched", LONG, 500)):
        store, report, _ = poisoned(suite, world, name, text, first)
        with pages(suite, store, report) as ui:
            found = addresses(store)[:: 5 if suite.options.quick else 1] + list(VIEWS)
            found += [f"/parity?view={view}" for view in ("changes", "missing", "differences", "fields")]
            for path in found:
                reply = ui.ask(path)
                require(reply.status in (200, 303, 404), f"{path[:200]}: {reply.status}")
                page = reply.text
                count += 1
                if alive := Alive(page).found or [mark for mark in (SCRIPT, IMAGE, "\u202e") if mark in page]:
                    wrong.append(f"{path[:200]}: {alive}")
                if len(page.encode()) >= 150_000:
                    wrong.append(f"{path[:200]} has {len(page.encode())} bytes")
    require_none(wrong, count, "pages are not harmless")
    return f"{count} pages"
