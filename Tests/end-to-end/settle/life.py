"""Lives of subscriptions: first what happened, then the V1 messages that Apple would have sent about it.

Where Apple's behavior is not documented, the simulator draws one of the possible behaviors at random.
"""

import random
from dataclasses import dataclass, field

SECOND, MINUTE, HOUR, DAY = 1000, 60_000, 3_600_000, 86_400_000
MONTH = 30 * DAY
# The eras of mapping.md §1: before 2021-03-10 V1 sends RENEWAL, and CANCEL for upgrades; from 2024-01-23 V2 reports an
# offer redeemed on an inactive subscription as SUBSCRIBED.
TWO_MESSAGES = 1_615_334_400_000
OFFERS_ON_INACTIVE = 1_705_968_000_000

DISABLED = "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED"
ENABLED = "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED"
UPGRADE = "DID_CHANGE_RENEWAL_PREF/UPGRADE"
RECOVERY = "DID_RENEW/BILLING_RECOVERY"


@dataclass
class Truth:
    """The V2 event of a message; a companion is part of another message's event."""

    event: str
    is_companion: bool = False
    # What V2 may send as well, or instead, where Apple documents no single answer.
    accepts: tuple[str, ...] = ()


@dataclass
class Message:
    customer: int
    sent: int
    body: dict
    truth: Truth


@dataclass
class Period:
    product: str
    otid: str
    tx: str
    wol: str
    start: int
    end: int
    group: str
    extra: dict = field(default_factory=dict)

    def row(self, original: int) -> dict:
        return {
            "quantity": "1", "product_id": self.product, "transaction_id": self.tx,
            "original_transaction_id": self.otid, "web_order_line_item_id": self.wol,
            "purchase_date_ms": str(self.start), "original_purchase_date_ms": str(original),
            "expires_date_ms": str(self.end), "is_trial_period": "false", "is_in_intro_offer_period": "false",
            "subscription_group_identifier": self.group, **self.extra,
        }


class Life:
    """One customer's life, as a random walk."""

    def __init__(self, customer: int, seed: int) -> None:
        self.random = random.Random(f"{seed}-{customer}")
        self.customer, self.serial = customer, 0
        self.messages: list[Message] = []
        self.story: list[str] = []
        self.periods: list[Period] = []
        self.is_old = self.chance(0.25)
        self.now = self.pick([1_575_000_000_000, 1_590_000_000_000] if self.is_old else [1_620_000_000_000, 1_680_000_000_000, 1_710_000_000_000])
        self.now += self.random.randrange(100) * DAY + self.random.randrange(DAY)
        self.end = self.now + self.random.randrange(200, 700) * DAY
        if self.is_old:
            self.end = min(self.end, TWO_MESSAGES - 5 * DAY)
        self.has_grace = self.chance(0.4)
        self.shows_change_date = self.chance(0.8)
        self.group = "20300400"
        self.reset()
        self.live()

    # MARK: helpers

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def pick(self, items):
        return self.random.choice(items)

    def number(self) -> str:
        self.serial += 1
        return str(7_000_000_000_000 + self.customer * 1000 + self.serial)

    def reset(self) -> None:
        self.on, self.changed, self.next = True, None, None
        self.retry, self.grace, self.intent, self.consent = None, None, None, None

    @property
    def current(self) -> Period:
        return self.periods[-1]

    def note(self, words: str) -> None:
        self.story.append(f"{self.now}  {words}")

    def buy(self, product: str, start: int, end: int | None = None, otid: str | None = None, **extra) -> Period:
        tx = self.number()
        period = Period(product, otid or tx, tx, self.number(), start, end or start + (12 if product == "y" else 1) * MONTH, self.group, extra)
        self.periods.append(period)
        return period

    def send(self, kind: str, truth: Truth, delay: int = 5 * SECOND, **top) -> None:
        """Sends a message about the state of the moment."""
        shown = self.periods[-100:]
        original = {p.otid: p.start for p in reversed(self.periods)}
        renewal = {"original_transaction_id": self.current.otid, "product_id": self.current.product,
                   "auto_renew_product_id": self.next or self.current.product, "auto_renew_status": "1" if self.on else "0"}
        for key, value in (("is_in_billing_retry_period", self.retry), ("expiration_intent", self.intent), ("price_consent_status", self.consent)):
            if value is not None:
                renewal[key] = value
        if self.grace is not None:
            renewal["grace_period_expires_date_ms"] = str(self.grace)
        body = {"notification_type": kind, "environment": "PROD", "bid": "com.example.lives", "bvrs": "1",
                "auto_renew_status": "true" if self.on else "false", "auto_renew_product_id": self.next or self.current.product,
                "unified_receipt": {"status": 0, "environment": "Production",
                                    "latest_receipt_info": [p.row(original[p.otid]) for p in reversed(shown)],
                                    "pending_renewal_info": [renewal]}}
        if self.changed is not None and (self.shows_change_date or kind == "DID_CHANGE_RENEWAL_STATUS"):
            body["auto_renew_status_change_date_ms"] = str(self.changed)
        body.update({key: value for key, value in top.items() if value is not None})
        if "auto_renew_status" in top and top["auto_renew_status"] != ("true" if self.on else "false"):
            renewal["auto_renew_status"] = "1" if top["auto_renew_status"] == "true" else "0"
        self.messages.append(Message(self.customer, self.now + delay, body, truth))
        self.note(f"V1 {kind}: {truth.event}{' (companion)' if truth.is_companion else ''}")

    def turn(self, is_on: bool, at: int | None = None) -> None:
        self.on, self.changed = is_on, at or self.now

    # MARK: the walk

    def live(self) -> None:
        offer = self.pick([{}, {}, {"is_trial_period": "true"}, {"offer_code_ref_name": "spring"}])
        self.buy(self.pick(["m", "m", "p", "y"]), self.now, **offer)
        code = "offer_code_ref_name" in offer and self.now < OFFERS_ON_INACTIVE
        self.send("INITIAL_BUY", Truth("OFFER_REDEEMED/INITIAL_BUY" if code else "SUBSCRIBED/INITIAL_BUY"))
        while self.now < self.end:
            self.period()
            if not self.renewal():
                return

    def period(self) -> None:
        """What happens while a period runs."""
        while self.now + 2 * HOUR < self.current.end and self.chance(0.45):
            room = self.current.end - self.now - HOUR
            self.now += self.random.randrange(20 * MINUTE, max(20 * MINUTE + 1, room))
            if self.now >= self.current.end - HOUR:
                self.now = self.current.end - HOUR
            action = self.pick([self.toggle, self.toggle, self.toggle, self.change_plan, self.upgrade, self.refund, self.refund_old, self.ask_consent])
            action()
            if "cancellation_date_ms" in self.current.extra:
                return

    def toggle(self) -> None:
        self.turn(not self.on)
        self.intent = None if self.on else self.pick([None, "1"])
        accepts = ("DID_CHANGE_RENEWAL_STATUS",) if not self.on and self.consent == "0" else ()
        self.send("DID_CHANGE_RENEWAL_STATUS", Truth(ENABLED if self.on else DISABLED, accepts=accepts))

    def change_plan(self) -> None:
        if not self.on:
            return
        if self.next:
            self.next = None
            self.send("DID_CHANGE_RENEWAL_PREF", Truth("DID_CHANGE_RENEWAL_PREF"))
        elif self.current.product == "p":
            self.next = "m"
            self.send("DID_CHANGE_RENEWAL_PREF", Truth("DID_CHANGE_RENEWAL_PREF/DOWNGRADE"))

    def upgrade(self) -> None:
        if self.current.product == "p":
            return
        old, was_on = self.current, self.on
        old.extra["is_upgraded"] = "true"
        if self.is_old or self.chance(0.3):
            old.extra.update(cancellation_date_ms=str(self.now + self.pick([0, 2 * SECOND])), cancellation_reason="0")
        self.next, self.intent, self.consent = None, None, None
        self.buy("p", self.now, otid=old.otid)
        has_companion = self.is_old or self.chance(0.7)
        stated = self.pick(["true", "false"]) if has_companion else None
        self.on = True
        before = self.changed
        if has_companion and (not was_on or self.chance(0.5)):
            self.changed = self.now
        elif not was_on:
            self.changed = self.now
        if self.is_old:
            self.send("CANCEL", Truth(UPGRADE, True), delay=self.pick([3 * SECOND, HOUR]), cancellation_date_ms=old.extra["cancellation_date_ms"], web_order_line_item_id=old.wol)
        if has_companion:
            kept = self.changed
            self.changed = self.now
            self.send("DID_CHANGE_RENEWAL_STATUS", Truth(UPGRADE, True), auto_renew_status=stated)
            self.changed = kept if kept is not None else before
        self.send("INTERACTIVE_RENEWAL", Truth(UPGRADE))
        if self.chance(0.1):
            self.now += self.random.randrange(MINUTE, 9 * MINUTE)
            self.turn(False)
            self.send("DID_CHANGE_RENEWAL_STATUS", Truth(DISABLED))

    def refund(self) -> None:
        self.current.extra.update(cancellation_date_ms=str(self.now), cancellation_reason=self.pick(["0", "1"]))
        was_on = self.on
        self.send("CANCEL", Truth("REFUND"), cancellation_date_ms=str(self.now), web_order_line_item_id=self.current.wol)
        if was_on:
            self.now += self.random.randrange(SECOND, HOUR)
            self.turn(False)
            self.send("DID_CHANGE_RENEWAL_STATUS", Truth("REFUND", True, accepts=(DISABLED,)))

    def refund_old(self) -> None:
        old = [p for p in self.periods[:-1] if "cancellation_date_ms" not in p.extra and "is_upgraded" not in p.extra and self.now - p.end < 80 * DAY]
        if not old:
            return
        period = old[-1]
        period.extra.update(cancellation_date_ms=str(self.now), cancellation_reason="0")
        self.send("CANCEL", Truth("REFUND"), cancellation_date_ms=str(self.now), web_order_line_item_id=period.wol)

    def ask_consent(self) -> None:
        if self.on and self.consent is None and not self.is_old:
            self.consent = "0"
            self.send("PRICE_INCREASE_CONSENT", Truth("PRICE_INCREASE/PENDING"))

    # MARK: the end of a period

    def renewal(self) -> bool:
        """Returns false when the life ends."""
        if "cancellation_date_ms" in self.current.extra and "is_upgraded" not in self.current.extra:
            return self.come_back(refunded=True)
        self.now = self.current.end
        if self.consent == "0":
            self.consent = "1" if self.chance(0.6) else "0"
        if self.consent == "0":
            self.on, self.intent, self.changed = False, "3", self.now
            return self.come_back()
        self.consent = None
        if not self.on:
            self.intent = "1"
            return self.come_back()
        if self.chance(0.75):
            product = self.next or self.current.product
            self.next = None
            start = self.current.end + self.pick([0, 0, 0, SECOND, MINUTE])
            self.now = start
            self.buy(product, start, otid=self.current.otid)
            # Before December 2020 V1 reports ordinary renewals with no message.
            if not self.is_old:
                self.send("DID_RENEW", Truth("DID_RENEW"))
            return True
        return self.fail()

    def fail(self) -> bool:
        failed = self.current
        self.retry, self.intent = "1", "2"
        if self.has_grace:
            self.grace = failed.end + 16 * DAY
        self.send("DID_FAIL_TO_RENEW", Truth("DID_FAIL_TO_RENEW/GRACE_PERIOD" if self.has_grace else "DID_FAIL_TO_RENEW"), delay=MINUTE)
        way = self.pick(["recover", "recover", "recover", "end", "buy", "off"])
        if way == "recover":
            self.now += self.random.randrange(HOUR, (15 if self.has_grace and self.chance(0.7) else 55) * DAY)
            product = self.next or failed.product
            self.next = None
            self.retry, self.grace, self.intent = None, self.pick([None, self.grace]), None
            self.buy(product, self.now, failed.end + MONTH if self.has_grace and self.now < failed.end + 16 * DAY else None, otid=failed.otid)
            if self.is_old:
                self.send("RENEWAL", Truth(RECOVERY, self.chance(0), accepts=(RECOVERY,)))
            self.send("DID_RECOVER", Truth(RECOVERY))
            self.grace = None
            return True
        if way == "end":
            self.now = failed.end + 60 * DAY + self.random.randrange(-HOUR, 3 * DAY)
            self.turn(False)
            self.retry = "0"
            self.send("DID_CHANGE_RENEWAL_STATUS", Truth("EXPIRED/BILLING_RETRY"))
            return self.come_back()
        self.now += self.random.randrange(DAY, 50 * DAY)
        if way == "off":
            self.turn(False)
            self.retry, self.intent = "0", self.pick(["1", "1", "2"])
            self.send("DID_CHANGE_RENEWAL_STATUS", Truth(DISABLED, accepts=("EXPIRED/VOLUNTARY",)))
            return self.come_back()
        # The customer buys by hand during retry or grace.
        if self.has_grace and self.now < failed.end + 16 * DAY:
            self.now = failed.end + 17 * DAY
        self.retry, self.grace, self.intent = None, None, None
        return self.resubscribe(self.current.product, turned=False)

    def come_back(self, refunded: bool = False) -> bool:
        if self.chance(0.4):
            return False
        self.now += self.pick([30 * MINUTE, 3 * DAY, 20 * DAY, 70 * DAY, 150 * DAY])
        if self.now >= self.end or self.is_old and self.now > TWO_MESSAGES - DAY:
            return False
        product = self.pick([self.current.product, self.current.product, "p", "m"])
        if self.chance(0.15):
            return self.restart(product)
        return self.resubscribe(product)

    def resubscribe(self, product: str, turned: bool = True) -> bool:
        old = self.current
        offer = self.pick([{}, {}, {}, {"promotional_offer_id": "back"}])
        was_on = self.on
        self.retry, self.grace, self.intent, self.consent, self.next = None, None, None, None, None
        self.buy(product, self.now, otid=old.otid, **offer)
        event = "OFFER_REDEEMED/RESUBSCRIBE" if offer and self.now < OFFERS_ON_INACTIVE else "SUBSCRIBED/RESUBSCRIBE"
        if not was_on:
            self.turn(True)
        if product != old.product:
            self.send("INTERACTIVE_RENEWAL", Truth(event))
            if not was_on:
                self.send("DID_CHANGE_RENEWAL_STATUS", Truth(event, True))
        elif not was_on and self.chance(0.5):
            self.send("DID_CHANGE_RENEWAL_STATUS", Truth(event))
        else:
            self.send("INTERACTIVE_RENEWAL", Truth(event))
        return True

    def restart(self, product: str) -> bool:
        """The subscription goes on under another original id."""
        self.reset()
        self.buy(product, self.now)
        self.send("INITIAL_BUY", Truth("SUBSCRIBED/RESUBSCRIBE"))
        return True
