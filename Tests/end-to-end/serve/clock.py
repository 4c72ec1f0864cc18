"""The system's clock is set while the server runs, and between two runs."""

import time
from pathlib import Path

from harness import Skipped, require
from parts import Parts, lines, records
from server import Server, body, service

LIBRARY = next(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), None)


class Clock(Parts):
    def clock(self, folder: Path) -> str:
        """Retries keep their schedule, and each event stays one event, 400 days back and forth."""
        if LIBRARY is None:
            raise Skipped("it needs the Debian package faketime")
        folder.mkdir(parents=True)
        setting = folder / "clock"
        prefix = ("env", f"LD_PRELOAD={LIBRARY}", f"FAKETIME_TIMESTAMP_FILE={setting}", "FAKETIME_NO_CACHE=1", "FAKETIME_DONT_FAKE_MONOTONIC=1")

        def turn(days: int) -> None:
            new = folder / "clock.new"
            new.write_text(f"{days:+d}d")
            new.rename(setting)

        self.retried(folder / "retried", prefix, turn)
        self.kept_waiting(folder / "waiting", prefix, turn)
        turn(0)
        sent, place = records(), folder / "events"
        server = Server(self.slipcast, place, "--to", place / "v2.ndjson", prefix=prefix)
        try:
            for days in (0, 400, -400):
                turn(days)
                if days:
                    require(abs(self.logged(server) - time.time() - days * 86_400) < 3600, f"the clock is set by {days} days")
                for data in sent:
                    require(server.send(data) == 200, "a notification is accepted")
                if days == 0:
                    stored = server.delivered()["stored"]
                require(server.delivered()["stored"] == stored, f"{days} days: {server.health()['stored'] - stored} events are stored again")
            require(len(set(lines(place / "v2.ndjson"))) == len(lines(place / "v2.ndjson")) == server.health()["converted"], "each once")
            require(server.end() == 0, "the exit status is 0")
        finally:
            server.process.kill()
            server.process.wait()
        return f"{len(sent)} notifications"

    @staticmethod
    def logged(server: Server) -> float:
        """The time in the log, for a refused request."""
        server.send(b"nonsense")
        stamp = server.log.read_text().splitlines()[-1].split()[0].split(".")[0].removesuffix("Z")
        return time.mktime(time.strptime(stamp, "%Y-%m-%dT%H:%M:%S")) - time.timezone

    def retried(self, folder: Path, prefix: tuple[str, ...], turn) -> None:
        """The clock goes back 400 days, with the server running and between two runs: the next attempt is not a year away."""
        with service() as one:
            one.status = 500
            words = ["--forward", f"raw=http://127.0.0.1:{one.port}/", "--retry-seconds", ",".join(["2"] * 20)]
            turn(0)
            for number, restarts in enumerate((False, True)):
                server = Server(self.slipcast, folder, *words, prefix=prefix)
                try:
                    require(server.send(body(number)) == 200, "accepted")
                    server.wait(lambda health: health["status"] == "degraded", "a failed attempt")
                    if restarts:
                        server.end(9)
                    turn(-400 * (number + 1))
                    one.status = 200
                    if restarts:
                        server = Server(self.slipcast, folder, *words, prefix=prefix)
                    server.wait(lambda health: not any(health["pending"].values()), "the next attempt", 10)
                    require(one.bodies[-1] == body(number), "it is delivered")
                    one.status = 500
                    server.end()
                finally:
                    server.process.kill()
                    server.process.wait()

    def kept_waiting(self, folder: Path, prefix: tuple[str, ...], turn) -> None:
        """The clock goes forth 400 days: no attempt is made early."""
        with service() as one:
            tries: list[bytes] = []
            one.status = lambda data: tries.append(data) or 500
            turn(0)
            server = Server(self.slipcast, folder, "--forward", f"raw=http://127.0.0.1:{one.port}/", "--retry-seconds", "600,600", prefix=prefix)
            try:
                require(server.send(body(1)) == 200, "accepted")
                server.wait(lambda _: len(tries) == 1, "a failed attempt")
                turn(400)
                time.sleep(2.5)
                require(len(tries) == 1, f"{len(tries) - 1} attempts are too early")
                require(server.end() == 0, "the exit status is 0")
            finally:
                server.process.kill()
                server.process.wait()
