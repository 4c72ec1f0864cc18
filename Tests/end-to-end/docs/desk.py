"""A folder as a user has it: exports, notifications, receipts, stores and databases under the names that the texts use.

Everything in it is made from Fixtures and Examples. Commands run in a copy of it, so that none meets what another left.
"""

import csv
import gzip
import hashlib
import json
import os
import shutil
import sqlite3
from pathlib import Path
from urllib.parse import unquote, urlsplit

from harness import ROOT, Suite, anew, run

# The subscription that the texts ask for.
SUBSCRIPTION = "1000000412345678"
# A rule of a user's own, for `mappings check` and `--mappings`.
RULE = {"family": "transaction", "from": "latest_receipt_info", "to": "JWSTransactionDecodedPayload", "rules": [
    {"id": "transaction.item_id", "from": ["item_id", "app_item_id"], "relation": "legacyOnly",
     "meaning": {"v1": "Our warehouse joins by it."}, "source": "V1-LRI"}]}
# What stands for programs that this machine may not have: the clipboard of another system, a reader of manual pages.
STAND_INS = {"pbpaste": 'cat "$SLIPCAST_TOKEN"', "man": "cat"}
# Folders of a home that completions go to.
HOME = (".local/share/bash-completion/completions", ".zfunc", ".config/fish/completions")


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def one_line(path: Path) -> str:
    """A JSON document as one line of text."""
    return json.dumps(json.loads(path.read_text(encoding="utf-8-sig")))


def rows(path: Path, records: list[str]) -> None:
    """Records as an export of a table has them, each with its id and a time."""
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["id", "payload", "created_at"])
        table.writerows([number, record, "2021-03-01 10:00:00"] for number, record in enumerate(records))


class Desk:
    """The folder, and how commands run in a copy of it."""

    def __init__(self, suite: Suite):
        self.folder = anew(suite.folder / "desk")
        self.pristine = anew(self.folder / "pristine")
        for name, body in STAND_INS.items():
            (suite.bin / name).write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
            (suite.bin / name).chmod(0o755)
        self.environment = {"SLIPCAST_TOKEN": str(self.pristine / "token")}
        self.copies = 0
        self.records = self.notifications()
        self.files()
        self.stores()
        self.database()

    def notifications(self) -> list[str]:
        """Records of all kinds, one a line."""
        found = []
        for path in sorted((ROOT / "Fixtures/notifications").glob("*/v1.json")):
            arguments = path.parent / "arguments.txt"
            # A row that wraps its record is read only where it says so.
            if not (arguments.exists() and "--body" in arguments.read_text(encoding="utf-8")):
                found.append(one_line(path))
        return found

    def files(self):
        desk, records = self.pristine, self.records
        pair = ROOT / "Fixtures/pairs/price-consent-1-v2-1"
        for name in ("v1.json", "v2.json"):
            shutil.copy(pair / name, desk / name)
        for folder in ("exports", "archive", "v1", "v2", "parity", ".build", *HOME):
            (desk / folder).mkdir(parents=True)
        (desk / "exports/2021-03.json").write_text("\n".join(records[:20]) + "\n")
        for month, part in (("01", records[20:40]), ("02", records[40:60])):
            with gzip.open(desk / f"exports/2021-{month}.json.gz", "wt", encoding="utf-8") as file:
                file.write("\n".join(part) + "\n")
        for name in ("archive/march.ndjson", "archive.ndjson", "notifications.ndjson"):
            (desk / name).write_text("\n".join(records) + "\n", encoding="utf-8")
        example = ROOT / "Examples/migration"
        shutil.copy(example / "v1.ndjson", desk / "v1/v1.ndjson")
        shutil.copy(example / "v2.ndjson", desk / "v2/v2.ndjson")
        shutil.copy(example / "known.json", desk / "known.json")
        with gzip.open(desk / "v2.ndjson.gz", "wb") as file:
            file.write((example / "v2.ndjson").read_bytes())
        shutil.copy(ROOT / "Fixtures/receipts/signed/app-production/receipt.base64", desk / "receipt.b64")
        request = {"receipt-data": (desk / "receipt.b64").read_text(), "exclude-old-transactions": False}
        (desk / "request.json").write_text(json.dumps(request))
        receipts = "".join(one_line(path) + "\n" for path in sorted((ROOT / "Fixtures/receipts").glob("*/v1.json")))
        (desk / "receipts.ndjson").write_text(receipts, encoding="utf-8")
        rows(desk / "rows.csv", records[:20])
        providers = ROOT / "Examples/providers"
        for name in ("history.ndjson", "users.csv"):
            shutil.copy(providers / name, desk / name)
        order = {"endpoint": "orders", "id": "MSLIP00012", "environment": "Production", "page": 1}
        (desk / "orders.ndjson").write_text(json.dumps({"status": 0, "signedTransactions": ["a.b.c"], "slipcast": order}) + "\n")
        for version in ("v1", "v2"):
            rows(desk / f"{version}.csv", lines(example / f"{version}.ndjson"))
        (desk / "journal").mkdir()
        (desk / "journal/journal.json").write_text('{"slipcastJournal":1,"id":"00000000-0000-4000-8000-000000000000"}\n')
        event = {"number": 1, "receivedAt": 1795510641518, "version": "V1", "id": "x", "body": records[0]}
        rest = json.dumps(event, separators=(",", ":"))[1:]
        head = f'{{"sum":"{hashlib.sha256(rest.encode()).hexdigest()[:16]}",'
        (desk / "journal/0000000000000001.ndjson").write_text(head + rest + "\n")
        (desk / "accepted.txt").write_text("data.transactionInfo.appAccountToken  rewritten in 2024\n")
        (desk / "rules").mkdir()
        (desk / "rules/own.json").write_text(json.dumps(RULE), encoding="utf-8")

    def stores(self):
        """What commands have left behind: converted records, identities, stores."""
        setup = (
            "slipcast convert --quiet archive.ndjson > v2.ndjson",
            "slipcast identity --quiet identity && cp -R identity id",
            "slipcast convert --quiet --exit-zero archive.ndjson --sign id > signed.ndjson",
            "slipcast convert --quiet v1/ --to v2.sqlite --execute",
            "slipcast convert --quiet --exit-zero --emit history receipts.ndjson > history.ndjson",
            "slipcast convert --quiet --exit-zero --emit statuses receipts.ndjson > statuses.ndjson",
        )
        for command in setup:
            self.prepare(command)
        token = json.loads(lines(self.pristine / "signed.ndjson")[0])["signedPayload"]
        (self.pristine / "token").write_text(token, encoding="utf-8")
        story = (ROOT / "Fixtures/archives/subscription/v1.ndjson").read_text(encoding="utf-8")
        (self.pristine / "story.ndjson").write_text(story.replace("730001209001000", SUBSCRIPTION), encoding="utf-8")
        self.prepare("slipcast convert --quiet --body /body --received-at /received_at story.ndjson"
                     " --to archive.sqlite --execute")
        with sqlite3.connect(self.pristine / "shop.db") as shop:
            shop.execute("CREATE TABLE v1 (id INTEGER PRIMARY KEY, payload TEXT, at TEXT)")
            rows = [(record, "2021-03-01T00:00:00Z") for record in self.records]
            shop.executemany("INSERT INTO v1 (payload, at) VALUES (?, ?)", rows)
            shop.execute("CREATE TABLE v2 (id INTEGER PRIMARY KEY, body TEXT)")
            v2 = [(line,) for line in lines(self.pristine / "signed.ndjson")]
            shop.executemany("INSERT INTO v2 (body) VALUES (?)", v2)

    def prepare(self, command: str):
        run(["bash", "-c", command], folder=self.pristine, environment=self.environment)

    def database(self):
        """The shop's database, in the server that SLIPCAST_POSTGRES names; libpq finds it by the environment."""
        url = urlsplit(os.environ["SLIPCAST_POSTGRES"])
        self.environment.update(
            PGHOST=url.hostname, PGPORT=str(url.port), PGUSER=url.username, PGPASSWORD=unquote(url.password),
            PGDATABASE="shop")
        for name in ("shop", "archive"):
            for statement in (f"DROP DATABASE IF EXISTS {name}", f"CREATE DATABASE {name}"):
                self.prepare(f"PGDATABASE=postgres PGOPTIONS='-c client_min_messages=error' psql -qc '{statement}'")
        rows = "".join(
            "{}\t{}\t2021-03-01T00:00:00Z\n".format(number, record.replace("\\", "\\\\"))
            for number, record in enumerate(self.records, start=1))
        (self.folder / "rows").write_text(rows, encoding="utf-8")
        for table in ("v1_notifications", "notifications", "v1"):
            self.prepare(
                f"psql -qc 'CREATE TABLE {table} (id bigint PRIMARY KEY, body jsonb, received_at timestamptz)'"
                f" && psql -qc '\\copy {table} FROM {self.folder / 'rows'}'")

    def copy(self) -> Path:
        """A fresh copy; the repository's folders stand in it under their names."""
        self.copies += 1
        place = self.folder / f"copy{self.copies}"
        shutil.copytree(self.pristine, place)
        for name in ("Examples", "Fixtures", "Mappings", "Sources", "Tests"):
            (place / name).symlink_to(ROOT / name)
        return place

    def run(self, command: str, place: Path) -> tuple[int, str]:
        """The exit status and all that a terminal would show."""
        command = ["bash", "-c", f"set -o pipefail\n{command}"]
        settings = {**self.environment, "HOME": str(place)}
        done = run(command, folder=place, environment=settings, status=(), merged=True, seconds=60)
        return done.status, done.stdout
