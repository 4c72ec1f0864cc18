"""What V2 lacks or states otherwise although it was asked in time: each fault by itself must be found."""

import copy
import random
from collections.abc import Callable, Iterator

import messages
import pairs
from harness import Suite, chance, each, require
from model import DAY, MINUTE
from pairs import Pair

Change = Callable[[dict], None]


def without(*names: str) -> Change:
    def change(found: dict) -> None:
        for name in names:
            del found[name]

    return change


def moved(name: str, by: int) -> Change:
    def change(found: dict) -> None:
        found[name] += by

    return change


def set_to(**values: object) -> Change:
    return lambda found: found.update(values)


# Faults of a transaction: whom they befall, and what happens to it. V1 was asked at `asked`.
TRANSACTIONS: dict[str, tuple[Callable[[dict, int], bool], Change]] = {
    "lostRefund": (
        lambda one, asked: one.get("revocationDate", asked) < asked and "isUpgraded" not in one,
        without("revocationDate", "revocationReason"),
    ),
    "refund": (
        lambda one, asked: not one.keys() & {"isUpgraded", "revocationDate"} and one["purchaseDate"] < asked - DAY,
        lambda one: one.update(revocationDate=one["purchaseDate"] + MINUTE, revocationReason=0),
    ),
    "refundMoved": (
        lambda one, asked: one.get("revocationDate", asked) < asked - DAY and "isUpgraded" not in one,
        moved("revocationDate", -60 * MINUTE),
    ),
    "end": (lambda one, asked: "expiresDate" in one, moved("expiresDate", DAY)),
    "product": (lambda one, asked: True, set_to(productId="com.example.lifecycles.other")),
    # While it ran, it may have been upgraded between the two.
    "upgrade": (
        lambda one, asked: one.get("isUpgraded") is True and one["expiresDate"] < asked - DAY, without("isUpgraded"),
    ),
    "upgradeOfEnded": (
        lambda one, asked: not one.keys() & {"isUpgraded", "revocationDate"} and one.get("expiresDate", asked) < asked - DAY,
        set_to(isUpgraded=True),
    ),
    "offer": (lambda one, asked: "offerIdentifier" in one, without("offerType", "offerIdentifier")),
}  # fmt: skip

# Faults of a subscription's newest state, where both were asked at the same time.
STATES: dict[str, tuple[Callable[[dict], bool], Change]] = {
    "status": (lambda item: item["status"] == 1, lambda item: item.update(status=2)),
    "revoked": (lambda item: item["status"] == 1, lambda item: item.update(status=5)),
    "autoRenew": (
        lambda item: True,
        lambda item: item["renewalInfo"].update(autoRenewStatus=1 - item["renewalInfo"]["autoRenewStatus"]),
    ),
    "nextProduct": (lambda item: True, lambda item: item["renewalInfo"].update(autoRenewProductId="com.example.other")),
    "end": (lambda item: True, lambda item: moved("expiresDate", DAY)(item["transactionInfo"])),
    "period": (
        lambda item: True,
        lambda item: item["transactionInfo"].update(
            transactionId="1", webOrderLineItemId="2", purchaseDate=item["transactionInfo"]["purchaseDate"] - DAY
        ),
    ),
}  # fmt: skip


def find(suite: Suite, kind: str) -> str:
    """Each fault, once, in archives that are clean without it."""
    planted = 0
    one_of_messages = chance("faults", kind, suite.options.seed).choice(list(messages.TIMES))
    for when in ("same", "later", "earlier", one_of_messages):
        is_of_messages = when in messages.TIMES
        pair = (messages if is_of_messages else pairs).make(suite, kind, when)
        words = messages.OPTIONS if is_of_messages else ()
        rng = chance("faults", kind, when, suite.options.seed)
        for sides in (pair.histories, pair.statuses):
            require(not pairs.failures(pairs.compare(suite, sides(), *words)), f"{when}: {sides.__name__} are not clean")

        def check(case: Callable[[], object], pair: Pair = pair, words: tuple = words) -> None:
            nonlocal planted
            place = case()
            if place is None:
                return
            planted += 1
            sides = pair.histories() if place == "histories" else pair.statuses()
            try:
                require(pairs.failures(pairs.compare(suite, sides, *words)), "it is not found")
            finally:
                case.undo()

        each(list(cases(pair, when, rng)), check)
    require(planted > 5, f"only {planted} faults fit")
    return f"{planted} faults"


class Case:
    """A fault that is planted, and taken back."""

    def __init__(self, place: str, found: dict | list, change: Callable) -> None:
        self.place, self.found, self.change = place, found, change
        self.before = copy.deepcopy(found)

    def __call__(self) -> str:
        self.change(self.found)
        return self.place

    def undo(self) -> None:
        self.found.clear()
        if isinstance(self.found, dict):
            self.found.update(self.before)
        else:
            self.found.extend(self.before)


def cases(pair: Pair, when: str, rng: random.Random) -> Iterator[tuple[str, Case]]:
    known = [
        (told, page, one)
        for told in pair.customers for page in told.histories[-1] for one in page["transactions"] if pair.lists(told, one)
    ]  # fmt: skip
    for name, (fits, change) in TRANSACTIONS.items():
        fitting = [one for told, _, one in known if fits(one, pair.agreed(told))]
        if fitting:
            one = rng.choice(fitting)
            yield f"{when}/{name} {one['transactionId']}", Case("histories", one, change)
    # Messages do not report every purchase, so some may be missing there.
    if when in messages.TIMES:
        return
    # The common time begins with the first purchase and a margin, and ends with another one.
    first = min((one["purchaseDate"] for _, _, one in known), default=0) + 3 * DAY
    inner = [(page, one) for told, page, one in known if first < one["purchaseDate"] < pair.agreed(told) - 3 * DAY]
    if inner:
        page, one = rng.choice(inner)
        yield f"{when}/lost {one['transactionId']}", Case("histories", page["transactions"], lambda found: found.remove(one))
    if when != "same":
        return
    lines = [line for told in pair.customers for line in told.statuses[-1:]]
    items = [item for line in lines for group in line["data"] for item in group["lastTransactions"]]
    for name, (fits, change) in STATES.items():
        fitting = [item for item in items if fits(item)]
        if fitting:
            yield f"{when}/{name} of a status", Case("statuses", rng.choice(fitting), change)
