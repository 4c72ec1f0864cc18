"""Calls of the operating system that do less than they were asked for, are interrupted, or fail."""

import errno
import shutil
from collections.abc import Iterator
from pathlib import Path

from harness import Failure, anew, contents, difference
from material import Material, same
from running import FAILED, FINDINGS, FINE, Seen, demand

# Those that SQLite too makes again after a signal.
SIGNALS = "read,write,open"


def preload(shim: Path, **settings: object) -> dict[str, str]:
    return {"LD_PRELOAD": str(shim)} | {f"FAULT_{name.upper()}": str(value) for name, value in settings.items()}


def short(material: Material, shim: Path, is_full: bool) -> None:
    """Short reads and writes, and signals in between: the same bytes."""
    for name, words in material.stable().items():
        if not is_full and name in ("help", "explain"):
            continue
        whole = material.expect(words, FINE, FINDINGS)
        for seed in range(20 if is_full else 1):
            same(material, words, whole, f"seed {seed}", environment=preload(shim, seed=seed, signals=SIGNALS))
    outputs(material, shim, is_full)


TARGETS: dict[str, list[str]] = {
    "plain": ["--to", "out/v2.ndjson", "--rejects", "out/rejects.ndjson", "--provenance", "out/account.ndjson"],
    "zstd": ["--to", "out/v2.ndjson.zst", "--rejects", "out/rejects.ndjson"],
    "split": ["--to", "out/parts", "--split", "100"],
    "sqlite": ["--to", "out/store.sqlite", "--execute"],
}


def target(name: str, *more: str) -> list[str]:
    kept = [] if name == "sqlite" else ["--checkpoint", "out/k.json", "--checkpoint-every", "40"]
    return ["convert", "--jobs", "1", "--quiet", "v1.ndjson", *TARGETS[name], *kept, *more]


def compared(material: Material, name: str) -> dict[str, bytes]:
    """What a run has left, the names of dates and of its checkpoint aside."""
    found = contents(material.folder / "out")
    found.pop("k.json", None)
    if name == "sqlite":
        text = material.run(["timeline", "--quiet", "--format", "json", "out/store.sqlite"]).stdout
        found = {"timeline": text}
    return found


def outputs(material: Material, shim: Path, is_full: bool) -> None:
    """The same for every kind of output file."""
    for name in TARGETS:
        anew(material.folder / "out")
        material.expect(target(name), FINDINGS)
        whole = compared(material, name)
        for seed in range(10 if is_full else 1):
            signals = SIGNALS if name == "sqlite" else SIGNALS + ",fsync,truncate"
            anew(material.folder / "out")
            material.expect(target(name), FINDINGS, environment=preload(shim, seed=seed, signals=signals))
            if told := difference(whole, compared(material, name)):
                raise Failure(f"{name}, seed {seed}: {told}")


def places(tally: Path, is_full: bool) -> Iterator[tuple[str, int]]:
    """Each call that a run made, by name and number; in a short test some of them."""
    for line in tally.read_text().splitlines():
        name, number = line.split()
        calls = range(1, int(number) + 1)
        yield from ((name, call) for call in (calls if is_full else calls[:: max(1, len(calls) // 2)][:2]))


ERRORS = {
    "read": [errno.EIO],
    "write": [errno.ENOSPC, errno.EIO],
    "open": [errno.EMFILE, errno.EACCES],
    "fsync": [errno.EIO],
    "rename": [errno.EXDEV, errno.EIO],
    "truncate": [errno.EIO],
    "mkdir": [errno.ENOSPC],
}


def failing(material: Material, shim: Path, is_full: bool) -> str:
    """Each call in turn fails, and all behind it: status 2 with the name of a file; --resume makes the same bytes."""
    ended = 0
    for name in TARGETS if is_full else ["plain"]:
        tally = material.folder / "tally"
        anew(material.folder / "out")
        material.expect(target(name), FINDINGS, environment=preload(shim, tally=tally))
        whole = compared(material, name)
        for call, number in places(tally, is_full):
            for error in ERRORS[call] if is_full else ERRORS[call][:1]:
                settings = preload(shim, call=call, at=number, errno=error)
                ended += one(material, name, settings, whole, f"{name}: {call} {number}, {errno.errorcode[error]}")
    shutil.rmtree(material.folder / "out")
    return f"{ended} ended with status 2, and all were finished with --resume to the same bytes"


def one(material: Material, name: str, settings: dict[str, str], whole: dict[str, bytes], place: str) -> int:
    """A run with a call that fails, and the run that goes on from there; gives whether the first ended with 2."""
    anew(material.folder / "out")
    seen = material.expect(target(name), environment=settings)
    demand(seen.status != FINE, f"{place}: it ended with 0", seen)
    if seen.status == FAILED:
        require_file(seen, place)
        more = ["--resume"] if name == "sqlite" or (material.folder / "out/k.json").exists() else []
        again = material.run(target(name, *more))
        # 0: all was committed before the last call failed, and there is nothing left to do.
        if again.status not in (FINDINGS, FINE):
            # Nothing was begun, or all was done before the last call failed: both are said.
            if "--resume" not in again.stderr and "finished" not in again.stderr:
                raise Failure(f"{place}: it does not go on: {again.told()}\nbefore: {seen.told()}")
            anew(material.folder / "out")
            material.expect(target(name), FINDINGS)
    if told := difference(whole, compared(material, name)):
        raise Failure(f"{place}: {told}: {seen.told()}")
    return int(seen.status == FAILED)


def require_file(seen: Seen, place: str) -> None:
    named = ["out/", "v1.ndjson", "standard", ".part", "temporary", "k.json", "store.sqlite", "events.sqlite"]
    named += ["signed.ndjson", "identity", "one.v1.json", "one.v2.json", "v2.ndjson"]
    demand(any(word in seen.stderr for word in named), f"{place}: no file is named", seen)


def failing_reads(material: Material, shim: Path, is_full: bool) -> None:
    """The same for the commands that keep nothing: their input cannot be read, or their output not be written."""
    tally = material.folder / "tally"
    for name, words in material.commands().items():
        if not is_full and name not in ("verify", "timeline"):
            continue
        material.expect(words, environment=preload(shim, tally=tally))
        for call, number in places(tally, is_full):
            for error in ERRORS[call][:1]:
                settings = preload(shim, call=call, at=number, errno=error)
                seen = material.expect(words, environment=settings)
                if seen.status == FAILED:
                    require_file(seen, f"{name}: {call} {number}")
                elif call == "write" and number == 1 and "--quiet" not in words:
                    raise Failure(f"{name}: a full disk is not told: {seen.told()}")

