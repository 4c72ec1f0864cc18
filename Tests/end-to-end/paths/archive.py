"""Stored V1 notifications of a usual size (about 6 KB, without the base64 receipt), and the same in other forms."""

import base64
import csv
import json
import random
from datetime import datetime, timedelta, timezone
from pathlib import Path

TYPES = ["DID_RENEW"] * 12 + ["INITIAL_BUY", "CANCEL", "DID_CHANGE_RENEWAL_STATUS", "DID_CHANGE_RENEWAL_PREF",
                              "DID_FAIL_TO_RENEW", "DID_RECOVER", "INTERACTIVE_RENEWAL", "REFUND"]  # fmt: skip
START = datetime(2020, 4, 1, tzinfo=timezone.utc)
MONTH = timedelta(days=30)


def dates(name: str, at: datetime) -> dict[str, str]:
    pacific = at - timedelta(hours=8)
    return {
        name: f"{at:%Y-%m-%d %H:%M:%S} Etc/GMT", f"{name}_ms": str(int(at.timestamp()) * 1000),
        f"{name}_pst": f"{pacific:%Y-%m-%d %H:%M:%S} America/Los_Angeles",
    }  # fmt: skip


def notification(number: int, luck: random.Random) -> dict:
    original, periods = str(540_000_000_000_000 + number * 1000), luck.randint(3, 7)
    start = START + timedelta(minutes=number)
    rows = [
        {
            "quantity": "1", "product_id": "com.example.slipcast.monthly", "transaction_id": str(int(original) + period),
            "original_transaction_id": original, **dates("purchase_date", start + period * MONTH),
            **dates("original_purchase_date", start), **dates("expires_date", start + (period + 1) * MONTH),
            "web_order_line_item_id": str(180_000_000_000_000 + number * 100 + period), "is_trial_period": "false",
            "is_in_intro_offer_period": "false", "subscription_group_identifier": "20900001",
            "in_app_ownership_type": "PURCHASED",
        }
        for period in reversed(range(periods))
    ]  # fmt: skip
    renewal = {
        "auto_renew_product_id": "com.example.slipcast.monthly", "product_id": "com.example.slipcast.monthly",
        "original_transaction_id": original, "auto_renew_status": "1",
    }  # fmt: skip
    kind = luck.choice(TYPES)
    record = {
        "notification_type": kind, "environment": "PROD", "bid": "com.example.slipcast", "bvrs": "312",
        "auto_renew_product_id": "com.example.slipcast.monthly", "auto_renew_status": "true",
        "original_transaction_id": original,
        "unified_receipt": {"status": 0, "environment": "Production", "latest_receipt_info": rows, "pending_renewal_info": [renewal]},
    }  # fmt: skip
    if kind.startswith("DID_CHANGE_RENEWAL_STATUS"):
        record |= dates("auto_renew_status_change_date", start + periods * MONTH - timedelta(days=3))
    if kind in ("CANCEL", "REFUND"):
        rows[0] |= dates("cancellation_date", start + (periods - 1) * MONTH + timedelta(days=2)) | {"cancellation_reason": "0"}
    return record


def write(folder: Path, count: int, seed: int) -> None:
    """All forms of one archive."""
    luck = random.Random(seed)
    records = [json.dumps(notification(number, luck), separators=(",", ":")) for number in range(count)]
    encoded = [base64.b64encode(record.encode()).decode() for record in records]
    (folder / "lines.ndjson").write_text("".join(record + "\n" for record in records))
    (folder / "array.json").write_text("[" + ",".join(records) + "]")
    for name, separator, bodies in (("table.csv", ",", records), ("quoted.tsv", "\t", records), ("base64.csv", ",", encoded)):
        with (folder / name).open("w", newline="") as file:
            table = csv.writer(file, delimiter=separator)
            table.writerow(["id", "body"])
            table.writerows(enumerate(bodies))
    (folder / "table.tsv").write_text("id\tbody\n" + "".join(f"{number}\t{record}\n" for number, record in enumerate(records)))
    (folder / "log.txt").write_text("".join(f"2025-01-01T00:00:00Z INFO webhook received {record}\n" for record in records))
    (folder / "base64.ndjson").write_text("".join(f'{{"id":{number},"body":"{body}"}}\n' for number, body in enumerate(encoded)))
