"""Records that must pass, and the ways of spoiling them, each of which `structure` must report."""

import json
import re
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Any, get_args, get_origin

import attrs
from appstoreserverlibrary.models.HistoryResponse import HistoryResponse
from appstoreserverlibrary.models.LibraryUtility import metadata_required_key
from appstoreserverlibrary.models.ResponseBodyV2DecodedPayload import ResponseBodyV2DecodedPayload
from appstoreserverlibrary.models.StatusResponse import StatusResponse
from harness import require_none
from structure import DECODED, UNKNOWN_TYPE_RULE, broken_rule, differences, join, json_key, json_name, own_rules
from structure import problems_of, structure, without

DATE = 1700000000000
TRANSACTION = {
    "originalTransactionId": "1000", "transactionId": "1001", "webOrderLineItemId": "1002",
    "bundleId": "com.example.app", "productId": "com.example.app.monthly", "subscriptionGroupIdentifier": "2000",
    "purchaseDate": DATE, "originalPurchaseDate": DATE, "expiresDate": 1702592000000, "quantity": 1,
    "type": "Auto-Renewable Subscription", "appAccountToken": "7E3F9A04-51b2-4C68-9D0E-2A6B8C1D5F70",
    "inAppOwnershipType": "PURCHASED", "isUpgraded": True, "offerType": 1, "environment": "Production",
    "transactionReason": "RENEWAL", "commitmentInfo": {"commitmentPrice": 9990},
    "advancedCommerceInfo": {"items": [{"SKU": "one"}], "period": "P1M"},
}
RENEWAL = {
    "expirationIntent": 1, "originalTransactionId": "1000", "autoRenewProductId": "com.example.app.monthly",
    "productId": "com.example.app.monthly", "autoRenewStatus": 0, "isInBillingRetryPeriod": False,
    "environment": "Production", "renewalDate": 1702592000000, "eligibleWinBackOfferIds": ["one"],
    "commitmentInfo": {"commitmentAutoRenewStatus": 1},
}
APP = {"appAppleId": 1555000100, "bundleId": "com.example.app", "environment": "Production"}
DECODED_PARTS = {"transactionInfo": TRANSACTION, "renewalInfo": RENEWAL}
NOTIFICATION = {
    "notificationType": "DID_CHANGE_RENEWAL_STATUS", "subtype": "AUTO_RENEW_DISABLED",
    "notificationUUID": "11111111-2222-5333-8444-555555555555", "version": "2.0", "signedDate": DATE,
    "data": {**APP, "bundleVersion": "1", "status": 1, **DECODED_PARTS},
    "migration": {"rule": "type.test", "confidence": "documented", "inferred": []},
}
HISTORY = {
    **APP, "hasMore": False, "transactions": [TRANSACTION, TRANSACTION], "migration": {"rule": "receipt.history"},
}
LAST = {"status": 1, "originalTransactionId": "1000", **DECODED_PARTS}
STATUSES = {
    **APP, "data": [{"subscriptionGroupIdentifier": "2000", "lastTransactions": [LAST]}],
    "migration": {"rule": "receipt.statuses"},
}
SPOILT = "spoilt"
ITEM = ("data", 0, "lastTransactions", 0)
COMMERCE = ("data", "transactionInfo", "advancedCommerceInfo")

# Record, where to put the value, the value, what must be reported at that place: each shape with each kind of problem.
# `every_attribute` tries the attributes one by one.
SPOILS: list[tuple[dict, tuple, Any, str]] = [
    (NOTIFICATION, ("signedDate",), "1700000000000", "makes integer of string"),
    (NOTIFICATION, ("signedDate",), SPOILT, "raises ValueError, expected"),
    (NOTIFICATION, ("data",), [], "makes object of array"),
    (NOTIFICATION, ("data",), None, "leaves null out"),
    (NOTIFICATION, ("data", "status"), {}, "raises TypeError, expected"),
    (NOTIFICATION, ("data", "status"), 99, "not know this value"),
    (NOTIFICATION, ("data", "transactionInfo"), SPOILT, "makes object of string"),
    (NOTIFICATION, ("data", "renewalInfo"), [], "makes object of array"),
    (NOTIFICATION, ("notificationType",), SPOILT, "not know this value"),
    (NOTIFICATION, (*COMMERCE, "items", 0, "SKU"), 1, "makes string of integer"),
    (NOTIFICATION, (*COMMERCE, "period"), SPOILT, "not know this value"),
    (NOTIFICATION, (*COMMERCE, "items", 0, "new"), 1, "not know this key"),
    (NOTIFICATION, ("rawSubtype",), SPOILT, "not know this key"),
    (NOTIFICATION, ("transactions",), [], "not know this key"),
    (NOTIFICATION, ("data", "not plain"), SPOILT, "not know this key"),
    (NOTIFICATION, ("data", "transactionInfo", "new"), 1, "not know this key"),
    (NOTIFICATION, ("data", "renewalInfo", "migration"), {}, "not know this key"),
    (HISTORY, ("hasMore",), "true", "makes boolean of string"),
    (HISTORY, ("environment",), SPOILT, "not know this value"),
    (HISTORY, ("transactions",), {}, "is not an array"),
    (HISTORY, ("transactions", 0), SPOILT, "makes object of string"),
    (HISTORY, ("transactions", 1, "quantity"), 1.0, "makes integer of fraction"),
    (HISTORY, ("transactions", 1, "offerType"), 99, "not know this value"),
    (HISTORY, ("transactions", 1, "commitmentInfo", "new"), 1, "not know this key"),
    (HISTORY, ("transactions", 1, "appAccountToken"), SPOILT, "is not a UUID"),
    (HISTORY, ("transactions", 1, "transactionId"), "", "an id is not"),
    (HISTORY, ("new",), 1, "not know this key"),
    (STATUSES, (*ITEM, "status"), "1", "makes integer of string"),
    (STATUSES, (*ITEM, "status"), 0, "not know this value"),
    (STATUSES, (*ITEM, "renewalInfo", "isInBillingRetryPeriod"), 0, "makes boolean of"),
    (STATUSES, (*ITEM, "renewalInfo", "expirationIntent"), 9, "not know this value"),
    (STATUSES, (*ITEM, "transactionInfo", "new"), 1, "not know this key"),
    (STATUSES, (*ITEM, "new"), 1, "not know this key"),
    (STATUSES, ("data", 0, "lastTransactions"), {}, "makes array of object"),
    (STATUSES, ITEM, SPOILT, "makes object of string"),
    (STATUSES, ("data", 0), SPOILT, "makes object of string"),
    (STATUSES, ("data", 0, "new"), 1, "not know this key"),
    (STATUSES, ("data", 0, "subscriptionGroupIdentifier"), " ", "an id is not"),
]
NO_RECORDS = [
    b"[]", b"{}", b'"text"', b'{"notificationType":"TEST"}', b'{"bundleId":"com.example.app"}', b'{"hasMore":false}',
]
NO_JSON = [
    b"", b"{", b'{"hasMore":false,"hasMore":false,"transactions":[]}', b'{"hasMore":NaN,"transactions":[]}',
    b'{"bundleId":"\xff","hasMore":false,"transactions":[]}', b'{"hasMore":false,"transactions":[]}{}', b"[" * 100000,
]
SAMPLES: list[object] = [SPOILT, 7, 7.5, True, None, {}, []]


def as_line(record: object) -> bytes:
    """A record as Slipcast writes it."""
    return json.dumps(record, separators=(",", ":")).encode()


def put(record: dict, steps: tuple, value: object) -> dict:
    """A copy of a record with one member or element set."""
    result = json.loads(as_line(record))  # a copy that shares nothing within itself
    holder = result
    for step in steps[:-1]:
        holder = holder[step]
    holder[steps[-1]] = value
    return result


def is_reported(record: dict, path: str, said: str) -> bool:
    """True when a record fails with problems at one path only, and no value shown."""
    good = as_line(HISTORY)
    lines = problems_of([good, as_line(record), good])
    is_at_path = all(line.startswith(f"line 2: {path}: ") for line in lines)
    return is_at_path and any(said in line for line in lines) and SPOILT not in "".join(lines)


def good() -> Iterator[tuple[str, bool]]:
    """The built-in records pass, with and without `migration`."""
    for record in (NOTIFICATION, HISTORY, STATUSES):
        for one in (record, without(record, ["migration"])):
            yield f"good {', '.join(one)}", problems_of([as_line(one)]) == []


def spoils() -> Iterator[tuple[str, bool]]:
    """Every spoilt record is reported at its place."""
    for record, steps, value, said in SPOILS:
        path = ""
        for step in steps:
            path = join(path, step)
        yield f"{path} {said}", is_reported(put(record, steps, value), path, said)


def lines() -> Iterator[tuple[str, bool]]:
    """What is no record is reported; so is nothing at all."""
    yield "no line", problems_of([]) == ["no line to read"]
    for line in NO_RECORDS + NO_JSON:
        [*told] = problems_of([line])
        is_told = any("not one JSON value" in one for one in told) == (line in NO_JSON)
        yield f"line {line[:40]!r}", is_told and told != [] and told[0].startswith("line 1: ")


def changes() -> Iterator[tuple[str, bool]]:
    """A change that keeps the JSON type is found, though no class makes one today."""
    pairs: list[tuple[Any, Any]] = [("A", "a"), (1, 2), (True, False), ([1], [1, 1])]
    pairs += [([1, 1], [1]), ({"a": 1}, {"a": 1, "b": 1}), ({"a": [1]}, {"a": [2]})]
    for given, back in pairs:
        yield f"difference {given} {back}", len(list(differences(given, back, HistoryResponse, ""))) == 1


def unknown_type() -> Iterator[tuple[str, bool]]:
    """The one exception holds for its rule and for the type only."""
    unknown = put(NOTIFICATION, ("notificationType",), SPOILT)
    excused = put(unknown, ("migration", "rule"), UNKNOWN_TYPE_RULE)
    value = "not know this value"
    yield "unknown type", problems_of([as_line(excused)]) == []
    for migration in ({}, [], None, UNKNOWN_TYPE_RULE, {"rule": "type.test"}):
        yield "another rule", is_reported(put(unknown, ("migration",), migration), "notificationType", value)
    yield "no migration", is_reported(without(unknown, ["migration"]), "notificationType", value)
    record = put(excused, ("notificationType",), 7)
    yield "number", is_reported(record, "notificationType", "makes string of integer")
    yield "number", is_reported(record, "notificationType", value)
    yield "subtype", is_reported(put(excused, ("subtype",), SPOILT), "subtype", value)
    yield "status", is_reported(put(excused, ("data", "status"), 99), "data.status", value)


def every_attribute() -> Iterator[tuple[str, bool]]:
    """Every attribute refuses every other JSON type and every unknown value."""
    roots = [ResponseBodyV2DecodedPayload, HistoryResponse, StatusResponse]
    for kind in all_kinds([*roots, *DECODED.values()]):
        yield f"smallest {kind.__name__}", not structure(smallest(kind), kind, "")[1]
        for attribute in attrs.fields(kind):
            key = json_key(kind, attribute.name)
            typed = attrs.fields_dict(kind)[key]
            for sample in bad_samples(plain_type(typed), plain_type(attribute)):
                paths = [path for path, _ in structure({**smallest(kind), key: sample}, kind, "")[1]]
                found = {re.split(r"[.\[]", path)[0] for path in paths}
                yield f"{kind.__name__}.{key} {json_name(sample)}", found == {key}


def all_kinds(kinds: Iterable[type]) -> list[type]:
    """Apple's classes and all classes in their attributes."""
    found: list[type] = []
    waiting = list(kinds)
    while waiting:
        kind = waiting.pop()
        if not attrs.has(kind) or kind in found:
            continue
        found.append(kind)
        for attribute in attrs.fields(kind):
            plain = plain_type(attribute)
            waiting.append(get_args(plain)[0] if get_origin(plain) else plain)
    return found


def smallest(kind: type) -> dict[str, object]:
    """The members that a class insists on, each with a value that it knows."""
    members: dict[str, object] = {}
    for attribute in attrs.fields(kind):
        plain = plain_type(attribute)
        if attribute.default is attrs.NOTHING:
            members[attribute.name] = 1 if plain is int else "text"
        elif attribute.metadata.get(metadata_required_key):
            key = json_key(kind, attribute.name)
            typed = plain_type(attrs.fields_dict(kind)[key])
            members[key] = next(iter(typed)).value
    return members


def plain_type(attribute: attrs.Attribute) -> Any:
    """T of an attribute of type Optional[T]."""
    parts = [part for part in get_args(attribute.type) if part is not type(None)]
    is_optional = len(parts) < len(get_args(attribute.type))
    return parts[0] if is_optional else attribute.type


def bad_samples(typed: Any, plain: Any) -> list[object]:
    """The values that an attribute must not take."""
    is_enum = isinstance(typed, type) and issubclass(typed, Enum)
    if is_enum and plain is typed:
        return [SPOILT, 99]
    own = list if get_origin(plain) is list else dict if attrs.has(plain) else plain
    bad: list[Any] = [sample for sample in SAMPLES if type(sample) is not own]
    return [*bad, SPOILT, 99] if is_enum else bad


def rules() -> Iterator[tuple[str, bool]]:
    """Our own rules hold without Apple's classes."""
    spoilt = {"Date": ("1", 1.0, True, None), "Id": (1, "", " ", None, [])}
    keys = {"purchaseDate": "Date", "signedDate": "Date", "transactionId": "Id", "subscriptionGroupIdentifier": "Id"}
    for key, kind in (keys | {"appAccountToken": "Id"}).items():
        for value in spoilt[kind]:
            yield f"own {key}", list(own_rules({"a": [{key: value}]})) != []
    for value in ("7E3F9A04-51B2-4C68-9D0E-2A6B8C1D5F7", "7E3F9A0451B24C689D0E" * 2):
        yield "own UUID", broken_rule("appAccountToken", value) is not None


def check() -> None:
    tests = (good, spoils, lines, changes, unknown_type, every_attribute, rules)
    results = [result for test in tests for result in test()]
    require_none([name for name, holds in results if not holds], len(results), "spoilt records are not found")
