"""Mutants of a good token, and what Apple's own library says of each.

A signed notification of `slipcast convert --sign` is taken apart: the header, the certificates, the payload, the
signature, the text, the dates, the claims, what the caller asks for, tokens in each other's place, faulty chains. Where
the mutation lies inside, the token is signed anew with the identity's key, so that only the one thing is wrong.
`slipcast verify` judges each case too and must agree; it may be stricter where a note of the case says why.
"""

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

from forge import Case, Forge, apple, ours
from harness import FIXTURES, Suite, anew, require, require_none
from mutants_of_payloads import chains, claims, dates, payloads, questions, swapped
from mutants_of_tokens import certificates, headers, signatures, texts

FAMILIES: list[Callable[[Forge], Iterator[Case]]] = [
    headers, certificates, payloads, signatures, texts, dates, claims, questions, swapped, chains,
]
GOOD = FIXTURES / "notifications/did-renew/v1.json"


def check(suite: Suite) -> str:
    identity, stranger = suite.folder / "good", suite.folder / "stranger"
    for place in (identity, stranger):
        suite.run("identity", "--quiet", place)
    line = suite.run("convert", "--quiet", "--sign", identity, "--app-apple-id", 1234567890, GOOD).stdout
    forge = Forge(json.loads(line)["signedPayload"], identity, stranger)
    cases = [forge.good, *(case for family in FAMILIES for case in family(forge))]
    require(len({case.name for case in cases}) == len(cases) >= 45, "cases are missing, or two have one name")
    folder = anew(suite.folder / "mutants")
    with ThreadPoolExecutor(2) as pool:
        own = list(pool.map(lambda item: ours(item[1], suite.slipcast, anew(folder / str(item[0]))), enumerate(cases)))
    theirs = [apple(case) for case in cases]
    verdicts = list(zip(cases, theirs, own))
    wrong = [each for each in verdicts if not is_expected(*each)]
    told = (f"{case.name}: Apple says {one}, slipcast {two}" for case, one, two in wrong)
    require_none(told, len(cases), "verdicts are not as expected")
    stricter = sum(one == "valid" != two for _, one, two in verdicts)
    reasons = len({two for two in own if two != "valid"})
    return f"Apple's library trusts {theirs.count('valid')}; slipcast is stricter on {stricter}, for {reasons} reasons"


def is_expected(case: Case, theirs: str, own: str) -> bool:
    if (theirs == "valid") != case.valid or own.startswith("FAILED"):
        return False
    # Being stricter than Apple's library is allowed where a note says why; being laxer never is.
    return (theirs == "valid") == (own == "valid") or (theirs == "valid" and bool(case.note))
