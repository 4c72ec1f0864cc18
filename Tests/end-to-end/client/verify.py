"""The real-client check of signatures: Apple's own library must trust what we sign.

Makes two test identities with the binary, converts every fixture twice (`--plain` and `--sign`) and hands every token
to the `SignedDataVerifier` of app-store-server-library: default strict checks, offline, our root in the place of
Apple's. A record passes when

* each token verifies under the root of its identity, for its own bundle id, environment and app Apple id, and is
  refused (VERIFICATION_FAILURE) under the other identity's root,
* each payload, nested tokens decoded, is the plain record, member by member, in value, type and order; only a
  `signedDate` may have been added,
* Apple's class gives every value of the payload back unchanged.

The verifier checks no signature of Xcode and LocalTesting data; such records are skipped and counted, and so are the
few records that state no date at all, which Slipcast refuses to sign.
"""

import base64
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.JWSRenewalInfoDecodedPayload import JWSRenewalInfoDecodedPayload
from appstoreserverlibrary.models.JWSTransactionDecodedPayload import JWSTransactionDecodedPayload
from appstoreserverlibrary.models.LibraryUtility import _get_cattrs_converter
from appstoreserverlibrary.models.ResponseBodyV2DecodedPayload import ResponseBodyV2DecodedPayload
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier, VerificationException, VerificationStatus
from harness import FIXTURES, Suite, require, require_none
from structure import differences, join

APP_APPLE_ID = 1234567890
DECODED_NAMES = {
    "signedTransactionInfo": "transactionInfo",
    "signedRenewalInfo": "renewalInfo",
    "signedTransactions": "transactions",
}
METHODS = {
    "notification": ("verify_and_decode_notification", ResponseBodyV2DecodedPayload),
    "transaction": ("verify_and_decode_signed_transaction", JWSTransactionDecodedPayload),
    "renewalInfo": ("verify_and_decode_renewal_info", JWSRenewalInfoDecodedPayload),
}
# Apple's verifier cannot be asked about an environment that does not exist.
UNKNOWN_ENVIRONMENT = "unknown"
# Apple's verifier looks at no signature of these.
UNCHECKED = (Environment.XCODE, Environment.LOCAL_TESTING, UNKNOWN_ENVIRONMENT)


@dataclass(frozen=True)
class Token:
    """A token, what it is and where it stands in its record."""

    kind: str
    text: str
    path: str


@dataclass(frozen=True)
class App:
    """For whom a record is."""

    environment: Environment | str | None
    bundle_id: str | None
    app_apple_id: int | None


# The binary


def batches() -> dict[tuple[str, ...], list[Path]]:
    """Every fixture in every form, by the options of `convert`."""
    found: dict[tuple[str, ...], list[Path]] = {}
    for file in sorted(FIXTURES.glob("notifications/*/v1.json")):
        found.setdefault(options(arguments(file.parent)), []).append(file)
    for file in sorted(FIXTURES.glob("receipts/*/v1.json")):
        words = arguments(file.parent)
        if "--emit" in words:
            del words[words.index("--emit") : words.index("--emit") + 2]
        for form in ("history", "statuses"):
            found.setdefault(options([*words, "--emit", form]), []).append(file)
    return found


def arguments(folder: Path) -> list[str]:
    """The options that a fixture asks for."""
    file = folder / "arguments.txt"
    return file.read_text().splitlines() if file.exists() else []


def options(words: list[str]) -> tuple[str, ...]:
    """The options with an app Apple id."""
    return (*words, *([] if "--app-apple-id" in words else ["--app-apple-id", str(APP_APPLE_ID)]))


def convert(suite: Suite, sources: list[Path], *words: object) -> tuple[dict[str, Any], dict[str, str]]:
    """The record that each source becomes, or why it is rejected, by the fixture's name."""
    path = suite.folder / "rejects.ndjson"
    done = suite.run("convert", "--quiet", "--exit-zero", *words, "--rejects", path, *sources)
    rejects = [json.loads(line) for line in path.read_text().splitlines()]
    rejected = {Path(reject["source"]).parent.name: reject["code"] for reject in rejects}
    names = [source.parent.name for source in sources if source.parent.name not in rejected]
    lines = done.stdout.splitlines()
    require(len(lines) == len(names), f"{len(lines)} lines of {len(names)} sources with {words}", done)
    return dict(zip(names, map(json.loads, lines))), rejected


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
        return [without_added_dates(one, other) for one, other in zip(value, plain, strict=True)]
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
    known = {environment.value: environment for environment in Environment} | {None: None}
    environment = known.get(name, UNKNOWN_ENVIRONMENT)
    return App(environment, about.get("bundleId"), about.get("appAppleId"))


@cache
def verifier(root: bytes, who: App) -> SignedDataVerifier:
    """Apple's verifier with its default checks, offline."""
    return SignedDataVerifier([root], False, who.environment, who.bundle_id, who.app_apple_id)


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

    def __init__(self, suite: Suite) -> None:
        self.suite, self.identity = suite, suite.folder / "identity"
        self.roots = [self.make(self.identity), self.make(suite.folder / "other")]
        self.counts: Counter[str] = Counter()
        self.failures: list[str] = []

    def make(self, folder: Path) -> bytes:
        """Makes an identity; gives its root."""
        self.suite.run("identity", "--quiet", folder)
        return (folder / "root.der").read_bytes()

    def batch(self, words: tuple[str, ...], sources: list[Path]) -> None:
        """Checks fixtures that are converted with the same options."""
        plain, refused = convert(self.suite, sources, "--plain", *words)
        signed, rejects = convert(self.suite, sources, "--sign", self.identity, *words)
        for name, record in plain.items():
            if name in signed:
                self.record(f"{name} {words}", record, signed[name])
            elif rejects[name] == "dateMissing":
                self.counts["undated"] += 1
            else:
                self.failures.append(f"{name} {words}: not signed: {rejects[name]}")
        self.failures += [f"{name}: signed, and rejected when plain" for name in signed.keys() - plain.keys()]

    def record(self, name: str, plain: dict, signed: dict) -> None:
        """Checks one record."""
        who = app(plain)
        if who.environment in UNCHECKED:
            self.counts["unchecked"] += 1
            return
        self.counts["records"] += 1
        problems = [] if is_same(signed, plain) else ["the signed record is not the plain one"]
        for token in tokens(signed):
            trusted, foreign = (verdict(token, root, who) for root in self.roots)
            if trusted != VerificationStatus.OK:
                problems.append(f"{token.path}: {getattr(trusted, 'name', trusted)}")
            if foreign != VerificationStatus.VERIFICATION_FAILURE:
                problems.append(f"{token.path}: not refused under another root")
            self.counts[token.kind] += 1
        self.failures += [f"{name}: {problem}" for problem in problems]


def self_test() -> None:
    """A spoilt record is told from a sound one."""
    plain = {"notificationType": "T", "data": {"transactionInfo": {"a": 1, "b": "c"}}}

    def signed(transaction: dict, **more: Any) -> dict:
        inner = {"signedTransactionInfo": token({**transaction, "signedDate": 5})}
        return {"signedPayload": token({"notificationType": "T", "data": inner, "signedDate": 5, **more})}

    def token(value: dict) -> str:
        return f"e30.{base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip('=')}.AA"

    require(is_same(signed({"a": 1, "b": "c"}), plain), "a sound record is refused")
    for spoilt in ({"a": 1}, {"a": 1.0, "b": "c"}, {"b": "c", "a": 1}, {"a": True, "b": "c"}):
        require(not is_same(signed(spoilt), plain), f"not found: {spoilt}")
    require(not is_same(signed({"a": 1, "b": "c"}, migration={}), plain), "not found: another member")


def check(suite: Suite) -> str:
    self_test()
    checks = Check(suite)
    for words, sources in batches().items():
        checks.batch(words, sources)
    counts = checks.counts
    for kind in METHODS:
        require(counts[kind], f"no {kind} was seen")
    require_none(checks.failures, counts["records"] + 2 * sum(counts[kind] for kind in METHODS), "checks failed")
    return ", ".join(f"{count} {name}" for name, count in counts.items())
