"""200 means on disk and found by the next start: fsync, a journal that others change, its end, repetitions with other content."""

import json
import shutil
from pathlib import Path
from typing import Callable

from harness import Skipped, require, run as command
from parts import Parts, lines
from server import Server, body, serving

HERE = Path(__file__).resolve().parent


class Guarding(Parts):
    def acknowledged(self, folder: Path) -> str:
        """No 200 leaves before the journal and the name of its file are on disk; an fsync that fails is 503."""
        if not shutil.which("cc"):
            raise Skipped("it needs a C compiler")
        folder.mkdir(parents=True)
        shim = folder / "acknowledged.so"
        command(["cc", "-shared", "-fPIC", "-O1", "-o", shim, HERE / "acknowledged.c", "-ldl"])
        for name, failing, expected in (("all", 0, [200] * 10), ("one", 3, [200, 200, 503, *[200] * 7])):
            prefix = ("env", f"LD_PRELOAD={shim}", *([f"FAIL_FSYNC={failing}"] if failing else []))
            with serving(self.slipcast, folder / name, "--to", folder / name / "v2.ndjson", prefix=prefix) as server:
                found = []
                for number in range(10):
                    try:
                        found.append(server.send(body(number)))
                    except OSError:
                        break
                require(found == expected, f"{name}: {found}; {server.log.read_text()[-300:]}")
                require(server.send(body(0)) == 200, "a repetition is accepted")
                require(server.delivered()["stored"] == expected.count(200), "the acknowledged events are stored")
            with serving(self.slipcast, folder / name) as server:
                require(server.health()["stored"] == expected.count(200), "they are found after a restart")
        return ""

    def vanished(self, folder: Path) -> str:
        """A journal whose files others remove, replace or change acknowledges nothing, says why, and goes on when they are back."""
        def unlink(path: Path) -> None:
            path.unlink()

        def replace(path: Path) -> None:
            data = path.read_bytes()
            path.unlink()
            path.write_bytes(data)

        def shorten(path: Path) -> None:
            path.write_bytes(path.read_bytes()[:-1])

        def lengthen(path: Path) -> None:
            path.write_bytes(path.read_bytes() + b"x")

        def move(path: Path) -> None:
            path.rename(path.with_name("moved"))

        def move_folder(path: Path) -> None:
            path.parent.rename(path.parent.with_name("away"))

        changes: list[tuple[Callable[[Path], None], str, bool]] = [
            (unlink, "0*", False), (replace, "0*", False), (shorten, "0*", False), (lengthen, "0*", True), (move, "0*", True),
            (unlink, "journal.json", False), (move, "journal.json", True), (move_folder, "0*", True),
        ]  # fmt: skip
        for change, pattern, returns in changes:
            for repeats in (False, True):
                name = f"{change.__name__} {pattern.strip('*')} {'repeated' if repeats else 'new'}"
                place = folder / name.replace(" ", "-")
                with serving(self.slipcast, place) as server:
                    for number in range(3):
                        require(server.send(body(number)) == 200, "accepted")
                    path = next(server.journal.glob(pattern))
                    before = path.read_bytes()
                    change(path)
                    require(server.send(body(1 if repeats else 4)) == 503, f"{name}: an event is acknowledged that a restart does not find")
                    failed = json.loads(server.get("/healthz", status=503))
                    require(failed["status"] == "failed" and "another program changed it" in failed["reason"], f"{name}: {failed}")
                    require("another program changed it" in server.log.read_text(), f"{name}: the log says nothing")
                    if not returns:
                        continue
                    if change is move_folder:
                        path.parent.with_name("away").rename(path.parent)
                    elif change is lengthen:
                        with path.open("r+b") as file:
                            file.truncate(len(before))
                    else:
                        path.with_name("moved").rename(path)
                    require(server.send(body(4)) == 200 and server.health()["stored"] == 4, f"{name}: it does not go on")
                if returns:
                    with serving(self.slipcast, place) as server:
                        require(server.health()["stored"] == 4, f"{name}: an acknowledged event is lost")
        return f"{len(changes)} changes"

    def ends(self, folder: Path) -> str:
        """An event with a valid checksum is kept, whatever became of its line feed; what is cut off is a line of the log."""
        with serving(self.slipcast, folder) as server:
            for number in range(3):
                server.send(body(number))
        part = next(folder.glob("journal/0*.ndjson"))
        whole = part.read_bytes()
        one, two, three = whole.splitlines(keepends=True)
        cases = {
            "no line feed": (whole[:-1], 3, 0), "another byte": (whole[:-1] + b"\x0b", 3, 1), "zeros": (whole + bytes(5000), 3, 5000),
            "a brace": (whole + b"{", 3, 1), "two bytes": (whole[:-1] + b"}}", 3, 2), "half": (one + two + three[:40], 2, 40),
            "no brace": (whole[:-2], 2, len(three) - 2), "changed": (one + two + three[:-1].replace(b"RENEW", b"RENEX"), 2, len(three) - 1),
        }  # fmt: skip
        for name, (text, count, cut) in cases.items():
            part.write_bytes(text)
            before = len(lines(folder / "log"))
            with serving(self.slipcast, folder) as server:
                require(server.health()["stored"] == count, f"{name}: {server.health()['stored']} of {count} events")
            require(part.read_bytes() == b"".join([one, two, three][:count]), f"{name}: the file has other bytes")
            offset = sum(map(len, [one, two, three][:count])) - (1 if count == 3 and text[: len(whole)] != whole else 0)
            said = [line for line in lines(folder / "log")[before:] if " mended " in line]
            require(len(said) == 1 and f"file={part} offset={offset} bytes={cut} " in said[0], f"{name}: {said}, offset {offset}")
        for name, text in {
            "an event behind what is cut": one + two[:40] + three[:-1], "two without a line feed": one + two[:-1] + b" " + three[:-1],
        }.items():  # fmt: skip
            part.write_bytes(text)
            refused = self.suite.run("serve", "--listen", "127.0.0.1:0", "--journal", folder / "journal", status=2, seconds=20)
            require(f"byte {len(one)}" in refused.stderr and part.read_bytes() == text, f"{name}: {refused.stderr}")
        return f"{len(cases) + 2} ends"

    def differs(self, folder: Path) -> str:
        """A repetition with other content is kept, marked, counted and not delivered; it is a line of the log."""
        v2 = json.loads(self.suite.run("convert", "--quiet", "--plain", "Fixtures/notifications/app-account-token/v1.json").stdout)
        texts = [json.dumps({**v2, "notificationType": kind}) + "\n" for kind in ("DID_RENEW", "DID_RENEW", "EXPIRED")]
        folder.mkdir(parents=True)
        source = folder / "v2.ndjson"
        source.write_text("".join(texts))
        signed = self.suite.run("sign", "--quiet", self.identity, source).stdout.encode().splitlines()
        first, other = body(1), body(1).replace(b'"bvrs": "', b'"bvrs": "9')
        require(first != other, "the content differs")
        target = folder / "to.ndjson"

        def serve() -> Server:
            return serving(self.slipcast, folder, "--to", target, "--settle", *self.root)

        with serve() as server:
            for data in (first, first, *signed[:2]):
                require(server.send(data) == 200, "a notification is accepted")
            require("repeatDiffers" not in server.log.read_text(), "an equal repetition is no news")
            for data in (other, signed[2]):
                require(server.send(data) == 200, "a notification is accepted")
            health = server.delivered()
            require((health["stored"], health["repeated"], health["status"]) == (2, 4, "ok"), f"each is stored once: {health}")
            require(server.metric("differing_total") == 2, "two have other content")
            told = [line for line in server.log.read_text().splitlines() if " repeatDiffers " in line]
            require(len(told) == 2 and "version=V1" in told[0] and f"id={v2['notificationUUID']}" in told[1], f"{told}")
            require(server.send(body(2)) == 200 and server.delivered()["stored"] == 3, "later events are stored")
        events = [json.loads(line) for line in lines(next(folder.glob("journal/0*.ndjson")))]
        kept = [event for event in events if event.get("differs")]
        require([event["body"].encode() for event in kept] == [other, signed[2]], f"{len(kept)} of 2 are kept and marked")
        require([event["number"] for event in events] == [1, 2, 3, 4, 5], "numbers have no gap")
        with serve() as server:
            for data in (first, other, *signed):
                server.send(data)
            require(server.log.read_text().count(" repeatDiffers ") == 4, "after a restart they are noticed too")
            require(server.metric("differing_total") == 2 and server.metric("stored_total") == 0, "what is kept is not kept again")
            server.delivered()
        require(len(lines(target)) == 3, f"{len(lines(target))} of 3 events are delivered")
        again = self.suite.run("convert", "--quiet", folder / "journal").stdout
        require([json.loads(line)["notificationUUID"] for line in again.splitlines()] ==
                [json.loads(line)["notificationUUID"] for line in lines(target)], "convert reads the journal in another way")  # fmt: skip
        require(len(lines(next(folder.glob("journal/0*.ndjson")))) == 5, "nothing more is stored")
        return ""
