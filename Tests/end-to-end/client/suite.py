"""Has Apple's own library read every converted fixture, and judge what a test identity signs, well and badly.

The samples of SLIPCAST_CORPUS are read too. Needs the packages of requirements.txt.
"""

import os
import sys
from argparse import ArgumentParser
from pathlib import Path

import mutations
import page
import structure
import structure_faults
import verify
from harness import FIXTURES, Skipped, Suite, run as command

# Values that no version of Apple's library knows are kept as they came; these fixtures exist to show that.
UNKNOWN = ("unknown-type", "expiration-intent-unknown", "ownership-assigned")
VOCABULARY = Path(__file__).with_name("vocabulary.py")


def vocabulary(suite: Suite) -> str:
    """In a process of its own, because another part reads another version of the library."""
    return command([sys.executable, VOCABULARY, suite.slipcast, "--self-test"]).stdout.strip()


def newest(suite: Suite) -> str:
    """The version that requirements.txt names serves the other parts; the newest one shows Apple's next change."""
    folder = suite.folder / "newest"
    words = ["-m", "pip", "install", "--quiet", "--no-deps", "--target", folder, "app-store-server-library"]
    if command([sys.executable, *words], status=()).status != 0:
        raise Skipped("the package index cannot be reached")
    settings = {"PYTHONPATH": str(folder)}
    return command([sys.executable, VOCABULARY, suite.slipcast], environment=settings).stdout.strip()


def forms(suite: Suite, emit: str) -> None:
    """Every fixture as it asks to be converted, or as statuses or a history."""
    plain, lines = [], []
    for file in sorted([*FIXTURES.glob("notifications/*/v1.json"), *FIXTURES.glob("receipts/*/v1.json")]):
        words = verify.arguments(file.parent)
        if file.parent.name in UNKNOWN or (emit != "auto" and "--body" in words):
            continue
        if words and emit == "auto":
            lines += convert(suite, *words, file)
        else:
            plain.append(file)
    structure.check_lines(lines + convert(suite, "--emit", emit, *plain))


def convert(suite: Suite, *words: object) -> list[bytes]:
    done = suite.run("convert", "--quiet", "--exit-zero", *words)
    return done.stdout.encode().splitlines()


def samples(suite: Suite) -> None:
    """Real-world samples."""
    if "SLIPCAST_CORPUS" not in os.environ:
        raise Skipped("SLIPCAST_CORPUS is not set")
    corpus = Path(os.environ["SLIPCAST_CORPUS"])
    # Their list is a table in which a backslash is a character.
    structure.check_lines(convert(suite, "--tsv", "plain", corpus / "v1", corpus / "verify-receipt"))


def options(parser: ArgumentParser) -> None:
    parser.add_argument("--newest", action="store_true", help="read names of the newest version of Apple's library")


def run(suite: Suite) -> None:
    if suite.options.newest:
        suite.part("newest version", newest, suite)
        return
    suite.part("the check itself", structure_faults.check)
    suite.part("vocabulary", vocabulary, suite)
    for emit in ("auto", "statuses", "history"):
        suite.part(f"fixtures as {emit}", forms, suite, emit)
    suite.part("signed", verify.check, suite)
    suite.part("page", page.check, suite)
    suite.part("mutants", mutations.check, suite)
    suite.part("samples", samples, suite)
