"""Time, and what is sent at each moment: V2 events, and V1 messages that are written a little later."""

import heapq
import random
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace

import bodies
import model
from model import DAY, HOUR, MINUTE, SECOND, Customer, Event, Message, Period, Subscription

Actions = Generator[int, None, None]


class Teller:
    """One customer's clock. Lives are generators that yield the time of their next action."""

    def __init__(self, customer: Customer, rng: random.Random, *, late: float, is_dated: bool) -> None:
        self.customer, self.random, self.late, self.is_dated = customer, rng, late, is_dated
        self.heap: list[tuple[int, int, Callable[[], object]]] = []
        self.order, self.now, self.acted = 0, 0, 0

    def schedule(self, at: int, action: Callable[[], object]) -> None:
        self.order += 1
        heapq.heappush(self.heap, (max(at, self.now), self.order, action))

    def start(self, life: Actions) -> None:
        self.step(iter(life))

    def step(self, life: Iterator[int]) -> None:
        at = next(life, None)
        if at is not None:
            self.schedule(at, lambda: self.step(life))

    def run(self, until: int) -> None:
        while self.heap and self.heap[0][0] < until:
            self.now, _, action = heapq.heappop(self.heap)
            action()

    # MARK: what is sent

    def event(self, kind: str, subtype: str | None, period: Period, accepted: str | None = None) -> Event:
        """A V2 event of a purchase."""
        number = len(self.customer.events)
        self.acted = self.now
        event = Event(number, kind, subtype, self.now, period.original, period.transaction, accepted)
        self.customer.events.append(event)
        return event

    def sends(self, kind: str, at: int, family: bool) -> bool:
        """Whether V1 sends this type on that day, in this environment, to this person."""
        if self.customer.sandbox and kind not in model.SANDBOX_TYPES:
            return False
        if kind == "RENEWAL":
            return at < (model.RENEW_EVENTS if self.customer.sandbox else model.FLAT_REMOVED)
        if family:
            return at >= model.FAMILY_SINCE.get(kind, 1 << 62)
        return at >= model.SINCE.get(kind, 0)

    def tell(
        self, kind: str, event: Event, target: Period, sub: Subscription | None, *, absorbed: bool = False,
        status: bool | None = None, changed: int | None = None, shown: bool | None = None, is_open: bool = False,
    ) -> None:  # fmt: skip
        """A V1 message about an event. What changed is stated as it is now; the receipt is read when it is written."""
        at = self.now
        if not self.sends(kind, at, target.family):
            return
        head: dict = {}
        if sub is not None:
            head["auto_renew_product_id"] = sub.next_product.identifier
            head["auto_renew_status"] = "true" if (sub.auto_renew if status is None else status) else "false"
            is_over = sub.current.expires <= at + MINUTE
            if sub.intent is not None and is_over and kind != "INITIAL_BUY":
                head["expiration_intent"] = self.random.choice((sub.intent, str(sub.intent)))
        if kind == "DID_CHANGE_RENEWAL_STATUS":
            head |= bodies.dates("auto_renew_status_change_date", at if changed is None else changed)
        elif self.is_dated and sub is not None and sub.changed is not None and at >= model.STATUS_EVENTS:
            head |= bodies.dates("auto_renew_status_change_date", sub.changed)
        if kind == "CANCEL":
            head |= bodies.dates("cancellation_date", target.cancelled)
            # Documented for CANCEL (v1.md §1); evidence.md §2 also knows CANCEL without it.
            if self.random.random() < 0.97:
                head["web_order_line_item_id"] = str(target.line)
        message = Message(kind, event, absorbed, at, head, sub, target, shown, is_open)
        self.customer.messages.append(message)
        self.schedule(at + self.lag(), lambda: self.compose(message))

    def compose(self, message: Message) -> None:
        """A redeemed offer that the customer dropped before the body was written does not show; that V1 reports such an
        offer by this message is not documented either (mapping.md F)."""
        event, sub = message.event, message.subscription
        if message.kind == "DID_CHANGE_RENEWAL_PREF" and event.kind == "OFFER_REDEEMED" and sub and not sub.pending:
            dropped = f"{message.kind}/{event.subtype}" if event.subtype else message.kind
            message.event = replace(event, accepted=dropped)
        message.composed = self.now
        message.text = bodies.composed(message, self.customer, self.now, self.random)

    def lag(self) -> int:
        """How long after the event the body is written: mostly seconds; a late body shows later purchases. The Sandbox
        makes one attempt (mapping.md D)."""
        if self.random.random() < self.late and not self.customer.sandbox:
            longest = self.random.choice((5 * MINUTE, HOUR, 8 * HOUR, 3 * DAY))
            return self.random.randrange(20, longest // SECOND) * SECOND
        return self.random.randrange(20) * SECOND
