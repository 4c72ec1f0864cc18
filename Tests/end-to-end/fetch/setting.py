"""What the parts of the suite share: a world of customers, archives of them, and runs of `slipcast fetch`."""

import json
import os
from pathlib import Path

from harness import Outcome, Suite, anew, plain, require
from mock import BUNDLE, ISSUER, KEY_ID, Customer, Mock, Signer, make_key, transaction

SECRET = "SECRET-SLIPCAST-fetch"


def v1(original: str, environment: str = "PROD", bundle: str | None = BUNDLE, others: tuple[str, ...] = ()) -> dict:
    """A V1 notification about a subscription, and perhaps others of the same customer."""
    rows = [
        {"original_transaction_id": id, "transaction_id": id, "product_id": "com.example.slipcast.monthly",
         "purchase_date_ms": str(1_760_000_000_000 - place), "expires_date_ms": "1762592000000"}
        for place, id in enumerate((original, *others))
    ]  # fmt: skip
    record = {
        "notification_type": "DID_RENEW", "password": SECRET, "environment": environment, "auto_renew_status": "true",
        "unified_receipt": {"environment": "Production", "status": 0, "latest_receipt_info": rows, "pending_renewal_info": [
            {"original_transaction_id": original, "auto_renew_status": "1", "product_id": rows[0]["product_id"],
             "auto_renew_product_id": rows[0]["product_id"]}]},
    }  # fmt: skip
    return record | ({"bid": bundle} if bundle else {})


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in plain(path).splitlines()]


class Setting:
    def __init__(self, suite: Suite) -> None:
        self.suite, self.folder = suite, suite.folder
        self.signer = Signer(suite.slipcast, self.folder)
        self.key = make_key(self.folder / "AuthKey.p8")
        self.key_text = "".join(self.key.read_text().splitlines()[1:-1])

    def life(self, number: int, periods: int = 1, **more: object) -> list[dict]:
        return [transaction(f"7300{number:011d}", period, **more) for period in range(periods)]

    def world(self, count: int, periods: int = 1, **more: str) -> list[Customer]:
        return self.signer.customers([self.life(number * 1000, periods) for number in range(count)], **more)

    def mock(self, *customers: Customer, **more: object) -> Mock:
        mock = Mock(self.signer, self.key, **more)
        mock.add(*customers)
        return mock.start()

    def archive(self, folder: Path, records: list[dict], name: str = "v1.ndjson") -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / name
        path.write_text("".join(json.dumps(record) + "\n" for record in records))
        return path

    def credentials(self, mock: Mock) -> list[object]:
        return ["--key", self.key, "--key-id", KEY_ID, "--issuer", ISSUER, "--server", mock.url, "--root", self.signer.root]

    def fetch(self, mock: Mock, endpoint: str, *words: object, **more: object) -> Outcome:
        """Runs with the key of the mock; nothing that it says or writes may hold the key, a token or the secret."""
        command = ["fetch", endpoint, *words, *self.credentials(mock), "--execute"]
        outcome = self.suite.run(*command, **more)
        self.search(outcome.stdout + outcome.stderr, mock, "the output")
        return outcome

    def search(self, text: str, mock: Mock, where: str) -> None:
        secrets = [SECRET, self.key_text[20:60], *(token.split(".")[2] for token in mock.tokens.seen)]
        for secret in secrets:
            require(secret not in text, f"a key, a token or the secret is in {where}")

    def search_files(self, folder: Path, mock: Mock) -> None:
        for path in folder.rglob("*"):
            if path.is_file() and path.name != "v1.ndjson":
                self.search(plain(path).decode("utf-8", "replace"), mock, str(path))

    def summary(self, path: Path) -> dict:
        found = json.loads(path.read_text())
        require(found["ids"] == found["found"] + found["notFound"] + found["failed"], f"ids do not add up: {found}")
        names = ["ids", "found", "notFound", "failed", "sandbox", "requests", "retries", "lines", "rejected"]
        require(list(found) == names, f"members of the summary: {list(found)}")
        return found


def proxies() -> dict[str, str]:
    """An environment without proxies."""
    return {name: "" for name in os.environ if name.lower().endswith("_proxy")}


__all__ = ["BUNDLE", "ISSUER", "KEY_ID", "SECRET", "Setting", "anew", "lines", "proxies", "v1"]
