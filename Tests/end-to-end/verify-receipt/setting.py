"""Requests, receipts of the fixtures, and V2 data of their customers."""

import json
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path += [str(HERE.parent / "fetch"), str(HERE.parent / "serve")]

from harness import FIXTURES, Outcome, Suite, require  # noqa: E402
from mock import DAY, ISSUER, KEY_ID, Mock, Signer, make_key, transaction  # noqa: E402

SIGNED = FIXTURES / "receipts/signed"
ANCHORS = ["--root", SIGNED / "root.der", "--intermediate", SIGNED / "intermediate.der",
           "--intermediate", SIGNED / "store-intermediate.der"]  # fmt: skip
# The subscription in the fixtures' app receipts, and the one in their iOS 6 receipts.
ORIGINAL, OLD = "510000000000011", "510000000000101"
SECRET = "SECRET-SLIPCAST-verify-receipt"


def receipt(name: str) -> str:
    return (SIGNED / name / "receipt.base64").read_text()


def renewal(original: str, **more: object) -> dict:
    return {
        "originalTransactionId": original, "productId": "com.example.slipcast.monthly",
        "autoRenewProductId": "com.example.slipcast.monthly", "autoRenewStatus": 1, "signedDate": 1_790_000_000_000,
        "environment": "Production", **more,
    }  # fmt: skip


class Setting:
    def __init__(self, suite: Suite) -> None:
        self.suite, self.folder, self.slipcast = suite, suite.folder, suite.slipcast
        self.signer = Signer(suite.slipcast, self.folder)
        self.key = make_key(self.folder / "AuthKey.p8")
        self.trust = [*ANCHORS, "--root", self.signer.root]

    def customer(self, original: str = ORIGINAL, periods: int = 3, **more: object) -> list[dict]:
        """A decoded history and decoded statuses of one customer."""
        life = [transaction(original, number, **more) for number in range(periods)]
        head = {"bundleId": "com.example.slipcast", "environment": life[0]["environment"]}
        item = {"status": 1, "originalTransactionId": original, "transactionInfo": life[-1],
                "renewalInfo": renewal(original, environment=life[0]["environment"])}  # fmt: skip
        statuses = {**head, "data": [{"subscriptionGroupIdentifier": "20900001", "lastTransactions": [item]}]}
        return [{**head, "hasMore": False, "transactions": life}, statuses]

    def write(self, name: str, records: list[dict]) -> Path:
        path = self.folder / name
        path.write_text("".join(json.dumps(record) + "\n" for record in records))
        return path

    def ask(self, body: dict | str, *words: object, status: int | tuple[int, ...] = (0, 1)) -> dict[str, Any]:
        """The answer of the command to one request."""
        text = body if isinstance(body, str) else json.dumps(body)
        outcome: Outcome = self.suite.run("verify-receipt", *self.trust, *words, text=text, status=status)
        require(SECRET not in outcome.stdout + outcome.stderr, "the secret is in the output", outcome)
        lines = outcome.stdout.splitlines()
        require(len(lines) == 1, f"{len(lines)} answers to one request", outcome)
        return json.loads(lines[0])

    def apple(self, mock: Mock) -> list[object]:
        return ["--fetch", "--key", self.key, "--key-id", KEY_ID, "--issuer", ISSUER, "--server", mock.url]

    def mock(self, *originals: str, periods: int = 3) -> Mock:
        lives = [[transaction(original, number) for number in range(periods)] for original in originals]
        mock = Mock(self.signer, self.key)
        mock.add(*self.signer.customers(lives))
        return mock.start()


__all__ = ["DAY", "OLD", "ORIGINAL", "SECRET", "Setting", "receipt", "renewal", "transaction"]
