"""Access, duplicates and companions: `parity` against `timeline --states` and `convert --settle` of the same V1 archive.

V2's side is a stranger, so that parity lists what it makes of every customer, and pairs nothing.
"""

import json
from bisect import bisect_right
from collections import Counter, defaultdict
from pathlib import Path

import model
from archive import END, Archive
from harness import Suite, chance, require
from model import DAY

# So many times are asked for.
TIMES = 4
# Records of two clocks: near an end both answers are right.
BOUNDARY = 60_000


def stranger(path: Path) -> Path:
    """A V2 archive of one customer whom V1 does not know, from long before to long after."""
    info = {
        "originalTransactionId": "999000999000999", "transactionId": "999000999000999", "quantity": 1,
        "webOrderLineItemId": "999000999000998", "bundleId": model.BUNDLE, "productId": f"{model.BUNDLE}.basic.month",
        "purchaseDate": END, "originalPurchaseDate": END, "expiresDate": END + 30 * DAY, "environment": "Production",
        "type": "Auto-Renewable Subscription", "inAppOwnershipType": "PURCHASED",
    }  # fmt: skip
    event = {
        "notificationType": "SUBSCRIBED", "subtype": "INITIAL_BUY", "version": "2.0", "signedDate": END,
        "notificationUUID": "00000999-0000-4000-8000-000000000999",
        "data": {"bundleId": model.BUNDLE, "environment": "Production", "transactionInfo": info},
    }  # fmt: skip
    path.write_text(json.dumps(event) + "\n")
    return path


class States:
    """The intervals of `timeline --states`, by subscription."""

    def __init__(self, path: Path) -> None:
        self.intervals: dict[str, list[dict]] = defaultdict(list)
        for line in path.read_text().splitlines():
            one = json.loads(line)
            self.intervals[one.get("originalTransactionId", "")].append(one)

    def at(self, original: str, time: int) -> dict | None:
        rows = self.intervals[original]
        place = bisect_right([row["validFrom"] for row in rows], time) - 1
        if place < 0:
            return None
        row = rows[place]
        return row if row.get("validTo") is None or time < row["validTo"] else None

    def end(self, original: str, row: dict) -> int | None:
        """When access by the period of an interval ends: a change of auto-renew divides it."""
        rows = self.intervals[original]
        for one in rows[rows.index(row) :]:
            if (one["reason"], one.get("expiresDate")) != (row["reason"], row.get("expiresDate")):
                break
            end = one.get("validTo")
        return end


def is_near(row: dict, time: int) -> bool:
    return any(end is not None and abs(end - time) <= BOUNDARY for end in (row["validFrom"], row.get("validTo")))


def contradiction(states: States, original: str, change: dict, time: int) -> str | None:
    """What is wrong about parity's answer; where the states leave access open, any answer is right."""
    row = states.at(original, time)
    if row is None or row["access"] == "unknown" or is_near(row, time):
        return None
    if row["access"] != change["v1Access"]:
        return f"{change} but {row}"
    # A renewal that was charged early ends the period, not the access that was bought.
    if row["reason"] == "active" and change.get("v1Until") not in (row.get("expiresDate"), states.end(original, row)):
        return f"access ends otherwise: {change} but {row}"
    return None


def access(suite: Suite, archive: Archive, folder: Path, name: str) -> str:
    """Access of every customer at several times, by the archive and by its intervals."""
    folder.mkdir(exist_ok=True)
    source, server = archive.write(folder / f"{name}.ndjson"), stranger(folder / "stranger.ndjson")
    rows = ["--body", "/body", "--received-at", "/receivedAt", "--id", "/id"] if archive.has_rows else []
    sides = ["--legacy", source, "--server", server, *rows, *(["--server-body", ""] if rows else [])]
    states, table = folder / f"{name}.states.ndjson", folder / f"{name}.access.ndjson"
    suite.run("timeline", "--quiet", "--to", folder / "told.txt", "--states", states, *rows, source)
    intervals, counts, wrong = States(states), Counter(), []
    rng = chance("access", archive.name, name, suite.options.seed)
    first = min(one.message.at for one in archive.records)
    for _ in range(TIMES):
        time = rng.randrange(first, END)
        suite.run("parity", "--quiet", "--as-of", str(time), "--access", table, *sides, status=(0, 1))
        told = {one["originalTransactionId"]: one for one in map(json.loads, table.read_text().splitlines())}
        for original, change in told.items():
            if original.startswith("999000"):
                continue
            row = intervals.at(original, time)
            found = contradiction(intervals, original, change, time)
            counts["open" if row is None or row["access"] == "unknown" else change["v1Access"]] += 1
            if found:
                wrong.append(f"{original} at {time}: {found}")
        missing = [original for original in intervals.intervals if original and original not in told]
        require(not missing, f"parity has no answer about {missing[:5]}")
    require(not wrong, "\n  ".join([f"{name}: {len(wrong)} contradictions about access", *wrong[:5]]))
    return ", ".join(f"{count} {word}" for word, count in sorted(counts.items()))


def pairs(suite: Suite, archive: Archive, folder: Path) -> str:
    """Repeated messages and companions are the same ones for parity and for the other commands."""
    folder.mkdir(exist_ok=True)
    source, server = archive.write(folder / "pairs.ndjson"), stranger(folder / "stranger.ndjson")
    rows = ["--body", "/body", "--received-at", "/receivedAt", "--id", "/id"] if archive.has_rows else []
    sides = ["--legacy", source, "--server", server, *rows, *(["--server-body", ""] if rows else [])]
    found = json.loads(suite.run("parity", "--settle", "--format", "json", *sides, status=(0, 1)).stdout)["pairs"]
    lines = suite.run("convert", "--quiet", "--settle", *rows, source).stdout.splitlines()
    ids = Counter(json.loads(line)["notificationUUID"] for line in lines)
    repeated = len(lines) - len(ids)
    require(found["duplicates"]["legacy"] == repeated, f"{found['duplicates']} in parity, {repeated} ids of convert come again")
    told = [json.loads(line) for line in suite.run("timeline", "--quiet", "--format", "json", *rows, source).stdout.splitlines()]
    companions = {one["notificationUUID"] for one in told if one["kind"] == "companion"}
    companions -= {one["notificationUUID"] for one in told if one["kind"] == "event"}
    require(found["absorbed"] == len(companions), f"{found['absorbed']} companions in parity, {len(companions)} in the timeline")
    return f"{len(lines)} messages, {repeated} repeated, {len(companions)} companions"
