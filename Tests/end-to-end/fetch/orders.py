"""Orders, ids that another response covers, and lists with lines that are no ids."""

import json
from pathlib import Path

from harness import require
from mock import BUNDLE, Reply, transaction
from setting import Setting, lines, v1


class Orders(Setting):
    def orders(self, folder: Path) -> None:
        """An order becomes a line; one that Apple does not know is not found; the sandbox has none."""
        folder.mkdir(parents=True, exist_ok=True)
        life = self.life(1, periods=3)
        customers = self.signer.customers([life, self.life(900)])
        mock = self.mock(*customers)
        mock.orders = {"MSLIP00001": customers[0].tokens[1:2], "MSLIP00002": [], "730000000000900": customers[1].tokens}
        out, missing, summary = folder / "orders.ndjson", folder / "missing.ndjson", folder / "summary.json"
        ids = folder / "ids.txt"
        # An order id of digits is one too, and no transaction id of another order's response.
        ids.write_text("MSLIP00001\nMSLIP00009\n730000000000900\nM-1\n")
        words = ["--bundle-id", BUNDLE, "--to", out, "--missing", missing, "--summary", summary]
        self.fetch(mock, "orders", "--id", "MSLIP00002", "--ids", ids, *words, status=1)
        found = lines(out)
        marks = [line.pop("slipcast") for line in found]
        require([mark["id"] for mark in marks] == ["MSLIP00001", "730000000000900", "MSLIP00002"], f"marks: {marks}")
        require(marks[0] == {"endpoint": "orders", "id": "MSLIP00001", "environment": "Production", "page": 1}, f"{marks[0]}")
        require(found[0] == {"status": 0, "signedTransactions": customers[0].tokens[1:2]}, f"not as Apple sent it: {found[0]}")
        told = lines(missing)
        require([line["id"] for line in told] == ["MSLIP00009", "M-1"], f"missing: {told}")
        require("errorCode" not in told[0] and told[0]["environment"] == "Production", f"missing: {told}")
        counts = self.summary(summary)
        require((counts["found"], counts["notFound"], counts["failed"], counts["requests"]) == (3, 1, 1, 4), f"{counts}")
        require(all(request.path.startswith("/inApps/v1/lookup/") for request in mock.requests), "paths")
        # The missing ids, once more: the status is 0 without a failure.
        missing.write_text("".join(json.dumps(line) + "\n" for line in told[:1]))
        self.fetch(mock, "orders", "--ids", missing, "--bundle-id", BUNDLE)
        self.refusals(mock, customers[1].tokens)
        sandbox = self.fetch(mock, "orders", "--id", "MSLIP00001", *words[:2], "--environment", "sandbox", status=2)
        require("production only" in sandbox.stderr, "the message does not say why", sandbox)
        self.suite.run("fetch", "orders", "--bundle-id", BUNDLE, status=2)
        plan = self.suite.run("fetch", "orders", "--bundle-id", BUNDLE, *[word for n in range(30) for word in ("--id", f"MS{n}")])
        require("30 orders, about 30 requests, 3 s at 10 requests per second" in plan.stderr, "the plan is another", plan)
        self.search_files(folder, mock)
        mock.stop()

    def refusals(self, mock, tokens: list[str]) -> None:
        """A response that is not as Apple documents it, or is not trusted, is no line."""
        folder = self.folder / "orders"
        head, payload, signature = tokens[0].split(".")
        bodies = [
            {"signedTransactions": tokens}, {"status": 2, "signedTransactions": tokens}, {"status": "0", "signedTransactions": tokens},
            {"status": 0}, {"status": 0, "signedTransactions": [f"{head}.{payload}.{signature[:-4]}AAAA"]},
        ]  # fmt: skip
        for body in bodies:
            mock.hook = lambda request, body=body: Reply(body=body)
            rejects = folder / "rejects.ndjson"
            outcome = self.fetch(mock, "orders", "--id", "MSLIP00001", "--bundle-id", BUNDLE, "--rejects", rejects, status=1)
            require(outcome.stdout == "" and len(lines(rejects)) == 1, f"{list(body)}: accepted", outcome)
        mock.hook = lambda request: None

    def lookup(self, folder: Path) -> None:
        """timeline --order shows the subscription of an order alone: V1's events, and V2's transactions that are trusted."""
        folder.mkdir(parents=True, exist_ok=True)
        customers = self.signer.customers([self.life(1, periods=3), self.life(900, periods=2)])
        mock = self.mock(*customers)
        mock.orders = {"MSLIP00001": customers[0].tokens[1:2], "MSLIP00002": customers[1].tokens[:1]}
        orders, history = folder / "orders.ndjson", folder / "history.ndjson"
        words = ["--bundle-id", BUNDLE]
        self.fetch(mock, "orders", *words, "--id", "MSLIP00001", "--id", "MSLIP00002", "--to", orders)
        self.fetch(mock, "history", *words, "--id", "730000000000001", "--id", "730000000000900", "--to", history)
        archive = self.archive(folder, [v1("730000000000001"), v1("730000000000900")])
        store = folder / "store.sqlite"
        self.suite.run("convert", "--quiet", archive, "--to", store, "--execute")
        for inputs in ([orders, history, archive], [store, history, orders]):
            outcome = self.suite.run("timeline", "--order", "MSLIP00001", *inputs, "--root", self.signer.root, "--format", "json")
            found = [json.loads(line) for line in outcome.stdout.splitlines()]
            found = [line for line in found if line["kind"] != "legend"]
            require({line["originalTransactionId"] for line in found} == {"730000000000001"}, f"{found}", outcome)
            shown = [(line["transactionId"], line["isOfOrder"]) for line in found if line["kind"] == "transaction"]
            expected = [("730000000000001", False), ("730000000000002", True), ("730000000000003", False)]
            require(shown == expected, f"transactions: {shown}")
            require(sum(line["kind"] == "event" for line in found) == 1, "not the event of V1 alone", outcome)
        for form in ("text", "csv"):
            outcome = self.suite.run("timeline", "--order", "MSLIP00002", orders, history, "--root", self.signer.root, "--format", form)
            require("730000000000901" in outcome.stdout and "730000000000001" not in outcome.stdout, "another one", outcome)
        page = folder / "life.html"
        self.suite.run("timeline", "--order", "MSLIP00001", orders, history, archive, "--root", self.signer.root, "--report", page)
        require("730000000000003" in page.read_text(), "the page lacks a transaction")
        unknown = self.suite.run("timeline", "--order", "MSLIP00009", orders, history, "--root", self.signer.root, status=1)
        require("no line of fetch orders" in unknown.stderr, "the message is another", unknown)
        forged = self.suite.run("timeline", "--order", "MSLIP00001", orders, history, status=1)
        require("not trusted" in forged.stderr and "transactionId" not in forged.stdout, "untrusted orders count", forged)
        self.suite.run("timeline", "--order", "MSLIP00001", "--original-transaction-id", "1", orders, status=2)
        self.suite.run("timeline", "--root", self.signer.root, archive, status=2)
        mock.stop()

    def covers(self, folder: Path) -> None:
        """Each id that a response lists is covered by it: of transactions, subscriptions and downloads; with one connection."""
        folder.mkdir(parents=True, exist_ok=True)
        lives = []
        for number in (1, 2):
            base, app = 730000000000000 + number * 1_000_000, {"appTransactionId": f"70500000000000{number}"}
            lives.append([transaction(str(base), 0, **app), transaction(str(base), 1, **app), transaction(str(base + 500), **app)])
        customers = self.signer.customers(lives)
        summary = folder / "summary.json"
        for endpoint in ("history", "statuses"):
            for names in (("transactionId", 2), ("transactionId", 1), ("appTransactionId", 0)):
                mock = self.mock(*customers)
                first = [life[1]["transactionId"] for life in lives]
                second = [life[names[1]][names[0]] for life in lives]
                for ids in ([*first, *second], [first[0], second[0], first[1], second[1]]):
                    mock.requests.clear()
                    words = [word for id in ids for word in ("--id", id)]
                    self.fetch(mock, endpoint, *words, "--bundle-id", BUNDLE, "--connections", 1, "--summary", summary)
                    require(len(mock.requests) == 2, f"{endpoint}, {names}: {len(mock.requests)} requests for 2 customers")
                    require(self.summary(summary)["found"] == len(set(ids)), f"{endpoint}, {names}: not all are found")
                mock.stop()

    def lists(self, folder: Path) -> None:
        """A line of --ids that is no id counts as failed, and the others are requested; no text that may be secret is repeated."""
        folder.mkdir(parents=True, exist_ok=True)
        mock = self.mock(*self.world(2))
        good = ["730000000000000", "730000000001000"]
        bad = ["no id", "x" * 70, '{"other":1}', '{"id":{}}', '{"id":"1"', "12;SECRET-SLIPCAST-fetch", "-----BEGIN PRIVATE KEY-----"]
        ids, missing, summary = folder / "ids.txt", folder / "missing.ndjson", folder / "summary.json"
        ids.write_text("\n".join([good[0], *bad, "", good[1]]) + "\n")
        words = ["--bundle-id", BUNDLE, "--missing", missing, "--summary", summary]
        outcome = self.fetch(mock, "history", "--ids", ids, *words, status=1)
        require(len(outcome.stdout.splitlines()) == 2, "the ids of the list were not all requested", outcome)
        counts = self.summary(summary)
        require((counts["ids"], counts["found"], counts["failed"], counts["requests"]) == (9, 2, 7, 2), f"{counts}")
        told = lines(missing)
        require([line.get("id") for line in told] == ["no id", None, None, None, None, None, "-----BEGIN PRIVATE KEY-----"], f"{told}")
        require([f"line {place} of {ids}" in line["message"] for place, line in enumerate(told, 2)] == [True] * 7, f"{told}")
        self.search_files(folder / "none", mock)
        # A key file that is given by mistake.
        outcome = self.fetch(mock, "history", "--ids", self.key, *words, status=1)
        require("line 2 of" in missing.read_text(), "the line is not named", outcome)
        self.search(missing.read_text(), mock, "the missing ids")
        plan = self.suite.run("fetch", "history", "--ids", ids, "--bundle-id", BUNDLE)
        require("about 2 requests" in plan.stderr, "the plan counts lines that are no ids", plan)
        # The missing lines, once more: none of them is an id.
        self.fetch(mock, "history", "--ids", missing, "--bundle-id", BUNDLE, status=1)
        mock.stop()
