"""Requests and their responses, slow senders, command lines."""

import http.client
import json
import socket
import ssl
import time
import warnings
from pathlib import Path

from harness import require, run as command
from parts import Parts
from server import SECRET, body, serving


class Asking(Parts):
    def responses(self, folder: Path) -> str:
        """The table of contract: one request for each status."""
        v2 = self.signed(1)[0]
        token = json.loads(v2)["signedPayload"]
        head, payload, signature = token.split(".")
        changed = ".".join([head, payload, ("A" if signature[0] != "A" else "B") + signature[1:]])
        secrets = folder / "secrets"
        folder.mkdir(parents=True)
        # Windows programs begin a text with a byte order mark.
        secrets.write_text(f"\ufeff{SECRET}\r\nanother\n")
        words = ["--path", "/apple", "--max-body", "1", "--shared-secret", secrets, *self.root]
        with serving(self.slipcast, folder, *words) as server:
            cases = [
                (200, server.send(body(1), "/apple")),
                (200, server.send(body(1), "/apple")),
                (200, server.send(v2, "/apple", Content_Type="text/plain")),
                (400, server.send(b"nonsense", "/apple")),
                (400, server.send(b"", "/apple")),
                (400, server.send(b"{}", "/apple")),
                (400, server.send(b"[" * 100_000, "/apple")),
                (400, server.send(b'{"signedPayload":5}', "/apple")),
                (403, server.send(json.dumps({"signedPayload": changed}).encode(), "/apple")),
                (403, server.send(body(2).replace(SECRET.encode(), b"wrong"), "/apple")),
                (403, server.send(json.dumps({"notification_type": "CANCEL"}).encode(), "/apple")),
                (404, server.send(body(3), "/")),
                (405, server.send(b"", "/apple", "DELETE")),
                (413, server.send(b" " * (1 << 20) + body(4), "/apple")),
                (415, server.send(body(5), "/apple", Content_Encoding="gzip")),
            ]
            wrong = [f"{expected} expected, {found} found" for expected, found in cases if expected != found]
            require(not wrong, "; ".join(wrong))
            health = server.health()
            require(health["stored"] == 2 and health["repeated"] == 1, f"two events were sent, one of them twice: {health}")
            require(health["refused"] == 12 and health["received"] == 15, f"12 of 15 requests are refused: {health}")
            require(server.metric('answers_total{status="403"}') == 3, "three answers were 403")
            require(server.metric("stored_total") == 2, "two events are new")
            page = server.get("/metrics")
            for text in (page, server.log.read_text()):
                require(SECRET not in text and "wrong" not in text.replace("secretWrong", "").replace("wrongPath", "").replace("wrongMethod", ""),
                        "a secret is in the log or in /metrics")  # fmt: skip
        return f"{len(cases)} requests"

    def chunked(self, folder: Path) -> str:
        """A body without a stated length is read, up to the limit."""
        with serving(self.slipcast, folder, "--max-body", "1") as server:
            for data, expected in ((body(1), 200), (b" " * (2 << 20), 413)):
                connection = server.connection()
                connection.request("POST", "/", iter([data[:100], data[100:]]), encode_chunked=True,
                                   headers={"Transfer-Encoding": "chunked"})  # fmt: skip
                require(connection.getresponse().status == expected, f"{expected} expected")
                connection.close()
        return ""

    def unasked(self, folder: Path) -> str:
        """A body that is too long is refused before it is sent, where the sender waits for that; once, also if it never comes."""
        head = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000\r\n"
        with serving(self.slipcast, folder, "--max-body", "1", "--body-timeout", "1") as server:
            for count, (more, answer) in enumerate(((b"Expect: 100-continue\r\n", b"HTTP/1.1 413"), (b"", b"")), 1):
                with socket.create_connection(("127.0.0.1", server.port), timeout=10) as one:
                    one.sendall(head + more + b"\r\n")
                    require(one.recv(100).startswith(answer), "413 is expected")
                health = server.health()
                require((health["received"], health["refused"]) == (count, count), f"{count} requests: {health}")
        return ""

    def addresses(self, folder: Path) -> str:
        with serving(self.slipcast, folder / "one", "--allow", "17.0.0.0/8") as server:
            require(server.send(body(1)) == 403, "a client outside --allow is refused")
        with serving(self.slipcast, folder / "two", "--allow", "17.0.0.0/8", "--allow", "127.0.0.0/8") as server:
            require(server.send(body(1)) == 200, "a client inside --allow is accepted")
        return ""

    def tls(self, folder: Path) -> str:
        folder.mkdir(parents=True)
        command(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", folder / "key.pem", "-out",
                 folder / "cert.pem", "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"])  # fmt: skip
        words = ["--tls-cert", folder / "cert.pem", "--tls-key", folder / "key.pem"]
        with serving(self.slipcast, folder, *words) as server:
            def status(context: ssl.SSLContext) -> int:
                connection = http.client.HTTPSConnection("127.0.0.1", server.port, timeout=20, context=context)
                try:
                    connection.request("POST", "/", body(1))
                    return connection.getresponse().status
                finally:
                    connection.close()

            require(status(ssl.create_default_context(cafile=folder / "cert.pem")) == 200, "a notification by HTTPS")
            old = ssl.create_default_context(cafile=folder / "cert.pem")
            old.set_ciphers("DEFAULT@SECLEVEL=0")
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                old.minimum_version = old.maximum_version = ssl.TLSVersion.TLSv1_1
            try:
                refused = status(old) != 200
            except OSError:
                refused = True
            require(refused, "TLS 1.1 is refused")
        return ""

    def slow(self, folder: Path) -> str:
        """Slow senders and idle connections are cut off; others are served meanwhile."""
        with serving(self.slipcast, folder, "--header-timeout", "1", "--body-timeout", "1") as server:
            idle = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(200)]
            head = socket.create_connection(("127.0.0.1", server.port))
            head.sendall(b"POST / HTTP/1.1\r\n")
            rest = socket.create_connection(("127.0.0.1", server.port))
            rest.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n")
            end = time.monotonic() + 30
            closed = set()
            while time.monotonic() < end and len(closed) < 2:
                for one, data in ((head, b"X-A: b\r\n"), (rest, b" ")):
                    try:
                        one.sendall(data)
                        one.settimeout(0.05)
                        if one.recv(1) == b"":
                            closed.add(one)
                    except TimeoutError:
                        pass
                    except OSError:
                        closed.add(one)
                require(server.send(body(1)) == 200, "others are served")
            require(len(closed) == 2, "a slow head and a slow body end the connection")
            for one in idle:
                one.settimeout(30)
                require(one.recv(1) == b"", "an idle connection is closed")
            require(server.health()["stored"] == 1, "nothing else is stored")
            require(server.metric('timeouts_total{part="body"}') == 1, "the slow body is counted")
            require(server.metric('timeouts_total{part="head"}') >= 201, "slow heads and idle connections are counted")
            require(server.health()["refused"] == 1, "the slow body is refused")
            require(server.log.read_text().count("reason=bodySlow") == 1, "the slow body is a line of the log")
        return ""

    def heads(self, folder: Path) -> str:
        """A head that is too long, and what is no HTTP, harm nobody."""
        with serving(self.slipcast, folder, "--header-timeout", "1") as server:
            statuses = []
            for data in (
                b"POST / HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 200_000, b"\x16\x03\x01" * 1000, b"POST " + b"/" * 100_000 + b" HTTP/1.1\r\n\r\n",
                b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: nonsense\r\n\r\n", b"POST / HTTP/9.9\r\n\r\n",
            ):  # fmt: skip
                one = socket.create_connection(("127.0.0.1", server.port))
                one.settimeout(15)
                try:
                    one.sendall(data)
                    answer = one.recv(100)
                except OSError:
                    answer = b""
                require(b" 200 " not in answer, "no success")
                if answer:
                    statuses.append(int(answer.split()[1]))
                one.close()
            require(431 in statuses and 400 in statuses, f"statuses: {statuses}")
            require(server.send(body(1)) == 200, "the server goes on")
            for status in set(statuses):
                found = server.metric(f'answers_total{{status="{status}"}}')
                require(found >= statuses.count(status), f"{found} answers {status} are counted, {statuses} were given")
            log = server.log.read_text()
            require("status=431 reason=headTooLong" in log and "reason=notHTTP" in log, log)
            require(server.health()["refused"] >= len(statuses), "they are counted as refused")
        return " ".join(map(str, statuses))

    def whose(self, folder: Path) -> str:
        """A notification of another app, or of another environment, is 403 and not stored; without a requirement the log warns."""
        app, other, apple = "com.example.slipcast.serve", "com.example.slipcast.other", 1_234_567_890
        folder.mkdir(parents=True)
        source = folder / "v2.ndjson"
        kinds = [(app, "Production", apple), (app, "Sandbox", None), (other, "Production", apple), (app, "Production", apple + 1), (app, "Production", None)]
        source.write_text("".join(
            json.dumps({"notificationType": "TEST", "notificationUUID": f"11111111-2222-4333-8444-{number:012}", "version": "2.0", "signedDate": 1700000000000 + number,
                        "data": {"bundleId": one, "environment": environment, **({"appAppleId": id} if id else {})}}) + "\n"
            for number, (one, environment, id) in enumerate(kinds)))  # fmt: skip
        v2 = self.suite.run("sign", "--quiet", self.identity, source).stdout.encode().splitlines()
        record = json.loads(body(1))

        def v1(number: int, **members: object) -> bytes:
            text = {**json.loads(body(number)), **members}
            return json.dumps({key: value for key, value in text.items() if value is not None}).encode()

        require({"bid", "environment"} <= record.keys(), "the record names its app")
        bodies = [*v2, v1(1, bid=app, environment="PROD"), v1(2, bid=app, environment="Sandbox"), v1(3, bid=other), v1(4, bid=None), v1(5, bid=app, environment=None)]
        cases = [
            ([], [200] * 10), (["--bundle-id", app], [200, 200, 403, 200, 200, 200, 200, 403, 403, 200]),
            (["--bundle-id", other, "--bundle-id", app], [200] * 8 + [403, 200]), (["--environment", "sandbox"], [403, 200, 403, 403, 403, 403, 200, 403, 403, 403]),
            (["--bundle-id", app, "--environment", "production", "--app-apple-id", str(apple)], [200, 403, 403, 403, 403, 200, 403, 403, 403, 403]),
        ]  # fmt: skip
        for number, (words, expected) in enumerate(cases):
            with serving(self.slipcast, folder / str(number), *words, *self.root) as server:
                found = [server.send(data) for data in bodies]
                require(found == expected, f"{words}: {found}")
                require(server.health()["stored"] == expected.count(200), "what is refused is not stored")
                warned = "warning message=notifications of every app" in server.log.read_text()
                require(warned == (not words), f"{words}: warned {warned}")
        return f"{len(cases)} command lines"

    def strangers(self, folder: Path) -> str:
        """A body with a wrong secret is refused before it is converted: it takes no longer than its JSON."""
        folder.mkdir(parents=True)
        (folder / "secrets").write_text(SECRET)
        with serving(self.slipcast, folder, "--shared-secret", folder / "secrets") as server:
            times = {}
            # Converting this many entries takes far longer than reading them.
            entry = json.loads(body(1))["unified_receipt"]["latest_receipt_info"][0]
            record = json.loads(body(1))
            record["unified_receipt"]["latest_receipt_info"] = [{**entry, "transaction_id": str(number)} for number in range(2500)]
            for name, secret in (("known", SECRET), ("wrong", "wrong")):
                bodies = [json.dumps({**record, "bvrs": str(number), "password": secret}).encode() for number in range(20)]
                begin = server.processor_seconds
                for data in bodies:
                    require(server.send(data) == (200 if name == "known" else 403), f"the {name} secret")
                times[name] = (server.processor_seconds - begin) / len(bodies)
            require(times["wrong"] < times["known"] * 0.7, f"{times}: a stranger's body is converted")
        return " ".join(f"{name} {seconds * 1000:.0f} ms" for name, seconds in times.items())

    def words(self, folder: Path) -> str:
        """What cannot be done ends with status 2 and says why."""
        folder.mkdir(parents=True)
        (folder / "other").mkdir()
        (folder / "other/file").write_text("x")
        (folder / "empty").write_text("\n")
        cases = [
            (["--journal", folder / "j", "--allow", "nonsense"], "--allow"),
            (["--journal", folder / "j", "--listen", "127.0.0.1"], "ADDRESS:PORT"),
            (["--journal", folder / "j", "--listen", "127.0.0.1:99999"], "ADDRESS:PORT"),
            (["--journal", folder / "j", "--listen", "192.0.2.1:80"], "192.0.2.1:80"),
            (["--journal", folder / "other", "--listen", "127.0.0.1:0"], "other files"),
            (["--journal", folder / "j", "--tls-cert", folder / "empty"], "--tls-key"),
            (["--journal", folder / "j", "--shared-secret", folder / "empty"], "--shared-secret"),
            (["--journal", folder / "j", "--forward", "v3=http://x/"], "--forward"),
            (["--journal", folder / "j", "--forward", "raw=ftp://x/"], "--forward"),
            (["--journal", folder / "j", *["--forward", "raw=http://127.0.0.1:1/?token=SECRET"] * 2], "given twice"),
            (["--journal", folder / "j", "--retry-seconds", "1,x"], "--retry-seconds"),
            (["--journal", folder / "j", "--sign", self.identity], "--sign"),
            (["--journal", folder / "j", "--rejects", folder / "r"], "--rejects"),
            (["--journal", folder / "j", "--to", "-"], "--to"),
            (["--journal", folder / "j", "out.ndjson"], "options only, not \"out.ndjson\""),
            (["--journal", folder / "j", "--allow", "::ffff:10.0.0.0/64"], "not \"::ffff:10.0.0.0/64\""),
            ([], "--journal"),
        ]
        for words, said in cases:
            found = self.suite.run("serve", *words, status=2, seconds=20)
            require(said in found.stderr, f"{words}: {found.stderr}")
        return f"{len(cases)} command lines"
