"""Cases with two verdicts: that of `slipcast verify` and that of OpenSSL's command."""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from harness import Suite, require, require_none

# What OpenSSL's command does not ask about, and Apple's signatures must fulfil: the marks, a path of three, keys and
# digests, the form of what is signed.
STRICTER = set(
    """
    leafMarkerMissing intermediateMarkerMissing keyUsage pathLength pathInvalid issuerNotAuthority
    weakCryptography certificateUnreadable certificateCount signerCertificateAmbiguous headerUnreadable
    payloadUnreadable payloadUnknown messageUnreadable trailingBytes contentType unrecognized receiptMalformed
    attributeDuplicate textMalformed bundleIdMissing creationDateMissing creationDateUnreadable
    """.split()
)


@dataclass
class Case:
    """One signed thing and OpenSSL's verdict."""

    name: str
    record: str
    is_good: bool


def ours(suite: Suite, words: list, cases: list[Case]) -> list[str]:
    """`valid` or the reason of each case, by one run of the command."""
    file = suite.folder / "records"
    file.write_text("".join(case.record + "\n" for case in cases))
    done = suite.run("verify", "--quiet", "--exit-zero", "--format", "json", *words, file, seconds=7200)
    verdicts: dict[int, str] = {}
    for verdict in map(json.loads, done.stdout.splitlines()):
        said = "valid" if verdict["verdict"] == "valid" else verdict["reason"]
        # Several signed things may stand in one record; all must be good.
        if verdicts.get(verdict["line"], "valid") == "valid":
            verdicts[verdict["line"]] = said
    return [verdicts.get(place + 1, "nothing") for place in range(len(cases))]


def compare(suite: Suite, words: list, made: Iterable[Case]) -> str:
    """Fails for the cases on which the two disagree without right."""
    cases, wrong = list(made), []
    agreed, stricter = Counter[str](), Counter[str]()
    for case, verdict in zip(cases, ours(suite, words, cases), strict=True):
        word = "good" if case.is_good else "bad"
        if case.is_good == (verdict == "valid"):
            agreed[word] += 1
        elif case.is_good and verdict in STRICTER:
            stricter[verdict] += 1
        else:
            wrong.append(f"{case.name}: OpenSSL says {word}, slipcast says {verdict}")
    require_none(wrong, len(cases), "verdicts differ")
    require(agreed["good"] and agreed["bad"], "one side says the same of everything, which proves nothing")
    told = ", ".join(f"{name} {count}" for name, count in sorted(stricter.items()))
    return f"both say good {agreed['good']}, both say bad {agreed['bad']}, slipcast alone refuses {told or 'none'}"
