"""Who may see which page, and what a page may never show."""

import json
import re
import socket
import sqlite3
import threading
import time
from pathlib import Path

from client import Pages, pages
from harness import Suite, anew, files, require, require_none
from world import APP, BUNDLE, HOSTILE, IMAGE, KNOWN, ORDER, SCRIPT, SECRET, SIBLING, START, TOKEN, World, message, write

TEXT = "a token of twenty-nine letters"
VIEWS = ("/", f"/?q={KNOWN}", f"/customer/{KNOWN}", "/archive", "/archive?view=rejects", "/rules", "/rules/DID_RENEW", "/parity")
POLICY = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"  # fmt: skip


def only_reading(suite: Suite, world: World) -> None:
    """GET alone, no body, the headers, and a store that is never written."""
    store = world.both()
    before = store.read_bytes()
    with pages(suite, store, world.report()) as ui:
        for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND", "GEt"):
            reply = ui.ask("/", method)
            require(reply.status == 405 and reply.headers.get("allow") == "GET, HEAD", f"{method}: {reply}")
        require(ui.ask("/", "HEAD").text == "", "HEAD has a body")
        require(ui.ask("/", body=b"x").status == 400, "a body was taken")
        for view in (*VIEWS, "/nothing", "/assets/ui.css", "/assets/ui.js", f"/customer/{KNOWN}?csv=events"):
            reply = ui.ask(view)
            for name, value in (
                ("content-security-policy", POLICY), ("x-content-type-options", "nosniff"),
                ("referrer-policy", "no-referrer"), ("cache-control", "no-store"), ("x-frame-options", "DENY"),
            ):  # fmt: skip
                require(reply.headers.get(name) == value, f"{view}: {name}: {reply.headers.get(name)}")
            require(len(reply.text) < 150_000, f"{view} has {len(reply.text)} bytes")
            require(" style=" not in reply.text and "<style" not in reply.text, f"{view} has a style of its own")
            require("javascript:" not in reply.text, view)
    require(store.read_bytes() == before, "the store was changed")
    left = [path.name for path in store.parent.iterdir() if path.name.startswith(store.name) and path != store]
    require(not left, f"files are left beside the store: {left}")


def hosts(suite: Suite, world: World) -> None:
    """A name of a stranger is refused, whatever it points to."""
    store = world.both()
    good = ("127.0.0.1", "localhost", "LOCALHOST", "127.0.0.1:8090", "localhost:1", "[::1]", "[::1]:80", "127.9.9.9")
    bad = ("evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "192.168.0.1", "", "a b", "[::1", "localhost:",
           "localhost:x", "http://localhost", "localhost,evil", "evil@localhost", "0.0.0.0", "[2001:db8::1]", "localhost/x")  # fmt: skip
    with pages(suite, store) as ui:
        for host in good:
            require(ui.ask("/", Host=host).status == 200, f"{host!r} is refused")
        for host in bad:
            reply = ui.ask("/", Host=host)
            require(reply.status in (400, 421) and KNOWN not in reply.text, f"{host!r}: {reply.status}")
        # HTTP/1.0 may have no Host at all.
        with socket.create_connection(("127.0.0.1", ui.port), timeout=10) as line:
            line.sendall(b"GET / HTTP/1.0\r\n\r\n")
            require(b" 400 " in line.recv(4096).split(b"\r\n")[0] + b" ", "a request without Host is answered")
    token = suite.folder / "token-of-hosts"
    token.write_text(TEXT + "\n")
    with pages(suite, store, "--token", token, listen="0.0.0.0:0") as ui:
        bearer = {"Authorization": f"Bearer {TEXT}"}
        for host in ("10.0.0.7:8090", "[2001:db8::7]:8090", "0.0.0.0"):
            require(ui.ask("/", Host=host, **bearer).status == 200, f"{host} is refused")
        for host in ("evil.example", "localhost.evil.example"):
            require(ui.ask("/", Host=host, **bearer).status == 421, f"{host} is accepted")


def tokens(suite: Suite, world: World) -> None:
    """Nothing without the token; once in the address, then as a cookie."""
    store = world.both()
    token = suite.folder / "token"
    token.write_text(TEXT + "\r\n")
    with pages(suite, store, "--token", token) as ui:
        for view in VIEWS + ("/assets/ui.css", "/?token=wrong", f"/?token={TEXT[:-1].replace(' ', '%20')}"):
            reply = ui.ask(view)
            require(reply.status == 401 and "Bearer" in reply.headers.get("www-authenticate", ""), f"{view}: {reply.status}")
            require(KNOWN not in reply.text and TEXT not in reply.text, view)
        for words in ("Bearer wrong", f"Basic {TEXT}", "Bearer", "", f"Bearer {TEXT} "):
            require(ui.ask("/", Authorization=words).status == 401 or words.strip() == f"Bearer {TEXT}", words)
        require(ui.ask("/", Authorization=f"bearer {TEXT}").status == 200, "the token is refused")
        reply = ui.ask(f"/customer/{KNOWN}?order=newest&token={TEXT.replace(' ', '+')}")
        require(reply.status == 303, reply)
        require(reply.headers["location"] == f"/customer/{KNOWN}?order=newest", reply.headers["location"])
        cookie = reply.headers["set-cookie"]
        require("HttpOnly" in cookie and "SameSite=Strict" in cookie and TEXT not in cookie, cookie)
        require(ui.ask("/", Cookie="a=b; " + cookie.split(";")[0]).status == 200, "the cookie is refused")
        require(ui.ask("/", Cookie="slipcast-ui=x").status == 401, "a made-up cookie is accepted")
        # An address with two slashes would name another host.
        place = ui.ask(f"//evil.example/?token={TEXT.replace(' ', '+')}").headers.get("location", "/")
        require(place.startswith("/") and not place.startswith("//"), place)
    refused = suite.run("ui", store, "--listen", "0.0.0.0:0", status=2, seconds=30)
    require("--token" in refused.stderr, "it listens to everybody", refused)
    token.write_text("short\n")
    require("16 characters" in suite.run("ui", store, "--token", token, status=2, seconds=30).stderr, "a short token is accepted")


def hostile(suite: Suite, world: World) -> None:
    """Ids that are no ids, in every place that takes one; values that are no values."""
    words = [
        "../../etc/passwd", "%2e%2e%2f", "%00", "a%00b", "'", "' OR 1=1 --", '"', "%", "_", "*", "~", "~00", "~zz",
        "%F0%9F%98%80", "%C3%28", "<script>", "%3Cscript%3Ealert(1)%3C/script%3E", "x" * 3000, "%0d%0aSet-Cookie:%20a=b",
        "0", "-1", "9" * 400, "570000000000017%20", "%E2%80%AE", "//", "customer/x", "%2f%2fevil.example",
    ]  # fmt: skip
    with pages(suite, world.both(), world.report()) as ui:
        for word in words:
            # What is no request at all is libmicrohttpd's to refuse.
            path = word.replace(" ", "%20").replace('"', "%22").replace("<", "%3C").replace(">", "%3E")
            for view in ("/customer/{}", "/event/{}", "/rules/{}", "/?q={}", "/parity?view={}", "/parity?find={}", "/parity?file={}",
                         "/archive?code={}&view=rejects", "/archive?csv={}", f"/customer/{KNOWN}?order={{}}", "/event?customer={}&record=1",
                         f"/event?customer={KNOWN}&record={{}}", "/{}", "/?csv={}", "/archive?page={}&view=rejects"):  # fmt: skip
                reply = ui.ask(view.format(path))
                require(reply.status in (200, 303, 400, 404), f"{view} {word[:40]!r}: {reply.status}")
                require("<script>alert" not in reply.text, f"{view} {word!r} came alive")
                require("set-cookie" not in reply.headers, f"{view} {word!r}")
                place = reply.headers.get("location", "/")
                require(place.startswith("/") and not place.startswith("//"), f"{view} {word!r}: {place}")
        text = ui.get("/customer/570000000000991")
        require(SCRIPT not in text and IMAGE not in text, "a value came alive")
        require("&lt;script&gt;" in text, "the value is not shown as text")
        require("\u202e" not in text, "a mark of writing direction is left")
        event = re.search(r'href="(/event/[^"]+)"', text)
        require(event and SCRIPT not in ui.get(event[1]), "a value of an event came alive")
        table = ui.get("/customer/570000000000991?csv=events")
        require(SCRIPT in table, "CSV is text, and keeps values as they are")


def secrets(suite: Suite, world: World) -> None:
    """The shared secret of V1 is on no page."""
    with pages(suite, world.both()) as ui:
        for path in every_page(ui):
            require(SECRET not in ui.get(path), f"{path} shows the secret")


def every_page(ui: Pages, most: int = 120) -> list[str]:
    """The addresses that links reach from the views."""
    found, open_ = [], list(VIEWS)
    while open_ and len(found) < most:
        path = open_.pop(0)
        if path in found:
            continue
        reply = ui.ask(path)
        if reply.status == 303:
            open_.insert(0, reply.headers["location"])
            continue
        if reply.status != 200 or not reply.headers["content-type"].startswith("text/html"):
            continue
        found.append(path)
        links = re.findall(r'href="(/(?:customer|event|archive|parity)[^"#]*)"', reply.text)
        open_ += [link.replace("&amp;", "&") for link in links]
    return found


def redaction(suite: Suite, world: World) -> None:
    """No id on any page, in no link and no table; the same names after a restart; the search takes true ids."""
    store = world.both()
    with sqlite3.connect(store) as rows:
        ids = {str(value) for query in (
            "SELECT originalTransactionId FROM transactions", "SELECT transactionId FROM transactions",
            "SELECT webOrderLineItemId FROM transactions", "SELECT appAccountToken FROM transactions",
            "SELECT notificationUUID FROM notifications", "SELECT id FROM notifications WHERE length(id) > 4",
            "SELECT source FROM notifications", "SELECT id FROM rejects", "SELECT source FROM rejects",
            "SELECT appTransactionId FROM transactions",
        ) for value, in rows.execute(query) if value and len(str(value)) > 4}  # fmt: skip
    # Values that a person chose to look like an id of a product stay products.
    ids = {one for one in ids if "script" not in one and not one.startswith(BUNDLE)}
    ids.add(ORDER)
    require(APP in ids, "no record states the id of an app's transaction")
    sources = {one for one in ids if "/" in one or "." in one}

    def leak(text: str) -> str:
        """An id that stands in a text, as a word of it; a source anywhere in it."""
        return next(iter(set(re.findall(r"[\w-]+", text)) & ids), "") or next((one for one in sources if one in text), "")

    names = []
    for _ in range(2):
        with pages(suite, store, world.report(), "--redact") as ui:
            place, text = ui.follow(f"/?q={KNOWN}")
            require(place.startswith("/customer/~") and KNOWN not in text, place)
            names.append((place, re.findall(r"id-[0-9a-f]{12}", text)))
            for path in every_page(ui, 25 if suite.options.quick else 120):
                reply = ui.ask(path)
                require(not (found := leak(reply.text)), f"{path} shows {found}")
                for name in ("events", "periods", "differences", "rejects", "runs", "missing", "changes", "causes", "matches", "appAccountToken", "appTransactionId"):
                    table = ui.ask(path + ("&" if "?" in path else "?") + f"csv={name}")
                    require(not (found := leak(table.text)), f"{path} {name} shows {found}")
            for path in (f"/customer/{KNOWN}", f"/?q={TOKEN}", "/?q=570000000000", f"/customer/{SIBLING}x", "/?q=nothing"):
                reply = ui.ask(path)
                # An address that somebody typed is their own; what the program answers has no id.
                require(not (found := leak(reply.text)), f"{path} shows {found}")
            sealed = place.removeprefix("/customer/")
            broken = sealed[:-1] + ("0" if sealed[-1] != "0" else "1")
            require(ui.ask(f"/customer/{broken}").status == 404, "a changed pseudonym is accepted")
    require(names[0] == names[1], "pseudonyms change with a restart")
    require(len(set(names[0][1])) > 3, "pseudonyms are few")


def long_exports(suite: Suite, world: World) -> None:
    """A customer with 503 events: 500 have pages, and the command says that three have none."""
    told = [(START, message("INITIAL_BUY", KNOWN, 0))]
    for number in range(1, 503):
        change = {"auto_renew_status_change_date_ms": str(START + number * 3_600_000)}
        renews = str(number % 2)
        told.append((START + number * 3_600_000, message("DID_CHANGE_RENEWAL_STATUS", KNOWN, 0, renews=renews, **change)))
    store = world.store("long.sqlite", write(world.folder / "long.ndjson", told))
    folder = suite.folder / "long-export"
    done = suite.run("ui", store, "--export", folder, "--id", KNOWN)
    require("3 events without a page of their own: at most 500 events of a customer have one" in done.stderr, done.stderr)
    require("1 customer, 502 files in " in done.stderr, done.stderr)
    require(len(list(folder.glob("event-*.html"))) == 500, "not 500 events have pages")


def exports(suite: Suite, world: World) -> None:
    """Chosen customers as files; an unknown one is said, the others are written."""
    folder = suite.folder / "ticket"
    done = suite.run("ui", world.both(), "--export", folder, "--id", KNOWN, "--id", "570000000000017", "--id", "404", "--id", TOKEN, status=1)
    require("404" in done.stderr, "the unknown id is not said", done)
    names = {path.name for path in files(folder)}
    require({"index.html", f"customer-{KNOWN}.html"} <= names, names)
    for path in files(folder):
        text = path.read_text()
        for link in re.findall(r'(?:href|src)="([^"#]+)"', text):
            require(link in names or link.startswith("https://"), f"{path.name} leads to {link}")
        require("<script" not in text and SECRET not in text, path.name)
    anew(folder)
    suite.run("ui", world.both(), "--export", folder, "--redact", "--id", KNOWN, "--quiet")
    for path in files(folder):
        require(KNOWN not in path.name and KNOWN not in path.read_text(), f"{path.name} shows the id")
    for words, told in ((["--export", folder], "--id"), (["--id", KNOWN], "--export"), (["--export", folder, "--id", "1", "--token", "x"], "--token")):
        require(told in suite.run("ui", world.both(), *words, status=2).stderr, words)


def odd_stores(suite: Suite, world: World) -> None:
    """Empty stores, other files, reports alone, damaged reports, stores of another version."""
    folder = anew(suite.folder / "odd")
    empty = folder / "empty.ndjson"
    empty.write_text("")
    suite.run("convert", "--quiet", "--execute", "--to", folder / "empty.sqlite", empty, status=(0, 1, 2))
    if (folder / "empty.sqlite").exists():
        with pages(suite, folder / "empty.sqlite") as ui:
            require("empty" in ui.get("/"), "an empty store is not named so")
            ui.get("/archive")
            ui.get(f"/customer/{KNOWN}", 404)
            ui.get(f"/?q={KNOWN}", 404)
    with pages(suite, world.report()) as ui:
        require("/customer/" not in ui.get("/parity"), "a customer is linked without a store")
        ui.get(f"/customer/{KNOWN}", 404)
        ui.get("/rules/DID_RENEW")
    for name, content in (("x.json", "{}"), ("y.json", "not JSON"), ("z.json", '{"verdict": 1}')):
        (folder / name).write_text(content)
        require("report of parity" in suite.run("ui", folder / name, status=2).stderr, name)
    nothing_to_read(suite, folder)
    suite.run("ui", status=2)
    suite.run("ui", world.both(), world.both(), status=2)
    newer = folder / "newer.sqlite"
    newer.write_bytes(world.both().read_bytes())
    with sqlite3.connect(newer) as store:
        store.execute("PRAGMA user_version = 999")
    require("newer" in suite.run("ui", newer, status=2).stderr, "a store of a newer program is opened")


def nothing_to_read(suite: Suite, folder: Path) -> None:
    """A store that is not there, or holds nothing: the message says what to type, and not what only writes."""
    for name, table in (("bare.sqlite", "slipcast"), ("other.sqlite", "shop")):
        with sqlite3.connect(folder / name) as store:
            store.execute(f"CREATE TABLE {table} (a)")
            if table == "slipcast":
                store.execute(f"DROP TABLE {table}")
    (folder / "zero.sqlite").write_bytes(b"")
    for command in ("ui", "timeline"):
        for name, words in (
            ("missing.sqlite", "cannot open: No such file or directory"), ("zreo.sqlite", "No such file or directory; did you mean"),
            ("bare.sqlite", "bare.sqlite --execute fills it"), ("zero.sqlite", "zero.sqlite --execute fills it"),
            ("other.sqlite", "--to archive.sqlite --execute makes a store"),
        ):  # fmt: skip
            said = suite.run(command, folder / name, status=2).stderr
            require(words in said and "name a new file" not in said and "unable to open" not in said, f"{command} {name}: {said}")


def growing(suite: Suite, world: World) -> None:
    """A run may write while pages are read; a page never shows half of a record."""
    store = world.store("growing.sqlite", world.known)
    wrong: list[str] = []
    with pages(suite, store) as ui:
        def ask() -> None:
            end = time.monotonic() + 3
            while time.monotonic() < end:
                reply = ui.ask(f"/customer/{KNOWN}")
                if reply.status != 200:
                    wrong.append(f"{reply.status}: {reply.text[:200]}")
        readers = [threading.Thread(target=ask) for _ in range(4)]
        for reader in readers:
            reader.start()
        suite.run("convert", "--quiet", "--body", "/body", "--received-at", "/receivedAt", "--execute", "--to", store, world.simulated, status=(0, 1))
        for reader in readers:
            reader.join()
    require_none(wrong[:5], 1, "requests failed")


def clocks(suite: Suite, world: World) -> None:
    """A message that came, by its clock, before its event; and one of which nothing says when it was."""
    early, undated, event = "570000000000993", "570000000000994", 1_656_633_600_000
    body = message("DID_CHANGE_RENEWAL_STATUS", early, 0, auto_renew_status_change_date_ms=str(event))
    store = world.store("clocks.sqlite", write(world.folder / "clocks.ndjson", [(event - 1000, body)]))
    with pages(suite, store) as ui:
        for _ in range(2):
            home = ui.get("/")
        require("1 July 2022" in home and "30 June 2022" not in home, "the store covers its only event")
        ui.get(f"/customer/{early}")
    silent = world.folder / "undated.ndjson"
    silent.write_text(json.dumps(message("DID_CHANGE_RENEWAL_PREF", undated, 0)) + "\n")
    store = world.folder / "undated.sqlite"
    suite.run("convert", "--quiet", "--execute", "--to", store, silent)
    with pages(suite, store) as ui:
        page = ui.get(f"/customer/{undated}")
        require("1970" not in page and "no record has a date" in page, "no date is made up")
