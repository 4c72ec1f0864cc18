"""Archives of V1 messages as a company has stored them, and the truth about each message."""

import json
import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import model
from harness import chance
from kinds import KINDS, Kind
from lives import Life
from model import DAY, HOUR, MINUTE, SECOND, Customer, Event, Message
from refunds import shop
from teller import Teller

END = model.day("2025-10-01")
RECEIPT = re.compile(r'"latest_receipt":"[0-9a-f]+"')
# Apple repeats a message 6, 24 and 48 hours after the attempt before (mapping.md D).
RETRIES = (6 * HOUR, 30 * HOUR, 78 * HOUR)


@dataclass(eq=False)
class Delivery:
    """One record of the archive."""

    customer: Customer
    message: Message
    arrived: int
    text: str
    is_repeat: bool = False

    def truth(self, record: int) -> dict:
        event = self.message.event
        return {
            "record": record, "customer": self.customer.number, "v1": self.message.kind, "type": event.kind,
            "subtype": event.subtype, "event": f"{self.customer.number}-{event.number}",
            "absorbed": self.message.absorbed, "open": self.message.is_open, "repeat": self.is_repeat,
            "at": self.message.at, "written": self.message.composed, "arrived": self.arrived,
            "originalTransactionId": str(event.original), "transactionId": str(event.transaction),
        }  # fmt: skip


@dataclass
class Archive:
    """The records in the order in which they are stored, and everybody's lives."""

    name: str
    customers: list[Customer] = field(default_factory=list)
    records: list[Delivery] = field(default_factory=list)
    # Rows with an id and a received time; else the bodies alone.
    has_rows: bool = False

    def without(self, lost: set[int]) -> "Archive":
        """The same archive, some records of which are missing."""
        kept = [record for at, record in enumerate(self.records) if at not in lost]
        return Archive(self.name, self.customers, kept, self.has_rows)

    def span(self) -> str:
        """The time of which no message is missing, as --complete takes it: the last days were not all told."""
        return f"{min(one.message.at for one in self.records) - 90 * DAY}..{END - 4 * DAY}"

    def write(self, path: Path) -> Path:
        with path.open("w") as file:
            for number, record in enumerate(self.records):
                text = record.text
                if self.has_rows:
                    text = f'{{"id":"{number}","receivedAt":{record.arrived},"body":{text}}}'
                file.write(text + "\n")
        return path

    def write_truth(self, folder: Path) -> None:
        """The archive, one line of truth for each record, and the V2 events that Apple would have sent."""
        folder.mkdir(parents=True, exist_ok=True)
        self.write(folder / f"{self.name}.v1.ndjson")
        with (folder / f"{self.name}.truth.ndjson").open("w") as file:
            for number, record in enumerate(self.records, 1):
                file.write(json.dumps(record.truth(number)) + "\n")
        events = sorted(
            ((event, one) for one in self.customers for event in one.events), key=lambda pair: pair[0].at
        )
        with (folder / f"{self.name}.v2.ndjson").open("w") as file:
            for event, customer in events:
                file.write(json.dumps(notification(event, customer)) + "\n")


def notification(event: Event, customer: Customer) -> dict:
    """A V2 event, decoded."""
    body: dict = {"notificationType": event.kind}
    if event.subtype:
        body["subtype"] = event.subtype
    periods = [one for sub in customer.subscriptions for one in sub.periods] + customer.purchases
    period = next(one for one in periods if one.transaction == event.transaction)
    environment = "Sandbox" if customer.sandbox else "Production"
    info: dict = {
        "originalTransactionId": str(event.original), "transactionId": str(event.transaction),
        "bundleId": model.BUNDLE, "productId": period.product.identifier, "purchaseDate": period.purchase,
        "originalPurchaseDate": period.first, "quantity": 1, "type": period.product.kind, "environment": environment,
        "inAppOwnershipType": "FAMILY_SHARED" if period.family else "PURCHASED",
    }  # fmt: skip
    if period.expires is not None:
        info |= {"webOrderLineItemId": str(period.line), "expiresDate": period.expires}
        info["subscriptionGroupIdentifier"] = period.product.group
    if period.cancelled is not None and event.kind in ("REFUND", "REVOKE"):
        info |= {"revocationDate": period.cancelled, "revocationReason": period.reason}
    uuid = f"{customer.number:08x}-{event.number:04x}-4000-8000-{event.transaction % (1 << 48):012x}"
    data = {"bundleId": model.BUNDLE, "environment": environment, "transactionInfo": info}
    return body | {"notificationUUID": uuid, "version": "2.0", "signedDate": event.at, "data": data}


def life(name: str, seed: int, number: int, watch: Callable[[Teller], None] | None = None) -> Customer:
    """One customer's life, which only the kind, the seed and the number decide; `watch` may look at it from time to
    time."""
    kind: Kind = KINDS[name]
    rng = chance("lifecycles", name, seed, number)
    customer = Customer(number, kind.sandbox)
    teller = Teller(customer, rng, late=kind.late, is_dated=kind.dated)
    for group in range(min(rng.choice(kind.subscriptions), 2)):
        start = rng.randrange(*kind.start) // SECOND * SECOND + group * 40 * DAY
        teller.start(Life(teller, kind, group).run(start, rng.randrange(*kind.periods)))
    if rng.random() < kind.purchases:
        teller.start(shop(teller, customer, rng, rng.randrange(*kind.start) // SECOND * SECOND))
    if watch:
        watch(teller)
    teller.run(END)
    customer.messages = [one for one in customer.messages if one.text]
    return customer


def deliveries(customer: Customer, rng: random.Random) -> list[Delivery]:
    """When each message arrives: at once, hours late with the same body, or twice with another receipt text; Apple
    gives up after the last attempt."""
    found = []
    for message in customer.messages:
        arrived = message.composed + rng.randrange(3000)
        is_retried = not customer.sandbox
        last = message.at + RETRIES[-1] + MINUTE
        if is_retried and rng.random() < 0.04:
            arrived = min(arrived + rng.choice(RETRIES), max(arrived, last))
        found.append(Delivery(customer, message, arrived, message.text))
        if is_retried and rng.random() < 0.05:
            again = RECEIPT.sub(f'"latest_receipt":"{rng.getrandbits(96):024x}"', message.text)
            later = arrived + rng.choice(RETRIES) + rng.randrange(MINUTE)
            found.append(Delivery(customer, message, min(later, max(arrived, last)), again, True))
    return found


def make(name: str, seed: int, customers: int) -> Archive:
    """An archive of one kind: customers interleaved by arrival, or in no order at all."""
    rng = chance("archive", name, seed)
    archive = Archive(name, has_rows=rng.random() < 0.5)
    for number in range(1, customers + 1):
        customer = life(name, seed, number)
        archive.customers.append(customer)
        archive.records += deliveries(customer, rng)
    archive.records.sort(key=lambda one: one.arrived)
    if rng.random() < 0.3:
        rng.shuffle(archive.records)
    return archive


def losses(archive: Archive, share: float, rng: random.Random, *, burst: bool = False) -> set[int]:
    """Records that are missing: some of all, or everything that arrived in some stretches of time."""
    records = archive.records
    if not burst:
        return {at for at in range(len(records)) if rng.random() < share}
    times = sorted(one.arrived for one in records)
    lost: set[int] = set()
    for _ in range(12):
        start = rng.choice(times)
        end = start + rng.choice((HOUR, 3 * DAY, 60 * DAY, 200 * DAY))
        lost |= {at for at, one in enumerate(records) if start <= one.arrived < end}
    return lost
