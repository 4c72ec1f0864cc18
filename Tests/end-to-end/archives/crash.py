"""Kills a run at a random moment, goes on, and expects what an undisturbed run gives."""

import os
import random
import shutil
import signal
import sqlite3
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit

from harness import Failure, Outcome, Process, Program, chance, require
from sinks import Sink


@dataclass
class Reference:
    """What an undisturbed run gave."""

    state: dict[str, bytes]
    status: int
    # How long a run takes at present; other programs may make the machine slower and faster.
    seconds: float

    def adapt(self, outcome: Outcome) -> None:
        """Learns from a run that was to be killed."""
        self.seconds = self.seconds * 1.05 if outcome.was_killed else min(self.seconds, outcome.seconds)


@dataclass
class Bench:
    """Runs one kind of sink again and again in the same folder."""

    program: Program
    sink: Sink
    inputs: list[str]
    folder: Path
    references: dict[int, Reference] = field(default_factory=dict)

    @property
    def here(self) -> Path:
        return self.folder / "here"

    @property
    def environment(self) -> dict[str, str]:
        """What a shell needs to run a printed command: the program's place, and the password that is not printed."""
        found = {"PATH": f"{self.program.path.parent}:{os.environ['PATH']}"}
        if self.sink.server:
            found["PGPASSWORD"] = unquote(urlsplit(self.sink.server.url).password or "")
        return found

    def change_rows(self, statement: str) -> int:
        """Changes rows behind the program's back; tells how many."""
        statement += " RETURNING 1"
        if self.sink.server:
            return len(self.sink.server.psql(statement).split())
        with sqlite3.connect(self.here / self.sink.database) as database:
            count = len(database.execute(statement).fetchall())
        database.close()
        return count

    def command(self, every: int, *more: str) -> list[str]:
        words = [*self.inputs, *self.sink.arguments, *self.sink.checkpoint, "--checkpoint-every", str(every)]
        return [*words, *more]

    def start_command(self, every: int, *more: str) -> list[str]:
        return [str(self.program.path), "convert", *self.command(every, *more)]

    def reference(self, every: int) -> Reference:
        """An undisturbed run with such checkpoints; made once."""
        if every not in self.references:
            self.sink.reset(self.here)
            outcome = self.program.convert(self.command(every), self.here)
            require(outcome.status == 1, "the undisturbed run should end with rejects", outcome)
            state = self.sink.state(self.here)
            self.program.search(self.here, state)
            self.references[every] = Reference(state, outcome.status, outcome.seconds)
        return self.references[every]

    def meet(self, moment: float, act: Callable[[Process], float | None], what: str) -> None:
        """Acts at a moment of a run; `act` returns a factor for the moment of the next try, or None when it met."""
        for _ in range(12):
            self.sink.reset(self.here)
            process = self.program.start(self.start_command(self.sink.every[0]), self.here)
            time.sleep(moment)
            factor = act(process)
            if factor is None:
                return
            moment *= factor
        raise Failure(f"{what} never met a run")

    def is_finished(self) -> bool:
        """The run has stored all records in its database, and only closes it."""
        if self.sink.server:
            return self.sink.server.is_closing()
        if not self.sink.database:
            return False
        try:
            with sqlite3.connect(f"file:{self.here / self.sink.database}?mode=ro", uri=True, timeout=0.1) as store:
                return store.execute("SELECT state FROM runs").fetchall() == [("finished",)]
        except sqlite3.Error:
            return False

    def finish(self, every: int, reference: Reference, *more: str) -> Outcome:
        """Goes on to the end and compares."""
        outcome = self.program.convert(self.command(every, "--resume", *more), self.here)
        require(outcome.status == reference.status, "the run that goes on ends otherwise", outcome)
        self.sink.compare(self.here, reference.state)
        return outcome


def crash_round(bench: Bench, numbers: random.Random) -> tuple[int, int]:
    """One run that is killed, mostly once; returns how many kills there were, and how many met a running process."""
    every = numbers.choice(bench.sink.every)
    reference = bench.reference(every)
    bench.sink.reset(bench.here)
    more: list[str] = []
    kills = hits = 0
    while True:
        command = bench.start_command(every, *more, "--jobs", str(numbers.randint(1, 2)))
        process = bench.program.start(command, bench.here)
        outcome = process.signal_after(numbers.uniform(0, reference.seconds), signal.SIGKILL).end()
        kills, hits = kills + 1, hits + outcome.was_killed
        reference.adapt(outcome)
        require(outcome.was_killed or outcome.status in (0, 1), "the run fails before it is killed", outcome)
        bench.sink.check_names(bench.here, reference.state)
        more = ["--resume"]
        if numbers.random() > 0.35:
            break
    bench.finish(every, reference, "--jobs", str(numbers.randint(1, 2)))
    return kills, hits


def crash_test(bench: Bench, seed: int, rounds: range) -> str:
    """All rounds of one kind; a failing round leaves its folder."""
    kills = hits = 0
    failures: list[str] = []
    for number in rounds:
        try:
            found = crash_round(bench, chance(seed, bench.sink.name, number))
            kills, hits = kills + found[0], hits + found[1]
        except Failure as failure:
            kept = bench.folder / f"failed-{number}"
            shutil.copytree(bench.here, kept, dirs_exist_ok=True)
            failures.append(f"--round {number}, left in {kept}: {failure}")
            if len(failures) == 3:
                break
    bench.program.search(bench.here)
    require(not failures, "\n".join(failures))
    # A kill near the end of a run may come too late when the machine is quicker than before.
    require(kills < 10 or hits * 2 >= kills, f"only {hits} of {kills} kills hit")
    return f"{len(rounds)} rounds, {hits} of {kills} kills hit a running process"
