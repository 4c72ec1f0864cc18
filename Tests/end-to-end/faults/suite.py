"""Starves, interrupts, floods and deceives every command, and expects no crash, no hang, and nothing lost.

Each part says what was done and what was seen. Every end is 0, 1 or 2, within two seconds for each MB of input; an end
with 2 has words.
"""

import random
from argparse import ArgumentParser
from collections.abc import Callable
from functools import partial
from pathlib import Path

import bombs
import calls
import clocks
import limits
import masses
import shapes
import streams
import workers
from harness import Skipped, Suite
from material import Material, compile_shim, make
from running import Running

PLAIN: dict[str, Callable[[Material, bool], str | None]] = {
    "address space": limits.address_space, "huge records": limits.huge_records, "tiny stacks": limits.stacks,
    "steering files": limits.rules, "few descriptors": limits.descriptors, "no threads": limits.threads,
    "closed pipes": streams.pipes, "closed streams": streams.closed, "odd inputs": streams.inputs,
    "full devices": streams.devices, "named pipe": streams.fifo, "impatient pipes": streams.impatient,
    "changing files": streams.changing, "workers": workers.equal, "folders": masses.folders,
    "long lines": masses.long_line, "long streams": masses.streams, "sparse file": masses.sparse,
    "short records": masses.short_records,
    "bombs": bombs.bombs, "lying archives": bombs.liars, "long records": shapes.single, "ruined texts": shapes.ruined,
    "many long records": shapes.many_long, "record limit": shapes.record_limit,
}
PRELOADED: dict[str, Callable[[Material, Path, bool], str | None]] = {
    "short calls": calls.short, "failing calls": calls.failing, "failing calls everywhere": calls.failing_reads,
    "clocks": clocks.clock,
}
RANDOM: dict[str, Callable[[Material, int, bool], str | None]] = {
    "zones and languages": clocks.surroundings, "absurd dates": clocks.dates,
}


def options(parser: ArgumentParser) -> None:
    parser.add_argument("--full", action="store_true", help="all faults at their full size; takes long")
    parser.set_defaults(seed=random.SystemRandom().randrange(1_000_000))


def preloaded(check: Callable[..., str | None], material: Material, shim: Path | None, full: bool) -> str | None:
    if shim is None:
        raise Skipped("it needs Linux and a C compiler")
    return check(material, shim, full)


def run(suite: Suite) -> None:
    full, seed = suite.options.full, suite.options.seed
    running = Running(suite.slipcast, suite.folder / "work")
    running.folder.mkdir(exist_ok=True)
    material, shim = make(running), compile_shim(suite.folder)
    parts = {name: partial(check, material, full) for name, check in PLAIN.items()}
    parts |= {name: partial(preloaded, check, material, shim, full) for name, check in PRELOADED.items()}
    parts |= {name: partial(check, material, seed, full) for name, check in RANDOM.items()}
    for name, part in parts.items():
        suite.part(name, part)
