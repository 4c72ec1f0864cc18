"""What can happen to a subscription: each method changes the truth, and sends what both versions send."""

import model
from kinds import Kind
from model import DAY, HOUR, MINUTE, SECOND, Period, Product, Subscription
from person import Person
from teller import Actions, Teller


class Changes(Person):
    """Everything that changes a subscription but refunds."""

    def __init__(self, teller: Teller, kind: Kind, group: int) -> None:
        super().__init__(teller, kind, group)
        self.app_grace = self.random.choice((0, 6 * DAY, 16 * DAY))
        # The day on which V1 stopped sending CANCEL for upgrades is not published (mapping.md F).
        self.two_messages = model.day("2021-03-16") + self.random.randrange(280) * DAY

    def length(self, product: Product, days: int | None = None) -> int:
        """The Sandbox makes a month five minutes (Testing in-app purchases with sandbox)."""
        days = days or product.days
        if self.customer.sandbox:
            return {7: 3, 30: 5, 365: 60}[days] * MINUTE
        return days * DAY

    # MARK: purchases

    def buy(self, product: Product, purchase: int, expires: int, **marks: object) -> Period:
        """Adds a period; a purchase ends what was known of a failure."""
        sub, number = self.sub, self.customer.new_id(self.is_family)
        is_first = not sub.periods
        original = number if is_first else sub.original
        first = purchase + self.random.randrange(5) * SECOND if is_first else sub.periods[0].first
        period = Period(
            product, number, self.customer.new_line(), purchase, expires, original, first, family=self.is_family,
            **marks,
        )  # fmt: skip
        sub.periods.append(period)
        sub.original, sub.next_product = original, product
        sub.intent, sub.retry, sub.pending = None, self.random.choice((None, False)), None
        sub.consent = sub.increase = None
        # A grace date may stay although the grace period is history (v1.md §2b, evidence.md §5).
        if self.random.random() < 0.7:
            sub.grace = None
        return period

    def offer(self, is_new: bool) -> dict:
        """Marks of an offer: introductory ones on first purchases, promotional ones and codes."""
        draw = self.random.random()
        if is_new and draw < self.kind.offers:
            # A trial may come with both flags (v1.md §2a).
            return self.random.choice(({"trial": True}, {"trial": True, "intro": True}, {"intro": True}))
        if draw < self.kind.offers * 1.5 and self.now >= model.OFFER_CODES:
            return {"code": "AUTUMN"}
        if not is_new and draw < self.kind.offers * 2 and self.now >= model.PROMOTIONAL_OFFERS:
            return {"promotional": "come.back"}
        return {}

    def new_period(self, product: Product, **marks: object) -> Period:
        length = self.length(product, 7 if marks.get("trial") else None)
        return self.buy(product, self.now, self.now + length, **marks)

    def has_history(self, own: bool = False) -> bool:
        """V2 counts the first purchase per group (S2:ev2), not per original id."""
        return any(
            period.product.group == self.products[0].group and not (own and period.family)
            for one in self.customer.subscriptions if one is not self.sub for period in one.periods
        )  # fmt: skip

    def subscribe(self, product: Product) -> None:
        """The first purchase under an original transaction id. Family members get their access silently."""
        self.sub = Subscription(0)
        is_return = self.has_history()
        period = self.new_period(product, **self.offer(is_new=not is_return))
        self.customer.subscriptions.append(self.sub)
        self.sub.grace = None
        is_redeemed = period.has_offer and self.now < model.OFFERS_ON_INACTIVE
        kind = "OFFER_REDEEMED" if is_redeemed else "SUBSCRIBED"
        # Apple does not document whether shared access counts as an earlier subscription.
        is_open = is_return and not self.has_history(own=True)
        if is_open:
            is_return = self.random.random() < 0.5
        event = self.teller.event(kind, "RESUBSCRIBE" if is_return else "INITIAL_BUY", period)
        self.teller.tell("INITIAL_BUY", event, period, self.sub, is_open=is_open)

    def restart(self) -> None:
        """A new original id in the same group, as in a forum case of 2025-03 (mapping.md A1): billing of the old one
        may be retried meanwhile. Family members buy for themselves."""
        old = self.sub
        if old.retry and old.auto_renew:
            end = old.current.expires + 60 * DAY + self.random.randrange(HOUR) // SECOND * SECOND
            self.teller.schedule(end, lambda: self.end_retry(old))
        self.is_family = False
        self.subscribe(self.random.choice(self.products))

    def resubscribe(self) -> None:
        """Back under the same original id. For the same product the event table names STATUS, WWDC 2019 names
        INTERACTIVE_RENEWAL (mapping.md A3): either, or both. For another product it names both."""
        old = self.sub.current.product
        product = old if self.random.random() < 0.6 else self.random.choice(self.products)
        self.sub.turn(True, self.now)
        period = self.new_period(product, **self.offer(is_new=False))
        is_redeemed = period.has_offer and self.now < model.OFFERS_ON_INACTIVE
        event = self.teller.event("OFFER_REDEEMED" if is_redeemed else "SUBSCRIBED", "RESUBSCRIBE", period)
        ways = ("both",) if product is not old else ("status", "interactive", "both")
        way = self.random.choice(ways) if self.now >= model.STATUS_EVENTS else "interactive"
        if way != "status":
            self.teller.tell("INTERACTIVE_RENEWAL", event, period, self.sub)
        if way != "interactive":
            changed = self.now + self.random.randrange(4) * SECOND
            self.teller.tell(
                "DID_CHANGE_RENEWAL_STATUS", event, period, self.sub, absorbed=way == "both", changed=changed
            )

    def renew(self, purchase: int) -> None:
        """The next period, perhaps of the product that was chosen, perhaps with the offer that was redeemed."""
        sub = self.sub
        product, key = sub.next_product, sub.pending
        marks = {} if key is None else {"promotional" if key[0] == "promotional_offer_id" else "code": key[1]}
        period = self.buy(product, purchase, purchase + self.length(product), **marks)
        event = self.teller.event("DID_RENEW", None, period)
        # The Sandbox sent RENEWAL for plain renewals (v1.md §6).
        is_old = self.customer.sandbox and self.now < model.RENEW_EVENTS
        self.teller.tell("RENEWAL" if is_old else "DID_RENEW", event, period, sub)

    # MARK: billing retry

    def end_retry(self, sub: Subscription) -> None:
        """Billing retry ends 60 days after the failure; V1 says so by a change of status."""
        sub.turn(False, self.now)
        sub.retry = False
        event = self.teller.event("EXPIRED", "BILLING_RETRY", sub.current)
        self.teller.tell("DID_CHANGE_RENEWAL_STATUS", event, sub.current, sub)

    def is_in_grace(self) -> bool:
        return self.sub.grace is not None and self.now < self.sub.grace and self.sub.retry is True

    def recover(self) -> None:
        """Apple charges after all. Inside grace the renewal date stays; V1 does not document which purchase date
        the period has then: the recovery's or the end of the period before. A shorter plan, chosen before, may be
        over by then; it starts now."""
        sub, old = self.sub, self.sub.current
        product = sub.next_product
        is_kept = self.is_in_grace() and old.expires + self.length(product) > self.now
        start = old.expires if is_kept or self.now < old.expires else self.now
        purchase = self.random.choice((start, max(self.now, start)))
        period = self.buy(product, purchase, start + self.length(product))
        event = self.teller.event("DID_RENEW", "BILLING_RECOVERY", period)
        self.tell_recovery(event, period)

    def tell_recovery(self, event: model.Event, period: Period) -> None:
        """Until 2021-03-10 both types reported one recovery (mapping.md §1)."""
        types = ["RENEWAL", "DID_RECOVER"]
        self.random.shuffle(types)
        for kind in types:
            self.teller.tell(kind, event, period, self.sub)

    def stop_in_retry(self) -> Actions:
        """The customer turns auto-renew off during retry: how V2 pairs it is not documented (mapping.md A2 #9),
        nor what becomes of the intent and the retry flag."""
        sub, period = self.sub, self.sub.current
        sub.turn(False, self.now)
        sub.intent, sub.retry = self.random.choice(((2, True), (2, False), (1, True), (1, False)))
        if self.now < period.expires or self.random.random() < 0.7:
            event = self.teller.event("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED", period)
        else:
            event = self.teller.event("EXPIRED", "VOLUNTARY", period)
        is_open = self.now >= period.expires
        self.teller.tell("DID_CHANGE_RENEWAL_STATUS", event, period, sub, is_open=is_open)
        yield max(self.now, period.expires)
        if event.kind != "EXPIRED":
            self.teller.event("EXPIRED", "VOLUNTARY", period)
        yield self.now + self.random.randrange(1, 30) * SECOND
        sub.retry = False

    def buy_in_retry(self) -> None:
        """The customer buys the same product by hand during retry: a new purchase, or the old attempt is charged, of
        which V1 sends a DID_RECOVER too (mapping.md A1)."""
        sub = self.sub
        is_charged = self.random.random() < 0.4
        product = sub.current.product
        period = self.buy(product, self.now, self.now + self.length(product))
        if is_charged:
            event = self.teller.event("DID_RENEW", "BILLING_RECOVERY", period)
            self.tell_recovery(event, period)
        else:
            event = self.teller.event("SUBSCRIBED", "RESUBSCRIBE", period)
        self.teller.tell("INTERACTIVE_RENEWAL", event, period, sub, absorbed=is_charged, is_open=not is_charged)

    # MARK: plans

    def better_plans(self) -> list[Product]:
        """An upgrade, or a crossgrade of equal duration, takes effect at once."""
        own = self.sub.current.product
        return [
            one for one in self.products
            if one.level > own.level or one.level == own.level and one.days == own.days and one is not own
        ]  # fmt: skip

    def next_plans(self) -> list[Product]:
        """A downgrade, or a crossgrade of another duration, takes effect at the next renewal."""
        own = self.sub.current.product
        return [
            one for one in self.products
            if one is not self.sub.next_product
            and (one.level < own.level or one.level == own.level and one.days != own.days)
        ]  # fmt: skip

    def upgrade(self) -> None:
        sub, old, product = self.sub, self.sub.current, self.random.choice(self.better_plans())
        was_in_grace = old.expires <= self.now
        # Not documented: whether a purchase during grace is an upgrade. The mark says so (S2:LRI is_upgraded); without
        # it, it is a return (evidence.md §5: the mark takes precedence over dates).
        is_marked = not was_in_grace or self.random.random() < 0.5
        ended = [old] if is_marked else []
        if is_marked and old.purchase > self.now and len(sub.periods) > 1:
            # Renewed early: the period that has not begun is cancelled (an observation of 2020), perhaps both are.
            running = [one for one in sub.periods[-2:-1] if not one.upgraded and one.cancelled is None]
            ended += [one for one in running if self.random.random() < 0.5]
        for period in ended:
            period.change(upgraded=True)
        sub.turn(True, self.now)
        marks = {"promotional": "better.now"} if self.random.random() < self.kind.offers / 2 else {}
        if self.now < model.PROMOTIONAL_OFFERS:
            marks = {}
        period = self.new_period(product, **marks)
        event = self.upgrade_event(period, is_marked)
        self.tell_upgrade(event, period, is_marked)
        for one in ended:
            self.cancel_upgraded(one, event)

    def upgrade_event(self, period: Period, is_marked: bool) -> model.Event:
        if not is_marked:
            is_redeemed = period.has_offer and self.now < model.OFFERS_ON_INACTIVE
            return self.teller.event("OFFER_REDEEMED" if is_redeemed else "SUBSCRIBED", "RESUBSCRIBE", period)
        return self.teller.event("OFFER_REDEEMED" if period.has_offer else "DID_CHANGE_RENEWAL_PREF", "UPGRADE", period)

    def tell_upgrade(self, event: model.Event, period: Period, is_marked: bool) -> None:
        """Which status the companion of an upgrade has is not documented (mapping.md F), so nothing decides what false
        means; that of a return is true (evidence.md §4)."""
        status = not is_marked or self.random.random() < 0.6
        shown = None if status or self.random.random() < 0.5 else False
        changed = self.now + self.random.randrange(4) * SECOND
        self.teller.tell("INTERACTIVE_RENEWAL", event, period, self.sub, is_open=not is_marked)
        self.teller.tell(
            "DID_CHANGE_RENEWAL_STATUS", event, period, self.sub, absorbed=True, status=status, changed=changed,
            shown=shown, is_open=not (is_marked and status),
        )  # fmt: skip

    def cancel_upgraded(self, old: Period, event: model.Event) -> None:
        """In the early eras the old period is cancelled within hours, and CANCEL says so; never in the Sandbox."""
        if self.customer.sandbox or self.now >= self.two_messages:
            return
        delay = self.random.choice((2 * SECOND, 30 * SECOND, self.random.randrange(8 * HOUR) // SECOND * SECOND))
        sub = self.sub

        def cancel() -> None:
            if old.cancelled is not None:
                return
            old.change(cancelled=self.now, reason=0)
            self.teller.tell("CANCEL", event, old, sub, absorbed=True)

        self.teller.schedule(self.now + delay, cancel)

    def downgrade(self) -> None:
        sub = self.sub
        sub.next_product = self.random.choice(self.next_plans())
        kind = "DID_CHANGE_RENEWAL_PREF"
        has_offers = self.now >= model.PROMOTIONAL_OFFERS and not self.customer.sandbox
        if self.random.random() < self.kind.offers / 2 and has_offers:
            sub.pending, kind = ("promotional_offer_id", "stay"), "OFFER_REDEEMED"
        elif self.random.random() < 0.5:
            sub.pending = None
        event = self.teller.event(kind, "DOWNGRADE", sub.current)
        self.teller.tell("DID_CHANGE_RENEWAL_PREF", event, sub.current, sub)

    def revert(self) -> None:
        sub = self.sub
        sub.next_product, sub.pending = sub.current.product, None
        event = self.teller.event("DID_CHANGE_RENEWAL_PREF", None, sub.current)
        self.teller.tell("DID_CHANGE_RENEWAL_PREF", event, sub.current, sub)

    def offer_on_active(self) -> None:
        """An offer for the same product, from the next renewal on: Apple names no V1 message (mapping.md F)."""
        sub = self.sub
        kinds = [("promotional_offer_id", "thanks"), ("offer_code_ref_name", "THANKS")]
        sub.pending = self.random.choice(kinds if self.now >= model.OFFER_CODES else kinds[:1])
        event = self.teller.event("OFFER_REDEEMED", None, sub.current)
        if self.random.random() < 0.5:
            self.teller.tell("DID_CHANGE_RENEWAL_PREF", event, sub.current, sub)

    # MARK: auto-renew, prices

    def toggle(self) -> None:
        """Auto-renew off, or on again. After a price notice, while the period runs, V2's table prints no subtype for
        off: both are accepted (evidence.md §6). What V2 makes of off after the expiry is not documented (mapping.md A2
        #9)."""
        sub = self.sub
        sub.turn(not sub.auto_renew, self.now)
        subtype: str | None = "AUTO_RENEW_ENABLED" if sub.auto_renew else "AUTO_RENEW_DISABLED"
        is_asked = sub.consent == 0 and self.now < sub.current.expires
        if not sub.auto_renew and is_asked and self.random.random() < 0.5:
            subtype = None
        accepted = None if subtype else "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED"
        event = self.teller.event("DID_CHANGE_RENEWAL_STATUS", subtype, sub.current, accepted)
        is_open = not sub.auto_renew and self.now >= sub.current.expires
        self.teller.tell("DID_CHANGE_RENEWAL_STATUS", event, sub.current, sub, is_open=is_open)

    def notice(self) -> None:
        sub = self.sub
        sub.consent = sub.increase = 0
        event = self.teller.event("PRICE_INCREASE", "PENDING", sub.current)
        self.teller.tell("PRICE_INCREASE_CONSENT", event, sub.current, sub)

    def consent(self) -> None:
        """V1 is silent when the customer agrees."""
        self.sub.consent = self.sub.increase = 1
        self.teller.event("PRICE_INCREASE", "ACCEPTED", self.sub.current)
