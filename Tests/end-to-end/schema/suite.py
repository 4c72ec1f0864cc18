"""What the program writes is valid by the schemas that it prints; what it never writes is not.

A validator of others (PyPI, jsonschema) reads every output of every fixture.
"""

import copy
import json
import re
import signal
import subprocess
import sys
import time
import urllib.request
from argparse import ArgumentParser
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from harness import FIXTURES, ROOT, Suite, passed, require, require_none

sys.path.append(str(Path(__file__).resolve().parents[1] / "lifecycles"))
from forms import bodies  # noqa: E402

# Members with these keys and values name objects of Slipcast's own: a stranger in them is a fault.
STRANGER = "slipcastHasNoSuchMember"


def lines(text: str) -> list[Any]:
    return [json.loads(line) for line in text.splitlines()]


def kind_of(document: dict[str, Any]) -> str:
    """The schema of a line of convert."""
    marks = {"notification": "notificationType", "history": "transactions", "statuses": "data"}
    return next((name for name, member in marks.items() if member in document), "app-transaction")


class Schemas:
    def __init__(self, suite: Suite) -> None:
        self.suite, self.seen = suite, {}
        listed = [line.split()[0] for line in suite.run("schema").stdout.splitlines() if line[0] != " "]
        self.names = listed
        self.schemas = {name: json.loads(suite.run("schema", name).stdout) for name in listed}
        self.validators = {name: Draft202012Validator(schema) for name, schema in self.schemas.items()}

    def check(self, name: str, documents: Iterable[tuple[str, Any]]) -> str:
        """Every document is valid; keeps one of each shape for `strict`."""
        problems, count = [], 0
        for label, document in documents:
            count += 1
            shape = (document.get("kind"), "signedPayload" in document)
            self.seen.setdefault(name, {}).setdefault(shape, document)
            for error in self.validators[name].iter_errors(document):
                problems.append(f"{label}: {error.json_path}: {error.message[:300]}")
                break
        require(count > 0, f"no document to validate as {name}")
        require_none(problems, count, f"documents are not valid by the schema {name}")
        return f"{count} documents"

    def sound(self) -> str:
        """The schemas are schemas, the list is that of the contract, and an unknown name is a fault."""
        wanted = (
            "notification history statuses migration reject provenance diff parity verdict timeline summary access health "
            "fetch fetch-missing app-transaction export-missing receipt-provenance sources detect states"
        ).split()
        require(self.names == wanted, str(self.names))
        for name, schema in self.schemas.items():
            Draft202012Validator.check_schema(schema)
            require(schema["$schema"].endswith("2020-12/schema"), name)
            defined = set(schema.get("$defs", {}))
            used = set(re.findall(r'"#/\$defs/([^"]+)"', json.dumps(schema)))
            require(used == defined, f"{name}: used {used - defined}, defined {defined - used}")
        outcome = self.suite.run("schema", "paritty", status=2)
        require("parity" in outcome.stderr, outcome.stderr)
        return f"{len(wanted)} schemas"

    def goldens(self) -> str:
        """Expected outputs of fixtures, which other tests compare with what is written."""
        found: dict[str, list[tuple[str, Any]]] = {}

        def add(name: str, label: Path, document: Any) -> None:
            found.setdefault(name, []).append((str(label.relative_to(FIXTURES)), document))

        for path in sorted(FIXTURES.glob("*/**/v2.json")):
            if path.parts[-3] == "pairs":
                continue
            document = json.loads(path.read_text())
            kind = kind_of(document)
            add(kind, path, document)
            if "migration" in document:
                add("migration", path, document["migration"])
        for path in sorted(FIXTURES.glob("pairs/*/diff.json")):
            add("diff", path, json.loads(path.read_text()))
        for path in sorted(FIXTURES.glob("parity/reports/*/report.json")):
            add("parity", path, json.loads(path.read_text()))
        for path in sorted(FIXTURES.glob("archives/*/timeline.ndjson")):
            for document in lines(path.read_text()):
                add("timeline", path, document)
        for path in sorted(FIXTURES.glob("archives/*/grouped.ndjson")):
            for document in lines(path.read_text()):
                add("notification", path, document)
        return ", ".join(f"{name}: {self.check(name, documents)}" for name, documents in found.items())

    def runs(self) -> str:
        """Accounts, rejects and summaries of runs over all fixtures."""
        folder = self.suite.folder
        records = [p for kind in ("notifications", "receipts") for p in sorted(FIXTURES.glob(f"{kind}/*/v1.json"))]
        base = ["convert", "--quiet", "--exit-zero"]
        outputs = {}
        for emit in ("auto", "history") if self.suite.options.quick else ("auto", "history", "statuses", "app-transaction"):
            out, account, rejects, summary = (folder / f"{emit}.{end}" for end in ("ndjson", "account", "rejects", "summary.json"))
            words = ["--emit", emit, "--to", out, "--provenance", account, "--rejects", rejects, "--summary", summary]
            self.suite.run(*base, *words, *records)
            for name, path in (("provenance", account), ("reject", rejects)):
                outputs.setdefault(name, []).extend((path.name, one) for one in lines(path.read_text()))
            outputs.setdefault("summary", []).append((summary.name, json.loads(summary.read_text())))
            for document in lines(out.read_text()):
                kind = kind_of(document)
                outputs.setdefault(kind, []).append((out.name, document))
        rejects, summary = folder / "broken.rejects", folder / "broken.summary.json"
        self.suite.run(*base, "--rejects", rejects, "--summary", summary, "--to", folder / "broken.ndjson", FIXTURES / "rejects")
        outputs["reject"] += [(rejects.name, one) for one in lines(rejects.read_text())]
        summary_group = folder / "group.summary.json"
        archive = FIXTURES / "archives/subscription"
        self.suite.run(*base, "--group", "--body", "/body", "--received-at", "/received_at", archive / "v1.ndjson",
                       "--summary", summary_group, "--to", folder / "grouped.ndjson")  # fmt: skip
        outputs["summary"] += [(path.name, json.loads(path.read_text())) for path in (summary, summary_group)]
        return ", ".join(f"{name}: {self.check(name, documents)}" for name, documents in outputs.items())

    def settled(self) -> str:
        """Readings that other messages settle: in lines, accounts, summaries, timelines and parity, of two sources."""
        folder = self.suite.folder
        sources = [folder / f"lives-{seed}.ndjson" for seed in (1, 2)]
        for seed, source in enumerate(sources, 1):
            source.write_text("".join(f"{body}\n" for body in bodies(seed, 25)))
        outputs: dict[str, list[tuple[str, Any]]] = {}

        def add(name: str, path: Path, documents: Iterable[Any]) -> None:
            outputs.setdefault(name, []).extend((path.name, one) for one in documents)

        base = ["convert", "--quiet", "--exit-zero", *sources]
        for name, words in (("settle", ["--settle"]), ("complete", ["--settle", "--complete", "2015-01-01..2030-01-01"]), ("settle-group", ["--settle", "--group"])):
            out, account, summary = (folder / f"{name}.{end}" for end in ("ndjson", "account", "summary.json"))
            accounts = [] if "--group" in words else ["--provenance", account]
            self.suite.run(*base, *words, "--to", out, "--summary", summary, *accounts)
            converted = lines(out.read_text())
            add("notification", out, converted)
            add("migration", out, (one["migration"] for one in converted))
            add("summary", summary, [json.loads(summary.read_text())])
            if accounts:
                add("provenance", account, lines(account.read_text()))
            require(any("settled" in one["migration"] for one in converted), f"{name} settles readings")
        settled = [one for _, one in outputs["migration"] if "settled" in one]
        require(any("source" in record for one in settled for record in one["settled"]["by"]), "records of two sources name theirs")
        require(any(one["settled"].get("complete") for one in settled), "--complete settles readings")
        require(any("settled" in one for _, one in outputs["provenance"]), "accounts name what settled a reading")
        require(all({"ambiguousBefore", "settled"} <= set(one) for _, one in outputs["summary"]), str(outputs["summary"])[:500])
        life, report = folder / "lives.timeline", folder / "lives.json"
        life.write_text(self.suite.run("timeline", "--quiet", "--exit-zero", "--format", "json", *sources).stdout)
        add("timeline", life, lines(life.read_text()))
        states = folder / "states.ndjson"
        self.suite.run("timeline", "--quiet", "--exit-zero", "--to", folder / "told.txt", "--states", states, *sources)
        add("states", states, lines(states.read_text()))
        self.suite.run("parity", "--quiet", "--exit-zero", "--settle", "--legacy", sources[0], "--server", folder / "settle.ndjson", "--report", report)
        add("parity", report, [json.loads(report.read_text())])
        return ", ".join(f"{name}: {self.check(name, documents)}" for name, documents in outputs.items())

    def signed(self) -> str:
        """Signed lines and the verdicts about them, and about receipts, good and bad."""
        folder = self.suite.folder
        identity = folder / "identity"
        self.suite.run("identity", "--quiet", identity)
        out = folder / "signed.ndjson"
        self.suite.run("convert", "--quiet", "--exit-zero", "--sign", identity, "--to", out, FIXTURES / "notifications", "--include", "v1.json")
        verdicts = lines(self.suite.run("verify", "--root", identity / "root.der", out, status=(0, 1)).stdout)
        refused = lines(self.suite.run("verify", out, status=1).stdout)
        root = FIXTURES / "receipts/signed/root.der"
        receipts = [p for p in sorted((FIXTURES / "receipts/signed").glob("*/receipt.*"))]
        for receipt in receipts:
            verdicts += lines(self.suite.run("verify", "--root", root, receipt, status=(0, 1)).stdout)
        require(any(one["verdict"] == "invalid" for one in verdicts), "bad receipts are refused")
        parts = [
            self.check("verdict", (("verify", one) for one in verdicts + refused)),
            self.check("notification", (("sign", one) for one in lines(out.read_text()))),
        ]
        return ", ".join(parts)

    def archives(self) -> str:
        """Parity of two archives, with its list of customers."""
        folder, migration = self.suite.folder, ROOT / "Examples/migration"
        report, access = folder / "parity.json", folder / "access.ndjson"
        self.suite.run("parity", "--quiet", "--legacy", migration / "v1.ndjson", "--server", migration / "v2.ndjson",
                       "--report", report, "--access", access, status=1)  # fmt: skip
        document = json.loads(report.read_text())
        unpaired = {kind: 0 for kind in ("legacyWithoutServer", "serverWithoutLegacy", "serverOnlyEvents")}
        for one in document["unpaired"]:
            unpaired[one["reason"]] += one["count"]
        for kind, count in unpaired.items():
            require(count == document["pairs"][kind], f"{kind}: {count} are listed, {document['pairs'][kind]} are counted")
        access_of_events = document["entitlement"]
        require(access_of_events["lockedOut"] == access_of_events["legacyOnly"] > 0, str(access_of_events)[:300])
        return ", ".join([
            self.check("parity", [(report.name, document)]),
            self.check("access", ((access.name, one) for one in lines(access.read_text()))),
        ])  # fmt: skip

    def endpoint(self) -> str:
        """The state of an endpoint, and the summary of what was sent to it."""
        folder = self.suite.folder
        log = folder / "serve.log"
        with log.open("wb") as file:
            server = subprocess.Popen(
                [self.suite.slipcast, "serve", "--listen", "127.0.0.1:0", "--journal", folder / "journal", "--to", folder / "served.ndjson"],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=file,
            )  # fmt: skip
        try:
            address = None
            for _ in range(200):
                if found := re.search(r"127\.0\.0\.1:\d+", log.read_text()):
                    address = f"http://{found[0]}"
                    break
                time.sleep(0.05)
            require(address, f"serve names its address: {log.read_text()}")
            summary = folder / "replay.json"
            self.suite.run("replay", "--quiet", "--raw", FIXTURES / "notifications/did-renew/v1.json", "--to", f"{address}/",
                           "--execute", "--summary", summary)  # fmt: skip
            with urllib.request.urlopen(f"{address}/healthz", timeout=10) as answer:
                health = json.load(answer)
            parts = [self.check("health", [("healthz", health)]), self.check("summary", [(summary.name, json.loads(summary.read_text()))])]
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(30)
        return ", ".join(parts)

    def sources(self) -> str:
        """What detect finds, and the file that --sources reads."""
        folder = self.suite.folder
        (folder / "undecided.ndjson").write_text('{"raw":{"notification_type":"DID_RENEW"},"body":{"notification_type":"DID_RENEW"}}\n')
        given = [*sorted((ROOT / "Examples/sources").iterdir()), folder / "undecided.ndjson", FIXTURES / "receipts"]
        told = self.suite.run("detect", "--format", "json", *given, "--to", folder / "sources.json", status=1).stdout
        return ", ".join([
            self.check("detect", [(one["input"], one) for one in map(json.loads, told.splitlines())]),
            self.check("sources", [("sources.json", json.loads((folder / "sources.json").read_text()))]),
        ])  # fmt: skip

    def server_data(self) -> str:
        """Lines of fetch, written by hand from the contract: Apple's response and what was requested."""
        slipcast = {"endpoint": "history", "id": "730000000000001", "environment": "Production", "page": 1}
        history = {"revision": "1", "hasMore": False, "bundleId": "com.example.slipcast", "environment": "Production", "signedTransactions": ["a.b.c"], "newOfApple": 1}
        statuses = {"environment": "Sandbox", "bundleId": "com.example.slipcast", "data": [{"subscriptionGroupIdentifier": "1", "lastTransactions": [{"status": 1, "originalTransactionId": "1", "signedTransactionInfo": "a.b.c"}]}]}
        sent = {"signedPayload": "a.b.c", "sendAttempts": [{"attemptDate": 1700000000000, "sendAttemptResult": "SUCCESS"}]}
        notifications = {"endpoint": "notifications", "environment": "Production", "page": 2}
        order = {"status": 0, "signedTransactions": ["a.b.c"], "slipcast": {**slipcast, "endpoint": "orders", "id": "MSLIP00001"}}
        good = [order, {**history, "slipcast": slipcast}, {**statuses, "slipcast": {**slipcast, "endpoint": "statuses"}}, {**sent, "slipcast": notifications}]
        bad = [history, {**history, "slipcast": {**slipcast, "token": "x"}}, {"slipcast": slipcast}, {**history, "slipcast": {**slipcast, "id": 7}}]
        missing = [{"id": "1", "environment": "Production", "errorCode": 4040010, "message": "not found"}, {"id": "x", "message": "not a number"}, {"message": "line 2 of ids.txt: no id"}]
        for document in bad:
            require(not self.validators["fetch"].is_valid(document), f"should not be valid: {document}")
        return f"{self.check('fetch', (('fetch', one) for one in good))}, {self.check('fetch-missing', (('missing', one) for one in missing))}"

    def exports(self) -> str:
        """Subscriptions that are in no row of export."""
        folder = self.suite.folder
        missing = folder / "export.missing"
        records = [p for kind in ("notifications", "receipts") for p in sorted(FIXTURES.glob(f"{kind}/*/v1.json"))]
        self.suite.run("export", "--for", "apphud", "--quiet", "--to", folder / "export.csv", "--missing", missing, *records, status=(0, 1))
        return self.check("export-missing", ((missing.name, one) for one in lines(missing.read_text())))

    def receipt_answers(self) -> str:
        """Where the values of verifyReceipt responses come from, with and without data."""
        folder = self.suite.folder
        kept, asked = folder / "kept.provenance", folder / "asked.provenance"
        records = [p for kind in ("notifications", "receipts") for p in sorted(FIXTURES.glob(f"{kind}/*/v1.json"))]
        self.suite.run("convert", "--emit", "verify-receipt", "--quiet", "--provenance", kept, *records, status=(0, 1))
        requests = "".join(json.dumps({"receipt-data": text}) + "\n" for text in ("bm8gcmVjZWlwdA==", ""))
        self.suite.run("verify-receipt", "--v2", records[0], "--provenance", asked, text=requests, status=1)
        found = [*lines(kept.read_text()), *lines(asked.read_text())]
        require(any(one["losses"] for one in found) and any(one["findings"] for one in found), "no losses or findings")
        return self.check("receipt-provenance", (("provenance", one) for one in found))

    def strict(self) -> str:
        """A stranger in Slipcast's objects fails; Apple's objects take one; no required member may be missing."""
        own = "migration reject provenance diff parity verdict timeline summary access health fetch-missing export-missing receipt-provenance detect sources states".split()
        count = 0
        for name in own:
            for document in self.seen[name].values():
                for path in objects(document):
                    changed = copy.deepcopy(document)
                    at(changed, path)[STRANGER] = 1
                    # Maps whose keys are targets, options or codes take any.
                    is_map = path and path[-1] in ("options", "sources", "findings", "rejectedFor", "pending", "undelivered", "v1", "v2", "cast", "kinds", "choose")
                    if not is_map:
                        require(not self.validators[name].is_valid(changed), f"{name}: a stranger in {path} is valid")
                        count += 1
                required = {key for key in document if not self.is_valid_without(name, document, key)}
                require(required, f"{name}: nothing is required in {document}")
                for key, value in document.items():
                    other = 1.5 if not isinstance(value, float) and not isinstance(value, bool) else []
                    require(not self.validators[name].is_valid({**document, key: other}) or name == "summary", f"{name}: {key} takes {other}")
                    count += 1
        for name in ("notification", "history", "statuses", "app-transaction"):
            for document in self.seen[name].values():
                require(self.validators[name].is_valid({**document, STRANGER: 1}), f"{name}: Apple may add members")
                require(not self.validators[name].is_valid([document]), name)
                if "migration" in document:
                    changed = copy.deepcopy(document)
                    changed["migration"][STRANGER] = 1
                    require(not self.validators[name].is_valid(changed), f"{name}: a stranger in migration is valid")
        passed(count)
        return f"{count} changes"

    def is_valid_without(self, name: str, document: dict[str, Any], key: str) -> bool:
        return self.validators[name].is_valid({k: v for k, v in document.items() if k != key})


def objects(document: Any, path: tuple[Any, ...] = ()) -> Iterable[tuple[Any, ...]]:
    """The paths of all objects, of lists only the first item."""
    if isinstance(document, dict):
        yield path
        for key, value in document.items():
            yield from objects(value, (*path, key))
    elif isinstance(document, list) and document:
        yield from objects(document[0], (*path, 0))


def at(document: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        document = document[step]
    return document


def options(parser: ArgumentParser) -> None:
    parser.add_argument("--quick", action="store_true", help="without the statuses and app transactions of all fixtures")


def run(suite: Suite) -> None:
    schemas = Schemas(suite)
    for part in ("sound", "goldens", "runs", "settled", "signed", "archives", "endpoint", "sources", "server_data", "exports", "receipt_answers", "strict"):
        suite.part(part.replace("_", "-"), getattr(schemas, part))
