"""OpenSSL's own command, as a second judge of signatures and certificate paths."""

import subprocess
from pathlib import Path

# Trust comes from the given files alone; the length of keys and the age of digests are not asked about, because
# receipts of the SHA-1 era are judged as of then.
PATH = ["-no-CAfile", "-no-CApath", "-no-CAstore", "-auth_level", "0", "-purpose", "any"]


def run(words: list[str], data: bytes | None = None) -> tuple[bool, bytes]:
    """Whether the command ends with 0, and what it writes."""
    end = subprocess.run(["openssl", *words], input=data, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return end.returncode == 0, end.stdout


def pem(certificate: bytes) -> bytes | None:
    """The certificate in PEM; nothing when it cannot be read."""
    is_good, text = run(["x509", "-inform", "DER"], certificate)
    return text if is_good else None


def public_key(certificate: bytes) -> bytes | None:
    """The certificate's key in PEM."""
    is_good, text = run(["x509", "-inform", "DER", "-pubkey", "-noout"], certificate)
    return text if is_good and text else None


def signature_fits(key: bytes, digest: str, signature: bytes, text: bytes, folder: Path) -> bool:
    """`openssl dgst -verify`."""
    places = [folder / name for name in ("key.pem", "signature", "text")]
    for place, data in zip(places, (key, signature, text), strict=True):
        place.write_bytes(data)
    words = ["dgst", f"-{digest}", "-verify", str(places[0]), "-signature", str(places[1]), str(places[2])]
    return run(words)[0]


def path_leads_to_root(leaf: bytes, others: list[bytes], root: bytes, seconds: int, folder: Path) -> bool:
    """`openssl verify`, as of a time."""
    certificates = [leaf, root, *others]
    texts = [text for text in map(pem, certificates) if text]
    if len(texts) < len(certificates):
        return False
    places = [folder / name for name in ("leaf.pem", "root.pem", "others.pem")]
    for place, data in zip(places, (texts[0], texts[1], b"".join(texts[2:])), strict=True):
        place.write_bytes(data)
    words = ["verify", *PATH, "-attime", str(seconds), "-trusted", str(places[1])]
    return run([*words, "-untrusted", str(places[2]), str(places[0])])[0]


def message_is_good(message: bytes, root: bytes, seconds: int, folder: Path) -> bool:
    """`openssl cms -verify`: the signature, the signer's path and its use at that time."""
    places = [folder / name for name in ("message.der", "root.pem", "content")]
    for place, data in zip(places, (message, pem(root) or b""), strict=False):
        place.write_bytes(data)
    words = ["cms", "-verify", "-binary", "-inform", "DER", "-in", str(places[0]), "-out", str(places[2])]
    trust = [word for word in PATH if word != "-no-CAfile"]
    return run([*words, *trust, "-CAfile", str(places[1]), "-attime", str(seconds)])[0]


def der_of_pair(signature: bytes) -> bytes:
    """The DER form of an ES256 signature (RFC 3279 section 2.2.3); nothing sensible for one of another length."""

    def integer(data: bytes) -> bytes:
        data = data.lstrip(b"\0") or b"\0"
        data = b"\0" + data if data[0] >= 0x80 else data
        return bytes([2, len(data)]) + data

    if len(signature) != 64:
        return b""
    body = integer(signature[:32]) + integer(signature[32:])
    return bytes([0x30, len(body)]) + body


def pair_of_der(signature: bytes) -> bytes:
    """r and s, 32 bytes each, of a signature in DER."""
    pair, at = b"", 2
    for _ in range(2):
        length = signature[at + 1]
        pair += signature[at + 2 : at + 2 + length].lstrip(b"\0").rjust(32, b"\0")
        at += 2 + length
    return pair
