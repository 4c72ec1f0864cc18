"""Responses that must not be trusted, keys that cannot be used, and networks that do not work."""

import itertools
import os
import re
import shutil
import socket
import subprocess
import time
from pathlib import Path

from harness import Skipped, require
from mock import BUNDLE, ISSUER, KEY_ID, Reply, Signer, failure, make_key, openssl, transaction
from setting import Setting, lines, proxies, v1


class Broken(Setting):
    def untrusted(self, folder: Path) -> None:
        """A response with a token that is not trusted is rejected as a whole."""
        customers = self.world(4, periods=2)
        mock = self.mock(*customers)
        ids = [one.transactions[0]["originalTransactionId"] for one in customers]
        archive = self.archive(folder, [v1(id) for id in ids])
        head, payload, signature = customers[0].tokens[1].split(".")
        customers[0].tokens[1] = f"{head}.{payload}.{'B' if signature[0] == 'A' else 'A'}{signature[1:]}"
        foreign = Signer(self.suite.slipcast, folder / "foreign")
        customers[1].tokens[0] = foreign.tokens([customers[1].transactions[0]])[0]
        customers[2].tokens[0] = self.signer.tokens([{**customers[2].transactions[0], "bundleId": "com.example.other"}])[0]
        out, rejects, summary = folder / "out.ndjson", folder / "rejects.ndjson", folder / "summary.json"
        self.fetch(mock, "history", archive, "--to", out, "--rejects", rejects, "--summary", summary, status=1)
        require([line["slipcast"]["id"] for line in lines(out)] == ids[3:], "an untrusted response became a line")
        found = lines(rejects)
        expected = {ids[0]: "signatureMismatch", ids[1]: "untrustedRoot", ids[2]: "bundleIdMismatch"}
        require({line["id"]: line["code"] for line in found} == expected, f"{[line['code'] for line in found]}")
        require(customers[0].tokens[1] in found[0]["input"], "the reject does not hold the response")
        counts = self.summary(summary)
        require((counts["rejected"], counts["failed"], counts["found"]) == (3, 3, 1), f"{counts}")
        mock.stop()

    def wrong(self, folder: Path) -> None:
        """Other apps and environments, endless pages, gigantic bodies, redirects: the id fails, others do not."""
        customers = self.world(2)
        mock = self.mock(*customers)
        ids = [one.transactions[0]["originalTransactionId"] for one in customers]
        archive = self.archive(folder, [v1(id) for id in ids])
        good = {"revision": "r1", "hasMore": False, "bundleId": BUNDLE, "environment": "Production", "signedTransactions": []}
        test = self.signer.tokens([transaction(ids[0], environment="Sandbox")])
        counter = itertools.count()
        ways = {
            "another environment": lambda: Reply(body={**good, "environment": "Sandbox"}),
            "a token of another environment": lambda: Reply(body={**good, "signedTransactions": test}),
            "another app": lambda: Reply(body={**good, "bundleId": "com.example.other"}),
            "no revision": lambda: Reply(body={"hasMore": True, "signedTransactions": []}),
            "the same revision for ever": lambda: Reply(body={**good, "hasMore": True}),
            "a new revision for ever": lambda: Reply(body={**good, "hasMore": True, "revision": f"r{next(counter)}"}),
            "wrong kinds": lambda: Reply(body={**good, "signedTransactions": {"a": 1}}),
            "numbers for tokens": lambda: Reply(body={**good, "signedTransactions": [1]}),
            "a gigantic body": lambda: Reply(body=b"{\"a\":\"" + b"b" * (17 << 20) + b"\"}"),
            "a redirect": lambda: Reply(302, b"", {"Location": "http://127.0.0.1:1/"}),
            "a member of Slipcast's": lambda: Reply(body={**good, "slipcast": {}}),
            "a conversion": lambda: Reply(body={**good, "migration": {}}),
            "decoded transactions": lambda: Reply(body={**good, "transactions": [transaction(ids[0])]}),
            "a decoded part deep inside": lambda: Reply(body={**good, "extra": [{"transactionInfo": transaction(ids[0])}]}),
            "an array": lambda: Reply(body=[good]),
        }  # fmt: skip
        for name, way in ways.items():
            mock.hook = lambda request, way=way: way() if request.id == ids[0] else None
            out, summary = folder / "out.ndjson", folder / "summary.json"
            self.fetch(mock, "history", archive, "--to", out, "--summary", summary, "--rate", 1000, status=1)
            found = [line["slipcast"]["id"] for line in lines(out)]
            require(ids[1] in found and self.summary(summary)["failed"] == 1, f"{name}: {found}")
            require(set(found) - {ids[1]} <= ({ids[0]} if "revision" in name else set()), f"{name} became a line")
        mock.stop()

    def incomplete(self, folder: Path) -> None:
        """An object without the list that was asked for is no response."""
        customers = self.world(2)
        mock = self.mock(*customers)
        ids = [one.transactions[0]["originalTransactionId"] for one in customers]
        archive = self.archive(folder, [v1(id) for id in ids])
        for body in ({}, {"revision": "r1", "hasMore": False, "signedTransactions": None}):
            mock.hook = lambda request, body=body: Reply(body=body) if request.id == ids[0] else None
            self.fetch(mock, "history", archive, "--to", folder / "out.ndjson", status=1)
            require([line["slipcast"]["id"] for line in lines(folder / "out.ndjson")] == [ids[1]], f"{body} became a line")
        mock.hook = lambda request: Reply(body={})
        words = ["--bundle-id", BUNDLE, "--environment", "production", "--to", folder / "none.ndjson"]
        self.fetch(mock, "notifications", *words, status=1)
        # The server refuses a revision once: the pages that came are not repeated.
        long = self.signer.customers([self.life(9000, 45)])
        mock.add(*long)
        refused = [failure(4_000_005)]
        mock.hook = lambda request: refused.pop() if request.query and refused else None
        self.fetch(mock, "history", "--id", "730000000009000", "--bundle-id", BUNDLE, "--to", folder / "out.ndjson")
        require([line["slipcast"]["page"] for line in lines(folder / "out.ndjson")] == [1, 2, 3], "a page is repeated")
        # An id that is unknown on a later page is not complete: it failed.
        mock.hook = lambda request: failure(4_040_010) if request.query else None
        summary = folder / "later.json"
        self.fetch(mock, "history", "--id", "730000000009000", "--bundle-id", BUNDLE, "--to", folder / "later.ndjson", "--summary", summary, status=1)
        counts = self.summary(summary)
        require((counts["failed"], counts["notFound"], len(lines(folder / "later.ndjson"))) == (1, 0, 1), f"{counts}")
        # Ids as other systems write them.
        for text in (b"\xef\xbb\xbf%b\n%b\n", b"%b\r%b\r"):
            (folder / "ids").write_bytes(text % tuple(id.encode() for id in ids))
            mock.hook, mock.requests = lambda request: None, []
            self.fetch(mock, "history", "--ids", folder / "ids", "--bundle-id", BUNDLE, status=(0, 1))
            asked = {request.id for request in mock.requests}
            require(asked <= set(ids), f"ids were joined: {asked}")
        mock.stop()

    def neighbors(self, folder: Path) -> None:
        """The ids of a customer stand side by side: few of them are asked about before the first response is there."""
        customers = self.world(10, periods=40)
        mock = self.mock(*customers)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "ids").write_text("".join(f"{one['transactionId']}\n" for each in customers for one in each.transactions))
        summary = folder / "summary.json"
        self.fetch(mock, "history", "--ids", folder / "ids", "--bundle-id", BUNDLE, "--to", folder / "out.ndjson", "--summary", summary,
                   "--rate", 1000)  # fmt: skip
        counts = self.summary(summary)
        require((counts["found"], counts["lines"]) == (400, 20) and counts["requests"] <= 40, f"20 requests suffice: {counts}")
        mock.stop()

    def places(self, folder: Path) -> None:
        """Files that cannot be written end the run before the first request."""
        mock = self.mock(*self.world(1))
        archive = self.archive(folder, [v1("730000000000000")])
        (folder / "there").mkdir()
        before = sorted(folder.rglob("*"))
        for words in (["--to", folder / "out", "--summary", folder / "none/x"], ["--summary", folder / "there"], ["--to", folder / "there"],
                      ["--missing", folder / "there"]):  # fmt: skip
            outcome = self.fetch(mock, "history", archive, *words, status=2)
            require(not mock.requests, f"{words}: {len(mock.requests)} requests", outcome)
            require(sorted(folder.rglob("*")) == before, f"{words}: a file is left", outcome)
        self.fetch(mock, "history", archive, "--to", folder / "out.ndjson", "--summary", folder / "summary.json")
        mock.stop()

    def windows(self, folder: Path) -> None:
        """Notifications of a time that the sandbox, or nobody, keeps."""
        folder.mkdir(parents=True, exist_ok=True)
        production, sandbox = self.mock(environment="Production"), self.mock(environment="Sandbox")
        day = lambda days: time.strftime("%Y-%m-%d", time.gmtime(time.time() - days * 86_400))
        base = ["--bundle-id", BUNDLE, "--sandbox-server", sandbox.url, "--to", folder / "out.ndjson"]
        past = ["--from", day(40), "--until", day(35)]
        self.fetch(production, "notifications", *base, *past)
        require((len(production.requests), len(sandbox.requests)) == (1, 0), "the sandbox is asked about what it does not keep")
        missing = folder / "missing.ndjson"
        archive = self.archive(folder, [v1("730000000001000"), v1("730000000002000", "Sandbox")])
        self.fetch(production, "notifications", archive, *base, *past, "--missing", missing)
        require([line["environment"] for line in lines(missing)] == ["Sandbox"] and not sandbox.requests, f"{lines(missing)}")
        told = self.suite.run("fetch", "notifications", *base, *past).stderr
        require("1 requests about the app, about 1 requests" in told, told)
        for words in (["--from", day(-30)], ["--until", day(2000)], ["--until", day(35), "--environment", "sandbox"]):
            production.requests.clear()
            wrong = self.fetch(production, "notifications", *base, *words, status=2)
            require(words[0] in wrong.stderr and not production.requests + sandbox.requests, f"{words} is sent", wrong)
        production.stop()
        sandbox.stop()

    def keys(self, folder: Path) -> None:
        """Keys and ids that cannot be used: exit status 2, what to do, no file, nothing sent."""
        mock = self.mock(*self.world(1))
        folder.mkdir(parents=True, exist_ok=True)
        archive = self.archive(folder, [v1("730000000000000")])
        other = make_key(folder / "p384.p8", "P-384")
        rsa, public, text = folder / "rsa.p8", folder / "public.p8", folder / "text.p8"
        rsa.write_bytes(openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"))
        public.write_bytes(openssl("pkey", "-in", self.key, "-pubout"))
        text.write_text("no key\n")
        encrypted = folder / "encrypted.p8"
        encrypted.write_bytes(openssl("pkcs8", "-topk8", "-in", self.key, "-passout", "pass:secret"))
        secret = folder / "foreign.p8"
        make_key(secret)
        cases = [
            ([], "--key"), (["--key", other], "P-256"), (["--key", rsa], "P-256"), (["--key", public], "private"),
            (["--key", text], "BEGIN PRIVATE KEY"), (["--key", encrypted], "encrypted"),
            (["--key", folder / "none.p8"], "none.p8"), (["--key", self.key, "--key-id", "A B"], "--key-id"),
            (["--key", self.key, "--issuer", ""], "issuer"), (["--key", secret], "401"),
            (["--key", self.key, "--key-id", "WRONG"], "401"),
        ]  # fmt: skip
        for words, expected in cases:
            given = [] if not words else ["--key-id", KEY_ID, "--issuer", ISSUER]
            for name in ("--key-id", "--issuer"):
                if name in words:
                    place = given.index(name)
                    del given[place : place + 2]
            out = folder / "out.ndjson"
            outcome = self.suite.run(
                "fetch", "history", archive, "--server", mock.url, "--to", out, "--execute", *words, *given, status=2,
                environment={"SLIPCAST_KEY": "", "SLIPCAST_KEY_ID": "", "SLIPCAST_ISSUER": ""},
            )  # fmt: skip
            require(expected in outcome.stderr, f"{words}: the message does not contain {expected}", outcome)
            require(not list(folder.glob("out*")), f"{words}: a file is left")
            self.search(outcome.stderr, mock, "the message")
        for name in ("v2.sqlite", "v2.ndjson.xz", "v2.csv", "postgres://localhost/v2"):
            outcome = self.suite.run("fetch", "history", archive, *self.credentials(mock), "--to", name, "--execute", status=2)
            require(re.search(r"writes: .ndjson|is not written; write .ndjson", outcome.stderr), f"{name} is accepted", outcome)
        self.suite.run("fetch", "history", archive, "--server", mock.url, "--root", self.signer.root, "--execute",
                       environment={"SLIPCAST_KEY": str(self.key), "SLIPCAST_KEY_ID": KEY_ID, "SLIPCAST_ISSUER": ISSUER})  # fmt: skip
        mock.stop()

    def network(self, folder: Path) -> None:
        """No network, unknown hosts, proxies, TLS: exit status 2, what to do, no file."""
        mock = self.mock(*self.world(1))
        archive = self.archive(folder, [v1("730000000000000")])
        words = ["--key", self.key, "--key-id", KEY_ID, "--issuer", ISSUER, "--to", folder / "out.ndjson", "--execute"]

        def refused(server: str, expected: str, **variables: str) -> None:
            outcome = self.suite.run("fetch", "history", archive, "--server", server, *words, status=2,
                                     environment={**proxies(), **variables}, seconds=60)  # fmt: skip
            require(expected in outcome.stderr, f"{server}: the message does not contain {expected}", outcome)
            require(not list(folder.glob("out*")), f"{server}: a file is left")
            self.search(outcome.stderr, mock, "the message")

        refused("http://127.0.0.1:1", "check the network")
        refused("https://apple.invalid", "check the network")
        refused("http://example.com", "https://")
        refused("ftp://127.0.0.1", "--server is the address of a server, such as https://api.example.com:8443\n")
        refused("http://[::1]:1", "no response of http://[::1]:1 after")
        mock.hook = lambda request: Reply(200, b"<html><body>Please log in</body></html>", {"Content-Type": "text/html"})
        refused(mock.url, "proxy")
        mock.hook = lambda request: Reply(407, b"", {})
        refused(mock.url, "proxy")
        mock.hook = lambda request: Reply(403, b"<html></html>", {"Content-Type": "text/html"})
        refused("https://apple.invalid", "https_proxy with its user", https_proxy=mock.url.replace("//", "//user:word@"))
        mock.stop()
        # A certificate that has expired, and one that nobody trusts.
        import ssl

        for name, days in (("expired", "-1"), ("unknown", "30")):
            chain = folder / f"{name}.pem"
            self.certificate(chain, days)
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(chain)
            secure = self.mock_tls(context)
            refused(secure.url.replace("127.0.0.1", "localhost"), "certificate",
                    SSL_CERT_FILE=str(chain) if name == "expired" else "")  # fmt: skip
            if name == "unknown":
                outcome = self.suite.run(
                    "fetch", "history", archive, "--server", secure.url.replace("127.0.0.1", "localhost"), "--root",
                    self.signer.root, *words, environment={**proxies(), "SSL_CERT_FILE": str(chain)},
                )  # fmt: skip
                require(len(lines(folder / "out.ndjson")) == 1, "TLS with a trusted certificate fails", outcome)
            secure.stop()

    def http2(self, folder: Path) -> None:
        """HTTP/2 over TLS: all requests share a connection. nghttpx passes them on to the mock."""
        nghttpx = shutil.which("nghttpx", path="/usr/sbin:" + os.environ["PATH"])
        if nghttpx is None:
            raise Skipped("nghttpx is missing (Debian: nghttp2-proxy)")
        customers = self.world(60)
        mock = self.mock(*customers)
        archive = self.archive(folder, [v1(one.transactions[0]["originalTransactionId"]) for one in customers])
        chain, log = folder / "chain.pem", folder / "log"
        self.certificate(chain, "30")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        command = [nghttpx, f"-f127.0.0.1,{port}", f"-b127.0.0.1,{mock.port}", "--accesslog-file", log, "--workers=1",
                   "--accesslog-format=$alpn $remote_port $request", chain.with_suffix(".key"), chain]  # fmt: skip
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            self.until_open(port)
            words = [
                "fetch", "history", archive, "--to", folder / "out.ndjson", *self.credentials(mock), "--execute", "--server",
                f"https://localhost:{port}", "--rate", 1000,
            ]  # fmt: skip
            place = words.index("--server")
            del words[place : place + 2]
            self.suite.run(*words, environment={**proxies(), "SSL_CERT_FILE": str(chain)})
        finally:
            process.terminate()
            process.wait(10)
        require(len(lines(folder / "out.ndjson")) == 60, "a customer is missing")
        asked = [line.split() for line in log.read_text().splitlines()]
        require(len(asked) == 60 and {line[0] for line in asked} == {"h2"}, f"not HTTP/2: {asked[:3]}")
        require(len({line[1] for line in asked}) == 1, f"{len({line[1] for line in asked})} connections")
        mock.stop()

    @staticmethod
    def until_open(port: int) -> None:
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return
            time.sleep(0.02)

    def mock_tls(self, context):
        from mock import Mock

        mock = Mock(self.signer, self.key)
        mock.add(*self.world(1))
        return mock.start(context)

    @staticmethod
    def certificate(path: Path, days: str) -> None:
        """A certificate of this machine that signs itself."""
        key = path.with_suffix(".key")
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key,
             "-out", path, "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-days", "30"],
            check=True, capture_output=True)  # fmt: skip
        if days == "-1":
            folder = path.parent
            request = folder / "request.pem"
            subprocess.run(["openssl", "req", "-new", "-key", key, "-subj", "/CN=localhost", "-out", request], check=True,
                           capture_output=True)  # fmt: skip
            (folder / "extension").write_text("subjectAltName=DNS:localhost\nbasicConstraints=CA:TRUE\n")
            (folder / "index").write_text("")
            (folder / "serial").write_text("01\n")
            (folder / "ca.cnf").write_text(
                f"[ca]\ndefault_ca=d\n[d]\ndatabase={folder}/index\nserial={folder}/serial\nnew_certs_dir={folder}\n"
                "default_md=sha256\npolicy=p\n[p]\ncommonName=supplied\n")
            subprocess.run(
                ["openssl", "ca", "-batch", "-config", folder / "ca.cnf", "-selfsign", "-keyfile", key, "-in", request,
                 "-out", path, "-notext", "-startdate", "20200101000000Z", "-enddate", "20200201000000Z", "-extfile",
                 folder / "extension"], check=True, capture_output=True)  # fmt: skip
        path.write_text(path.read_text() + key.read_text())


__all__ = ["Broken"]
