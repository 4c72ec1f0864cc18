"""Differences about access: one side would serve a customer, the other would not."""

from expected import CONFLICT, RENEWAL, TIME_DEPENDENT, TRANSACTION
from model import DAY, HOUR, SECOND
from plants_server import KINDS, kind


def with_status(event, status: int, changes: dict) -> dict:
    """Puts a status where V2 has one; the class follows from whether V1 tells its own."""
    data = event.notification["data"]
    if "status" in data:
        data["status"] = status
        if event.time is not None:
            changes["data.status"] = CONFLICT
    return changes


@kind("access.refundLost")
def refund_lost(event, rng):
    """V2 knows of a refund that V1's copy lost."""
    period = event.message.target
    if event.name not in ("renew", "off", "downgrade", "resubscribe.status") or period.cancelled is not None:
        return None
    told = event.notification["data"]["transactionInfo"]
    told["revocationReason"], told["revocationDate"] = 0, event.notification["signedDate"] // SECOND * SECOND - HOUR
    changes = {TRANSACTION + "revocationReason": CONFLICT, TRANSACTION + "revocationDate": CONFLICT}
    return with_status(event, 5, changes)


@kind("access.graceInV2")
def grace_in_server(event, rng):
    """V2 grants a grace period that V1 does not know of."""
    if event.name != "fail":
        return None
    event.notification["subtype"] = "GRACE_PERIOD"
    event.notification["data"]["renewalInfo"]["gracePeriodExpiresDate"] = event.message.target.expires + 6 * DAY
    return with_status(event, 4, {"subtype": CONFLICT, RENEWAL + "gracePeriodExpiresDate": CONFLICT})


@kind("access.graceInV1")
def grace_in_legacy(event, rng):
    """V1 grants a grace period that V2 does not know of."""
    if event.name != "fail.grace":
        return None
    del event.notification["subtype"]
    del event.notification["data"]["renewalInfo"]["gracePeriodExpiresDate"]
    return with_status(event, 3, {"subtype": CONFLICT, RENEWAL + "gracePeriodExpiresDate": CONFLICT})


def other_status(names: tuple[str, ...], status: int):
    """A kind that has V2 tell another status of an event whose time V1 knows."""

    def plant(event, rng):
        if event.name not in names or "status" not in event.notification["data"]:
            return None
        event.notification["data"]["status"] = status
        return {"data.status": CONFLICT}

    return plant


RUNNING = ("renew", "off", "on", "upgrade", "resubscribe.interactive", "subscribe.plain")
KINDS["access.status.expired"] = other_status(RUNNING, 2)
KINDS["access.status.retry"] = other_status(RUNNING, 3)
KINDS["access.status.revoked"] = other_status(RUNNING, 5)
KINDS["access.status.grace"] = other_status(RUNNING, 4)
KINDS["access.status.activeAfterRetry"] = other_status(("expired.billing",), 1)
KINDS["access.status.activeAfterRefund"] = other_status(("refund", "revoke"), 1)
KINDS["access.status.retryNotExpired"] = other_status(("expired.billing",), 3)


@kind("access.boundary")
def boundary(event, rng):
    """Signed within a minute of the expiry: two clocks."""
    data = event.notification["data"]
    if event.name not in ("fail", "fail.grace", "expired.3", "expired.4") or "status" not in data:
        return None
    data["status"] = 1
    return {"data.status": TIME_DEPENDENT}
