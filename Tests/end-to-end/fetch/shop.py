"""Plays Apple's server for the shop of Examples/migration, in the background.

usage: python3 Tests/end-to-end/fetch/shop.py FOLDER

Writes to FOLDER what a reader has from Apple: AuthKey.p8, and what stands for Apple here: root.pem, and `url`. What the
server knows of each customer is what the shop's V2 notifications say. It ends by itself after ten minutes, or with
`kill $(cat FOLDER/pid)`.
"""

import json
import os
import shutil
import sys
import time
from pathlib import Path

from mock import Customer, Mock, Signer, make_key

ROOT = Path(__file__).resolve().parents[3]
SECONDS = 600


def lives(events: list[dict]) -> dict[str, dict[str, dict]]:
    """For each subscription the latest version of each of its transactions, in the order of their last change."""
    found: dict[str, dict[str, dict]] = {}
    for event in sorted(events, key=lambda event: event["signedDate"]):
        info = event.get("data", {}).get("transactionInfo")
        if info:
            life = found.setdefault(info["originalTransactionId"], {})
            if event.get("subtype") == "UPGRADE" and life:
                life[list(life)[-1]] = {**list(life.values())[-1], "isUpgraded": True}
            life.pop(info["transactionId"], None)
            life[info["transactionId"]] = info
    return found


class Shop(Mock):
    """The mock, with the statuses that the last notifications state."""

    def know(self, events: list[dict]) -> None:
        bundles = {event["data"]["bundleId"] for event in events if "data" in event}
        found = lives(events)
        customers = self.signer.customers([list(life.values()) for life in found.values()], bundle=min(bundles))
        self.add(*customers)
        self.answers: dict[int, list[dict]] = {}
        for customer, original in zip(customers, found):
            last = [event for event in events if event.get("data", {}).get("transactionInfo", {}).get("originalTransactionId") == original]
            self.answers[id(customer)] = self.signed(max(last, key=lambda event: event["signedDate"])["data"], original)

    def signed(self, data: dict, original: str) -> list[dict]:
        item = {"originalTransactionId": original, **{name: data[name] for name in ("status", "transactionInfo", "renewalInfo") if name in data}}
        group = data["transactionInfo"].get("subscriptionGroupIdentifier", "0")
        record = {"data": [{"subscriptionGroupIdentifier": group, "lastTransactions": [item]}]}
        return self.signer.sign([record])[0]["data"]

    def statuses(self, customer: Customer) -> list[dict]:
        return self.answers[id(customer)]


def serve(folder: Path) -> None:
    slipcast = shutil.which("slipcast")
    if slipcast is None:
        sys.exit("slipcast is not on the PATH")
    folder.mkdir(parents=True, exist_ok=True)
    shop = Shop(Signer(Path(slipcast), folder), make_key(folder / "AuthKey.p8"))
    shutil.copy(shop.signer.root, folder / "root.pem")
    text = (ROOT / "Examples/migration/v2.ndjson").read_text(encoding="utf-8")
    shop.know([json.loads(line) for line in text.splitlines()])
    # The command ends when the server listens; a child goes on.
    reader, writer = os.pipe()
    if child := os.fork():
        os.close(writer)
        os.read(reader, 1)
        (folder / "pid").write_text(f"{child}\n")
        return
    os.setsid()
    with open(os.devnull, "r+b") as null:
        for number in (0, 1, 2):
            os.dup2(null.fileno(), number)
    shop.start()
    (folder / "url").write_text(f"{shop.url}\n")
    os.write(writer, b".")
    os.close(writer)
    time.sleep(SECONDS)
    os._exit(0)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    serve(Path(sys.argv[1]))
