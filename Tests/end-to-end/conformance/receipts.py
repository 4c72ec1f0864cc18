"""Receipts of the fixtures, good and spoiled, with OpenSSL's verdict on each."""

import base64
import datetime
import re
from collections.abc import Iterator
from pathlib import Path

import openssl
from harness import FIXTURES
from judged import Case
from tokens import flipped


class Receipts:
    """The signed receipts in `Fixtures/receipts/signed`, and those certificates that come along with none."""

    def __init__(self, folder: Path) -> None:
        self.fixtures, self.folder = FIXTURES / "receipts/signed", folder
        names = ("root", "intermediate", "store-intermediate")
        self.root, *self.others = [(self.fixtures / f"{name}.der").read_bytes() for name in names]

    @property
    def root_alone(self) -> list[str]:
        """The options of `slipcast verify` for app receipts, which bring the certificates between."""
        return ["--root", str(self.fixtures / "root.der")]

    @property
    def all_certificates(self) -> list[str]:
        """The options for transaction receipts, which bring none but the signer's."""
        words = list(self.root_alone)
        for name in ("intermediate", "store-intermediate"):
            words += ["--intermediate", str(self.fixtures / f"{name}.der")]
        return words

    def receipt(self, name: str) -> bytes:
        """The bytes of a receipt, without base64 around them."""
        return base64.b64decode((self.fixtures / name / "receipt.base64").read_text())

    def names(self, pattern: str) -> list[str]:
        """Receipts in base64 that are no data of Xcode, whose signer is nobody."""
        folders = (folder for folder in sorted(self.fixtures.glob(pattern)) if folder.name != "app-xcode")
        return [folder.name for folder in folders if (folder / "receipt.base64").exists()]

    # App receipts.

    def app_receipts(self, step: int) -> Iterator[Case]:
        """Every app receipt, and four of them with bits flipped."""
        for name in self.names("app-*") + [name for name in self.names("bad-*") if "ios6" not in name]:
            yield self.app_case(name, self.receipt(name))
        for name in ("app-sandbox-sha1-wrapped", "app-signed-attributes", "app-ber-chunked", "app-vpp"):
            receipt = self.receipt(name)
            for bit in range(0, len(receipt) * 8, step):
                if bit // 8 in self.digest_list(receipt):
                    continue
                yield self.app_case(f"{name}, bit {bit}", flipped(receipt, bit), self.seconds(receipt))

    def app_case(self, name: str, receipt: bytes, seconds: int | None = None) -> Case:
        when = self.seconds(receipt) if seconds is None else seconds
        is_good = openssl.message_is_good(receipt, self.root, when, self.folder)
        return Case(name, base64.b64encode(receipt).decode(), is_good)

    @staticmethod
    def digest_list(receipt: bytes) -> range:
        """Where the message lists digest algorithms, for readers in one pass; it is not signed.

        OpenSSL's command refuses a signer whose digest is not in that list, as RFC 5652 section 5.1 lets it; Slipcast
        takes the digest from the signer alone, so that a list of many costs nothing.
        """
        start = receipt.index(b"\x02\x01\x01\x31") + 3
        return range(start, start + 2 + receipt[start + 1])

    @staticmethod
    def seconds(receipt: bytes) -> int:
        """The creation date, attribute 12, in seconds since 1970; 2022-03-21 where there is none."""
        found = re.search(rb"\x02\x01\x0c\x02\x01\x01\x04\x16\x16\x14(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)", receipt)
        text = found[1].decode() if found else "2022-03-21T10:00:00Z"
        return int(datetime.datetime.fromisoformat(text).timestamp())

    # Transaction receipts.

    def transaction_receipts(self, step: int) -> Iterator[Case]:
        """Every transaction receipt, and two of them with bits of signature, certificate or purchase flipped."""
        for name in (*self.names("ios6-*"), *self.names("bad-ios6-*")):
            if name != "ios6-unity-envelope":
                yield self.transaction_case(name, *self.parts(self.receipt(name)))
        for name in ("ios6-v2-sandbox", "ios6-v3-production"):
            blob, purchase = self.parts(self.receipt(name))
            for bit in range(0, len(blob) * 8, step):
                yield self.transaction_case(f"{name}, blob, bit {bit}", flipped(blob, bit), purchase)
            for bit in range(0, len(purchase) * 8, step):
                yield self.transaction_case(f"{name}, purchase, bit {bit}", blob, flipped(purchase, bit))

    @staticmethod
    def parts(receipt: bytes) -> tuple[bytes, bytes]:
        """The signature blob and the signed purchase."""
        members = dict(re.findall(rb'"([a-z-]+)" = "([^"]*)"', receipt))
        return base64.b64decode(members[b"signature"]), base64.b64decode(members[b"purchase-info"])

    def transaction_case(self, name: str, blob: bytes, purchase: bytes) -> Case:
        """RSA with SHA-1 over the version and the purchase, by the certificate in the blob."""
        length = 128 if blob[0] == 2 else 256
        signature, certificate = blob[1 : length + 1], blob[length + 5 :]
        is_whole = blob[0] in (2, 3) and int.from_bytes(blob[length + 1 : length + 5], "big") == len(certificate)
        key = openssl.public_key(certificate) if is_whole else None
        is_good = (
            key is not None
            and openssl.signature_fits(key, "sha1", signature, blob[:1] + purchase, self.folder)
            and openssl.path_leads_to_root(certificate, self.others, self.root, self.purchased(purchase), self.folder)
        )
        members = {"signature": blob, "purchase-info": purchase}
        lines = [f'"{key}" = "{base64.b64encode(data).decode()}";' for key, data in members.items()]
        return Case(name, base64.b64encode("{{\n{}\n}}".format("\n".join(lines)).encode()).decode(), is_good)

    @staticmethod
    def purchased(purchase: bytes) -> int:
        found = re.search(rb'"purchase-date-ms" = "(\d+)"', purchase)
        return int(found[1]) // 1000 if found else 0
