"""The real-client check: Apple's own Python library must read what Slipcast writes.

Reads converted records (NDJSON: notifications, histories, statuses) from standard
input and structures each into the classes of app-store-server-library, with the
library's own converter. A record passes when Apple's classes

* raise no error,
* know every value of an enumeration,
* know every key, at any depth,
* give back every value unchanged, in value and in JSON type (no coercion),

and when our own rules hold: appAccountToken is a UUID, ids are strings with text in
them, dates are integers.

Our decoded members `transactionInfo`, `renewalInfo` and `transactions` stand where
Apple has signed strings: each is checked with its own class and left out of the
outer one. `migration` is ours and is not checked. One exception: a notification
whose `migration.rule` is "type.unknown" may carry a notificationType that Apple's
class does not know, if the class keeps it as it is.

Usage:

    python3 -m venv .venv
    .venv/bin/pip install -r Tests/client/requirements.txt
    slipcast convert ... | .venv/bin/python Tests/client/structure.py
    .venv/bin/python Tests/client/structure.py --self-test

Failures go to standard error as `line N: path: what Apple's class says`, never with
the value. The last line of standard output is `N passed, M failed`. The exit status
is 1 after any failure, and when there was no line to read. `--self-test` reads no
input: it spoils built-in records and fails unless every spoilt one is reported.
"""

import argparse
import io
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from functools import cache
from typing import Any, BinaryIO, TextIO, get_args, get_origin

import attrs
from appstoreserverlibrary.models.HistoryResponse import HistoryResponse
from appstoreserverlibrary.models.JWSRenewalInfoDecodedPayload import (
    JWSRenewalInfoDecodedPayload,
)
from appstoreserverlibrary.models.JWSTransactionDecodedPayload import (
    JWSTransactionDecodedPayload,
)

# The converter of the library's SignedDataVerifier and API client.
from appstoreserverlibrary.models.LibraryUtility import (
    _get_cattrs_converter,
    metadata_key,
    metadata_required_key,
    metadata_type_key,
)
from appstoreserverlibrary.models.ResponseBodyV2DecodedPayload import (
    ResponseBodyV2DecodedPayload,
)
from appstoreserverlibrary.models.StatusResponse import StatusResponse
from cattrs import ClassValidationError, IterableValidationError

Problem = tuple[str, str]  # path, what is wrong there

UUID_TEXT = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
UNKNOWN_TYPE_RULE = "type.unknown"
DECODED = {
    "transactionInfo": JWSTransactionDecodedPayload,
    "renewalInfo": JWSRenewalInfoDecodedPayload,
}
JSON_NAMES = {
    str: "string",
    int: "integer",
    float: "fraction",
    bool: "boolean",
    dict: "object",
    list: "array",
    type(None): "null",
}


# Paths and names


def join(path: str, step: str | int) -> str:
    """The path of a member or element."""
    if isinstance(step, int):
        return f"{path}[{step}]"
    if not PLAIN_KEY.fullmatch(step):
        return f"{path}[{json.dumps(step)}]"
    return f"{path}.{step}" if path else step


def json_name(value: object) -> str:
    """The JSON type of a value."""
    return JSON_NAMES.get(type(value), type(value).__name__)


@cache
def attributes(kind: type) -> tuple[tuple[str, str, bool], ...]:
    """Name, JSON key and "is raw" of the attributes of one of Apple's classes."""
    return tuple(
        (attribute.name, json_key(kind, attribute.name), is_raw(attribute))
        for attribute in attrs.fields(kind)
    )


def is_raw(attribute: attrs.Attribute) -> bool:
    """True for `rawX`, which holds the JSON value beside the typed `x`."""
    return attribute.metadata.get(metadata_type_key) == "raw"


def json_key(kind: type, name: str) -> str:
    """The JSON key of an attribute: `status` for `rawStatus`."""
    attribute = attrs.fields_dict(kind)[name]
    return attribute.metadata[metadata_key] if is_raw(attribute) else name


# What Apple's classes say


def structure(given: object, kind: type, path: str) -> tuple[Any, list[Problem]]:
    """Structures one section: the instance (None when refused) and the problems."""
    converter = _get_cattrs_converter(kind)
    made: Any
    try:
        made = converter.structure(given, kind)
        back = converter.unstructure(made)
    except Exception as error:  # whatever it is, a client would meet it
        return None, list(refusals(error, kind, path))
    problems = list(unknown_values(made, path))
    problems += differences(given, back, kind, path)
    return made, problems


def refusals(
    error: BaseException, kind: type, path: str, expected: object = None
) -> Iterator[Problem]:
    """What was raised and where; only types, for messages can hold values."""
    if not isinstance(error, (ClassValidationError, IterableValidationError)):
        wanted = f", expected {type_name(expected)}" if expected else ""
        yield path, f"{kind.__name__} raises {type(error).__name__}{wanted}"
        return
    noted, others = error.group_exceptions()
    for inner, note in noted:
        owner, step = kind, getattr(note, "index", "")
        if isinstance(error, ClassValidationError):
            owner, step = error.cl, json_key(error.cl, getattr(note, "name", ""))
        yield from refusals(inner, owner, join(path, step), note.type)
    for inner in others:
        yield from refusals(inner, kind, path)


def type_name(kind: object) -> str:
    """A type as Apple's source spells it."""
    return kind.__name__ if type(kind) is type else str(kind).replace("typing.", "")


def unknown_values(made: Any, path: str) -> Iterator[Problem]:
    """Where a raw value has no typed one, at any depth."""
    if isinstance(made, list):
        for index, element in enumerate(made):
            yield from unknown_values(element, join(path, index))
    elif attrs.has(type(made)):
        for name, key, raw in attributes(type(made)):
            value = getattr(made, name)
            if raw:
                yield from unknown_value(made, value, key, path)
            elif value is not None:
                yield from unknown_values(value, join(path, key))


def unknown_value(made: object, value: Any, key: str, path: str) -> Iterator[Problem]:
    """The problem of one raw value."""
    if value is not None and getattr(getattr(made, key), "value", None) != value:
        yield join(path, key), f"{type(made).__name__} does not know this value"


def differences(given: Any, back: Any, kind: type, path: str) -> Iterator[Problem]:
    """Where the class gives back something else than it was given."""
    if type(given) is not type(back):
        change = f"{json_name(back)} of {json_name(given)}"
        yield path, f"{kind.__name__} makes {change}"
    elif isinstance(given, dict):
        yield from member_differences(given, back, kind, path)
    elif isinstance(given, list) and len(given) == len(back):
        for index, (one, other) in enumerate(zip(given, back, strict=True)):
            yield from differences(one, other, kind, join(path, index))
    elif given != back:
        yield path, f"{kind.__name__} changes the value"


def member_differences(
    given: dict, back: dict, kind: type, path: str
) -> Iterator[Problem]:
    """The differences of two objects."""
    for key, value in given.items():
        if key in back:
            yield from differences(value, back[key], kind, join(path, key))
        elif value is None:
            yield join(path, key), f"{kind.__name__} leaves null out"
        else:
            yield join(path, key), f"{kind.__name__} does not know this key"
    for key in back.keys() - given.keys():
        yield join(path, key), f"{kind.__name__} adds this key"


# Our own rules


def own_rules(value: object, path: str = "") -> Iterator[Problem]:
    """Walks a record and applies the rules of the keys."""
    if isinstance(value, list):
        for index, element in enumerate(value):
            yield from own_rules(element, join(path, index))
    elif isinstance(value, dict):
        for key, member in value.items():
            message = broken_rule(key, member)
            if message:
                yield join(path, key), message
            yield from own_rules(member, join(path, key))


def broken_rule(key: str, value: object) -> str | None:
    """What the rule of a key says about a value."""
    if key == "appAccountToken":
        is_uuid = isinstance(value, str) and UUID_TEXT.fullmatch(value)
        return None if is_uuid else "is not a UUID"
    if key.endswith("Date"):
        return None if type(value) is int else "a date is not an integer"
    if key.endswith(("Id", "Identifier")) and key != "appAppleId":
        is_id = isinstance(value, str) and value.strip()
        return None if is_id else "an id is not a string with text in it"
    return None


# The shapes


def without(value: object, keys: Iterable[str]) -> Any:
    """A copy of an object without some members; anything else as it is."""
    if not isinstance(value, dict):
        return value
    return {key: member for key, member in value.items() if key not in keys}


def decoded(holder: object, path: str) -> Iterator[Problem]:
    """The problems of the decoded members of an object."""
    for key, kind in DECODED.items():
        if isinstance(holder, dict) and key in holder:
            yield from structure(holder[key], kind, join(path, key))[1]


def notification(record: dict) -> list[Problem]:
    """The problems of a notification."""
    outer = without(record, ["migration"])
    if "data" in outer:
        outer["data"] = without(outer["data"], DECODED)
    made, problems = structure(outer, ResponseBodyV2DecodedPayload, "")
    if keeps_unknown_type(record, made):
        excused = list(unknown_values(made, ""))
        excused = [problem for problem in excused if problem[0] == "notificationType"]
        problems = [problem for problem in problems if problem not in excused]
    return problems + list(decoded(record.get("data"), "data"))


def keeps_unknown_type(record: dict, made: Any) -> bool:
    """True when the record says that its type is unknown and the class keeps it."""
    migration = record.get("migration")
    rule = migration.get("rule") if isinstance(migration, dict) else None
    if made is None or rule != UNKNOWN_TYPE_RULE:
        return False
    return made.rawNotificationType == record.get("notificationType")


def history(record: dict) -> list[Problem]:
    """The problems of a history."""
    outer = without(record, ["migration", "transactions"])
    problems = structure(outer, HistoryResponse, "")[1]
    transactions = record.get("transactions")
    if not isinstance(transactions, list):
        return [*problems, ("transactions", "is not an array")]
    for index, transaction in enumerate(transactions):
        path = join("transactions", index)
        problems += structure(transaction, JWSTransactionDecodedPayload, path)[1]
    return problems


def statuses(record: dict) -> list[Problem]:
    """The problems of statuses."""
    outer = without(record, ["migration"])
    problems: list[Problem] = []
    outer["data"] = [dict_copy(group) for group in record["data"]]
    for index, group in enumerate(outer["data"]):
        items = group.get("lastTransactions") if isinstance(group, dict) else None
        if not isinstance(items, list):
            continue
        path = join(join("data", index), "lastTransactions")
        for number, item in enumerate(items):
            problems += decoded(item, join(path, number))
        group["lastTransactions"] = [without(item, DECODED) for item in items]
    return structure(outer, StatusResponse, "")[1] + problems


def dict_copy(value: object) -> Any:
    """A shallow copy of an object; anything else as it is."""
    return without(value, [])


def shape(record: dict) -> Callable[[dict], list[Problem]] | None:
    """The check for a record, by its keys."""
    if "notificationType" in record and "data" in record:
        return notification
    if "hasMore" in record or "transactions" in record:
        return history
    if isinstance(record.get("data"), list):
        return statuses
    return None


def check(record: object) -> list[Problem]:
    """All problems of a record; our own only where Apple's class says nothing."""
    if not isinstance(record, dict):
        return [("", "is not an object")]
    apply = shape(record)
    if apply is None:
        return [("", "is not a notification, a history or statuses")]
    problems = apply(record)
    known = {path for path, _ in problems}
    own = own_rules(without(record, ["migration"]))
    return problems + [problem for problem in own if problem[0] not in known]


# Reading


def unique_members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys occur once."""
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a key occurs twice")
    return members


def no_constant(_: str) -> None:
    """Refuses NaN and Infinity, which are not JSON."""
    raise ValueError("not a JSON number")


def check_line(line: bytes) -> list[Problem]:
    """The problems of one line."""
    try:
        record = json.loads(
            line.decode("utf-8"),
            object_pairs_hook=unique_members,
            parse_constant=no_constant,
        )
    except (ValueError, RecursionError):
        return [("", "is not one JSON value with unique keys, in UTF-8")]
    return check(record)


def run(lines: BinaryIO, out: TextIO, err: TextIO) -> int:
    """Checks every line; gives the exit status."""
    passed = failed = 0
    for number, line in enumerate(lines, 1):
        problems = check_line(line)
        for path, message in problems:
            print(f"line {number}: {path or '$'}: {message}", file=err)
        if problems:
            failed += 1
        else:
            passed += 1
    if passed + failed == 0:
        print("no line to read", file=err)
    print(f"{passed} passed, {failed} failed", file=out)
    return 0 if passed and not failed else 1


# Self-test: records that must pass, and the ways of spoiling them

TRANSACTION = {
    "originalTransactionId": "1000",
    "transactionId": "1001",
    "webOrderLineItemId": "1002",
    "bundleId": "com.example.app",
    "productId": "com.example.app.monthly",
    "subscriptionGroupIdentifier": "2000",
    "purchaseDate": 1700000000000,
    "originalPurchaseDate": 1700000000000,
    "expiresDate": 1702592000000,
    "quantity": 1,
    "type": "Auto-Renewable Subscription",
    "appAccountToken": "7E3F9A04-51b2-4C68-9D0E-2A6B8C1D5F70",
    "inAppOwnershipType": "PURCHASED",
    "isUpgraded": True,
    "offerType": 1,
    "environment": "Production",
    "transactionReason": "RENEWAL",
    "commitmentInfo": {"commitmentPrice": 9990},
    "advancedCommerceInfo": {"items": [{"SKU": "one"}], "period": "P1M"},
}
RENEWAL = {
    "expirationIntent": 1,
    "originalTransactionId": "1000",
    "autoRenewProductId": "com.example.app.monthly",
    "productId": "com.example.app.monthly",
    "autoRenewStatus": 0,
    "isInBillingRetryPeriod": False,
    "environment": "Production",
    "renewalDate": 1702592000000,
    "eligibleWinBackOfferIds": ["one"],
    "commitmentInfo": {"commitmentAutoRenewStatus": 1},
}
NOTIFICATION = {
    "notificationType": "DID_CHANGE_RENEWAL_STATUS",
    "subtype": "AUTO_RENEW_DISABLED",
    "notificationUUID": "11111111-2222-5333-8444-555555555555",
    "version": "2.0",
    "signedDate": 1700000000000,
    "data": {
        "appAppleId": 1555000100,
        "bundleId": "com.example.app",
        "bundleVersion": "1",
        "environment": "Production",
        "status": 1,
        "transactionInfo": TRANSACTION,
        "renewalInfo": RENEWAL,
    },
    "migration": {"rule": "type.test", "confidence": "documented", "inferred": []},
}
HISTORY = {
    "environment": "Production",
    "bundleId": "com.example.app",
    "appAppleId": 1555000100,
    "hasMore": False,
    "transactions": [TRANSACTION, TRANSACTION],
    "migration": {"rule": "receipt.history"},
}
STATUSES = {
    "environment": "Production",
    "bundleId": "com.example.app",
    "appAppleId": 1555000100,
    "data": [
        {
            "subscriptionGroupIdentifier": "2000",
            "lastTransactions": [
                {
                    "status": 1,
                    "originalTransactionId": "1000",
                    "transactionInfo": TRANSACTION,
                    "renewalInfo": RENEWAL,
                }
            ],
        }
    ],
    "migration": {"rule": "receipt.statuses"},
}
SPOILT = "spoilt"
ITEM = ("data", 0, "lastTransactions", 0)
COMMERCE = ("data", "transactionInfo", "advancedCommerceInfo")

# Record, where to put the value, the value, what must be reported at that place.
SPOILS: list[tuple[dict, tuple, Any, str]] = [
    # An integer as a string, a boolean as a string or number, a number as a string.
    (NOTIFICATION, ("signedDate",), "1700000000000", "makes integer of string"),
    (NOTIFICATION, ("data", "status"), "1", "makes integer of string"),
    (NOTIFICATION, ("data", "status"), True, "makes integer of boolean"),
    (NOTIFICATION, ("data", "appAppleId"), "1", "makes integer of string"),
    (NOTIFICATION, ("data", "bundleVersion"), 1, "makes string of integer"),
    (NOTIFICATION, ("version",), 2.0, "makes string of fraction"),
    (HISTORY, ("hasMore",), "true", "makes boolean of string"),
    (HISTORY, ("hasMore",), 0, "makes boolean of integer"),
    (HISTORY, ("transactions", 1, "quantity"), "1", "makes integer of string"),
    (HISTORY, ("transactions", 1, "quantity"), 1.0, "makes integer of fraction"),
    (HISTORY, ("transactions", 1, "isUpgraded"), "true", "makes boolean of string"),
    (HISTORY, ("transactions", 1, "transactionId"), 1001, "makes string of integer"),
    (STATUSES, (*ITEM, "status"), "1", "makes integer of string"),
    (STATUSES, (*ITEM, "originalTransactionId"), 1, "makes string of integer"),
    (STATUSES, ("data", 0, "subscriptionGroupIdentifier"), 1, "makes string of int"),
    (STATUSES, (*ITEM, "renewalInfo", "isInBillingRetryPeriod"), 0, "makes boolean of"),
    (NOTIFICATION, (*COMMERCE, "items", 0, "SKU"), 1, "makes string of integer"),
    # What the class cannot take at all.
    (NOTIFICATION, ("signedDate",), SPOILT, "raises ValueError, expected"),
    (NOTIFICATION, ("data", "status"), {}, "raises TypeError, expected"),
    (STATUSES, (*ITEM, "status"), SPOILT, "raises ValueError, expected"),
    (HISTORY, ("transactions", 0, "purchaseDate"), SPOILT, "raises ValueError"),
    # Containers of another kind, null.
    (NOTIFICATION, ("data",), [], "makes object of array"),
    (NOTIFICATION, ("data",), SPOILT, "makes object of string"),
    (NOTIFICATION, ("data",), None, "leaves null out"),
    (NOTIFICATION, ("data", "transactionInfo"), SPOILT, "makes object of string"),
    (NOTIFICATION, ("data", "renewalInfo"), [], "makes object of array"),
    (NOTIFICATION, ("subtype",), None, "leaves null out"),
    (HISTORY, ("transactions",), {}, "is not an array"),
    (HISTORY, ("transactions", 0), SPOILT, "makes object of string"),
    (STATUSES, ("data", 0), SPOILT, "makes object of string"),
    (STATUSES, ("data", 0, "lastTransactions"), {}, "makes array of object"),
    (STATUSES, ITEM, SPOILT, "makes object of string"),
    # Unknown enumeration values.
    (NOTIFICATION, ("notificationType",), SPOILT, "not know this value"),
    (NOTIFICATION, ("subtype",), SPOILT, "not know this value"),
    (NOTIFICATION, ("data", "status"), 99, "not know this value"),
    (NOTIFICATION, ("data", "environment"), SPOILT, "not know this value"),
    (NOTIFICATION, ("data", "transactionInfo", "type"), SPOILT, "not know this value"),
    (NOTIFICATION, (*COMMERCE, "period"), SPOILT, "not know this value"),
    (HISTORY, ("environment",), SPOILT, "not know this value"),
    (HISTORY, ("transactions", 1, "offerType"), 99, "not know this value"),
    (STATUSES, (*ITEM, "status"), 0, "not know this value"),
    (STATUSES, (*ITEM, "renewalInfo", "expirationIntent"), 9, "not know this value"),
    # Unknown keys.
    (NOTIFICATION, ("is_trial_period",), SPOILT, "not know this key"),
    (NOTIFICATION, ("rawSubtype",), SPOILT, "not know this key"),
    (NOTIFICATION, ("transactions",), [], "not know this key"),
    (NOTIFICATION, ("data", "not plain"), SPOILT, "not know this key"),
    (NOTIFICATION, ("data", "transactionInfo", "new"), 1, "not know this key"),
    (NOTIFICATION, (*COMMERCE, "items", 0, "new"), 1, "not know this key"),
    (NOTIFICATION, ("data", "renewalInfo", "migration"), {}, "not know this key"),
    (HISTORY, ("new",), 1, "not know this key"),
    (HISTORY, ("transactions", 1, "commitmentInfo", "new"), 1, "not know this key"),
    (STATUSES, ("data", 0, "new"), 1, "not know this key"),
    (STATUSES, (*ITEM, "new"), 1, "not know this key"),
    (STATUSES, (*ITEM, "transactionInfo", "new"), 1, "not know this key"),
    # Our own rules.
    (HISTORY, ("transactions", 1, "appAccountToken"), SPOILT, "is not a UUID"),
    (HISTORY, ("transactions", 1, "transactionId"), "", "an id is not"),
    (STATUSES, ("data", 0, "subscriptionGroupIdentifier"), " ", "an id is not"),
]
NO_RECORDS = [
    b"[]\n",
    b"{}\n",
    b'"text"\n',
    b'{"notificationType":"TEST"}\n',
    b'{"bundleId":"com.example.app"}\n',
    b'{"hasMore":false}\n',
]
NO_JSON = [
    b"\n",
    b"{\n",
    b'{"hasMore":false,"hasMore":false,"transactions":[]}\n',
    b'{"hasMore":NaN,"transactions":[]}\n',
    b'{"bundleId":"\xff","hasMore":false,"transactions":[]}\n',
    b'{"hasMore":false,"transactions":[]}{}\n',
    b"[" * 100000 + b"\n",
]
SAMPLES: list[object] = [SPOILT, 7, 7.5, True, None, {}, []]


def as_line(record: object) -> bytes:
    """A record as Slipcast writes it."""
    return json.dumps(record, separators=(",", ":")).encode() + b"\n"


def put(record: dict, steps: tuple, value: object) -> dict:
    """A copy of a record with one member or element set."""
    result = json.loads(as_line(record))  # a copy that shares nothing within itself
    holder = result
    for step in steps[:-1]:
        holder = holder[step]
    holder[steps[-1]] = value
    return result


def attempt(lines: bytes) -> tuple[int, str, str]:
    """Runs the check over lines: exit status, standard output and error."""
    out, err = io.StringIO(), io.StringIO()
    status = run(io.BytesIO(lines), out, err)
    return status, out.getvalue(), err.getvalue()


def is_reported(record: dict, path: str, said: str) -> bool:
    """True when a record fails with problems at one path only, and no value shown."""
    good = as_line(HISTORY)
    status, out, err = attempt(good + as_line(record) + good)
    lines = err.splitlines()
    is_said = any(said in line for line in lines)
    is_at_path = all(line.startswith(f"line 2: {path}: ") for line in lines)
    is_counted = status == 1 and out == "2 passed, 1 failed\n"
    return is_said and is_at_path and is_counted and SPOILT not in err


def test_good() -> Iterator[tuple[str, bool]]:
    """The built-in records pass, with and without `migration`."""
    expected = (0, "1 passed, 0 failed\n", "")
    for record in (NOTIFICATION, HISTORY, STATUSES):
        for good in (record, without(record, ["migration"])):
            yield f"good {', '.join(good)}", attempt(as_line(good)) == expected


def test_spoils() -> Iterator[tuple[str, bool]]:
    """Every spoilt record is reported at its place."""
    for record, steps, value, said in SPOILS:
        path = ""
        for step in steps:
            path = join(path, step)
        spoilt = put(record, steps, value)
        yield f"{path} {said}", is_reported(spoilt, path, said)


def test_lines() -> Iterator[tuple[str, bool]]:
    """What is no record is reported; so is nothing at all."""
    yield "no line", attempt(b"") == (1, "0 passed, 0 failed\n", "no line to read\n")
    for line in NO_RECORDS + NO_JSON:
        status, out, err = attempt(line)
        is_told = ("not one JSON value" in err) == (line in NO_JSON)
        is_bad = status == 1 and out == "0 passed, 1 failed\n"
        name = f"line {line[:40]!r}"
        yield name, is_bad and is_told and err.startswith("line 1: ")


def test_differences() -> Iterator[tuple[str, bool]]:
    """A change that keeps the JSON type is found, though no class makes one today."""
    pairs: list[tuple[Any, Any]] = [("A", "a"), (1, 2), (True, False), ([1], [1, 1])]
    pairs += [([1, 1], [1]), ({"a": 1}, {"a": 1, "b": 1}), ({"a": [1]}, {"a": [2]})]
    for given, back in pairs:
        found = list(differences(given, back, HistoryResponse, ""))
        yield f"difference {given} {back}", len(found) == 1


def test_unknown_type() -> Iterator[tuple[str, bool]]:
    """The one exception holds for its rule and for the type only."""
    unknown = put(NOTIFICATION, ("notificationType",), SPOILT)
    excused = put(unknown, ("migration", "rule"), UNKNOWN_TYPE_RULE)
    value = "not know this value"
    yield "unknown type", attempt(as_line(excused))[0] == 0
    migrations: list[object] = [{}, [], None, UNKNOWN_TYPE_RULE, {"rule": "type.test"}]
    for migration in migrations:
        record = put(unknown, ("migration",), migration)
        yield "another rule", is_reported(record, "notificationType", value)
    record = without(unknown, ["migration"])
    yield "no migration", is_reported(record, "notificationType", value)
    record = put(excused, ("notificationType",), 7)
    yield "number", is_reported(record, "notificationType", "makes string of integer")
    yield "number", is_reported(record, "notificationType", value)
    record = put(excused, ("subtype",), SPOILT)
    yield "subtype", is_reported(record, "subtype", value)
    record = put(excused, ("data", "status"), 99)
    yield "status", is_reported(record, "data.status", value)


def test_every_attribute() -> Iterator[tuple[str, bool]]:
    """Every attribute refuses every other JSON type and every unknown value."""
    roots = [ResponseBodyV2DecodedPayload, HistoryResponse, StatusResponse]
    for kind in all_kinds([*roots, *DECODED.values()]):
        yield f"smallest {kind.__name__}", not structure(smallest(kind), kind, "")[1]
        for attribute in attrs.fields(kind):
            key = json_key(kind, attribute.name)
            typed = attrs.fields_dict(kind)[key]
            for sample in bad_samples(plain_type(typed), plain_type(attribute)):
                given = {**smallest(kind), key: sample}
                paths = [path for path, _ in structure(given, kind, "")[1]]
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


def test_own_rules() -> Iterator[tuple[str, bool]]:
    """Our own rules hold without Apple's classes."""
    for key in ("purchaseDate", "expiresDate", "signedDate"):
        for value in ("1", 1.0, True, None):
            yield f"own {key}", list(own_rules({"a": [{key: value}]})) != []
    for key in ("transactionId", "subscriptionGroupIdentifier", "appAccountToken"):
        for value in (1, "", " ", None, []):
            yield f"own {key}", list(own_rules({"a": [{key: value}]})) != []
    for value in ("7E3F9A04-51B2-4C68-9D0E-2A6B8C1D5F7", "7E3F9A0451B24C689D0E" * 2):
        yield "own UUID", broken_rule("appAccountToken", value) is not None


def self_test() -> int:
    """Runs all tests; gives the exit status."""
    tests = [test_good, test_spoils, test_lines, test_differences]
    tests += [test_unknown_type, test_every_attribute, test_own_rules]
    results = [result for test in tests for result in test()]
    failed = [name for name, holds in results if not holds]
    for name in failed:
        print(f"self-test: {name}", file=sys.stderr)
    print(f"{len(results) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


def main() -> int:
    """Reads the options and runs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--self-test", action="store_true", help="try the check on spoilt records"
    )
    if parser.parse_args().self_test:
        return self_test()
    return run(sys.stdin.buffer, sys.stdout, sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
