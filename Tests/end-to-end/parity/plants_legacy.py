"""Differences planted in the V1 message: what a careless archive lost or changed."""

import model
from expected import CONFLICT, DERIVED, LEGACY_ONLY, RENEWAL, REPRESENTATION, SERVER_ONLY, TRANSACTION
from legacy import dates
from model import HOUR
from plants_server import KINDS, STATED, keeps_pair, kind


# Messages that stand alone: no companion has to be found by what is dropped.
ALONE = ("DID_RENEW", "DID_RECOVER", "DID_FAIL_TO_RENEW", "INITIAL_BUY", "DID_CHANGE_RENEWAL_PREF")


def lost_key(key: str, path: str, word: str):
    """A kind that drops a key of the event's own row."""

    def plant(event, rng):
        message = event.message
        if event.classes.get(path) not in STATED or not message.rows or not keeps_pair(event, path):
            return None
        if key == "web_order_line_item_id" and message.kind not in ALONE:
            return None
        row = message.target_row()
        if row.pop(key, None) is None:
            return None
        message.put_row(row)
        return {path: word}

    return plant


for _key, _name, _word in (
    ("web_order_line_item_id", "webOrderLineItemId", SERVER_ONLY),
    ("quantity", "quantity", SERVER_ONLY),
    ("app_account_token", "appAccountToken", SERVER_ONLY),
    ("cancellation_reason", "revocationReason", CONFLICT),
):
    KINDS[f"legacy.lost.{_key}"] = lost_key(_key, TRANSACTION + _name, _word)


@kind("legacy.lost.in_app_ownership_type")
def ownership(event, rng):
    """Silence about the ownership is read as the usual one."""
    message = event.message
    if not message.rows or message.sub.family or not message.sub.states_ownership:
        return None
    row = message.target_row()
    del row["in_app_ownership_type"]
    message.put_row(row)
    return {TRANSACTION + "inAppOwnershipType": DERIVED}


@kind("legacy.expires_date.zone")
def zone_slip(event, rng):
    """The expiry in local time, taken for UTC: eight hours off. The next renewal is concluded from it."""
    message, period = event.message, event.message.target
    signed = event.notification["signedDate"]
    # Where a state or a type hangs on the hours, it would be another kind.
    if event.name not in ("renew", "off", "subscribe.plain", "downgrade", "on") or message.sub.sandbox:
        return None
    if period is not message.sub.current or period.expires - signed < 30 * HOUR:
        return None
    message.put_row(message.target_row() | dates("expires_date", period.expires - 8 * HOUR, message.lean))
    renewal = CONFLICT if signed >= model.V2_8 else LEGACY_ONLY
    return {TRANSACTION + "expiresDate": CONFLICT, RENEWAL + "renewalDate": renewal}


@kind("legacy.auto_renew_status")
def status_flag(event, rng):
    """The entry says another thing than the top of the body, and wins."""
    message = event.message
    if message.renewal is None or message.kind == "DID_CHANGE_RENEWAL_STATUS":
        return None
    message.is_changed = True
    message.renewal["auto_renew_status"] = "0" if message.renewal["auto_renew_status"] == "1" else "1"
    return {RENEWAL + "autoRenewStatus": CONFLICT}


@kind("legacy.price_increase_status")
def increase(event, rng):
    """The entry has the other answer."""
    message, path = event.message, RENEWAL + "priceIncreaseStatus"
    if "price_increase_status" not in (message.renewal or {}) or event.classes.get(path) not in STATED:
        return None
    message.is_changed = True
    message.renewal["price_increase_status"] = swapped(message.renewal["price_increase_status"])
    return {path: CONFLICT}


def swapped(word: str) -> str:
    return "1" if word == "0" else "0"


@kind("legacy.price_consent_status")
def consent(event, rng):
    """V1 has one answer, V2 the other one, and no price_increase_status speaks."""
    message = event.message
    if message.renewal is None or "price_consent_status" not in message.renewal:
        return None
    if "price_increase_status" in message.renewal:
        return None
    message.is_changed = True
    message.renewal["price_consent_status"] = swapped(message.renewal["price_consent_status"])
    return {RENEWAL + "priceIncreaseStatus": CONFLICT}


@kind("legacy.app_account_token.capitals")
def token_capitals(event, rng):
    """The token in capitals on V1's side."""
    message = event.message
    if not message.rows or not message.target.token:
        return None
    row = message.target_row()
    row["app_account_token"] = row["app_account_token"].upper()
    message.put_row(row)
    return {TRANSACTION + "appAccountToken": REPRESENTATION}
