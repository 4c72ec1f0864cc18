"""Customers, subscriptions and purchases as the App Store knows them: both versions are written from this truth."""

from calendar import timegm
from dataclasses import dataclass, field
from time import strptime

SECOND = 1000
MINUTE, HOUR, DAY = 60 * SECOND, 3600 * SECOND, 86400 * SECOND
# Nobody changes a subscription twice within these.
LEAST = 25 * SECOND
BUNDLE = "com.example.lifecycles"


def day(text: str) -> int:
    """Milliseconds since 1970 of a day in UTC."""
    return timegm(strptime(text, "%Y-%m-%d")) * SECOND


# What V1 sends and how it looks depends on the day (v1.md §6, mapping.md §1, evidence.md §7).
STATUS_EVENTS = day("2019-06-01")
FAILURE_EVENTS = day("2019-11-21")
UNIFIED = day("2019-11-22")
REFUND_EVENTS = day("2020-06-01")
RENEW_EVENTS = day("2020-11-01")
FAMILY_SHARING = day("2020-12-01")
FLAT_REMOVED = day("2021-03-10")
CONSUMPTION_EVENTS = day("2021-06-01")
FAMILY_EVENTS = day("2021-10-21")
NAMED = day("2022-01-01")
INCREASE_KEY = day("2022-11-01")
NOT_FOR_SALE = day("2022-11-07")
DEPRECATED = day("2023-06-05")
OFFERS_ON_INACTIVE = day("2024-01-23")
# Features of the store (evidence.md §15): before, no purchase has such an offer.
PROMOTIONAL_OFFERS = day("2019-03-01")
OFFER_CODES = day("2020-10-01")

SANDBOX_TYPES = {
    "INITIAL_BUY", "DID_CHANGE_RENEWAL_PREF", "DID_CHANGE_RENEWAL_STATUS", "DID_RENEW", "RENEWAL",
    "INTERACTIVE_RENEWAL", "CANCEL", "REFUND",
}  # fmt: skip
SINCE = {
    "DID_CHANGE_RENEWAL_STATUS": STATUS_EVENTS,
    "DID_FAIL_TO_RENEW": FAILURE_EVENTS,
    "DID_RECOVER": UNIFIED,
    "PRICE_INCREASE_CONSENT": FAILURE_EVENTS,
    "REFUND": REFUND_EVENTS,
    "DID_RENEW": RENEW_EVENTS,
    "REVOKE": FLAT_REMOVED,
    "CONSUMPTION_REQUEST": CONSUMPTION_EVENTS,
}
FAMILY_SINCE = {
    "DID_FAIL_TO_RENEW": FLAT_REMOVED,
    "DID_RECOVER": FLAT_REMOVED,
    "REVOKE": FLAT_REMOVED,
    "DID_CHANGE_RENEWAL_PREF": FAMILY_EVENTS,
    "DID_CHANGE_RENEWAL_STATUS": FAMILY_EVENTS,
    "DID_RENEW": FAMILY_EVENTS,
    "INTERACTIVE_RENEWAL": FAMILY_EVENTS,
}


@dataclass(frozen=True)
class Product:
    """A product; the level is its rank in the group, higher is better."""

    name: str
    group: str | None = None
    level: int = 0
    days: int = 0
    kind: str = "Auto-Renewable Subscription"

    @property
    def identifier(self) -> str:
        return f"{BUNDLE}.{self.name}"


GROUPS = [
    [
        Product("basic.month", "21900001", 1, 30), Product("basic.year", "21900001", 1, 365),
        Product("plus.month", "21900001", 2, 30), Product("plus.other.month", "21900001", 2, 30),
        Product("pro.month", "21900001", 3, 30), Product("pro.year", "21900001", 3, 365),
        Product("basic.week", "21900001", 1, 7),
    ],
    [
        Product("cloud.month", "21900002", 1, 30), Product("cloud.large.month", "21900002", 2, 30),
        Product("cloud.large.year", "21900002", 2, 365),
    ],
]  # fmt: skip
COINS = Product("coins", kind="Consumable")
SCENERY = Product("scenery", kind="Non-Consumable")


@dataclass(eq=False)
class Period:
    """One paid or free period of a subscription, or another purchase."""

    product: Product
    transaction: int
    line: int | None
    purchase: int
    expires: int | None
    original: int
    first: int
    trial: bool = False
    intro: bool = False
    promotional: str | None = None
    code: str | None = None
    upgraded: bool = False
    cancelled: int | None = None
    reason: int = 0
    is_finished: bool = False
    family: bool = False
    texts: dict = field(default_factory=dict)

    def change(self, **values: object) -> None:
        """Changes what the list says of it."""
        for name, value in values.items():
            setattr(self, name, value)
        self.texts.clear()

    @property
    def has_offer(self) -> bool:
        return self.promotional is not None or self.code is not None


@dataclass(eq=False)
class Subscription:
    """A subscription under one original transaction id."""

    original: int
    periods: list[Period] = field(default_factory=list)
    next_product: Product | None = None
    auto_renew: bool = True
    changed: int | None = None
    intent: int | None = None
    retry: bool | None = None
    grace: int | None = None
    consent: int | None = None
    increase: int | None = None
    pending: tuple[str, str] | None = None
    # When auto-renew was turned on or off.
    turns: list[tuple[int, bool]] = field(default_factory=list)

    def turn(self, is_on: bool, at: int) -> None:
        """Auto-renew on or off; the time of the last change stays where nothing changes."""
        if is_on is not self.auto_renew:
            self.auto_renew, self.changed = is_on, at
            self.turns.append((at, is_on))

    def renews(self, at: int) -> bool:
        """Auto-renew was on then."""
        return next((is_on for time, is_on in reversed(self.turns) if time <= at), True)

    @property
    def current(self) -> Period:
        """The newest period that no upgrade ended."""
        return next((one for one in reversed(self.periods) if not one.upgraded), self.periods[-1])


@dataclass(frozen=True)
class Event:
    """A V2 event: what Apple sends, or would have sent, in version 2."""

    number: int
    kind: str
    subtype: str | None
    at: int
    original: int
    transaction: int
    # What V2 may send instead, by the facts.
    accepted: str | None = None

    @property
    def name(self) -> str:
        return f"{self.kind}/{self.subtype}" if self.subtype else self.kind

    @property
    def names(self) -> set[str]:
        return {self.name} | ({self.accepted} if self.accepted else set())


@dataclass(eq=False)
class Message:
    """A V1 message, with the event that it reports; `absorbed` when another message is that event's own."""

    kind: str
    event: Event
    absorbed: bool
    at: int
    head: dict
    subscription: Subscription | None
    target: Period
    shown_status: bool | None = None
    # Apple does not document which of two events V2 sends: no other message can decide it.
    is_open: bool = False
    composed: int = 0
    text: str = ""


@dataclass(eq=False)
class Customer:
    """A customer of the app: one receipt with everything that was bought."""

    number: int
    sandbox: bool
    subscriptions: list[Subscription] = field(default_factory=list)
    purchases: list[Period] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    used: int = 0

    def new_id(self, family: bool) -> int:
        """The next transaction id; those of family members have 18 digits (v1.md §2a)."""
        self.used += 1
        base = 500_000_000_000_000_000 if family else 2_000_000_000_000_000 if self.sandbox else 410_000_000_000_000
        return base + self.number * 10_000 + self.used

    def new_line(self) -> int:
        self.used += 1
        return 410_000_500_000_000 + self.number * 10_000 + self.used
