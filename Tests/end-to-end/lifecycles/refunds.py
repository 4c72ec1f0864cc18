"""Refunds, the end of Family Sharing, and purchases that are not subscriptions."""

import random

from model import COINS, DAY, HOUR, LEAST, MINUTE, SCENERY, SECOND, Customer, Period, Subscription
from person import Person
from teller import Actions, Teller


class Refunds(Person):
    """What takes periods back."""

    def refund(self) -> None:
        """Money back for the current period. Asked for in the app, auto-renew is turned off at the request (S2:ev2),
        which comes before the refund (evidence.md §4)."""
        sub, period = self.sub, self.sub.current
        if sub.auto_renew and period.expires > self.now and self.random.random() < 0.25:
            sub.turn(False, self.now)
            event = self.teller.event("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED", period)
            self.teller.tell("DID_CHANGE_RENEWAL_STATUS", event, period, sub)
            delay = self.random.randrange(self.span(HOUR, MINUTE), self.span(3 * DAY, 10 * MINUTE)) // SECOND * SECOND
            self.teller.schedule(self.now + delay, lambda: self.grant(sub, period, ends=True))
            return
        if self.random.random() < 0.15 and (older := self.older_periods()):
            self.grant(sub, older[-1])
        self.grant(sub, period, ends=True)

    def grant(self, sub: Subscription, period: Period, ends: bool = False) -> None:
        """CANCEL, and in the same second a change of status where auto-renew was on (S2:ev1 row 8, v1.md §6)."""
        if period.cancelled is not None or period.upgraded and ends:
            return
        if self.now < self.teller.acted + LEAST and self.teller.acted < self.now:
            self.teller.schedule(self.teller.acted + LEAST, lambda: self.grant(sub, period, ends))
            return
        period.change(cancelled=self.now, reason=self.random.randrange(2))
        event = self.teller.event("REFUND", None, period)
        was_on = sub.auto_renew and ends and sub.current is period
        if was_on:
            sub.turn(False, self.now)
            sub.retry = None
        self.teller.tell("CANCEL", event, period, sub)
        if was_on:
            changed = self.now + self.random.randrange(3) * SECOND
            self.teller.tell("DID_CHANGE_RENEWAL_STATUS", event, period, sub, absorbed=True, changed=changed)

    def older_periods(self) -> list[Period]:
        """Refunds reach back some months (W23: an older period while the status stays 1)."""
        return [
            one for one in self.sub.periods
            if one is not self.sub.current and one.purchase < self.now and one.purchase > self.now - 120 * DAY
            and not one.upgraded and one.cancelled is None
        ]  # fmt: skip

    def older(self) -> None:
        """Money back for an older period: the subscription goes on, and nothing says that its status changes."""
        self.grant(self.sub, self.random.choice(self.older_periods()))

    def upgraded_periods(self) -> list[Period]:
        """Periods that an upgrade ended two days ago or earlier (evidence.md §3: refunded long after the upgrade)."""
        periods = self.sub.periods
        return [
            one for at, one in enumerate(periods)
            if one.upgraded and one.cancelled is None and at + 1 < len(periods) and one.purchase < self.now
            and max(other.purchase for other in periods[at + 1 :]) < self.now - 2 * DAY
        ]  # fmt: skip

    def upgraded(self) -> None:
        """Money back for a period that an upgrade had ended."""
        self.grant(self.sub, self.random.choice(self.upgraded_periods()))

    def revoke(self) -> None:
        """Family Sharing ends for this member, perhaps with a change of status."""
        sub, period = self.sub, self.sub.current
        was_on = sub.auto_renew
        period.change(cancelled=self.now, reason=0)
        sub.turn(False, self.now)
        event = self.teller.event("REVOKE", None, period)
        self.teller.tell("REVOKE", event, period, sub)
        if was_on and self.random.random() < 0.3:
            self.teller.tell("DID_CHANGE_RENEWAL_STATUS", event, period, sub, absorbed=True)


def shop(teller: Teller, customer: Customer, rng: random.Random, start: int) -> Actions:
    """Purchases that are not subscriptions: consumables, which disappear from the receipt when finished, and others."""
    at = start + rng.randrange(60 * DAY) // SECOND * SECOND
    for _ in range(rng.randrange(1, 5)):
        yield at
        product, number = rng.choice((COINS, COINS, SCENERY)), customer.new_id(False)
        first = teller.now + rng.randrange(3) * SECOND
        period = Period(product, number, None, teller.now, None, number, first)
        customer.purchases.append(period)
        yield teller.now + rng.randrange(1, 20) * SECOND
        period.is_finished = product is COINS and rng.random() < 0.7
        if rng.random() < 0.7:
            yield teller.now + rng.randrange(HOUR, 20 * DAY) // SECOND * SECOND
            yield from complain(teller, period, rng)
        at = teller.now + rng.randrange(90 * DAY) // SECOND * SECOND


def complain(teller: Teller, period: Period, rng: random.Random) -> Actions:
    """Apple asks for data about a consumable until it is answered, each time as a new event; then it decides."""
    if period.product is COINS:
        for _ in range(rng.randrange(1, 4)):
            teller.tell("CONSUMPTION_REQUEST", teller.event("CONSUMPTION_REQUEST", None, period), period, None)
            yield teller.now + 12 * HOUR
    if rng.random() < 0.7:
        period.change(cancelled=teller.now, reason=rng.randrange(2))
        teller.tell("REFUND", teller.event("REFUND", None, period), period, None)
