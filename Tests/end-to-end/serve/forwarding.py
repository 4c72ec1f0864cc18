"""Forwards to other services, and replays."""

import json
import signal
import subprocess
import time
from pathlib import Path

from harness import require
from parts import Parts, lines, records
from server import SECRET, body, service, serving


class Forwarding(Parts):
    def forwards(self, folder: Path) -> str:
        """Raw bytes, and V2 payloads; V1 converted and signed for consumers of V2."""
        sent = self.signed(3)
        with service() as raw, service() as v2, service() as decoded:
            words = ["--forward", f"raw=http://127.0.0.1:{raw.port}/a?key=hidden", "--forward", f"v2=http://127.0.0.1:{v2.port}/b",
                     "--sign", self.identity]  # fmt: skip
            with serving(self.slipcast, folder, *words, *self.root) as server:
                for number, data in enumerate(sent):
                    require(server.send(data) == 200 and server.send(body(number)) == 200, "both versions are accepted")
                server.delivered()
                require("hidden" not in server.get("/metrics") + server.get("/healthz"), "a query is no name")
            require(raw.bodies == [data for number, one in enumerate(sent) for data in (one, body(number))], "raw: the same bytes")
            require(v2.bodies[::2] == sent, "v2: Apple's payload is unchanged")
            tokens = folder / "tokens.ndjson"
            tokens.write_bytes(b"\n".join(v2.bodies) + b"\n")
            self.suite.run("verify", "--quiet", *self.root, tokens)
            with serving(self.slipcast, folder / "decoded", "--forward", f"v2=http://127.0.0.1:{decoded.port}/") as server:
                server.send(body(1))
                # What cannot be converted stays in the journal; it is counted, and in the log.
                bare = json.dumps({"notification_type": "DID_RENEW", "password": SECRET, "environment": "PROD"}).encode()
                require(server.send(bare) == 200, "a body of V1 is stored")
                health = server.wait(lambda one: one["converted"] + one["rejected"] == 2, "both are counted")
                require((health["converted"], health["rejected"]) == (1, 1), f"{health}")
            require(len(decoded.bodies) == 1, "what cannot be converted is not sent")
            line = json.loads(decoded.bodies[0])
            require(line["version"] == "2.0" and "migration" in line, "without --sign V1 is sent decoded")
        return ""

    def retries(self, folder: Path) -> str:
        """A service that is away: order for each subscription, the schedule, undelivered events, a restart between."""
        with service() as one:
            address = f"raw=http://127.0.0.1:{one.port}/"
            words = ["--forward", address, "--retry-seconds", "1,1", "--forward-timeout", "2"]
            one.status = lambda data: 500 if b"1000012345" in data else 200
            bad = [body(7).replace(b'"password"', b'"note":"1000012345 %d","password"' % n) for n in range(2)]
            with serving(self.slipcast, folder, *words) as server:
                require(server.send(bad[0]) == 200 and server.send(body(8)) == 200, "both are accepted")
                # A server that is killed before it notes a delivery makes it again, so its own report counts here.
                server.wait(lambda health: health["status"] == "degraded" and health["pending"] == {address: 1}, "one is delivered")
                require(one.bodies == [body(8)], "another subscription does not wait")
                # Killed between two attempts: the next server goes on.
                server.end(9)
            with serving(self.slipcast, folder, *words) as server:
                server.wait(lambda health: health["undelivered"] == {f"{address}": 1}, "undelivered after two retries", 20)
                require(server.metric(f'undelivered{{target="{address}"}}') == 1, "/metrics says it too")
                require(server.send(body(9)) == 200, "later events are accepted")
                server.wait(lambda health: len(one.bodies) == 2, "later events are delivered")
            one.status = 200
            with serving(self.slipcast, folder, *words, "--redeliver") as server:
                server.wait(lambda health: not any(health["undelivered"].values()) and not any(health["pending"].values()), "delivered again", 20)  # fmt: skip
            require(one.bodies == [body(8), body(9), bad[0]], "each reached the service once")
        place = folder / "order"
        words = ["--retry-seconds", "1,1,1,1,1,1,1,1,1,1", "--forward-timeout", "2"]
        events = [body(1, kind) for kind in ("DID_RENEW", "CANCEL", "DID_CHANGE_RENEWAL_STATUS")]
        with service(is_away=True) as one, serving(self.slipcast, place, "--forward", f"raw=http://127.0.0.1:{one.port}/", *words) as server:
            for data in events:
                require(server.send(data) == 200, "accepted while the service is down")
            server.wait(lambda health: health["status"] == "degraded", "degraded")
            time.sleep(0.5)
            one.come_back()
            server.delivered()
            require(one.bodies == events, "the order of a subscription is kept")
        return ""

    def stubborn(self, folder: Path) -> str:
        """A service that rejects more than a thousand events for good still receives the others."""
        with service() as one:
            good = body(5000)
            one.status = lambda data: 200 if data == good else 500
            with serving(self.slipcast, folder, "--forward", f"raw=http://127.0.0.1:{one.port}/", "--retry-seconds", "3600") as server:
                for number in range(1060):
                    require(server.send(body(number)) == 200, "accepted")
                require(server.send(good) == 200, "accepted")
                server.wait(lambda _: one.bodies == [good], "the delivery of the good event", 240)
        return ""

    # Replays

    def replays(self, folder: Path) -> str:
        """An archive reaches `serve` as it was stored, or converted and signed; every event once."""
        folder.mkdir(parents=True)
        source, sent = folder / "v1.ndjson", records()
        source.write_bytes(b"".join(data + b"\n" for data in sent))
        expected = len(self.suite.run("convert", "--quiet", "--dedupe", source, status=(0, 1)).stdout.splitlines())
        with serving(self.slipcast, folder / "raw", "--to", folder / "raw.ndjson") as server:
            words = ["--raw", "--execute", "--to", f"http://127.0.0.1:{server.port}/", "--order", "shuffled", "--duplicates", "20%",
                     "--concurrency", "4", "--summary", folder / "s.json", "--summary", folder / "s.html"]  # fmt: skip
            self.suite.run("replay", *words, source)
            health = server.delivered()
            summary = json.loads((folder / "s.json").read_text())
            twice = summary["delivered"] - len(sent)
            require(len(sent) * 0.1 < twice < len(sent) * 0.3, f"a fifth is sent twice, not {twice} of {len(sent)}")
            require(summary["status200"] == summary["delivered"] and summary["missing"] == 0, str(summary))
            require(health["stored"] + health["repeated"] == summary["delivered"], str(health))
            require(0 < summary["p50Milliseconds"] <= summary["p99Milliseconds"], str(summary))
            require(len(lines(folder / "raw.ndjson")) == expected, "each event was delivered once")
            course = summary["course"]["spans"]
            require(sum(one["requests"] for one in course) == summary["delivered"], "every request is in the course")
            require(all(one["requests"] == one["status200"] and 0 < one["p50Milliseconds"] <= one["p99Milliseconds"] for one in course), str(course))
            page = (folder / "s.html").read_text()
            require("Median latency" in page and "<svg" in page, "the page shows the latency over time")
        with serving(self.slipcast, folder / "signed", "--to", folder / "signed.ndjson", *self.root) as server:
            words = ["--sign", self.identity, "--quiet", "--execute", "--to", f"http://127.0.0.1:{server.port}/", "--missing", folder / "m"]
            self.suite.run("replay", *words, source, status=(0, 1))
            server.delivered()
            found = [json.loads(line)["notificationUUID"] for line in lines(folder / "signed.ndjson")]
            text = self.suite.run("convert", "--quiet", "--dedupe", source, status=(0, 1)).stdout
            ids = [json.loads(line)["notificationUUID"] for line in text.splitlines()]
            require(found == ids[: len(found)] or set(found) <= set(ids), "the ids are those of convert")
            require(len(found) + len(lines(folder / "m")) >= expected, "what was not sent is in --missing")
            for name in ("signed.ndjson", "m"):
                require("SECRET-SLIPCAST" not in (folder / name).read_text(), f"{name} has the shared secret")
        return f"{len(sent)} records"

    def plans(self, folder: Path) -> str:
        """Nothing is sent without --execute; retries, missing records, rates and wrong words."""
        folder.mkdir(parents=True)
        source = folder / "v1.ndjson"
        source.write_bytes(b"".join(body(number) + b"\n" for number in range(10)))
        with service() as one:
            address = f"http://127.0.0.1:{one.port}/"
            told = self.suite.run("replay", "--raw", source, "--to", address).stderr
            require("nothing was sent" in told and "10 requests" in told and not one.bodies, told)
            unsent = self.suite.run("replay", source, "--to", address, "--execute", status=1).stderr
            require("--sign" in unsent and not one.bodies, unsent)
            # What Apple never posts is not sent.
            answer = {"status": 0, "environment": "Production", "receipt": {"bundle_id": "com.example.slipcast", "in_app": []}}
            (folder / "answer.json").write_text(json.dumps(answer))
            words = ["--sign", self.identity, "--to", address, "--execute", "--missing", folder / "m"]
            self.suite.run("replay", *words, folder / "answer.json", status=1)
            require(not one.bodies and len(lines(folder / "m")) == 1, "a verifyReceipt response is sent as a notification")
            tries: dict[bytes, int] = {}

            def status(data: bytes) -> int:
                tries[data] = tries.get(data, 0) + 1
                return 503 if data == body(3) or data == body(4) and tries[data] < 3 else 200

            one.status = status
            words = ["--raw", "--execute", "--retry-seconds", "0,0", "--missing", folder / "m", "--summary", folder / "s.csv"]
            self.suite.run("replay", *words, source, "--to", address, status=1)
            require(one.bodies == [body(n) for n in (0, 1, 2, 5, 6, 7, 8, 9, 4)] or sorted(one.bodies) == sorted(body(n) for n in range(10) if n != 3), "nine arrive")  # fmt: skip
            missing = [json.loads(line) for line in lines(folder / "m")]
            require([(one["record"], one["status"], one["attempts"]) for one in missing] == [(4, 503, 3)], str(missing))
            require(SECRET not in (folder / "m").read_text(), "the secret is in --missing")
            # A service that is away for two seconds: the course shows it.
            one.bodies.clear()
            first: list[float] = []

            def away(data: bytes) -> int:
                first.append(time.monotonic())
                return 200 if first[-1] - first[0] > 2.5 else 503

            one.status = away
            words = ["--raw", "--execute", "--retry-seconds", "1,1,1,1", "--summary", folder / "s.json", "--summary", folder / "s.md"]
            told = self.suite.run("replay", *words, source, "--to", address).stderr
            course = json.loads((folder / "s.json").read_text())["course"]
            spans = {span["from"]: span for span in course["spans"]}
            early, last = spans[0], spans[max(spans)]
            require(course["seconds"] == 1 and len(spans) >= 2, str(course))
            require(early["requests"] == early["failed"] == early["status503"] and early["status200"] == 0, str(early))
            require(last["failed"] == 0 and last["status200"] == last["requests"] > 0, str(last))
            require(sum(span["status200"] for span in spans.values()) == 10, str(course))
            require("fromSecond" in told and "| 0 |" in (folder / "s.md").read_text(), "the closing table and Markdown show it")
            one.status, began = 200, time.monotonic()
            one.bodies.clear()
            self.suite.run("replay", "--raw", "--execute", "--rate", "10", "--order", "reversed", source, "--to", address)
            require(0.7 < time.monotonic() - began, "ten requests at 10 per second take most of a second")
            require(one.bodies == [body(number) for number in reversed(range(10))], "the last record is sent first")
        for words, said in (
            (["--to", "ftp://x/"], "--to"), (["--to", "http://x/", "--duplicates", "2"], "--duplicates"),
            (["--to", "http://x/", "--raw", "--sign", self.identity], "--raw"), ([], "--to"),
            (["--to", "http://x/", "--summary", "x.pdf"], "--summary"),
        ):  # fmt: skip
            found = self.suite.run("replay", *words, source, status=2)
            require(said in found.stderr, found.stderr)
        return ""

    def broken(self, folder: Path) -> str:
        """A connection that ends without a response is an attempt; what an interrupted run has not delivered is missing."""
        folder.mkdir(parents=True)
        source, summary = folder / "v1.ndjson", folder / "s.json"
        source.write_bytes(b"".join(body(number) + b"\n" for number in range(6)))
        with service() as one:
            words = ["--raw", "--execute", "--to", f"http://127.0.0.1:{one.port}/", "--summary", summary, "--missing", folder / "m"]
            came: list[bytes] = []

            def status(data: bytes) -> int:
                came.append(data)
                return 0 if came.count(data) == 1 and data == body(3) else 200

            one.status = status
            self.suite.run("replay", *words, "--retry-seconds", "1", source)
            counts = json.loads(summary.read_text())
            require((counts["retries"], counts["noResponse"], counts["status200"]) == (1, 1, 6), str(counts))
            require(len(came) == 7, f"{len(came)} requests came")
            # One was ended, and one was made for the repetition that is not sent.
            require(one.connections <= 3, f"{one.connections} connections")
            one.status = lambda data: 503 if data == body(0) else 200
            one.bodies.clear()
            process = subprocess.Popen(
                [str(word) for word in [self.slipcast, "replay", *words, "--rate", "5", source]], stderr=subprocess.PIPE)
            while len(one.bodies) < 2:
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            told = process.communicate(timeout=20)[1].decode()
            require(process.returncode == 2 and "interrupted" in told, told)
            missing = [json.loads(line) for line in lines(folder / "m")]
            unsent = [number + 1 for number in range(6) if body(number) not in one.bodies]
            require([line["record"] for line in missing] == unsent, f"{missing}, expected {unsent}")
            require((missing[0]["status"], missing[0]["attempts"]) == (503, 1), str(missing[0]))
            require((missing[-1]["status"], missing[-1]["attempts"]) == (None, 0), str(missing[-1]))
            require(json.loads(summary.read_text())["missing"] == len(missing), "the summary counts others")
        return ""

    def paced(self, folder: Path) -> str:
        """The requests take as long as --rate says. What a busy machine delays arrives with what comes after it."""
        folder.mkdir(parents=True)
        source = folder / "v1.ndjson"
        source.write_bytes(b"".join(body(number) + b"\n" for number in range(60)))
        told = []
        with service() as one:
            for rate, concurrency in ((20, 1), (40, 8)):
                times: list[float] = []

                def status(data: bytes) -> int:
                    times.append(time.monotonic())
                    return 200

                one.status, began = status, time.monotonic()
                self.suite.run("replay", "--raw", "--execute", "--to", f"http://127.0.0.1:{one.port}/", "--rate", rate,
                               "--concurrency", concurrency, source)  # fmt: skip
                times.sort()
                early = [place for place, arrived in enumerate(times) if arrived - began < place / rate]
                require(len(times) == 60 and not early, f"requests {early} arrive before their time")
                told.append(f"{59 / (times[-1] - times[0]):.1f} of {rate}/s")
        return ", ".join(told)
