"""Makes the archives of the tutorial anew, and runs the steps of its ci.yml; its text is followed by the suite docs."""

import gzip
import re
import shutil
import textwrap
from pathlib import Path

from harness import ROOT, Suite, require, run as command

EXAMPLE = ROOT / "Examples/migration"
PARITY = "Tests/end-to-end/parity"


def archives(folder: Path) -> None:
    """The archives are what make.py makes."""
    shutil.copytree(ROOT / PARITY, folder / PARITY)
    made = folder / "Examples/migration"
    shutil.copytree(EXAMPLE, made, ignore=shutil.ignore_patterns("*.ndjson"))
    command(["python3", made / "make.py"])
    for archive in EXAMPLE.glob("*.ndjson"):
        require((made / archive.name).read_bytes() == archive.read_bytes(), f"make.py makes another {archive.name}")


def step(name: str) -> str:
    """The script of a step of ci.yml."""
    text = (EXAMPLE / "ci.yml").read_text(encoding="utf-8")
    block = re.search(rf"^( *)- name: {name}\n((?:\1 .*\n|\n)*)", text, re.M)
    script = re.search(r"^( *)run: (?:\|\n((?:\1 .*\n|\n)*)|(.*))", block[2], re.M) if block else None
    require(script, f"no step {name} that runs something")
    return textwrap.dedent(script[2]) if script[2] else script[3]


def job(folder: Path) -> str:
    """Green with the repaired archive; red with the first, with half of it, and with an empty one."""
    (folder / "parity").mkdir(parents=True)
    shutil.copy(EXAMPLE / "known.json", folder / "parity")
    fixed, first = ((EXAMPLE / name).read_bytes() for name in ("v1-fixed.ndjson", "v1.ndjson"))
    (folder / "v2.ndjson.gz").write_bytes(gzip.compress((EXAMPLE / "v2.ndjson").read_bytes()))
    summary = folder / "summary"

    def result(name: str, legacy: bytes, status: tuple[int, ...]) -> None:
        (folder / "v1.ndjson.gz").write_bytes(gzip.compress(legacy))
        settings = {"GITHUB_STEP_SUMMARY": str(summary)}
        command(["bash", "-e", "-c", step(name)], folder=folder, environment=settings, status=status)

    result("Compare", fixed, (0,))
    result("Show the summary", fixed, (0,))
    require(summary.read_text().startswith("## ✅ Parity"), "the summary does not begin with the verdict")
    for report in ("report.html", "junit.xml"):
        require((folder / report).stat().st_size, f"{report} is empty")
    for legacy in (first, b"".join(fixed.splitlines(keepends=True)[:47]), b""):
        result("Compare", legacy, (1, 2))
    return "green with the repaired archive; red with the first, with half of it, and with an empty one"


def run(suite: Suite) -> None:
    suite.part("archives", archives, suite.folder / "made")
    suite.part("ci.yml", job, suite.folder / "job")
