"""Strings moments of lives together, and makes as many lives as are asked for."""

import random

import model
from lives import Life, moments
from model import APPS, DAY, HOUR, MINUTE, SECOND, Numbers, Period, Subscription
from telling import Teller

# First purchases from here on; what lies before V2 is not comparable.
FIRST = 1_622_505_600_000  # 2021-06-01
QUIET = (model.LIVE - 3 * DAY, model.LIVE + 3 * DAY)


class Year(Life):
    """A purchaser's subscription, month by month."""

    def live(self, at: int) -> None:
        if self.is_quiet(at):
            return
        self.subscribe(at)
        while self.sub.current.expires < model.END - 70 * DAY:
            if not self.period() or self.is_quiet(self.sub.current.expires):
                return

    def is_quiet(self, at: int) -> bool:
        """Nothing happens in the days around V2's first."""
        return QUIET[0] <= at <= QUIET[1]

    def period(self) -> bool:
        """What happens until the newest period ends, and then; whether life goes on."""
        sub, period = self.sub, self.sub.current
        start, end = period.purchase + 2 * HOUR, period.expires - 26 * HOUR
        is_early = period.purchase < QUIET[1]
        times = moments(self.random, start, end, self.random.choice((0, 0, 0, 1, 2)), 25 * HOUR)
        for at in times:
            if self.is_quiet(at) or (is_early and at > QUIET[0]):
                continue
            if not self.happen(at, is_early, at == times[-1]):
                return self.come_back() if period.cancelled is not None else True
        if sub.consent == 0:
            self.expire_with(3, "PRICE_INCREASE")
            return self.come_back()
        if not sub.auto_renew:
            self.lapse()
            return self.come_back()
        chance = self.random.random()
        if chance < 0.07:
            return self.fail() or self.come_back()
        if chance < 0.075 and sub.current.expires > QUIET[1]:
            gone = sub.current.expires >= model.NOT_FOR_SALE
            self.expire_with(4, "PRODUCT_NOT_FOR_SALE" if gone else None)
            return self.come_back()
        self.renew()
        return True

    def happen(self, at: int, is_early: bool, is_last: bool) -> bool:
        """Something in the middle of a period; false when the period is no longer the newest one that counts."""
        sub, chance = self.sub, self.random.random()
        level = sub.current.product.level
        if sub.next_product is not sub.current.product:
            if not is_last or chance < 0.5:
                self.revert(at)
            return True
        if chance < 0.30 or is_early:
            is_fast = self.random.random() < 0.15
            self.toggle(at, is_delicate=is_fast)
            if is_fast:
                self.toggle(at + self.random.randrange(1, 30) * MINUTE, is_certain=True, is_delicate=True)
        elif chance < 0.42 and level < 3 and sub.consent is None:
            self.upgrade(at)
            return False
        elif chance < 0.62 and level > 0:
            # Unless it is the last word of its period, it may be taken back.
            self.downgrade(at, is_delicate=not is_last)
        elif chance < 0.68:
            # Before V2 told the next renewal's date, it did not tell by itself that the period is an older one.
            is_older = at >= model.V2_8 and len(sub.periods) > 1 and sub.periods[-2].cancelled is None
            if is_older and not sub.periods[-2].upgraded and self.random.random() < 0.3:
                self.refund_older(at)
                return True
            self.refund(at)
            return False
        elif chance < 0.78 and sub.increase is None and sub.auto_renew:
            self.increase(at)
        elif chance < 0.84 and sub.consent == 0:
            sub.consent = sub.increase = 1
            self.server_only("PRICE_INCREASE", "ACCEPTED", at)
        elif chance < 0.88:
            self.server_only("REFUND_DECLINED", None, at)
        elif chance < 0.90:
            sub.current.expires += 7 * DAY
            sub.current.touch()
            self.server_only("RENEWAL_EXTENDED", None, at)
        return True

    def increase(self, at: int) -> None:
        """A dearer renewal, with consent to be asked for or without."""
        sub = self.sub
        sub.shown = at >= model.INCREASE_STATUS and self.random.random() < 0.4
        if self.random.random() < 0.6:
            sub.consent = sub.increase = 0
            self.told(
                "price.pending", "PRICE_INCREASE_CONSENT", ("PRICE_INCREASE", "PENDING"), at, is_timed=False
            )
            if self.random.random() < 0.5:
                sub.consent = sub.increase = 1
                self.server_only("PRICE_INCREASE", "ACCEPTED", at + HOUR)
        elif at >= model.NO_CONSENT:
            sub.increase = 1
            self.server_only("PRICE_INCREASE", "ACCEPTED", at)

    def come_back(self) -> bool:
        """Perhaps a return, some days or some months later."""
        if self.random.random() < 0.5:
            return False
        end = max(self.sub.current.expires, self.sub.grace or 0)
        if self.sub.current.cancelled is not None:
            # A refunded period runs no longer: the return may come before its expiry.
            end = self.sub.current.cancelled + DAY
        if self.sub.intent == 2:
            end = max(end, self.sub.current.expires + 62 * DAY)
        lapse = self.random.choice((self.random.randrange(HOUR, 30 * DAY), self.random.randrange(70 * DAY, 200 * DAY)))
        at = (end + lapse) // SECOND * SECOND
        if at > model.END or self.is_quiet(at):
            return False
        self.resubscribe(at)
        return True


class Returned(Year):
    """Back in the group under another original transaction: V1 calls it a first purchase."""

    def live(self, at: int) -> None:
        at = max(at, QUIET[1])
        sub = self.sub
        old = Year(self.teller, Subscription(sub.app, sub.numbers, skew=sub.skew, token=sub.token), self.random)
        old.subscribe(at)
        old.toggle(at + DAY)
        old.lapse()
        sub.earlier = old.sub
        super().live(old.sub.current.expires + self.random.randrange(HOUR, 200 * DAY) // SECOND * SECOND)


class Family(Life):
    """A member of a family: V1 has no first message, and REVOKE at the end."""

    def live(self, at: int) -> None:
        at = max(at, QUIET[1])
        sub = self.sub
        product = self.random.choice(sub.app.subscriptions[1:3])
        sub.buy(product, at, at + product.length, bought=True)
        self.server_only("SUBSCRIBED", "INITIAL_BUY", at)
        for _ in range(self.random.randrange(1, 6)):
            if sub.current.expires > model.END - 70 * DAY:
                return
            if self.random.random() < 0.1 and not self.fail():
                return
            self.renew()
        self.revoke(sub.current.purchase + self.random.randrange(2 * HOUR, 5 * DAY) // SECOND * SECOND)

    def revoke(self, at: int) -> None:
        """The purchaser stops sharing."""
        period = self.sub.current
        period.cancelled, period.reason = at, 0
        period.touch()
        self.sub.auto_renew = False
        self.told("revoke", "REVOKE", ("REVOKE", None), at)


class Sandbox(Life):
    """A tester's subscription: a month takes five minutes, and V1 sends few types."""

    def live(self, at: int) -> None:
        at = max(at, QUIET[1])
        sub, product = self.sub, self.sub.app.subscriptions[1]
        sub.buy(product, at, at + 5 * MINUTE, bought=True)
        self.told("sandbox.subscribe", "INITIAL_BUY", ("SUBSCRIBED", "INITIAL_BUY"), at)
        for _ in range(self.random.randrange(1, 6)):
            old = sub.current
            sub.buy(product, old.expires, old.expires + 5 * MINUTE)
            self.told("sandbox.renew", "DID_RENEW", ("DID_RENEW", None), old.expires)
        self.toggle(sub.current.purchase + 2 * MINUTE, is_certain=True)
        self.lapse()


class Purchases:
    """Consumables and non-consumables of one customer: refunds, and requests about them."""

    def __init__(self, teller: Teller, app: model.App, numbers: Numbers, rng: random.Random):
        self.teller, self.app, self.numbers, self.random = teller, app, numbers, rng

    def live(self, at: int) -> None:
        at = max(at, QUIET[1])
        is_coins = self.random.random() < 0.7
        product = self.app.coins if is_coins else self.app.unlock
        sub = Subscription(self.app, self.numbers, states_ownership=self.random.random() < 0.9)
        sub.token = self.numbers.uuid() if self.random.random() < 0.5 else None
        sub.skew = self.random.choice((0, 0, SECOND))
        period = Period(self.numbers.transaction(), None, product, at, None, None, True, sub.token)
        period.quantity = self.random.choice((1, 1, 1, 3)) if is_coins else 1
        sub.periods.append(period)
        # A finished consumable is in no list.
        is_unlisted = is_coins and self.random.random() < 0.5
        if at >= model.ONE_TIME_CHARGE:
            self.teller.alone(self.teller.notification("ONE_TIME_CHARGE", None, at, sub, period))
        if is_coins and self.random.random() < 0.5:
            self.tell("consumption", "CONSUMPTION_REQUEST", sub, period, at + DAY, None, is_unlisted)
        if self.random.random() < 0.6:
            period.cancelled, period.reason = at + 2 * DAY, self.random.randrange(2)
            period.touch()
            time = None if is_unlisted else period.cancelled
            name = "refund.unlisted" if is_unlisted else "refund.once"
            self.tell(name, "REFUND", sub, period, at + 2 * DAY, time, is_unlisted)
        else:
            self.teller.alone(self.teller.notification("REFUND_DECLINED", None, at + 3 * DAY, sub, period))

    def tell(self, name, kind, sub, period, at, time, is_unlisted) -> None:
        message = self.teller.message(kind, sub, period, is_unlisted)
        notification = self.teller.notification(kind, None, at + 5 * SECOND, sub, period)
        self.teller.tell(name, message, notification, time)


class Announcements:
    """Notifications about no purchase of anybody."""

    def __init__(self, teller: Teller, sub: Subscription, rng: random.Random):
        self.teller, self.sub, self.random = teller, sub, rng

    def live(self, at: int) -> None:
        at = max(at, QUIET[1])
        app = self.sub.app
        kinds = [("TEST", None)]
        if at >= model.V2_8:
            kinds += [("RENEWAL_EXTENSION", "SUMMARY"), ("EXTERNAL_PURCHASE_TOKEN", "UNREPORTED")]
        kind, subtype = self.random.choice(kinds)
        told = self.teller.notification(kind, subtype, at, self.sub, None)
        if kind == "RENEWAL_EXTENSION":
            del told["data"]
            told["summary"] = {
                "requestIdentifier": self.sub.numbers.uuid(), "environment": "Production",
                "appAppleId": app.apple_id, "bundleId": app.bundle,
                "productId": app.subscriptions[1].identifier, "succeededCount": 12, "failedCount": 0,
            }
        elif kind == "EXTERNAL_PURCHASE_TOKEN":
            del told["data"]
            told["externalPurchaseToken"] = {
                "externalPurchaseId": self.sub.numbers.uuid(), "tokenCreationDate": at - HOUR,
                "appAppleId": app.apple_id, "bundleId": app.bundle,
            }
        self.teller.alone(told)


def populate(teller: Teller, count: int, rng: random.Random) -> None:
    """Lives until so many events were told."""
    numbers = Numbers(teller.settings.seed)
    while teller.events < count:
        app = rng.choice(APPS)
        at = rng.randrange(FIRST, model.END - 200 * DAY) // SECOND * SECOND
        chance = rng.random()
        if chance < 0.10:
            Purchases(teller, app, numbers, rng).live(at)
        elif chance < 0.16:
            sub = Subscription(app, numbers, family=True, skew=rng.choice((0, SECOND)))
            Family(teller, sub, rng).live(at)
        elif chance < 0.20:
            Sandbox(teller, Subscription(app, numbers, sandbox=True), rng).live(at)
        else:
            sub = Subscription(app, numbers, skew=rng.choice((0, 0, SECOND, SECOND, 2 * SECOND, 6 * SECOND)))
            sub.states_ownership = rng.random() < 0.9
            sub.token = numbers.uuid() if rng.random() < 0.6 else None
            (Returned if rng.random() < 0.08 else Year)(teller, sub, rng).live(at)
        if rng.random() < 0.02:
            Announcements(teller, Subscription(app, numbers), rng).live(at)
