"""Differences planted in the V1 message: what a careless archive lost or changed."""

import model
from expected import CONFLICT, DERIVED, LEGACY_ONLY, RENEWAL, REPRESENTATION, SERVER_ONLY, TRANSACTION
from legacy import dates
from model import HOUR
from plants_server import STATED, keeps_pair

KINDS = {}


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


def ownership(event, rng):
    """Silence about the ownership is read as the usual one."""
    message = event.message
    if not message.rows or message.sub.family or not message.sub.states_ownership:
        return None
    row = message.target_row()
    del row["in_app_ownership_type"]
    message.put_row(row)
    return {TRANSACTION + "inAppOwnershipType": DERIVED}


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


def status_flag(event, rng):
    """The entry says another thing than the top of the body, and wins."""
    message = event.message
    if message.renewal is None or message.kind == "DID_CHANGE_RENEWAL_STATUS":
        return None
    message.is_changed = True
    message.renewal["auto_renew_status"] = "0" if message.renewal["auto_renew_status"] == "1" else "1"
    return {RENEWAL + "autoRenewStatus": CONFLICT}


def renewal_entry(key: str, path: str, change, word: str):
    """A kind that changes or drops a key of the renewal entry."""

    def plant(event, rng):
        message = event.message
        if message.renewal is None or key not in message.renewal or event.classes.get(path) not in STATED:
            return None
        message.is_changed = True
        value = change(message.renewal[key])
        if value is None:
            del message.renewal[key]
        else:
            message.renewal[key] = value
        return {path: word}

    return plant


def swapped(word: str) -> str:
    return "1" if word == "0" else "0"


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


def token_capitals(event, rng):
    """The token in capitals on V1's side."""
    message = event.message
    if not message.rows or not message.target.token:
        return None
    row = message.target_row()
    row["app_account_token"] = row["app_account_token"].upper()
    message.put_row(row)
    return {TRANSACTION + "appAccountToken": REPRESENTATION}


KINDS["legacy.lost.in_app_ownership_type"] = ownership
KINDS["legacy.expires_date.zone"] = zone_slip
KINDS["legacy.auto_renew_status"] = status_flag
KINDS["legacy.price_consent_status"] = consent
KINDS["legacy.price_increase_status"] = renewal_entry(
    "price_increase_status", RENEWAL + "priceIncreaseStatus", swapped, CONFLICT
)
KINDS["legacy.app_account_token.capitals"] = token_capitals
