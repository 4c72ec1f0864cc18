"""Lives of subscriptions: what customers and the App Store do, in an order that can be."""

import random
from itertools import pairwise

import model
from model import DAY, HOUR, SECOND, Offer, Subscription
from telling import Teller


class Life:
    """One subscription of a purchaser, from its first purchase on."""

    def __init__(self, teller: Teller, sub: Subscription, rng: random.Random):
        self.teller, self.sub, self.random = teller, sub, rng
        self.has_grace = rng.random() < 0.6

    # MARK: telling

    def told(
        self, name: str, v1: str, v2: tuple[str, str | None], time: int, companions=(), is_timed=True, late=None,
        is_certain=False, is_purchase=False, is_delicate=False,
    ) -> bool:
        """One event about the newest period, with V2 signed a little later (or at `late`)."""
        message = self.teller.message(v1, self.sub, self.sub.current)
        message.is_purchase = is_purchase
        if v1 == "DID_CHANGE_RENEWAL_STATUS":
            message.date("auto_renew_status_change_date", time)
        signed = late if late is not None else time + self.random.randrange(20) * SECOND
        notification = self.teller.notification(*v2, signed, self.sub, self.sub.current)
        return self.teller.tell(
            name, message, notification, time if is_timed else None, companions, is_certain or not is_timed, is_delicate
        )

    def status_message(self, time: int):
        """A DID_CHANGE_RENEWAL_STATUS as the companion of something else."""
        message = self.teller.message("DID_CHANGE_RENEWAL_STATUS", self.sub, self.sub.current)
        return message.date("auto_renew_status_change_date", time)

    def server_only(self, kind: str, subtype: str | None, time: int) -> None:
        """An event that V1 has no message for."""
        signed = time + self.random.randrange(20) * SECOND
        self.teller.alone(self.teller.notification(kind, subtype, signed, self.sub, self.sub.current))

    # MARK: purchases

    def subscribe(self, at: int) -> None:
        """The first purchase: plain, on trial, or with an offer."""
        product = self.random.choice(self.sub.app.subscriptions[:3])
        offer = self.first_offer()
        length = 7 * DAY if offer and offer.kind == "trial" else product.length
        self.sub.buy(product, at, at + length, offer, bought=True)
        is_redeemed = offer is not None and offer.identifier is not None and at < model.OFFERS_ON_INACTIVE
        # V2 counts per group, V1 per original transaction.
        is_return = self.sub.earlier is not None
        v2 = ("OFFER_REDEEMED" if is_redeemed else "SUBSCRIBED", "RESUBSCRIBE" if is_return else "INITIAL_BUY")
        name = "returned" if is_return else offer.kind if offer else "plain"
        self.told(f"subscribe.{name}", "INITIAL_BUY", v2, at)

    def first_offer(self) -> Offer | None:
        chance = self.random.random()
        if chance < 0.20:
            return Offer("trial")
        if chance < 0.30:
            return Offer("intro", None, self.random.choice(("PAY_AS_YOU_GO", "PAY_UP_FRONT")))
        return self.paid_offer() if chance < 0.42 else None

    def paid_offer(self) -> Offer:
        kind, name = self.random.choice((("promotional", "spring.2024"), ("code", "NEWSLETTER")))
        return Offer(kind, name, self.random.choice(("FREE_TRIAL", "PAY_AS_YOU_GO", "PAY_UP_FRONT")))

    def renew(self) -> None:
        """The next period, charged up to a day ahead."""
        old = self.sub.current
        product = self.sub.next_product
        changed = product is not old.product
        signed = old.expires - self.random.randrange(20 * HOUR)
        if signed < model.LIVE or self.random.random() < 0.7:
            signed = None
        self.sub.grace = None
        self.sub.buy(product, old.expires, old.expires + product.length, self.sub.next_offer)
        name = "renew.downgraded" if changed else "renew.trial" if old.offer and old.offer.is_free else "renew"
        self.told(name, "DID_RENEW", ("DID_RENEW", None), old.expires, late=signed)

    def resubscribe(self, at: int) -> None:
        """Back after the end, for the same product or another one."""
        old = self.sub.current
        self.sub.auto_renew, self.sub.grace = True, None
        offer = self.paid_offer() if self.random.random() < 0.15 else None
        is_redeemed = offer is not None and at < model.OFFERS_ON_INACTIVE
        v2 = ("OFFER_REDEEMED" if is_redeemed else "SUBSCRIBED", "RESUBSCRIBE")
        way = self.random.choice(("status", "interactive", "other"))
        product = old.product
        if way == "other":
            product = self.random.choice([one for one in self.sub.app.subscriptions if one is not old.product])
        self.sub.buy(product, at, at + product.length, offer, bought=True)
        if way == "status":
            self.told("resubscribe.status", "DID_CHANGE_RENEWAL_STATUS", v2, at + SECOND, is_purchase=True)
        elif way == "interactive":
            self.told("resubscribe.interactive", "INTERACTIVE_RENEWAL", v2, at)
        else:
            companion = self.status_message(at + self.random.randrange(4) * SECOND)
            self.told("resubscribe.other", "INTERACTIVE_RENEWAL", v2, at, (companion,))

    def upgrade(self, at: int) -> None:
        """A dearer product at once; V1 tells it in two messages, in its early days in three."""
        old = self.sub.current
        product = next(one for one in reversed(self.sub.app.subscriptions) if one.level > old.product.level)
        offer = Offer("promotional", "upgrade.now", "PAY_AS_YOU_GO") if self.random.random() < 0.1 else None
        old.upgraded = True
        old.touch()
        self.sub.auto_renew = True
        self.sub.buy(product, at, at + product.length, offer, bought=True)
        companion = self.status_message(at + self.random.randrange(1, 4) * SECOND)
        v2 = ("OFFER_REDEEMED" if offer else "DID_CHANGE_RENEWAL_PREF", "UPGRADE")
        delivered = self.told("upgrade.offer" if offer else "upgrade", "INTERACTIVE_RENEWAL", v2, at, (companion,))
        if at < 1_656_633_600_000 and self.random.random() < 0.5:
            old.cancelled, old.reason = at + self.random.randrange(9 * HOUR) // 1000 * 1000, 0
            old.touch()
            if delivered:
                message = self.teller.message("CANCEL", self.sub, self.sub.current)
                message.date("cancellation_date", old.cancelled)
                message.head["web_order_line_item_id"] = str(old.line)
                self.teller.absorb(message)

    # MARK: changes

    def toggle(self, at: int, is_certain: bool = False, is_delicate: bool = False) -> None:
        """Auto-renew off, or on again."""
        self.sub.auto_renew = not self.sub.auto_renew
        subtype = "AUTO_RENEW_ENABLED" if self.sub.auto_renew else "AUTO_RENEW_DISABLED"
        name = "on" if self.sub.auto_renew else "off"
        self.told(
            name, "DID_CHANGE_RENEWAL_STATUS", ("DID_CHANGE_RENEWAL_STATUS", subtype), at, is_certain=is_certain,
            is_delicate=is_delicate,
        )

    def downgrade(self, at: int, is_delicate: bool = False) -> None:
        """A cheaper product from the next period on."""
        self.sub.next_product = self.random.choice(
            [one for one in self.sub.app.subscriptions if one.level < self.sub.current.product.level]
        )
        kind, name = "DID_CHANGE_RENEWAL_PREF", "downgrade"
        if self.random.random() < 0.1:
            self.sub.next_offer = self.paid_offer()
            kind, name = "OFFER_REDEEMED", "downgrade.offer"
        self.told(
            name, "DID_CHANGE_RENEWAL_PREF", (kind, "DOWNGRADE"), at, is_timed=False, is_delicate=is_delicate
        )

    def revert(self, at: int) -> None:
        """The downgrade taken back."""
        self.sub.next_product, self.sub.next_offer = self.sub.current.product, None
        self.told(
            "downgrade.reverted", "DID_CHANGE_RENEWAL_PREF", ("DID_CHANGE_RENEWAL_PREF", None), at, is_timed=False,
            is_delicate=True,
        )

    def refund(self, at: int) -> None:
        """Money back: V1 tells it as CANCEL, and as a change of status where auto-renew was on."""
        period = self.sub.current
        period.cancelled, period.reason = at, self.random.randrange(2)
        period.touch()
        was_on, self.sub.auto_renew = self.sub.auto_renew, False
        changed = at + self.random.randrange(3) * SECOND
        companions = (self.status_message(changed),) if was_on else ()
        message = self.teller.message("CANCEL", self.sub, period).date("cancellation_date", at)
        message.head["web_order_line_item_id"] = str(period.line)
        signed = at + self.random.randrange(1, 90) * SECOND
        notification = self.teller.notification("REFUND", None, signed, self.sub, period)
        self.teller.tell("refund", message, notification, at, companions)

    def refund_older(self, at: int) -> None:
        """Money back for the period before: the subscription goes on."""
        period = self.sub.periods[-2]
        period.cancelled, period.reason = at, self.random.randrange(2)
        period.touch()
        message = self.teller.message("CANCEL", self.sub, period).date("cancellation_date", at)
        message.head["web_order_line_item_id"] = str(period.line)
        notification = self.teller.notification("REFUND", None, at + 40 * SECOND, self.sub, period)
        self.teller.tell("refund.older", message, notification, at)

    # MARK: the end of a period

    def lapse(self) -> None:
        """Auto-renew was off: V1 is silent."""
        self.sub.intent, self.sub.retry = 1, False
        self.server_only("EXPIRED", "VOLUNTARY", self.sub.current.expires)

    def fail(self) -> bool:
        """The renewal fails; whether it was recovered."""
        sub, expires = self.sub, self.sub.current.expires
        sub.intent, sub.retry = 2, True
        length = min(16 * DAY, sub.next_product.length - DAY)
        sub.grace = expires + length if self.has_grace else None
        subtype = "GRACE_PERIOD" if self.has_grace else None
        # Apple tries at once, but need not tell at once.
        late = expires + self.random.choice((self.random.randrange(20), self.random.randrange(120, 1800))) * SECOND
        name = "fail.grace" if subtype else "fail"
        self.told(name, "DID_FAIL_TO_RENEW", ("DID_FAIL_TO_RENEW", subtype), expires, late=late)
        if self.has_grace and self.random.random() < 0.5:
            self.recover(expires + self.random.randrange(HOUR, length - HOUR) // SECOND * SECOND)
            return True
        if self.has_grace:
            self.server_only("GRACE_PERIOD_EXPIRED", None, sub.grace)
        if self.random.random() < 0.5:
            self.recover(expires + self.random.randrange(17 * DAY, 50 * DAY) // SECOND * SECOND)
            return True
        if self.random.random() < 0.3:
            self.give_up_in_retry(expires + self.random.randrange(18 * DAY, 50 * DAY) // SECOND * SECOND)
            return False
        sub.auto_renew, sub.retry = False, False
        at = expires + 60 * DAY + self.random.randrange(DAY) // SECOND * SECOND
        self.told("expired.billing", "DID_CHANGE_RENEWAL_STATUS", ("EXPIRED", "BILLING_RETRY"), at)
        return False

    def recover(self, at: int) -> None:
        """The App Store could charge after all."""
        sub, old = self.sub, self.sub.current
        is_in_grace = sub.grace is not None and at < sub.grace
        product = sub.next_product
        start = old.expires if is_in_grace else at
        sub.buy(product, at, start + product.length)
        if is_in_grace:
            sub.grace = None
        name = "recover.grace" if is_in_grace else "recover"
        self.told(name, "DID_RECOVER", ("DID_RENEW", "BILLING_RECOVERY"), at)

    def give_up_in_retry(self, at: int) -> None:
        """The customer turns auto-renew off while billing is retried; V1's message may be more than one event."""
        self.sub.auto_renew = False
        self.told(
            "off.retry", "DID_CHANGE_RENEWAL_STATUS", ("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED"), at
        )
        self.sub.retry = False

    def expire_with(self, intent: int, subtype: str | None) -> None:
        """No consent to a price, or the product is gone."""
        self.sub.intent, self.sub.retry, self.sub.auto_renew = intent, False, False
        at = self.sub.current.expires + self.random.randrange(3, 40) * SECOND
        self.told(f"expired.{intent}", "DID_CHANGE_RENEWAL_STATUS", ("EXPIRED", subtype), at)


def moments(rng: random.Random, start: int, end: int, count: int, gap: int) -> list[int]:
    """Whole seconds in order, some way apart; fewer when there is no room."""
    if end - start < gap * (count + 1):
        return []
    found = sorted(rng.randrange(start, end) // SECOND * SECOND for _ in range(count))
    return found if all(two - one >= gap for one, two in pairwise(found)) else found[:1]
