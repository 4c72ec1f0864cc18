"""Signed payloads, good and spoiled, with OpenSSL's verdict on each."""

import base64
import json
from collections.abc import Iterator
from pathlib import Path

import openssl
from harness import Suite
from judged import Case

DATE = 1_650_000_000_000
# Seconds in which the test identity's certificates begin and end to be valid.
BEGIN, END = 1_199_145_600, 2_524_607_999


def encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def flipped(data: bytes, bit: int) -> bytes:
    spoiled = bytearray(data)
    spoiled[bit // 8] ^= 1 << bit % 8
    return bytes(spoiled)


class Tokens:
    """Makes tokens with the key of a test identity, and has OpenSSL judge them."""

    def __init__(self, suite: Suite) -> None:
        self.folder = suite.folder
        self.identity, stranger = self.folder / "identity", self.folder / "stranger"
        for place in (self.identity, stranger):
            suite.run("identity", "--quiet", place)
        self.root = (self.identity / "root.der").read_bytes()
        self.chain, self.stranger = self.certificates(self.identity), self.certificates(stranger)

    @staticmethod
    def certificates(identity: Path) -> list[bytes]:
        parts = (identity / "chain.pem").read_text().split("-----")
        return [base64.b64decode(part) for part in parts if len(part) > 100]

    def signed(self, chain: list[bytes], payload: bytes) -> tuple[str, bytes]:
        """Header and payload, and the signature by the identity's key."""
        x5c = [base64.b64encode(certificate).decode() for certificate in chain]
        text = encode(json.dumps({"alg": "ES256", "x5c": x5c}).encode()) + "." + encode(payload)
        is_good, signature = openssl.run(["dgst", "-sha256", "-sign", str(self.identity / "leaf.key")], text.encode())
        assert is_good
        return text, openssl.pair_of_der(signature)

    def case(self, name: str, chain: list[bytes], text: str, signature: bytes, seconds: int) -> Case:
        """A case with OpenSSL's verdict: the signature by the leaf's key, and the leaf's path as of the time."""
        key = openssl.public_key(chain[0])
        is_good = (
            key is not None
            and openssl.signature_fits(key, "sha256", openssl.der_of_pair(signature), text.encode(), self.folder)
            and openssl.path_leads_to_root(chain[0], chain[1:2], self.root, seconds, self.folder)
        )
        return Case(name, f"{text}.{encode(signature)}", is_good)

    def cases(self, step: int) -> Iterator[Case]:
        """The good token, and what can be done to it."""
        payload = self.payload(DATE)
        text, signature = self.signed(self.chain, payload)
        yield self.case("good", self.chain, text, signature, DATE // 1000)
        for bit in range(0, len(signature) * 8, step):
            yield self.case(f"signature, bit {bit}", self.chain, text, flipped(signature, bit), DATE // 1000)
        head = text.split(".")[0]
        for bit in range(0, len(payload) * 8, step):
            changed = f"{head}.{encode(flipped(payload, bit))}"
            yield self.case(f"payload, bit {bit}", self.chain, changed, signature, DATE // 1000)
        yield from self.times()
        yield from self.paths(payload)
        yield from self.certificate_bits(payload, step)

    @staticmethod
    def payload(date: int) -> bytes:
        return json.dumps({"transactionId": "1", "bundleId": "com.example", "signedDate": date}).encode()

    def times(self) -> Iterator[Case]:
        """Dates around the ends of the certificates; OpenSSL 3.0 itself misjudges the very last second."""
        for seconds in (0, BEGIN - 1, BEGIN, BEGIN + 1, END - 1, END + 1, 4_000_000_000):
            text, signature = self.signed(self.chain, self.payload(seconds * 1000))
            yield self.case(f"signed at {seconds}", self.chain, text, signature, seconds)

    def paths(self, payload: bytes) -> Iterator[Case]:
        """Chains put together otherwise; the key stays the identity's."""
        leaf, intermediate, root = self.chain
        for name, chain in {
            "a stranger's chain": self.stranger,
            "a stranger's leaf": [self.stranger[0], intermediate, root],
            "a stranger's intermediate": [leaf, self.stranger[1], root],
            "a stranger's root": [leaf, intermediate, self.stranger[2]],
            "the leaf twice": [leaf, leaf, root],
            "the root twice": [leaf, root, root],
            "the intermediate first": [intermediate, leaf, root],
        }.items():
            yield self.case(name, chain, *self.signed(chain, payload), DATE // 1000)

    def certificate_bits(self, payload: bytes, step: int) -> Iterator[Case]:
        """One bit of the leaf or the intermediate flipped; the header is signed anew."""
        for place, name in enumerate(("leaf", "intermediate")):
            for bit in range(0, len(self.chain[place]) * 8, 4 * step + 1):
                chain = list(self.chain)
                chain[place] = flipped(chain[place], bit)
                yield self.case(f"{name}, bit {bit}", chain, *self.signed(chain, payload), DATE // 1000)
