"""What Apple answers about a customer of `lifecycles` at some time: `verifyReceipt` by V1, histories and statuses by V2."""

from dataclasses import dataclass, field

import archive
import bodies
import model
from model import DAY, MINUTE, Customer, Period, Subscription
from teller import Teller

# The pause between two periods in which a renewal settles.
GAP, SANDBOX_GAP = 5 * MINUTE, MINUTE
# A page of a history has at most so many transactions (server-api.md).
PAGE = 20


@dataclass
class Told:
    """All answers about one customer, in the order of their times."""

    customer: Customer
    legacy: list[dict] = field(default_factory=list)
    histories: list[list[dict]] = field(default_factory=list)
    statuses: list[dict] = field(default_factory=list)


def life(name: str, seed: int, number: int, legacy: list[int], server: list[int]) -> Told | None:
    """The life of a customer, with answers at given times; none where nothing was bought before the first of them."""
    told: list[Told] = []

    def watch(teller: Teller) -> None:
        customer = teller.customer
        told.append(Told(customer))
        for at in legacy:
            teller.schedule(at, lambda: told[0].legacy.append(answer(customer, teller.now)))
        for at in server:
            teller.schedule(at, lambda: told[0].histories.append(history(customer, teller.now)))
            teller.schedule(at, lambda: told[0].statuses.append(statuses(customer, teller.now)))

    archive.life(name, seed, number, watch)
    found = told[0]
    found.legacy = [one for one in found.legacy if one["receipt"]["in_app"]]
    bought = {row["original_transaction_id"] for one in found.legacy for row in one["receipt"]["in_app"]}
    # Of somebody else nothing would show that it is the same customer.
    found.histories = [one for one in found.histories if bought.intersection(ids(one[0]["transactions"]))]
    items = [(one, [item for group in one["data"] for item in group["lastTransactions"]]) for one in found.statuses]
    found.statuses = [one for one, listed in items if bought.intersection(ids(listed))]
    return found if found.legacy and found.histories else None


def is_recovered_since(told: Told) -> bool:
    """V2 lists a renewal that began before V1 was asked last, and that V1 lacks: Apple recovered it since."""
    asked = int(told.legacy[-1]["receipt"]["request_date_ms"])
    known = {row["transaction_id"] for row in told.legacy[-1].get("latest_receipt_info", [])}
    listed = [one for pages in told.histories for page in pages for one in page["transactions"]]
    return any("expiresDate" in one and one["purchaseDate"] < asked and one["transactionId"] not in known for one in listed)


def ids(listed: list[dict]) -> set[str]:
    return {one["originalTransactionId"] for one in listed}


def environment(customer: Customer) -> str:
    return "Sandbox" if customer.sandbox else "Production"


# MARK: V1


def answer(customer: Customer, now: int) -> dict:
    """A response of verifyReceipt (v1.md §3): the newest receipt of the customer."""
    listed = bodies.listed(customer)
    rows = [bodies.row(one, now) for one in listed]
    latest = [row for one, row in zip(listed, rows, strict=True) if one.expires is not None]
    keys = ("is_upgraded", "offer_code_ref_name", "subscription_group_identifier", "in_app_ownership_type")
    receipt = {
        "receipt_type": "ProductionSandbox" if customer.sandbox else "Production", "adam_id": 1450000001,
        "bundle_id": model.BUNDLE, "application_version": "31", "original_application_version": "1.0",
        **bodies.dates("request_date", now), **bodies.dates("receipt_creation_date", now),
        "in_app": [{key: value for key, value in row.items() if key not in keys} for row in rows],
    }  # fmt: skip
    found = {"status": 0, "environment": environment(customer), "receipt": receipt}
    if latest:
        renewals = [bodies.renewal(one, now) for one in customer.subscriptions]
        found |= {"latest_receipt_info": latest, "latest_receipt": "bGF0ZXN0", "pending_renewal_info": renewals}
    return found


# MARK: V2


def was_refunded(customer: Customer, period: Period) -> bool:
    """A period that an upgrade ended has no revocation date in V2 (mapping.md B3)."""
    kinds = ("REFUND", "REVOKE")
    return any(one.kind in kinds and one.transaction == period.transaction for one in customer.events)


def looks_renewed(customer: Customer, period: Period) -> bool:
    """It was bought minutes after the end of another period, and looks in V1 like a renewal that settled then
    (decision.window.gap)."""
    gap = SANDBOX_GAP if customer.sandbox else GAP
    for sub in customer.subscriptions:
        place = sub.periods.index(period) if period in sub.periods else 0
        before = sub.periods[place - 1] if place else None
        is_over = before and (before.upgraded or (before.cancelled or before.expires) < before.expires)
        if before and not is_over and before.expires <= period.purchase <= before.expires + gap:
            return True
    return False


def is_renewal(customer: Customer, period: Period) -> bool:
    return any(one.kind == "DID_RENEW" and one.transaction == period.transaction for one in customer.events)


def transaction(customer: Customer, period: Period, now: int) -> dict:
    """A decoded transaction, as it is signed at a time."""
    found: dict = {
        "transactionId": str(period.transaction), "originalTransactionId": str(period.original),
        "bundleId": model.BUNDLE, "productId": period.product.identifier, "purchaseDate": period.purchase,
        "originalPurchaseDate": period.first, "quantity": 1, "type": period.product.kind,
        "inAppOwnershipType": "FAMILY_SHARED" if period.family else "PURCHASED", "signedDate": now,
        "environment": environment(customer), "storefront": "USA", "storefrontId": "143441",
    }  # fmt: skip
    is_automatic = is_renewal(customer, period) or looks_renewed(customer, period)
    found["transactionReason"] = "RENEWAL" if is_automatic else "PURCHASE"
    if period.expires is not None:
        found |= {"webOrderLineItemId": str(period.line), "expiresDate": period.expires}
        found["subscriptionGroupIdentifier"] = period.product.group
    if period.cancelled is not None and was_refunded(customer, period):
        found |= {"revocationDate": period.cancelled, "revocationReason": period.reason}
    if period.upgraded:
        found["isUpgraded"] = True
    if period.trial or period.intro:
        found |= {"offerType": 1, "offerDiscountType": "FREE_TRIAL" if period.trial else "PAY_AS_YOU_GO"}
    if period.promotional:
        found |= {"offerType": 2, "offerIdentifier": period.promotional}
    if period.code:
        found |= {"offerType": 3, "offerIdentifier": period.code}
    return found


def history(customer: Customer, now: int) -> list[dict]:
    """The pages of Get Transaction History, decoded."""
    periods = [one for sub in customer.subscriptions for one in sub.periods]
    # Finished or not (server-api.md); V1 no longer lists what is finished.
    periods += customer.purchases
    found = [transaction(customer, one, now) for one in periods]
    head = {"bundleId": model.BUNDLE, "appAppleId": 1450000001, "environment": environment(customer)}
    pages = [found[at : at + PAGE] for at in range(0, len(found), PAGE)] or [[]]
    return [
        head | {"revision": f"{customer.number}_{at}", "hasMore": at + 1 < len(pages), "transactions": page}
        for at, page in enumerate(pages)
    ]


def status(sub: Subscription, now: int) -> int:
    """The status of Get All Subscription Statuses (mapping.md C)."""
    period = sub.current
    if period.cancelled is not None and not period.upgraded:
        return 5
    if period.expires > now:
        return 1
    if sub.retry:
        return 4 if sub.grace is not None and sub.grace > now else 3
    return 2


def start_date(customer: Customer, sub: Subscription) -> int:
    """Since when it runs: interruptions of at most 60 days (Sandbox: 10 minutes) do not count (mapping.md B7); a refund
    ends the service."""
    start, end = sub.periods[0].purchase, 0
    longest = 10 * MINUTE if customer.sandbox else 60 * DAY
    for place, period in enumerate(sub.periods):
        if end and period.purchase > end + longest:
            start = period.purchase
        ends = [period.expires, period.cancelled or period.expires]
        if period.upgraded and place + 1 < len(sub.periods):
            ends.append(max(period.purchase, sub.periods[place + 1].purchase))
        end = max(end, min(ends))
    return start


def renewal(customer: Customer, sub: Subscription, now: int) -> dict:
    """A decoded renewal info."""
    found: dict = {
        "originalTransactionId": str(sub.original), "productId": sub.current.product.identifier,
        "autoRenewProductId": sub.next_product.identifier, "autoRenewStatus": int(sub.auto_renew),
        "environment": environment(customer), "signedDate": now, "renewalDate": sub.current.expires,
        "recentSubscriptionStartDate": start_date(customer, sub),
    }  # fmt: skip
    if sub.intent is not None:
        found["expirationIntent"] = sub.intent
    if sub.retry is not None:
        found["isInBillingRetryPeriod"] = sub.retry
    if sub.grace is not None and sub.retry and sub.grace > now:
        found["gracePeriodExpiresDate"] = sub.grace
    consent = sub.consent if sub.consent is not None else sub.increase
    if consent is not None:
        found["priceIncreaseStatus"] = consent
    if sub.pending:
        found |= {"offerType": 2 if sub.pending[0].startswith("promo") else 3, "offerIdentifier": sub.pending[1]}
    return found


def statuses(customer: Customer, now: int) -> dict:
    """A response of Get All Subscription Statuses, decoded."""
    groups: dict[str, list[dict]] = {}
    for sub in customer.subscriptions:
        item = {
            "originalTransactionId": str(sub.original), "status": status(sub, now),
            "transactionInfo": transaction(customer, sub.current, now), "renewalInfo": renewal(customer, sub, now),
        }  # fmt: skip
        groups.setdefault(sub.current.product.group, []).append(item)
    data = [{"subscriptionGroupIdentifier": group, "lastTransactions": items} for group, items in groups.items()]
    return {"bundleId": model.BUNDLE, "appAppleId": 1450000001, "environment": environment(customer), "data": data}
