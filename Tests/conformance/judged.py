"""Cases with two verdicts: that of `slipcast verify` and that of OpenSSL's command."""

import json
import subprocess
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

# What OpenSSL's command does not ask about, and Apple's signatures must fulfil: the marks, a path of three, keys and
# digests, the form of what is signed.
STRICTER = {
    "leafMarkerMissing",
    "intermediateMarkerMissing",
    "keyUsage",
    "pathLength",
    "pathInvalid",
    "issuerNotAuthority",
    "weakCryptography",
    "certificateUnreadable",
    "certificateCount",
    "signerCertificateAmbiguous",
    "headerUnreadable",
    "payloadUnreadable",
    "payloadUnknown",
    "messageUnreadable",
    "trailingBytes",
    "contentType",
    "unrecognized",
    "receiptMalformed",
    "attributeDuplicate",
    "textMalformed",
    "bundleIdMissing",
    "creationDateMissing",
    "creationDateUnreadable",
}


@dataclass
class Case:
    """One signed thing and OpenSSL's verdict."""

    name: str
    record: str
    is_good: bool


def ours(slipcast: str, options: list[str], cases: list[Case], folder: Path) -> list[str]:
    """`valid` or the reason of each case, by one run of the command."""
    file = folder / "records"
    file.write_text("".join(case.record + "\n" for case in cases))
    words = [slipcast, "verify", "--quiet", "--exit-zero", "--format", "json", *options, str(file)]
    lines = subprocess.run(words, check=True, stdout=subprocess.PIPE).stdout.splitlines()
    verdicts: dict[int, str] = {}
    for line in lines:
        verdict = json.loads(line)
        said = "valid" if verdict["verdict"] == "valid" else verdict["reason"]
        # Several signed things may stand in one record; all must be good.
        verdicts[verdict["line"]] = said if verdicts.get(verdict["line"], "valid") == "valid" else verdicts[verdict["line"]]
    return [verdicts.get(place + 1, "nothing") for place in range(len(cases))]


def compare(title: str, cases: list[Case], verdicts: Iterable[str]) -> int:
    """Prints counts; gives the number of cases on which the two disagree without right."""
    wrong, agreed, stricter = 0, Counter[str](), Counter[str]()
    for case, verdict in zip(cases, verdicts, strict=True):
        if case.is_good == (verdict == "valid"):
            agreed["good" if case.is_good else "bad"] += 1
        elif case.is_good and verdict in STRICTER:
            stricter[verdict] += 1
        else:
            wrong += 1
            print(f"! {title}, {case.name}: OpenSSL says {'good' if case.is_good else 'bad'}, slipcast says {verdict}")
    print(
        f"{title}: {len(cases)} cases, both say good {agreed['good']}, both say bad {agreed['bad']}, "
        f"slipcast alone refuses {stricter.total()} {dict(sorted(stricter.items()))}, wrong {wrong}"
    )
    # A check in which one side says the same of everything proves nothing.
    return wrong if agreed["good"] and agreed["bad"] else wrong + 1
