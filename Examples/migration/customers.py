"""Half a year of a small tea shop: who bought what, and what came of it."""

import random
import uuid
from datetime import datetime, timezone

from lives import Life
from model import DAY, HOUR, MINUTE, SECOND, App, Numbers, Offer, Period, Product, Subscription

BUNDLE = "com.example.teahouse"
CUP = Product(f"{BUNDLE}.cup.monthly", 30 * DAY, 1, 3990)
POT = Product(f"{BUNDLE}.pot.monthly", 30 * DAY, 2, 6990)
YEAR = Product(f"{BUNDLE}.pot.yearly", 365 * DAY, 3, 59990)
LEAVES = Product(f"{BUNDLE}.leaves.10", price=1990, kind="Consumable")
SHOP = App(BUNDLE, 6_470_000_123, "21480011", "52", (CUP, POT, YEAR), LEAVES, LEAVES)


def at(text: str) -> int:
    """Milliseconds of a time like 2025-03-09 10:00:00, UTC."""
    return int(datetime.fromisoformat(text).replace(tzinfo=timezone.utc).timestamp()) * 1000


def months(instant: int, count: int) -> int:
    """The same day some months later; no customer buys behind the 28th."""
    day = datetime.fromtimestamp(instant // 1000, timezone.utc)
    month = day.month - 1 + count
    later = day.replace(year=day.year + month // 12, month=month % 12 + 1)
    return int(later.timestamp()) * 1000


class Customer(Life):
    """A subscription with periods of calendar months."""

    def __init__(
        self, book, numbers: Numbers, product: Product, first: str, offer: Offer | None = None,
        family=False, erased=False, is_older=False,
    ):
        token = str(uuid.UUID(int=random.Random(numbers.next).getrandbits(128), version=4))
        sub = Subscription(SHOP, numbers, family=family, skew=SECOND, token=None if family else token)
        super().__init__(book, sub, random.Random(numbers.next))
        self.book = book
        start = at(first)
        end = start + 7 * DAY if offer and offer.kind == "trial" else self.end(product, start)
        sub.buy(product, start, end, offer, bought=True)
        if erased:
            book.erased.add(sub.original)
        if is_older:
            # Bought before the archives begin.
            return
        if family:
            self.server_only("SUBSCRIBED", "INITIAL_BUY", start)
        else:
            self.told("subscribe", "INITIAL_BUY", ("SUBSCRIBED", "INITIAL_BUY"), start)

    @staticmethod
    def end(product: Product, start: int) -> int:
        return months(start, 12 if product is YEAR else 1)

    def renews(self, count: int = 1) -> "Customer":
        for _ in range(count):
            start = self.sub.current.expires
            self.sub.grace = None
            product = self.sub.next_product
            self.sub.buy(product, start, self.end(product, start))
            self.told("renew", "DID_RENEW", ("DID_RENEW", None), start)
        return self

    def turns(self, text: str) -> "Customer":
        """Auto-renew off or on."""
        self.toggle(at(text))
        return self

    def upgrades(self, product: Product, text: str) -> None:
        """Told in three messages, as Apple did in 2021 and the shop's gateway still does."""
        sub, old, now = self.sub, self.sub.current, at(text)
        old.upgraded = True
        old.touch()
        sub.buy(product, now, self.end(product, now), bought=True)
        companion = self.status_message(now + 2 * SECOND)
        v2 = ("DID_CHANGE_RENEWAL_PREF", "UPGRADE")
        self.told("upgrade", "INTERACTIVE_RENEWAL", v2, now, (companion,))
        old.cancelled = now + 3 * HOUR
        old.touch()
        message = self.book.message("CANCEL", sub, sub.current).date("cancellation_date", old.cancelled)
        message.head["web_order_line_item_id"] = str(old.line)
        self.book.absorb(message, at=old.cancelled)

    def downgrades(self, product: Product, text: str) -> "Customer":
        self.sub.next_product = product
        v2 = ("DID_CHANGE_RENEWAL_PREF", "DOWNGRADE")
        self.told("downgrade", "DID_CHANGE_RENEWAL_PREF", v2, at(text), is_timed=False)
        return self

    def returns(self, text: str) -> "Customer":
        """Back after the end, for the same product."""
        sub, now = self.sub, at(text)
        sub.auto_renew = True
        sub.buy(sub.current.product, now, self.end(sub.current.product, now), bought=True)
        v2 = ("SUBSCRIBED", "RESUBSCRIBE")
        self.told("return", "DID_CHANGE_RENEWAL_STATUS", v2, now + SECOND, is_purchase=True)
        return self

    def fails(self, grace: int = 0) -> "Customer":
        sub, expires = self.sub, self.sub.current.expires
        sub.intent, sub.retry, sub.grace = 2, True, expires + grace * DAY if grace else None
        v2 = ("DID_FAIL_TO_RENEW", "GRACE_PERIOD" if grace else None)
        # Without grace Apple took a while to tell.
        self.told("fail", "DID_FAIL_TO_RENEW", v2, expires, late=expires + (0 if grace else 12 * MINUTE))
        return self

    def recovers(self, text: str) -> "Customer":
        sub, now = self.sub, at(text)
        start = sub.current.expires if sub.grace else now
        sub.grace = None
        sub.buy(sub.next_product, now, self.end(sub.next_product, start))
        self.told("recover", "DID_RECOVER", ("DID_RENEW", "BILLING_RECOVERY"), now)
        return self

    def loses_renewal(self, side: str) -> "Customer":
        """A renewal of which one side has no record."""
        start = self.sub.current.expires
        self.sub.buy(self.sub.next_product, start, self.end(self.sub.next_product, start))
        message = self.book.message("DID_RENEW", self.sub, self.sub.current)
        told = self.book.notification("DID_RENEW", None, start, self.sub, self.sub.current)
        self.book.tell("renew", message, told, start, lost=side)
        return self


def visit(book) -> None:
    """Everybody, one after the other."""
    numbers = Numbers(20250601)

    def customer(product, first, offer=None, **options):
        numbers.next += 100
        return Customer(book, numbers, product, first, offer, **options)

    # The quiet ones, the last two of them customers of the night of the outage.
    customer(CUP, "2025-01-14 08:12:40").renews(5)
    customer(POT, "2025-01-22 19:45:03").renews(4)
    customer(CUP, "2025-03-03 06:30:11").renews(2)
    customer(YEAR, "2024-06-02 14:00:00", is_older=True).renews(1)
    customer(POT, "2025-02-12 02:41:09").renews(3)
    customer(CUP, "2025-03-12 04:20:55").renews(2)
    # On trial, then not for long.
    customer(CUP, "2025-02-03 11:11:11", Offer("trial")).renews(2).turns("2025-03-28 09:00:00").lapse()
    # A dearer pot, of which V1 says nothing: no consent was needed.
    pot = customer(POT, "2025-01-20 16:20:00").renews(2)
    pot.sub.increase = 1
    pot.server_only("PRICE_INCREASE", "ACCEPTED", at("2025-03-25 10:00:00"))
    pot.turns("2025-04-02 20:15:00").turns("2025-04-05 07:30:00").renews(1)
    # A dearer pot for which consent is asked, and given.
    pot = customer(POT, "2025-02-17 12:00:30").renews(2)
    pot.sub.consent = pot.sub.increase = 0
    consent = ("PRICE_INCREASE", "PENDING")
    pot.told("price", "PRICE_INCREASE_CONSENT", consent, at("2025-05-02 10:00:00"), is_timed=False)
    pot.sub.consent = pot.sub.increase = 1
    pot.server_only("PRICE_INCREASE", "ACCEPTED", at("2025-05-03 18:40:00"))
    pot.turns("2025-05-04 08:00:00").turns("2025-05-06 08:00:00").renews(1)
    # From the cup to the pot at once; and from the pot to the cup in time.
    cup = customer(CUP, "2025-02-11 10:10:10").renews(1)
    cup.upgrades(POT, "2025-04-01 21:07:00")
    cup.renews(1)
    customer(POT, "2025-02-02 13:13:00").renews(1).downgrades(CUP, "2025-03-15 09:26:53").renews(2)
    # Refunded in the night of the outage: the exporter never heard of it, and she keeps on being served.
    refunded = customer(POT, "2025-03-21 17:00:00")
    book.missed.add(refunded.sub.original)
    refunded.refund(at("2025-04-12 03:14:15"))
    refunded.turns("2025-04-14 12:00:00")
    # A refund that both know.
    customer(CUP, "2025-05-08 08:08:08").refund(at("2025-05-09 15:30:00"))
    # Cards that did not work: without grace, with grace, and for good.
    customer(CUP, "2025-02-18 05:05:05").renews(1).fails().recovers("2025-04-29 07:00:00").renews(1)
    customer(CUP, "2025-03-06 22:00:00").renews(1).fails(grace=16).recovers("2025-05-10 01:23:45")
    lost = customer(CUP, "2025-02-25 18:30:00").fails()
    lost.sub.auto_renew, lost.sub.retry = False, False
    over = lost.sub.current.expires + 60 * DAY + 40 * MINUTE
    lost.told("expired", "DID_CHANGE_RENEWAL_STATUS", ("EXPIRED", "BILLING_RETRY"), over)
    # Gone and back.
    back = customer(CUP, "2025-01-09 09:09:09").turns("2025-01-30 10:00:00")
    back.lapse()
    back.returns("2025-04-20 10:30:00").renews(1)
    # Two who had their accounts erased; the exporter wrote zeros in place of their tokens.
    for product, first in ((CUP, "2025-03-10 15:00:00"), (POT, "2025-03-18 20:20:20")):
        customer(product, first, Offer("code", "FIRSTFLUSH", "PAY_UP_FRONT"), erased=True).renews(2)
    # Someone's daughter, until the family was left.
    child = customer(POT, "2025-02-06 19:00:00", family=True).renews(3)
    period = child.sub.current
    period.cancelled, child.sub.auto_renew = at("2025-05-20 06:00:00"), False
    period.touch()
    child.told("revoke", "REVOKE", ("REVOKE", None), period.cancelled)
    # V2's copies of these two were lost on their way to the warehouse.
    customer(CUP, "2025-02-24 07:07:00").renews(1).loses_renewal("server").renews(1)
    customer(POT, "2025-03-27 23:15:00").loses_renewal("server").renews(1)
    # Leaves by the dozen, given back: no list of V1 knows them.
    sub = Subscription(SHOP, numbers)
    leaves = Period(numbers.transaction(), None, LEAVES, at("2025-05-15 13:00:00"), None, bought=True)
    sub.periods.append(leaves)
    request = book.message("CONSUMPTION_REQUEST", sub, leaves, unlisted=True)
    asked = at("2025-05-16 09:00:00")
    told = book.notification("CONSUMPTION_REQUEST", None, asked, sub, leaves)
    book.tell("consumption", request, told, None)
    leaves.cancelled = at("2025-05-18 11:00:00")
    message = book.message("REFUND", sub, leaves, unlisted=True)
    book.tell("refund", message, book.notification("REFUND", None, leaves.cancelled, sub, leaves), None)
