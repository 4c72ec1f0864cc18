"""One model of a customer's purchases, from which both archives are told.

Nothing here knows how V1 or V2 spell a thing. Instants are milliseconds since 1970 UTC.
"""

import random
import uuid
from dataclasses import dataclass, field

SECOND = 1000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR

# The day of Apple's changelog from which on V2 has a member or an event.
LIVE = 1634774400000  # 2021-10-21
NO_CONSENT = 1652313600000  # 2022-05-12
INCREASE_STATUS = 1667779200000  # 2022-11-07, V1's price_increase_status
NOT_FOR_SALE = 1667779200000  # 2022-11-07
V2_8 = 1685923200000  # 2023-06-05
PRICES = 1698278400000  # 2023-10-26
OFFERS_ON_INACTIVE = 1705968000000  # 2024-01-23
CONSUMPTION_REASON = 1712793600000  # 2024-04-11
RENEWAL_PRICE = 1717977600000  # 2024-06-10
WIN_BACK = 1720396800000  # 2024-07-08
APP_TRANSACTION = 1740096000000  # 2025-02-21
ONE_TIME_CHARGE = 1748304000000  # 2025-05-27
END = 1759276800000  # 2025-10-01

LAPSE = 60 * DAY
SANDBOX_LAPSE = 10 * MINUTE


@dataclass(frozen=True)
class Product:
    """Something the shop sells; `level` orders a group from the cheapest up."""

    identifier: str
    length: int = 0
    level: int = 0
    price: int = 9990
    kind: str = "Auto-Renewable Subscription"


@dataclass(frozen=True)
class App:
    """An app with one subscription group."""

    bundle: str
    apple_id: int
    group: str
    version: str
    subscriptions: tuple[Product, ...]
    coins: Product
    unlock: Product


def _app(name: str, number: int) -> App:
    bundle = f"com.example.{name}"
    products = (
        Product(f"{bundle}.basic.weekly", 7 * DAY, 0, 1990),
        Product(f"{bundle}.basic.monthly", 30 * DAY, 1, 4990),
        Product(f"{bundle}.studio.monthly", 30 * DAY, 2, 9990),
        Product(f"{bundle}.studio.yearly", 365 * DAY, 3, 89990),
    )
    coins = Product(f"{bundle}.coins", price=2990, kind="Consumable")
    unlock = Product(f"{bundle}.unlock", price=19990, kind="Non-Consumable")
    return App(bundle, 1_555_000_100 + number, str(21_740_510 + number), str(410 + number), products, coins, unlock)


APPS = (_app("kiln", 1), _app("glaze", 2), _app("wheel", 3))


@dataclass(frozen=True)
class Offer:
    """How a period came cheaper: trial, intro, promotional or code."""

    kind: str
    identifier: str | None = None
    discount: str = "FREE_TRIAL"

    @property
    def number(self) -> int:
        """V2's offerType."""
        return {"trial": 1, "intro": 1, "promotional": 2, "code": 3}[self.kind]

    @property
    def is_free(self) -> bool:
        return self.discount == "FREE_TRIAL"


class Period:
    """One purchase or renewal."""

    __slots__ = (
        "transaction", "line", "product", "purchase", "expires", "offer", "upgraded", "cancelled", "reason",
        "bought", "quantity", "token", "texts",
    )

    def __init__(self, transaction, line, product, purchase, expires, offer=None, bought=False, token=None):
        self.transaction, self.line, self.product = transaction, line, product
        self.purchase, self.expires, self.offer, self.bought = purchase, expires, offer, bought
        self.upgraded, self.cancelled, self.reason = False, None, 0
        self.quantity, self.token = 1, token
        # V1's rows as text, kept while nothing changes.
        self.texts: dict[bool, str] = {}

    @property
    def end(self) -> int:
        """When service ends: at the expiry, or with a refund before it."""
        is_taken_back = self.cancelled is not None and not self.upgraded
        return min(self.expires, self.cancelled) if is_taken_back else self.expires

    def touch(self) -> None:
        """To be called when a value has changed."""
        self.texts.clear()


class Numbers:
    """Ids that no other purchase has, far enough apart to be one off."""

    def __init__(self, seed: int):
        self.next = 0
        self.random = random.Random(seed * 7919 + 1)

    def transaction(self, sandbox: bool = False, family: bool = False) -> int:
        self.next += 1
        if family:
            return 500_000_000_000_000_003 + self.next * 10
        return (2_000_000_100_000_000 if sandbox else 730_000_000_000_000) + self.next * 10

    def line(self, sandbox: bool = False) -> int:
        self.next += 1
        return (2_000_000_900_000_000 if sandbox else 610_000_000_000_000) + self.next * 10

    def uuid(self) -> str:
        return str(uuid.UUID(int=self.random.getrandbits(128), version=4))


@dataclass
class Subscription:
    """A subscription's periods and what is known of its next renewal."""

    app: App
    numbers: Numbers
    sandbox: bool = False
    family: bool = False
    # V1 states the original purchase this much late.
    skew: int = 0
    # A subscription of the same group that ended before; V1's bodies list it too.
    earlier: "Subscription | None" = None
    # V1's rows name the ownership.
    states_ownership: bool = True
    token: str | None = None
    periods: list[Period] = field(default_factory=list)
    auto_renew: bool = True
    next_product: Product | None = None
    next_offer: Offer | None = None
    intent: int | None = None
    retry: bool | None = None
    # The end of grace; V1 keeps it afterwards, V2 does not.
    grace: int | None = None
    # 0 asked, 1 given; `increase` is the increase as V2 tells it, `shown` when V1 has price_increase_status too.
    consent: int | None = None
    increase: int | None = None
    shown: bool = False

    @property
    def original(self) -> int:
        return self.periods[0].transaction

    @property
    def first_purchase(self) -> int:
        return self.periods[0].purchase

    @property
    def current(self) -> Period:
        """The newest period that was not upgraded away."""
        return next(period for period in reversed(self.periods) if not period.upgraded)

    def buy(self, product: Product, at: int, expires: int, offer: Offer | None = None, bought: bool = False) -> Period:
        """Appends a period; whatever waited for it is over."""
        period = Period(
            self.numbers.transaction(self.sandbox, self.family), self.numbers.line(self.sandbox), product, at, expires,
            offer, bought, self.token,
        )
        self.periods.append(period)
        self.next_product, self.next_offer = product, None
        self.intent = self.retry = self.consent = self.increase = None
        return period

    def visible(self, history: int) -> list[Period]:
        """The periods that a V1 body lists, oldest first."""
        return self.periods[-history:]

    def run_start(self) -> Period:
        """The first period of the newest run without a long lapse."""
        return run_start(self.periods, self.sandbox)

    def shows_run_start(self, history: int) -> bool:
        """Whether the listed periods alone tell where the run began."""
        listed = self.visible(history)
        first = run_start(listed, self.sandbox)
        return first is not listed[0] or first is self.periods[0]


def run_start(periods: list[Period], sandbox: bool) -> Period:
    """The first of the newest periods between which no lapse exceeds 60 days (Sandbox: 10 minutes)."""
    limit = SANDBOX_LAPSE if sandbox else LAPSE
    for place in range(len(periods) - 1, 0, -1):
        if periods[place].purchase - periods[place - 1].end > limit:
            return periods[place]
    return periods[0]
