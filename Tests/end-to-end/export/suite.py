"""The files that other providers import: every format, parsed back, against a world whose truth is known."""

import csv
import io
import json
import random
import shutil
import sqlite3
import stat
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from harness import FIXTURES, Outcome, Suite, require

BUNDLE = "com.example.slipcast"
DAY = 86_400_000
START = 1_736_000_000_000
RECEIPTS = FIXTURES / "receipts/signed"
PROVIDERS = ("adapty", "purchasely", "revenuedot", "revenuecat", "apphud")


def transaction(original: str, period: int, **more: Any) -> dict[str, Any]:
    """A decoded transaction: the first period of a subscription, or a renewal of it."""
    start = START + period * 30 * DAY
    return {
        "transactionId": str(int(original) + period), "originalTransactionId": original,
        "webOrderLineItemId": str(int(original) + 700_000 + period), "bundleId": BUNDLE,
        "productId": "com.example.slipcast.monthly", "subscriptionGroupIdentifier": "20900777", "purchaseDate": start,
        "originalPurchaseDate": START + 1000, "expiresDate": start + 30 * DAY, "quantity": 1,
        "type": "Auto-Renewable Subscription", "inAppOwnershipType": "PURCHASED", "signedDate": START + 400 * DAY,
        "environment": "Production", "storefront": "DEU", "price": 4990, "currency": "EUR", **more,
    }  # fmt: skip


def history(*transactions: dict[str, Any]) -> dict[str, Any]:
    return {"environment": transactions[0]["environment"], "bundleId": BUNDLE, "hasMore": False, "transactions": list(transactions)}


def statuses(one: dict[str, Any], status: int, **renewal: Any) -> dict[str, Any]:
    info = {"originalTransactionId": one["originalTransactionId"], "productId": one["productId"], "signedDate": one["signedDate"],
            "environment": one["environment"], "autoRenewProductId": one["productId"], "autoRenewStatus": 1, **renewal}  # fmt: skip
    item = {"originalTransactionId": one["originalTransactionId"], "status": status, "transactionInfo": one, "renewalInfo": info}
    return {"environment": one["environment"], "bundleId": BUNDLE, "data": [
        {"subscriptionGroupIdentifier": "20900777", "lastTransactions": [item]}]}  # fmt: skip


def v1(original: str, periods: int, receipt: str | None = None, **more: Any) -> dict[str, Any]:
    """A verifyReceipt response that lists a subscription."""
    rows = []
    for period in range(periods):
        one = transaction(original, period)
        rows.append({
            "quantity": "1", "product_id": one["productId"], "transaction_id": one["transactionId"],
            "original_transaction_id": original, "web_order_line_item_id": one["webOrderLineItemId"],
            "purchase_date_ms": str(one["purchaseDate"]), "original_purchase_date_ms": str(one["originalPurchaseDate"]),
            "expires_date_ms": str(one["expiresDate"]), "is_trial_period": "false", **more,
        })  # fmt: skip
    answer: dict[str, Any] = {
        "status": 0, "environment": "Production", "password": "SECRET-SLIPCAST-export",
        "receipt": {"receipt_type": "Production", "bundle_id": BUNDLE, "request_date_ms": str(START + periods * 30 * DAY), "in_app": []},
        "latest_receipt_info": rows, "pending_renewal_info": [
            {"original_transaction_id": original, "product_id": rows[0]["product_id"], "auto_renew_product_id": rows[0]["product_id"],
             "auto_renew_status": "1"}],
    }  # fmt: skip
    return answer | ({"latest_receipt": receipt} if receipt else {})


def iso(milliseconds: int) -> str:
    return datetime.fromtimestamp(milliseconds // 1000, timezone.utc).isoformat()


class Parts:
    def __init__(self, suite: Suite) -> None:
        self.suite, self.folder = suite, suite.folder

    # Running

    def write(self, name: str, records: list[Any]) -> Path:
        path = self.folder / name
        path.write_text("".join(json.dumps(record) + "\n" for record in records))
        return path

    def export(self, provider: str, *words: object, status: int = 0) -> tuple[str, dict[str, str], Outcome]:
        """Runs; checks modes, the sum of the closing table and that no secret is told; returns the file and the reasons by id."""
        ending = {"revenuecat": "ndjson", "revenuedot": "json"}.get(provider, "csv")
        to, missing = self.folder / f"{provider}.{ending}", self.folder / "missing.ndjson"
        for path in (to, missing):
            path.unlink(missing_ok=True)
        outcome = self.suite.run("export", "--for", provider, *words, "--to", to, "--missing", missing, status=status)
        for path in (to, missing):
            require(stat.S_IMODE(path.stat().st_mode) == 0o600, f"{path.name} can be read by others")
        counts = self.counts(outcome)
        lines = [json.loads(line) for line in missing.read_text().splitlines()]
        require(counts["rows"] + counts["missing"] == counts["subscriptions"], f"the table does not add up: {counts}", outcome)
        require(counts["missing"] == len(lines), "another number of missing lines", outcome)
        require(sum(counts.get(reason, 0) for reason in {line["reason"] for line in lines}) == len(lines), "the reasons do not add up", outcome)
        text = to.read_text()
        require("SECRET-SLIPCAST" not in text + outcome.stderr + missing.read_text(), "the shared secret is in an output")
        return text, {line["originalTransactionId"]: line["reason"] for line in lines}, outcome

    @staticmethod
    def counts(outcome: Outcome) -> dict[str, int]:
        rows = [line.rsplit("  ", 1) for line in outcome.stderr.splitlines() if "  " in line]
        return {name.strip(): int(value.replace(",", "")) for name, value in rows if value.strip().replace(",", "").isdigit()}

    @staticmethod
    def table(text: str, separator: str = ",") -> list[dict[str, str]]:
        require("\r" not in text and text.endswith("\n"), "lines do not end with LF alone")
        return list(csv.DictReader(io.StringIO(text), delimiter=separator))

    # Parts

    def truth(self) -> None:
        """A world in random order, decoded, signed and in V1: each subscription is a row or has the right reason."""
        chance = random.Random(self.suite.options.seed)
        records, rows, reasons, users = [], {}, {}, {}
        for number in range(60):
            original = str(881_000_000_000_000 + number * 100_000)
            periods = chance.randint(1, 6)
            more: dict[str, Any] = {}
            user = chance.choice(["token", "list", "none"])
            if user == "token":
                more["appAccountToken"] = f"c0ffee00-0000-4000-8000-{number:012d}"
            if user == "list":
                users[original] = f"user {number}"
            kind = chance.choice(["plain", "plain", "plain", "family", "sandbox", "refunded"])
            if kind == "family":
                more["inAppOwnershipType"] = "FAMILY_SHARED"
            if kind == "sandbox":
                more["environment"] = "Sandbox"
            life = [transaction(original, period, **more) for period in range(periods)]
            end = life[-1]["expiresDate"]
            if kind == "refunded":
                end = life[-1]["purchaseDate"] + 3 * DAY
                life[-1] = {**life[-1], "revocationDate": end, "revocationReason": 0}
            pages = [history(*life[:at], *life[at:]) for at in [chance.randint(0, periods)]]
            # An older answer that shows less.
            older = [{**one, "signedDate": START + 100 * DAY} for one in life[: max(1, periods - 1)]]
            for one in older:
                one.pop("revocationDate", None)
            records += [*pages, history(*older)]
            reason = {"family": "familyShared", "sandbox": "sandbox"}.get(kind) or ("noUser" if user == "none" else None)
            if reason:
                reasons[original] = reason
            else:
                rows[original] = (users.get(original) or more["appAccountToken"], iso(end), iso(START + 1000))
        chance.shuffle(records)
        self.users({**users, "999": "nobody"})
        decoded = self.write("truth.ndjson", records)
        self.suite.run("identity", "--quiet", self.folder / "id")
        signed = self.folder / "signed.ndjson"
        signed.write_text(self.suite.run("sign", "--quiet", self.folder / "id", decoded).stdout)
        root = ["--root", self.folder / "id/root.pem"]
        for source in ([decoded], [signed, *root], [decoded, signed, *root]):
            text, missing, outcome = self.export("adapty", *source, "--users", self.folder / "users.csv")
            found = {row["apple_original_transaction_id"]: row for row in self.table(text)}
            told = {id: (row["user_id"], row["subscription_expiration_date"], row["created_at"]) for id, row in found.items()}
            require(told == rows, f"rows: {set(told.items()) ^ set(rows.items())}", outcome)
            require(missing == reasons, f"reasons: {set(missing.items()) ^ set(reasons.items())}", outcome)
            require(self.counts(outcome)["users without a subscription"] >= 1, "the unknown user is not counted", outcome)
        text, missing, outcome = self.export("adapty", signed, status=1)
        require(self.table(text) == [] and self.counts(outcome)["subscriptions"] == 0, "untrusted transactions are used", outcome)

    def users(self, users: dict[str, str], column: str = "original_transaction_id") -> Path:
        path = self.folder / "users.csv"
        with path.open("w", newline="", encoding="utf-8-sig") as file:
            table = csv.writer(file)
            table.writerow([column, "user_id"])
            table.writerows(users.items())
        return path

    def purchasely(self) -> None:
        """Semicolons without quotes: a value that would need them is left out; a comma does not."""
        one, two, three = "882000000000001", "882000000100001", "882000000200001"
        source = self.write("p.ndjson", [history(transaction(id, 0)) for id in (one, two, three)])
        users = self.users({one: "Doe, Jo", two: "a;b", three: 'say "hi"'})
        text, missing, _ = self.export("purchasely", source, "--users", users)
        require(text == f"original_transaction_id;user_id;store_product_id\n{one};Doe, Jo;com.example.slipcast.monthly\n", text)
        require(missing == {two: "needsQuotes", three: "needsQuotes"}, f"{missing}")
        text, missing, _ = self.export("adapty", source, "--users", users)
        require([row["user_id"] for row in self.table(text)] == ["a;b"] and missing[one] == "needsQuotes", text)

    def revenuedot(self) -> None:
        """100 customers in a document, with all their subscriptions and other purchases, and the words of each state."""
        states = {
            "active": (1, {}, {}, "will_renew"), "trialing": (1, {"offerType": 1, "offerDiscountType": "FREE_TRIAL"}, {}, "will_renew"),
            "expired": (2, {}, {"autoRenewStatus": 0}, "will_not_renew"), "in_billing_retry": (3, {}, {}, "will_renew"),
            "in_grace_period": (4, {}, {"autoRenewProductId": "com.example.slipcast.yearly"}, "will_change_product"),
        }  # fmt: skip
        records, expected, users = [], {}, {}
        for number, (word, (status, one, renewal, auto)) in enumerate(states.items()):
            id = str(883_000_000_000_000 + number * 1000)
            records.append(statuses(transaction(id, 1, **one), status, **renewal))
            expected[id], users[id] = (word, auto), f"u{number // 2}"
        consent, silent, lapsed = "883000000100000", "883000000200000", "883000000300000"
        records.append(statuses(transaction(consent, 0), 1, priceIncreaseStatus=0))
        records.append(history(transaction(silent, 0, signedDate=START + 40 * DAY)))
        records.append(history(transaction(lapsed, 0, signedDate=START + 200 * DAY)))
        expected |= {consent: ("active", "requires_price_increase_consent"), silent: ("unknown", None), lapsed: ("expired", None)}
        users |= {id: "last" for id in (consent, silent, lapsed)}
        once = transaction("883000000900000", 0, type="Non-Consumable", productId="com.example.slipcast.forever")
        for name in ("expiresDate", "webOrderLineItemId", "subscriptionGroupIdentifier"):
            del once[name]
        back = {**once, "transactionId": "883000000900009", "originalTransactionId": "883000000900009", "revocationDate": START + DAY}
        records.append(history(once, back))
        users |= {"883000000900000": "last", "883000000900009": "last"}
        many = {str(884_000_000_000_000 + number): f"many{number}" for number in range(205)}
        records += [history(transaction(id, 0)) for id in many]
        text, missing, outcome = self.export("revenuedot", self.write("d.ndjson", records), "--users", self.users(users | many))
        documents = [json.loads(line) for line in text.splitlines()]
        customers = [customer for document in documents for customer in document["customers"]]
        require([len(document["customers"]) for document in documents] == [100, 100, len(customers) - 200], "another size of documents")
        require(len({customer["id"] for customer in customers}) == len(customers) == 205 + 4, "customers")
        found = {one["original_transaction_id"]: one for customer in customers for one in customer["subscriptions"]}
        told = {id: (found[id]["status"], found[id].get("auto_renewal_status")) for id in expected}
        require(told == expected and not missing, f"states: {told}", outcome)
        one = found["883000000000000"]
        require(one == {
            "store": "app_store", "product_identifier": "com.example.slipcast.monthly", "environment": "production",
            "starts_at": START + 1000, "current_period_starts_at": START + 30 * DAY, "current_period_ends_at": START + 60 * DAY,
            "status": "active", "auto_renewal_status": "will_renew", "store_subscription_identifier": "883000000000001",
            "original_transaction_id": "883000000000000"}, f"{one}")  # fmt: skip
        last = next(customer for customer in customers if customer["id"] == "last")
        require([(each["store_purchase_identifier"], each["status"]) for each in last["purchases"]]
                == [("883000000900000", "owned"), ("883000000900009", "refunded")], f"{last['purchases']}")  # fmt: skip
        require(self.counts(outcome)["other purchases"] == 2, "other purchases are not counted", outcome)

    def receipts(self) -> None:
        """The newest receipt that is trusted and holds the subscription; else a signed transaction; Apphud needs a price too.

        A receipt that is not trusted is a finding: status 1."""
        subscription = "510000000000031"
        good = "".join((RECEIPTS / "app-production/receipt.base64").read_text().split())
        held = [json.loads(line) for line in self.suite.run("convert", "--plain", "--quiet", RECEIPTS / "app-production/receipt.base64").stdout.splitlines()]
        subscription = next(one["originalTransactionId"] for one in held[0]["transactions"] if one.get("type") == "Auto-Renewable Subscription")
        other = "".join((RECEIPTS / "bad-tampered/receipt.base64").read_text().split())
        foreign = "".join((RECEIPTS / "bad-foreign/receipt.base64").read_text().split())
        alone = "885000000000001"
        records = [v1(subscription, 1, good, app_account_token="c0ffee00-0000-4000-8000-00000000000a"), v1(subscription, 2, other), v1(subscription, 3, foreign),
                   v1(subscription, 3, good[:400]), v1(alone, 1, good, app_account_token="c0ffee00-0000-4000-8000-00000000000b")]  # fmt: skip
        root = ["--root", RECEIPTS / "root.der"]
        for shuffled in (records, records[::-1]):
            text, missing, outcome = self.export("revenuecat", self.write("r.ndjson", shuffled), *root, status=1)
            require([json.loads(line) for line in text.splitlines()] == [
                {"app_user_id": "c0ffee00-0000-4000-8000-00000000000a", "receipt": good}], "not the trusted receipt", outcome)  # fmt: skip
            require(missing == {alone: "noReceipt"}, f"a receipt without the subscription counts: {missing}")
        # A receipt that is a record by itself.
        users = self.users({subscription: "me"})
        text, _, _ = self.export("revenuecat", RECEIPTS / "app-production/receipt.base64", *root, "--users", users)
        require({"app_user_id": "me", "receipt": good} in [json.loads(line) for line in text.splitlines()], "the receipt's own file")
        text, missing, _ = self.export("revenuecat", RECEIPTS / "app-production/receipt.base64", "--users", users, status=1)
        require(text == "" and missing[subscription] == "noReceipt", "a receipt of an unknown authority counts")
        # Without a receipt, the transaction that Apple has signed.
        self.suite.run("identity", "--quiet", self.folder / "id2")
        fetched = self.folder / "fetched.ndjson"
        fetched.write_text(self.suite.run("sign", "--quiet", self.folder / "id2", self.write("h.ndjson", [
            history(transaction(alone, 0), transaction(alone, 1)), history(transaction(subscription, 5))])).stdout)  # fmt: skip
        token = json.loads(fetched.read_text().splitlines()[0])["signedTransactions"][1]
        both = [*root, "--root", self.folder / "id2/root.pem"]
        text, missing, outcome = self.export("revenuecat", self.folder / "r.ndjson", fetched, *both, status=1)
        found = {line["app_user_id"][-1]: line["receipt"] for line in map(json.loads, text.splitlines())}
        require(found == {"a": good, "b": token} and not missing, "not the receipt, and the newest signed transaction", outcome)
        text, missing, _ = self.export("apphud", self.folder / "r.ndjson", fetched, *both, status=1)
        require(self.table(text) == [{"user_id": "c0ffee00-0000-4000-8000-00000000000a", "base64_receipt": good, "product_id": "com.example.slipcast.monthly",
                                      "price": "4.99", "currency": "EUR", "country_code": "DE"}], text[:300])  # fmt: skip
        require(missing == {alone: "noReceipt"}, f"{missing}")
        _, missing, _ = self.export("apphud", self.folder / "r.ndjson", *root, status=1)
        require(missing == {subscription: "noPrice", alone: "noReceipt"}, f"{missing}")

    def inputs(self) -> None:
        """A V1 archive, a store, rows of a table: the same subscription gives the same row."""
        record = v1("886000000000001", 2, app_account_token="c0ffee00-0000-4000-8000-00000000000c")
        archive = self.write("v1.ndjson", [record])
        store = self.folder / "store.sqlite"
        notification = {"notification_type": "DID_RENEW", "environment": "PROD", "password": "SECRET-SLIPCAST-export", "bid": BUNDLE,
                        "auto_renew_status": "true", "auto_renew_product_id": "com.example.slipcast.monthly", "unified_receipt": {
            "environment": "Production", "status": 0, "latest_receipt_info": record["latest_receipt_info"],
            "pending_renewal_info": record["pending_renewal_info"]}}  # fmt: skip
        notifications = self.write("n.ndjson", [notification])
        self.suite.run("convert", "--quiet", notifications, "--to", store, "--execute")
        rows = self.folder / "rows.csv"
        with rows.open("w", newline="") as file:
            csv.writer(file).writerows([["id", "payload"], [1, json.dumps(record)]])
        database = sqlite3.connect(self.folder / "rows.sqlite")
        database.execute("create table events (id integer primary key, body text)")
        database.execute("insert into events values (1, ?)", (json.dumps(notification),))
        database.commit()
        database.close()
        for words in ([archive], [notifications], [rows, "--body", "payload"], [store],
                      [f"sqlite:{self.folder / 'rows.sqlite'}?table=events&key=id&body=body"], [archive, store]):  # fmt: skip
            text, missing, outcome = self.export("adapty", *words)
            row = ["c0ffee00-0000-4000-8000-00000000000c", "886000000000001", iso(START + 60 * DAY), iso(START + 1000)]
            require(list(csv.reader(io.StringIO(text)))[1:] == [row] and not missing, f"{words}: {text}", outcome)
        shutil.rmtree(store, ignore_errors=True)

    def environments(self) -> None:
        """Production alone, the sandbox alone, or both; one original id in both is two subscriptions."""
        id, token = "887000000000001", {"appAccountToken": "c0ffee00-0000-4000-8000-00000000000d"}
        source = self.write("e.ndjson", [history(transaction(id, 0, **token)), history(transaction(id, 1, environment="Sandbox", **token)),
                                         history(transaction("887000000100001", 0, environment="Xcode", **token))])  # fmt: skip
        for which, count, reasons in (("production", 1, {"sandbox"}), ("sandbox", 1, {"production", "sandbox"}), ("all", 2, {"sandbox"})):
            to = self.folder / "e.csv"
            outcome = self.suite.run("export", "--for", "adapty", source, "--environment", which, "--to", to)
            require(len(self.table(to.read_text())) == count, f"{which}: {to.read_text()}", outcome)
            require({name for name in ("production", "sandbox") if name in self.counts(outcome)} == reasons, f"{which}", outcome)

    def refusals(self) -> None:
        """What cannot be meant ends the run before anything is written."""
        source = self.write("x.ndjson", [history(transaction("888000000000001", 0))])
        to = self.folder / "x.csv"

        def refuse(words: list[object], text: str) -> None:
            outcome = self.suite.run("export", *words, status=2)
            require(text in outcome.stderr and not to.exists(), f"{text}: {outcome.stderr}", outcome)

        refuse(["--for", "nobody", source, "--to", to], "adapty")
        refuse([source, "--to", to], "--for")
        refuse(["--for", "adapty", source], "--to")
        users = self.folder / "users.csv"
        for text, reason in (("original_transaction_id,user_id\n1,a\n1,b\n", "a second user_id"), ("user_id\na\n", "expected a column"),
                             ("original_transaction_id,user_id\n1,\n", "user_id"),
                             ("app_account_token,user_id\nC0FFEE00-0000-4000-8000-000000000001,a\nc0ffee00-0000-4000-8000-000000000001,b\n", "second")):  # fmt: skip
            users.write_text(text)
            refuse(["--for", "adapty", source, "--users", users, "--to", to], reason)
        users.write_text("original_transaction_id,user_id\n1,a\n1,a\n")
        self.export("adapty", source, "--users", users)
        # By token, in any case of letters.
        users.write_text("app_account_token,user_id\nC0FFEE00-0000-4000-8000-00000000000E,mine\n")
        token = self.write("t.ndjson", [history(transaction("888000000000002", 0, appAccountToken="c0ffee00-0000-4000-8000-00000000000e"))])
        text, _, _ = self.export("adapty", token, "--users", users)
        require(self.table(text)[0]["user_id"] == "mine", text)
        bad = self.folder / "bad.ndjson"
        bad.write_text(source.read_text() + '{"broken":\n')
        _, missing, outcome = self.export("adapty", bad, status=1)
        require(self.counts(outcome)["rejected"] == 1 and missing == {"888000000000001": "noUser"}, "the broken record is not counted", outcome)

    def size(self) -> None:
        """Many transactions of one subscription, and many subscriptions: no square time."""
        times = []
        for count in (4000, 16000):
            life = history(*[transaction("889000000000001", period % 900, transactionId=str(889_000_000_000_001 + period)) for period in range(count)])
            crowd = [history(transaction(str(890_000_000_000_000 + number), 0)) for number in range(count)]
            source = self.write("many.ndjson", [life, *crowd])
            users = self.users({str(890_000_000_000_000 + number): f"u{number}" for number in range(count)})
            text, _, outcome = self.export("adapty", source, "--users", users)
            require(text.count("\n") == count + 1, "rows", outcome)
            times.append(outcome.seconds)
        require(times[1] < 4 * times[0] * 2 + 1, f"four times as much took {times[1] / times[0]:.1f} times as long")


def run(suite: Suite) -> None:
    parts = Parts(suite)
    for name in ("truth", "purchasely", "revenuedot", "receipts", "inputs", "environments", "refusals", "size"):
        suite.part(name, getattr(parts, name))
