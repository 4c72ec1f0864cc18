"""What a timeline says between the messages, held to the V2 events of the simulated lives."""

import json
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import model
from archive import Archive
from harness import Suite, require
from model import DAY, HOUR, MINUTE, Event, Period, Subscription

SURE = ("documented", "corroborated")
# Apple charges a renewal up to a day before the period begins, and sends what ends a period soon after.
NEAR = 26 * HOUR


@dataclass
class Told:
    """The gaps and the intervals of an archive, and those that are wrong."""

    gaps: Counter = field(default_factory=Counter)
    states: Counter = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def words(self) -> str:
        sure = sum(count for (_, is_sure), count in self.gaps.items() if is_sure)
        text = f"{self.gaps.total()} gaps, {sure} of them sure; "
        count = self.states
        text += f"{count.total()} states, {count['sure, right'] + count['sure, wrong']} of them sure"
        return text + f" ({count['right']} inferred ones right, {count['wrong']} wrong)"


def events(archive: Archive) -> dict[str, list[Event]]:
    found = defaultdict(list)
    for customer in archive.customers:
        for event in customer.events:
            found[str(event.original)].append(event)
    return found


def access(archive: Archive) -> dict[str, list[tuple[int, int]]]:
    """When each subscription gave access: its periods until they end, are taken back or are replaced."""
    found = defaultdict(list)
    for customer in archive.customers:
        for subscription in customer.subscriptions:
            for place, period in enumerate(subscription.periods):
                end = period.expires
                if period.upgraded and place + 1 < len(subscription.periods):
                    # The renewal after it may have been charged early and replaced with it, before it began.
                    end = min(end, *(later.purchase for later in subscription.periods[place + 1 :]))
                elif period.cancelled is not None:
                    end = min(end, period.cancelled)
                found[str(subscription.original)].append((period.purchase, end))
    return found


def judged(state: dict, spans: list[tuple[int, int]]) -> str:
    """Whether the customer had access as the interval says, near its ends and in its middle; grace is no period."""
    start, end = state["validFrom"], state.get("validTo")
    if state["access"] == "unknown" or state["reason"] == "grace" or end is None:
        return "open"
    near = min(HOUR, (end - start) // 4)
    times = (start + near, (start + end) // 2, end - near)
    had = {any(first <= time < last for first, last in spans) for time in times}
    word = "right" if had == {state["access"] == "yes"} else "wrong"
    return f"sure, {word}" if state["confidence"] in SURE else word


def renews(state: dict, subscription: Subscription) -> bool:
    """Auto-renew was as a sure interval says, where V1 told of changes; those of one action within minutes are not held
    to the second."""
    start, end = state["validFrom"], state.get("validTo")
    told = model.STATUS_EVENTS if subscription.original < 5 * 10**17 else model.FAMILY_EVENTS
    if state["confidence"] not in SURE or "autoRenewStatus" not in state or end is None or end - start < 20 * MINUTE:
        return True
    # Only what may renew is divided by choices.
    if start < told or state["reason"] not in ("active", "grace", "billingRetry"):
        return True
    near = min(HOUR, (end - start) // 4)
    return {subscription.renews(time) for time in (start + near, (start + end) // 2, end - near)} == {state["autoRenewStatus"] == 1}


def offer(period: Period) -> int | None:
    """V2's offerType."""
    return 3 if period.code else 2 if period.promotional else 1 if period.trial or period.intro else None


def shows(state: dict, subscription: Subscription) -> bool:
    """A sure interval of access has the product, the end and the offer of the period that runs in its middle."""
    if state["confidence"] not in SURE or state["reason"] != "active" or "expiresDate" not in state:
        return True
    middle = (state["validFrom"] + state.get("validTo", state["expiresDate"])) // 2
    running = [one for one in subscription.periods if one.purchase <= middle < one.expires]
    shown = (state.get("productId"), state.get("offerType"))
    # Ends are held to the second, as V1's texts are.
    return not running or any(
        (one.product.identifier, offer(one)) == shown and abs(one.expires - state["expiresDate"]) < 2000 for one in running
    )


def fits(gap: dict, event: Event) -> bool:
    """The event may be the one that the gap tells: its name, and its time as far as the gap states it."""
    readings = gap.get("candidates") or [{"notificationType": gap["notificationType"], "subtype": gap.get("subtype")}]
    names = {"/".join(filter(None, (one["notificationType"], one.get("subtype")))) for one in readings}
    if not event.names & names:
        return False
    early, late = event.at < gap["time"] - NEAR, event.at > gap["time"] + NEAR
    return not {"exact": early or late, "latest": late, "earliest": early}[gap["timeIs"]]


def read(suite: Suite, archive: Archive, folder: Path, name: str, *words: str) -> Told:
    """The timeline of an archive, with the intervals beside it."""
    source, states = archive.write(folder / f"{name}.ndjson"), folder / f"{name}.states.ndjson"
    rows = ["--body", "/body", "--received-at", "/receivedAt", "--id", "/id"] if archive.has_rows else []
    entries = suite.run("timeline", "--quiet", "--format", "json", *rows, *words, "--states", states, source).stdout
    truth, told = events(archive), Told()
    for line in entries.splitlines():
        entry = json.loads(line)
        if entry["kind"] != "gap":
            continue
        is_sure = entry["confidence"] in SURE
        told.gaps["/".join(filter(None, (entry["notificationType"], entry.get("subtype")))), is_sure] += 1
        original = entry.get("originalTransactionId", "")
        if is_sure and not any(fits(entry, event) for event in truth[original]):
            told.wrong.append(f"{original}: {line[:400]}")
    last, spans = {}, access(archive)
    lives = {str(one.original): one for customer in archive.customers for one in customer.subscriptions}
    for line in states.read_text().splitlines():
        one = json.loads(line)
        before = last.get("validTo") if one.get("originalTransactionId") == last.get("originalTransactionId") else 0
        require(before is not None and before <= one["validFrom"], f"intervals overlap: {last} {one}")
        require(one.get("validTo") is None or one["validFrom"] < one["validTo"], f"an interval ends before it begins: {one}")
        last, original = one, one.get("originalTransactionId", "")
        word = judged(one, spans[original])
        told.states[word] += 1
        if word == "sure, wrong":
            told.wrong.append(f"{original}: {line[:400]} but {spans[original]}")
        elif words and original in lives and not renews(one, lives[original]):
            told.wrong.append(f"{original}: {line[:400]} but auto-renew was turned at {lives[original].turns}")
        elif original in lives and not shows(one, lives[original]):
            told.wrong.append(f"{original}: {line[:400]} but {lives[original].periods}")
    source.unlink()
    states.unlink()
    return told


def require_sound(told: Told, archive: Archive, what: str) -> None:
    truth = events(archive)
    stories = []
    for line in told.wrong[:5]:
        lives = sorted(truth[line.split(":")[0]], key=lambda event: event.at)
        stories.append(f"{line}\n    " + ", ".join(f"{event.name} {event.at}" for event in lives))
    require(not told.wrong, "\n  ".join([f"{what}: {len(told.wrong)} sure gaps or states are wrong", *stories]))
