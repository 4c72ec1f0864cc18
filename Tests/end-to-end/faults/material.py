"""What the commands are given: an archive, its conversion, an identity, and the commands themselves."""

import json
import random
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness import ROOT
from running import Running, Seen, demand, expect

sys.path.append(str(ROOT / "Tests/end-to-end/archives"))
import archive  # noqa: E402


@dataclass
class Material:
    """Files in the folder in which commands run, by relative names, so that outputs do not tell the folder."""

    running: Running
    records: list[str]

    @property
    def folder(self) -> Path:
        return self.running.folder

    def write(self, name: str, content: bytes) -> str:
        (self.folder / name).write_bytes(content)
        return name

    def run(self, words: Sequence[str], **more: Any) -> Seen:
        return self.running.run(words, **more)

    def expect(self, words: Sequence[str], *statuses: int, says: str | None = None, **more: Any) -> Seen:
        return expect(self.run(words, **more), *statuses, says=says)

    def commands(self, jobs: str = "2") -> dict[str, list[str]]:
        """One of each command, as it is used; what they write does not depend on chance."""
        pair = ["--legacy", "v1.ndjson", "--server", "v2.ndjson"]
        return {
            "convert": ["convert", "--quiet", "--jobs", jobs, "v1.ndjson"],
            "verify": ["verify", "--quiet", "--jobs", jobs, "--root", "identity/root.der", "signed.ndjson"],
            "inspect": ["inspect", "--root", "identity/root.der", "signed.ndjson"],
            "sign": ["sign", "--quiet", "--jobs", jobs, "identity", "v2.ndjson"],
            "timeline": ["timeline", "--quiet", "--jobs", jobs, "--format", "json", "v1.ndjson"],
            "parity": ["parity", "--jobs", jobs, "--exit-zero", "--format", "json", *pair],
            "diff": ["diff", "--format", "json", "one.v1.json", "one.v2.json"],
            "explain": ["explain", "--list"],
            "help": ["--help"],
        }

    def stable(self, jobs: str = "2") -> dict[str, list[str]]:
        """Those whose output is the same each time: signatures are not."""
        return {name: words for name, words in self.commands(jobs).items() if name != "sign"}


def record(material: Material) -> str:
    """A record as one line."""
    return json.dumps(json.loads((material.folder / "one.v1.json").read_bytes()))


def same(material: Material, words: list[str], whole: Seen, what: str, **more: Any) -> Seen:
    """Runs a command under a fault: status and output are those of the undisturbed run."""
    seen = material.expect(words, whole.status, **more)
    demand(seen.stdout == whole.stdout, f"{what}: the output is another", seen)
    return seen


def make(running: Running, count: int = 300) -> Material:
    """Lays the files down."""
    made = archive.Records(archive.fixtures(ROOT), random.Random(20380119))
    lines = list(made.take(count))
    material = Material(running, made.made)
    material.write("v1.ndjson", archive.lined(iter(lines)))
    pair = ROOT / "Fixtures/pairs/price-consent-1-v2-1"
    for version in ("v1", "v2"):
        material.write(f"one.{version}.json", (pair / f"{version}.json").read_bytes())
    expect(running.run(["identity", "--quiet", "identity"]), 0)
    converted = expect(running.run(["convert", "--quiet", "v1.ndjson"]), 1)
    material.write("v2.ndjson", converted.stdout)
    signed = expect(running.run(["sign", "--quiet", "identity", "v2.ndjson"]), 0, 1)
    material.write("signed.ndjson", signed.stdout)
    return material


def compile_shim(folder: Path) -> Path | None:
    """The library that is preloaded; nothing where there is no compiler or no Linux."""
    compiler = next((name for name in ("cc", "gcc", "clang") if shutil.which(name)), None)
    if compiler is None or not sys.platform.startswith("linux"):
        return None
    target = folder / "shim.so"
    source = Path(__file__).with_name("shim.c")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", str(target), str(source), "-ldl"], check=True)
    return target
