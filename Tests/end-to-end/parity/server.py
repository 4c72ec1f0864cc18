"""Decoded V2 notifications, told from the model as Apple's server would: members appear from their era on."""

import random

import model
from model import Period, Subscription

STOREFRONTS = (("USA", "143441", "USD"), ("DEU", "143443", "EUR"), ("JPN", "143462", "JPY"))


def environment(sub: Subscription) -> str:
    return "Sandbox" if sub.sandbox else "Production"


def status(sub: Subscription, at: int) -> int:
    """1 active, 2 expired, 3 billing retry, 4 grace, 5 revoked, as of a time."""
    newest = sub.current
    if newest.cancelled is not None:
        return 5
    if sub.grace is not None and sub.grace > at:
        return 4
    if newest.expires > at:
        return 1
    return 3 if sub.retry else 2


def store(sub: Subscription) -> tuple[str, str, str]:
    return STOREFRONTS[sub.original // 10 % len(STOREFRONTS)]


def transaction(sub: Subscription, period: Period, signed: int) -> dict:
    """JWSTransactionDecodedPayload."""
    is_subscription = period.line is not None
    found = {"originalTransactionId": str(sub.original), "transactionId": str(period.transaction)}
    if is_subscription:
        found["webOrderLineItemId"] = str(period.line)
    found["bundleId"] = sub.app.bundle
    found["productId"] = period.product.identifier
    if is_subscription:
        found["subscriptionGroupIdentifier"] = sub.app.group
    found["purchaseDate"] = period.purchase
    found["originalPurchaseDate"] = sub.first_purchase
    if is_subscription:
        found["expiresDate"] = period.expires
    found["quantity"] = period.quantity
    found["type"] = period.product.kind
    if period.token:
        found["appAccountToken"] = period.token
    found["inAppOwnershipType"] = "FAMILY_SHARED" if sub.family else "PURCHASED"
    found["signedDate"] = signed - 9
    if period.cancelled is not None and not period.upgraded:
        found["revocationReason"] = period.reason
        found["revocationDate"] = period.cancelled
    if period.upgraded:
        found["isUpgraded"] = True
    offer = period.offer
    if offer:
        found["offerType"] = offer.number
        if offer.identifier:
            found["offerIdentifier"] = offer.identifier
    found["environment"] = environment(sub)
    country, storefront, currency = store(sub)
    if signed >= model.V2_8:
        found["storefront"], found["storefrontId"] = country, storefront
        found["transactionReason"] = "PURCHASE" if period.bought else "RENEWAL"
    if signed >= model.PRICES and not sub.family:
        found["price"] = 0 if offer and offer.is_free else period.product.price
        found["currency"] = currency
    if signed >= model.PRICES and offer:
        found["offerDiscountType"] = offer.discount
    if signed >= model.APP_TRANSACTION:
        found["appTransactionId"] = str(704_000_000_000_000_000 + sub.original % 1_000_000_007)
        if offer:
            found["offerPeriod"] = "P1W" if offer.is_free else "P1M"
    return found


def renewal(sub: Subscription, signed: int) -> dict:
    """JWSRenewalInfoDecodedPayload."""
    found = {}
    if sub.intent is not None:
        found["expirationIntent"] = sub.intent
    found["originalTransactionId"] = str(sub.original)
    found["autoRenewProductId"] = sub.next_product.identifier
    found["productId"] = sub.current.product.identifier
    found["autoRenewStatus"] = 1 if sub.auto_renew else 0
    if sub.retry is not None:
        found["isInBillingRetryPeriod"] = sub.retry
    if sub.increase is not None:
        found["priceIncreaseStatus"] = sub.increase
    if sub.grace is not None and sub.grace > signed:
        found["gracePeriodExpiresDate"] = sub.grace
    if sub.next_offer:
        found["offerType"] = sub.next_offer.number
        found["offerIdentifier"] = sub.next_offer.identifier
    found["signedDate"] = signed - 7
    found["environment"] = environment(sub)
    found["recentSubscriptionStartDate"] = sub.run_start().purchase
    if signed >= model.V2_8:
        found["renewalDate"] = sub.current.expires
    if signed >= model.RENEWAL_PRICE and not sub.family:
        found["renewalPrice"] = sub.next_product.price
        found["currency"] = store(sub)[2]
    if signed >= model.RENEWAL_PRICE and sub.next_offer:
        found["offerDiscountType"] = sub.next_offer.discount
    if signed >= model.APP_TRANSACTION:
        if sub.token:
            found["appAccountToken"] = sub.token
        found["appTransactionId"] = str(704_000_000_000_000_000 + sub.original % 1_000_000_007)
    return found


def notification(
    sub: Subscription, kind: str, subtype: str | None, signed: int, period: Period | None, rng: random.Random
) -> dict:
    """The whole notification; without a period it is a TEST."""
    found: dict = {"notificationType": kind}
    if subtype:
        found["subtype"] = subtype
    found["notificationUUID"] = sub.numbers.uuid()
    found["version"] = "2.0"
    found["signedDate"] = signed
    data: dict = {}
    if not sub.sandbox:
        data["appAppleId"] = sub.app.apple_id
    data["bundleId"] = sub.app.bundle
    if period is not None:
        # V1 tells the build that bought; V2's may be another.
        data["bundleVersion"] = sub.app.version if rng.random() < 0.8 else "499"
    data["environment"] = environment(sub)
    if period is not None and period.line is not None:
        if signed >= model.V2_8:
            data["status"] = status(sub, signed)
        data["transactionInfo"] = transaction(sub, period, signed)
        data["renewalInfo"] = renewal(sub, signed)
    elif period is not None:
        data["transactionInfo"] = transaction(sub, period, signed)
    if kind == "CONSUMPTION_REQUEST" and signed >= model.CONSUMPTION_REASON:
        data["consumptionRequestReason"] = rng.choice(("UNINTENDED_PURCHASE", "FULFILLMENT_ISSUE", "OTHER"))
    found["data"] = data
    return found
