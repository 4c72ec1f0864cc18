"""What must not go on: each refusal names what differs and changes nothing."""

import json
import re
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from crash import Bench
from harness import Failure, Outcome, contents, difference, require
from interrupts import interrupted


@dataclass
class Refusal:
    """One reason not to go on."""

    name: str
    # What standard error must say, as a pattern.
    says: str
    # Changes the left-overs of the run, or the sources; the sources are restored afterwards.
    change: Callable[[Path], object] | None = None
    more: tuple[str, ...] = ()
    inputs: Callable[[list[str]], list[str]] = list
    resumes: bool = True


def cut(path: Path, size: int) -> None:
    with path.open("r+b") as file:
        file.truncate(size)


def flip(path: Path, place: int) -> None:
    """Changes one byte."""
    with path.open("r+b") as file:
        file.seek(place)
        byte = file.read(1)
        file.seek(place)
        file.write(bytes([byte[0] ^ 1]))


def append(path: Path, text: bytes) -> None:
    with path.open("ab") as file:
        file.write(text)


def swapped(inputs: list[str]) -> list[str]:
    return [*inputs[2:], *inputs[:2]]


def other_rules(root: Path, folder: Path) -> Path:
    """A folder with one rule that says the same in other words."""
    folder.mkdir(exist_ok=True)
    rules = json.loads((root / "Mappings/rules/transaction.json").read_bytes())
    rules["rules"] = rules["rules"][:1]
    rules["rules"][0]["note"] = "Said in other words."
    (folder / "own.json").write_text(json.dumps(rules))
    return folder


def common(root: Path, bench: Bench, archive: Path) -> Iterator[Refusal]:
    """What is refused whatever the run writes to."""
    plain, last = archive / "plain.ndjson", archive / "last.ndjson"
    rules = str(other_rules(root, bench.folder / "rules"))
    yield Refusal("other content", r"plain\.ndjson is not what it was", lambda _: flip(plain, 40))
    yield Refusal("a longer source", r"last\.ndjson is not what it was", lambda _: append(last, b"{}\n"))
    yield Refusal("a source that is gone", r"last\.ndjson: cannot open: No such file", lambda _: last.unlink())
    yield Refusal("another order", r"inputs are others|interrupted run read", inputs=swapped)
    yield Refusal("fewer sources", r"inputs are others|interrupted run read", inputs=lambda names: names[:-1])
    yield Refusal("another option", r"other options|the options or the rules", more=("--app-apple-id", "5"))
    yield Refusal("other rules", r"other rules|the options or the rules", more=("--mappings", rules))


def outputs(bench: Bench) -> Iterator[Refusal]:
    """What is refused because files are not what they were."""
    listed = json.loads((bench.here / "k.json").read_bytes())["outputs"]
    # The first files and the last ones: those before them must stay as they are too.
    for output in [output for output in [*listed[:2], *listed[-2:]] if output["bytes"] > 0]:
        name, size = output["path"] + ".part", output["bytes"]
        says = re.escape(name) + ".*"
        yield Refusal(f"{name} cut", says + "shorter", lambda here, n=name, s=size: cut(here / n, s - 1))
        yield Refusal(f"{name} altered", says + "content", lambda here, n=name, s=size: flip(here / n, s // 2))
        yield Refusal(f"{name} gone", re.escape(output["path"]), lambda here, n=name: (here / n).unlink())
    yield Refusal("a spoilt checkpoint", r"k\.json cannot be the checkpoint: it was changed or cut.*restore it from a copy", lambda here: cut(here / "k.json", 100))
    yield Refusal("no --resume", r"k\.json is the checkpoint of an unfinished run", resumes=False)


def left_over(bench: Bench) -> None:
    """A run that was killed in the middle of writing."""
    every = bench.sink.every[-1]
    for _ in range(20):
        bench.sink.reset(bench.here)
        process = bench.program.start(bench.start_command(every), bench.here)
        while process.process.poll() is None and not is_under_way(bench.here / "k.json"):
            time.sleep(0.001)
        process.process.kill()
        if process.end().was_killed and is_under_way(bench.here / "k.json"):
            # What a run wrote behind its last checkpoint.
            for path in bench.here.rglob("*.part"):
                append(path, b"{half a li")
            return
    raise Failure("the run was always done before it was killed")


def is_under_way(checkpoint: Path) -> bool:
    """There is a checkpoint behind the beginning and before the end."""
    try:
        found = json.loads(checkpoint.read_bytes())
    except (OSError, ValueError):
        return False
    return found["state"] == "running" and len(found["outputs"]) > 1 and found["counts"]["rejected"] > 0


@contextmanager
def restored(folder: Path) -> Iterator[None]:
    """Puts a folder back as it was."""
    kept = folder.with_name(folder.name + " kept")
    shutil.rmtree(kept, ignore_errors=True)
    shutil.copytree(folder, kept)
    try:
        yield
    finally:
        for path in kept.rglob("*"):
            if path.is_file():
                shutil.copy2(path, folder / path.relative_to(kept))
        shutil.rmtree(kept)


def refused(bench: Bench, refusal: Refusal) -> Outcome:
    """Tries to go on."""
    inputs, bench.inputs = bench.inputs, refusal.inputs(bench.inputs)
    try:
        words = [*refusal.more, *(["--resume"] if refusal.resumes else [])]
        return bench.program.convert(bench.command(bench.sink.every[-1], *words), bench.here)
    finally:
        bench.inputs = inputs


def expect(bench: Bench, refusal: Refusal, archive: Path) -> list[str]:
    """One refusal; gives what is wrong with it."""
    with restored(archive), restored(bench.here):
        if refusal.change:
            refusal.change(bench.here)
        before, rows = contents(bench.here), bench.sink.server.rows() if bench.sink.server else {}
        outcome = refused(bench, refusal)
        wrong: list[str] = []
        if outcome.status != 2:
            wrong.append(f"status {outcome.status} in place of 2")
        if not re.search(refusal.says, outcome.stderr):
            wrong.append(f"it does not say {refusal.says!r}: {outcome.stderr.strip()[-400:]}")
        changed = difference(before, contents(bench.here))
        if changed:
            wrong.append(f"files were changed: {changed}")
        if bench.sink.server and (found := difference(rows, bench.sink.server.rows())):
            wrong.append(f"rows were changed: {found}")
        for path in contents(bench.here).keys() - before.keys():
            (bench.here / path).unlink()
    return [f"{bench.sink.name}, {refusal.name}: {words}" for words in wrong]


def file_refusals(root: Path, bench: Bench, archive: Path) -> int:
    left_over(bench)
    cases = [*common(root, bench, archive), *outputs(bench)]
    check(bench, cases, archive)
    return len(cases)


def database_refusals(root: Path, bench: Bench, archive: Path) -> int:
    """The same for a database, and rows that were changed behind its back."""
    interrupted(bench, bench.sink.every[-1])
    cases = list(common(root, bench, archive))
    check(bench, cases, archive)
    changes = {
        "UPDATE notifications SET body = '{}' WHERE place = 5": "SHA-256 differs",
        "DELETE FROM notifications WHERE place = 6": "records and .* are there",
        "DELETE FROM rejects": "rejects are marked as done",
    }
    for statement, says in changes.items():
        for _ in range(12):
            interrupted(bench, bench.sink.every[-1])
            # A run that ended early may lack the row; it changes nothing then.
            if bench.change_rows(statement):
                break
        else:
            raise Failure(f"no interrupted run has a row for {statement}")
        check(bench, [Refusal(statement, says)], archive)
    return len(cases) + len(changes)


def check(bench: Bench, cases: list[Refusal], archive: Path) -> None:
    wrong = [words for case in cases for words in expect(bench, case, archive)]
    require(not wrong, "\n  ".join([f"{len(wrong)} of {len(cases)} are not refused as they should", *wrong]))


def goes_on_afterwards(bench: Bench) -> None:
    """All these refusals leave a run that can still go on."""
    every = bench.sink.every[-1]
    bench.finish(every, bench.reference(every))
