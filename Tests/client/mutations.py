"""Mutants of a good token, and what Apple's own library says of each.

`mutants` takes a signed notification of `slipcast convert --sign` apart and yields
named cases: the header, the certificates, the payload, the signature, the text, the
dates, the claims, what the caller asks for, tokens in each other's place, faulty
chains. `slipcast verify` judges each case too and must agree. Where the mutation lies inside, the token is signed anew with the identity's
key, so that only the one thing is wrong. `forge.apple` gives the verdict of
app-store-server-library for a case.

Each case says whether it is to be trusted; the check fails when Apple's library says
otherwise. Cases that Apple's library trusts although a stricter reader may refuse them
have a note.

Usage:

    python Tests/client/mutations.py SLIPCAST FIXTURES

prints the table of verdicts, and exits with 1 when one is not as expected.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from forge import Case, Forge, apple, ours
from mutants_of_payloads import chains, claims, dates, payloads, questions, swapped
from mutants_of_tokens import certificates, headers, signatures, texts

FAMILIES = (
    headers,
    certificates,
    payloads,
    signatures,
    texts,
    dates,
    claims,
    questions,
    swapped,
    chains,
)


def mutants(token: str, identity: Path, stranger: Path) -> Iterator[Case]:
    """All cases of a good notification token of Production."""
    forge = Forge(token, identity, stranger)
    yield forge.good
    for family in FAMILIES:
        yield from family(forge)


def good_token(slipcast: str, fixtures: Path, identity: Path) -> str:
    """The token of a converted notification with transaction and renewal info."""
    command = [
        slipcast,
        "convert",
        "--quiet",
        "--sign",
        str(identity),
        "--app-apple-id",
        "1234567890",
    ]
    command.append(str(fixtures / "notifications" / "did-renew" / "v1.json"))
    return json.loads(
        subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    )["signedPayload"]


def main() -> int:
    """Prints the table; gives the exit status."""
    slipcast, fixtures = sys.argv[1], Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        identity, stranger = Path(folder, "identity"), Path(folder, "stranger")
        for place in (identity, stranger):
            subprocess.run([slipcast, "identity", "--quiet", str(place)], check=True)
        cases = list(
            mutants(good_token(slipcast, fixtures, identity), identity, stranger)
        )
        verdicts = [
            (apple(case), ours(case, slipcast, Path(folder))) for case in cases
        ]
    wrong = agreed = 0
    for case, (theirs, own) in zip(cases, verdicts, strict=True):
        agrees = (theirs == "valid") == (own == "valid")
        agreed += agrees
        # Being stricter than Apple's library is allowed where a note says why; being laxer never is.
        is_stricter = theirs == "valid" and own != "valid" and bool(case.note)
        is_wrong = (theirs == "valid") != case.valid or own.startswith("FAILED")
        is_wrong = is_wrong or not (agrees or is_stricter)
        wrong += is_wrong
        mark = "!" if is_wrong else " " if agrees else "s"
        print(
            f"{mark} {case.name:58} {theirs:26} {own}"
            + (f"  ({case.note})" if case.note else "")
        )
    valid = sum(theirs == "valid" for theirs, _ in verdicts)
    reasons = {own for _, own in verdicts if own != "valid"}
    print(f"{len(cases)} cases: {valid} trusted by Apple's library, {len(cases) - valid} refused")
    print(f"slipcast verify agrees on {agreed}, is stricter on {len(cases) - agreed}")
    print(f"{len(reasons)} reasons of ours: {', '.join(sorted(reasons))}")
    print(f"{wrong} not as expected")
    is_whole = len({case.name for case in cases}) == len(cases) >= 45
    return 0 if is_whole and not wrong else 1


if __name__ == "__main__":
    sys.exit(main())
