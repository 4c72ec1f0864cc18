"""How long the program takes to start, beside a program that does nothing."""

import os
import subprocess
import time
from pathlib import Path

from harness import FIXTURES, require

ROUNDS, BATCHES = 20, 10
RECORD = FIXTURES / "notifications/price-increase-consent-0/v1.json"
# Milliseconds, on a machine on which `true` takes less than one.
LIMITS = {"--version": 10, "first record": 30}


def milliseconds(command: list[str]) -> float:
    """Until the first byte of its output, or its end."""
    began = time.perf_counter()
    none = subprocess.DEVNULL
    with subprocess.Popen(command, stdin=none, stdout=subprocess.PIPE, stderr=none) as process:
        os.read(process.stdout.fileno(), 1)
        taken = time.perf_counter() - began
        process.stdout.read()
    return taken * 1000


def start_up(built: Path, bundled: Path) -> str:
    """The best of many rounds, in turns; more rounds while other work on the machine slows them."""
    commands = {"true": ["/bin/true"]}
    for name, path in (("built", str(built)), ("bundle", str(bundled))):
        commands[f"{name} --version"] = [path, "--version"]
        commands[f"{name} first record"] = [path, "convert", "--quiet", str(RECORD)]
    best = dict.fromkeys(commands, float("inf"))
    for _ in range(BATCHES):
        for _ in range(ROUNDS):
            best = {name: min(best[name], milliseconds(command)) for name, command in commands.items()}
        scale = max(1.0, best["true"])
        slow = {name for name, taken in best.items() for end, limit in LIMITS.items()
                if name.endswith(end) and taken > limit * scale}  # fmt: skip
        if not slow:
            break
    words = [f"{name} {taken:.1f} ms ({taken / best['true']:.0f} x true)" for name, taken in best.items()]
    require(not slow, f"too slow: {', '.join(sorted(slow))}; {', '.join(words)}")
    return ", ".join(words[1:])
