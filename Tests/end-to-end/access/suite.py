"""The list of customers whose access differs: planted differences, in CSV and NDJSON, with the same totals in the report."""

import csv
import json
import re
from typing import Any

import told
from harness import FIXTURES, Suite, require

DAY = 86_400_000


def message(number: int) -> bytes:
    """A V1 notification of a subscription of its own."""
    record = json.loads((FIXTURES / "notifications/app-account-token/v1.json").read_text())
    return re.sub(r"\b\d{15,16}\b", lambda id: f"{int(id[0]) + number * 1000}", json.dumps(record)).encode()


class Parts:
    def __init__(self, suite: Suite) -> None:
        self.suite, self.folder = suite, suite.folder
        source = self.folder / "v1.ndjson"
        source.write_bytes(b"".join(message(number) + b"\n" for number in range(8)))
        lines = suite.run("convert", "--quiet", "--plain", source).stdout.splitlines()
        self.events = [json.loads(line) for line in lines]
        self.expires = self.events[0]["data"]["transactionInfo"]["expiresDate"]
        self.asOf = self.expires - DAY

    def server(self) -> dict[str, str]:
        """Changes what V2 says, one way for each subscription; returns the expected outcome by id."""
        truth, kept = {}, []
        for number, event in enumerate(self.events[:7]):
            event = json.loads(json.dumps(event))
            info, renewal = event["data"]["transactionInfo"], event["data"].get("renewalInfo", {})
            outcome = ["same", "lockedOut", "endsLater", "endsEarlier", "lockedOut", "same", "same"][number]
            if number == 1:
                info.update(revocationDate=self.asOf - DAY, revocationReason=0)
            elif number in (2, 3):
                moved = self.expires + (DAY if number == 2 else -DAY // 2)
                info["expiresDate"] = moved
                renewal.pop("renewalDate", None)
            elif number == 4:
                info["expiresDate"] = self.asOf - DAY
                renewal.pop("renewalDate", None)
            truth[info["originalTransactionId"]] = outcome
            kept.append(event)
        truth[self.events[7]["data"]["transactionInfo"]["originalTransactionId"]] = "unknown"
        extra = json.loads(json.dumps(self.events[0]).replace(self.events[0]["data"]["transactionInfo"]["originalTransactionId"], "999999999999999"))
        extra["notificationUUID"] = "00000000-0000-4000-8000-000000000001"
        extra["data"]["transactionInfo"]["transactionId"] = "999999999999998"
        kept.append(extra)
        truth["999999999999999"] = "unknown"
        (self.folder / "v2.ndjson").write_text("".join(json.dumps(event) + "\n" for event in kept))
        return truth

    def lists(self) -> str:
        truth = self.server()
        base = ["parity", "--legacy", self.folder / "v1.ndjson", "--server", self.folder / "v2.ndjson", "--as-of", str(self.asOf)]
        table, lines, report = (self.folder / name for name in ("access.csv", "access.ndjson", "report.json"))
        self.suite.run(*base, "--quiet", "--access", table, "--report", report, status=1)
        self.suite.run(*base, "--quiet", "--access", lines, status=1)
        with table.open(newline="") as file:
            rows = list(csv.DictReader(file))
        found = {}
        for row in rows:
            one, two = row["v1Access"], row["v2Access"]
            outcome = (
                "unknown" if "unknown" in (one, two) else "lockedOut" if (one, two) == ("yes", "no")
                else "servedForFree" if (one, two) == ("no", "yes") else "endsEarlier" if row["v2Until"] < row["v1Until"] else "endsLater"
            )  # fmt: skip
            found[row["originalTransactionId"]] = outcome
        expected = {id: outcome for id, outcome in truth.items() if outcome != "same"}
        require(found == expected, f"listed: {found}, planted: {expected}")
        require(list(found) == sorted(found, key=int), "rows are sorted by id")
        by_id = {row["originalTransactionId"]: row for row in rows}
        revoked = by_id[self.events[1]["data"]["transactionInfo"]["originalTransactionId"]]
        require(revoked["v2Reason"] == "refunded" and revoked["v1Reason"] == "active" and revoked["v2Until"].endswith("Z"), str(revoked))
        expired = by_id[self.events[4]["data"]["transactionInfo"]["originalTransactionId"]]
        require(expired["v2Reason"] == "expired" and expired["v1Record"] == "5", str(expired))
        require(by_id["999999999999999"]["v1Record"] == "" and by_id["999999999999999"]["v1Reason"] == "unknown", str(by_id["999999999999999"]))
        objects = [json.loads(line) for line in lines.read_text().splitlines()]
        require([one["originalTransactionId"] for one in objects] == list(found), "NDJSON has the same rows")
        require(all(isinstance(one.get("v2Until", 0), int) for one in objects), "dates are milliseconds in NDJSON")
        totals = json.loads(report.read_text())["access"]
        customers = totals.pop("customers")
        require({one["originalTransactionId"]: one["outcome"] for one in customers} == expected, str(customers))
        counts = {name: list(truth.values()).count(name) for name in ("same", "lockedOut", "servedForFree", "endsEarlier", "endsLater", "unknown")}
        require(totals == {"asOf": self.asOf, "subscriptions": len(truth), **counts}, f"{totals}, planted: {counts}")
        text = self.suite.run(*base, "--access", "-", status=1).stdout
        flat = " ".join(text.split())
        require("2 locked out: access in V1, no access in V2" in flat and "the full list is in standard output" in flat, text[:4000])
        plain = json.loads(self.suite.run(*base, "--format", "json", status=1).stdout)
        require(plain["access"] == totals | {"customers": customers}, "totals and customers do not need the list")
        for form in ("text", "markdown", "html"):
            shown = self.suite.run(*base, "--format", form, status=1).stdout
            for id, outcome in expected.items():
                require(id in shown, f"{form} shows {id}, {outcome}")
            require("--access FILE.csv" in shown, f"{form} says how to get the list")
        flat = " ".join(self.suite.run(*base, status=1).stdout.split())
        require(flat.index("locked out: access in V1, no access in V2: the customer cannot") < flat.index("no access since"), flat[:3000])
        return f"{len(truth)} subscriptions"

    def gate(self) -> str:
        """--max-access-changes counts customers at their last known state; a baseline accepts them by type and direction."""
        inputs = ["--legacy", self.folder / "v1.ndjson", "--server", self.folder / "v2.ndjson"]
        base = ["parity", "--quiet", *inputs]
        loose = ["--min-agreement", "0%", "--max-missing", "100%", "--max-end-changes", "100%"]
        report = self.folder / "gate.json"

        def gates(*words: str, status: int, time: int = self.asOf) -> dict[str, Any]:
            self.suite.run(*base, *words, "--as-of", str(time), "--report", report, status=status)
            return {one["name"].split()[0]: one for one in json.loads(report.read_text())["gates"]}

        for most, status in ((None, 1), (1, 1), (2, 0)):
            found = gates(*loose, *(["--max-access-changes", str(most)] if most is not None else []), status=status)["access"]
            require(found["holds"] == (status == 0) and "for 2 customers (2 locked out, 0 served for free)" in found["message"], str(found))
        known = self.folder / "gate.known.json"
        self.suite.run("baseline", "record", "--quiet", "--reason", "x", "--baseline", known, *inputs, "--as-of", str(self.asOf))
        found = gates("--baseline", known, "--max-missing", "100%", status=0)["access"]
        require("the baseline accepts 2" in found["message"], str(found))
        baseline = json.loads(known.read_text())
        baseline["differences"] = [one for one in baseline["differences"] if one["path"] != "entitlement"]
        known.write_text(json.dumps(baseline))
        found = gates("--baseline", known, "--max-missing", "100%", status=1)
        require(not found["access"]["holds"] and not found["baseline"]["holds"], str(found))
        # Everybody's period is over by then: nobody gains or loses anything any more.
        later = self.events[6]["data"]["transactionInfo"]["expiresDate"] + 30 * DAY
        found = gates(*loose, status=0, time=later)["access"]
        require("no customer gains or loses access" in found["message"], str(found))
        return "2 customers"

    def many(self) -> str:
        """Ten customers are shown, those who lose access first; the report says how many are not and where the list is."""
        count = 40
        source, server = self.folder / "forty.v1.ndjson", self.folder / "forty.v2.ndjson"
        source.write_bytes(b"".join(message(number) + b"\n" for number in range(count)))
        events = [json.loads(line) for line in self.suite.run("convert", "--quiet", "--plain", source).stdout.splitlines()]
        lost = []
        for number, event in enumerate(events):
            info = event["data"]["transactionInfo"]
            if number >= count - 4:
                info.update(revocationDate=self.asOf - DAY, revocationReason=0)
                lost.append(info["originalTransactionId"])
            else:
                info["expiresDate"] += DAY
                event["data"].get("renewalInfo", {}).pop("renewalDate", None)
        server.write_text("".join(json.dumps(event) + "\n" for event in events))
        listed = self.folder / "forty.csv"
        base = ["parity", "--legacy", source, "--server", server, "--as-of", str(self.asOf), "--access", listed]
        for form in ("text", "markdown", "html"):
            shown = self.suite.run(*base, "--format", form, status=1).stdout
            require(all(id in shown for id in lost), f"{form} shows all who lose access")
            words = " ".join(shown.replace("\\", "").split())
            require("30 more customers are not shown here; the full list is in" in words and "forty.csv" in words, f"{form}: {words[:3000]}")
        return f"{count} customers"

    def swapped(self) -> str:
        """The same archives the other way around: what was locked out is served for free."""
        many = self.folder / "reversed.ndjson"
        many.write_text((self.folder / "v2.ndjson").read_text())
        outcome = self.suite.run("parity", "--legacy", self.folder / "v1.ndjson", "--server", many, "--access", self.folder / "x.pdf", status=2)
        require(".csv" in outcome.stderr, outcome.stderr)
        same = self.folder / "same.ndjson"
        same.write_text("".join(json.dumps(event) + "\n" for event in self.events))
        self.suite.run("parity", "--quiet", "--legacy", self.folder / "v1.ndjson", "--server", same, "--access", self.folder / "none.csv")
        require((self.folder / "none.csv").read_text().count("\n") == 1, "only the header row is left where nothing differs")
        return ""

    def all_pairs(self) -> str:
        """One difference in 300 pairs: JSON lists them all, and the page has a link to each."""
        count = 300
        source, server = self.folder / "pairs.v1.ndjson", self.folder / "pairs.v2.ndjson"
        source.write_bytes(b"".join(message(number) + b"\n" for number in range(count)))
        events = [json.loads(line) for line in self.suite.run("convert", "--quiet", "--plain", source).stdout.splitlines()]
        for event in events:
            event["data"]["transactionInfo"]["productId"] += ".other"
        server.write_text("".join(json.dumps(event) + "\n" for event in reversed(events)))
        report, page = self.folder / "pairs.json", self.folder / "pairs.html"
        base = ["parity", "--legacy", source, "--server", server, "--max-access-changes", "1000"]
        printed = self.suite.run(*base, "--format", "json", "--report", report, "--report", page, status=1).stdout
        document = json.loads(report.read_text())
        require(json.loads(printed) == document, "standard output has the same document")
        planted = [(number + 1, count - number) for number in range(count)]
        product = [one for one in document["differences"] if one["path"] == "data.transactionInfo.productId"]
        require(len(product) == 1 and product[0]["count"] == count, str(document["differences"])[:500])
        for one in document["differences"]:
            require(len(one["pairs"]) == one["count"], f"{one['path']}: {len(one['pairs'])} pairs of {one['count']}")
        require([(one["legacyRecord"], one["serverRecord"]) for one in product[0]["pairs"]] == planted, "all pairs, by V1 record")
        html = page.read_text()
        anchors = set(re.findall(r'id="(pair-\d+)"', html))
        anchors |= {f"pair-{row[0]}" for row in told.on_demand(html, "pair-data")["rows"]}
        links = {f"pair-{row[-1]}" for row in told.on_demand(html, "find-data")["rows"] if row[-1]}
        require(links == anchors and len(links) == count, f"{len(links)} links, {len(anchors)} pairs of {count}")
        require(f"V1 record {count}, V2 record 1" in html, "each pair is named")
        text = self.suite.run(*base, status=1).stdout
        require("JSON list all" in " ".join(text.split()) or len(document["differences"]) <= 5, text[:3000])
        return f"{count} pairs, {page.stat().st_size >> 10} KiB of HTML"

    def all_differences(self) -> str:
        """Differences that fail are never cut short: JSON lists all, and each row of the page links to a pair that has it."""
        count, kinds = 40, 130
        source = self.folder / "many.v1.ndjson"
        source.write_bytes(b"".join(message(number) + b"\n" for number in range(count)))
        lines = self.suite.run("convert", "--quiet", "--plain", source).stdout.splitlines()
        events, planted = [json.loads(line) for line in lines], {}
        for number in range(kinds):
            name = f"newMember{number}"
            for event in (number % count, (number + 7) % count):
                events[event]["data"]["transactionInfo"][name] = number
            planted[f"data.transactionInfo.{name}"] = sorted({number % count + 1, (number + 7) % count + 1})
        server, report, page = self.folder / "many.v2.ndjson", self.folder / "many.json", self.folder / "many.html"
        server.write_text("".join(json.dumps(event) + "\n" for event in events))
        base = ["parity", "--quiet", "--legacy", source, "--server", server, "--strict", "unknown"]
        text = self.suite.run("parity", *base[2:], "--verbose", "--report", report, "--report", page, status=1).stdout
        differences = json.loads(report.read_text())["differences"]
        found = {one["path"]: [pair["legacyRecord"] for pair in one["pairs"]] for one in differences}
        require(found == planted, f"{len(found)} differences, {kinds} planted")
        require(all(one["count"] == 2 and one["class"] == "unknown" and one["state"] == "new" for one in differences), str(differences[:3]))
        html = page.read_text()
        anchors = set(re.findall(r'id="(pair-\d+)"', html))
        anchors |= {f"pair-{row[0]}" for row in told.on_demand(html, "pair-data")["rows"]}
        table = html[html.index('id="differences"'):]
        table = table[: table.index("</table>")]
        links = re.findall(r'href="#(pair-\d+)"', table)
        require(len(links) == kinds and all(link in anchors for link in links), f"{len(links)} links of {kinds}")
        require(all(name.split(".")[-1] in text for name in planted), "--verbose lists all")
        # A baseline that knows all but one: that one fails.
        baseline = self.folder / "known.json"
        self.suite.run("baseline", "record", "--quiet", "--reason", "x", "--baseline", baseline, *base[2:])
        known = json.loads(baseline.read_text())
        left_out = known["differences"].pop(50)
        known["differences"][60]["atMost"] = 1
        baseline.write_text(json.dumps(known))
        self.suite.run(*base, "--baseline", baseline, "--report", report, status=1)
        states = {one["path"]: one["state"] for one in json.loads(report.read_text())["differences"]}
        require(states == {left_out["path"]: "new", known["differences"][60]["path"]: "grown"}, str(states))
        shown = self.suite.run("baseline", "check", "--baseline", baseline, *base[2:], status=1).stdout
        require(all(path in shown for path in states), shown)
        return f"{kinds} differences"

    def counted(self) -> str:
        """Customers whose last records are no pair: the gate, the differences, the page and the list count the same ones."""
        count, in_pairs = 40, 4
        source, server = self.folder / "counted.v1.ndjson", self.folder / "counted.v2.ndjson"
        source.write_bytes(b"".join(message(number) + b"\n" for number in range(count)))
        events = [json.loads(line) for line in self.suite.run("convert", "--quiet", "--plain", source).stdout.splitlines()]
        expired, lost = [], []
        for number, event in enumerate(events[: count - 6]):
            info = event["data"]["transactionInfo"]
            lost.append(info["originalTransactionId"])
            if number < in_pairs:
                info.update(revocationDate=self.asOf - DAY, revocationReason=0)
                continue
            # V2 alone has it: the period ended earlier, so the last records of the customer are no pair.
            later = json.loads(json.dumps(event))
            later.update(notificationType="EXPIRED", subtype="VOLUNTARY", notificationUUID=f"00000000-0000-4000-8000-{number:012}")
            later["signedDate"] = self.asOf
            later["data"]["transactionInfo"].update(expiresDate=self.asOf - DAY, signedDate=self.asOf)
            later["data"].get("renewalInfo", {}).pop("renewalDate", None)
            expired.append(later)
        server.write_text("".join(json.dumps(event) + "\n" for event in events + expired))
        listed, report, page = (self.folder / f"counted.{end}" for end in ("csv", "json", "html"))
        base = ["parity", "--legacy", source, "--server", server, "--as-of", str(self.asOf), "--max-missing", "100%"]
        self.suite.run(*base, "--quiet", "--access", listed, "--report", report, "--report", page, status=1)
        document = json.loads(report.read_text())
        with listed.open(newline="") as file:
            rows = [row for row in csv.DictReader(file) if (row["v1Access"], row["v2Access"]) == ("yes", "no")]
        require(sorted(row["originalTransactionId"] for row in rows) == sorted(lost), f"{len(rows)} rows, {len(lost)} planted")
        require(document["access"]["lockedOut"] == len(lost), str(document["access"]))
        gate = next(one for one in document["gates"] if one["name"] == "access")
        require(f"for {len(lost)} customers ({len(lost)} locked out, 0 served for free)" in gate["message"], str(gate))
        changes = [one for one in document["differences"] if one["path"] == "entitlement"]
        require(sum(one["customers"] for one in changes) == len(lost), str([(one["count"], one["customers"]) for one in changes]))
        for one in document["differences"]:
            require(len(one["pairs"]) == one["count"], f"{one['path']}: {len(one['pairs'])} listed of {one['count']}")
        records = {(int(row["v1Record"]), int(row["v2Record"])) for row in rows}
        found = {(pair["legacyRecord"], pair["serverRecord"]) for one in changes for pair in one["pairs"]}
        require(found == records, f"{len(found)} records in differences, {len(records)} in the list")
        html = page.read_text()
        places = [row[5] for row in told.on_demand(html, "find-data")["rows"]]
        for one, two in sorted(records):
            is_listed = any(re.search(rf"V1 record {one}\b.*V2 record {two}\b", place) for place in places)
            require(is_listed, f"the page lists record {one} and {two}")
        require(f"{count - 6 - in_pairs} customers at the end of the common time" in html, html[:3000])
        return f"{len(lost)} customers, {in_pairs} of them in pairs"

    def answers(self) -> str:
        """Histories and statuses list a customer many times: the newest period of the newest answer is the last known state."""
        count, month, lost = 8, 30 * DAY, []
        archive, newest = [], []
        for number in range(count):
            record = json.loads(message(number))
            for age in (2, 1, 0):
                body = json.loads(json.dumps(record))
                entries = [one for one in body["unified_receipt"]["latest_receipt_info"]][:1]
                body["unified_receipt"]["latest_receipt_info"] = [
                    self.earlier(entries[0], month * back, back) for back in range(age, 3)
                ]
                archive.append((age, json.dumps(body)))
            newest.append(archive[-1][1])
        # The newest message of each customer comes first, as a table that is sorted the other way has it.
        source, last = self.folder / "answers.v1.ndjson", self.folder / "answers.last.ndjson"
        source.write_text("\n".join(text for _, text in sorted(archive, key=lambda one: one[0])) + "\n")
        last.write_text("\n".join(newest) + "\n")
        for shape in ("history", "statuses"):
            lines = self.suite.run("convert", "--quiet", "--plain", "--emit", shape, last).stdout.splitlines()
            server, listed = self.folder / f"answers.{shape}.ndjson", self.folder / f"answers.{shape}.csv"
            base = ["parity", "--quiet", "--legacy", source, "--server", server, "--as-of", str(self.asOf), "--access", listed, "--max-missing", "100%"]
            server.write_text("\n".join(lines) + "\n")
            self.suite.run(*base, status=(0, 1))
            with listed.open(newline="") as file:
                rows = list(csv.DictReader(file))
            require(rows == [], f"{shape}: {len(rows)} of {count} customers differ, and none does: {rows[:1]}")
            changed, lost = [], []
            for number, line in enumerate(map(json.loads, lines)):
                items = line["transactions"] if shape == "history" else [line["data"][0]["lastTransactions"][0]["transactionInfo"]]
                if number % 2:
                    items = [max(items, key=lambda one: one["purchaseDate"])]
                    items[0].update(revocationDate=self.asOf - DAY, revocationReason=0)
                    lost.append(items[0]["originalTransactionId"])
                changed.append(json.dumps(line))
            server.write_text("\n".join(changed) + "\n")
            self.suite.run(*base, status=1)
            with listed.open(newline="") as file:
                rows = list(csv.DictReader(file))
            found = [(row["originalTransactionId"], row["v1Access"], row["v2Access"], row["v2Reason"]) for row in rows]
            require(found == [(id, "yes", "no", "refunded") for id in sorted(lost, key=int)], f"{shape}: {found}")
        return f"{count} customers, {len(lost)} locked out"

    @staticmethod
    def earlier(entry: dict[str, Any], by: int, periods: int) -> dict[str, Any]:
        """The entry of an earlier period of the same subscription."""
        older = {}
        for name, value in entry.items():
            if name in ("purchase_date_ms", "expires_date_ms"):
                older[name] = str(int(value) - by)
            elif name in ("transaction_id", "web_order_line_item_id"):
                older[name] = str(int(value) - periods)
            elif not name.startswith(("purchase_date", "expires_date")):
                older[name] = value
        return older

    def past(self) -> str:
        """Records later than --as-of count as far as their dates allow; expected from what was planted, not from the program."""
        source, server = self.folder / "past.v1.ndjson", self.folder / "past.v2.ndjson"
        source.write_bytes(b"".join(message(number) + b"\n" for number in range(3)))
        lines = []
        for number, event in enumerate(self.events[:3]):
            lines.append(event)
            later = json.loads(json.dumps(event))
            later["notificationUUID"] = f"00000000-0000-4000-8000-{number:012}"
            info, renewal = later["data"]["transactionInfo"], later["data"]["renewalInfo"]
            if number == 0:
                later.update(notificationType="REFUND", signedDate=self.asOf + DAY // 2)
                later.pop("subtype", None)
                later["data"]["status"] = 5
                info.update(revocationDate=self.asOf + DAY // 2, revocationReason=0, signedDate=self.asOf + DAY // 2)
            elif number == 1:
                bought = self.expires + 40 * DAY
                later.update(notificationType="SUBSCRIBED", subtype="RESUBSCRIBE", signedDate=bought)
                info.update(purchaseDate=bought, expiresDate=bought + 30 * DAY, signedDate=bought)
                info.update(transactionId=str(int(info["transactionId"]) + 7), webOrderLineItemId=str(int(info["webOrderLineItemId"]) + 7))
                renewal.update(renewalDate=bought + 30 * DAY, signedDate=bought)
            if number < 2:
                lines.append(later)
        server.write_text("".join(json.dumps(event) + "\n" for event in lines))
        listed, report = self.folder / "past.ndjson", self.folder / "past.json"
        base = ["parity", "--quiet", "--legacy", source, "--server", server, "--max-missing", "100%", "--max-end-changes", "100%", "--access", listed, "--report", report]
        ids = [event["data"]["transactionInfo"]["originalTransactionId"] for event in self.events[:3]]
        expected = {
            self.asOf: {ids[0]: ("yes", "yes", "active", self.asOf + DAY // 2)},
            self.expires + DAY: {ids[0]: ("no", "no", "refunded", self.asOf + DAY // 2)},
            self.expires + 41 * DAY: {
                ids[0]: ("no", "no", "refunded", self.asOf + DAY // 2),
                ids[1]: ("no", "yes", "active", self.expires + 70 * DAY),
            },
        }
        for time, truth in expected.items():
            free = any(row[:2] == ("no", "yes") for row in truth.values())
            self.suite.run(*base, "--as-of", str(time), status=1 if free else 0)
            rows = [json.loads(line) for line in listed.read_text().splitlines()]
            found = {row["originalTransactionId"]: (row["v1Access"], row["v2Access"], row["v2Reason"], row["v2Until"]) for row in rows}
            require(found == truth, f"at {time}: {found}, planted {truth}")
        return f"{len(expected)} times"


def run(suite: Suite) -> None:
    parts = Parts(suite)
    suite.part("lists", parts.lists)
    suite.part("gate", parts.gate)
    suite.part("counted", parts.counted)
    suite.part("answers", parts.answers)
    suite.part("past", parts.past)
    suite.part("many", parts.many)
    suite.part("swapped", parts.swapped)
    suite.part("all-pairs", parts.all_pairs)
    suite.part("all-differences", parts.all_differences)
    told.run(suite)
