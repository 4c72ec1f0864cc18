"""Lines that nothing in an archive can settle, because V1 did not tell what decides them."""

import model
from archive import Archive, Delivery
from model import DAY, Period

RETRY = 60 * DAY


class Silence:
    """What the messages of one archive tell of the ends of periods."""

    def __init__(self, archive: Archive) -> None:
        self.has_times = archive.has_rows
        self.told = {(one.message.kind, id(one.message.target), one.message.event.name) for one in archive.records}
        self.failed = {period for kind, period, _ in self.told if kind == "DID_FAIL_TO_RENEW"}

    def covers(self, record: Delivery) -> bool:
        """Whether V1 was silent about what decides the line."""
        return self.is_end_of_retry(record) or self.is_return(record) or self.is_offer(record)

    def is_offer(self, record: Delivery) -> bool:
        """An offer that an active subscriber redeems for the same product: Apple names no V1 message for it (mapping.md
        F), so that a choice of the product which shows the offer may tell it, or come after it."""
        return record.message.event.name == "OFFER_REDEEMED"

    def is_end_of_retry(self, record: Delivery) -> bool:
        """Retry ends 60 days after the failure, which may be a day before the expiry. Within 60 days of the expiry
        the customer may have turned auto-renew off; only the received time of the failure shows that retry was over.
        """
        message = record.message
        if message.event.name != "EXPIRED/BILLING_RETRY" or message.at >= message.target.expires + RETRY:
            return False
        return not self.has_times or id(message.target) not in self.failed

    def is_return(self, record: Delivery) -> bool:
        """The same product bought again while Apple may still retry: a new purchase or the failed renewal. Before
        V1 reported failures, only a change of auto-renew or a refund could show that nothing was retried."""
        message = record.message
        if message.event.name not in ("SUBSCRIBED/RESUBSCRIBE", "DID_RENEW/BILLING_RECOVERY"):
            return False
        before = self.before(record)
        if before is None or before.product is not message.target.product or message.target.has_offer:
            return False
        if before.cancelled is not None or not 0 < message.target.purchase - before.expires <= RETRY:
            return False
        off = "DID_CHANGE_RENEWAL_STATUS", id(before), "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED"
        return before.expires < model.FAILURE_EVENTS and off not in self.told

    @staticmethod
    def before(record: Delivery) -> Period | None:
        subscription, target = record.message.subscription, record.message.target
        if subscription is None or target not in subscription.periods:
            return None
        place = subscription.periods.index(target)
        return subscription.periods[place - 1] if place else None
