"""Whether a customer would have had access, by either side: the one place where this is defined.

Both sides are judged at V2's signing. V2 says it by `data.status` where it has one; V1, and V2 before it had statuses,
by the dates: access lasts while the newest period or its grace does, and not after it was taken back. Where they differ
within a minute of such an end, two clocks explain it. Where both grant it and a date of its end is in conflict, one of
them takes it back first.
"""

import json

BOUNDARY = 60_000
GRANTED, DENIED, LEGACY_ONLY, SERVER_ONLY = "granted", "denied", "legacyOnly", "serverOnly"
TIME_DEPENDENT, UNKNOWN = "timeDependent", "unknown"
EARLIER, LATER = "serverEndsEarlier", "serverEndsLater"
ENDS = (
    "data.transactionInfo.expiresDate", "data.transactionInfo.revocationDate", "data.renewalInfo.renewalDate",
    "data.renewalInfo.gracePeriodExpiresDate",
)
NEVER = 1 << 62
OUTCOMES = (GRANTED, DENIED, LEGACY_ONLY, SERVER_ONLY, TIME_DEPENDENT, UNKNOWN)


class Dates:
    """What one side says of the purchase, and of the newest period of its subscription."""

    __slots__ = ("is_subscription", "expires", "newest", "grace", "revoked", "upgraded")

    def __init__(self, is_subscription, expires, newest, grace, revoked, upgraded):
        self.is_subscription, self.expires, self.newest = is_subscription, expires, newest
        self.grace, self.revoked, self.upgraded = grace, revoked, upgraded

    def grants(self, at: int) -> bool | None:
        """Access by dates; None when they do not tell."""
        if not self.is_subscription:
            return not (self.revoked is not None and self.revoked - BOUNDARY <= at)
        is_older = self.newest is not None and self.expires is not None and self.newest > self.expires
        if self.revoked is not None and self.revoked - BOUNDARY <= at and not is_older and not self.upgraded:
            return False
        if self.upgraded and self.newest is None:
            return None
        end = self.newest if self.newest is not None else self.expires
        if end is None:
            return None
        return end > at or (self.grace is not None and self.grace > at)

    def end(self, at: int, is_newest_known: bool) -> int:
        """When access ends that is due at a time."""
        revoked = NEVER if self.revoked is None else self.revoked
        is_running = self.expires is not None and self.expires > at
        ends = [self.expires] if is_running or not is_newest_known else [self.expires, self.newest]
        told = [end for end in ends if end is not None]
        if not told:
            return revoked
        end = max(told)
        is_older = self.expires is not None and self.expires < end
        lasts = end if self.grace is None else max(end, self.grace)
        return lasts if is_older else min(lasts, revoked)


def of_server(notification: dict) -> Dates | None:
    """The dates of a notification in V2's form."""
    data = notification["data"]
    told = data.get("transactionInfo")
    renewal = data.get("renewalInfo", {})
    if told is None or not ("purchaseDate" in told or "expiresDate" in told or "renewalDate" in renewal):
        return None
    # As in of_body: what ends is a subscription, whatever its type is called.
    is_subscription = told.get("type") == "Auto-Renewable Subscription" or "expiresDate" in told
    return Dates(
        is_subscription, told.get("expiresDate"), renewal.get("renewalDate"), renewal.get("gracePeriodExpiresDate"),
        told.get("revocationDate"), told.get("isUpgraded", False),
    )


def of_legacy(message) -> Dates | None:
    """V1's dates; those of its body where a plant has changed them."""
    if not message.rows:
        return None
    if message.is_changed:
        return of_body(message)
    sub, period = message.sub, message.target
    is_subscription = period.line is not None
    revoked = None if period.upgraded else period.cancelled
    newest = sub.current.expires if is_subscription else None
    return Dates(is_subscription, period.expires, newest, sub.grace, revoked, period.upgraded)


def of_body(message) -> Dates:
    """V1's dates, as the body shows them now."""
    row = message.target_row()
    rows = [json.loads(text) for text in message.rows]
    lasting = [other for other in rows if "expires_date_ms" in other and "is_upgraded" not in other]
    ends = [int(other["expires_date_ms"]) for other in lasting]
    upgraded = row.get("is_upgraded") == "true"

    def number(source: dict, key: str) -> int | None:
        return int(source[key]) if key in source else None

    revoked = None if upgraded else number(row, "cancellation_date_ms")
    # Rows are listed by purchase, so the last one is the newest.
    return Dates(
        "web_order_line_item_id" in row or "expires_date_ms" in row, number(row, "expires_date_ms"),
        ends[-1] if ends else None, number(message.renewal or {}, "grace_period_expires_date_ms"), revoked, upgraded,
    )


def judge(legacy: Dates | None, notification: dict) -> str:
    """One of OUTCOMES, for what V1 says and a V2 notification."""
    at = notification["signedDate"]
    server = of_server(notification)
    status = notification["data"].get("status")
    one = legacy.grants(at) if legacy else None
    two = status in (1, 4) if status is not None else server.grants(at) if server else None
    if one is None or two is None:
        return UNKNOWN
    if one == two:
        return GRANTED if one else DENIED
    ends = [end for side in (legacy, server) if side for end in (side.expires, side.newest, side.grace)]
    if status != 5 and any(end is not None and abs(end - at) <= BOUNDARY for end in ends):
        return TIME_DEPENDENT
    return LEGACY_ONLY if one else SERVER_ONLY


def server_end(legacy: Dates | None, notification: dict, classes: dict[str, str]) -> str | None:
    """EARLIER or LATER, for a pair that both sides grant; None where the ends are the same, or not in conflict."""
    server = of_server(notification)
    if legacy is None or server is None or all(classes.get(path) != "conflict" for path in ENDS):
        return None
    at = notification["signedDate"]
    is_newest_known = legacy.newest is not None and server.newest is not None
    one, two = legacy.end(at, is_newest_known), server.end(at, is_newest_known)
    if abs(one - two) <= BOUNDARY:
        return None
    return EARLIER if two < one else LATER
