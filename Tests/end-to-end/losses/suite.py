"""Plants what costs money into a clean pair of archives, once, twice and five times: each must be red and be named.

The pair is realistic: three apps, retries, duplicates, renewals that are signed up to a day early, and archives that begin
and end two weeks apart. It is green by default and with the documented command; so are harmless differences.
"""

import copy
import json
import random
import re
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path

from collector import Told
from gates import gates
from harness import Suite, require
from planting import BEGIN, DAY, EXPIRES, HOUR, Judge, Pair, changed, consent, has_expiry, lost, recode, renamed, shift


def losses(judge: Judge, type: str) -> str:
    for count in judge.counts:
        told, places = lost(judge.pair, type, count)
        name = f"{type.replace('/', '-')}-{count}"
        sides = judge.pair.write(judge.suite.folder / name, told)
        for headline, result, where in judge.run(name, sides, 1):
            verb = "event has" if count == 1 else "events have"
            require(f"{count} V1 {verb} no V2 notification ({count} {type})" in headline, f"{where}: {headline}")
            missing = {one["originalTransactionId"] for one in result["missing"]["legacy"] if one["type"] == type}
            require({judge.pair.told[place].original for place in places} <= missing, f"{where}: missing {missing}")
            gate = "missingRefunds" if type in ("REFUND", "REVOKE") else "missing"
            require(gate in [one["name"] for one in result["gates"] if not one["holds"]], f"{where}: {result['gates']}")
    return f"{len(judge.counts)} losses of {type}"


def undated(judge: Judge) -> str:
    """A REFUND of which V1 says only the subscription, not when: V2 may lack it at no time."""
    told, [place] = lost(judge.pair, "REFUND", 1)
    message = json.loads(told[place].legacy[0])
    kept = ("notification_type", "environment", "bid", "bvrs")
    bare = {name: message[name] for name in kept if name in message}
    bare["original_transaction_id"] = int(judge.pair.told[place].original)
    bare["unified_receipt"] = {"status": 0, "environment": "Production", "latest_receipt_info": [], "pending_renewal_info": []}
    told[place] = Told(told[place].at, [json.dumps(bare)])
    sides = judge.pair.write(judge.suite.folder / "undated", told)
    for headline, result, where in judge.run("undated", sides, 1):
        require("1 REFUND" in headline, f"{where}: {headline}")
        [missing] = [one for one in result["missing"]["legacy"] if one["type"] == "REFUND"]
        require(missing["originalTransactionId"] == judge.pair.told[place].original and "time" not in missing, f"{where}: {missing}")
        require("missingRefunds" in [one["name"] for one in result["gates"] if not one["holds"]], f"{where}: {result['gates']}")
    baseline = judge.suite.folder / "undated-baseline.json"
    judge.suite.run("baseline", "record", *sides, "--baseline", baseline, "--reason", "looked at")
    judge.suite.run("baseline", "check", *sides, "--baseline", baseline)
    return "lost, named, and accepted by name only"


def differences(
    judge: Judge, name: str, fits: Callable[[Told], bool], change: Callable[[dict], None], path: str, cause: dict,
    counts: tuple[int | None, ...] = (),
) -> str:
    counts = counts or judge.counts
    for count in counts:
        told = changed(judge.pair, fits, change, count)
        sides = judge.pair.write(judge.suite.folder / f"{name}-{count}", told)
        for headline, result, where in judge.run(f"{name}-{count}", sides, 1):
            conflicting = result["pairs"]["conflicting"]
            require(count is None or conflicting == count, f"{where}: {conflicting} in conflict")
            require(re.search(rf"\b{conflicting:,} conflicts?\b", headline), f"{where}: {headline}")
            require(path.rsplit(".", 1)[-1] in headline, f"{where}: the headline does not name {path}: {headline}")
            of_path = [one for one in result["causes"] if one["path"] == path]
            require(len(of_path) == 1, f"{where}: causes {result['causes']}")
            found = {key: of_path[0].get(key) for key in cause}
            require(found == cause, f"{where}: cause {of_path[0]}, planted {cause}")
            require(of_path[0]["share"] == 1, f"{where}: {of_path[0]}")
    return f"{len(counts)} times"


def drop_offer(server: dict) -> None:
    for key in ("offerType", "offerIdentifier", "offerDiscountType", "offerPeriod"):
        server["data"]["transactionInfo"].pop(key, None)


def shifts(judge: Judge) -> str:
    """Expiry dates shifted: some, all, those of one app, those of one product."""
    told = []
    cause = {"kind": "shifted", "by": -7 * HOUR, "timeZone": "America/Los_Angeles"}
    told.append(differences(judge, "some", has_expiry, shift(-7 * HOUR), EXPIRES, cause))
    seconds = {"kind": "shifted", "by": 1000, "timeZone": None}
    told.append(differences(judge, "seconds", has_expiry, shift(1000), EXPIRES, seconds))
    all_of = {"kind": "shifted", "by": -7 * HOUR, "where": None}
    told.append(differences(judge, "all", lambda one: "expiresDate" in one.transaction, shift(-7 * HOUR), EXPIRES, all_of, (None,)))
    app = next(one.transaction["bundleId"] for one in judge.pair.told if one.transaction)
    of_app = {"kind": "shifted", "by": -7 * HOUR, "where": {"bundleId": app}}
    told.append(
        differences(
            judge, "app", lambda one: "expiresDate" in one.transaction and one.transaction["bundleId"] == app,
            shift(-7 * HOUR), EXPIRES, of_app, (None,)))  # fmt: skip
    product = next(one.transaction["productId"] for one in judge.pair.told if has_expiry(one))
    of_product = {"kind": "shifted", "by": -7 * HOUR, "where": {"productId": product}}
    told.append(
        differences(
            judge, "product", lambda one: "expiresDate" in one.transaction and one.transaction["productId"] == product,
            shift(-7 * HOUR), EXPIRES, of_product, (None,)))  # fmt: skip
    return ", ".join(told)


def month(judge: Judge) -> str:
    """A month is missing in V2: a hole that the headline counts."""
    start = BEGIN + 60 * DAY
    told = [Told(one.at, one.legacy) if start <= one.at < start + 30 * DAY else one for one in judge.pair.told]
    count = 0
    for headline, result, where in judge.run("month", judge.pair.write(judge.suite.folder / "month", told), 1):
        count = len(result["missing"]["legacy"])
        require(f"{count:,} V1 events have no V2 notification" in headline and count > 5, f"{where}: {headline}")
    return f"{count} events"


def other_app(judge: Judge) -> str:
    """Notifications of another app are mixed in."""
    for count in judge.counts:
        extra = []
        for place in judge.pair.inner(lambda one: one.type == "DID_RENEW")[:count]:
            server = renamed(judge.pair.told[place].server)
            server["notificationUUID"] = "0000" + server["notificationUUID"][4:]
            extra.append(server)
        sides = judge.pair.write(judge.suite.folder / f"other-{count}", extra=extra)
        for headline, result, where in judge.run(f"other-{count}", sides, 1):
            noun = "notification has" if count == 1 else "notifications have"
            require(f"{count} V2 {noun} no V1 event ({count} DID_RENEW)" in headline, f"{where}: {headline}")
            require(len(result["missing"]["server"]) == count, f"{where}: {result['missing']['server']}")
    return f"{len(judge.counts)} times"


def clean(judge: Judge) -> str:
    """The pair itself, and harmless differences."""
    pair, rng = judge.pair, random.Random(5)
    for headline, result, where in judge.run("clean", pair.write(judge.suite.folder / "clean"), 0):
        require(re.match(r"PARITY  all [\d,]+ events agree$", headline), f"{where}: {headline}")
        require(result["coverage"]["margin"] == 25 * HOUR and "missing" not in result, f"{where}: {result['coverage']}")
        require(result["pairs"]["legacyWithoutServer"] > 0, "the seam has unpaired events")

    def server(change: Callable[[dict], None]) -> list[Told]:
        return [
            Told(one.at, one.legacy, None if one.server is None else _applied(change, one.server)) for one in pair.told
        ]

    def as_text(one: dict) -> None:
        for part in ("transactionInfo", "renewalInfo"):
            for key, value in one["data"].get(part, {}).items():
                if key.endswith("Date") and isinstance(value, int):
                    one["data"][part][key] = str(value)

    def more(one: dict) -> None:
        one["data"]["transactionInfo"]["storefront"] = "DEU"
        one["data"]["transactionInfo"]["storefrontId"] = "143443"
        one["data"]["transactionInfo"]["somethingOfLater"] = "x"

    def spelled(one: dict) -> None:
        token = one["data"]["transactionInfo"].get("appAccountToken")
        if token:
            one["data"]["transactionInfo"]["appAccountToken"] = token.upper()

    harmless = {"numbers as text": server(as_text), "V2-only fields": server(more), "spelling": server(spelled)}
    for name, told in harmless.items():
        for headline, result, where in judge.run(name.replace(" ", "-"), pair.write(judge.suite.folder / "harmless", told), 0):
            require(headline.startswith("PARITY  all "), f"{where}: {headline}")
            said = any(note["code"] == "unexpectedKind" for note in result.get("notes", []))
            require(said == (name == "numbers as text"), f"{where}: {result.get('notes')}")
    shuffled = pair.write(judge.suite.folder / "shuffled")
    for path in shuffled[1::2]:
        lines = Path(str(path)).read_text().splitlines(keepends=True)
        rng.shuffle(lines)
        Path(str(path)).write_text("".join(lines))
    judge.run("order", shuffled, 0)
    told = changed(pair, has_expiry, shift(1000), 2)
    sides = pair.write(judge.suite.folder / "tolerated", told)
    for headline, result, where in judge.run("tolerated", [*sides, "--tolerance", f"{EXPIRES}=2s"], 0):
        require(result["tolerated"] == [{"path": EXPIRES, "pairs": 2}], f"{where}: {result.get('tolerated')}")
        require("2 dates within a tolerance" in headline, headline)
    return f"{len(pair.told)} events, {len(harmless) + 2} harmless differences"


def _applied(change: Callable[[dict], None], server: dict) -> dict:
    server = copy.deepcopy(server)
    if "transactionInfo" in server.get("data", {}):
        change(server)
    return server


def reversed_refund(judge: Judge) -> str:
    """V1 reports a refund; V2 has reversed it, and access goes on."""
    pair = judge.pair
    place = next(place for place in pair.inner(lambda one: one.type == "REFUND") if _is_last(pair, place))
    refund = pair.told[place]
    server = copy.deepcopy(refund.server)
    server["notificationType"] = "REFUND_REVERSED"
    server["notificationUUID"] = "1111" + server["notificationUUID"][4:]
    server["signedDate"] += DAY
    data = server["data"]
    data["status"] = 1
    data["transactionInfo"].pop("revocationDate", None)
    data["transactionInfo"].pop("revocationReason", None)
    sides = pair.write(judge.suite.folder / "reversed", extra=[server])
    for headline, result, where in judge.run("reversed", sides, 0):
        require(headline.startswith("PARITY"), f"{where}: {headline}")
        require(result["access"]["refundReversed"] == 1, f"{where}: {result['access']}")
        require(result["access"]["servedForFree"] == result["access"]["endsLater"] == 0, f"{where}: {result['access']}")
    return refund.original


def _is_last(pair: Pair, place: int) -> bool:
    return all(one.original != pair.told[place].original for one in pair.told[place + 1 :])


def rows(judge: Judge) -> str:
    """Row ids stand beside the records, in every form; a baseline accepts a single missing event."""
    told, places = lost(judge.pair, "REFUND", 1)
    folder, suite = judge.suite.folder / "rows", judge.suite
    sides = judge.pair.write(folder, told)
    for path, name in zip(sides[1::2], ("v1", "v2")):
        lines = Path(str(path)).read_text().splitlines()
        wrapped = [f'{{"key":"{name}-{number}","body":{line}}}\n' for number, line in enumerate(lines)]
        Path(str(path)).write_text("".join(wrapped))
    words = ["--body", "/body", "--server-body", "/body", "--id", "/key", "--server-id", "/key"]
    forms = {ending: folder / f"r.{ending}" for ending in ("json", "html", "md", "xml", "txt")}
    reports = [word for path in forms.values() for word in ("--report", path)]
    access = folder / "access.csv"
    suite.run("parity", "--quiet", *sides, *words, *reports, "--access", access, status=1)
    event = json.loads(forms["json"].read_text())["missing"]["legacy"][0]
    require(event["id"].startswith("v1-") and event["originalTransactionId"] == judge.pair.told[places[0]].original, str(event))
    for ending, path in forms.items():
        require(event["id"] in path.read_text() and event["originalTransactionId"] in path.read_text(), f"{ending} lacks {event}")
    require(access.read_text().splitlines()[0].endswith("v1Record,v2Record,v1Id,v2Id"), access.read_text()[:200])
    known = folder / "known.json"
    suite.run("baseline", "record", "--baseline", known, "--reason", "looked at", *sides, *words, status=0)
    kept = json.loads(known.read_text())["missing"]
    require([one["type"] for one in kept] == ["REFUND"], str(kept))
    headline = suite.run("parity", *sides, *words, "--baseline", known, status=0).stdout.splitlines()[0]
    require("1 V1 event has no V2 notification (1 REFUND, accepted)" in headline, headline)
    kept[0]["originalTransactionId"] = "1"
    known.write_text(json.dumps({"schema": 1, "differences": [], "missing": kept}))
    suite.run("parity", "--quiet", *sides, *words, "--baseline", known, status=1)
    return event["id"]


def options(parser: ArgumentParser) -> None:
    parser.add_argument("--events", type=int, default=6000, help="events that the model tells (default 6000)")
    parser.add_argument("--quick", action="store_true", help="plant once and five times, not twice")


def run(suite: Suite) -> None:
    judge = Judge(suite, Pair(suite.options.events, suite.options.seed), (1, 5) if suite.options.quick else (1, 2, 5))
    pending = "PRICE_INCREASE/PENDING"
    renewal = "data.renewalInfo.priceIncreaseStatus"
    product = "data.transactionInfo.productId"

    def offers(one: Told) -> bool:
        return "offerIdentifier" in one.transaction and one.type.startswith(("SUBSCRIBED", "OFFER"))

    def first(one: Told) -> bool:
        return has_expiry(one) and one.transaction["productId"] == "com.example.kiln.basic.monthly"

    recoded = {"kind": "recoded", "from": "com.example.kiln.basic.monthly", "to": "com.example.kiln.renamed"}
    asked = {"kind": "recoded", "from": 0, "to": 1}
    offer = "data.transactionInfo.offerType"
    suite.part("clean", clean, judge)
    for type in ("REFUND", "REVOKE", "DID_CHANGE_RENEWAL_PREF/DOWNGRADE", "DID_RENEW"):
        suite.part(f"lost {type}", losses, judge, type)
    suite.part("undated", undated, judge)
    suite.part("shifted", shifts, judge)
    suite.part("consent", differences, judge, "consent", lambda one: one.type == pending, consent, renewal, asked)
    suite.part("recoded", differences, judge, "recoded", first, recode, product, recoded)
    suite.part("offer", differences, judge, "offer", offers, drop_offer, offer, {"kind": "absentInV2"})
    suite.part("month", month, judge)
    suite.part("other app", other_app, judge)
    suite.part("reversed", reversed_refund, judge)
    suite.part("rows", rows, judge)
    for name, check in gates(judge):
        suite.part(f"gates/{name}", check)
