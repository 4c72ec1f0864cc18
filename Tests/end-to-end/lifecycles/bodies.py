"""V1 bodies: the keys that a message has on its day, and the snapshot of the receipt when it was written."""

import json
import random
from bisect import bisect_right
from calendar import timegm
from datetime import date
from time import gmtime, strftime

import model
from model import BUNDLE, DAY, MINUTE, Customer, Message, Period, Subscription

SECRET = "5a1f0c3e9b7d4862a0e1f2c3d4b5a697"
TEXT = "%Y-%m-%d %H:%M:%S"
LIST_LIMIT = 100


def _changes() -> list[int]:
    """When clocks change in Los Angeles, seconds since 1970: summer time begins, ends, begins…"""
    found = []
    for year in range(2016, 2030):
        march = 14 - date(year, 3, 14).isoweekday() % 7
        november = 7 - date(year, 11, 7).isoweekday() % 7
        found += [timegm((year, 3, march, 10, 0, 0)), timegm((year, 11, november, 9, 0, 0))]
    return found


CHANGES = _changes()


def spelled(instant: int, zone: str = "Etc/GMT") -> str:
    seconds = instant // 1000
    if zone != "Etc/GMT":
        seconds -= 3600 * (7 if bisect_right(CHANGES, seconds) % 2 else 8)
    return f"{strftime(TEXT, gmtime(seconds))} {zone}"


def dates(name: str, instant: int) -> dict[str, str]:
    """A date in V1's three spellings."""
    pacific = spelled(instant, "America/Los_Angeles")
    return {name: spelled(instant), name + "_ms": str(instant), name + "_pst": pacific}


def row(period: Period, now: int) -> dict[str, str]:
    """An entry of latest_receipt_info (v1.md §2a)."""
    found = {"quantity": "1", "product_id": period.product.identifier, "transaction_id": str(period.transaction)}
    found |= dates("purchase_date", period.purchase) | dates("original_purchase_date", period.first)
    if period.expires is not None:
        found |= dates("expires_date", period.expires)
        found["web_order_line_item_id"] = str(period.line)
    found["is_trial_period"] = "true" if period.trial else "false"
    if period.expires is not None:
        found["is_in_intro_offer_period"] = "true" if period.intro else "false"
    found["original_transaction_id"] = str(period.original)
    if period.upgraded:
        found["is_upgraded"] = "true"
    if period.cancelled is not None:
        found |= dates("cancellation_date", period.cancelled) | {"cancellation_reason": str(period.reason)}
    if period.promotional:
        found["promotional_offer_id"] = period.promotional
    if period.code:
        found["offer_code_ref_name"] = period.code
    if now >= model.FAMILY_SHARING:
        found["in_app_ownership_type"] = "FAMILY_SHARED" if period.family else "PURCHASED"
    if period.product.group:
        found["subscription_group_identifier"] = period.product.group
    return found


def flat(period: Period, now: int) -> dict[str, str]:
    """The flat object of bodies before 2021-03-10: `expires_date` is in milliseconds, and no key marks upgrades."""
    found = {"quantity": "1", "product_id": period.product.identifier, "transaction_id": str(period.transaction)}
    found |= {"original_transaction_id": str(period.original), "bid": BUNDLE, "bvrs": "31", "item_id": "1450000001"}
    found |= dates("purchase_date", period.purchase) | dates("original_purchase_date", period.first)
    found["is_trial_period"] = "true" if period.trial else "false"
    if period.expires is not None:
        found["expires_date"] = str(period.expires)
        found["expires_date_formatted"] = spelled(period.expires)
        found["expires_date_formatted_pst"] = spelled(period.expires, "America/Los_Angeles")
        found["web_order_line_item_id"] = str(period.line)
        found["is_in_intro_offer_period"] = "true" if period.intro else "false"
        if now >= model.day("2019-02-01"):
            found["subscription_group_identifier"] = period.product.group or ""
    if period.cancelled is not None:
        found |= dates("cancellation_date", period.cancelled) | {"cancellation_reason": str(period.reason)}
    if period.promotional:
        found["promotional_offer_id"] = period.promotional
    if period.code:
        found["offer_code_ref_name"] = period.code
    return found


def renewal(subscription: Subscription, now: int, shown: bool | None = None) -> dict[str, str]:
    """An entry of pending_renewal_info (v1.md §2b)."""
    status = subscription.auto_renew if shown is None else shown
    found = {
        "auto_renew_product_id": subscription.next_product.identifier,
        "original_transaction_id": str(subscription.original),
        "product_id": subscription.current.product.identifier,
        "auto_renew_status": "1" if status else "0",
    }
    if subscription.intent is not None:
        found["expiration_intent"] = str(subscription.intent)
    if subscription.retry is not None:
        found["is_in_billing_retry_period"] = "1" if subscription.retry else "0"
    if subscription.grace is not None:
        found |= dates("grace_period_expires_date", subscription.grace)
    if subscription.consent is not None:
        found["price_consent_status"] = str(subscription.consent)
    if subscription.increase is not None and now >= model.INCREASE_KEY:
        found["price_increase_status"] = str(subscription.increase)
    if subscription.pending:
        found[subscription.pending[0]] = subscription.pending[1]
    return found


def listed(customer: Customer) -> list[Period]:
    """What the receipt lists: at most 100 periods, the latest expiry first; finished consumables are missing."""
    periods = [period for one in customer.subscriptions for period in one.periods]
    others = [one for one in customer.purchases if not one.is_finished]
    order = sorted(periods, key=lambda one: (-(one.expires or 0), -one.transaction))
    return (order + others)[:LIST_LIMIT]


def row_text(period: Period, now: int) -> str:
    """The entry as JSON, made once while nothing changes."""
    key = now >= model.FAMILY_SHARING
    if key not in period.texts:
        period.texts[key] = json.dumps(row(period, now), separators=(",", ":"))
    return period.texts[key]


def has_flat(message: Message, customer: Customer) -> bool:
    """Sandbox bodies lost the flat keys by 2020-11 (v1.md §6)."""
    return message.at < (model.RENEW_EVENTS if customer.sandbox else model.FLAT_REMOVED)


def flat_keys(message: Message, rng: random.Random) -> dict:
    """The flat pair: `latest_expired_…` where the period is expired or refunded, and for CANCEL (v1.md §6)."""
    period = message.target
    is_over = period.expires is not None and period.expires <= message.at + MINUTE // 2
    is_expired = message.kind == "CANCEL" or is_over or period.cancelled is not None and message.kind != "REFUND"
    info = "latest_expired_receipt_info" if is_expired else "latest_receipt_info"
    receipt = "latest_expired_receipt" if is_expired and message.kind != "DID_FAIL_TO_RENEW" else "latest_receipt"
    return {receipt: f"{rng.getrandbits(96):024x}", info: flat(period, message.at)}


def composed(message: Message, customer: Customer, now: int, rng: random.Random) -> str:
    """The body as it is written at a time: what changed is stated as of the event, the receipt as of now."""
    body = {"notification_type": message.kind, "password": SECRET}
    body |= {"environment": "Sandbox" if customer.sandbox else "PROD"} | message.head
    if has_flat(message, customer):
        body |= flat_keys(message, rng)
    # During its first weeks some bodies lacked the new object (v1.md §1).
    has_list = now >= model.UNIFIED and (now >= model.UNIFIED + 60 * DAY or rng.random() < 0.7)
    if now >= model.day("2020-06-01"):
        body |= {"bid": BUNDLE, "bvrs": "31"}
    if now >= model.NAMED:
        body["original_transaction_id"] = message.target.original
    if now >= model.DEPRECATED:
        body["deprecation"] = "Tue, 31 Dec 2030 00:00:00 GMT"
    text = json.dumps(body, separators=(",", ":"))
    if not has_list:
        return text
    rows = ",".join(row_text(one, now) for one in listed(customer))
    entries = [
        renewal(one, now, message.shown_status if one is message.subscription else None)
        for one in customer.subscriptions
    ]
    rng.shuffle(entries)
    renewals = ",".join(json.dumps(one, separators=(",", ":")) for one in entries)
    name = "Sandbox" if customer.sandbox else "Production"
    unified = f'"unified_receipt":{{"status":0,"environment":"{name}","latest_receipt_info":[{rows}]'
    unified += f',"latest_receipt":"{rng.getrandbits(96):024x}","pending_renewal_info":[{renewals}]}}'
    return f"{text[:-1]},{unified}}}"
