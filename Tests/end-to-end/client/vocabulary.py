"""Every member and value of Apple's library must be known to Slipcast.

Walks the classes of app-store-server-library that Apple's servers send, from the roots below to every class and
enumeration inside them, and compares each member and each value with what `slipcast explain --list --format json`
prints under `models` and `vocabularies`. A member or value that Slipcast lacks is a failure: Apple's next change shows
here first. Classes that no root leads to are requests and answers of other endpoints; they are listed below, so a new
one is a failure too.

Usage: vocabulary.py SLIPCAST [--self-test]

Prints a line for each name that is missing. The exit status is 1 when one is. `--self-test` takes a name away and fails
unless that is reported.
"""

import enum
import importlib
import json
import pkgutil
import subprocess
import sys
import typing
from importlib.metadata import version

import appstoreserverlibrary.models as models
import attrs

ROOTS = """
    ResponseBodyV2 ResponseBodyV2DecodedPayload JWSTransactionDecodedPayload JWSRenewalInfoDecodedPayload AppTransaction
    StatusResponse HistoryResponse TransactionInfoResponse AppTransactionInfoResponse RefundHistoryResponse
    OrderLookupResponse NotificationHistoryResponse DecodedRealtimeRequestBody
""".split()

# Requests, and answers of endpoints that Slipcast does not call; by the beginning of their names.
NOT_MODELED = """
    Abstract AdvancedCommerceInfo AdvancedCommerceOneTimeCharge AdvancedCommerceRequest AdvancedCommerceSubscription
    AlternateProduct BulletPoint CheckTestNotification ConsumptionRequest DefaultConfiguration ExtendRenewalDate
    GetImageList GetMessageList MassExtendRenewalDate Message NotificationHistoryRequest PerformanceTest
    PromotionalOffer RealtimeRequestBody RealtimeResponseBody RealtimeUrl SendTestNotification TransactionHistoryRequest
    UpdateAppAccountToken UploadMessage
""".split()
NOT_MODELED_WORDS = """
    AccountTenure AdvancedCommerceEffective AdvancedCommerceReason ConsumptionStatus DeliveryStatus ExtendReasonCode
    FirstSendAttemptResult HeaderPosition ImageSize ImageState LifetimeDollars MessageState Order PerformanceTestStatus
    Platform PlayTime ProductType RefundPreference UserStatus
""".split()

# Slipcast's names, where they are not Apple's class names.
MODEL_NAMES = {"AppTransaction": "JWSAppTransactionDecodedPayload"}
WORD_NAMES = {
    "NotificationTypeV2": "NotificationType",
    "Type": "ProductType",
    "RenewalBillingPlanType": "BillingPlanType",
}


def classes() -> dict[str, type]:
    """Every class of the library's models by name."""
    found: dict[str, type] = {}
    for module in pkgutil.iter_modules(models.__path__):
        imported = importlib.import_module(f"{models.__name__}.{module.name}")
        for name, kind in vars(imported).items():
            if isinstance(kind, type) and kind.__module__ == imported.__name__:
                found[name] = kind
    return found


def inner(annotation: object) -> list[type]:
    """The classes that a type annotation names, however deep."""
    arguments = typing.get_args(annotation)
    if arguments:
        return [kind for argument in arguments for kind in inner(argument)]
    return [annotation] if isinstance(annotation, type) else []


def reachable(found: dict[str, type]) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """The members of every object and the values of every enumeration that the roots lead to."""
    objects: dict[str, list[str]] = {}
    words: dict[str, list[str]] = {}
    queue = [found[name] for name in ROOTS]
    while queue:
        kind = queue.pop()
        if issubclass(kind, enum.Enum):
            words[kind.__name__] = [str(member.value) for member in kind]
        elif attrs.has(kind) and kind.__name__ not in objects:
            attrs.resolve_types(kind)
            # A raw value stands beside the typed one, under the same JSON key.
            fields = [field for field in attrs.fields(kind) if field.metadata.get("typeOfField") != "raw"]
            objects[kind.__name__] = [field.name for field in fields]
            queue += [inside for field in fields for inside in inner(field.type)]
    return objects, words


def printed(slipcast: str) -> dict:
    """What Slipcast knows, as it prints it."""
    command = [slipcast, "explain", "--list", "--format", "json"]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def missing(table: dict, found: dict[str, type]) -> list[str]:
    """A line for each name that Slipcast lacks."""
    objects, words = reachable(found)
    own_models = {model["name"].lower(): {member["name"] for member in model["members"]} for model in table["models"]}
    own_words = {vocabulary["name"]: set(vocabulary["values"]) for vocabulary in table["vocabularies"]}
    known = {("object", "member", name): own_models.get(MODEL_NAMES.get(name, name).lower()) for name in objects}
    known |= {("enumeration", "value", name): own_words.get(WORD_NAMES.get(name, name)) for name in words}
    lines = []
    for (whole, part, name), own in sorted(known.items(), key=lambda item: item[0]):
        if own is None:
            lines.append(f"{whole} {name}")
        else:
            lines += [f"{part} {name}.{one}" for one in (objects | words)[name] if one not in own]
    for name, kind in sorted(found.items()):
        listed = NOT_MODELED if attrs.has(kind) else NOT_MODELED_WORDS
        is_known = name in objects or name in words or name.startswith(tuple(listed))
        if not is_known and (attrs.has(kind) or issubclass(kind, enum.Enum)):
            lines.append(f"class {name}: no root leads to it; model it, or list it as not modeled")
    return lines


def self_test(table: dict, found: dict[str, type]) -> bool:
    """Takes away a member, a value and an object: each must be reported."""
    spoiled = json.loads(json.dumps(table))
    for model in spoiled["models"]:
        model["members"] = [member for member in model["members"] if member["name"] != "revocationPercentage"]
    spoiled["models"] = [model for model in spoiled["models"] if model["name"] != "summary"]
    for vocabulary in spoiled["vocabularies"]:
        vocabulary["values"] = [value for value in vocabulary["values"] if value != "ONE_TIME_CHARGE"]
    expected = [
        "member JWSTransactionDecodedPayload.revocationPercentage",
        "object Summary",
        "value NotificationTypeV2.ONE_TIME_CHARGE",
    ]
    lines = missing(spoiled, found)
    return all(line in lines for line in expected)


def main() -> int:
    """Compares, and tells what is missing."""
    table, found = printed(sys.argv[1]), classes()
    if "--self-test" in sys.argv[2:] and not self_test(table, found):
        print("a name that was taken away is not reported", file=sys.stderr)
        return 1
    lines = missing(table, found)
    for line in lines:
        print(f"Slipcast lacks {line}", file=sys.stderr)
    objects, words = reachable(found)
    members = sum(map(len, objects.values()))
    values = sum(map(len, words.values()))
    print(
        f"app-store-server-library {version('app-store-server-library')}: {members} members of {len(objects)} objects, "
        f"{values} values of {len(words)} enumerations, {len(lines)} missing"
    )
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
