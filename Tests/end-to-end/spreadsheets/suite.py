"""CSV that convert and timeline write, and the views of stores: the same values as in the lines, with ISO dates.

Python's csv module and SQLite read them; the expected cells are made from the JSON lines.
"""

import csv
import gzip
import io
import json
import os
import signal
import sqlite3
import subprocess
import time
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from harness import FIXTURES, Program, Suite, require

POSTGRESQL = True


def iso(milliseconds: int | None, always: bool = False) -> str:
    if milliseconds is None:
        return ""
    moment = datetime.fromtimestamp(milliseconds // 1000, timezone.utc).strftime("%Y-%m-%dT%H:%M:%S")
    fraction = milliseconds % 1000
    return moment + (f".{fraction:03d}" if fraction or always else "") + "Z"


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def cell(value: Any) -> str:
    if value is None:
        return ""
    text = {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)
    return "'" + text if text[:1] in tuple("=+-@\t\r") else text


# The columns of a transaction and of a renewal that are not dates and have the member's own name.
TRANSACTION = "transactionId webOrderLineItemId productId type inAppOwnershipType quantity appAccountToken transactionReason isUpgraded revocationReason revocationType revocationPercentage offerType offerIdentifier offerDiscountType offerPeriod storefront storefrontId price currency appTransactionId billingPlanType previousOriginalTransactionId additionalTransactionReason".split()
RENEWAL = "autoRenewStatus autoRenewProductId expirationIntent isInBillingRetryPeriod priceIncreaseStatus renewalPrice renewalBillingPlanType renewalQuantity".split()


def expected(line: dict[str, Any]) -> list[dict[str, str]]:
    """What the rows of a line must hold."""
    migration = line.get("migration", {})
    account = {"rule": cell(migration.get("rule")), "confidence": cell(migration.get("confidence")),
               "absorbedInto": cell(migration.get("absorbed", {}).get("into")),
               "settledFrom": cell(migration.get("settled", migration.get("narrowed", {})).get("from")), "autoRenewOnSince": iso(migration.get("autoRenewOnSince")),
               "candidates": " ".join("/".join(filter(None, (c["notificationType"], c.get("subtype")))) for c in migration.get("candidates", []))}  # fmt: skip
    if "notificationType" in line:
        data = line.get("data", {})
        head = {name: cell(line.get(name)) for name in ("notificationType", "subtype", "notificationUUID", "version")}
        head |= {"signedDate": iso(line.get("signedDate")), "status": cell(data.get("status"))}
        head |= {name: cell(data.get(name)) for name in ("bundleVersion", "consumptionRequestReason")}
        items = [(data, data.get("transactionInfo", {}), data.get("renewalInfo", {}), {})]
    elif "transactions" in line:
        head = dict.fromkeys(("notificationType", "subtype", "notificationUUID", "signedDate", "status"), "")
        items = [(line, one, {}, {}) for one in line["transactions"]]
    else:
        head = dict.fromkeys(("notificationType", "subtype", "notificationUUID", "signedDate"), "")
        items = [(line, one.get("transactionInfo", {}), one.get("renewalInfo", {}), one) for group in line["data"] for one in group["lastTransactions"]]
    result = []
    for data, transaction, renewal, item in items:
        row = {**head, **account}
        if item:
            row["status"] = cell(item.get("status"))
        ids = (one.get("originalTransactionId") for one in (transaction, renewal, item))
        row["originalTransactionId"] = cell(next((id for id in ids if id is not None), None))
        for name in ("environment", "bundleId", "appAppleId"):
            row[name] = cell(data.get(name, transaction.get(name) if name != "appAppleId" else None))
        row |= {name: cell(transaction.get(name)) for name in TRANSACTION}
        row |= {name: iso(transaction.get(name)) for name in ("purchaseDate", "originalPurchaseDate", "expiresDate", "revocationDate")}
        row |= {name: cell(renewal.get(name)) for name in RENEWAL}
        row |= {name: iso(renewal.get(name)) for name in ("gracePeriodExpiresDate", "renewalDate", "recentSubscriptionStartDate")}
        for name in ("offerType", "offerIdentifier", "offerDiscountType", "offerPeriod", "currency", "productId"):
            row["renewal" + name[0].upper() + name[1:]] = cell(renewal.get(name))
        row |= {"transactionSignedDate": iso(transaction.get("signedDate")), "renewalSignedDate": iso(renewal.get("signedDate"))}
        result.append(row)
    return result


class Sheets:
    def __init__(self, suite: Suite) -> None:
        self.suite, self.folder = suite, suite.folder
        self.records = [p for kind in ("notifications", "receipts") for p in sorted(FIXTURES.glob(f"{kind}/*/v1.json"))]

    def compare(self, table: str, lines: str) -> int:
        found = rows(table)
        wanted = [row for line in lines.splitlines() for row in expected(json.loads(line))]
        require(len(found) == len(wanted), f"{len(found)} rows, {len(wanted)} expected")
        for number, (one, two) in enumerate(zip(found, wanted), 1):
            for name, value in two.items():
                require(one[name] == value, f"row {number}, {name}: {one[name]!r}, expected {value!r}")
            require(None not in one and None not in one.values(), f"row {number} has as many cells as the header")
        return len(found)

    def fixtures(self) -> str:
        """All fixtures, in every shape, have the cells of their lines."""
        counts = []
        for words in ([], ["--emit", "history"], ["--emit", "statuses"], ["--plain"]):
            table, lines = self.folder / "all.csv", self.folder / "all.ndjson"
            base = ["convert", "--quiet", "--exit-zero", *words]
            self.suite.run(*base, "--to", table, *self.records)
            self.suite.run(*base, "--to", lines, *self.records)
            text = table.read_bytes().decode()
            require(text.endswith("\r\n") and "\n" not in text.replace("\r\n", ""), "lines end as in RFC 4180")
            counts.append(self.compare(text, lines.read_text()))
        return f"{counts} rows"

    def same_bytes(self) -> str:
        """Compressed, with several workers, from a store, and with --dedupe the table is the same."""
        plain = self.folder / "one.csv"
        base = ["convert", "--quiet", "--exit-zero", *self.records]
        self.suite.run(*base, "--to", plain, "--jobs", 1)
        for name, words in (("jobs.csv", ["--jobs", 4]), ("packed.csv.gz", []), ("packed.csv.zst", [])):
            self.suite.run(*base, "--to", self.folder / name, *words)
        require((self.folder / "jobs.csv").read_bytes() == plain.read_bytes(), "the number of workers changes nothing")
        require(gzip.decompress((self.folder / "packed.csv.gz").read_bytes()) == plain.read_bytes(), "gzip holds the table")
        unpacked = subprocess.run(["zstd", "-dcq", self.folder / "packed.csv.zst"], capture_output=True, check=True).stdout
        require(unpacked == plain.read_bytes(), "zstd holds the table")
        store, copied, lines = self.folder / "events.sqlite", self.folder / "copied.csv", self.folder / "copied.ndjson"
        self.suite.run(*base, "--to", store, "--execute")
        self.suite.run("convert", "--quiet", store, "--to", copied)
        self.suite.run("convert", "--quiet", store, "--to", lines)
        rows = self.compare(copied.read_bytes().decode(), lines.read_text())
        self.suite.run("convert", "--quiet", "--sign", "x", "--to", self.folder / "s.csv", self.records[0], status=2)
        return f"{rows} rows of a store"

    def grouped(self) -> str:
        """--group writes the rows of its lines."""
        archive = FIXTURES / "archives/subscription"
        base = ["convert", "--quiet", "--group", "--body", "/body", "--received-at", "/received_at", archive / "v1.ndjson"]
        self.suite.run(*base, "--to", self.folder / "g.csv")
        return f"{self.compare((self.folder / 'g.csv').read_bytes().decode(), (archive / 'grouped.ndjson').read_text())} rows"

    def formulas(self) -> str:
        """Texts that a spreadsheet would compute, quotes, commas and line feeds come back as they were."""
        record = json.loads((FIXTURES / "notifications/did-renew/v1.json").read_text())
        hostile = ['=HYPERLINK("x")', "+1", "-1", "@a", 'a"b,c', "line\nfeed", "line\rreturn", "plain"]
        source = self.folder / "hostile.ndjson"
        source.write_text("".join(json.dumps({**record, "bid": text, "auto_renew_product_id": text}) + "\n" for text in hostile))
        self.suite.run("convert", "--quiet", "--exit-zero", source, "--to", self.folder / "h.csv")
        found = [row["bundleId"] for row in rows((self.folder / "h.csv").read_bytes().decode())]
        require(found == [cell(text) for text in hostile], str(found))
        return ""

    def resumed(self) -> str:
        """A run that is killed and resumed has the same bytes, header included."""
        source, whole = self.folder / "many.ndjson", self.folder / "whole.csv"
        text = (FIXTURES / "notifications/did-renew/v1.json").read_text()
        body = json.dumps(json.loads(text))
        source.write_text("".join(body.replace("730001", f"{730001 + n}") + "\n" for n in range(4000)))
        self.suite.run("convert", "--quiet", source, "--to", whole)
        kills = 0
        for name, seconds in (("first.csv", 0.0), ("middle.csv", 0.3), ("packed.csv.gz", 0.3)):
            out, checkpoint = self.folder / name, self.folder / f"{name}.json"
            words = [self.suite.slipcast, "convert", "--quiet", source, "--to", out, "--checkpoint", checkpoint, "--checkpoint-every", "0"]
            process = subprocess.Popen([str(word) for word in words])
            time.sleep(seconds)
            process.send_signal(signal.SIGKILL)
            kills += process.wait() == -signal.SIGKILL
            self.suite.run(*words[1:], "--resume")
            data = out.read_bytes()
            data = gzip.decompress(data) if name.endswith(".gz") else data
            require(data == whole.read_bytes(), f"{name} differs from the run that was not killed")
        require(kills > 0, "no run was killed")
        return f"{kills} kills"

    def timeline(self) -> str:
        """One row for each event, merged message and gap of a timeline."""
        archive = FIXTURES / "archives/subscription"
        words = (archive / "arguments.txt").read_text().split()
        out = self.folder / "t.csv"
        self.suite.run("timeline", "--quiet", *words, archive / "v1.ndjson", "--to", out, status=(0, 1))
        lines = self.suite.run("timeline", "--quiet", "--format", "json", *words, archive / "v1.ndjson", status=(0, 1)).stdout
        shown = self.suite.run("timeline", "--quiet", "--format", "csv", *words, archive / "v1.ndjson", status=(0, 1)).stdout
        found = rows(out.read_bytes().decode())
        require(rows(shown) == found, "standard output has the same table")
        wanted = [one for one in map(json.loads, lines.splitlines()) if one["kind"] in ("event", "companion", "gap")]
        require(len(found) == len(wanted) > 5, f"{len(found)} rows, {len(wanted)} expected")
        for one, two in zip(found, wanted):
            for name in ("kind", "originalTransactionId", "notificationType", "subtype", "notificationUUID", "productId", "rule", "confidence", "lead", "source", "meaning", "comparable"):
                require(one[name] == cell(two.get(name)), f"{name}: {one[name]!r}, expected {two.get(name)!r}")
            require((one["time"], one["expiresDate"]) == (iso(two.get("time")), iso(two.get("expiresDate"))), str(one))
        packed = self.folder / "t.csv.gz"
        self.suite.run("timeline", "--quiet", *words, archive / "v1.ndjson", "--to", packed, status=(0, 1))
        require(gzip.decompress(packed.read_bytes()) == out.read_bytes(), "gzip holds the table")
        self.suite.run("timeline", "--format", "json", archive / "v1.ndjson", "--to", out, status=2)
        return f"{len(found)} rows"

    def views(self) -> str:
        """The views of both databases have the values of the lines."""
        lines = [json.loads(line) for line in self.suite.run("convert", "--quiet", "--exit-zero", "--dedupe", *self.records).stdout.splitlines()]
        events = {line["notificationUUID"]: line for line in lines if "notificationType" in line}
        query = "SELECT notificationUUID, signedDate, originalTransactionId, purchaseDate, expiresDate, renewalDate, appAppleId FROM events_view"
        store = self.folder / "views.sqlite"
        address = os.environ["SLIPCAST_POSTGRES"]
        for target in (store, address):
            self.suite.run("convert", "--quiet", "--exit-zero", *self.records, "--to", target, "--execute")
        found = {"SQLite": sqlite3.connect(store).execute(query).fetchall(), "PostgreSQL": self.ask(address, query)}
        for name, table in found.items():
            require(len(table) == len(events), f"{name}: {len(table)} rows, {len(events)} events")
            for row in table:
                line = events[row[0]]
                data = line.get("data", {})
                transaction, renewal = data.get("transactionInfo", {}), data.get("renewalInfo", {})
                wanted = [line["notificationUUID"], iso(line.get("signedDate"), True),
                          transaction.get("originalTransactionId") or renewal.get("originalTransactionId") or "",
                          *(iso(transaction.get(key), True) for key in ("purchaseDate", "expiresDate")),
                          iso(renewal.get("renewalDate"), True), str(data.get("appAppleId", ""))]  # fmt: skip
                require([value or "" for value in row] == wanted, f"{name}: {row}, expected {wanted}")
        count = sqlite3.connect(store).execute("SELECT (SELECT count(*) FROM transactions_view), (SELECT count(*) FROM transactions)").fetchone()
        require(count[0] == count[1] > 0, str(count))
        state = self.ask(address, "SELECT state, finishedAt FROM runs_view")
        require(state[0][0] == "finished" and state[0][1].endswith("Z"), str(state))
        return f"{len(events)} events in each"

    def ask(self, address: str, query: str) -> list[list[str]]:
        shown = subprocess.run(["psql", "-X", "--csv", "-t", "-c", query, address], capture_output=True, check=True, text=True).stdout
        return list(csv.reader(io.StringIO(shown)))


def run(suite: Suite) -> None:
    sheets = Sheets(suite)
    for part in ("fixtures", "same_bytes", "grouped", "formulas", "resumed", "timeline", "views"):
        suite.part(part.replace("_", "-"), getattr(sheets, part))
