"""Verdicts of `slipcast verify` beside those of OpenSSL's own command.

Tokens, app receipts and transaction receipts, good ones and many spoiled ones, are judged by both: the signature by
`openssl dgst` or `openssl cms`, the certificates by `openssl verify`, as of the time of signing. Slipcast may refuse
what OpenSSL takes, where Apple's signatures must fulfil more (`judged.STRICTER`); it must never trust what OpenSSL
refuses.
"""

from argparse import ArgumentParser

from harness import Suite
from judged import compare
from receipts import Receipts
from tokens import Tokens


def options(parser: ArgumentParser) -> None:
    parser.add_argument("--step", type=int, default=37, help="flip every Nth bit (default 37; 1 takes a day)")


def run(suite: Suite) -> None:
    step = suite.options.step
    tokens, receipts = Tokens(suite), Receipts(suite.folder)
    trust = ["--root", tokens.identity / "root.der"]
    for name, words, cases in (
        ("tokens", trust, tokens.cases(step)),
        ("app receipts", receipts.root_alone, receipts.app_receipts(11 * step)),
        ("transaction receipts", receipts.all_certificates, receipts.transaction_receipts(7 * step)),
    ):
        suite.part(name, compare, suite, words, cases)
