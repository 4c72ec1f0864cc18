"""Starves, interrupts, floods and deceives every command, and expects no crash, no hang, and nothing lost.

Usage:

    python3 Tests/faults/check.py SLIPCAST [quick|full] [--seed S] [--only NAME]… [--keep FOLDER]

Each fault gives one line: what was done and what was seen. Every end is 0, 1 or 2, within two seconds for each MB of
input; an end with 2 has words. The folder is kept after a failure.
"""

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "archives"))

import bombs
import calls
import clocks
import limits
import masses
import shapes
import streams
import workers
from harness import Failure, Skipped
from material import Material, compile_shim, make
from running import Running


@dataclass
class Setting:
    """What all faults share."""

    material: Material
    shim: Path | None
    is_full: bool
    seed: int

    def preloaded(self) -> Path:
        if self.shim is None:
            raise Skipped("it needs Linux and a C compiler")
        return self.shim


Fault = Callable[[Setting], str]
Plain = Callable[[Material, bool], str]
Preloaded = Callable[[Material, Path, bool], str]


def plain(check: Plain) -> Fault:
    return lambda here: check(here.material, here.is_full)


def preloaded(check: Preloaded) -> Fault:
    return lambda here: check(here.material, here.preloaded(), here.is_full)


FAULTS: dict[str, Fault] = {
    "address space": plain(limits.address_space),
    "huge records": plain(limits.huge_records),
    "tiny stacks": plain(limits.stacks),
    "steering files": plain(limits.rules),
    "few descriptors": plain(limits.descriptors),
    "no threads": plain(limits.threads),
    "short calls": preloaded(calls.short),
    "failing calls": preloaded(calls.failing),
    "failing calls everywhere": preloaded(calls.failing_reads),
    "closed pipes": plain(streams.pipes),
    "closed streams": plain(streams.closed),
    "odd inputs": plain(streams.inputs),
    "full devices": plain(streams.devices),
    "named pipe": plain(streams.fifo),
    "impatient pipes": plain(streams.impatient),
    "changing files": plain(streams.changing),
    "clocks": preloaded(clocks.clock),
    "zones and languages": lambda here: clocks.surroundings(here.material, here.seed, here.is_full),
    "absurd dates": lambda here: clocks.dates(here.material, here.seed, here.is_full),
    "workers": plain(workers.equal),
    "folders": plain(masses.folders),
    "long lines": plain(masses.long_line),
    "long streams": plain(masses.streams),
    "sparse file": plain(masses.sparse),
    "bombs": plain(bombs.bombs),
    "lying archives": plain(bombs.liars),
    "long records": plain(shapes.single),
    "ruined texts": plain(shapes.ruined),
    "many long records": plain(shapes.many_long),
    "record limit": plain(shapes.record_limit),
}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("slipcast", type=Path)
    parser.add_argument("extent", choices=["quick", "full"], nargs="?", default="quick")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000))
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--keep", type=Path)
    return parser.parse_args()


def checked(name: str, fault: Fault, here: Setting) -> str | None:
    """Prints what was seen; gives what is wrong."""
    began = time.monotonic()
    before = here.material.running.runs
    wrong = None
    try:
        words = fault(here)
    except Skipped as reason:
        words = f"SKIPPED, {reason}"
    except (Failure, subprocess.TimeoutExpired) as failure:
        words, wrong = "FAILED", f"{name}, --seed {here.seed}, left in {here.material.folder}: {failure}"
    runs = here.material.running.runs - before
    print(f"{name}: {words} ({runs} runs, {time.monotonic() - began:.1f} s)", flush=True)
    return wrong


def main() -> int:
    options = arguments()
    if unknown := [name for name in options.only if name not in FAULTS]:
        print(f"FAILED there is no {', '.join(unknown)}; there are {', '.join(FAULTS)}")
        return 2
    folder = (options.keep or Path(tempfile.mkdtemp(prefix="slipcast-faults."))).resolve()
    folder.mkdir(exist_ok=True)
    # One fault runs as somebody else.
    folder.chmod(0o755)
    program = shutil.copy(options.slipcast, folder / "slipcast")
    running = Running(Path(program), folder / "work")
    running.folder.mkdir()
    here = Setting(make(running), compile_shim(folder), options.extent == "full", options.seed)
    print(f"{options.extent}, --seed {options.seed}, in {folder}", flush=True)
    chosen = {name: fault for name, fault in FAULTS.items() if not options.only or name in options.only}
    failures = [wrong for name, fault in chosen.items() if (wrong := checked(name, fault, here))]
    print(f"{len(chosen)} faults, {running.runs} runs, {len(failures)} failures")
    for failure in failures:
        print(f"FAILED {failure}")
    if not failures and options.keep is None:
        shutil.rmtree(folder)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
