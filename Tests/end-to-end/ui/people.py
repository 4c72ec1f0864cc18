"""Customers of many kinds, each told by V1 and by V2, and the sentence that a support person should read of each."""

import json
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from world import BUNDLE, DAY, START, write, write_server

MONTHLY, YEARLY, PREMIUM = f"{BUNDLE}.monthly", f"{BUNDLE}.yearly", f"{BUNDLE}.premium"
SURE = "certain unless a message is missing"
PAID = "nothing refunded; " + SURE
UNKNOWN = "nothing refunded; not certain"


def at(day: float) -> int:
    return int(START + day * DAY)


def told(day: float) -> str:
    """A day as pages write it."""
    moment = datetime.fromtimestamp(at(day) / 1000, timezone.utc)
    return f"{moment.day} {moment:%B %Y, %H:%M:%S} UTC"


class Person:
    """A customer: periods from day to day after the start, and the messages of both versions about them."""

    def __init__(self, name: str, number: int) -> None:
        self.name, self.id, self.number = name, str(610_000_000_000_000 + number * 1000), number
        self.periods: list[dict[str, Any]] = []
        self.renews, self.next, self.pending = True, MONTHLY, {}
        self.legacy: list[tuple[int, dict[str, Any]]] = []
        self.server: list[dict[str, Any]] = []
        # The sentences: of both sides together, of V1 and of V2 alone; None for a side that is silent.
        self.both, self.v1, self.v2 = "", "", ""

    def buy(self, start: float, end: float | None = None, product: str = MONTHLY, **marks: Any) -> "Person":
        """A period, of a month unless it is said; an end of 0 is none."""
        end = start + 30 if end is None else end
        self.periods.append({"start": start, "end": end, "product": product, "place": len(self.periods), **marks})
        return self

    def months(self, *starts: float, sides: str = "12", **marks: Any) -> "Person":
        """Months that both sides tell, the first one as a new subscription."""
        for number, start in enumerate(starts):
            self.buy(start, **marks)
            if "1" in sides:
                self.tell("INITIAL_BUY" if number == 0 else "DID_RENEW", start)
            if "2" in sides:
                self.event("SUBSCRIBED/INITIAL_BUY" if number == 0 else "DID_RENEW", start)
        return self

    def row(self, period: dict[str, Any]) -> dict[str, str]:
        """A period as V1 lists it."""
        row = {
            "quantity": "1", "product_id": period["product"], "transaction_id": str(int(self.id) + period["place"]),
            "original_transaction_id": self.id, "purchase_date_ms": str(at(period["start"])),
            "original_purchase_date_ms": str(at(self.periods[0]["start"])),
            "is_trial_period": "true" if period.get("trial") else "false",
        }  # fmt: skip
        if period["end"]:
            row |= {"web_order_line_item_id": str(int(self.id) + 500 + period["place"]), "expires_date_ms": str(at(period["end"])),
                    "subscription_group_identifier": "20900777"}  # fmt: skip
        if "back" in period:
            row |= {"cancellation_date_ms": str(at(period["back"])), "cancellation_reason": "0"}
        if period.get("upgraded"):
            row["is_upgraded"] = "true"
        if period.get("family"):
            row["in_app_ownership_type"] = "FAMILY_SHARED"
        return row

    def tell(self, kind: str, day: float, **more: Any) -> "Person":
        """A V1 message."""
        rows = [self.row(one) for one in reversed(self.periods) if one["start"] <= day]
        renewal = {"auto_renew_product_id": self.next, "product_id": self.periods[-1]["product"],
                   "original_transaction_id": self.id, "auto_renew_status": "1" if self.renews else "0", **self.pending}  # fmt: skip
        body: dict[str, Any] = {
            "notification_type": kind, "environment": "PROD", "bid": BUNDLE, "bvrs": "1", **more,
            "unified_receipt": {"status": 0, "environment": "Production", "latest_receipt": "bm90", "latest_receipt_info": rows},
        }  # fmt: skip
        if self.periods[-1]["end"]:
            body |= {"auto_renew_product_id": self.next, "auto_renew_status": "true" if self.renews else "false"}
            body["unified_receipt"]["pending_renewal_info"] = [renewal]
        self.legacy.append((at(day) + 5000, body))
        return self

    def tell_bare(self, kind: str, day: float) -> "Person":
        """A V1 message about a purchase that its lists do not have any more."""
        receipt = {"status": 0, "environment": "Production", "latest_receipt": "bm90", "latest_receipt_info": [], "pending_renewal_info": []}
        self.legacy.append((at(day) + 5000, {
            "notification_type": kind, "environment": "PROD", "bid": BUNDLE, "bvrs": "1", "unified_receipt": receipt,
            "original_transaction_id": int(self.id)}))  # fmt: skip
        return self

    def event(self, name: str, day: float, period: int = -1, **renewal: Any) -> "Person":
        """Apple's V2 notification: `EXPIRED/VOLUNTARY`."""
        one = self.periods[period]
        kind, _, subtype = name.partition("/")
        info: dict[str, Any] = {
            "transactionId": str(int(self.id) + one["place"]), "originalTransactionId": self.id, "bundleId": BUNDLE,
            "productId": one["product"], "purchaseDate": at(one["start"]), "originalPurchaseDate": at(self.periods[0]["start"]),
            "quantity": 1, "type": one.get("type", "Auto-Renewable Subscription"), "environment": "Production",
            "inAppOwnershipType": "FAMILY_SHARED" if one.get("family") else "PURCHASED", "signedDate": at(day) + 1000,
        }  # fmt: skip
        data: dict[str, Any] = {"bundleId": BUNDLE, "environment": "Production", "transactionInfo": info}
        if one["end"]:
            info |= {"webOrderLineItemId": str(int(self.id) + 500 + one["place"]), "expiresDate": at(one.get("v2 end", one["end"])),
                     "subscriptionGroupIdentifier": "20900777"}  # fmt: skip
            data["renewalInfo"] = {"originalTransactionId": self.id, "autoRenewProductId": self.next, "productId": one["product"],
                                   "autoRenewStatus": 1 if self.renews else 0, "environment": "Production",
                                   "signedDate": at(day) + 1000, **renewal}  # fmt: skip
        if one.get("trial"):
            info |= {"offerType": 1, "offerDiscountType": "FREE_TRIAL"}
        if one.get("back", day + 1) <= day:
            info |= {"revocationDate": at(one["back"]), "revocationReason": 0}
        if one.get("upgraded"):
            info["isUpgraded"] = True
        body = {"notificationType": kind, "notificationUUID": f"6b1d{self.number:04x}-0000-4000-8000-{len(self.server):012d}",
                "version": "2.0", "signedDate": at(day) + 1000, "data": data}  # fmt: skip
        self.server.append(body | ({"subtype": subtype} if subtype else {}))
        return self

    def off(self, day: float) -> "Person":
        """Auto-renew is turned off."""
        self.renews = False
        self.tell("DID_CHANGE_RENEWAL_STATUS", day, auto_renew_status_change_date_ms=str(at(day)))
        return self.event("DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", day)

    def fail(self, day: float, grace: float | None = None) -> "Person":
        """A payment fails."""
        self.pending = {"is_in_billing_retry_period": "1", "expiration_intent": "2"}
        more: dict[str, Any] = {"isInBillingRetryPeriod": True, "expirationIntent": 2}
        if grace is not None:
            self.pending["grace_period_expires_date_ms"] = str(at(grace))
            more["gracePeriodExpiresDate"] = at(grace)
        self.tell("DID_FAIL_TO_RENEW", day)
        return self.event("DID_FAIL_TO_RENEW/GRACE_PERIOD" if grace else "DID_FAIL_TO_RENEW", day, **more)

    def back(self, day: float, period: int = -1, kind: str = "REFUND", sides: str = "12", v2: float | None = None) -> "Person":
        """A period is refunded or revoked; V2 may say another day."""
        one = self.periods[period]
        one["back"] = day
        if "1" in sides:
            self.tell(kind, day)
        if "2" not in sides:
            return self
        one["back"] = v2 or day
        return self.event("REFUND" if kind == "CANCEL" else kind, one["back"], period)

    def says(self, both: str, v1: str | None = "", v2: str | None = "") -> "Person":
        """The sentence; where a side alone says something else, that too."""
        self.both, self.v1, self.v2 = both, both if v1 == "" else v1, both if v2 == "" else v2  # type: ignore[assignment]
        return self


def write_all(folder: Path, people: list[Person]) -> tuple[Path, Path]:
    """The messages of all, of V1 and of V2."""
    legacy = [one for person in people for one in person.legacy]
    server = [one for person in people for one in person.server]
    return write(folder / "people.ndjson", json.loads(json.dumps(legacy))), write_server(folder / "people-v2.ndjson", server)
