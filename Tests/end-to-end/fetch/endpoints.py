"""The four endpoints, and where ids come from."""

import gzip
import json
import sqlite3
import time
from pathlib import Path

from harness import require
from mock import BUNDLE, DAY, Customer, transaction
from setting import Setting, lines, v1


class Endpoints(Setting):
    def history(self, folder: Path) -> None:
        """Pages, an id that another response covers, an unknown id, an id that is no number."""
        two = [transaction("730000000001000", period) for period in range(25)] + [transaction("730000000002000")]
        customers = self.signer.customers([two, self.life(5000)])
        mock = self.mock(*customers)
        ids = ["730000000001000", "730000000002000", "730000000005000", "999", "abc", "730000000001000"]
        archive = self.archive(folder, [v1(id) for id in ids])
        out, summary, missing = folder / "v2.ndjson", folder / "summary.json", folder / "missing.ndjson"
        self.fetch(mock, "history", archive, "--to", out, "--summary", summary, "--missing", missing, "--connections", 1,
                   status=1)  # fmt: skip
        counts = self.summary(summary)
        expected = {"ids": 5, "found": 3, "notFound": 1, "failed": 1, "sandbox": 0, "requests": 4, "retries": 0,
                    "lines": 3, "rejected": 0}  # fmt: skip
        require(counts == expected, f"counts: {counts}")
        found = lines(out)
        marks = [line.pop("slipcast") for line in found]
        first = {"endpoint": "history", "id": "730000000001000", "environment": "Production"}
        require(marks[:2] == [{**first, "page": 1}, {**first, "page": 2}], f"marks: {marks}")
        require(marks[2] == {**first, "id": "730000000005000", "page": 1}, f"marks: {marks}")
        tokens = customers[0].tokens
        require(found[0]["signedTransactions"] == tokens[:20] and found[0]["hasMore"] is True, "the first page is another")
        require(found[1]["signedTransactions"] == tokens[20:] and found[1]["revision"] == "r26", "the second page is another")
        require(list(found[0]) == ["bundleId", "appAppleId", "environment", "revision", "hasMore", "signedTransactions"],
                f"members: {list(found[0])}")  # fmt: skip
        told = lines(missing)
        require([(line["id"], line.get("errorCode")) for line in told] == [("999", 4040010), ("abc", None)], f"missing: {told}")
        require(list(told[0]) == ["id", "environment", "errorCode", "message"], f"members: {list(told[0])}")
        require(all(request.id != "abc" for request in mock.requests), "an id that is no number was sent")
        verified = self.suite.run("verify", "--root", self.signer.root, "--format", "json", out)
        require(verified.stdout.count('"valid"') == 27, "verify does not find 27 valid tokens")
        # The missing ids, once more.
        again = folder / "again.ndjson"
        self.fetch(mock, "history", "--ids", missing, "--bundle-id", BUNDLE, "--to", again, status=1)
        require(again.read_bytes() == b"", "an unknown id became a line")
        self.search_files(folder, mock)
        mock.stop()

    def order(self, folder: Path) -> None:
        """Lines are in the order of the ids, whatever comes first."""
        customers = self.world(40, periods=2)
        mock = self.mock(*customers)
        ids = [customer.transactions[0]["originalTransactionId"] for customer in customers]
        slow = set(ids[::7])
        mock.hook = lambda request: self.late(mock, request) if request.id in slow else None
        archive = self.archive(folder, [v1(id) for id in ids])
        for name in ("one.ndjson", "two.ndjson.gz", "three.ndjson.zst"):
            self.fetch(mock, "history", archive, "--to", folder / name, "--rate", 2000)
            found = [line["slipcast"]["id"] for line in lines(folder / name)]
            require(found == ids, f"{name}: the order is another")
        require(lines(folder / "one.ndjson") == lines(folder / "three.ndjson.zst"), "compressed lines differ")
        words = self.fetch(mock, "history", archive, "--rate", 2000)
        require(words.stdout.encode() == (folder / "one.ndjson").read_bytes(), "standard output differs")
        mock.stop()

    def late(self, mock, request):
        hook, mock.hook = mock.hook, lambda request: None
        mock.requests.pop()
        reply = mock.answer(request.method, request.path, request.headers, request.body)
        mock.hook, reply.delay = hook, 0.05
        return reply

    def archives(self, folder: Path) -> None:
        """Ids from V1, responses, receipts, rows, stores, and V2 records, decoded or signed."""
        customers = self.world(8)
        mock = self.mock(*customers)
        ids = [customer.transactions[0]["originalTransactionId"] for customer in customers]
        folder.mkdir(parents=True, exist_ok=True)
        response = {"status": 0, "environment": "Production", "receipt": {"bundle_id": BUNDLE, "receipt_type": "Production",
                    "in_app": [{"original_transaction_id": ids[1], "transaction_id": ids[1], "product_id": "p",
                                "purchase_date_ms": "1760000000000"}]}}  # fmt: skip
        (folder / "response.json").write_text(json.dumps(response))
        with gzip.open(folder / "rows.csv.gz", "wt") as file:
            file.write("id,body\n7,\"" + json.dumps(v1(ids[2])).replace('"', '""') + '"\n')
        database = sqlite3.connect(folder / "rows.sqlite")
        database.execute("create table events (id integer primary key, body text)")
        database.execute("insert into events values (1, ?)", (json.dumps(v1(ids[3])),))
        database.commit()
        database.close()
        store = folder / "store.sqlite"
        self.suite.run("convert", "--quiet", self.archive(folder, [v1(ids[4])], "four.ndjson"), "--to", store, "--execute")
        signed = {"signedPayload": self.signer.sign([{"notificationType": "DID_RENEW", "notificationUUID":
            "00000000-0000-4000-8000-000000000001", "version": "2.0", "signedDate": 1760000000000, "data": {
            "bundleId": BUNDLE, "environment": "Production", "transactionInfo": customers[5].transactions[0]}}])[0]["signedPayload"]}  # fmt: skip
        (folder / "signed.ndjson").write_text(json.dumps(signed) + "\n")
        (folder / "decoded.ndjson").write_text(json.dumps(customers[6].transactions[0]) + "\n")
        (folder / "token.ndjson").write_text(customers[7].tokens[0] + "\n")
        cases = {
            ids[0]: [self.archive(folder, [v1(ids[0])])], ids[1]: [folder / "response.json"],
            ids[2]: [folder / "rows.csv.gz", "--body", "/body"],
            ids[3]: [f"sqlite:{folder / 'rows.sqlite'}?table=events&key=id&body=body"], ids[4]: [store],
            ids[5]: [folder / "signed.ndjson"], ids[6]: [folder / "decoded.ndjson"], ids[7]: [folder / "token.ndjson"],
        }  # fmt: skip
        for id, words in cases.items():
            found = [json.loads(line)["slipcast"]["id"] for line in self.fetch(mock, "history", *words).stdout.splitlines()]
            require(found == [id], f"{words}: {found}, expected {id}")
        mock.stop()

    def environments(self, folder: Path) -> None:
        """Known environments are asked directly; unknown ones in production first, then the sandbox."""
        live, test = self.world(1), self.signer.customers(
            [[transaction("730000000900000", environment="Sandbox")]], environment="Sandbox")
        production, sandbox = self.mock(*live, environment="Production"), self.mock(*test, environment="Sandbox")
        ids = [live[0].transactions[0]["originalTransactionId"], "730000000900000"]
        both = ["--sandbox-server", sandbox.url]
        summary = folder / "summary.json"
        archive = self.archive(folder, [v1(ids[0]), v1(ids[1], "Sandbox")])
        self.fetch(production, "history", archive, *both, "--to", folder / "known.ndjson", "--summary", summary)
        require([request.id for request in production.requests] == ids[:1], "the sandbox's id went to production")
        require(self.summary(summary)["sandbox"] == 1, "the sandbox is not counted")
        words = ["--id", ids[1], "--id", ids[0], "--id", "12", "--bundle-id", BUNDLE]
        outcome = self.fetch(production, "history", *words, *both, "--summary", summary)
        found = [json.loads(line)["slipcast"] for line in outcome.stdout.splitlines()]
        require([(mark["id"], mark["environment"]) for mark in found] == [(ids[1], "Sandbox"), (ids[0], "Production")], found)
        counts = self.summary(summary)
        require((counts["found"], counts["notFound"], counts["sandbox"], counts["requests"]) == (2, 1, 1, 5), f"{counts}")
        # An environment that the user names is asked alone.
        fixed = self.fetch(production, "history", *words, *both, "--environment", "sandbox", "--summary", summary)
        require(self.summary(summary)["notFound"] == 2, fixed.stderr)
        production.stop()
        sandbox.stop()

    def apps(self, folder: Path) -> None:
        """One token for each app; an id without an app ends the run."""
        other = self.signer.customers([[transaction("730000000800000", bundleId="com.example.other")]], bundle="com.example.other")
        mock = self.mock(*self.world(1), *other)
        records = [v1("730000000000000"), v1("730000000800000", bundle="com.example.other")]
        outcome = self.fetch(mock, "history", self.archive(folder, records))
        require(len(outcome.stdout.splitlines()) == 2, "not both apps were found")
        require(len(mock.tokens.known) == 2, "not one token for each app")
        nameless = self.archive(folder, [v1("730000000000000", bundle=None)], "nameless.ndjson")
        wrong = self.fetch(mock, "history", nameless, status=2)
        require("--bundle-id" in wrong.stderr, "the message does not name --bundle-id", wrong)
        self.fetch(mock, "history", nameless, "--bundle-id", BUNDLE)
        mock.stop()

    def statuses(self, folder: Path) -> None:
        customers = self.world(3)
        mock = self.mock(*customers)
        ids = [customer.transactions[0]["originalTransactionId"] for customer in customers]
        outcome = self.fetch(mock, "statuses", self.archive(folder, [v1(id) for id in ids]), "--to", folder / "out.ndjson")
        found = lines(folder / "out.ndjson")
        require([line["slipcast"]["endpoint"] for line in found] == ["statuses"] * 3, outcome.stderr)
        require(found[1]["data"][0]["lastTransactions"][0]["signedTransactionInfo"] == customers[1].tokens[0], "another token")
        require({request.path for request in mock.requests} == {f"/inApps/v1/subscriptions/{id}" for id in ids}, "paths")
        mock.stop()

    def refunds(self, folder: Path) -> None:
        """A customer without refunds becomes an empty line, which does not fail `verify`."""
        refunded = transaction("730000000700000", revocationDate=1_760_100_000_000, revocationReason=0)
        customers = self.signer.customers([[refunded], self.life(1)])
        mock = self.mock(*customers)
        ids = ["730000000700000", "730000000000001"]
        out = folder / "refunds.ndjson"
        self.fetch(mock, "refunds", self.archive(folder, [v1(id) for id in ids]), "--to", out)
        found = lines(out)
        require([len(line["signedTransactions"]) for line in found] == [1, 0], f"{found}")
        verified = self.suite.run("verify", "--format", "json", "--root", self.signer.root, out)
        require("nothingSigned" in verified.stdout, "the empty line has no verdict", verified)
        mock.stop()

    def notify(self, mock, count: int, environment: str, start: int = 0) -> list[str]:
        """Notifications of one subscription each, one a minute; returns their ids."""
        now = int(time.time() * 1000)
        records = [
            {"notificationType": "DID_RENEW", "notificationUUID": f"00000000-0000-4000-8000-{start + number:012d}",
             "version": "2.0", "signedDate": now - DAY, "data": {"bundleId": BUNDLE, "environment": environment,
             "appAppleId": 1234567890, "transactionInfo": transaction(f"7300{number:011d}", environment=environment)}}
            for number in range(count)
        ]  # fmt: skip
        for record, signed in zip(records, self.signer.sign(records)):
            mock.notifications[environment].append(
                {"at": now - DAY + len(mock.notifications[environment]) * 60_000, "signedPayload": signed["signedPayload"],
                 "id": record["data"]["transactionInfo"]["originalTransactionId"]})  # fmt: skip
        return [record["notificationUUID"] for record in records]

    def notifications(self, folder: Path) -> None:
        """Both environments, pages, an expired token, a forged one among others, a window."""
        folder.mkdir(parents=True, exist_ok=True)
        production, sandbox = self.mock(environment="Production"), self.mock(environment="Sandbox")
        self.notify(production, 45, "Production")
        self.notify(sandbox, 3, "Sandbox", start=100)
        out, rejects, summary = folder / "out.ndjson", folder / "rejects.ndjson", folder / "summary.json"
        base = ["--bundle-id", BUNDLE, "--sandbox-server", sandbox.url, "--to", out, "--summary", summary]
        expired = []

        def expire(request):
            if request.query.get("paginationToken", [""])[0].startswith("t20-") and not expired:
                expired.append(1)
                return self.error(4_000_017)

        production.hook = expire
        self.fetch(production, "notifications", *base)
        found = lines(out)
        require(len(found) == 48 and expired, f"{len(found)} lines, expected 48")
        require([set(line) for line in found[:1]] == [{"signedPayload", "sendAttempts", "slipcast"}], "members")
        require(found[0]["slipcast"] == {"endpoint": "notifications", "environment": "Production", "page": 1}, found[0]["slipcast"])
        require(self.summary(summary)["lines"] == 48, "the summary counts other lines")
        item = production.notifications["Production"][7]
        head, payload, signature = item["signedPayload"].split(".")
        item["signedPayload"] = f"{head}.{payload}.{signature[:-4]}AAAA"
        self.fetch(production, "notifications", *base, "--rejects", rejects, status=1)
        require(len(lines(out)) == 47 and len(lines(rejects)) == 1, "the forged one is not the only reject")
        require(self.summary(summary)["rejected"] == 1, "the reject is not counted")
        one = production.notifications["Production"][9]["id"]
        self.fetch(production, "notifications", "--id", one, *base)
        require([line["slipcast"]["id"] for line in lines(out)] == [one], "not only the customer's notification")
        twin = {**production.notifications["Production"][9]}
        twin["signedPayload"] = sandbox.notifications["Sandbox"][0]["signedPayload"]
        sandbox.notifications["Sandbox"].append(twin)
        self.fetch(production, "notifications", "--id", one, *base)
        found = [(line["slipcast"]["id"], line["slipcast"]["environment"]) for line in lines(out)]
        require(found == [(one, "Production"), (one, "Sandbox")], f"not both environments: {found}")
        start = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - 86400 + 600))
        self.fetch(production, "notifications", *base, "--environment", "production", "--from", start)
        require(len(lines(out)) < 45, "--from has no effect")
        missing = folder / "missing.ndjson"
        early = self.fetch(production, "notifications", *base, "--from", "2020-01-01", "--missing", missing, status=1)
        require(early.stderr.count("4000012") == 1 and "Production failed" in early.stderr, "a start that is too early", early)
        require(lines(out) and all(line["slipcast"]["environment"] == "Sandbox" for line in lines(out)), "a start that only the sandbox does not keep fails there")
        require(not lines(missing), "a request without an id is among the missing ids")
        # A notification that names no app at all; one that should name it.
        seats = {"notificationType": "UNCLAIM_SEATS", "notificationUUID": "00000000-0000-4000-8000-000000009999", "version": "2.0",
                 "signedDate": int(time.time() * 1000) - DAY}  # fmt: skip
        for more, status in (({"unclaimInfo": {"unclaimSeatIds": ["a"]}}, 0), ({"data": {"environment": "Production"}}, 1)):
            payload = self.signer.sign([{**seats, **more}])[0]["signedPayload"]
            production.notifications["Production"] = [{"at": int(time.time() * 1000) - DAY, "signedPayload": payload, "id": "1"}]
            self.fetch(production, "notifications", *base, "--environment", "production", status=status)
            require(len(lines(out)) == 1 - status, f"{more}: {len(lines(out))} lines")
        production.stop()
        sandbox.stop()

    def dry(self, folder: Path) -> None:
        """Without --execute nothing is sent, and no key is needed."""
        archive = self.archive(folder, [v1(f"7300{number:011d}") for number in range(120)])
        outcome = self.suite.run("fetch", "history", archive, "--to", folder / "out.ndjson")
        require("120 customers" in outcome.stderr and "--execute" in outcome.stderr, "the plan is missing", outcome)
        require(not (folder / "out.ndjson").exists(), "a dry run wrote its output")
        outcome = self.suite.run("fetch", "refunds", archive)
        require("120 requests, 12 s at 10 requests per second" in outcome.stderr, "the time is wrong", outcome)
        tests = self.archive(folder, [v1(f"7301{number:011d}", "Sandbox") for number in range(10)], "tests.ndjson")
        outcome = self.suite.run("fetch", "statuses", tests)
        require("2 s at 5 requests per second, the limit of the sandbox" in outcome.stderr, "another rate", outcome)
        outcome = self.suite.run("fetch", "statuses", archive, tests)
        require("3 s at 50 requests per second, 5 in the sandbox" in outcome.stderr, "another rate", outcome)

    def direct(self, folder: Path) -> None:
        """Requests to this machine use no proxy, because they contain a token."""
        mock, proxy = self.mock(*self.world(1)), self.mock()
        archive = self.archive(folder, [v1("730000000000000")])
        self.fetch(mock, "history", archive, environment={"http_proxy": proxy.url, "all_proxy": proxy.url, "no_proxy": ""})
        require(len(mock.requests) == 1 and not proxy.requests, "the request went to the proxy")
        mock.stop()
        proxy.stop()

    def missing(self, folder: Path) -> None:
        """Records that cannot be read are told, and their number is not lost."""
        mock = self.mock(*self.world(1))
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / "v1.ndjson"
        test = {"notification_type": "TEST", "unified_receipt": {"status": 0}}
        path.write_text(json.dumps(v1("730000000000000")) + "\n{\"broken\":\n" + json.dumps(test) + "\n")
        outcome = self.fetch(mock, "history", path, "--rejects", folder / "rejects.ndjson", status=1)
        require(len(outcome.stdout.splitlines()) == 1, "the good record has no line", outcome)
        require(len(lines(folder / "rejects.ndjson")) == 1, "the broken record is not among the rejects")
        require("records without an id" in outcome.stderr, "the record without an id is not counted", outcome)
        mock.stop()

    def comparing(self, folder: Path) -> None:
        """parity and diff read the output as it is."""
        customers = self.world(5)
        mock = self.mock(*customers)
        ids = [customer.transactions[0]["originalTransactionId"] for customer in customers]
        archive = self.archive(folder, [v1(id) for id in ids])
        for endpoint in ("history", "statuses"):
            out = folder / f"{endpoint}.ndjson"
            self.fetch(mock, endpoint, archive, "--to", out)
            report = folder / f"{endpoint}.json"
            self.suite.run("parity", "--quiet", "--legacy", archive, "--server", out, "--report", report, status=(0, 1))
            result = json.loads(report.read_text())
            paths = [field.get("v2Path") or "" for field in result["fields"]]
            require(not any(path.startswith("slipcast") for path in paths), f"{endpoint}: the extra member is compared")
            require(len(paths) > 5, f"{endpoint}: nothing is compared")
        one, two = folder / "one.json", folder / "two.json"
        one.write_text(archive.read_text().splitlines()[0])
        two.write_text((folder / "history.ndjson").read_text().splitlines()[0])
        outcome = self.suite.run("diff", "--format", "json", one, two, status=(0, 1))
        result = json.loads(outcome.stdout)
        paths = [field.get("v2Path") or "" for field in result["fields"]]
        require(not any("slipcast" in path for path in paths), f"diff compares the extra member: {paths}")
        require(len(paths) > 5, "diff compares nothing")
        mock.stop()

    @staticmethod
    def error(code: int):
        from mock import failure

        return failure(code)


__all__ = ["Customer", "Endpoints"]
