"""Mutants of a token's outside: header, certificates, signature, text."""

import base64
from collections.abc import Iterator

from cryptography.hazmat.primitives import hashes, hmac, serialization
from cryptography.hazmat.primitives.asymmetric import utils
from forge import LENIENT, Case, Forge, changed, encode, flipped, spell

# The order of the group of P-256.
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def headers(forge: Forge) -> Iterator[Case]:
    """Algorithms, and members that change what is signed."""
    for algorithm in ("ES384", "ES512", "RS256", "PS256", "EdDSA", "es256", "ES256 ", "", 5, None):
        yield forge.case(f"alg {algorithm!r}", forge.with_header(alg=algorithm))
    yield forge.case("alg missing", forge.with_header(alg=...))
    unsigned = changed(forge.header, {"alg": "none"})
    text = f"{encode(spell(unsigned))}.{forge.segments[1]}"
    yield forge.case("alg none, no signature", text + ".")
    yield forge.case("alg none, signed", forge.seal(text))
    yield forge.case("alg HS256 with the public key as secret", confused(forge))
    yield forge.case("crit", forge.with_header(crit=["exp"], exp=1))
    yield forge.case("crit empty", forge.with_header(crit=[]))
    known = forge.with_header(crit=["b64"], b64=True)
    note = "Python's library for JWT knows this extension (RFC 7797)"
    yield forge.case("crit b64, b64 true", known, True, note=note)
    yield forge.case("b64 false", forge.with_header(b64=False))
    yield forge.case("typ and kid", forge.with_header(typ="JWT", kid="one"), valid=True)
    yield forge.case("kid a number", forge.with_header(kid=5))
    twice = b'{"alg":"none",' + spell(forge.header)[1:]
    yield forge.case("alg twice, the last good", forge.sign(header=twice), True, note=LENIENT)
    yield forge.case("header an array", forge.sign(header=[forge.header]))
    yield forge.case("header no JSON", forge.sign(header=b"header"))
    yield forge.case("header empty", forge.sign(header=b""))


def confused(forge: Forge) -> str:
    """A token whose secret is the leaf's public key."""
    public = forge.key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    header = changed(forge.header, {"alg": "HS256"})
    text = f"{encode(spell(header))}.{forge.segments[1]}"
    secret = hmac.HMAC(public, hashes.SHA256())
    secret.update(text.encode())
    return f"{text}.{encode(secret.finalize())}"


def certificates(forge: Forge) -> Iterator[Case]:
    """The certificates in the header."""
    leaf, intermediate, root = forge.chain
    strange_leaf, strange_intermediate, strange_root = forge.strange_chain
    for name, value in (("missing", ...), ("null", None), ("empty", []), ("a text", "x5c"), ("an object", {})):
        yield forge.case(f"x5c {name}", forge.with_header(x5c=value))
    text = base64.b64encode(leaf).decode()
    pem = f"-----BEGIN CERTIFICATE-----\n{text}\n-----END CERTIFICATE-----\n"
    for name, chain in {
        "leaf alone": [leaf],
        "without root": [leaf, intermediate],
        "with a fourth": [leaf, intermediate, root, root],
        "with the leaf before": [leaf, leaf, intermediate, root],
        "leaf and intermediate swapped": [intermediate, leaf, root],
        "intermediate and root swapped": [leaf, root, intermediate],
        "backwards": [root, intermediate, leaf],
        "leaf three times": [leaf, leaf, leaf],
        "leaf no base64": ["not base64!!", intermediate, root],
        "leaf in base64url": [text.translate(str.maketrans("+/", "-_")).rstrip("="), intermediate, root],
        "leaf with a line feed": [text[:64] + "\n" + text[64:], intermediate, root],
        "leaf in PEM": [pem, intermediate, root],
        "leaf empty": ["", intermediate, root],
        "leaf no certificate": [b"certificate", intermediate, root],
        "leaf cut off": [leaf[:-1], intermediate, root],
        "leaf with a changed bit": [flipped(leaf), intermediate, root],
        "intermediate no certificate": [leaf, b"certificate", root],
        "intermediate with a changed bit": [leaf, flipped(intermediate), root],
        "a stranger's": forge.strange_chain,
        "a stranger's with the trusted root": [strange_leaf, strange_intermediate, root],
        "a stranger's with the trusted intermediate": [strange_leaf, intermediate, root],
        "a stranger's intermediate": [leaf, strange_intermediate, root],
        "the root in the leaf's place": [root, root, root],
    }.items():
        yield forge.case(f"x5c {name}", forge.with_chain(chain))
    for name, last in (("", strange_root), (", trusted root appended", root)):
        chain = [strange_leaf, strange_intermediate, last]
        head = forge.with_chain(chain).split(".")[0]
        token = forge.seal(f"{head}.{forge.segments[1]}", forge.strange_key)
        yield forge.case(f"signed by a stranger{name}", token)
    for name, last in (("no base64", "not base64!!"), ("the leaf", leaf), ("a stranger's", strange_root)):
        token = forge.with_chain([leaf, intermediate, last])
        note = "Apple's libraries do not look at x5c[2]"
        yield forge.case(f"x5c root {name}", token, True, note=note)
    yield forge.case("no such root", forge.token, roots=(strange_root,))
    yield forge.case("the intermediate as root", forge.token, roots=(intermediate,))
    yield forge.case("two roots", forge.token, True, roots=(strange_root, root))


def signatures(forge: Forge) -> Iterator[Case]:
    """Other bytes in the signature's place."""
    text = ".".join(forge.segments[:2])
    r, s = (int.from_bytes(half, "big") for half in (forge.signature[:32], forge.signature[32:]))
    high = s if s > ORDER // 2 else ORDER - s

    def pair(first: int, second: int) -> bytes:
        return first.to_bytes(32, "big") + second.to_bytes(32, "big")

    for name, data in {
        "empty": b"",
        "zero": bytes(64),
        "of 63 bytes": forge.signature[:-1],
        "of 65 bytes": forge.signature + b"\0",
        "with a leading zero": b"\0" + forge.signature,
        "in DER": utils.encode_dss_signature(r, s),
        "with r and s swapped": pair(s, r),
        "with r = 0": pair(0, s),
        "with s = 0": pair(r, 0),
        "with s = n": pair(r, ORDER),
        "with one bit changed": flipped(forge.signature),
        "of a stranger": forge.raw(text, forge.strange_key),
        "of another text": forge.raw(text + "A"),
        "for P-384": forge.signature + forge.signature[:32],
    }.items():
        yield forge.case(f"signature {name}", f"{text}.{encode(data)}")
    yield forge.case("signature with high s", f"{text}.{encode(pair(r, high))}", True)
    yield forge.case("signature with low s", f"{text}.{encode(pair(r, ORDER - high))}", True)


def texts(forge: Forge) -> Iterator[Case]:
    """The compact form itself."""
    token, (head, body, tail) = forge.token, forge.segments
    for name, text in {
        "empty": "",
        "two periods": "..",
        "two segments": f"{head}.{body}",
        "four segments": token + ".",
        "five segments": f"{token}.{body}.{tail}",
        "header padded": f"{head}==.{body}.{tail}",
        "payload padded": f"{head}.{body}==.{tail}",
        "a leading blank": " " + token,
        "a leading line feed": "\n" + token,
        "a blank inside the payload": f"{head}.{body[:8]} {body[8:]}.{tail}",
        "segments swapped": f"{body}.{head}.{tail}",
        "the header alone": head,
    }.items():
        yield forge.case(f"text: {name}", text)
    whole = spell(forge.payload)
    padded = encode(whole + b" " * (2 - len(whole) % 3)) + "="
    yield forge.case("text: payload padded, signed", forge.seal(f"{head}.{padded}"), True, note=LENIENT)
    parted = forge.seal(f"{head}.{body[:8]}\n{body[8:]}")
    yield forge.case("text: a line feed inside the payload, signed", parted)
    # 64 bytes leave four bits of the last letter over, which should be zero.
    spare = tail[:-1] + LETTERS[LETTERS.index(tail[-1]) + 1]
    yield forge.case("text: signature with spare bits", f"{head}.{body}.{spare}")
