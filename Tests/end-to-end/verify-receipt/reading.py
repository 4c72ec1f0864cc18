"""Reads verifyReceipt responses without Slipcast: the dates by Python's own time zones, the rest by a peer's library."""

from datetime import datetime, timezone
from zoneinfo import ZoneInfo

from harness import require

PACIFIC = ZoneInfo("America/Los_Angeles")
FORMAT = "%Y-%m-%d %H:%M:%S"
FLAGS = {"is_trial_period": "true false", "is_in_intro_offer_period": "true false", "is_upgraded": "true",
         "auto_renew_status": "1 0", "is_in_billing_retry_period": "1 0", "price_consent_status": "0",
         "price_increase_status": "0 1", "cancellation_reason": "0 1"}  # fmt: skip


def check_dates(entry: dict) -> int:
    """The three spellings of each date are one instant."""
    count = 0
    for key in [key[:-3] for key in entry if key.endswith("_ms")]:
        time = int(entry[key + "_ms"]) // 1000
        plain = datetime.fromtimestamp(time, timezone.utc).strftime(FORMAT) + " Etc/GMT"
        pacific = datetime.fromtimestamp(time, PACIFIC).strftime(FORMAT) + " America/Los_Angeles"
        require(entry[key] == plain, f"{key}: {entry[key]}, expected {plain}")
        require(entry[key + "_pst"] == pacific, f"{key}_pst: {entry[key + '_pst']}, expected {pacific}")
        count += 1
    return count


def check(answer: dict) -> None:
    """The form that every answer with data has."""
    lists = [answer.get("latest_receipt_info", []), answer.get("pending_renewal_info", []), answer.get("receipt", {}).get("in_app", [])]
    for entry in [entry for entries in lists for entry in entries]:
        for key, value in entry.items():
            require(isinstance(value, str), f"{key} is no text: {value!r}")
            require(key not in FLAGS or value in FLAGS[key].split(), f"{key}: {value}")
        check_dates(entry)
    check_dates(answer.get("receipt", {}))
    order = [int(entry["purchase_date_ms"]) for entry in lists[0]]
    require(order == sorted(order), "the transactions do not ascend")


def read_by_a_peer(answer: dict) -> None:
    """What a client library for verifyReceipt makes of the answer."""
    try:
        from itunesiap.receipt import Response
    except ImportError:
        return
    response = Response(answer)
    require(response.status == 0, f"the library reads the status {response.status}")
    for found, entry in zip(response.receipt.in_app, answer["receipt"]["in_app"]):
        require(found.original_transaction_id == entry["original_transaction_id"], "the library reads another id")
        require(found.purchase_date.timestamp() == int(entry["purchase_date_ms"]) / 1000, "the library reads another date")
    latest = answer.get("latest_receipt_info")
    if latest:
        last = response.latest_receipt_info[-1]
        require(last.product_id == latest[-1]["product_id"], "the library reads another product")
        if "expires_date_ms" in latest[-1]:
            require(last.expires_date.timestamp() == int(latest[-1]["expires_date_ms"]) / 1000, "the library reads another expiry")
