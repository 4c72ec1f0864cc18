"""Runs the main commands under valgrind: no invalid read or write, no decision by memory never written, no leak."""

import os
from pathlib import Path

from harness import FIXTURES, ROOT, Suite, require, run as execute

POSTGRESQL = True
HERE = Path(__file__).resolve().parent
ARCHIVE = FIXTURES / "archives/subscription/v1.ndjson"
ROWS = ["--body", "/body", "--received-at", "/received_at"]
# Blocks that the Swift runtime and the C libraries keep until the program ends are reachable and no leaks.
VALGRIND = [
    "valgrind", "--quiet", "--soname-synonyms=somalloc=NONE", "--error-exitcode=99", "--leak-check=full",
    "--errors-for-leak-kinds=definite", "--show-leak-kinds=definite", f"--suppressions={HERE / 'valgrind.supp'}",
]


def clean(suite: Suite, status: int, *words: object) -> None:
    log = suite.folder / "log"
    command = [*VALGRIND, f"--log-file={log}", suite.folder / "slipcast", *words]
    seen = execute(command, status=(), environment={"SWIFT_BACKTRACE": "enable=no"}, seconds=3600)
    found = log.read_text()
    require(seen.status == status and not found, f"exit status {seen.status}, expected {status}\n{found[:6000]}", seen)


def run(suite: Suite) -> None:
    # Debian's valgrind cannot read what newer compilers write for debuggers; names of functions stay.
    execute(["strip", "--strip-debug", "-o", suite.folder / "slipcast", suite.slipcast])
    suite.run("identity", "--quiet", suite.folder / "identity")
    made, root = suite.folder, ["--root", suite.folder / "identity/root.der"]
    signed, receipts = FIXTURES / "receipts/signed", ["--root", FIXTURES / "receipts/signed/root.der"]
    pair, example = FIXTURES / "pairs/price-consent-1-v2-1", ROOT / "Examples/migration"
    convert, to = ["convert", "--quiet"], ["--quiet", *ROWS, ARCHIVE, "--to"]
    notifications = [FIXTURES / "notifications", "--include", "v1.json", "--provenance", made / "provenance.ndjson"]
    rejects = [FIXTURES / "rejects", FIXTURES / "streams", "--rejects", made / "rejects.ndjson"]
    sides = ["--legacy", example / "v1.ndjson", "--server", example / "v2.ndjson"]
    server = os.environ["SLIPCAST_POSTGRES"]
    for name, status, words in (
        ("convert", 1, [*convert, "--jobs", 2, *notifications]),
        ("convert rejects", 1, [*convert, *rejects]),
        ("convert compressed", 0, ["convert", *to, made / "v2.ndjson.zst"]),
        ("sign", 0, ["convert", *to, made / "signed.ndjson", "--sign", made / "identity"]),
        ("verify", 0, ["verify", "--quiet", *root, made / "signed.ndjson"]),
        ("verify receipts", 1, ["verify", "--quiet", *receipts, signed, "--include", "receipt.*"]),
        ("inspect", 0, ["inspect", *receipts, signed / "app-production/receipt.base64"]),
        ("sqlite", 0, ["convert", *to, made / "v2.sqlite", "--execute"]),
        ("sqlite timeline", 0, ["timeline", "--quiet", "--format", "text", made / "v2.sqlite"]),
        ("diff", 0, ["diff", pair / "v1.json", pair / "v2.json", "--report", made / "pair.html"]),
        ("parity", 1, ["parity", "--quiet", *sides, "--report", made / "parity.html"]),
        ("postgresql", 0, ["convert", *to, server, "--execute"]),
        ("postgresql timeline", 0, ["timeline", "--quiet", "--format", "text", server]),
    ):
        suite.part(name, clean, suite, status, *words)
