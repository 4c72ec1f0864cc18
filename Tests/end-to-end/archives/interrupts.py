"""Ctrl-C and a polite kill: the run says how to go on, and the command that it prints goes on."""

import re
import signal

from crash import Bench
from harness import Outcome, require


def interrupted(bench: Bench, every: int, number: int = signal.SIGINT) -> Outcome:
    """A run that a signal has ended between its beginning and its end."""
    moment = bench.reference(every).seconds / 2
    for _ in range(12):
        bench.sink.reset(bench.here)
        outcome = bench.program.start(bench.start_command(every), bench.here).signal_after(moment, number).end()
        if outcome.status == 2 and not bench.is_finished():
            return outcome
        # Too late, or so early that the program did not yet listen.
        require(outcome.status in (0, 1, 2, -number), "an interrupted run ends in a strange way", outcome)
        moment *= 0.7 if outcome.status >= 0 else 1.2
    require(False, "the signal came always too late or too early", outcome)
    return outcome


def printed_command(outcome: Outcome) -> str:
    """The command with which to go on."""
    found = re.search(r"^To resume: (slipcast .*)$", outcome.stderr, re.MULTILINE)
    require(found is not None, "no command is printed with which to go on", outcome)
    return found[1] if found else ""


def interrupt_test(bench: Bench, number: int) -> None:
    """Interrupts, and has a shell run what was printed."""
    every = bench.sink.every[0]
    outcome = interrupted(bench, every, number)
    require("slipcast: interrupted; what is done is kept" in outcome.stderr, "it does not say what happened", outcome)
    bench.sink.check_names(bench.here, bench.reference(every).state)
    command = printed_command(outcome)
    again = bench.program.start(["bash", "-c", command], bench.here, bench.environment).end()
    require(again.status == 1, f"the printed command fails: {command}", again)
    bench.sink.compare(bench.here, bench.reference(every).state)
    bench.program.search(bench.here)
