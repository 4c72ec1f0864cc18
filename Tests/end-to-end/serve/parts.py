"""What the parts share: the program, an identity for V2, records."""

import json
from pathlib import Path

from harness import FIXTURES, Suite, require
from server import body


# Their events depend on when they arrive (years later they are about another period), or on what arrives between them
# (undated, with two states).
DEPENDING_ON_ARRIVAL = {
    "cancel-after-upgrade-without-date", "did-fail-to-renew-written-after-recovery", "redelivery-fail-after-recovery",
    "redelivery-upgrade-after-trial", "status-undated-undocumented-intent", "price-consent-increase-0-consent-1",
    "refund-id-unreadable",
    # Two of them may be two refunds.
    "cancel-two-periods-at-the-same-time", "original-id-differs-two-refunds-in-one-second",
}


def depends_on_arrival(record: dict) -> bool:
    """Two refunds without an id are two where they arrive at different times (evidence: decided rows)."""
    names = {"original_transaction_id", "web_order_line_item_id"}
    return record.get("notification_type") == "REFUND" and not names & record.keys()


def records() -> list[bytes]:
    """The notifications of the fixtures, one of each."""
    found = {}
    for path in sorted(FIXTURES.glob("notifications/*/v1.json")):
        if path.parent.name in DEPENDING_ON_ARRIVAL:
            continue
        try:
            record = json.loads(path.read_text())
        except ValueError:
            continue
        if isinstance(record, dict) and isinstance(record.get("notification_type"), str) and not depends_on_arrival(record):
            found[json.dumps(record)] = None
    return [text.encode() for text in found]


def lines(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []


class Parts:
    def __init__(self, suite: Suite) -> None:
        self.suite, self.slipcast = suite, suite.slipcast
        self.identity = suite.folder / "identity"
        suite.run("identity", "--quiet", self.identity)
        self.root = ["--root", self.identity / "root.der"]

    def signed(self, count: int) -> list[bytes]:
        """V2 notifications as Apple sends them, with ids of their own."""
        source = self.suite.folder / "signed.ndjson"
        source.write_bytes(b"".join(body(900 + number) + b"\n" for number in range(count)))
        text = self.suite.run("convert", "--quiet", source, "--sign", self.identity).stdout
        require(len(text.splitlines()) == count, "not every record was signed")
        return [line.encode() for line in text.splitlines()]
