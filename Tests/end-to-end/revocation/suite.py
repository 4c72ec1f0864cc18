"""OCSP of `--online-checks`, with the answers of OpenSSL's own responder: good, revoked, unknown, and what is no answer."""

import json
import subprocess
import sys
import time
from argparse import ArgumentParser

from harness import ROOT, Outcome, Suite, require
from responder import Responder, openssl

sys.path.insert(0, str(ROOT / "Tests/end-to-end/fetch"))
from mock import BUNDLE, ISSUER, KEY_ID, Mock, Signer, make_key, transaction  # noqa: E402

TRANSACTION = {
    "transactionId": "730000000000001", "originalTransactionId": "730000000000001", "bundleId": "com.example.slipcast",
    "productId": "com.example.slipcast.monthly", "purchaseDate": 1760000000000, "quantity": 1,
    "type": "Auto-Renewable Subscription", "inAppOwnershipType": "PURCHASED", "signedDate": 1760000001000,
    "environment": "Production",
}  # fmt: skip


def options(parser: ArgumentParser) -> None:
    parser.add_argument("--tokens", type=int, default=3000, help="tokens of the test with many (default 3000)")


class Parts:
    def __init__(self, suite: Suite) -> None:
        self.suite, self.folder = suite, suite.folder
        self.responder = Responder(self.folder / "responder")
        self.identity = self.folder / "identity"
        suite.run("identity", "--quiet", "--ocsp-url", self.responder.url, self.identity)
        self.responder.use(self.identity)
        self.tokens = self.folder / "tokens.ndjson"
        self.count = 300
        self.tokens.write_text(self.sign(self.count))

    def sign(self, count: int) -> str:
        history = {"environment": "Production", "transactions": [TRANSACTION] * count}
        text = self.suite.run("sign", "--quiet", self.identity, "-", text=json.dumps(history) + "\n").stdout
        return "".join(token + "\n" for token in json.loads(text)["signedTransactions"])

    def verify(
        self, *words: object, status: int = 0, command: str = "verify", environment: dict[str, str] | None = None
    ) -> tuple[list[dict], Outcome]:
        self.responder.requests.clear()
        outcome = self.suite.run(
            command, "--root", self.identity / "root.pem", "--format", "json", "--online-checks", *words, self.tokens, status=status,
            environment=environment)
        return [json.loads(line) for line in outcome.stdout.splitlines()], outcome

    def all(self, found: list[dict], **expected: object) -> None:
        require(len(found) == self.count, f"{len(found)} verdicts")
        for name, value in expected.items():
            values = {line.get(name) for line in found}
            require(values == {value}, f"{name}: {values}, expected {value}")

    def files(self) -> None:
        names = {path.name for path in self.identity.iterdir()}
        for name in ("ocsp-intermediate", "ocsp-root"):
            require({f"{name}.pem", f"{name}.key"} <= names, f"{names}")
            require((self.identity / f"{name}.key").stat().st_mode & 0o077 == 0, f"{name}.key can be read by others")
            text = openssl("x509", "-in", self.identity / f"{name}.pem", "-noout", "-text")
            require("OCSP Signing" in text, f"{name}.pem is not for OCSP")
        for path in self.responder.paths[:2]:
            require(self.responder.url in openssl("x509", "-in", path, "-noout", "-ocsp_uri"), "no address in the certificate")
        require(not openssl("x509", "-in", self.responder.paths[2], "-noout", "-ocsp_uri").strip(), "the root names one")

    def good(self) -> None:
        """One request for each certificate, however many tokens there are."""
        found, outcome = self.verify()
        self.all(found, verdict="valid", revocation="good", revocationReason=None)
        require(sorted(self.responder.requests) == sorted(self.responder.serials[:2]), f"{self.responder.requests}", outcome)
        found, _ = self.verify(command="inspect")
        require({line["revocation"] for line in found} == {"good"}, "inspect does not show it")
        plain = self.suite.run("verify", "--root", self.identity / "root.pem", "--format", "json", self.tokens)
        require('"revocation"' not in plain.stdout, "without --online-checks there is a member revocation")

    def many(self) -> str:
        """Many tokens of one signer, checked by all workers at the same time, take one request for each certificate."""
        count, path = self.suite.options.tokens, self.folder / "many.ndjson"
        block = self.tokens.read_text()
        with path.open("w") as file:
            for _ in range(-(-count // self.count)):
                file.write(block)
        # An answer that takes a while: all workers wait for it.
        self.responder.change = lambda serial, answer: time.sleep(0.5) or (200, answer)
        self.responder.requests.clear()
        began = time.monotonic()
        words = ["--online-checks", "--root", self.identity / "root.pem", "--format", "json", path]
        outcome = self.suite.run("verify", *words, seconds=600)
        seconds = time.monotonic() - began
        self.responder.change = lambda serial, answer: (200, answer)
        good = outcome.stdout.count('"revocation":"good"')
        require(good >= count, f"{good} tokens are good")
        require(sorted(self.responder.requests) == sorted(self.responder.serials[:2]), f"{len(self.responder.requests)} requests")
        path.unlink()
        return f"{good} tokens, {len(self.responder.requests)} requests, {seconds:.1f} s"

    def bad(self) -> None:
        """Revoked certificates and unknown ones are refused."""
        for place in (0, 1):
            for state, reason in (("R", "certificateRevoked"), ("U", "certificateUnknown")):
                self.responder.states[self.responder.serials[place]] = state
                found, _ = self.verify(status=1)
                self.all(found, verdict="invalid", reason=reason)
                if state == "R":
                    self.all(found, revocation="revoked")
                self.verify("--revocation-optional", status=1)
                self.responder.states[self.responder.serials[place]] = "V"

    def undetermined(self) -> None:
        """No answer, or one that cannot be trusted: valid, counted, exit status 1 unless it is optional."""
        folder = self.responder.folder
        leaf = self.responder.serials[0]
        other = folder / "other.key"
        openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", other)
        stranger = folder / "stranger.pem"
        openssl("req", "-x509", "-key", other, "-subj", "/CN=Stranger", "-days", "30", "-out", stranger)
        held: dict[str, bytes] = {}

        def hold(serial: str, answer: bytes) -> tuple[int, bytes]:
            held[serial] = answer
            return 200, answer

        self.responder.change = hold
        self.verify()
        cases = {
            "an error of HTTP": (lambda serial, answer: (503, b""), {"unreachable"}),
            "no OCSP": (lambda serial, answer: (200, b"<html>"), {"malformed"}),
            "try later": (lambda serial, answer: (200, bytes.fromhex("30030a0103")), {"tryLater"}),
            "unauthorized": (lambda serial, answer: (200, bytes.fromhex("30030a0106")), {"unauthorized"}),
            "another certificate": (lambda serial, answer: (200, held[self.responder.serials[1 - self.responder.serials.index(serial)]]),
                                    {"otherCertificate", "untrustedResponder"}),
            "changed": (self.changed, {"forged", "malformed", "untrustedResponder"}),
        }  # fmt: skip
        for name, (change, reasons) in cases.items():
            self.responder.change = change
            found, outcome = self.verify(status=1)
            self.all(found, verdict="valid", revocation="undetermined")
            told = {line["revocationReason"] for line in found}
            require(told <= reasons, f"{name}: {told}, expected {reasons}")
            require(f"{self.count} valid with undetermined" in outcome.stderr, f"{name}: not counted", outcome)
            self.verify("--revocation-optional")
        self.responder.change = lambda serial, answer: (200, answer)
        signers = dict(self.responder.signers)
        self.responder.signers = {serial: (stranger, other) for serial in signers}
        self.all(self.verify(status=1)[0], verdict="valid", revocation="undetermined", revocationReason="untrustedResponder")
        # The leaf's own certificate is issued by the right issuer, but not for OCSP.
        self.responder.signers = {**signers, leaf: (self.responder.paths[0], self.identity / "leaf.key")}
        self.all(self.verify(status=1)[0], revocation="undetermined", revocationReason="untrustedResponder")
        self.responder.signers = signers

    @staticmethod
    def changed(serial: str, answer: bytes) -> tuple[int, bytes]:
        # The time of the answer is signed: 2026 becomes 2027 and so on.
        place = answer.index(b"\x18\x0f20") + 5
        return 200, answer[:place] + bytes([answer[place] ^ 1]) + answer[place + 1 :]

    def gone(self) -> None:
        """Nobody listens, and a certificate that names no responder."""
        folder = self.folder / "gone"
        self.suite.run("identity", "--quiet", "--ocsp-url", "http://127.0.0.1:1/", folder)
        self.suite.run("identity", "--quiet", self.folder / "silent")
        for identity, reason in ((folder, "unreachable"), (self.folder / "silent", "noResponder")):
            text = self.suite.run("sign", "--quiet", identity, "-", text=json.dumps({"transactions": [TRANSACTION]}) + "\n").stdout
            outcome = self.suite.run("verify", "--online-checks", "--root", identity / "root.pem", "--format", "json", "-", text=text, status=1)
            found = json.loads(outcome.stdout)
            require((found["verdict"], found["revocationReason"]) == ("valid", reason), f"{found}")

    def stale(self) -> None:
        """An answer counts until its end: three days later it is asked for again, and an old one is not believed."""
        cache, shim = self.folder / "stale.cache", self.folder / "shim.so"
        source = ROOT / "Tests/end-to-end/faults/shim.c"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", shim, source, "-ldl"], check=True)
        self.verify("--ocsp-cache", cache)
        later = {"LD_PRELOAD": str(shim), "FAULT_NOW": str(int(time.time()) + 3 * 86400)}
        found, _ = self.verify("--ocsp-cache", cache, status=1, environment=later)
        require(len(self.responder.requests) == 2, "an old answer in the cache was believed")
        self.all(found, verdict="valid", revocation="undetermined", revocationReason="stale")
        early = {**later, "FAULT_NOW": str(int(time.time()) - 3 * 86400)}
        found, _ = self.verify(status=1, environment=early)
        self.all(found, revocation="undetermined", revocationReason="stale")

    def fetched(self) -> None:
        """serve and fetch ask as well; the answers of one run serve for all of its tokens."""
        text = self.suite.run("fetch", "history", "--help").stdout + self.suite.run("serve", "--help").stdout
        require(text.count("--online-checks") >= 2, "an option is missing")
        mock = self.mock()
        words = ["--key", self.folder / "AuthKey.p8", "--key-id", KEY_ID, "--issuer", ISSUER, "--server", mock.url, "--root",
                 self.identity / "root.pem", "--bundle-id", BUNDLE, "--execute", "--online-checks"]  # fmt: skip
        ids = [word for number in range(20) for word in ("--id", f"7300{number:011d}")]
        self.responder.requests.clear()
        outcome = self.suite.run("fetch", "history", *ids, *words, "--rate", 1000)
        require(len(outcome.stdout.splitlines()) == 20, "not all were fetched", outcome)
        require(len(self.responder.requests) == 2, f"{len(self.responder.requests)} OCSP requests")
        self.responder.states[self.responder.serials[0]] = "R"
        outcome = self.suite.run("fetch", "history", *ids, *words, "--rate", 1000, status=1)
        require(outcome.stdout == "", "a revoked signer was trusted", outcome)
        self.responder.states[self.responder.serials[0]] = "V"
        self.responder.change = lambda serial, answer: (503, b"")
        outcome = self.suite.run("fetch", "history", *ids, *words, "--rate", 1000, status=1)
        require(len(outcome.stdout.splitlines()) == 20 and "2 certificates" in outcome.stderr, "undetermined", outcome)
        self.suite.run("fetch", "history", *ids, *words, "--rate", 1000, "--revocation-optional")
        self.responder.change = lambda serial, answer: (200, answer)
        mock.stop()

    def mock(self):
        signer = Signer(self.suite.slipcast, self.folder)
        mock = Mock(signer, make_key(self.folder / "AuthKey.p8"))
        mock.add(*signer.customers([[transaction(f"7300{number:011d}")] for number in range(20)]))
        return mock.start()

    def cache(self) -> None:
        """A second run asks nobody; a changed cache is not trusted."""
        cache = self.folder / "ocsp.cache"
        self.verify("--ocsp-cache", cache)
        require(len(self.responder.requests) == 2, f"{self.responder.requests}")
        found, _ = self.verify("--ocsp-cache", cache)
        require(not self.responder.requests, "the cache is not used")
        self.all(found, revocation="good")
        lines = [json.loads(line) for line in cache.read_text().splitlines()]
        lines[0]["response"], lines[1]["response"] = lines[1]["response"], lines[0]["response"]
        cache.write_text("".join(json.dumps(line) + "\n" for line in lines))
        found, _ = self.verify("--ocsp-cache", cache)
        require(len(self.responder.requests) == 2, "answers for other certificates were believed")
        self.all(found, revocation="good")
        mixed = cache.read_text() + "garbage\n"
        cache.write_text(mixed)
        wrong = self.suite.run("verify", "--online-checks", "--ocsp-cache", cache, self.tokens, status=2)
        require("not a cache that slipcast wrote" in wrong.stderr and cache.read_text() == mixed, "a file with other lines was replaced", wrong)
        wrong = self.suite.run("verify", "--ocsp-cache", cache, self.tokens, status=2)
        require("--online-checks" in wrong.stderr, "an option without effect is accepted", wrong)


def run(suite: Suite) -> None:
    parts = Parts(suite)
    for name in ("files", "good", "many", "bad", "undetermined", "gone", "stale", "cache", "fetched"):
        suite.part(name, getattr(parts, name))
    parts.responder.stop()
