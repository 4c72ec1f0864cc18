"""What the pages say of customers whose life is known, and how fast."""

import csv
import html
import io
import re
import sqlite3
import statistics
import time
from pathlib import Path

from answers import People
from client import Pages, pages
from harness import ROOT, Suite, require, require_none
from people import write_all
from world import DAY, KNOWN, ORDER, SIBLING, START, TOKEN, World, known_life, row, server_life, write, write_server

LIMIT = 0.1


def text_of(page: str) -> str:
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", page)))


def sentence(ui: Pages, path: str) -> str:
    found = re.search(r'<h1 class="sentence">(.*?)</h1>', ui.get(path), re.S)
    require(found, f"{path} has no sentence")
    return html.unescape(re.sub(r"<[^>]+>", "", found[1])).strip() if found else ""


def active(suite: Suite, world: World) -> None:
    """The last month is judged at the latest date of the store: nothing is known of what follows."""
    store, archive = world.folder / "active.sqlite", ROOT / "Examples/migration"
    suite.run("convert", "--quiet", archive / "v1.ndjson", "--settle", "--to", store, "--execute")
    suite.run("convert", "--quiet", archive / "v2.ndjson", "--to", store, "--execute")
    with sqlite3.connect(store) as rows:
        (latest,) = rows.execute("SELECT max(signedDate) FROM notifications").fetchone()
        (count,) = rows.execute(
            "SELECT count(*) FROM states WHERE access = 'yes' AND validFrom <= ? AND (validTo IS NULL OR validTo > ?)", (latest, latest)).fetchone()  # fmt: skip
    with pages(suite, store) as ui:
        months = list(csv.reader(io.StringIO(ui.get("/?csv=active"))))
    require(months[-1][1] == str(count), f"{months[-1]}: {count} have access at the latest date")


def sentences(suite: Suite, world: World) -> None:
    """The sentence, the periods and the counts, from the facts of the life."""
    active(suite, world)
    store = world.store("known.sqlite", world.known)
    with pages(suite, store) as ui:
        # The latest date is the other subscription's purchase, 210 days after the start; the last month ended 90 days before,
        # with auto-renew off.
        said = sentence(ui, f"/customer/{KNOWN}")
        require(said.startswith("Has no access since "), said)
        require("turned auto-renew off" in said and "3 periods paid" in said and "nothing refunded" in said, said)
        require(said.endswith("; inferred."), said)
        said = sentence(ui, f"/customer/{SIBLING}")
        require(said.startswith("Has access until ") and "; renews; no period paid; nothing refunded" in said, said)
        body = text_of(ui.get(f"/customer/{KNOWN}"))
        require("Turned auto-renew off" in body and "Renewed com.example.slipcast.monthly, 3 times" in body, body[:2000])
        require("1 free trial not counted" in body, "the trial counts as paid")
        # Every id leads to the customer.
        ids = [row(KNOWN, 2)["transaction_id"], row(KNOWN, 1)["web_order_line_item_id"], f"  {KNOWN}\t"]
        for text in ids:
            place, _ = ui.follow("/?q=" + text.replace(" ", "%20").replace("\t", "%09"))
            require(place == f"/customer/{KNOWN}", f"{text!r} leads to {place}")
            if text.strip() != KNOWN:
                require(ui.follow(f"/customer/{text}")[0] == f"/customer/{KNOWN}", text)
        found = ui.get(f"/?q={TOKEN.upper()}")
        require(f"/customer/{KNOWN}" in found and f"/customer/{SIBLING}" in found, "the token finds both")
        require(f"/customer/{SIBLING}" in ui.get(f"/customer/{KNOWN}"), "the other subscription is not linked")
        require("begins with it" in ui.get(f"/?q={KNOWN[:9]}"), "no prefix is found")
        with sqlite3.connect(store) as rows:
            uuid = rows.execute("SELECT notificationUUID FROM notifications WHERE originalTransactionId = ?", [KNOWN]).fetchone()[0]
        require(ui.follow(f"/?q={uuid}")[0] == f"/event/{uuid}", "the id of an event does not open it")
        events = list(csv.DictReader(io.StringIO(ui.get(f"/customer/{KNOWN}?csv=events"))))
        require([one["V2 event"] for one in events][:2] == ["SUBSCRIBED/INITIAL_BUY", "DID_RENEW"], events)
        periods = list(csv.DictReader(io.StringIO(ui.get(f"/customer/{KNOWN}?csv=periods"))))
        require([one["State"] for one in periods] == ["free trial", "paid", "paid", "paid"], periods)
        newest = ui.get(f"/customer/{KNOWN}?order=newest")
        require(newest.index("Turned auto-renew off") < newest.index("for the first time"), "the newest event is not first")
    lists(suite, world)
    kinds(suite, world)
    both_sides(suite, world)
    one_side_is_silent(suite, world)


def lists(suite: Suite, world: World) -> None:
    """A store that has nothing of V1's lists says so at each customer, and one that has them does not."""
    settled = suite.folder / "settled.sqlite"
    rows = ["--body", "/body", "--received-at", "/receivedAt", "--id", "/id"]
    suite.run("convert", "--quiet", *rows, "--settle", "--execute", "--to", settled, world.known)
    for store, says in ((world.store("known.sqlite", world.known), True), (settled, False)):
        with pages(suite, store) as ui:
            body = text_of(ui.get(f"/customer/{KNOWN}"))
            require(("not what only their lists of purchases show" in body) == says, f"{store.name}: {body[:600]}")


def kinds(suite: Suite, world: World) -> None:
    """The sentence of customers of many kinds, by V1 alone, by V2 alone, and by both."""
    people = People()
    legacy, server = write_all(world.folder, people)
    rows = world.store("people-v1.sqlite", legacy)
    apple, both = (world.folder / f"people-{name}.sqlite" for name in ("v2", "both"))
    both.write_bytes(rows.read_bytes())
    for store in (apple, both):
        suite.run("convert", "--quiet", "--execute", "--to", store, server)
    wrong = []
    for side, store in (("both", both), ("v1", rows), ("v2", apple)):
        with pages(suite, store) as ui:
            for one in people:
                expected, path = getattr(one, side), f"/customer/{one.id}"
                said = sentence(ui, path) if expected else str(ui.ask(path).status)
                if said != (expected or "404"):
                    wrong.append(f"{one.name}, {side}:\n  {said}\n  expected {expected}")
    require_none(wrong, 3 * len(people), "sentences are wrong")
    certainty(suite, people, rows)
    marks(suite, people, both)


def certainty(suite: Suite, people: People, store: Path) -> None:
    """A period and a state are as certain on the page as in `timeline --states`."""
    table = store.with_name("people-states.csv")
    suite.run("timeline", store, "--states", table, "--to", store.with_name("people-events.csv"), "--quiet")
    states = list(csv.DictReader(io.StringIO(table.read_text())))
    wrong, compared = [], 0
    with pages(suite, store) as ui:
        for one in people:
            if not one.v1:
                continue
            path = f"/customer/{one.id}"
            page = ui.get(path)
            own = [state for state in states if state["originalTransactionId"] == one.id]
            for state in own:
                compared += 1
                if not re.search(rf"<title>[^<]*{state['reason']}[^<]*, {state['confidence']}[^<]*</title>", page):
                    wrong.append(f"{one.name}: the drawing lacks {state['reason']}, {state['confidence']}")
            for period in csv.DictReader(io.StringIO(ui.get(f"{path}?csv=periods"))):
                found = [state["confidence"] for state in own if state["validFrom"] == period["From"] and state["access"] == "yes"]
                if found and not period["Certain"].startswith(found[0]):
                    wrong.append(f"{one.name}: a period is {period['Certain']}, in --states {found[0]}")
    require_none(wrong, compared, "states and pages differ")


def marks(suite: Suite, people: People, store: Path) -> None:
    """What the sides say differently is in red, and stands in the table of periods."""
    expected = {
        "a refund that V2 does not have": "V2 has no refund", "a refund of another day": "V2 dates the refund",
        "another end of a period that is over": "V1 ends it", "another end": "V1 ends it", "extended by Apple": "V1 ends it",
        "an end in the same minute": "", "refunded": "", "in a trial": "",
    }  # fmt: skip
    with pages(suite, store) as ui:
        for one in people:
            if (words := expected.get(one.name)) is None:
                continue
            page = ui.get(f"/customer/{one.id}")
            states = [period["State"] for period in csv.DictReader(io.StringIO(ui.get(f"/customer/{one.id}?csv=periods")))]
            require(('class="gap"' in page) == bool(words), f"{one.name}: the drawing")
            require(any(words in state for state in states) if words else not any("; V" in state for state in states), f"{one.name}: {states}")
            require(("V1 and V2 differ" in text_of(page)) == bool(words), f"{one.name}: {text_of(page)[:900]}")


def both_sides(suite: Suite, world: World) -> None:
    """Apple refunded the last month, which V1 did not say: V2 counts, and the page says that V1 differs."""
    with pages(suite, world.both()) as ui:
        said = sentence(ui, f"/customer/{KNOWN}")
        require(said.startswith("Has no access since ") and "Apple refunded the purchase" in said, said)
        require("2 periods paid; 1 period refunded" in said and "V1" in said, said)
        body = ui.get(f"/customer/{KNOWN}")
        require('class="gap"' in body, "the drawing shows no difference")
        require("not in V1" in body, "V2's refund is not marked")
        require(ui.follow(f"/?q={ORDER}")[0] == f"/customer/{KNOWN}", "the order does not lead to its customer")
        require(ui.ask("/?q=MSLIP99999").status == 404, "an unknown order is found")
        event = re.search(r'href="(/event/5a1c[^"]+)"', body)
        require(event, "V2's record is not linked")
        page = ui.get(event[1]) if event else ""
        require(page.count("<pre") >= 2, "the records are not beside each other")


def one_side_is_silent(suite: Suite, world: World) -> None:
    """V2 has the trial alone, V1 the third month too: that V2 does not say what came later is not a difference."""
    rows = write(world.folder / "renewing.ndjson", known_life()[:4])
    store = world.store("silent.sqlite", rows)
    suite.run("convert", "--quiet", "--execute", "--to", store, write_server(world.folder / "trial.ndjson", server_life()[:1]))
    with pages(suite, store) as ui:
        said = sentence(ui, f"/customer/{KNOWN}")
        require(said.startswith("Has access until ") and said.endswith("; V2 does not say."), said)
        body = ui.get(f"/customer/{KNOWN}")
        require("V1 and V2 V2 does not say" in text_of(body), text_of(body)[:2000])
        require('class="gap"' not in body, "the drawing shows a difference")


def speed(suite: Suite, count: int) -> str:
    """Searches and pages of a large store, which is made here: the median and the slowest tenth."""
    store = large(suite, count)
    times: dict[str, list[float]] = {}
    with pages(suite, store) as ui:
        require(ui.ask("/").status == 200, "the first page fails")
        for number in range(1, 61):
            original = str(800_000_000_000_000 + number * (count // 61) * 1000)
            for name, path in (
                ("search", f"/?q={original}"), ("prefix", f"/?q={original[:11]}"), ("customer", f"/customer/{original}"),
                ("token", f"/?q={number * (count // 61):08x}-0000-4000-8000-000000000000"),
            ):  # fmt: skip
                began = time.monotonic()
                reply = ui.ask(path)
                times.setdefault(name, []).append(time.monotonic() - began)
                require(reply.status in (200, 303), f"{path}: {reply.status}")
        memory = Path(f"/proc/{ui.process.pid}/status").read_text()
    peak = int(re.search(r"VmHWM:\s+(\d+)", memory)[1]) // 1024  # type: ignore[index]
    words = []
    for name, found in times.items():
        slow = sorted(found)[len(found) * 9 // 10]
        words.append(f"{name} {statistics.median(found) * 1000:.1f} ms, 9 of 10 under {slow * 1000:.1f} ms")
        require(slow < LIMIT, f"{name}: {slow:.3f} s")
    return "; ".join(words) + f"; {peak} MB"


def large(suite: Suite, count: int) -> Path:
    """A store of so many subscriptions, each with a trial, two months and a change of auto-renew."""
    store = suite.folder / "large.sqlite"
    lines = suite.folder / "large.ndjson"
    with lines.open("w") as file:
        for number in range(count):
            original = 800_000_000_000_000 + number * 1000
            start = START + number % 700 * DAY
            token = f"{number:08x}-0000-4000-8000-000000000000"
            for kind, period in (("INITIAL_BUY", 0), ("DID_RENEW", 1), ("DID_CHANGE_RENEWAL_STATUS", 1)):
                rows = [
                    f'{{"quantity":"1","product_id":"com.example.slipcast.monthly","transaction_id":"{original + one}",'
                    f'"original_transaction_id":"{original}","web_order_line_item_id":"{original + 500 + one}",'
                    f'"purchase_date_ms":"{start + one * 30 * DAY}","original_purchase_date_ms":"{start}",'
                    f'"expires_date_ms":"{start + (one + 1) * 30 * DAY}","app_account_token":"{token}"}}'
                    for one in range(period, -1, -1)
                ]  # fmt: skip
                file.write(
                    f'{{"notification_type":"{kind}","environment":"PROD","bid":"com.example.slipcast",'
                    f'"auto_renew_status":"true","unified_receipt":{{"status":0,"environment":"Production",'
                    f'"latest_receipt_info":[{",".join(rows)}],"pending_renewal_info":[{{"auto_renew_status":"1",'
                    f'"original_transaction_id":"{original}","product_id":"com.example.slipcast.monthly"}}]}}}}\n')
    suite.run("convert", "--quiet", "--execute", "--to", store, lines, status=(0, 1), seconds=3000)
    lines.unlink()
    return store
