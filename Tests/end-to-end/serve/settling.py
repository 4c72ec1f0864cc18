"""`serve --settle`: readings that earlier events of the journal settle, and nothing else."""

import json
import random
import shutil
import sqlite3
import sys
import time
from pathlib import Path

from harness import ROOT, require
from parts import Parts, lines
from server import Server, service, serving

sys.path.append(str(ROOT / "Tests/end-to-end/lifecycles"))

from forms import bodies  # noqa: E402
from model import DAY  # noqa: E402

START = 1_640_000_000_000


def message(subscription: int, kind: str, periods: list[tuple[int, int]], **more: object) -> bytes:
    """A V1 notification with the list of all periods, newest first; times in days after the start."""
    original = 5000 + subscription * 100
    rows = [
        {
            "product_id": "m", "original_transaction_id": str(original), "transaction_id": str(original + number),
            "web_order_line_item_id": str(70_000 + original + number), "subscription_group_identifier": "20",
            "purchase_date_ms": str(START + int(begin * DAY)), "expires_date_ms": str(START + int(end * DAY)),
        }
        for number, (begin, end) in enumerate(periods)
    ]  # fmt: skip
    status = str(more.pop("status", "true"))
    renewal = {"original_transaction_id": str(original), "product_id": "m", "auto_renew_product_id": "m",
               "auto_renew_status": "1" if status == "true" else "0", **(more.pop("renewal", {}))}  # fmt: skip
    body = {"notification_type": kind, "environment": "PROD", "bid": "com.example.settle", "auto_renew_status": status,
            "unified_receipt": {"latest_receipt_info": rows[::-1], "pending_renewal_info": [renewal]}, **more}  # fmt: skip
    return json.dumps(body).encode()


def reading(line: str) -> tuple[str, str, list[str], list[int]]:
    """Event, confidence, facts, and the events that show them."""
    record = json.loads(line)
    settled = record["migration"].get("settled", {})
    event = record["notificationType"] + (f"/{record['subtype']}" if record.get("subtype") else "")
    return event, record["migration"]["confidence"], settled.get("facts", []), [one["record"] for one in settled.get("by", [])]


class Settling(Parts):
    def settles(self, folder: Path) -> str:
        """Earlier messages count, later ones do not; `convert JOURNAL --settle` uses both."""
        soon = [(0, 30), (30 + 1 / 1440, 60)]
        late = [(0, 30), (30 + 1 / 24, 60)]
        retry = {"is_in_billing_retry_period": "1", "expiration_intent": "2"}
        sent = [
            # The period ended because auto-renew was off, so the purchase a minute later is a return and no renewal.
            message(
                1, "DID_CHANGE_RENEWAL_STATUS", soon[:1], status="false", renewal={"expiration_intent": "1"},
                auto_renew_status_change_date_ms=str(START + 10 * DAY),
            ),  # fmt: skip
            message(1, "DID_CHANGE_RENEWAL_STATUS", soon, auto_renew_status_change_date_ms=str(START + 30 * DAY + 60_000)),
            # A renewal an hour late is a recovery, because a failure was reported before.
            message(2, "DID_FAIL_TO_RENEW", late[:1], renewal=retry),
            message(2, "DID_RENEW", late),
            # The same, but the failure arrives too late.
            message(3, "DID_RENEW", late),
            message(3, "DID_FAIL_TO_RENEW", late[:1], renewal=retry),
        ]
        target = folder / "v2.ndjson"
        with service() as one:
            words = ["--to", target, "--forward", f"v2=http://127.0.0.1:{one.port}/", "--settle"]
            with serving(self.slipcast, folder, *words) as server:
                for data in sent:
                    require(server.send(data) == 200, "a notification is accepted")
                server.delivered()
                require(server.metric("settled_total") == 2, "two readings are settled")
        found = [reading(line) for line in lines(target)]
        require(found[1] == ("SUBSCRIBED/RESUBSCRIBE", "corroborated", found[1][2], [1]) and found[1][2], f"a return: {found[1]}")
        require(found[3] == ("DID_RENEW/BILLING_RECOVERY", "corroborated", ["failedBefore"], [3]), f"a recovery: {found[3]}")
        require(found[4][1:] == ("ambiguous", [], []), f"a later message changes no line: {found[4]}")
        forwarded = [body.decode() for body in one.bodies]
        require(forwarded == lines(target), f"a forward receives other lines:\n{forwarded}\n{lines(target)}")
        whole = self.suite.run("convert", "--quiet", "--settle", folder / "journal").stdout.splitlines()
        require(whole[:4] + whole[5:] == lines(target)[:4] + lines(target)[5:], "convert settles the others in the same way")
        require(reading(whole[4]) == ("DID_RENEW/BILLING_RECOVERY", "corroborated", ["failedBefore"], [6]), f"with all messages: {reading(whole[4])}")
        alone = folder / "alone"
        with serving(self.slipcast, alone, "--to", alone / "v2.ndjson") as server:
            for data in sent:
                server.send(data)
            server.delivered()
            require("settled" not in server.get("/metrics"), "without --settle nothing is settled")
        require(not any(reading(line)[2] for line in lines(alone / "v2.ndjson")), "without --settle each record is read alone")
        require(not (alone / "journal/history.sqlite").exists(), "without --settle no history is kept")
        return ""

    def filled(self, folder: Path, customers: int) -> tuple[Path, int]:
        """A journal with the messages of simulated lives, in the order of sending, and how many they are."""
        messages = bodies(self.suite.options.seed, customers)
        with serving(self.slipcast, folder) as server:
            for one in messages:
                require(server.send(one.encode()) == 200, "a notification is accepted")
        return folder / "journal", len(messages)

    def prefixes(self, folder: Path) -> str:
        """A line is what `convert --settle` writes for the last event of the journal up to there; no settled one is wrong."""
        journal, _ = self.filled(folder, 10)
        stored = next(journal.glob("0*.ndjson")).read_bytes().splitlines(keepends=True)
        target, part = folder / "v2.ndjson", folder / "part.ndjson"
        with serving(self.slipcast, folder, "--to", target, "--settle") as server:
            server.delivered()
        found = lines(target)
        require(len(found) == len(stored), "each event has a line")
        settled = checked = 0
        for number in range(1, len(stored) + 1):
            # Most documented readings cannot be settled.
            if number % 10 and reading(found[number - 1])[1] == "documented":
                continue
            part.write_bytes(b"".join(stored[:number]))
            expected = self.suite.run("convert", "--quiet", "--settle", part).stdout.splitlines()[-1]
            require(found[number - 1] == expected, f"line {number}\n{found[number - 1]}\nis not\n{expected}")
            checked += 1
            settled += "settled" in json.loads(expected)["migration"]
        require(settled > 3, f"only {settled} of {checked} lines are settled")
        return f"{len(stored)} events, {checked} compared, {settled} settled"

    def changed_history(self, folder: Path) -> str:
        """A history that was changed, cut or damaged is made again, and the lines are the same; another's is left alone."""
        journal, _ = self.filled(folder, 10)
        with serving(self.slipcast, folder, "--to", folder / "whole.ndjson", "--settle") as server:
            server.delivered()
        expected = (folder / "whole.ndjson").read_bytes()
        require(expected.count(b'"settled"') > 1, "too few lines are settled")
        history = journal / "history.sqlite"
        require(not history.with_name("history.sqlite-wal").exists(), "a server that has ended leaves one file")
        good = history.read_bytes()

        def execute(statements: str) -> None:
            history.write_bytes(good)
            with sqlite3.connect(history) as store:
                store.executescript(statements)
            store.close()

        cases = [
            "UPDATE message SET subscription = (SELECT subscription FROM message ORDER BY place LIMIT 1)",
            "DELETE FROM message WHERE place % 3 = 0", "DELETE FROM question", "UPDATE question SET number = -number",
            "UPDATE state SET position = position - 3", "DELETE FROM state", "DROP TABLE message", "DROP TABLE question",
        ]  # fmt: skip
        damages = [lambda text=text: execute(text) for text in cases]
        damages += [lambda part=part: history.write_bytes(good[: len(good) * part // 4]) for part in range(1, 4)]
        damages.append(lambda: history.write_bytes(b"nonsense" * 1000))
        for number, damage in enumerate(damages):
            damage()
            target = folder / f"v2-{number}.ndjson"
            with serving(self.slipcast, folder, "--to", target, "--settle") as server:
                server.delivered()
                require(b"mended" in server.log.read_bytes().split(b"ended\n")[-1], f"damage {number} is not a line of the log")
            require(target.read_bytes() == expected, f"damage {number} gave other lines")
        history.unlink()
        with sqlite3.connect(history) as store:
            store.execute("CREATE TABLE message (a)")
        store.close()
        other = history.read_bytes()
        words = ["--listen", "127.0.0.1:0", "--journal", journal, "--to", folder / "v2.ndjson", "--settle"]
        refused = self.suite.run("serve", *words, status=2, seconds=20)
        require("another program made this database; move it to another folder" in refused.stderr, refused.stderr)
        require(history.read_bytes() == other, "the database of another program was changed")
        return f"{len(damages)} damages"

    def settling_kills(self, folder: Path) -> str:
        """Killed at any moment, and with a history that is lost or damaged: the same lines."""
        customers = 18 if self.suite.options.kills > 1 else 12
        journal, count = self.filled(folder, customers)
        target = folder / "whole.ndjson"
        with serving(self.slipcast, folder, "--to", target, "--settle") as server:
            server.delivered()
        expected = target.read_bytes()
        require(expected.count(b'"settled"') > 1, "too few lines are settled")
        chance, kills = random.Random(f"{self.suite.options.seed} settling"), 0
        for kind in ("v2.ndjson", "v2.sqlite"):
            place = folder / kind.replace(".", "-")
            place.mkdir()
            shutil.copytree(journal, place / "journal", ignore=shutil.ignore_patterns("history*", "target*"))
            history = place / "journal/history.sqlite"
            for number in range(self.suite.options.kills + 3):
                server = Server(self.slipcast, place, "--to", place / kind, "--settle")
                time.sleep(chance.uniform(0, 0.15))
                server.end(9)
                kills += 1
                if number % 4 == 1:
                    history.unlink(missing_ok=True)
                    history.with_name("history.sqlite-wal").unlink(missing_ok=True)
                elif number % 4 == 3 and history.exists():
                    history.write_bytes(b"nonsense" * 1000)
                elif number % 4 == 0 and history.exists() and history.stat().st_size > 3 * 4096:
                    # Damage behind the pages that are read when the database is opened.
                    with history.open("r+b") as file:
                        file.seek(2 * 4096)
                        file.write(b"nonsense" * 1024)
            with serving(self.slipcast, place, "--to", place / kind, "--settle") as server:
                server.delivered()
                require(server.health()["status"] == "ok", server.get("/healthz"))
            if kind == "v2.ndjson":
                require((place / kind).read_bytes() == expected, "a killed server wrote other lines")
            else:
                text = self.suite.run("convert", "--quiet", place / kind).stdout
                require(sorted(text.encode().splitlines()) == sorted(expected.splitlines()), "a killed server stored other lines")
            for path in place.glob("journal/*"):
                require(path.stat().st_mode & 0o777 == 0o600, f"others can read {path.name}")
            # A damaged history is made again on start, and filled when an event needs it.
            with sqlite3.connect(history) as store:
                position = store.execute("select position from state").fetchone()[0]
            require(position in (0, expected.count(b"\n")), f"the history ends with event {position}")
        return f"{kills} kills, {count} messages, {expected.count(b'settled')} settled"
