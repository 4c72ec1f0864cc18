"""Answers about the lives of `lifecycles`: V1's verifyReceipt responses against V2's histories and statuses.

Both versions answer from one truth, at times of their own; so no field contradicts, nothing is missing, and nobody gains
or loses access. Each part is KIND/WHEN: V2 was asked at the same time, later, or earlier than V1; V1 about every customer
at another time, before or after V2 (spread), or several times before (several). KIND/messages…: V1's side are messages
instead, of which V2 was asked when they ended, later, or before.
KIND/planted: what V2 lacks or states otherwise, although it was asked in time, is found: each fault by itself.
"""

import sys
from argparse import ArgumentParser
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "lifecycles"))

import faults  # noqa: E402
import messages  # noqa: E402
import pairs  # noqa: E402
from harness import Suite  # noqa: E402
from kinds import KINDS  # noqa: E402


def options(parser: ArgumentParser) -> None:
    parser.add_argument("--customers", type=int, default=60, help="customers of each kind (default 60)")


def run(suite: Suite) -> None:
    for kind in KINDS:
        for when in pairs.TIMES:
            suite.part(f"{kind}/{when}", pairs.agree, suite, kind, when)
        for when in messages.TIMES:
            suite.part(f"{kind}/{when}", messages.agree, suite, kind, when)
        suite.part(f"{kind}/planted", faults.find, suite, kind)
