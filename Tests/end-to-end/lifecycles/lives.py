"""Lives of subscriptions: what customers, Apple and the developer do, in an order that can be.

Where the facts leave open what Apple does, either way is drawn at random; a comment names the fact.
"""

import model
from changes import Changes
from model import DAY, HOUR, LEAST, MINUTE, SECOND, Period, Subscription
from refunds import Refunds
from teller import Actions


class Life(Changes, Refunds):
    """One customer's use of one subscription group, perhaps under several original transaction ids."""

    def run(self, start: int, count: int) -> Actions:
        yield start
        self.subscribe(self.random.choice(self.products))
        for _ in range(count):
            yield from self.during()
            is_alive = yield from self.turn()
            while not is_alive:
                if self.random.random() > self.kind.back:
                    yield from self.aftermath()
                    return
                is_alive = yield from self.come_back()

    # MARK: while a period runs

    def during(self) -> Actions:
        """Actions until Apple charges the next period."""
        before, self.boundary = None, 0
        while before is not self.sub.current:
            before = self.sub.current
            self.boundary = self.charge_time(before)
            for at in self.moments(self.boundary):
                yield at
                while self.now < self.teller.acted + LEAST:
                    yield self.teller.acted + LEAST
                # A refund that was asked for before may be granted meanwhile.
                if before.cancelled is not None or not self.act():
                    return
                if self.sub.current is not before:
                    break

    def charge_time(self, period: Period) -> int:
        """Apple charges renewals up to a day ahead (mapping.md B6 and `decision.window.early`)."""
        if self.random.random() < 0.5:
            return period.expires
        ahead = self.random.randrange(self.span(20 * HOUR, 40 * SECOND)) // SECOND * SECOND
        return max(self.now, period.expires - ahead)

    def moments(self, until: int) -> list[int]:
        """The times of the next actions, in order; in bursts they are minutes apart."""
        count = self.random.choices(range(len(self.kind.busy)), self.kind.busy)[0]
        room = until - self.now - LEAST
        if room < 2 * LEAST or count == 0:
            return []
        times = sorted(self.now + self.random.randrange(LEAST, room) // SECOND * SECOND for _ in range(count))
        if self.random.random() < self.kind.bursts:
            start = self.now + self.random.choice((LEAST, 2 * MINUTE, self.random.randrange(LEAST, room)))
            times = [start]
            for _ in range(count - 1):
                times.append(times[-1] + self.random.randrange(LEAST, 8 * MINUTE) // SECOND * SECOND)
        return [at // SECOND * SECOND for at in times if self.now < at < until - 2 * SECOND]

    def act(self) -> bool:
        """One action; false when the period ended with it."""
        names = [name for name in self.kind.actions if self.can(name)]
        name = self.random.choices(names, [self.kind.actions[one] for one in names])[0]
        getattr(self, name)()
        return self.sub.current.cancelled is None

    def can(self, name: str) -> bool:
        sub, period = self.sub, self.sub.current
        is_own = not self.is_family
        can = {
            "revoke": self.is_family,
            "downgrade": sub.auto_renew and bool(self.next_plans()),
            "revert": sub.auto_renew and sub.next_product is not period.product,
            "upgrade": bool(self.better_plans()),
            "refund": is_own and period.purchase < self.now,
            "older": is_own and bool(self.older_periods()),
            "upgraded": is_own and bool(self.upgraded_periods()),
            "notice": is_own and self.now >= model.FAILURE_EVENTS and sub.consent is None and not self.customer.sandbox,
            "consent": sub.consent == 0 and sub.auto_renew,
            "offer_on_active": sub.auto_renew and sub.pending is None and not self.customer.sandbox
            and self.now >= model.PROMOTIONAL_OFFERS,
        }
        return can.get(name, True)

    # MARK: the end of a period

    def turn(self) -> Actions:
        """Renewal, failure or expiry; returns whether a period runs afterwards."""
        sub = self.sub
        if sub.current.cancelled is not None:
            return False
        if sub.auto_renew and self.is_price_refused():
            return (yield from self.expire_with(3, "PRICE_INCREASE"))
        if sub.auto_renew and not self.customer.sandbox and self.random.random() < 0.01:
            is_named = sub.current.expires >= model.NOT_FOR_SALE
            return (yield from self.expire_with(4, "PRODUCT_NOT_FOR_SALE" if is_named else None))
        yield max(self.now, self.boundary)
        if not sub.auto_renew:
            yield from self.lapse()
            return False
        if not self.customer.sandbox and self.random.random() < self.kind.fail:
            return (yield from self.fail())
        gap = 0
        if self.now >= sub.current.expires and self.random.random() < 0.05:
            # Renewals settle within minutes; a longer gap is rare (evidence.md §5).
            gap = self.span(self.random.choice((2, 4, 30, 50)) * MINUTE, 20 * SECOND)
            yield self.now + gap
        self.renew(sub.current.expires + gap)
        return True

    def is_price_refused(self) -> bool:
        return self.sub.consent == 0 and self.random.random() < 0.5

    def lapse(self) -> Actions:
        """Auto-renew is off: V1 is silent (mapping.md A4). The Sandbox may state the intent a minute early."""
        sub = self.sub
        if self.customer.sandbox and self.random.random() < 0.5:
            yield max(self.now, sub.current.expires - 30 * SECOND)
            sub.intent = 1
        yield max(self.now, sub.current.expires)
        sub.intent, sub.retry = 1, False
        self.teller.event("EXPIRED", "VOLUNTARY", sub.current)

    def expire_with(self, intent: int, subtype: str | None) -> Actions:
        """V1 documents no message for these (mapping.md A2 #7, #8): a change of status, or nothing."""
        sub = self.sub
        yield max(self.now, sub.current.expires)
        sub.intent, sub.retry = intent, False
        sub.turn(False, self.now)
        event = self.teller.event("EXPIRED", subtype, sub.current)
        if self.random.random() < 0.5:
            yield self.now + self.random.randrange(3, 40) * SECOND
            self.teller.tell("DID_CHANGE_RENEWAL_STATUS", event, sub.current, sub)
        return False

    # MARK: billing

    def fail(self) -> Actions:
        """The renewal fails; it recovers, the customer acts, or billing retry ends after 60 days."""
        sub, period = self.sub, self.sub.current
        sub.intent, sub.retry = 2, True
        length = 6 * DAY if period.product.days < 30 else self.app_grace
        sub.grace = period.expires + length if length else None
        event = self.teller.event("DID_FAIL_TO_RENEW", "GRACE_PERIOD" if length else None, period)
        self.teller.tell("DID_FAIL_TO_RENEW", event, period, sub)
        if length:
            self.teller.schedule(sub.grace, lambda: self.end_grace(sub, period))
        end = self.now + 60 * DAY
        count = self.random.choice((0, 1, 1, 2))
        for at in sorted(self.random.randrange(self.now + MINUTE, end) for _ in range(count)):
            if self.random.random() < 0.3:
                at = min(at, self.now + self.random.randrange(1, 15 * DAY))
            yield max(self.now + SECOND, at // SECOND * SECOND)
            if self.was_refunded():
                return False
            done = yield from self.act_in_retry()
            if done is not None:
                return done
        if self.random.random() < 0.3:
            # The customer may do it as long as billing is retried, also shortly before the end.
            yield max(self.now + SECOND, end - self.random.randrange(1, 6 * DAY) // SECOND * SECOND)
            if not self.was_refunded():
                yield from self.stop_in_retry()
            return False
        # Seen 63 days after the expiry (forum 728090).
        yield end + self.random.choice((0, 1, 3)) * DAY + self.random.randrange(HOUR) // SECOND * SECOND
        if not self.was_refunded():
            self.end_retry(sub)
        return False

    def was_refunded(self) -> bool:
        """A refund that was asked for in the app is granted later, perhaps during retry, and turns auto-renew off."""
        return self.sub.current.cancelled is not None and not self.sub.auto_renew

    def end_grace(self, sub: Subscription, period: Period) -> None:
        if sub.current is period and sub.retry and sub.auto_renew:
            self.teller.event("GRACE_PERIOD_EXPIRED", None, period)

    def act_in_retry(self) -> Actions:
        """Returns whether a period runs afterwards; nothing while billing is still retried."""
        way = self.random.choices(
            ("recover", "stop", "by hand", "upgrade", "restart", "waver"), (50, 12, 10, 6, 5, 4)
        )[0]
        is_early = self.now < self.sub.current.expires
        if way == "recover":
            self.recover()
            return True
        if way == "stop":
            yield from self.stop_in_retry()
            return False
        if way == "by hand" and not is_early:
            self.buy_in_retry()
            return True
        if way == "upgrade" and not is_early and self.is_in_grace() and self.better_plans():
            self.upgrade()
            return True
        # During grace it is not documented whether another original id is a return.
        if way == "restart" and not is_early and not self.is_in_grace() and not self.is_family:
            self.restart()
            return True
        if way == "waver":
            self.toggle()
            yield self.now + self.random.randrange(20, 3600) * SECOND
            self.toggle()
        return None

    # MARK: after the end

    def aftermath(self) -> Actions:
        """A refund of the last period may come after its end."""
        if self.is_family:
            return
        if self.random.random() < 0.1:
            yield self.now + self.random.randrange(HOUR, 40 * DAY) // SECOND * SECOND
            if self.sub.current.cancelled is None:
                self.refund()

    def come_back(self) -> Actions:
        """Back after a short or long time, under the same original id or a new one."""
        long = self.random.choice((20 * MINUTE, 3 * DAY, 20 * DAY, 59 * DAY, 100 * DAY, 500 * DAY))
        gap = self.random.randrange(30, self.span(long, 30 * MINUTE) // SECOND) * SECOND
        yield self.now + gap
        if self.random.random() < 0.2:
            self.restart()
        else:
            self.resubscribe()
        return True
