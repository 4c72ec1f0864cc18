"""One event in every form in which people have it: version 1, receipts, version 2, and what is none of them."""

import base64
import gzip
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

# The event: a first subscription, and its first transaction.
BUNDLE, PRODUCT = "com.example.slipcast.forms", "com.example.slipcast.forms.monthly"
ID = "830000417700031"
LINE_ITEM = "830000190040071"
BOUGHT, ENDS, SIGNED = 1_675_242_061_000, 1_677_661_261_000, 1_675_242_068_000
SECRET = "SECRET-SLIPCAST-forms-of-one-event"

def purchase() -> dict[str, Any]:
    return {
        "quantity": "1", "product_id": PRODUCT, "transaction_id": ID, "original_transaction_id": ID,
        "purchase_date_ms": str(BOUGHT), "original_purchase_date_ms": str(BOUGHT + 1000), "expires_date_ms": str(ENDS),
        "web_order_line_item_id": LINE_ITEM, "is_trial_period": "false", "is_in_intro_offer_period": "false",
        "in_app_ownership_type": "PURCHASED", "subscription_group_identifier": "21830417",
    }  # fmt: skip


def renewal_entry() -> dict[str, Any]:
    return {"auto_renew_product_id": PRODUCT, "product_id": PRODUCT, "original_transaction_id": ID, "auto_renew_status": "1"}


def notification1() -> dict[str, Any]:
    return {
        "notification_type": "INITIAL_BUY", "password": SECRET, "environment": "PROD", "bid": BUNDLE, "bvrs": "12~~~12~~~",
        "auto_renew_product_id": PRODUCT, "auto_renew_status": "true",
        "unified_receipt": {
            "status": 0, "environment": "Production", "latest_receipt_info": [purchase()],
            "pending_renewal_info": [renewal_entry()],
        },
    }  # fmt: skip


def answer() -> dict[str, Any]:
    return {
        "status": 0, "environment": "Production", "latest_receipt_info": [purchase()], "pending_renewal_info": [renewal_entry()],
        "receipt": {"bundle_id": BUNDLE, "request_date_ms": str(SIGNED), "in_app": [purchase()]},
    }  # fmt: skip


def transaction() -> dict[str, Any]:
    return {
        "transactionId": ID, "originalTransactionId": ID, "webOrderLineItemId": LINE_ITEM, "bundleId": BUNDLE,
        "productId": PRODUCT, "subscriptionGroupIdentifier": "21830417", "purchaseDate": BOUGHT,
        "originalPurchaseDate": BOUGHT + 1000, "expiresDate": ENDS, "quantity": 1,
        "type": "Auto-Renewable Subscription", "inAppOwnershipType": "PURCHASED", "signedDate": SIGNED,
        "environment": "Production", "transactionReason": "PURCHASE",
    }  # fmt: skip


def renewal() -> dict[str, Any]:
    return {
        "originalTransactionId": ID, "autoRenewProductId": PRODUCT, "productId": PRODUCT, "autoRenewStatus": 1,
        "signedDate": SIGNED, "environment": "Production", "recentSubscriptionStartDate": BOUGHT, "renewalDate": ENDS,
    }  # fmt: skip


def notification2(**parts: Any) -> dict[str, Any]:
    """A decoded notification; with `parts` other members stand for its transaction and renewal."""
    parts = parts or {"transactionInfo": transaction(), "renewalInfo": renewal()}
    data = {"appAppleId": 1830417001, "bundleId": BUNDLE, "bundleVersion": "12~~~12~~~", "environment": "Production", **parts, "status": 1}
    return {
        "notificationType": "SUBSCRIBED", "subtype": "INITIAL_BUY", "notificationUUID": "5b0d7a86-3c51-4b0e-9a7f-2f6de3b0c911",
        "version": "2.0", "signedDate": SIGNED, "data": data,
    }  # fmt: skip


def history() -> dict[str, Any]:
    return {"bundleId": BUNDLE, "appAppleId": 1830417001, "environment": "Production", "hasMore": False, "revision": "1",
            "transactions": [transaction()]}  # fmt: skip


def statuses() -> dict[str, Any]:
    item = {"originalTransactionId": ID, "status": 1, "transactionInfo": transaction(), "renewalInfo": renewal()}
    return {"bundleId": BUNDLE, "environment": "Production",
            "data": [{"subscriptionGroupIdentifier": "21830417", "lastTransactions": [item]}]}  # fmt: skip


def snake(value: Any) -> Any:
    """The names of a warehouse's columns."""
    if isinstance(value, dict):
        return {re.sub("[A-Z]+", lambda found: "_" + found[0].lower(), name): snake(one) for name, one in value.items()}
    return [snake(one) for one in value] if isinstance(value, list) else value


def camel(value: Any) -> Any:
    if isinstance(value, dict):
        return {re.sub("_([a-z])", lambda found: found[1].upper(), name): camel(one) for name, one in value.items()}
    return [camel(one) for one in value] if isinstance(value, list) else value


def texts(value: Any) -> Any:
    """Every number and boolean as text, as BigQuery and protocol buffers write them."""
    if isinstance(value, dict):
        return {name: texts(one) for name, one in value.items()}
    if isinstance(value, list):
        return [texts(one) for one in value]
    return value if isinstance(value, str) else json.dumps(value)


def numbers(value: Any) -> Any:
    """Every text of digits as a number."""
    if isinstance(value, dict):
        return {name: numbers(one) for name, one in value.items()}
    if isinstance(value, list):
        return [numbers(one) for one in value]
    return int(value) if isinstance(value, str) and value.isdecimal() else value


def renamed(value: dict[str, Any], **names: str) -> dict[str, Any]:
    return {names.get(name, name): one for name, one in value.items()}


# What is read

Text = str | bytes


@dataclass
class Kind:
    """A form of a record, and what makes it."""

    name: str
    what: str
    """notification1, answer1, receipt, notification2, transaction2, renewal2, history2, statuses2, page2 or other."""
    text: Text
    words: list[str] = field(default_factory=list)
    """Options that say where the record is, for every command that has them."""
    ending: str = ".json"
    says: str = ""
    """For what no command reads: what every message says."""
    finding: str = ""
    """The code of the finding of a reading."""


def line(value: Any) -> str:
    return json.dumps(value, separators=(",", ":")) + "\n"


def b64(data: bytes | str) -> str:
    return base64.b64encode(data.encode() if isinstance(data, str) else data).decode()


def layers(data: bytes, *encode: Callable[[bytes], str | bytes]) -> str:
    for one in encode:
        found = one(data)
        data = found.encode() if isinstance(found, str) else found
    return data.decode() + "\n"


def quoted(data: bytes) -> str:
    return json.dumps(data.decode())


def url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


ENCODINGS: dict[str, Callable[[bytes], Text]] = {
    "base64": lambda data: layers(data, b64),
    "base64url": lambda data: layers(data, url),
    "hexadecimal": lambda data: "\\x" + data.hex() + "\n",
    "gzip in base64": lambda data: layers(data, gzip.compress, b64),
    "base64 in a string": lambda data: layers(data, b64, quoted),
    "base64 in base64": lambda data: layers(data, b64, b64),
    "four layers": lambda data: layers(data, gzip.compress, b64, b64, quoted),
    "data URL": lambda data: "data:application/octet-stream;base64," + b64(data) + "\n",
    "blanks for +": lambda data: b64(data).replace("+", " ") + "\n",
    "UTF-16": lambda data: "\ufeff".encode("utf-16-le") + (data.decode() if data[:1] in b"{[" else b64(data)).encode("utf-16-le"),
}


def pem(data: bytes) -> str:
    text = b64(data)
    return "-----BEGIN PKCS7-----\n" + "".join(text[at:at + 64] + "\n" for at in range(0, len(text), 64)) + "-----END PKCS7-----\n"


def groups(data: bytes) -> str:
    """What NSData's description shows."""
    text = data.hex()
    return "<" + " ".join(text[at:at + 8] for at in range(0, len(text), 8)) + ">\n"


def foreign() -> list[Kind]:
    """Envelopes that no command reads."""
    return [
        Kind("V1 in camelCase", "other", line(camel(notification1())), says="notification_type"),
        Kind("Google Play notification", "other", line({
            "version": "1.0", "packageName": BUNDLE, "eventTimeMillis": "1675242061000", "subscriptionNotification": {
                "version": "1.0", "notificationType": 4, "purchaseToken": "forms", "subscriptionId": "monthly"}}), says="Google Play"),
        Kind("Google Play notification, inner", "other", line({
            "version": "1.0", "notificationType": 4, "purchaseToken": "forms", "subscriptionId": "monthly"}), says="Google Play"),
        Kind("Google Play purchase", "other", line({
            "orderId": "GPA.3300-1", "packageName": BUNDLE, "productId": "monthly", "purchaseTime": 1675242061000,
            "purchaseState": 0, "purchaseToken": "forms"}), says="Google Play"),
        Kind("only data", "other", line({"data": {"foo": 1}})),
        Kind("only transactionId", "other", line({"transactionId": "1"})),
    ]  # fmt: skip


def kinds(receipt: bytes, signed: dict[str, str], token: str) -> list[Kind]:
    """All forms.

    `receipt` is an app receipt; `signed` has the signed forms of a notification, history and statuses; `token` is a bare payload.
    """
    one, two = line(notification1()), line(notification2())
    inner = json.loads(one)
    inner["unified_receipt"] = json.dumps({**inner["unified_receipt"], "latest_receipt_info": json.dumps([purchase()])})
    body = one.strip()
    sns = json.dumps({"Type": "Notification", "Message": body})
    parts = signed["statuses"]
    item = json.loads(parts)["data"][0]["lastTransactions"][0]
    text = b64(receipt)
    found = [
        Kind("notification", "notification1", one),
        Kind("lists as JSON texts", "notification1", line(inner)),
        Kind("numbers for texts", "notification1", line(numbers(notification1()))),
        Kind("SNS inside SQS", "notification1", line({"Records": [{"body": sns}]}), ["--body", "/Records/0/body/Message"]),
        Kind("answer", "answer1", line(answer())),
        Kind("lone transaction", "answer1", line(purchase()), finding="partialAnswer"),
        Kind("latest_receipt_info alone", "answer1", line([purchase(), {**purchase(), "transaction_id": "830000417700099"}]),
             finding="partialAnswer"),
        Kind("bare receipt object", "answer1", line(answer()["receipt"]), finding="partialAnswer"),
        Kind("receipt", "receipt", receipt),
        Kind("PEM", "receipt", pem(receipt)),
        Kind("hexadecimal of NSData", "receipt", groups(receipt)),
        Kind("request in JSON", "receipt", line({"receipt-data": text, "password": SECRET})),
        Kind("request form-encoded", "receipt", "receipt-data=" + text.replace("+", "%2B").replace("/", "%2F").replace("=", "%3D")
             + f"&password={SECRET}\n"),
        Kind("Unity", "receipt", line({"Store": "AppleAppStore", "TransactionID": ID, "Payload": text})),
        Kind("react-native-iap", "other", line({"transactionId": ID, "productId": PRODUCT, "transactionDate": BOUGHT, "transactionReceipt": text}), says="--body /transactionReceipt"),
        Kind("cordova-plugin-purchase", "other", line({"id": PRODUCT, "type": "paid subscription", "transaction": {
            "type": "ios-appstore", "id": ID, "appStoreReceipt": text}}), says="--body /transaction/appStoreReceipt"),
        Kind("Flutter in_app_purchase", "other", line({"purchaseID": ID, "productID": PRODUCT, "verificationData": {
            "source": "app_store", "localVerificationData": text, "serverVerificationData": text}}),
             says="--body /verificationData/serverVerificationData"),
        Kind("react-native-iap, with --body", "receipt", line({"transactionId": ID, "transactionReceipt": text}), ["--body", "transactionReceipt"]),
        Kind("notification", "notification2", two),
        Kind("numbers as text", "notification2", line(texts(notification2())), finding="unexpectedKind"),
        Kind("digits as number", "notification2", line({**notification2(), "version": 2.0, "data": {
            **notification2()["data"], "bundleVersion": 12}}), finding="unexpectedKind"),
        Kind("signed", "notification2", signed["notification"]),
        Kind("token", "notification2", token + "\n"),
        Kind("parts under signed names", "notification2",
             line(notification2(signedTransactionInfo=transaction(), signedRenewalInfo=renewal()))),
        Kind("siblings", "notification2", line({
            "notification": {**notification2(), "data": {
                name: one for name, one in notification2()["data"].items() if not name.endswith("Info")}},
            "transaction": transaction(), "renewal": renewal()})),
        Kind("snake_case columns", "notification2", line(snake(notification2()))),
        Kind("data as JSON text", "notification2", line({**notification2(), "data": json.dumps(notification2()["data"])})),
        Kind("in an array", "notification2", "[" + two.strip() + "]\n"),
        Kind("row", "notification2", line({"payload": two.strip()}), ["--body", "payload"]),
        Kind("page of notificationHistory", "page2", line({
            "hasMore": False, "paginationToken": "forms", "notificationHistory": [
                {**json.loads(signed["notification"]), "sendAttempts": [{"attemptDate": SIGNED, "sendAttemptResult": "SUCCESS"}]}]})),
        Kind("transaction", "transaction2", line(transaction())),
        Kind("renewal info", "renewal2", line(renewal())),
        Kind("item of statuses", "transaction2", line(item)),
        Kind("history", "history2", line(history())),
        Kind("history, signed", "history2", signed["history"]),
        Kind("statuses", "statuses2", line(statuses())),
        Kind("statuses, signed", "statuses2", parts),
        *foreign(),
    ]  # fmt: skip
    for name, encode in ENCODINGS.items():
        found.append(Kind(name, "notification1", encode(body.encode())))
        found.append(Kind(name, "receipt", encode(receipt)))
        found.append(Kind(name, "notification2", encode(two.strip().encode())))
    for name in ("base64", "gzip in base64", "hexadecimal", "four layers"):
        found.append(Kind(f"token, {name}", "notification2", ENCODINGS[name](token.encode())))
    for name in ("gzip in base64", "blanks for +"):
        found.append(Kind(f"request in JSON, {name}", "receipt", line({"receipt-data": str(ENCODINGS[name](receipt)).strip()})))
    return found
