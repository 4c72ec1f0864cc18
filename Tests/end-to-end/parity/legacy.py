"""V1 notification bodies, told from the model."""

import base64
import json
import random
from bisect import bisect_right
from calendar import timegm
from datetime import date
from time import gmtime, strftime

import model
from model import HOUR, V2_8, Period, Subscription

NAMED = 1641340800000  # 2022-01-05
SECRET = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
TEXT = "%Y-%m-%d %H:%M:%S"


def _changes() -> list[int]:
    """When clocks change in Los Angeles, seconds since 1970: summer time begins, ends, begins…"""
    found = []
    for year in range(2019, 2027):
        march = 14 - date(year, 3, 14).isoweekday() % 7
        november = 7 - date(year, 11, 7).isoweekday() % 7
        found += [timegm((year, 3, march, 10, 0, 0)), timegm((year, 11, november, 9, 0, 0))]
    return found


CHANGES = _changes()


def dates(name: str, instant: int, lean: bool) -> dict[str, str]:
    """A date as V1 spells it: three times, or as milliseconds alone."""
    if lean:
        return {name + "_ms": str(instant)}
    seconds = instant // 1000
    behind = 7 * 3600 if bisect_right(CHANGES, seconds) % 2 else 8 * 3600
    return {
        name: strftime(TEXT, gmtime(seconds)) + " Etc/GMT",
        name + "_ms": str(instant),
        name + "_pst": strftime(TEXT, gmtime(seconds - behind)) + " America/Los_Angeles",
    }


def row(sub: Subscription, period: Period, lean: bool) -> dict[str, str]:
    """A row of latest_receipt_info."""
    is_subscription = period.line is not None
    found = {
        "quantity": str(period.quantity),
        "product_id": period.product.identifier,
        "transaction_id": str(period.transaction),
        "original_transaction_id": str(sub.original),
    }
    found |= dates("purchase_date", period.purchase, lean)
    found |= dates("original_purchase_date", sub.first_purchase + sub.skew, lean)
    if is_subscription:
        found |= dates("expires_date", period.expires, lean)
        found["web_order_line_item_id"] = str(period.line)
    offer = period.offer
    found["is_trial_period"] = "true" if offer and offer.is_free else "false"
    if is_subscription:
        found["is_in_intro_offer_period"] = "true" if offer and offer.kind == "intro" else "false"
        found["subscription_group_identifier"] = sub.app.group
    if sub.states_ownership:
        found["in_app_ownership_type"] = "FAMILY_SHARED" if sub.family else "PURCHASED"
    if offer and offer.kind == "promotional":
        found["promotional_offer_id"] = offer.identifier
    if offer and offer.kind == "code":
        found["offer_code_ref_name"] = offer.identifier
    if period.token:
        found["app_account_token"] = period.token
    if period.upgraded:
        found["is_upgraded"] = "true"
    if period.cancelled is not None:
        found |= dates("cancellation_date", period.cancelled, lean)
        found["cancellation_reason"] = str(period.reason)
    return found


def row_text(sub: Subscription, period: Period, lean: bool) -> str:
    """The same as JSON, made once while nothing changes."""
    text = period.texts.get(lean)
    if text is None:
        text = period.texts[lean] = json.dumps(row(sub, period, lean), separators=(",", ":"))
    return text


def renewal(sub: Subscription, lean: bool) -> dict[str, str]:
    """The entry of pending_renewal_info."""
    found = {
        "auto_renew_product_id": sub.next_product.identifier,
        "original_transaction_id": str(sub.original),
        "product_id": sub.current.product.identifier,
        "auto_renew_status": "1" if sub.auto_renew else "0",
    }
    if sub.intent is not None:
        found["expiration_intent"] = str(sub.intent)
    if sub.retry is not None:
        found["is_in_billing_retry_period"] = "1" if sub.retry else "0"
    if sub.grace is not None:
        found |= dates("grace_period_expires_date", sub.grace, lean)
    if sub.consent is not None:
        found["price_consent_status"] = str(sub.consent)
    if sub.increase is not None and sub.shown:
        found["price_increase_status"] = str(sub.increase)
    if sub.next_offer:
        key = "promotional_offer_id" if sub.next_offer.kind == "promotional" else "offer_code_ref_name"
        found[key] = sub.next_offer.identifier
    return found


class Message:
    """A V1 message at the moment at which it is sent."""

    def __init__(self, kind: str, sub: Subscription, listed: list[Period], target: Period | None, settings):
        self.kind, self.sub, self.target = kind, sub, target
        # A change of status that tells a purchase.
        self.is_purchase = False
        self.is_changed = False
        self.lean = settings.lean
        self.receipt_size = settings.receipt
        self.listed = listed
        # As they are now: later changes of the model do not reach a message that was sent.
        self.rows = [row_text(sub, period, self.lean) for period in listed]
        self.other_rows = []
        self.other_renewals = []
        if listed and sub.earlier is not None:
            self.other_rows = [row_text(sub.earlier, period, self.lean) for period in sub.earlier.visible(3)]
            self.other_renewals = [renewal(sub.earlier, self.lean)]
        self.has_renewal = bool(listed) and target is not None and target.line is not None
        self.renewal = renewal(sub, self.lean) if self.has_renewal else None
        self.head: dict = {"notification_type": kind, "password": SECRET}
        self.head["environment"] = "Sandbox" if sub.sandbox else "PROD"
        if self.has_renewal:
            self.head["auto_renew_product_id"] = sub.next_product.identifier
            self.head["auto_renew_status"] = "true" if sub.auto_renew else "false"
            if sub.intent is not None:
                self.head["expiration_intent"] = sub.intent
        self.tail: dict = {"bid": sub.app.bundle, "bvrs": sub.app.version}
        # V1 names the subscription at the top since about January 2022.
        if not self.has_renewal or target.purchase >= NAMED or sub.earlier is not None:
            self.tail["original_transaction_id"] = sub.original
        if target is not None and target.purchase >= V2_8:
            self.tail["deprecation"] = "Tue, 31 Dec 2030 00:00:00 GMT"

    def date(self, name: str, instant: int) -> "Message":
        """Adds a date at the top of the body."""
        self.head |= dates(name, instant, self.lean)
        return self

    def target_row(self) -> dict[str, str]:
        """The row of the event's own period, for a change."""
        return json.loads(self.rows[self.listed.index(self.target)])

    def put_row(self, changed: dict[str, str]) -> None:
        self.is_changed = True
        self.rows[self.listed.index(self.target)] = json.dumps(changed, separators=(",", ":"))

    def text(self, rng: random.Random) -> str:
        """The body on one line."""
        rows = self.other_rows + self.rows
        rows = rows[::-1] if rng.random() < 0.7 else rows
        receipt = base64.b64encode(rng.randbytes(self.receipt_size)).decode()
        environment = "Sandbox" if self.sub.sandbox else "Production"
        renewals = self.other_renewals + ([] if self.renewal is None else [self.renewal])
        # Their order is not tied to the event.
        entries = ",".join(json.dumps(one, separators=(",", ":")) for one in renewals[:: rng.choice((1, -1))])
        return (
            f'{json.dumps(self.head, separators=(",", ":"))[:-1]},"unified_receipt":{{"status":0,'
            f'"environment":"{environment}","latest_receipt_info":[{",".join(rows)}],'
            f'"latest_receipt":"{receipt}","pending_renewal_info":[{entries}]}},'
            f'{json.dumps(self.tail, separators=(",", ":"))[1:]}'
        )


def redelivered(text: str, rng: random.Random) -> str:
    """The same message sent again: another receipt, keys and rows in another order."""
    body = json.loads(text)
    receipt = body["unified_receipt"]
    receipt["latest_receipt"] = base64.b64encode(rng.randbytes(48)).decode()
    rng.shuffle(receipt["latest_receipt_info"])
    body["unified_receipt"] = _reordered(receipt, rng)
    return json.dumps(_reordered(body, rng), separators=(",", ":"))


def _reordered(value: dict, rng: random.Random) -> dict:
    keys = list(value)
    rng.shuffle(keys)
    return {key: value[key] for key in keys}


def summer_check() -> bool:
    """Los Angeles is 7 hours behind in July and 8 in January."""
    july, january = 1_657_000_000_000, 1_641_000_000_000
    return all(
        dates("d", instant, False)["d_pst"].startswith(strftime(TEXT, gmtime((instant - behind * HOUR) // 1000)))
        for instant, behind in ((july, 7), (january, 8))
    )


assert summer_check() and model.LIVE < model.END
