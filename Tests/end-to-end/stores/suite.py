"""Stores that hold both sides of a migration: whose records commands read, the table of states, kept bodies, killed runs.

Both databases are asked the same; what is expected comes from files, or from a run that nobody disturbed.
"""

import csv
import io
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from argparse import ArgumentParser
from pathlib import Path
from urllib.parse import quote

import postgresql
from harness import FIXTURES, Outcome, Program, Suite, chance, require

sys.path.append(str(Path(__file__).resolve().parent.parent / "verify-receipt"))
from setting import Setting, receipt  # noqa: E402

POSTGRESQL = True
# The endings of a table's columns are those of timeline --states.
COLUMNS = ["originalTransactionId", "validFrom", "validTo", "status", "access", "reason", "productId", "autoRenewStatus",
           "expiresDate", "offerType", "confidence", "evidence"]  # fmt: skip
IS_V1 = re.compile('"(notification_type|receipt|latest_receipt_info)":')
NUMBERS = {"validFrom", "validTo", "status", "autoRenewStatus", "expiresDate", "offerType"}


class Store:
    """A database by its location, asked without slipcast."""

    def __init__(self, location: str) -> None:
        self.location = location

    def ask(self, query: str) -> list[list[str]]:
        if not self.location.startswith("postgres"):
            with sqlite3.connect(f"file:{self.location}?mode=ro", uri=True) as store:
                return [["" if one is None else str(one) for one in row] for row in store.execute(query)]
        shown = subprocess.run(["psql", "-X", "--csv", "-t", "-c", query, self.location], capture_output=True, check=True, text=True)
        return list(csv.reader(io.StringIO(shown.stdout)))

    def rows(self) -> list[list[str]]:
        """All that the records say, without the numbers of runs."""
        return self.ask('SELECT place, origin, kind, uuid, source, record, body FROM "both" ORDER BY place')


def compact(path: Path) -> str | None:
    """The record of a fixture on one line."""
    try:
        return json.dumps(json.loads(path.read_text()), separators=(",", ":"), ensure_ascii=False)
    except ValueError:
        return None


def is_made(text: str) -> bool:
    """Slipcast made the id (version 5): such a record is a conversion, which a store refuses."""
    return re.search(r'"notificationUUID":"[0-9a-fA-F-]{14}5', text) is not None or '"migration"' in text


class Parts:
    def __init__(self, suite: Suite) -> None:
        self.suite, self.folder, self.made = suite, suite.folder, 0
        self.v1, self.v2 = self.folder / "v1.ndjson", self.folder / "v2.ndjson"
        pairs = sorted((FIXTURES / "pairs").iterdir())
        one = [text for folder in pairs if (text := compact(folder / "v1.json")) and IS_V1.search(text)]
        two = [text for folder in pairs if (text := compact(folder / "v2.json")) and not is_made(text)]
        require(len(one) > 100 and len(two) > 100, "the fixtures have pairs")
        self.v1.write_text("".join(line + "\n" for line in one))
        self.v2.write_text("".join(line + "\n" for line in two))

    def run(self, *words: object, **more: object) -> Outcome:
        return self.suite.run(*words, **{"status": (0, 1), **more})

    def stores(self) -> list[Store]:
        """An empty place in each database."""
        self.made += 1
        url = os.environ[postgresql.NAME]
        subprocess.run(["psql", "-X", "-q", "-c", f"CREATE SCHEMA stores{self.made}", url], check=True, capture_output=True)
        return [Store(str(self.folder / f"store{self.made}.sqlite")), Store(f"{url}?options={quote(f'-csearch_path=stores{self.made}')}")]

    def fill(self, store: Store, *words: object, **more: object) -> Outcome:
        return self.run("convert", *words, "--to", store.location, "--execute", "--quiet", **more)

    # MARK: sides

    def sides(self) -> str:
        """Each command reads one side, whatever else is in the store, and says what it leaves out."""
        alone = {"v1": self.stores(), "v2": self.stores()}
        for store in alone["v1"]:
            self.fill(store, self.v1)
        for store in alone["v2"]:
            self.fill(store, self.v2)
        count = 0
        orders = ([self.v1, self.v2], [self.v2, self.v1, self.v1])
        for order in orders[:1] if self.suite.options.quick else orders:
            for number, store in enumerate(self.stores()):
                for source in order:
                    self.fill(store, source)
                only = {side: stores[number] for side, stores in alone.items()}
                for words in (["timeline", "--format", "json"], ["convert", "--group"], ["convert"], ["replay", "--sign", self.identity(), "--to", "http://127.0.0.1:9/"]):
                    for side in ("v1", "v2"):
                        wanted = self.run(words[0], only[side].location, *words[1:], "--quiet")
                        chosen = self.run(words[0], store.location, *words[1:], "--quiet", "--side", side)
                        require(self.same(chosen, wanted), f"{words[0]} --side {side} reads another side: {order}")
                        count += 1
                    default = self.run(words[0], store.location, *words[1:])
                    require("holds both sides" in default.stderr and "--side v2" in default.stderr, default.stderr)
                    require(self.same(default, self.run(words[0], only["v1"].location, *words[1:])), f"{words[0]} reads V1 unless told otherwise")
                both = self.run("convert", store.location, "--side", "both", "--quiet").stdout
                require(both.count("\n") == len(store.rows()), "--side both passes all on")
                told = self.run("timeline", store.location, "--side", "both", "--format", "text", "--quiet").stdout
                require("(V2)" in told and "V1 does not state" not in told.split("(V2)", 1)[1].split("\n  2", 1)[0], f"V2's events: {told[:2000]}")
                self.parity(store, only["v2"])
        refused = self.run("convert", self.v1, "--side", "v1", status=2).stderr
        require("--side chooses the records of a store" in refused, refused)
        return f"{count} readings of one side"

    def identity(self) -> Path:
        path = self.folder / "identity"
        if not path.exists():
            self.run("identity", path, "--quiet")
        return path

    @staticmethod
    def same(one: Outcome, other: Outcome) -> bool:
        """The same lines, whatever places the records have; replay tells how much it would send."""
        def plain(outcome: Outcome) -> list[str]:
            sent = re.findall(r"[\d,]+ requests go to", outcome.stderr)
            return sorted(re.sub(r'"(record|place|evidence)":(\d+|\[[\d,]*\])', "", outcome.stdout).splitlines()) + sent
        return plain(one) == plain(other)

    def parity(self, store: Store, only: Store) -> None:
        """The server's side of a store are Apple's records."""
        words = ["parity", "--legacy", self.v1, "--format", "json", "--server"]
        found, wanted = (json.loads(self.run(*words, one.location).stdout) for one in (store, only))
        for report in (found, wanted):
            for name in ("server", "sources", "options", "made"):
                report.pop(name, None)
        require(found["pairs"] == wanted["pairs"], f"{found['pairs']}, expected {wanted['pairs']}")

    # MARK: states

    def told(self, store: Store) -> list[str]:
        """The rows of timeline --states."""
        lines = self.run("timeline", store.location, "--quiet", "--states", "-").stdout.splitlines()
        return sorted(json.dumps(json.loads(line), sort_keys=True) for line in lines)

    def kept(self, store: Store) -> list[str]:
        """The rows of the table."""
        found = []
        for row in store.ask(f"SELECT {', '.join(COLUMNS)} FROM states"):
            values = {name: int(text) if name in NUMBERS else text for name, text in zip(COLUMNS, row) if text != ""}
            values["evidence"] = json.loads(str(values["evidence"]))
            found.append(json.dumps(values, sort_keys=True))
        return sorted(found)

    def states(self) -> str:
        """The table has the rows of timeline --states, after each run, whatever it adds; also for runs that were killed."""
        lines, count = self.v1.read_text().splitlines(), 0
        pieces = [self.folder / f"piece{number}.ndjson" for number in range(4)]
        for number, piece in enumerate(pieces):
            piece.write_text("".join(line + "\n" for line in lines[number::4]))
        for store in self.stores():
            for source in (self.v2, *pieces, pieces[0], self.v1):
                self.fill(store, source)
                told = self.told(store)
                require(told == self.kept(store), f"after {source.name} the table has other rows than timeline --states")
                sides = [row[0] for row in store.ask("SELECT DISTINCT origin FROM states")]
                require(sides == ["v2" if source == self.v2 else "v1"], f"the states are of {sides}")
                require(store.ask("SELECT count(*) FROM runs WHERE statesAt IS NULL") == [["0"]], "a run is not judged")
                count += len(told)
        return f"{count} rows"

    # MARK: bodies

    def bodies(self) -> str:
        """V1 records are kept without their secret; elsewhere the option is refused."""
        secret, records = "SECRET-SLIPCAST-stores", []
        for line in self.v1.read_text().splitlines():
            record = json.loads(line)
            record |= {"password": secret, "raw": json.dumps({"password": secret, "a": 1}), "My_Secret": secret, "more": [{"sharedSecret": secret, "kept": 1}]}
            records.append(record)
        server = [{**json.loads(line), "shared_secret": secret, "raw": json.dumps({"password": secret})} for line in self.v2.read_text().splitlines()]
        source, other = self.folder / "secrets.ndjson", self.folder / "secrets2.ndjson"
        source.write_text("".join(json.dumps(record) + "\n" for record in records))
        other.write_text("".join(json.dumps(record) + "\n" for record in server))
        for store in self.stores():
            self.fill(store, source, other, "--keep-bodies")
            kept = store.ask("SELECT b.body, n.origin, n.record FROM bodies b JOIN \"both\" n ON n.place = b.place ORDER BY b.place")
            count = int(store.ask("SELECT count(*) FROM v1")[0][0])
            require(len(kept) == count and {row[1] for row in kept} == {"v1"}, f"{len(kept)} bodies of {count} records")
            for body, _, number in kept:
                wanted = dict(records[int(number) - 1])
                for name in ("password", "My_Secret"):
                    wanted.pop(name)
                wanted |= {"more": [{"kept": 1}], "raw": '{"a":1}'}
                require(json.loads(body) == wanted, f"another body: {body[:300]}")
            require(not any(secret in body for *_, body in store.rows()), "the secret is in a record")
            if not store.location.startswith("postgres"):
                require(secret.encode() not in Path(store.location).read_bytes(), "the secret is in the file")
        for target in ([], ["--to", self.folder / "v2.ndjson"]):
            refused = self.run("convert", source, "--keep-bodies", *target, status=2).stderr
            require("--keep-bodies is for databases" in refused, refused)
        return f"{len(records)} records"

    # MARK: kills

    def kills(self) -> str:
        """Killed runs of both sides, resumed, leave what an undisturbed run writes, states included."""
        source = self.folder / "mixed.ndjson"
        one, two = (path.read_text().splitlines() for path in (self.v1, self.v2))
        history = json.dumps({"hasMore": False, "notificationHistory": [json.loads(line) for line in two[:20] if '"notificationType"' in line]})
        source.write_text("\n".join([line for pair in zip(one, two) for line in pair] + [history, *one, *two]) + "\n")
        times = 2 if self.suite.options.quick else 3
        expected, *targets = [store for _ in range(times) for store in self.stores()]
        began = time.monotonic()
        self.fill(expected, source)
        # Runs of a fast program are over soon: kills come within the time that one took.
        took = time.monotonic() - began
        kills = 0
        for number, store in enumerate(targets):
            words = [str(self.suite.slipcast), "convert", str(source), "--to", store.location, "--execute", "--quiet", "--checkpoint-every", "0"]
            program, luck = Program(self.suite.slipcast), chance(self.suite.options.seed, number)
            for attempt in range(60):
                run = program.start([*words, *(["--resume"] if attempt else [])], self.folder)
                outcome = run.signal_after(luck.uniform(0.1 * took, (0.7 + attempt * 0.1) * took), signal.SIGKILL).end()
                kills += outcome.was_killed
                if not outcome.was_killed:
                    require(outcome.status in (0, 1), "it fails", outcome)
                    break
            require(store.rows() == expected.rows(), f"other rows after kills: {len(store.rows())}, expected {len(expected.rows())}")
            require(self.kept(store) == self.told(expected), "other states after kills")
        require(kills > (0 if self.suite.options.quick else 3), f"{kills} runs were killed")
        return f"{kills} kills"


    # MARK: outlets

    def outlets(self) -> str:
        """verify-receipt and export say the same of a customer from each database as from the file."""
        setting = Setting(self.suite)
        one, other = setting.customer(), setting.customer("730000000000000")
        file = setting.write("customers.ndjson", [*one, *other])
        stores = [Store(str(file)), *self.stores()]
        for store in stores[1:]:
            self.fill(store, file)
        answers, exports = [], []
        for store in stores:
            answer = setting.ask({"receipt-data": receipt("app-production")}, "--v2", store.location)
            answers.append({name: value for name, value in answer.items() if name != "receipt"})
            table = self.folder / f"purchasely{len(exports)}.csv"
            self.run("export", "--for", "purchasely", store.location, "--to", table, "--users", self.users(), "--quiet")
            exports.append(sorted(table.read_text().splitlines()))
        require(len(answers[0]["latest_receipt_info"]) == 3 and len(exports[0]) == 3, f"{answers[0]} {exports[0]}")
        require(answers[0] == answers[1] == answers[2], f"other answers: {answers}")
        require(exports[0] == exports[1] == exports[2], f"other exports: {exports}")
        return f"{len(stores)} sources"

    def users(self) -> Path:
        path = self.folder / "users.csv"
        path.write_text("original_transaction_id,user_id\n510000000000011,u1\n730000000000000,u2\n")
        return path


def options(parser: ArgumentParser) -> None:
    parser.add_argument("--quick", action="store_true", help="the sides in one order, and fewer killed runs")


def run(suite: Suite) -> None:
    parts = Parts(suite)
    for name in ("sides", "states", "bodies", "outlets", "kills"):
        suite.part(name, getattr(parts, name))
