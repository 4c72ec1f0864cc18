"""The class of every V2 path of a pair that both sides tell truly, after facts about V1 and V2, path by path.

A class follows from what the path is (renamed, concluded, V2's own), from what V1's message shows (it lists only so
many periods), and from what V2 had when it was signed.
"""

import model
from legacy import Message
from model import DAY, HOUR, MINUTE, Period, Subscription

IDENTICAL, REPRESENTATION, SEMANTIC = "identical", "representation", "semantic"
DERIVED, LEGACY_ONLY, SERVER_ONLY = "derived", "legacyOnly", "serverOnly"
TIME_DEPENDENT, CONFLICT = "timeDependent", "conflict"
CLASSES = (
    IDENTICAL, REPRESENTATION, SEMANTIC, DERIVED, LEGACY_ONLY, SERVER_ONLY, TIME_DEPENDENT, CONFLICT,
)

TRANSACTION = "data.transactionInfo."
RENEWAL = "data.renewalInfo."
PURCHASES = ("INITIAL_BUY", "INTERACTIVE_RENEWAL")
RENEWALS = ("DID_RENEW", "DID_RECOVER")


def classes(message: Message, notification: dict, time: int | None, history: int) -> dict[str, str]:
    """Path to class for a pair; paths that stand on neither side are left out."""
    sub, period = message.sub, message.target
    signed, data = notification["signedDate"], notification["data"]
    found = {"notificationType": DERIVED}
    if "subtype" in notification:
        found["subtype"] = DERIVED
    found |= {"notificationUUID": SERVER_ONLY, "version": DERIVED, "signedDate": SERVER_ONLY}
    if "appAppleId" in data:
        found["data.appAppleId"] = SERVER_ONLY
    found["data.bundleId"] = REPRESENTATION
    found["data.bundleVersion"] = REPRESENTATION if data["bundleVersion"] == sub.app.version else SEMANTIC
    found["data.environment"] = REPRESENTATION
    if "consumptionRequestReason" in data:
        found["data.consumptionRequestReason"] = SERVER_ONLY
    if period.line is None:
        return found | one_time(message, data["transactionInfo"])
    if "status" in data:
        # Judged at the event's time: V1 must tell it.
        found["data.status"] = SERVER_ONLY if time is None else DERIVED
    elif time is not None:
        found["data.status"] = LEGACY_ONLY
    transaction(found, message, data["transactionInfo"], signed)
    renewal(found, message, data["renewalInfo"], signed, history)
    return found


def one_time(message: Message, told: dict) -> dict[str, str]:
    """The purchase of a consumable or non-consumable: V1 may only have its id."""
    found = {}
    shared = ("originalTransactionId", "bundleId", "environment")
    listed = (
        "transactionId", "productId", "purchaseDate", "originalPurchaseDate", "quantity", "inAppOwnershipType",
        "revocationDate", "revocationReason", "appAccountToken",
    )
    for name in told:
        if name in shared or (message.rows and name in listed):
            found[TRANSACTION + name] = REPRESENTATION
        else:
            found[TRANSACTION + name] = SERVER_ONLY
    if not message.rows:
        return found
    skew(found, message.sub)
    if not message.sub.states_ownership:
        found[TRANSACTION + "inAppOwnershipType"] = DERIVED
    # Nobody renews these.
    found[TRANSACTION + "transactionReason"] = DERIVED if "transactionReason" in told else LEGACY_ONLY
    return found


def skew(found: dict[str, str], sub: Subscription) -> None:
    if sub.skew:
        found[TRANSACTION + "originalPurchaseDate"] = SEMANTIC


def transaction(found: dict[str, str], message: Message, told: dict, signed: int) -> None:
    """The purchase that the event is about."""
    sub, period = message.sub, message.target
    own = ("signedDate", "storefront", "storefrontId", "price", "currency", "appTransactionId", "offerPeriod")
    for name in told:
        found[TRANSACTION + name] = SERVER_ONLY if name in own else REPRESENTATION
    found[TRANSACTION + "type"] = DERIVED
    skew(found, sub)
    if not sub.states_ownership:
        # A REVOKE goes to family members, all else to who paid: concluded from silence.
        found[TRANSACTION + "inAppOwnershipType"] = DERIVED
    offer = period.offer
    if offer:
        found[TRANSACTION + "offerType"] = DERIVED
        free = DERIVED if signed >= model.PRICES else LEGACY_ONLY
        if offer.is_free:
            found[TRANSACTION + "offerDiscountType"] = free
        elif signed >= model.PRICES:
            # V1 knows trials alone.
            found[TRANSACTION + "offerDiscountType"] = SERVER_ONLY
    is_known = shows_reason(message, period)
    if signed >= model.V2_8:
        found[TRANSACTION + "transactionReason"] = DERIVED if is_known else SERVER_ONLY
    elif is_known:
        found[TRANSACTION + "transactionReason"] = LEGACY_ONLY


def shows_reason(message: Message, period: Period) -> bool:
    """Whether V1 tells if the customer bought or the App Store renewed."""
    if message.kind == "INTERACTIVE_RENEWAL" and may_be_recovery(message, period):
        return False
    if message.kind in PURCHASES or message.kind in RENEWALS:
        return True
    if period is message.sub.periods[0]:
        return True
    place = message.listed.index(period)
    if place == 0:
        return False
    before = message.listed[place - 1]
    if before.upgraded and before.expires > period.purchase:
        return True
    distance = period.purchase - before.expires
    is_other = before.product != period.product or period.offer or before.cancelled is not None
    if message.is_purchase and (is_other or distance > 5 * MINUTE):
        # Another product, an offer, a refund or a lapse before it shows that the customer bought.
        return True
    if period.purchase - before.end > 60 * DAY:
        # Billing retry is over: the customer bought again (Apple retries for 60 days; ten minutes in the sandbox).
        return True
    if before.end < min(before.expires, period.purchase):
        # Nothing renews so long before the end of what was refunded.
        return distance < -DAY
    # Renewals begin where the last period ended; minutes later the customer may have chosen another product or an offer.
    is_chosen = before.product != period.product or period.offer
    return -DAY <= distance <= (5 * MINUTE if is_chosen else HOUR)


def may_be_recovery(message: Message, period: Period) -> bool:
    """Whether Apple may still have retried billing (for 60 days): then the failed renewal may have been charged."""
    place = message.listed.index(period)
    # An offer on what had ended was an event of its own before that day.
    if place == 0 or period.offer and period.purchase < model.OFFERS_ON_INACTIVE:
        return False
    before = message.listed[place - 1]
    was_revoked = before.cancelled is not None and before.cancelled <= period.purchase
    return not was_revoked and not before.upgraded and 0 <= period.purchase - before.expires <= 60 * DAY


def renewal(found: dict[str, str], message: Message, told: dict, signed: int, history: int) -> None:
    """What is known of the next renewal."""
    sub = message.sub
    own = ("signedDate", "renewalPrice", "currency", "offerDiscountType", "appAccountToken", "appTransactionId")
    for name in told:
        found[RENEWAL + name] = SERVER_ONLY if name in own else REPRESENTATION
    if sub.grace is not None and "gracePeriodExpiresDate" not in told:
        # V1 keeps the date when grace is over.
        found[RENEWAL + "gracePeriodExpiresDate"] = TIME_DEPENDENT
    if sub.increase is not None and not sub.shown:
        # V1's key speaks of increases that need consent, V2's of all.
        found[RENEWAL + "priceIncreaseStatus"] = SEMANTIC
    if "offerType" in told:
        found[RENEWAL + "offerType"] = DERIVED
    if sub.shows_run_start(history):
        found[RENEWAL + "recentSubscriptionStartDate"] = DERIVED
    else:
        found[RENEWAL + "recentSubscriptionStartDate"] = SERVER_ONLY
    found[RENEWAL + "renewalDate"] = DERIVED if signed >= model.V2_8 else LEGACY_ONLY
