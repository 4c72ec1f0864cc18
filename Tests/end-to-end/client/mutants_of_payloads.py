"""Mutants of what a token says, and of what the caller asks for."""

import base64
from collections.abc import Iterator

from authority import faulty_chains
from forge import LENIENT, Case, Forge, changed, decode, encode, flipped, spell

WITHOUT_PARTS = {"signedTransactionInfo": ..., "signedRenewalInfo": ...}


def payloads(forge: Forge) -> Iterator[Case]:
    """Changed payloads, with the old signature and signed anew."""
    head, body, tail = forge.segments
    renamed = encode(spell(changed(forge.payload, {"subtype": "UPGRADE"})))
    yield forge.case("payload changed", f"{head}.{renamed}.{tail}")
    yield forge.case("payload with one bit changed", f"{head}.{encode(flipped(decode(body), 20))}.{tail}")
    yield forge.case("payload empty", f"{head}..{tail}")
    whole = spell(forge.payload)
    for name, data in {
        "empty": b"",
        "no JSON": b"payload",
        "cut off": whole[:-1],
        "an array": b"[" + whole + b"]",
        "a text": b'"payload"',
        "an empty object": b"{}",
        "no UTF-8": whole[:-1] + b',"subtype":"\xff"}',
        "with a trailing comma": whole[:-1] + b",}",
        "with text behind it": whole + b"{}",
    }.items():
        yield forge.case(f"payload {name}, signed", forge.sign(payload=data))
    yield forge.case("payload with blanks around it, signed", forge.sign(payload=b" \n" + whole + b"\n "), True)
    bom = b"\xef\xbb\xbf" + whole
    yield forge.case("payload with a byte order mark, signed", forge.sign(payload=bom), True, note=LENIENT)


def dates(forge: Forge) -> Iterator[Case]:
    """The date at which certificates are judged."""
    first, last = 1199145600000, 2524607999000
    for name, value, valid in (
        ("missing", ..., True),
        ("null", None, True),
        ("of 1970", 0, False),
        ("before the chain", first - 1000, False),
        ("in the chain's first second", first, True),
        ("in the chain's last second", last, True),
        ("behind the chain", last + 1000, False),
        ("negative", -1, False),
        ("beyond every calendar", 10**18, False),
        ("with a fraction", 1700000000000.75, True),
        ("no date", "yesterday", False),
        ("a truth value", True, False),
        ("an object", {}, False),
    ):
        yield forge.case(f"signedDate {name}", forge.with_payload(signedDate=value), valid)
    text = forge.with_payload(signedDate="1700000000000")
    yield forge.case("signedDate a number as text", text, True, note=LENIENT)


def claims(forge: Forge) -> Iterator[Case]:
    """Claims of RFC 7519 that Apple never sends."""
    past, future = 1500000000, 4000000000
    for name, members, valid in (
        ("exp past", {"exp": past}, False),
        ("exp future", {"exp": future}, True),
        ("exp text", {"exp": "soon"}, False),
        ("nbf past", {"nbf": past}, True),
        ("nbf future", {"nbf": future}, False),
        ("iat past", {"iat": past}, True),
        ("iat future", {"iat": future}, False),
        ("iat text", {"iat": "now"}, False),
        ("aud a text", {"aud": "you"}, False),
        ("aud a list", {"aud": ["you"]}, False),
        ("iss", {"iss": "Apple"}, True),
        ("sub a number", {"sub": 5}, False),
        ("jti a number", {"jti": 5}, False),
    ):
        yield forge.case(f"claim {name}", forge.with_payload(**members), valid)


def questions(forge: Forge) -> Iterator[Case]:
    """What the caller asks for, and what the payload says."""
    for name, members in {
        "bundleId other": {"bundleId": "com.example.other"},
        "bundleId in another case": {"bundleId": forge.good.bundle_id.upper()},
        "bundleId missing": {"bundleId": ...},
        "bundleId null": {"bundleId": None},
        "environment other": {"environment": "Sandbox"},
        "environment Xcode": {"environment": "Xcode"},
        "environment unknown": {"environment": "Elsewhere"},
        "environment in another case": {"environment": "production"},
        "environment missing": {"environment": ...},
        "bundleId and environment other": {"bundleId": "com.example.other", "environment": "Sandbox"},
        "appAppleId other": {"appAppleId": 1},
        "appAppleId missing": {"appAppleId": ...},
    }.items():
        yield forge.case(name, forge.with_data(**members))
    yield forge.case("data missing", forge.with_payload(data=...))
    yield forge.case("asked for another bundle id", forge.token, bundle_id="com.example.other")
    yield forge.case("asked for another app Apple id", forge.token, app_apple_id=1)
    yield forge.case("asked for Sandbox", forge.token, environment="Sandbox")
    # The parts inside are of Production, and a verifier may look at them too.
    sandbox = {"environment": "Sandbox", **WITHOUT_PARTS}
    for name, members in (("other", {"appAppleId": 1}), ("missing", {"appAppleId": ...})):
        token = forge.with_data(**sandbox, **members)
        yield forge.case(f"appAppleId {name} in Sandbox", token, True, environment="Sandbox")


def swapped(forge: Forge) -> Iterator[Case]:
    """Good tokens in each other's place."""
    data = forge.payload["data"]
    transaction, renewal = data["signedTransactionInfo"], data["signedRenewalInfo"]
    for name, token, member, valid in (
        ("transaction", transaction, "signedTransactionInfo", True),
        ("renewal info", renewal, "signedRenewalInfo", True),
        ("transaction as notification", transaction, "signedPayload", False),
        ("renewal info as notification", renewal, "signedPayload", False),
        ("notification as transaction", forge.token, "signedTransactionInfo", False),
        ("renewal info as transaction", renewal, "signedTransactionInfo", False),
        ("notification as renewal info", forge.token, "signedRenewalInfo", False),
    ):
        yield forge.case(name, token, valid, member=member)
    note = "Apple's library asks a renewal info for its environment only"
    yield forge.case("transaction as renewal info", transaction, True, member="signedRenewalInfo", note=note)


def chains(forge: Forge) -> Iterator[Case]:
    """Tokens of chains with one fault, each under its own root."""
    trusted = {"sound", "leaf with both marks", "leaf for key agreement only", "leaf is an authority"}
    # The parts inside lead to another root, and a verifier may look at them too.
    data = changed(forge.payload["data"], WITHOUT_PARTS)
    payload = changed(forge.payload, {"data": data})
    for name, chain in faulty_chains().items():
        certificates, key = chain.issue()
        texts = [base64.b64encode(one).decode() for one in certificates]
        header = {"alg": "ES256", "x5c": texts}
        token = forge.sign(header=header, payload=payload, key=key)
        note = "not meant for signatures" if "key agreement" in name else ""
        yield forge.case(f"chain: {name}", token, name in trusted, roots=(certificates[2],), note=note)
