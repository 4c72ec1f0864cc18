"""Runs that are killed and resumed, and runs that continue a finished one."""

import hashlib
import json
import re
import signal
import time
from collections import Counter
from pathlib import Path

from harness import Process, chance, plain, require
from mock import BUNDLE, DAY, Reply, failure, transaction
from setting import Setting, anew, lines, v1


def sealed(state: bytes) -> bytes:
    """A state with the digest that it should have."""
    start = state.index(b'"sha256":"') + len(b'"sha256":"')
    digest = hashlib.sha256(state[:start] + b"0" * 64 + state[start + 64 :]).hexdigest()
    return state[:start] + digest.encode() + state[start + 64 :]


def chained(log: bytes, run: dict) -> bytes:
    """A log of that run with the checksums that it should have: each covers its event, with its lines, and all before."""
    identity = f"{run['options']} {run['begin']}"
    last, written = hashlib.sha256(f"{len(identity)}\n{identity}".encode()).hexdigest(), b""
    while log:
        end = log.index(b"\n")
        event, content = json.loads(log[:end]), log[: log.rindex(b',"sum":"', 0, end)]
        lines = log[end + 1 : end + 1 + event.get("bytes", 0)]
        last = hashlib.sha256(last.encode() + content + lines).hexdigest()[:16]
        written += content + f',"sum":"{last}"}}\n'.encode() + lines
        log = log[end + 1 + len(lines) :]
    return written


class Resuming(Setting):
    def kills(self, kind: str, folder: Path) -> None:
        """Killed at random moments: no finished request is sent twice, and the bytes are those of a whole run."""
        customers = self.world(120, periods=3)
        mock = self.mock(*customers, page=2)
        ids = [one.transactions[0]["originalTransactionId"] for one in customers]
        mock.hook = self.pause
        archive = self.archive(folder, [v1(id) for id in ids + ["12", "13"]])
        archive.write_text(archive.read_text() + "{\"broken\":\n")
        whole = folder / f"whole.{kind}"
        base = ["--rate", 3000, "--connections", 4, "--checkpoint"]
        began = time.monotonic()
        words = ["--rejects", folder / "rejects", *base, folder / "whole.json"]
        self.fetch(mock, "history", archive, "--to", whole, *words, status=1)
        seconds = time.monotonic() - began
        random = chance(self.suite.options.seed, "fetch", kind)
        for round in range(self.suite.options.kills):
            place = anew(folder / f"round-{round}")
            out = place / f"v2.{kind}"
            mock.requests.clear()
            words = ["fetch", "history", archive, "--to", out, "--missing", place / "missing", "--rejects", place / "rejects", *base, place / "run.json",
                     *self.credentials(mock), "--execute", "--resume"]  # fmt: skip
            killed = 0
            for attempt in range(60):
                process = Process([str(word) for word in [self.suite.slipcast, *words]], folder, [], None)
                process.signal_after(random.uniform(0.02, seconds), signal.SIGKILL)
                outcome = process.end()
                if outcome.status == 1:
                    break
                require(outcome.was_killed, f"exit status {outcome.status}", outcome)
                killed += 1
                self.search_files(place, mock)
            else:
                self.suite.run(*words, status=1)
            require(plain(out) == plain(whole), "the output differs from that of a whole run")
            require(kind == "ndjson.zst" or out.read_bytes() == whole.read_bytes(), "the bytes differ")
            require(out.read_bytes() == whole.read_bytes(), "the bytes differ")
            asked = Counter((request.path, str(request.query)) for request in mock.requests)
            twice = sum(count - 1 for count in asked.values())
            require(twice <= 4 * killed, f"{twice} requests were sent again after {killed} kills")
            require([line["id"] for line in lines(place / "missing")] == ["12", "13"], "missing ids")
            require((place / "rejects").read_bytes() == (folder / "rejects").read_bytes(), "the rejects differ")
            left = {path.name for path in place.iterdir()}
            require(left == {out.name, "missing", "rejects", "run.json", "run.json.revisions"}, f"files: {left}")
        mock.stop()

    @staticmethod
    def pause(request):
        time.sleep(0.001)
        return None

    def resumes(self, folder: Path) -> None:
        """An interrupted run says how to continue; other inputs and options are refused."""
        customers = self.world(60)
        mock = self.mock(*customers)
        ids = [one.transactions[0]["originalTransactionId"] for one in customers]
        archive = self.archive(folder, [v1(id) for id in ids])
        out, run = folder / "v2.ndjson", folder / "run.json"
        base = ["--to", out, "--checkpoint", run, "--rate", 20]
        words = ["fetch", "history", archive, *base, *self.credentials(mock), "--execute"]
        process = Process([str(word) for word in [self.suite.slipcast, *words]], folder, [], None)
        time.sleep(1)
        limits = Path(f"/proc/{process.process.pid}/limits").read_text()
        require(re.search(r"Max core file size +0 ", limits), "a crash would write the key to a core file")
        outcome = process.signal_after(1.5, signal.SIGTERM).end()
        require(outcome.status == 2 and "--resume" in outcome.stderr, "no word about --resume", outcome)
        require(not out.exists() and Path(f"{out}.part").exists(), "the unfinished file has its final name")
        again = self.fetch(mock, "history", archive, *base, status=2)
        require("--resume" in again.stderr, "an unfinished run was overwritten", again)
        other = self.fetch(mock, "statuses", archive, *base, "--resume", status=2)
        require("another run" in other.stderr, "another endpoint was accepted", other)
        archive.write_text(archive.read_text() + json.dumps(v1("5")) + "\n")
        other = self.fetch(mock, "history", archive, *base, "--resume", status=2)
        require("changed" in other.stderr, "a changed input was accepted", other)
        self.archive(folder, [v1(id) for id in ids])
        # The server is gone for a while; what has arrived is kept.
        mock.hook = lambda request: self.unauthorized_reply() if len(mock.requests) > 45 else None
        stopped = self.fetch(mock, "history", archive, "--to", out, "--checkpoint", run, "--rate", 500, "--resume", status=2)
        require("401" in stopped.stderr and "--resume" in stopped.stderr, "", stopped)
        mock.hook = lambda request: None
        mock.requests.clear()
        self.fetch(mock, "history", archive, "--to", out, "--checkpoint", run, "--rate", 500, "--resume")
        require([line["slipcast"]["id"] for line in lines(out)] == ids, "lines are missing")
        require(len(mock.requests) < 40, "what had arrived was requested again")
        mock.stop()

    @staticmethod
    def unauthorized_reply():
        return Reply(401, b"Unauthenticated")

    def continues(self, folder: Path) -> None:
        """A finished checkpoint requests each customer from its last revision, and appends only what is new."""
        two = [transaction("730000000001000"), transaction("730000000002000")]
        customers = self.signer.customers([two, self.life(5000, 3)])
        mock = self.mock(*customers)
        archive = self.archive(folder, [v1("730000000001000"), v1("730000000002000"), v1("730000000005000")])
        out, run, summary = folder / "v2.ndjson", folder / "run.json", folder / "summary.json"
        base = ["--to", out, "--checkpoint", run, "--summary", summary]
        self.fetch(mock, "history", archive, *base, "--connections", 1)
        before = out.read_bytes()
        mock.requests.clear()
        self.fetch(mock, "history", archive, *base, "--resume")
        require(out.read_bytes() == before, "nothing is new, and the file changed")
        asked = [(request.id, request.query) for request in mock.requests]
        expected = [("730000000001000", {"revision": ["r2"]}), ("730000000005000", {"revision": ["r3"]})]
        require(sorted(asked) == expected, f"requests: {asked}")
        require(self.summary(summary)["found"] == 3, "the covered id is not found")
        life = customers[1]
        life.transactions.append(transaction("730000000005000", 3))
        life.tokens += self.signer.tokens(life.transactions[-1:])
        third = self.world(1)[0]
        mock.add(third)
        self.archive(folder, [v1("730000000001000"), v1("730000000002000"), v1("730000000005000"), v1("730000000000000")])
        mock.requests.clear()
        self.fetch(mock, "history", archive, *base, "--resume")
        added = [json.loads(line) for line in out.read_bytes()[len(before) :].splitlines()]
        require(out.read_bytes().startswith(before), "the lines before changed")
        require([line["signedTransactions"] for line in added] == [life.tokens[3:], third.tokens], f"{len(added)} lines")
        # Statuses have no revision: only what changed is added.
        out, run = folder / "statuses.ndjson", folder / "statuses.json"
        base = ["--to", out, "--checkpoint", run]
        self.fetch(mock, "statuses", archive, *base)
        before = out.read_bytes()
        renewed = self.signer.tokens([{**third.transactions[0], "signedDate": 1_770_000_000_000}])
        third.tokens[:] = renewed
        self.fetch(mock, "statuses", archive, *base, "--resume")
        require(out.read_bytes() == before, "another time of signing is not a change")
        third.transactions[0]["revocationDate"] = 1_761_000_000_000
        third.tokens[:] = self.signer.tokens(third.transactions)
        self.fetch(mock, "statuses", archive, *base, "--resume")
        require(out.read_bytes().count(b"\n") == before.count(b"\n") + 1, "the change is missing")

        # What stands beside the tokens changes too, or all of it goes.
        def look(request, **members):
            reply = mock.look(request, BUNDLE)
            if request.id == "730000000000000":
                reply.body["data"][0]["lastTransactions"][0].update(members)
            return reply

        empty = {"bundleId": BUNDLE, "environment": "Production", "data": []}
        changes = {
            "the status": lambda request: look(request, status=3),
            "the groups": lambda request: Reply(body=empty) if request.id == "730000000000000" else mock.look(request, BUNDLE),
        }
        for name, change in changes.items():
            mock.hook = change
            before = out.read_bytes()
            self.fetch(mock, "statuses", archive, *base, "--resume")
            require(out.read_bytes().count(b"\n") == before.count(b"\n") + 1, f"{name} changed, and no line is added")
            before = out.read_bytes()
            self.fetch(mock, "statuses", archive, *base, "--resume")
            require(out.read_bytes() == before, f"{name} did not change again")
        mock.stop()

    def fails(self, folder: Path) -> None:
        """A customer whose third page failed goes on there later; the pages before are not repeated."""
        customers = self.signer.customers([self.life(1000, 45)])
        mock = self.mock(*customers)
        out, run = folder / "v2.ndjson", folder / "run.json"
        words = [self.archive(folder, [v1("730000000001000")]), "--to", out, "--checkpoint", run]
        mock.hook = lambda request: failure(4_030_000) if request.query.get("revision") == ["r40"] else None
        self.fetch(mock, "history", *words, status=1)
        for status in (1, 0):
            mock.requests.clear()
            if status == 0:
                mock.hook = lambda request: None
            self.fetch(mock, "history", *words, "--resume", status=status)
            require([request.query for request in mock.requests] == [{"revision": ["r40"]}], "earlier pages are requested again")
        tokens = [token for line in lines(out) for token in line["signedTransactions"]]
        require(tokens == customers[0].tokens, f"{len(tokens)} of 45 transactions")
        mock.stop()

    def moves(self, folder: Path) -> None:
        """That production does not know an id is kept, while the sandbox takes its time."""
        customers = self.world(3)
        production, sandbox = self.mock(environment="Production"), self.mock(environment="Sandbox")
        for one in self.signer.customers([self.life(number * 1000, environment="Sandbox") for number in range(3)], environment="Sandbox"):
            sandbox.add(one)
        ids = [one.transactions[0]["originalTransactionId"] for one in customers]
        folder.mkdir(parents=True, exist_ok=True)
        out, given = folder / "v2.ndjson", [word for id in ids for word in ("--id", id)]
        words = ["fetch", "history", *given, "--bundle-id", BUNDLE, "--to", out, "--checkpoint", folder / "run.json", *self.credentials(production),
                 "--sandbox-server", sandbox.url, "--execute", "--resume"]  # fmt: skip
        sandbox.hook = lambda request: Reply(delay=30)
        process = Process([str(word) for word in [self.suite.slipcast, *words]], folder, [], None)
        end = time.monotonic() + 20
        while (len(production.requests) < 3 or not sandbox.requests) and time.monotonic() < end:
            time.sleep(0.01)
        time.sleep(0.3)
        process.signal_after(0, signal.SIGKILL).end()
        require(len(production.requests) == 3, f"{len(production.requests)} requests to production")
        sandbox.hook = lambda request: None
        self.suite.run(*words)
        require(len(production.requests) == 3, "production is asked again")
        require([line["slipcast"]["environment"] for line in lines(out)] == ["Sandbox"] * 3, "other lines")
        production.stop()
        sandbox.stop()

    def ages(self, folder: Path) -> None:
        """A window whose token has expired begins where Apple's notifications begin now, not when the run began."""
        folder.mkdir(parents=True, exist_ok=True)
        mock = self.mock(environment="Production")
        self.notify(mock, 90, "Production")
        out, run = folder / "out.ndjson", folder / "run.json"
        words = ["fetch", "notifications", "--bundle-id", BUNDLE, "--environment", "production", "--to", out, "--checkpoint", run,
                 *self.credentials(mock), "--execute", "--resume"]  # fmt: skip
        mock.hook = lambda request: Reply(delay=30) if len(mock.requests) == 3 else None
        process = Process([str(word) for word in [self.suite.slipcast, *words]], folder, [], None)
        end = time.monotonic() + 20
        while len(mock.requests) < 3 and time.monotonic() < end:
            time.sleep(0.01)
        process.signal_after(0, signal.SIGKILL).end()
        # As if it had begun some hours earlier.
        earlier = lambda name, text: re.sub(rf'"{name}":(\d+)'.encode(), lambda found: b'"%s":%d' % (name.encode(), int(found[1]) - 8_640_000), text)
        run.write_bytes(sealed(earlier("begin", run.read_bytes())))
        pages = Path(f"{run}.pages")
        pages.write_bytes(chained(earlier("start", pages.read_bytes()), json.loads(run.read_bytes())))
        # The mock refuses the early start; a token belongs to it.
        mock.hook = lambda request: failure(4_000_017) if request.query and request.body in early else None
        early = {request.body for request in mock.requests}
        early |= {earlier("startDate", body) for body in early} | {earlier("endDate", earlier("startDate", body)) for body in early}
        mock.requests.clear()
        self.suite.run(*words)
        found = [line["signedPayload"] for line in lines(out)]
        require(len(found) == len(set(found)) == 90, f"{len(found)} of 90 notifications, {len(set(found))} different")
        mock.stop()

    def renews(self, folder: Path) -> None:
        """Later runs for notifications begin where the last window that succeeded ended, each environment for itself."""
        folder.mkdir(parents=True, exist_ok=True)
        production, sandbox = self.mock(environment="Production"), self.mock(environment="Sandbox")
        self.notify(production, 5, "Production")
        self.notify(sandbox, 3, "Sandbox", start=100)
        out, run, summary = folder / "out.ndjson", folder / "run.json", folder / "summary.json"
        base = ["--bundle-id", BUNDLE, "--sandbox-server", sandbox.url, "--to", out, "--checkpoint", run, "--summary", summary]
        production.hook = lambda request: self.error(4_000_012)
        self.fetch(production, "notifications", *base, status=1)
        require(len(lines(out)) == 3, f"{len(lines(out))} lines, expected those of the sandbox")
        # A wrong key changes nothing.
        kept = {path.name: path.read_bytes() for path in folder.iterdir() if path.name.startswith("out")}
        production.hook = sandbox.hook = lambda request: self.unauthorized_reply()
        self.fetch(production, "notifications", *base, "--resume", status=2)
        require(run.exists(), "the checkpoint of a finished run was deleted")
        require(all((folder / name).read_bytes() == data for name, data in kept.items()), "the output changed")
        production.hook = sandbox.hook = lambda request: None
        sandbox.requests.clear()
        self.fetch(production, "notifications", *base, "--resume")
        require(len(lines(out)) == 8, f"{len(lines(out))} lines, expected all 8: the window that failed is requested whole")
        asked = json.loads(sandbox.requests[0].body)
        require(asked["endDate"] - asked["startDate"] < 1.1 * DAY, "the sandbox's window is requested whole again")
        before = out.read_bytes()
        self.fetch(production, "notifications", *base, "--resume")
        require(out.read_bytes() == before, "nothing is new, and the file changed")
        # Ids: pages, and an id that is added later.
        one, two = (production.notifications["Production"][place]["id"] for place in (0, 1))
        for item in production.notifications["Production"]:
            item["id"] = one if item["id"] == one else two
        production.page = 2
        out, run = folder / "ids.ndjson", folder / "ids.json"
        base = ["--bundle-id", BUNDLE, "--environment", "production", "--to", out, "--checkpoint", run, "--summary", summary]
        ids = folder / "ids.txt"
        ids.write_text(f"{one}\n")
        self.fetch(production, "notifications", "--ids", ids, *base)
        require(len(lines(out)) == 1, f"{len(lines(out))} lines")
        ids.write_text(f"{one}\n{two}\n")
        self.fetch(production, "notifications", "--ids", ids, *base, "--resume")
        require(len(lines(out)) == 5, f"{len(lines(out))} lines, expected all of the added id")
        self.fetch(production, "notifications", "--ids", ids, *base, "--resume")
        require(len(lines(out)) == 5 and self.summary(summary)["failed"] == 0, "a token of an earlier request was sent")
        production.stop()
        sandbox.stop()

    def echoes(self, folder: Path) -> None:
        """A server that repeats the token is not believed, and what it sent is not kept."""
        customers = self.world(2)
        mock = self.mock(*customers)
        archive = self.archive(folder, [v1(one.transactions[0]["originalTransactionId"]) for one in customers])
        for status in (200, 400, 500):
            mock.hook = lambda request: Reply(
                status, json.dumps({"errorCode": 1, "errorMessage": request.headers["authorization"]}).encode())  # fmt: skip
            words = ["--to", folder / "out", "--missing", folder / "missing", "--rejects", folder / "rejects"]
            outcome = self.fetch(mock, "history", archive, *words, status=1)
            require("repeats the token" in outcome.stderr, "no word about the token", outcome)
            self.search_files(folder, mock)
            require("eyJ" not in outcome.stderr, "the token is shown", outcome)
        mock.stop()


__all__ = ["Resuming"]
