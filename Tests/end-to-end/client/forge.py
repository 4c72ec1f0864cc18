"""A good token in its parts, the means to make other ones, and Apple's verdict."""

import base64
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier, VerificationException
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, utils

from harness import run

METHODS = {
    "signedPayload": "verify_and_decode_notification",
    "signedTransactionInfo": "verify_and_decode_signed_transaction",
    "signedRenewalInfo": "verify_and_decode_renewal_info",
}
LENIENT = "Python reads this leniently"


@dataclass(frozen=True)
class Case:
    """A token, under which name it is handed over, and what the caller asks for."""

    name: str
    token: str
    roots: tuple[bytes, ...]
    bundle_id: str
    app_apple_id: int
    environment: str = "Production"
    member: str = "signedPayload"
    valid: bool = False
    note: str = ""


def apple(case: Case) -> str:
    """The verdict of Apple's library: "valid", a status, or the error that escapes."""
    verifier = SignedDataVerifier(
        list(case.roots), False, Environment(case.environment), case.bundle_id, case.app_apple_id
    )
    try:
        getattr(verifier, METHODS[case.member])(case.token)
    except VerificationException as error:
        return error.status.name
    except Exception as error:  # a client would meet it, so it counts as a refusal
        return f"raises {type(error).__name__}"
    return "valid"


def ours(case: Case, slipcast: Path, folder: Path) -> str:
    """The verdict of `slipcast verify`: "valid", or the reason to refuse."""
    words: list[object] = ["--bundle-id", case.bundle_id, "--app-apple-id", case.app_apple_id]
    for place, root in enumerate(case.roots):
        (folder / f"root-{place}.der").write_bytes(root)
        words += ["--root", folder / f"root-{place}.der"]
    (folder / "record.json").write_text(json.dumps({case.member: case.token}))
    words += ["--environment", case.environment, folder / "record.json"]
    outcome = run([slipcast, "verify", "--quiet", "--format", "json", *words], status=())
    lines = outcome.stdout.splitlines()
    if len(lines) != 1 or outcome.status not in (0, 1):
        return f"FAILED with {outcome.status} and {len(lines)} lines"
    verdict = json.loads(lines[0])
    is_valid = verdict["verdict"] == "valid"
    if is_valid != (outcome.status == 0) or is_valid == ("reason" in verdict):
        return "FAILED: status and verdict contradict"
    return "valid" if is_valid else verdict["reason"]


# Taking apart and putting together


def encode(data: bytes) -> str:
    """base64url without padding."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def decode(text: str) -> bytes:
    """The bytes of base64url without padding."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def spell(value: Any) -> bytes:
    """Bytes as they are, anything else as compact JSON."""
    return value if isinstance(value, bytes) else json.dumps(value, separators=(",", ":")).encode()


def pem_certificates(path: Path) -> list[bytes]:
    """The certificates of a PEM file in DER."""
    loaded = x509.load_pem_x509_certificates(path.read_bytes())
    return [one.public_bytes(serialization.Encoding.DER) for one in loaded]


class Forge:
    """A good token in its parts, and the means to put other ones together."""

    def __init__(self, token: str, identity: Path, stranger: Path) -> None:
        self.token = token
        self.segments = token.split(".")
        self.header = json.loads(decode(self.segments[0]))
        self.payload = json.loads(decode(self.segments[1]))
        self.signature = decode(self.segments[2])
        self.key = self.load(identity)
        self.strange_key = self.load(stranger)
        self.chain = pem_certificates(identity / "chain.pem")
        self.strange_chain = pem_certificates(stranger / "chain.pem")
        data = self.payload["data"]
        self.good = Case("good", token, (self.chain[2],), data["bundleId"], data["appAppleId"], valid=True)

    @staticmethod
    def load(identity: Path) -> ec.EllipticCurvePrivateKey:
        """The key of an identity."""
        return serialization.load_pem_private_key((identity / "leaf.key").read_bytes(), None)

    def raw(self, text: str, key: Any = None) -> bytes:
        """The signature of a signing input: r ‖ s, or RSA's bytes."""
        key = key or self.key
        if not isinstance(key, ec.EllipticCurvePrivateKey):
            return key.sign(text.encode(), padding.PKCS1v15(), hashes.SHA256())
        pair = utils.decode_dss_signature(key.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
        size = (key.key_size + 7) // 8
        return b"".join(number.to_bytes(size, "big") for number in pair)

    def seal(self, text: str, key: Any = None) -> str:
        """A signing input with its signature."""
        return f"{text}.{encode(self.raw(text, key))}"

    def sign(self, header: Any = None, payload: Any = None, key: Any = None) -> str:
        """A token of other parts, signed anew."""
        parts = [self.header if header is None else header]
        parts.append(self.payload if payload is None else payload)
        return self.seal(".".join(encode(spell(part)) for part in parts), key)

    def case(self, name: str, token: str, valid: bool = False, **changes: Any) -> Case:
        """A case that differs from the good one in this."""
        return replace(self.good, name=name, token=token, valid=valid, **changes)

    def with_header(self, **members: Any) -> str:
        """A token with other members in the header; `...` takes one away."""
        return self.sign(header=changed(self.header, members))

    def with_payload(self, **members: Any) -> str:
        """A token with other members in the payload."""
        return self.sign(payload=changed(self.payload, members))

    def with_data(self, **members: Any) -> str:
        """A token with other members in `data`."""
        return self.with_payload(data=changed(self.payload["data"], members))

    def with_chain(self, chain: list[bytes | str]) -> str:
        """A token with other certificates; texts stand as they are."""
        return self.with_header(
            x5c=[base64.b64encode(one).decode() if isinstance(one, bytes) else one for one in chain]
        )


def changed(members: dict, changes: dict) -> dict:
    """An object with other members; `...` takes one away."""
    return {name: value for name, value in {**members, **changes}.items() if value is not ...}


def flipped(data: bytes, place: int = -5) -> bytes:
    """Bytes with one changed bit."""
    changed_bytes = bytearray(data)
    changed_bytes[place] ^= 1
    return bytes(changed_bytes)
