"""Answers requests of verifyReceipt from files, stores, journals and a mock of Apple's server, and reads the answers."""

import json
import re
import shutil
import time
from argparse import ArgumentParser
from pathlib import Path

from harness import FIXTURES, Skipped, Suite, require, run as command
from reading import check, read_by_a_peer
from setting import DAY, OLD, ORIGINAL, SECRET, Setting, receipt, renewal, transaction

from mock import Reply, failure  # noqa: E402
from server import serving  # noqa: E402

HERE = Path(__file__).resolve().parent
# A V1 notification of one customer, for the load.
RENEWED = json.dumps({
    "notification_type": "DID_RENEW", "environment": "PROD", "bid": "com.example.slipcast", "auto_renew_status": "true",
    "auto_renew_product_id": "com.example.slipcast.monthly",
    "unified_receipt": {
        "status": 0, "environment": "Production",
        "latest_receipt_info": [{
            "quantity": "1", "product_id": "com.example.slipcast.monthly", "transaction_id": "NUMBER",
            "original_transaction_id": "NUMBER", "web_order_line_item_id": "NUMBER",
            "purchase_date_ms": "1643968800000", "original_purchase_date_ms": "1643968801000",
            "expires_date_ms": "1646388000000", "is_trial_period": "false", "is_in_intro_offer_period": "false",
            "subscription_group_identifier": "20900001", "in_app_ownership_type": "PURCHASED",
        }],
        "pending_renewal_info": [{
            "product_id": "com.example.slipcast.monthly", "auto_renew_product_id": "com.example.slipcast.monthly",
            "original_transaction_id": "NUMBER", "auto_renew_status": "1",
        }],
    },
}, separators=(",", ":"))  # fmt: skip


def options(parser: ArgumentParser) -> None:
    parser.add_argument("--customers", type=int, default=0, help="customers of the load test; 0: none")
    parser.add_argument("--seconds", type=int, default=20, help="how long the load lasts (default 20)")


class Parts(Setting):
    def emits(self) -> None:
        """Histories and statuses become answers, one for each customer."""
        records = [record for number in range(3) for record in self.customer(str(730_000_000_000_000 + number * 1000))]
        file, places = self.write("emit.ndjson", records), self.folder / "emit.provenance"
        outcome = self.suite.run("convert", "--emit", "verify-receipt", file, "--provenance", places)
        answers = [json.loads(line) for line in outcome.stdout.splitlines()]
        require(len(answers) == 3, "an answer for each customer", outcome)
        for answer in answers:
            check(answer)
            require(set(answer) == {"status", "environment", "latest_receipt_info", "pending_renewal_info"}, str(set(answer)))
            require(len(answer["latest_receipt_info"]) == 3 and len(answer["pending_renewal_info"]) == 1, "3 periods, 1 renewal")
        line = json.loads(places.read_text().splitlines()[0])
        require(line["sources"]["latest_receipt_info[0].product_id"].endswith("emit.ndjson: record 1 transactions[0] productId"), str(line["sources"]))
        require({"path": "latest_receipt_info[0].price", "kind": "noKey", "rule": "verify-receipt.latest_receipt_info.price"} in line["losses"], "the price is a loss")
        # What was signed last counts, wherever it stands.
        newer = self.customer("730000000000000")[1]
        newer["data"][0]["lastTransactions"][0]["renewalInfo"] = renewal("730000000000000", autoRenewStatus=0, signedDate=1_799_000_000_000)
        outcome = self.suite.run("convert", "--emit", "verify-receipt", self.write("newer.ndjson", [newer, *records]))
        require(json.loads(outcome.stdout.splitlines()[0])["pending_renewal_info"][0]["auto_renew_status"] == "0", "the newest state counts")
        for words in (["--to", "x.csv"], ["--to", "x.sqlite"], ["--group"], ["--settle"]):
            self.suite.run("convert", "--emit", "verify-receipt", file, *words, status=2)

    def receipts(self) -> None:
        """Each kind of receipt, with data of its customer."""
        coins = transaction("510000000000020", product="com.example.slipcast.coins", type="Consumable")
        other = transaction("510000000000030", product="com.example.slipcast.coins", type="Consumable")
        for one in (coins, other):
            del one["expiresDate"], one["webOrderLineItemId"], one["subscriptionGroupIdentifier"]
        records = self.customer()
        records[0]["transactions"] += [coins, other]
        v2 = self.write("v2.ndjson", records)
        data = receipt("app-production")
        answer = self.ask({"receipt-data": data}, "--v2", v2)
        check(answer)
        read_by_a_peer(answer)
        ids = [entry["transaction_id"] for entry in answer["latest_receipt_info"]]
        require("510000000000020" in ids and "510000000000030" not in ids, f"only the listed consumable: {ids}")
        require(answer["latest_receipt"] == data and answer["receipt"]["adam_id"] == 1234567891, "the receipt itself")
        require(len(answer["receipt"]["in_app"]) == 6, "in_app is the receipt's own")
        newest = self.ask({"receipt-data": data, "exclude-old-transactions": True}, "--v2", v2)["latest_receipt_info"]
        require([entry["original_transaction_id"] for entry in newest].count(ORIGINAL) == 1, "only the newest of each")
        token = self.signer.tokens([transaction(ORIGINAL, 1)])[0]
        answer = self.ask({"receipt-data": token}, "--v2", v2)
        check(answer)
        names = {"receipt_type", "bundle_id", "request_date", "request_date_ms", "request_date_pst", "in_app"}
        require(set(answer["receipt"]) == names and answer["receipt"]["receipt_type"] == "Production", str(answer["receipt"]))
        in_app = answer["receipt"]["in_app"]
        require(len(in_app) == 1 and "subscription_group_identifier" not in in_app[0], str(in_app))
        # A new purchase is known by its own signature, before anything is stored.
        answer = self.ask({"receipt-data": token}, "--v2", self.write("nobody.ndjson", self.customer("1")))
        require([entry["transaction_id"] for entry in answer["latest_receipt_info"]] == [str(int(ORIGINAL) + 1)], str(answer)[:300])
        nameless = self.write("nameless.ndjson", [{"bundleId": "a", "environment": "Production", "hasMore": False, "transactions": [{"productId": "x", "purchaseDate": 1}]}])
        outcome = self.suite.run("convert", "--emit", "verify-receipt", nameless, status=1)
        require("expected the id of a transaction" in outcome.stderr and outcome.stdout == "", outcome.stderr)
        # Nothing is stored about the customer: the receipt alone, and a finding.
        places = self.folder / "nothing.provenance"
        answer = self.ask({"receipt-data": data}, "--v2", self.write("nobody.ndjson", self.customer("1")), "--provenance", places)
        require(set(answer) == {"status", "environment", "receipt"}, str(set(answer)))
        require({"code": "nothingStored", "path": ""} in json.loads(places.read_text())["findings"], places.read_text())

    def old(self) -> None:
        """iOS 6 receipts: flat, and 21006 when the subscription has expired."""
        data = receipt("ios6-v3-production")
        past, future = self.customer(OLD, 1), self.customer(OLD, 1)
        future[0]["transactions"][0]["expiresDate"] = int(time.time() * 1000) + DAY
        answer = self.ask({"receipt-data": data}, "--v2", self.write("past.ndjson", past))
        require(answer["status"] == 21006 and "latest_expired_receipt_info" in answer and "latest_receipt" not in answer, str(answer))
        flat = answer["latest_expired_receipt_info"]
        require(flat["expires_date"].isdigit() and flat["expires_date_formatted"].endswith("Etc/GMT"), str(flat))
        answer = self.ask({"receipt-data": data}, "--v2", self.write("future.ndjson", future[:1]))
        require(answer["status"] == 0 and answer["latest_receipt"] == data and answer["latest_receipt_info"]["bid"] == "com.example.slipcast", str(answer))
        require("environment" not in answer and answer["receipt"]["transaction_id"] == "510000000000102", str(answer))
        # Nothing is stored: the receipt alone decides, and a finding says so.
        places = self.folder / "flat.provenance"
        answer = self.ask({"receipt-data": data}, "--v2", self.write("nobody.ndjson", self.customer("1")), "--provenance", places)
        require(answer["status"] == 21006 and "auto_renew_status" not in answer, str(answer))
        require({"code": "nothingStored", "path": ""} in json.loads(places.read_text())["findings"], places.read_text())
        # Such an answer has no key for a grace period: it is named as lost.
        renewal = {"originalTransactionId": OLD, "autoRenewProductId": "p", "autoRenewStatus": 1, "environment": "Production",
                   "isInBillingRetryPeriod": True, "gracePeriodExpiresDate": int(time.time() * 1000) + DAY}
        status = {"status": 4, "originalTransactionId": OLD, "transactionInfo": past[0]["transactions"][0], "renewalInfo": renewal}
        grace = {"bundleId": "com.example.slipcast", "environment": "Production", "data": [{"lastTransactions": [status]}]}
        answer = self.ask({"receipt-data": data}, "--v2", self.write("grace.ndjson", [grace]), "--provenance", places)
        require(answer["status"] == 21006 and answer["is_in_billing_retry_period"] == "1", str(answer))
        account = json.loads(places.read_text())
        require([loss["kind"] for loss in account["losses"] if "grace" in loss["path"]] == ["noKey"], str(account))
        require(account["sources"]["auto_renew_status"].endswith(" autoRenewStatus"), str(account["sources"]))

    def statuses(self) -> None:
        """Every status that needs no server."""
        v2, secrets = self.write("v2.ndjson", self.customer()), self.folder / "secrets"
        secrets.write_text(f"another\n{SECRET}\n")
        good, sandbox = receipt("app-production"), receipt("app-sandbox-sha1-wrapped")

        def expect(status: int, body: dict | str, *words: object) -> None:
            answer = self.ask(body, "--v2", v2, *words)
            require(answer["status"] == status, f"expected {status}, found {answer}")
            require(status in (0, 21006) or set(answer) == {"status"}, f"{status} has a body: {answer}")

        expect(21000, "receipt-data=abc&password=x")
        expect(21000, "[1]")
        expect(21000, "")
        expect(21002, {})
        expect(21002, {"receipt-data": ""})
        expect(21002, {"receipt-data": 5})
        expect(21002, {"receipt-data": "bm90aGluZw=="})
        expect(21002, {"receipt-data": good[: len(good) // 2]})
        expect(21003, {"receipt-data": receipt("bad-tampered")})
        expect(21003, {"receipt-data": receipt("bad-foreign")})
        expect(21003, {"receipt-data": receipt("app-xcode")})
        token = self.signer.tokens([transaction(ORIGINAL)])[0]
        expect(21003, {"receipt-data": token[:-8] + "AAAAAAAA"})
        signed = self.signer.sign([renewal(ORIGINAL, bundleId="x")])
        expect(21002, {"receipt-data": next(iter(signed[0].values())) if isinstance(signed[0], dict) else signed[0]})
        for password in ({}, {"password": "wrong"}, {"password": ""}):
            expect(21004, {"receipt-data": good, **password}, "--shared-secret", secrets)
        expect(0, {"receipt-data": good, "password": SECRET}, "--shared-secret", secrets)
        expect(21007, {"receipt-data": sandbox})
        expect(0, {"receipt-data": sandbox}, "--environment", "sandbox")
        expect(21008, {"receipt-data": good}, "--environment", "sandbox")
        # Several requests in one input.
        text = "".join(json.dumps({"receipt-data": data}) + "\n" for data in (good, sandbox))
        lines = self.suite.run("verify-receipt", *self.trust, "--v2", v2, text=text, status=1).stdout.splitlines()
        require([json.loads(line)["status"] for line in lines] == [0, 21007], str(lines)[:300])
        # A forged record of --v2 is not used, in whatever form it is signed.
        forgery = token[:-8] + "AAAAAAAA"
        answer = {"bundleId": "com.example.slipcast", "environment": "Production"}
        item = {"originalTransactionId": ORIGINAL, "status": 1, "signedTransactionInfo": forgery}
        for number, form in enumerate((
            json.dumps({**answer, "signedTransactions": [forgery]}), json.dumps({"signedTransactionInfo": forgery}),
            json.dumps({**answer, "data": [{"subscriptionGroupIdentifier": "1", "lastTransactions": [item]}]}),
            json.dumps({"signedPayload": forgery}), forgery, json.dumps(forgery),
        )):  # fmt: skip
            forged = self.folder / f"forged-{number}.ndjson"
            forged.write_text(form + "\n")
            outcome = self.suite.run("verify-receipt", *self.trust, "--v2", forged, text=json.dumps({"receipt-data": good}), status=1)
            require("latest_receipt_info" not in json.loads(outcome.stdout) and "signatureMismatch" not in outcome.stdout, f"{form[:40]}: {outcome.stdout[:200]}")
            require("not the signer's" in outcome.stderr, outcome.stderr)

    def stores(self) -> None:
        """A store of converted V1 answers: its own values go back, and inferred ones are left out."""
        record = json.loads((FIXTURES / "receipts/history-mixed/v1.json").read_text()) if (FIXTURES / "receipts/history-mixed").exists() else None
        v1 = {
            "status": 0, "environment": "Production",
            "receipt": {"receipt_type": "Production", "bundle_id": "com.example.slipcast", "in_app": []},
            "latest_receipt_info": [{
                "quantity": "1", "product_id": "com.example.slipcast.monthly", "transaction_id": ORIGINAL,
                "original_transaction_id": ORIGINAL, "web_order_line_item_id": "510000000000901",
                "purchase_date_ms": "1643968800000", "original_purchase_date_ms": "1643968801000",
                "expires_date_ms": "1646388000000", "is_trial_period": "true", "is_in_intro_offer_period": "false",
            }],
        }  # fmt: skip
        store = self.folder / "store.sqlite"
        self.suite.run("convert", self.write("v1.ndjson", [v1, *([record] if record else [])]), "--to", store, "--execute", "--quiet")
        answer = self.ask({"receipt-data": receipt("app-production")}, "--v2", store)
        check(answer)
        entry = answer["latest_receipt_info"][0]
        require(entry["is_trial_period"] == "true" and entry["purchase_date_ms"] == "1643968800000", str(entry))
        require("in_app_ownership_type" not in entry, "an inferred value is left out")
        self.suite.run("verify-receipt", "--v2", self.folder / "missing.sqlite", text="{}", status=2)

    def apple(self) -> None:
        """Apple is asked, and what it answers becomes a status."""
        body = {"receipt-data": receipt("app-production")}
        mock = self.mock(ORIGINAL, periods=45)
        try:
            answer = self.ask(body, *self.apple_words(mock))
            check(answer)
            require(len(answer["latest_receipt_info"]) == 45, "all pages of the history")
            paths = [request.path.split("/")[3] for request in mock.requests]
            require(paths == ["history"] * 3 + ["subscriptions"], str(paths))

            def expect(status: int, reply: Reply, *words: object, **members: object) -> None:
                mock.hook = lambda request: reply
                answer = self.ask(body, *self.apple_words(mock), *words)
                require(answer == {"status": status, **members}, f"expected {status}, found {answer}")

            expect(21010, failure(4_040_001))
            expect(21010, failure(4_040_005))
            expect(21009, failure(4_040_010))
            expect(21009, Reply(401, b"Unauthenticated"))
            for code in (4_040_002, 4_040_004, 4_040_006, 5_000_001):
                expect(21199, failure(code), "--fetch-timeout", "2", is_retryable=True)
            expect(21199, Reply(delay=5), "--fetch-timeout", "1", is_retryable=True)
            forged = self.signer.tokens([transaction(ORIGINAL)])[0][:-8] + "AAAAAAAA"
            expect(21009, Reply(body={"environment": "Production", "bundleId": "com.example.slipcast", "hasMore": False, "signedTransactions": [forged]}))
        finally:
            mock.stop()
        # Nobody answers there any more: what is stored counts, and without it the status is 21005.
        words = self.apple_words(mock)
        require(self.ask(body, *words, "--fetch-timeout", "30") == {"status": 21005}, "nothing is stored")
        answer = self.ask(body, *words, "--fetch-timeout", "30", "--v2", self.write("v2.ndjson", self.customer()))
        require(answer["status"] == 0 and len(answer["latest_receipt_info"]) == 3, str(answer)[:200])

    def apple_words(self, mock: object) -> list[object]:
        return super().apple(mock)

    def routes(self) -> None:
        """The two addresses of `serve`, which answers from its journal as soon as an event is acknowledged."""
        body = json.dumps({"receipt-data": receipt("app-production")}).encode()
        v2 = self.write("v2.ndjson", self.customer())
        folder = self.folder / "routes"
        with serving(self.slipcast, folder, "--verify-receipt", "--v2", v2, *self.trust) as server:
            def post(data: bytes, path: str = "/verifyReceipt", method: str = "POST") -> tuple[int, dict]:
                connection = server.connection()
                connection.request(method, path, data)
                answer = connection.getresponse()
                return answer.status, json.loads(answer.read())

            status, answer = post(body)
            require(status == 200 and answer["status"] == 0 and len(answer["latest_receipt_info"]) == 3, str(answer)[:200])
            check(answer)
            require(post(body, "/sandbox/verifyReceipt") == (200, {"status": 21008}), "the other environment")
            require(post(b"", method="GET") == (200, {"status": 21000}), "a GET")
            require(post(b"", method="PUT") == (200, {"status": 21000}), "a PUT")
            require(post(b"receipt-data=x") == (200, {"status": 21000}), "a form")
            require(post(b'{"receipt-data":"' + b"A" * (5 << 20) + b'"}') == (200, {"status": 21002}), "a body that is too long")
            # The next period comes as a notification, and is known with its acknowledgement.
            renewed = transaction(ORIGINAL, 3)
            notification = {
                "notificationType": "DID_RENEW", "notificationUUID": "00000000-0000-4000-8000-000000000052", "version": "2.0",
                "signedDate": renewed["signedDate"],
                "data": {"bundleId": "com.example.slipcast", "environment": "Production", "transactionInfo": renewed,
                         "renewalInfo": renewal(ORIGINAL, autoRenewStatus=0, signedDate=1_799_000_000_000)},
            }  # fmt: skip
            signed = self.signer.sign([notification])[0]
            require(server.send(json.dumps(signed).encode()) == 200, "the notification is acknowledged")
            answer = post(body)[1]
            require(len(answer["latest_receipt_info"]) == 4, f"{len(answer['latest_receipt_info'])} periods")
            require(answer["pending_renewal_info"][0]["auto_renew_status"] == "0", str(answer["pending_renewal_info"]))
        # After a restart the journal is read again.
        with serving(self.slipcast, folder, "--verify-receipt", *self.trust) as server:
            connection = server.connection()
            connection.request("POST", "/verifyReceipt", body)
            answer = json.loads(connection.getresponse().read())
            require([entry["transaction_id"] for entry in answer["latest_receipt_info"]] == [str(int(ORIGINAL) + 3)], str(answer)[:300])
        mock = self.mock(ORIGINAL)
        mock.stop()
        with serving(self.slipcast, self.folder / "fetching", "--verify-receipt", *self.apple_words(mock), *self.trust) as server:
            require(server.send(body, "/verifyReceipt") == 503, "21005 is 503")

    def load(self) -> str:
        """Requests of different customers of a large store: their rate, their time, and the memory of the server."""
        if not shutil.which("wrk"):
            raise Skipped("it needs wrk")
        count = self.suite.options.customers
        archive, store = self.folder / "load.ndjson", self.folder / "load.sqlite"
        first = 800_000_000_000_000
        with archive.open("w") as file:
            for number in range(count):
                file.write(RENEWED.replace("NUMBER", str(first + number * 1000)) + "\n")
        self.suite.run("convert", archive, "--to", store, "--execute", "--quiet", seconds=3600)
        archive.unlink()
        chosen = [str(first + number * max(1, count // 2000) * 1000) for number in range(min(2000, count))]
        tokens = self.signer.tokens([transaction(original) for original in chosen])
        (self.folder / "bodies").write_text("".join(json.dumps({"receipt-data": token}) + "\n" for token in tokens))
        with serving(self.slipcast, self.folder / "loaded", "--verify-receipt", "--v2", store, *self.trust) as server:
            def measure(seconds: int) -> tuple[float, float, int]:
                outcome = command(
                    ["wrk", "-t1", "-c32", f"-d{seconds}s", "-s", HERE / "load.lua", f"http://127.0.0.1:{server.port}/verifyReceipt"],
                    environment={"BODIES": str(self.folder / "bodies")},
                )
                requests, duration, late, errors, empty = map(int, re.search(r"RESULT (\d+) (\d+) (\d+) (\d+) (\d+)", outcome.stdout).groups())
                require(requests > 0 and errors == 0 and empty == 0, f"{errors} of {requests} failed, {empty} without data")
                status = Path(f"/proc/{server.process.pid}/status").read_text()
                return requests / (duration / 1e6), late / 1000, int(re.search(r"VmRSS:\s+(\d+)", status)[1]) // 1024

            measure(3)
            first = measure(self.suite.options.seconds // 2)
            last = measure(self.suite.options.seconds)
        require(last[2] < first[2] + 30, f"memory grew from {first[2]} to {last[2]} MB")
        if count >= 1_000_000:
            require(last[0] >= 2000 and last[1] < 50, f"{last[0]:.0f}/s, p99 {last[1]:.1f} ms")
        return f"{count} customers: {last[0]:.0f}/s, p99 {last[1]:.1f} ms, {first[2]} → {last[2]} MB, with the sender on the same cores"


def run(suite: Suite) -> None:
    parts = Parts(suite)
    for name in ("emits", "receipts", "old", "statuses", "stores", "apple", "routes"):
        suite.part(name, getattr(parts, name))
    if suite.options.customers:
        suite.part("load", parts.load)
