"""What a post office does to two streams: disorder, repetitions, losses, torn lines."""

import json
import random
from pathlib import Path


class Place:
    """Where a record came to stand; repetitions share one, and the first counts."""

    __slots__ = ("record",)

    def __init__(self):
        self.record = 0


class Feed:
    """A file whose lines come in disorder: most within some thousand lines, a few at its very end."""

    def __init__(self, path: Path, rng: random.Random, near: int = 4096, late: int = 2048):
        self.file = path.open("w", encoding="utf-8", buffering=1 << 20)
        self.random, self.near, self.late = rng, near, late
        self.waiting: list[tuple[str, Place]] = []
        self.postponed: list[tuple[str, Place]] = []
        self.records = 0

    def add(self, text: str, place: Place) -> None:
        item = (text, place)
        if self.random.random() < 0.03 and len(self.postponed) < self.late:
            self.postponed.append(item)
            return
        if len(self.waiting) < self.near:
            self.waiting.append(item)
            return
        spot = self.random.randrange(self.near)
        self._write(self.waiting[spot])
        self.waiting[spot] = item

    def _write(self, item: tuple[str, Place]) -> None:
        self.records += 1
        if not item[1].record:
            item[1].record = self.records
        self.file.write(item[0] + "\n")

    def close(self) -> None:
        rest = self.waiting + self.postponed
        self.random.shuffle(rest)
        for item in rest:
            self._write(item)
        self.file.close()


def repeated(notification: dict, rng: random.Random) -> str:
    """The same V2 notification, delivered again."""
    keys = list(notification)
    if rng.random() < 0.5:
        rng.shuffle(keys)
    return json.dumps({key: notification[key] for key in keys}, separators=(",", ":"))


def torn(text: str, rng: random.Random) -> str:
    """A line that no reader can take as a record; it begins like one, so that it ends where the next one begins."""
    match rng.randrange(3):
        case 0:
            # A record cut off behind a comma could as well go on in the next line.
            return text[: rng.randrange(40, len(text) - 1)].rstrip(" ,:[{")
        case 1:
            return '{"hello":"this is no record"}'
        case _:
            return '{"notification_type":}'
