"""The real-client check of signatures: Apple's own library must trust what we sign.

Makes two test identities with the binary, converts every fixture twice (`--plain` and
`--sign`) and hands every token to the `SignedDataVerifier` of app-store-server-library:
default strict checks, offline, our root in the place of Apple's. A record passes when

* each token verifies under the root of its identity, for its own bundle id,
  environment and app Apple id, and is refused (VERIFICATION_FAILURE) under the other
  identity's root,
* each payload, nested tokens decoded, is the plain record, member by member, in value,
  type and order; only a `signedDate` may have been added,
* Apple's class gives every value of the payload back unchanged.

The verifier checks no signature of Xcode and LocalTesting data; such records are
skipped and named, and so are the few records that state no date at all, which we
refuse to sign.

Usage:

    python Tests/client/verify.py SLIPCAST FIXTURES

Failures go to standard error with the fixture's name, never with a value. The last
lines of standard output are counts. The exit status is 1 after any failure, and when
any kind of token was never seen.
"""

import base64
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.JWSRenewalInfoDecodedPayload import (
    JWSRenewalInfoDecodedPayload,
)
from appstoreserverlibrary.models.JWSTransactionDecodedPayload import (
    JWSTransactionDecodedPayload,
)
from appstoreserverlibrary.models.LibraryUtility import _get_cattrs_converter
from appstoreserverlibrary.models.ResponseBodyV2DecodedPayload import (
    ResponseBodyV2DecodedPayload,
)
from appstoreserverlibrary.signed_data_verifier import (
    SignedDataVerifier,
    VerificationException,
    VerificationStatus,
)
from structure import differences, join

APP_APPLE_ID = 1234567890
DECODED_NAMES = {
    "signedTransactionInfo": "transactionInfo",
    "signedRenewalInfo": "renewalInfo",
    "signedTransactions": "transactions",
}
METHODS = {
    "notification": ("verify_and_decode_notification", ResponseBodyV2DecodedPayload),
    "transaction": (
        "verify_and_decode_signed_transaction",
        JWSTransactionDecodedPayload,
    ),
    "renewalInfo": ("verify_and_decode_renewal_info", JWSRenewalInfoDecodedPayload),
}
# Apple's verifier looks at no signature of these.
UNCHECKED = (Environment.XCODE, Environment.LOCAL_TESTING)


@dataclass(frozen=True)
class Token:
    """A token, what it is and where it stands in its record."""

    kind: str
    text: str
    path: str


@dataclass(frozen=True)
class App:
    """For whom a record is."""

    environment: Environment | None
    bundle_id: str | None
    app_apple_id: int | None


# The binary


def convert(slipcast: str, source: Path, options: list[str]) -> tuple[list[str], list]:
    """The lines that a conversion writes, and its rejects."""
    with tempfile.TemporaryDirectory() as folder:
        rejects = Path(folder) / "rejects.ndjson"
        command = [slipcast, "convert", "--quiet", "--exit-zero", *options]
        command += ["--rejects", str(rejects), str(source)]
        lines = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
        found = [json.loads(line) for line in rejects.read_text().splitlines()]
    return lines.decode().splitlines(), found


def cases(fixtures: Path) -> Iterator[tuple[str, Path, list[str]]]:
    """Every fixture in every form: a name, the file, the options of `convert`."""
    for file in sorted((fixtures / "notifications").glob("*/v1.json")):
        yield file.parent.name, file, options(file.parent)
    for file in sorted((fixtures / "receipts").glob("*/v1.json")):
        words = options(file.parent, ["--emit"])
        for form in ("history", "statuses"):
            yield f"{file.parent.name} ({form})", file, [*words, "--emit", form]


def options(folder: Path, without: list[str] | None = None) -> list[str]:
    """The options of a fixture, with an app Apple id."""
    file = folder / "arguments.txt"
    words = file.read_text().splitlines() if file.exists() else []
    for name in without or []:
        if name in words:
            place = words.index(name)
            del words[place : place + 2]
    if "--app-apple-id" not in words:
        words += ["--app-apple-id", str(APP_APPLE_ID)]
    return words


# Tokens and payloads


def decode(segment: str) -> Any:
    """The JSON of a segment."""
    return json.loads(base64.urlsafe_b64decode(segment + "=" * (-len(segment) % 4)))


def payload(token: str) -> Any:
    """The payload of a token, unverified."""
    return decode(token.split(".")[1])


def tokens(record: dict) -> Iterator[Token]:
    """All tokens of a record, the outer one first."""
    if "signedPayload" in record:
        yield Token("notification", record["signedPayload"], "signedPayload")
        yield from inner_tokens(payload(record["signedPayload"]), "signedPayload")
    else:
        yield from inner_tokens(record, "")


def inner_tokens(value: Any, path: str) -> Iterator[Token]:
    """Tokens of transactions and renewal infos at any depth."""
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from inner_tokens(item, join(path, index))
    elif isinstance(value, dict):
        for name, member in value.items():
            here = join(path, name)
            if name == "signedTransactionInfo":
                yield Token("transaction", member, here)
            elif name == "signedRenewalInfo":
                yield Token("renewalInfo", member, here)
            elif name == "signedTransactions":
                for index, item in enumerate(member):
                    yield Token("transaction", item, join(here, index))
            else:
                yield from inner_tokens(member, here)


def unsigned(value: Any) -> Any:
    """A signed record as `convert --plain` writes it, but for added dates."""
    if isinstance(value, list):
        return [unsigned(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "signedPayload" in value:
        return unsigned(payload(value["signedPayload"]))
    plain = {}
    for name, member in value.items():
        if name == "signedTransactions":
            plain[DECODED_NAMES[name]] = [payload(item) for item in member]
        elif name in DECODED_NAMES:
            plain[DECODED_NAMES[name]] = payload(member)
        else:
            plain[name] = unsigned(member)
    return plain


def without_added_dates(value: Any, plain: Any) -> Any:
    """The value without each `signedDate` that the plain record lacks."""
    if isinstance(value, list) and isinstance(plain, list):
        return [
            without_added_dates(one, other)
            for one, other in zip(value, plain, strict=True)
        ]
    if not isinstance(value, dict) or not isinstance(plain, dict):
        return value
    return {
        name: without_added_dates(member, plain.get(name))
        for name, member in value.items()
        if name in plain or name != "signedDate"
    }


def is_same(signed: dict, plain: dict) -> bool:
    """True when a signed record says what the plain one says, in the same order."""
    try:
        aligned = without_added_dates(unsigned(signed), plain)
    except ValueError:  # lists of unequal length
        return False
    return json.dumps(aligned) == json.dumps(plain)


# Apple's verdict


def app(plain: dict) -> App:
    """For whom a plain record is."""
    about = plain.get("data")
    about = about if isinstance(about, dict) else plain
    name = about.get("environment")
    environment = Environment(name) if name is not None else None
    return App(environment, about.get("bundleId"), about.get("appAppleId"))


@cache
def verifier(root: bytes, who: App) -> SignedDataVerifier:
    """Apple's verifier with its default checks, offline."""
    return SignedDataVerifier(
        [root], False, who.environment, who.bundle_id, who.app_apple_id
    )


def verdict(token: Token, root: bytes, who: App) -> VerificationStatus | str:
    """OK, the status that the verifier raises, or what else is wrong."""
    method, kind = METHODS[token.kind]
    try:
        made = getattr(verifier(root, who), method)(token.text)
    except VerificationException as error:
        return error.status
    except Exception as error:  # whatever it is, a client would meet it
        return f"raises {type(error).__name__}"
    given = payload(token.text)
    back = _get_cattrs_converter(kind).unstructure(made)
    problems = list(differences(given, back, kind, ""))
    if problems:
        return f"{problems[0][0]}: {problems[0][1]}"
    if type(given.get("signedDate")) is not int:
        return "signedDate is not an integer"
    return VerificationStatus.OK


class Check:
    """Counts what passed and names what did not."""

    def __init__(self, slipcast: str, folder: Path) -> None:
        self.slipcast = slipcast
        self.identity = folder / "identity"
        self.roots = [self.make(self.identity), self.make(folder / "stranger")]
        self.counts: Counter[str] = Counter()
        self.unspecific: Counter[str] = Counter()
        self.undated: list[str] = []
        self.skipped: list[str] = []
        self.failures = 0

    def make(self, folder: Path) -> bytes:
        """Makes an identity; gives its root."""
        run = [self.slipcast, "identity", "--quiet", str(folder)]
        subprocess.run(run, check=True)
        return (folder / "root.der").read_bytes()

    def fail(self, name: str, message: str) -> None:
        """Notes a failure."""
        self.failures += 1
        print(f"{name}: {message}", file=sys.stderr)

    def case(self, name: str, source: Path, words: list[str]) -> None:
        """Checks one fixture in one form."""
        plain, refused = convert(self.slipcast, source, ["--plain", *words])
        sign = ["--sign", str(self.identity)]
        signed, rejects = convert(self.slipcast, source, [*sign, *words])
        if [reject["code"] for reject in rejects[len(refused) :]] == ["dateMissing"]:
            self.undated.append(name)
        elif len(plain) != len(signed) or not plain and not refused:
            self.fail(name, f"{len(plain)} plain lines, {len(signed)} signed ones")
        else:
            for one, other in zip(plain, signed, strict=True):
                self.record(name, json.loads(one), json.loads(other))

    def record(self, name: str, plain: dict, signed: dict) -> None:
        """Checks one record."""
        who = app(plain)
        if who.environment in UNCHECKED:
            self.skipped.append(name)
            return
        self.counts["records"] += 1
        if who.environment is None or who.bundle_id is None:
            self.unspecific[name] += 1
        if not is_same(signed, plain):
            self.fail(name, "the signed record is not the plain one")
        for token in tokens(signed):
            trusted = verdict(token, self.roots[0], who)
            if trusted != VerificationStatus.OK:
                self.fail(name, f"{token.path}: {getattr(trusted, 'name', trusted)}")
            foreign = verdict(token, self.roots[1], who)
            if foreign != VerificationStatus.VERIFICATION_FAILURE:
                self.fail(name, f"{token.path}: not refused under another root")
            self.counts[token.kind] += 1

    def report(self) -> int:
        """Prints the counts; gives the exit status."""
        for title, names in [
            ("skipped, Apple's verifier checks no such signature", self.skipped),
            ("not signed, no date at all", self.undated),
            ("without environment or bundle id to compare", list(self.unspecific)),
        ]:
            print(f"{title}: {len(names)}" + "".join(f"\n  {name}" for name in names))
        for kind in ("records", *METHODS):
            print(f"{self.counts[kind]:5} {kind}")
            if not self.counts[kind]:
                self.fail(kind, "none was seen")
        total = sum(self.counts[kind] for kind in METHODS)
        print(f"{total} tokens verified and refused under another root", end=", ")
        print(f"{self.failures} failed")
        return 1 if self.failures else 0


def self_test() -> None:
    """Fails unless a spoilt record is told from a sound one."""
    plain = {"notificationType": "T", "data": {"transactionInfo": {"a": 1, "b": "c"}}}

    def signed(transaction: dict, **more: Any) -> dict:
        inner = {"signedTransactionInfo": token({**transaction, "signedDate": 5})}
        outer = {"notificationType": "T", "data": inner, "signedDate": 5, **more}
        return {"signedPayload": token(outer)}

    def token(value: dict) -> str:
        text = base64.urlsafe_b64encode(json.dumps(value).encode()).decode()
        return f"e30.{text.rstrip('=')}.AA"

    assert is_same(signed({"a": 1, "b": "c"}), plain)
    for spoilt in (
        {"a": 1},
        {"a": 1.0, "b": "c"},
        {"b": "c", "a": 1},
        {"a": True, "b": "c"},
    ):
        assert not is_same(signed(spoilt), plain), spoilt
    assert not is_same(signed({"a": 1, "b": "c"}, migration={}), plain)


def main() -> int:
    """Runs the check."""
    self_test()
    slipcast, fixtures = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as folder:
        check = Check(slipcast, Path(folder))
        for name, source, words in cases(Path(fixtures)):
            check.case(name, source, words)
    return check.report()


if __name__ == "__main__":
    sys.exit(main())
