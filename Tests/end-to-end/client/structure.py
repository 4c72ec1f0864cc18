"""The real-client check: Apple's own Python library must read what Slipcast writes.

Each converted record (a notification, a history, statuses) is structured into the classes of app-store-server-library,
with the library's own converter. A record passes when Apple's classes

* raise no error,
* know every value of an enumeration,
* know every key, at any depth,
* give back every value unchanged, in value and in JSON type (no coercion),

and when our own rules hold: appAccountToken is a UUID, ids are strings with text in them, dates are integers.

Our decoded members `transactionInfo`, `renewalInfo` and `transactions` stand where Apple has signed strings: each is
checked with its own class and left out of the outer one. `migration` is ours and is not checked. Two exceptions: a
notification whose `migration.rule` is "type.unknown" may carry a notificationType that Apple's class does not know, if
the class keeps it as it is; and `KEPT` has values that fixtures contain because nobody knows them. A failure has the form `line N: path: what Apple's class says`, never with the value.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

import attrs
from appstoreserverlibrary.models.AppTransaction import AppTransaction
from appstoreserverlibrary.models.HistoryResponse import HistoryResponse
from appstoreserverlibrary.models.JWSRenewalInfoDecodedPayload import JWSRenewalInfoDecodedPayload
from appstoreserverlibrary.models.JWSTransactionDecodedPayload import JWSTransactionDecodedPayload

# The converter of the library's SignedDataVerifier and API client.
from appstoreserverlibrary.models.LibraryUtility import _get_cattrs_converter, metadata_key, metadata_type_key
from appstoreserverlibrary.models.ResponseBodyV2DecodedPayload import ResponseBodyV2DecodedPayload
from appstoreserverlibrary.models.StatusResponse import StatusResponse
from cattrs import ClassValidationError, IterableValidationError
from harness import require_none

Problem = tuple[str, str]  # path, what is wrong there

UUID_TEXT = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
UNKNOWN_TYPE_RULE = "type.unknown"
# An environment that does not exist, and a reason that V1 has no number for.
KEPT = {("environment", "Moon"), ("expirationIntent", 6)}
DECODED = {"transactionInfo": JWSTransactionDecodedPayload, "renewalInfo": JWSRenewalInfoDecodedPayload}
JSON_NAMES = {
    str: "string", int: "integer", float: "fraction", bool: "boolean", dict: "object", list: "array",
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
        (attribute.name, json_key(kind, attribute.name), is_raw(attribute)) for attribute in attrs.fields(kind)
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


def refusals(error: BaseException, kind: type, path: str, expected: object = None) -> Iterator[Problem]:
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
    if value is not None and getattr(getattr(made, key), "value", None) != value and (key, value) not in KEPT:
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


def member_differences(given: dict, back: dict, kind: type, path: str) -> Iterator[Problem]:
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
    if key.endswith(("Id", "Identifier")) and key not in ("appAppleId", "versionExternalIdentifier"):
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
    return app_transaction if "applicationVersion" in record else None


def app_transaction(record: dict) -> list[Problem]:
    return structure(without(record, ["migration"]), AppTransaction, "")[1]


def check(record: object) -> list[Problem]:
    """All problems of a record; our own only where Apple's class says nothing."""
    if not isinstance(record, dict):
        return [("", "is not an object")]
    apply = shape(record)
    if apply is None:
        return [("", "is not a notification, a history, statuses or an app transaction")]
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
        record = json.loads(line.decode("utf-8"), object_pairs_hook=unique_members, parse_constant=no_constant)
    except (ValueError, RecursionError):
        return [("", "is not one JSON value with unique keys, in UTF-8")]
    return check(record)


def problems_of(lines: Iterable[bytes]) -> list[str]:
    """What is wrong with each line, and with there being none."""
    found, number = [], 0
    for number, line in enumerate(lines, 1):
        found += [f"line {number}: {path or '$'}: {message}" for path, message in check_line(line)]
    return found if number else ["no line to read"]


def check_lines(lines: list[bytes]) -> None:
    require_none(problems_of(lines), len(lines), "records: Apple's library reads something else")
