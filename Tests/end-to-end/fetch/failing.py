"""Failures of the server and the network that are sent again, waited for, or final."""

import threading
import time
from collections import Counter
from pathlib import Path

from harness import require
from mock import Reply, failure
from setting import Setting, lines, v1


class Failing(Setting):
    def retries(self, folder: Path) -> None:
        """Each failure of a moment is overcome; the lines are those of an undisturbed run."""
        customers = self.world(8)
        mock = self.mock(*customers)
        ids = [customer.transactions[0]["originalTransactionId"] for customer in customers]
        archive = self.archive(folder, [v1(id) for id in ids])
        calm = folder / "calm.ndjson"
        self.fetch(mock, "history", archive, "--to", calm)
        ways = [Reply(reset=True), Reply(body={"a": "b" * 5000}, cut=300), Reply(503, b"<html>busy</html>"), failure(5_000_001),
                failure(4_040_002), Reply(body=b"{\"signedTransactions\":["), failure(5_000_000), Reply(502)]  # fmt: skip
        left = dict(zip(ids, ways))
        mock.hook = lambda request: left.pop(request.id, None)
        out, summary = folder / "out.ndjson", folder / "summary.json"
        self.fetch(mock, "history", archive, "--to", out, "--summary", summary)
        require(out.read_bytes() == calm.read_bytes(), "the lines differ from those of an undisturbed run")
        counts = self.summary(summary)
        require((counts["requests"], counts["retries"]) == (16, 8), f"{counts}")
        # A server that is slow once.
        slow = {ids[0]: Reply(delay=3.0)}
        mock.hook = lambda request: slow.pop(request.id, None)
        self.fetch(mock, "history", archive, "--to", out, "--timeout", 1)
        require(out.read_bytes() == calm.read_bytes(), "a time-out lost something")
        # A customer whose requests always fail, at most six times; the others are there.
        mock.hook = lambda request: failure(5_000_001) if request.id == ids[3] else None
        mock.requests.clear()
        began = time.monotonic()
        self.fetch(mock, "history", archive, "--to", out, "--summary", summary, "--missing", folder / "missing", status=1)
        seconds = time.monotonic() - began
        tries = [request.at for request in mock.requests if request.id == ids[3]]
        require(len(tries) == 6 and seconds < 60, f"{len(tries)} tries in {seconds:.0f} s")
        waits = [later - earlier for earlier, later in zip(tries, tries[1:])]
        require(all(wait > 0.2 for wait in waits) and waits[4] > 2 * waits[0], f"no back-off: {waits}")
        require(self.summary(summary)["failed"] == 1, "it does not count as failed")
        require([line["errorCode"] for line in lines(folder / "missing")] == [5_000_001], "the code is missing")
        require([line["slipcast"]["id"] for line in lines(out)] == [id for id in ids if id != ids[3]], "others are missing")
        mock.stop()

    def resets(self, folder: Path) -> None:
        """A connection that was used before ends without a response: each request is counted, and at most six are sent."""
        customers = self.world(4)
        mock = self.mock(*customers)
        ids = [one.transactions[0]["originalTransactionId"] for one in customers]
        archive = self.archive(folder, [v1(id) for id in ids])
        words = ["--to", folder / "out.ndjson", "--summary", folder / "summary.json", "--connections", 1]
        self.fetch(mock, "history", archive, *words)
        require(mock.connections == 1, f"{mock.connections} connections for requests one after another")
        for resets, expected in ((3, 4), (100, 6)):
            mock.requests.clear()
            left = [Reply(reset=True)] * resets
            mock.hook = lambda request, left=left: left.pop() if request.id == ids[1] and left else None
            self.fetch(mock, "history", archive, *words, status=(0, 1))
            counts = self.summary(folder / "summary.json")
            times = [request.at for request in mock.requests if request.id == ids[1]]
            require(len(times) == expected, f"{len(times)} requests, expected {expected}")
            require(all(later - earlier > 0.2 for earlier, later in zip(times, times[1:])), f"sent again at once: {times}")
            require((counts["requests"], counts["retries"]) == (len(mock.requests), expected - 1), f"{len(mock.requests)} came: {counts}")
        require(counts["failed"] == 1, f"{counts}")
        mock.stop()

    def waiting(self, folder: Path) -> None:
        """429: nothing is sent before the time of Retry-After, in UNIX milliseconds."""
        customers = self.world(30)
        mock = self.mock(*customers)
        archive = self.archive(folder, [v1(one.transactions[0]["originalTransactionId"]) for one in customers])
        limit: list[float] = []

        def refuse(request):
            if len(mock.requests) > 10 and not limit:
                limit.append(time.time() + 2)
            if limit and time.time() < limit[0]:
                return Reply(429, failure(4_290_000).body, {"Retry-After": str(int(limit[0] * 1000))})
            return None

        mock.hook = refuse
        self.fetch(mock, "history", archive, "--to", folder / "out.ndjson", "--rate", 200, "--connections", 1)
        require(len(lines(folder / "out.ndjson")) == 30, "a customer is missing")
        early = [request for request in mock.requests if limit[0] - 1.5 < request.at < limit[0] - 0.005]
        require(not early, f"{len(early)} requests while the server asked to wait")
        # The clocks differ by an hour: the wait is that of the server's clock.
        mock.clock, limit = 3600.0, []
        mock.hook = lambda request: None if limit else limit.append(time.time()) or self.later(mock, 2)
        words = ["--connections", 1, "--rate", 200]
        outcome = self.fetch(mock, "history", archive, "--to", folder / "other.ndjson", *words, status=(0, 2))
        waited = min(request.at for request in mock.requests if request.at > limit[0] + 0.1) - limit[0]
        require(1.5 < waited < 60, f"waited {waited:.1f} s, expected 2", outcome)
        mock.stop()

    @staticmethod
    def later(mock, seconds: float) -> Reply:
        time_there = int((time.time() + mock.clock + seconds) * 1000)
        return Reply(429, failure(4_290_000).body, {"Retry-After": str(time_there)})

    def unauthorized(self, folder: Path) -> None:
        """401: once more with a fresh token, then the end; it is never "not found"."""
        customers = self.world(3)
        mock = self.mock(*customers)
        archive = self.archive(folder, [v1(one.transactions[0]["originalTransactionId"]) for one in customers])
        once = [Reply(401, b"Unauthenticated")]
        mock.hook = lambda request: once.pop() if once else None
        out = folder / "out.ndjson"
        self.fetch(mock, "history", archive, "--to", out, "--connections", 1)
        require(len(lines(out)) == 3 and len(mock.tokens.known) >= 1, "a refused token was not replaced")
        out.unlink()
        mock.hook = lambda request: Reply(401, b"Unauthenticated")
        mock.requests.clear()
        wrong = self.fetch(mock, "history", archive, "--to", out, "--connections", 1, status=2)
        require(len(mock.requests) == 2, f"{len(mock.requests)} requests, expected 2")
        tokens = {request.headers["authorization"] for request in mock.requests}
        require(len(tokens) == 2, "the token was not fresh")
        for word in ("401", "key id", "issuer", "bundle id"):
            require(word in wrong.stderr, f"the message does not say what to check: {word}", wrong)
        require(not list(folder.glob("out*")), f"a file is left: {list(folder.glob('out*'))}")
        # A clock that is an hour off.
        mock.clock = -3600
        mock.hook = lambda request: Reply(401, b"Unauthenticated")
        wrong = self.fetch(mock, "history", archive, "--to", out, status=2)
        require("clock" in wrong.stderr and ("60 minutes" in wrong.stderr or "59 minutes" in wrong.stderr), "the clock", wrong)
        mock.stop()

    def codes(self, folder: Path) -> None:
        """Final codes are results: not found, or failed with the code."""
        ids = [f"73000000000{number:04d}" for number in range(6)]
        answers = {ids[0]: 4_040_010, ids[1]: 4_000_006, ids[2]: 4_040_005, ids[3]: 4_040_001, ids[4]: 4_999_999, ids[5]: 4_030_000}
        mock = self.mock()
        mock.hook = lambda request: failure(answers[request.id])
        summary, missing = folder / "summary.json", folder / "missing.ndjson"
        archive = self.archive(folder, [v1(id) for id in ids])
        self.fetch(mock, "history", archive, "--summary", summary, "--missing", missing, status=1)
        counts = self.summary(summary)
        require((counts["notFound"], counts["failed"], counts["requests"]) == (3, 3, 6), f"{counts}")
        require([line["errorCode"] for line in lines(missing)] == [answers[id] for id in ids], "other codes")
        found = self.archive(folder, [v1(ids[0]), v1(ids[2])], "unknown.ndjson")
        self.fetch(mock, "history", found, status=0)
        mock.stop()

    def rates(self, folder: Path) -> str:
        """Within five percent of the rate, and never above it in any second."""
        mock = self.mock(*self.world(1))
        mock.hook = lambda request: failure(4_040_010)
        told = []
        for endpoint, rate, words in (("history", 50, []), ("refunds", 10, []), ("statuses", 120, ["--rate", 120])):
            count = rate * 5
            ids = [f"73000000{number:07d}" for number in range(count)]
            archive = self.archive(folder, [v1(id) for id in ids], f"{endpoint}.ndjson")
            # Requests that wait for a busy machine arrive together: then the measurement is repeated.
            for _ in range(5):
                most, reached = self.measure(mock, count, endpoint, archive, *words)
                if most <= rate and reached > rate * 0.95:
                    break
            require(most <= rate, f"{endpoint}: {most} requests in one second, {rate} are allowed")
            require(reached > rate * 0.95, f"{endpoint}: only {reached:.1f} requests per second")
            told.append(f"{endpoint} {reached:.1f} of {rate}/s, at most {most} in a second")
        mock.stop()
        return "; ".join(told)

    def measure(self, mock, count: int, *words: object) -> tuple[int, float]:
        """The most requests in any second, and the requests per second."""
        mock.requests.clear()
        self.fetch(mock, *words)
        times = sorted(request.at for request in mock.requests)
        require(len(times) == count, f"{len(times)} requests")
        return max(Counter(self.window(times)).values()), (count - 1) / (times[-1] - times[0])

    @staticmethod
    def window(times: list[float]) -> list[int]:
        """For each request the number of the window that begins with an earlier one and holds it."""
        found = []
        for place, begin in enumerate(times):
            found += [place] * sum(1 for time in times[place : place + 500] if time < begin + 1)
        return found


__all__ = ["Failing", "threading"]
