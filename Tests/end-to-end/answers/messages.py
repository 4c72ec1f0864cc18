"""V1's messages against V2's answers: a stored archive of notifications, and histories and statuses that were fetched
when it ended, later, or before."""

import json
from pathlib import Path

import archive
import pairs
import snapshots
from harness import Suite, chance, require
from model import DAY, MINUTE, Message
from snapshots import Told

# When the last message is written, and when V2 is asked.
TIMES = {
    "messages": (archive.END, archive.END - 1),
    "messagesLater": (pairs.BASE, archive.END - 1),
    "messagesEarlier": (archive.END, pairs.BASE),
}
# V1 reported no renewals by messages until 2020.
OPTIONS = ("--max-missing", "50%")


class Messages(pairs.Pair):
    """A pair whose V1 side is messages."""

    def __init__(self, folder: Path, customers: list[Told], end: int) -> None:
        super().__init__(folder, customers)
        self.end = end

    def last(self, told: Told) -> Message | None:
        """The last message with a list, as far as dates show it."""
        found = [one for one in told.customer.messages if one.composed < self.end and "unified_receipt" in one.text]
        return max(found, key=known_time, default=None)

    def agreed(self, told: Told) -> int:
        last = self.last(told)
        return min(known_time(last), pairs.signed(told)) if last else 0

    def lists(self, told: Told, one: dict) -> bool:
        last = self.last(told)
        return last is not None and f'"{one["transactionId"]}"' in last.text

    def legacy(self, customers: list[Told]) -> Path:
        found = [one for told in customers for one in told.customer.messages if one.composed < self.end]
        found.sort(key=lambda one: one.composed)
        if chance("order", len(found)).random() < 0.5:
            chance("order", len(found)).shuffle(found)
        path = self.folder / "v1.ndjson"
        path.write_text("".join(one.text + "\n" for one in found))
        return path


def known_time(message: Message) -> int:
    """When it was sent at the earliest: most messages have no date of their own, and renewals are charged a day early."""
    return message.at if message.kind == "DID_CHANGE_RENEWAL_STATUS" else message.target.purchase - DAY


def make(suite: Suite, kind: str, when: str) -> Messages:
    folder = suite.folder / f"{kind}-{when}"
    folder.mkdir(exist_ok=True)
    end, server = TIMES[when]
    found = []
    for number in range(1, suite.options.customers + 1):
        told = snapshots.life(kind, suite.options.seed, number, [min(end, server) - DAY], [server])
        if told and is_told(told, end):
            found.append(told)
    require(len(found) > suite.options.customers // 3, f"only {len(found)} customers bought something before")
    return Messages(folder, found, end)


def is_told(told: Told, end: int) -> bool:
    """V1's messages show all refunds, and leave of no purchase open who made it or when it was paid."""
    customer = told.customer
    listed = {one["transactionId"]: one for page in told.histories[-1] for one in page["transactions"]}
    signed = next(iter(listed.values()))["signedDate"]
    # A renewal that Apple recovered after V2 was asked begins before that.
    if any(one.purchase < signed and str(one.transaction) not in listed for sub in customer.subscriptions for one in sub.periods):
        return False
    # Who turns auto-renew on minutes after a recovery has bought again, as V1 reads it (evidence.md, A1 STATUS).
    recovered = [one.at for one in customer.events if one.subtype == "BILLING_RECOVERY"]
    turned = [at for sub in customer.subscriptions for at, is_on in sub.turns if is_on]
    if any(0 <= at - time <= 10 * MINUTE for at in turned for time in recovered):
        return False
    periods = [one for sub in customer.subscriptions for one in sub.periods if not snapshots.is_renewal(customer, one)]
    # Of such a purchase one message shows the choice and another one does not.
    if any(snapshots.looks_renewed(customer, one) for one in periods):
        return False
    text = "".join(one.text for one in customer.messages if one.composed < end)
    return all(f'"{name}"' in text for name, one in listed.items() if "revocationDate" in one)


def agree(suite: Suite, kind: str, when: str) -> str:
    """No gate fails. What V1 never reported by a message of its own is missing on its side."""
    pair = make(suite, kind, when)
    words = []
    for sides in (pair.histories, pair.statuses):
        report = pairs.compare(suite, sides(), *OPTIONS)
        wrong = pairs.failures(report)
        require(not wrong, "\n  ".join([sides.__name__, *wrong]))
        require(report["pairs"]["matched"] > 10, f"{sides.__name__}: {report['pairs']}")
        words.append(f"{report['pairs']['matched']} pairs of {sides.__name__}")
    return ", ".join(words)
