"""Stores for the pages: the simulated customers of the lifecycles, some chosen by hand, and hostile ones."""

import json
import sqlite3
import sys
from pathlib import Path
from typing import Any

from harness import Suite

sys.path.append(str(Path(__file__).resolve().parent.parent / "lifecycles"))

import archive  # noqa: E402

DAY = 86_400_000
START = 1_736_000_000_000
BUNDLE = "com.example.slipcast"
TOKEN = "7f0c5bb2-58c4-4c0c-9d53-2f8c1f0a3d11"
# A customer whose whole life is known: a free trial, paid months, a cancellation, the end.
KNOWN = "570000000000017"
# Another subscription of the same person.
SIBLING = "570000000000018"
SCRIPT = "<script>window.__pwned=1</script>"
IMAGE = "\"><img src=x onerror=window.__pwned=1>"
HOSTILE = f"{SCRIPT}{IMAGE}\u202e"
SECRET = "SECRET-SLIPCAST-ui"
ORDER = "MSLIP00012"
# The customer's download of the app, which V2 states alone.
APP = "704000000000012345"


def row(original: str, period: int, first: int = 0) -> dict[str, str]:
    """A period as V1 lists it; the first one is a free trial."""
    start = START + period * 30 * DAY
    return {
        "quantity": "1", "product_id": "com.example.slipcast.monthly", "transaction_id": str(int(original) + period),
        "original_transaction_id": original, "web_order_line_item_id": str(int(original) + 700_000 + period),
        "purchase_date_ms": str(start), "original_purchase_date_ms": str(START), "expires_date_ms": str(start + 30 * DAY),
        "is_trial_period": "true" if period == first else "false", "app_account_token": TOKEN,
        "subscription_group_identifier": "20900777",
    }  # fmt: skip


def message(kind: str, original: str, period: int, first: int = 0, **more: Any) -> dict[str, Any]:
    """A V1 notification about a period; the list has all periods until then, the newest first."""
    rows = [row(original, number, first) for number in range(period, first - 1, -1)]
    renewal = {
        "auto_renew_product_id": rows[0]["product_id"], "product_id": rows[0]["product_id"],
        "original_transaction_id": original, "auto_renew_status": more.pop("renews", "1"),
    }  # fmt: skip
    return {
        "notification_type": kind, "environment": "PROD", "password": SECRET, "bid": BUNDLE, "bvrs": "42",
        "auto_renew_product_id": rows[0]["product_id"],
        "auto_renew_status": "true" if renewal["auto_renew_status"] == "1" else "false",
        "unified_receipt": {
            "status": 0, "environment": "Production", "latest_receipt": "bm90IGEgcmVjZWlwdA==",
            "latest_receipt_info": rows, "pending_renewal_info": [renewal],
        }, **more,
    }  # fmt: skip


def known_life() -> list[tuple[int, dict[str, Any]]]:
    """Received times and messages: a trial, three paid months, auto-renew off, the end in silence."""
    told = [(START, message("INITIAL_BUY", KNOWN, 0))]
    told += [(START + period * 30 * DAY + 5000, message("DID_RENEW", KNOWN, period)) for period in (1, 2, 3)]
    off = {"auto_renew_status_change_date_ms": str(START + 100 * DAY)}
    told.append((START + 100 * DAY, message("DID_CHANGE_RENEWAL_STATUS", KNOWN, 3, renews="0", **off)))
    told.append((START + 210 * DAY + 5000, message("INITIAL_BUY", SIBLING, 7, first=7)))
    return told


def hostile_life() -> list[tuple[int, dict[str, Any]]]:
    text = json.dumps(message("INITIAL_BUY", "570000000000991", 0))
    text = text.replace("com.example.slipcast.monthly", json.dumps(HOSTILE)[1:-1]).replace(TOKEN, json.dumps(HOSTILE)[1:-1])
    return [(START + 10 * DAY, json.loads(text))]


def write(path: Path, told: list[tuple[int, dict[str, Any]]]) -> Path:
    rows = [{"id": f"row-{number}", "receivedAt": at, "body": body} for number, (at, body) in enumerate(told)]
    path.write_text("".join(json.dumps(one) + "\n" for one in rows), encoding="utf-8")
    return path


def transaction(original: str, period: int, **more: Any) -> dict[str, Any]:
    """V2's transaction of the same period."""
    one = row(original, period)
    return {
        "transactionId": one["transaction_id"], "originalTransactionId": original,
        "webOrderLineItemId": one["web_order_line_item_id"], "bundleId": BUNDLE, "productId": one["product_id"],
        "subscriptionGroupIdentifier": "20900777", "purchaseDate": int(one["purchase_date_ms"]),
        "originalPurchaseDate": START, "expiresDate": int(one["expires_date_ms"]), "quantity": 1,
        "type": "Auto-Renewable Subscription", "inAppOwnershipType": "PURCHASED", "environment": "Production",
        "appAccountToken": TOKEN, "appTransactionId": APP, "signedDate": int(one["purchase_date_ms"]) + 6000, **more,
    }  # fmt: skip


def server_life() -> list[dict[str, Any]]:
    """Apple's notifications of the known life; the last month was refunded, which V1 never said."""
    told = []
    events = [("SUBSCRIBED", "INITIAL_BUY", 0, {}), ("DID_RENEW", None, 1, {}), ("DID_RENEW", None, 2, {}), ("DID_RENEW", None, 3, {})]
    refund = {"revocationDate": START + 105 * DAY, "revocationReason": 0, "signedDate": START + 105 * DAY}
    events.append(("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED", 3, {"signedDate": START + 100 * DAY + 1000}))
    events.append(("REFUND", None, 3, refund))
    for number, (kind, subtype, period, more) in enumerate(events):
        trial = {"offerType": 1, "offerDiscountType": "FREE_TRIAL"} if period == 0 else {}
        info = transaction(KNOWN, period, **trial, **more)
        data: dict[str, Any] = {"bundleId": BUNDLE, "environment": "Production", "transactionInfo": info}
        renews = 0 if kind in ("REFUND", "DID_CHANGE_RENEWAL_STATUS") else 1
        renewal = {"originalTransactionId": KNOWN, "autoRenewProductId": info["productId"], "productId": info["productId"],
                   "autoRenewStatus": renews, "environment": "Production", "signedDate": info["signedDate"]}  # fmt: skip
        body = {"notificationType": kind, **({"subtype": subtype} if subtype else {}),
                "notificationUUID": f"5a1c0000-0000-4000-8000-{number:012d}", "version": "2.0",
                "signedDate": info["signedDate"], "data": {**data, "renewalInfo": renewal}}  # fmt: skip
        told.append(body)
    return told


def write_server(path: Path, records: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")
    return path


def orders() -> list[dict[str, Any]]:
    """What fetch orders wrote of the known customer, decoded."""
    return [{"slipcast": {"endpoint": "orders", "id": ORDER}, "status": 0, "transactions": [transaction(KNOWN, 1)]}]


class World:
    """The files and stores of a run."""

    def __init__(self, suite: Suite, customers: int = 60) -> None:
        self.suite, self.folder = suite, suite.folder / "world"
        self.folder.mkdir(parents=True, exist_ok=True)
        lives = archive.make("mixed" if "mixed" in archive.KINDS else next(iter(archive.KINDS)), 7, customers)
        lives.has_rows = True
        self.simulated = lives.write(self.folder / "lives.ndjson")
        self.known = write(self.folder / "known.ndjson", known_life())
        self.hostile = write(self.folder / "hostile.ndjson", hostile_life())
        self.server = write_server(self.folder / "v2.ndjson", server_life())
        self.orders = write_server(self.folder / "orders.ndjson", orders())
        self.broken = self.folder / "broken.ndjson"
        self.broken.write_text('{"id":"row-x","receivedAt":1736000000000,"body":{"notification_type":"DID_RENEW"}}\n')

    def store(self, name: str, *inputs: Path, status: tuple[int, ...] = (0,), bodies: bool = False) -> Path:
        """A store of V1 rows."""
        path = self.folder / name
        if path.exists():
            return path
        words = ["--keep-bodies"] if bodies else []
        self.suite.run(
            "convert", "--quiet", "--body", "/body", "--id", "/id", "--received-at", "/receivedAt", *words, "--execute", "--to", path,
            *inputs, status=status)  # fmt: skip
        return path

    def both(self, name: str = "both.sqlite") -> Path:
        """A store with V1 and V2 of the known customer, the simulated and the hostile ones."""
        path = self.store(name, self.simulated, self.known, self.hostile, self.broken, status=(0, 1), bodies=True)
        if not has_server_records(path):
            self.suite.run("convert", "--quiet", "--execute", "--to", path, self.server, self.orders, status=(0, 1))
        return path

    def busiest(self) -> str:
        """The simulated customer with the most messages."""
        with sqlite3.connect(self.both()) as store:
            return store.execute("SELECT originalTransactionId FROM notifications GROUP BY 1 ORDER BY count(*) DESC LIMIT 1").fetchone()[0]

    def report(self, name: str = "parity.json") -> Path:
        """A report of parity over the known customer."""
        path = self.folder / name
        if not path.exists():
            rows = ["--body", "/body", "--id", "/id", "--received-at", "/receivedAt"]
            self.suite.run(
                "parity", "--legacy", self.known, *rows, "--server", self.server, "--report", path, "--quiet",
                status=(0, 1))  # fmt: skip
        return path


def has_server_records(path: Path) -> bool:
    with sqlite3.connect(path) as store:
        names = [one[1] for one in store.execute("PRAGMA table_info(notifications)")]
        if "origin" not in names:
            return False
        return store.execute("SELECT count(*) FROM notifications WHERE origin = 'v2'").fetchone()[0] > 0
