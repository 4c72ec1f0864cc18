"""Differences planted in the V2 notification.

Each kind changes an event or says that it does not fit (None); it gives the classes that the change must lead to.
"""

from expected import CONFLICT, DERIVED, RENEWAL, REPRESENTATION, SEMANTIC, SERVER_ONLY, TIME_DEPENDENT, TRANSACTION
from model import DAY, HOUR, SECOND, WIN_BACK

# Classes of paths that both sides state.
STATED = (REPRESENTATION, DERIVED, SEMANTIC)
KINDS = {}


def kind(name: str):
    """Registers a kind of plant."""

    def register(plant):
        KINDS[name] = plant
        return plant

    return register


def holder(event, path: str) -> tuple[dict | None, str]:
    """The object of the notification that a path leads into, and the last name."""
    *steps, last = path.split(".")
    found = event.notification
    for step in steps:
        found = found.get(step)
        if found is None:
            break
    return found, last


def is_silent(event, path: str) -> bool:
    """V1 has no word for an increase without consent."""
    sub = event.message.sub
    return path == RENEWAL + "priceIncreaseStatus" and sub.consent is None and not sub.shown


def other_value(path: str, change):
    """A kind that replaces a value that both sides state, or takes it away."""

    def plant(event, rng):
        if event.classes.get(path) not in STATED or not keeps_pair(event, path):
            return None
        place, name = holder(event, path)
        if place is None or name not in place or (change is None and is_silent(event, path)):
            return None
        if change is None:
            del place[name]
        else:
            place[name] = change(place[name])
        return {path: CONFLICT}

    return plant


def renamed(text: str) -> str:
    return text + ".other"


def next_number(text: str) -> str:
    return str(int(text) + 1)


def other_environment(word: str) -> str:
    return "Production" if word == "Sandbox" else "Sandbox"


def swapped(number: int) -> int:
    return 1 - number


# What tells near events of one type apart, and what purchases without a line item are found by.
TELLING = (RENEWAL + "autoRenewProductId", RENEWAL + "autoRenewStatus", TRANSACTION + "webOrderLineItemId")
NAMING = (TRANSACTION + "originalTransactionId",)


def keeps_pair(event, path: str) -> bool:
    """Whether the two records still find each other when this path says another thing."""
    if event.is_delicate and path in TELLING:
        return False
    return event.message.target.line is not None or path not in NAMING


OTHER = {
    "data.bundleId": renamed,
    "data.environment": other_environment,
    TRANSACTION + "originalTransactionId": next_number,
    TRANSACTION + "bundleId": renamed,
    TRANSACTION + "productId": renamed,
    TRANSACTION + "subscriptionGroupIdentifier": next_number,
    TRANSACTION + "purchaseDate": lambda date: date + SECOND,
    TRANSACTION + "expiresDate": lambda date: date - DAY,
    TRANSACTION + "quantity": lambda number: number + 1,
    TRANSACTION + "type": lambda word: "Non-Renewing Subscription",
    TRANSACTION + "appAccountToken": lambda word: word[:-1] + ("0" if word[-1] != "0" else "1"),
    TRANSACTION + "inAppOwnershipType": lambda word: "PURCHASED" if word == "FAMILY_SHARED" else "FAMILY_SHARED",
    TRANSACTION + "revocationReason": swapped,
    TRANSACTION + "revocationDate": lambda date: date + SECOND,
    TRANSACTION + "offerType": lambda number: number % 3 + 1,
    TRANSACTION + "offerIdentifier": renamed,
    TRANSACTION + "environment": other_environment,
    TRANSACTION + "transactionReason": lambda word: "RENEWAL" if word == "PURCHASE" else "PURCHASE",
    TRANSACTION + "offerDiscountType": lambda word: "PAY_UP_FRONT",
    RENEWAL + "expirationIntent": lambda number: number % 5 + 1,
    RENEWAL + "originalTransactionId": next_number,
    RENEWAL + "autoRenewProductId": renamed,
    RENEWAL + "productId": renamed,
    RENEWAL + "autoRenewStatus": swapped,
    RENEWAL + "isInBillingRetryPeriod": lambda flag: not flag,
    RENEWAL + "gracePeriodExpiresDate": lambda date: date - HOUR,
    RENEWAL + "offerType": lambda number: 5 - number,
    RENEWAL + "offerIdentifier": renamed,
    RENEWAL + "environment": other_environment,
    RENEWAL + "recentSubscriptionStartDate": lambda date: date - DAY,
    RENEWAL + "renewalDate": lambda date: date + DAY,
}
MISSING = (
    "data.bundleId", "data.environment", "data.status",
    *(TRANSACTION + name for name in (
        "webOrderLineItemId", "productId", "subscriptionGroupIdentifier", "purchaseDate", "originalPurchaseDate",
        "expiresDate", "quantity", "appAccountToken", "revocationReason", "revocationDate", "offerType",
        "offerIdentifier", "transactionReason", "offerDiscountType",
    )),
    *(RENEWAL + name for name in (
        "expirationIntent", "autoRenewProductId", "autoRenewStatus", "isInBillingRetryPeriod", "priceIncreaseStatus",
        "gracePeriodExpiresDate", "offerType", "offerIdentifier", "recentSubscriptionStartDate", "renewalDate",
    )),
)
for _path, _change in OTHER.items():
    KINDS[f"other.{_path}"] = other_value(_path, _change)
for _path in MISSING:
    KINDS[f"missing.{_path}"] = other_value(_path, None)


def parts(event) -> tuple[dict, dict]:
    """Transaction and renewal; the second is empty for purchases that do not renew."""
    data = event.notification["data"]
    return data["transactionInfo"], data.get("renewalInfo", {})


# MARK: nearly the same


@kind("near.transactionId")
def renumbered(event, rng):
    """A restore gives V1 another number; the line item names the purchase."""
    told, _ = parts(event)
    if "webOrderLineItemId" not in told:
        return None
    told["transactionId"] = str(int(told["transactionId"]) + 1)
    return {TRANSACTION + "transactionId": SEMANTIC}


def original_purchase(seconds: int, word: str):
    """V1's date so many seconds behind V2's."""

    def plant(event, rng):
        if event.classes.get(TRANSACTION + "originalPurchaseDate") not in STATED:
            return None
        told, _ = parts(event)
        shown = event.message.sub.first_purchase + event.message.sub.skew
        told["originalPurchaseDate"] = shown - seconds * SECOND
        return {TRANSACTION + "originalPurchaseDate": word}

    return plant


KINDS["near.originalPurchaseDate"] = original_purchase(5, SEMANTIC)
KINDS["far.originalPurchaseDate"] = original_purchase(12, CONFLICT)


@kind("near.appAccountToken")
def capitals(event, rng):
    """UUIDs compare by value."""
    told, _ = parts(event)
    path = TRANSACTION + "appAccountToken"
    if event.classes.get(path) not in STATED or told["appAccountToken"].isnumeric():
        return None
    told["appAccountToken"] = told["appAccountToken"].upper()
    return {path: REPRESENTATION}


@kind("near.bundleVersion")
def version(event, rng):
    """The build that bought, and the build of now."""
    event.notification["data"]["bundleVersion"] = "9.9.9"
    return {"data.bundleVersion": SEMANTIC}


@kind("near.isUpgraded")
def not_upgraded(event, rng):
    """False says what its absence says."""
    told, renewal = parts(event)
    if not renewal or "isUpgraded" in told:
        return None
    told["isUpgraded"] = False
    return {TRANSACTION + "isUpgraded": REPRESENTATION}


# MARK: only V2 says it


def added(path: str, value, word: str, fits=lambda event: True):
    """A kind that adds what V1 is silent about."""

    def plant(event, rng):
        place, name = holder(event, path)
        if path in event.classes or place is None or name in place or not fits(event):
            return None
        place[name] = value(event) if callable(value) else value
        return {path: word}

    return plant


def is_renewing(event) -> bool:
    return "renewalInfo" in event.notification["data"]


def has_status(event) -> bool:
    return is_renewing(event) and "status" in event.notification["data"]


def is_price_quiet(event) -> bool:
    return is_renewing(event) and event.message.kind != "PRICE_INCREASE_CONSENT"


def has_no_offer(event) -> bool:
    return is_renewing(event) and event.message.target.offer is None


KINDS["added.isUpgraded"] = added(TRANSACTION + "isUpgraded", True, CONFLICT, has_status)
KINDS["added.expirationIntent"] = added(RENEWAL + "expirationIntent", 1, CONFLICT)
# Bodies without the flag say that Apple does not retry, or nothing.
KINDS["added.isInBillingRetryPeriod.false"] = added(RENEWAL + "isInBillingRetryPeriod", False, SEMANTIC)
KINDS["added.isInBillingRetryPeriod.true"] = added(RENEWAL + "isInBillingRetryPeriod", True, CONFLICT)
KINDS["added.priceIncreaseStatus.0"] = added(RENEWAL + "priceIncreaseStatus", 0, CONFLICT, is_price_quiet)
KINDS["added.priceIncreaseStatus.1"] = added(RENEWAL + "priceIncreaseStatus", 1, SEMANTIC, is_price_quiet)
KINDS["added.appAccountToken"] = added(
    TRANSACTION + "appAccountToken", "2f6c1c6e-4a55-4a0e-9d0e-0a6f5a3c1d11", SERVER_ONLY,
    lambda event: bool(event.message.rows),
)
KINDS["added.offerType.1"] = added(TRANSACTION + "offerType", 1, CONFLICT, has_no_offer)
KINDS["added.renewal.offerType.1"] = added(RENEWAL + "offerType", 1, SERVER_ONLY)
KINDS["added.renewal.offerType.2"] = added(RENEWAL + "offerType", 2, CONFLICT)


@kind("added.winBack")
def win_back(event, rng):
    """V1 has no word for win-back offers."""
    told, _ = parts(event)
    if not has_no_offer(event):
        return None
    told["offerType"], told["offerIdentifier"] = 4, "come.back"
    return {TRANSACTION + "offerType": SERVER_ONLY, TRANSACTION + "offerIdentifier": SERVER_ONLY}


# MARK: grace that is over


def stale_grace(shift: int, word: str):
    """V1 keeps the date of a grace period that is over; V2 has it too, or another one that is over as well."""

    def plant(event, rng):
        path = RENEWAL + "gracePeriodExpiresDate"
        if event.classes.get(path) != TIME_DEPENDENT:
            return None
        _, renewal = parts(event)
        renewal["gracePeriodExpiresDate"] = event.message.sub.grace - shift
        return {path: word}

    return plant


KINDS["grace.kept"] = stale_grace(0, REPRESENTATION)
KINDS["grace.past"] = stale_grace(HOUR, TIME_DEPENDENT)

# MARK: offers


@kind("offer.promotionalToldAsWinBack")
def win_back_as_promotional(event, rng):
    """There were no win-back offers before 2024-07-08; from then on one may look like a promotional offer in V1."""
    told, _ = parts(event)
    if told.get("offerType") != 2 or event.classes.get(TRANSACTION + "offerType") != DERIVED:
        return None
    if told["purchaseDate"] >= WIN_BACK - DAY:
        return None
    told["offerType"] = 4
    return {TRANSACTION + "offerType": CONFLICT}


@kind("offer.introToldAsTrial")
def intro_as_trial(event, rng):
    """V1 says that it is no trial."""
    told, _ = parts(event)
    offer = event.message.target.offer
    if offer is None or offer.is_free or "offerDiscountType" not in told:
        return None
    told["offerDiscountType"] = "FREE_TRIAL"
    return {TRANSACTION + "offerDiscountType": CONFLICT}


# MARK: types


def told_as(life: str, to: str, changes: dict[str, str]):
    """A kind that has V2 tell another type or subtype."""

    def plant(event, rng):
        if event.name != life or event.is_delicate:
            return None
        word, _, subtype = to.partition("/")
        event.notification["notificationType"] = word
        event.notification.pop("subtype", None)
        if subtype:
            event.notification["subtype"] = subtype
        return changes

    return plant


SUBTYPE = {"subtype": CONFLICT}
TYPE = {"notificationType": CONFLICT}
TOLD = {
    "fail.grace": ("DID_FAIL_TO_RENEW", SUBTYPE),
    "fail": ("DID_FAIL_TO_RENEW/GRACE_PERIOD", SUBTYPE),
    "recover": ("DID_RENEW", SUBTYPE),
    "renew": ("DID_RENEW/BILLING_RECOVERY", SUBTYPE),
    "subscribe.trial": ("SUBSCRIBED/RESUBSCRIBE", SUBTYPE),
    "downgrade": ("DID_CHANGE_RENEWAL_PREF/UPGRADE", SUBTYPE),
    "off": ("DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED", SUBTYPE),
    "expired.billing": ("EXPIRED/PRICE_INCREASE", SUBTYPE),
    "revoke": ("REFUND", TYPE),
    "refund": ("REVOKE", TYPE),
    "subscribe.plain": ("OFFER_REDEEMED/INITIAL_BUY", TYPE),
    "upgrade": ("SUBSCRIBED/RESUBSCRIBE", TYPE | SUBTYPE),
    # Within what V1's message may be.
    "off.retry": ("EXPIRED/VOLUNTARY", {"notificationType": DERIVED, "subtype": DERIVED}),
    "downgrade.offer": ("DID_CHANGE_RENEWAL_PREF/DOWNGRADE", {"notificationType": DERIVED, "subtype": DERIVED}),
}
for _life, (_to, _changes) in TOLD.items():
    KINDS[f"told.{_life}.as.{_to}"] = told_as(_life, _to, _changes)
