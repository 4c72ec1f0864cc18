"""Verdicts of `slipcast verify` beside those of OpenSSL's own command.

Tokens, app receipts and transaction receipts, good ones and many spoiled ones, are judged by both: the signature by
`openssl dgst` or `openssl cms`, the certificates by `openssl verify`, as of the time of signing. Slipcast may refuse what
OpenSSL takes, where Apple's signatures must fulfil more (`judged.STRICTER`); it must never trust what OpenSSL refuses.

    python3 Tests/conformance/check.py SLIPCAST FIXTURES [--step N]

flips every Nth bit of the parts of each sample (37 by default; 1 takes a day). The exit status is 1 after a disagreement.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from judged import compare, ours
from receipts import Receipts
from tokens import Tokens


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("slipcast")
    parser.add_argument("fixtures", type=Path)
    parser.add_argument("--step", type=int, default=37, help="flip every Nth bit")
    arguments = parser.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tokens, receipts = Tokens(arguments.slipcast, folder), Receipts(arguments.fixtures, folder)
        trust = ["--root", str(tokens.identity / "root.der")]
        for title, options, cases in (
            ("tokens", trust, list(tokens.cases(arguments.step))),
            ("app receipts", receipts.root_alone, list(receipts.app_receipts(11 * arguments.step))),
            ("transaction receipts", receipts.all_certificates, list(receipts.transaction_receipts(7 * arguments.step))),
        ):
            wrong += compare(title, cases, ours(arguments.slipcast, options, cases, folder))
    print(f"{wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
