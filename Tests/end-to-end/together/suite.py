"""What all commands say of one archive: about no event and no interval do they contradict each other.

Each part is KIND/CHECK for the kinds of lives of the suite `lifecycles`, whose archives these are.
events: `convert --settle`, `--group` and `timeline` (agreement.py), also where three of ten messages are missing.
access: `parity` at several times, and `timeline --states` (customers.py), also where messages are missing.
pairs: repeated messages and companions of `parity`, and those of `convert` and `timeline` (customers.py).
stores: a store that `convert --settle` filled, and the files (kept.py), also where messages are missing.
live: a store that `serve` filled, and one that `convert --settle` fills from the same journal (live.py).
serve: `serve --settle`, which knows only the events before, and `convert --settle` of its journal (live.py).
"""

import sys
from argparse import ArgumentParser
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path += [str(HERE.parent / "lifecycles"), str(HERE.parent / "serve")]

import agreement  # noqa: E402
import archive  # noqa: E402
import customers  # noqa: E402
import kept  # noqa: E402
import live  # noqa: E402
from archive import Archive  # noqa: E402
from harness import Suite, chance  # noqa: E402
from kinds import KINDS  # noqa: E402


def options(parser: ArgumentParser) -> None:
    parser.add_argument("--customers", type=int, default=40, help="customers of each kind (default 40)")


class Parts:
    """The checks of one kind of life; the archive is made once."""

    def __init__(self, suite: Suite, name: str) -> None:
        self.suite, self.name, self.folder = suite, name, suite.folder / name
        self.made: Archive | None = None

    @property
    def whole(self) -> Archive:
        if self.made is None:
            self.folder.mkdir(exist_ok=True)
            self.made = archive.make(self.name, self.suite.options.seed, self.suite.options.customers)
        return self.made

    @property
    def kept(self) -> Archive:
        """What is left where three of ten messages are missing."""
        rng = chance("lost", self.name, "together", self.suite.options.seed)
        return self.whole.without(archive.losses(self.whole, 0.3, rng))

    def events(self) -> str:
        found = agreement.read(self.suite, self.whole, self.folder, "together", "--complete", self.whole.span())
        agreement.require_agreement(found, "the whole archive")
        agreement.require_agreement(agreement.read(self.suite, self.kept, self.folder, "kept"), "messages are missing")
        return found.words()

    def access(self) -> str:
        words = [
            customers.access(self.suite, records, self.folder, name)
            for name, records in (("whole", self.whole), ("kept", self.kept))
        ]
        return f"{words[0]}; messages missing: {words[1]}"

    def pairs(self) -> str:
        return customers.pairs(self.suite, self.whole, self.folder)

    def stores(self) -> str:
        words = [kept.same(self.suite, one, self.folder / "stores", name) for name, one in (("whole", self.whole), ("kept", self.kept))]
        return "; messages missing: ".join(words)

    def serve(self) -> str:
        return live.agrees(self.suite, self.whole, self.folder / "serve")

    def live(self) -> str:
        return live.stored(self.suite, self.whole, self.folder / "live")


# A store is read by one way for all kinds: these have most periods that only lists show.
OF_STORES = ("mixed", "billing", "upgrades2021", "several", "busy", "dated")


def run(suite: Suite) -> None:
    for name in KINDS:
        parts = Parts(suite, name)
        stores = (parts.stores, parts.live) if name in OF_STORES else ()
        for check in (parts.events, parts.access, parts.pairs, *stores, parts.serve):
            suite.part(f"{name}/{check.__name__}", check)
