"""A server that behaves like Apple's App Store Server API: tokens, pages, revisions, errors.

`Mock` listens on 127.0.0.1 in a thread. Data is signed beforehand by `slipcast sign` with a test identity. A hook may
answer in the place of the server, late, wrongly, or not at all.
"""

import asyncio
import base64
import json
import ssl
import subprocess
import tempfile
import threading
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from email.utils import formatdate
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

DAY = 86_400_000
KEY_ID, ISSUER, BUNDLE = "2X9R4HXF34", "57246542-96fe-1a63-e053-0824d011072a", "com.example.slipcast"
ENVIRONMENTS = ("Production", "Sandbox")


def openssl(*words: object, text: bytes | None = None) -> bytes:
    return subprocess.run(["openssl", *map(str, words)], input=text, capture_output=True, check=True).stdout


def make_key(path: Path, curve: str = "P-256") -> Path:
    """A key as App Store Connect hands it out."""
    path.write_bytes(openssl("genpkey", "-algorithm", "EC", "-pkeyopt", f"ec_paramgen_curve:{curve}"))
    path.chmod(0o600)
    return path


def decode(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def der_integer(value: bytes) -> bytes:
    value = value.lstrip(b"\0") or b"\0"
    value = (b"\0" if value[0] & 0x80 else b"") + value
    return bytes([2, len(value)]) + value


class Tokens:
    """Validates tokens as strictly as Apple: exactly these members, times in seconds, raw signatures of 64 bytes."""

    def __init__(self, key: Path) -> None:
        self.public = key.with_suffix(".public")
        self.public.write_bytes(openssl("pkey", "-in", key, "-pubout"))
        self.known: dict[str, dict] = {}
        self.seen: list[str] = []

    def check(self, header: str, now: float) -> dict | None:
        """The claims; `None` for a token that Apple refuses."""
        if not header.startswith("Bearer "):
            return None
        token = header[7:]
        if token not in self.known:
            self.seen.append(token)
            claims = self.read(token)
            if claims is None:
                return None
            self.known[token] = claims
        claims = self.known[token]
        return claims if claims["iat"] <= now + 60 and claims["exp"] > now else None

    def read(self, token: str) -> dict | None:
        parts = token.split(".")
        if len(parts) != 3 or "=" in token:
            return None
        try:
            header, claims, signature = json.loads(decode(parts[0])), json.loads(decode(parts[1])), decode(parts[2])
        except ValueError:
            return None
        if header != {"alg": "ES256", "kid": KEY_ID, "typ": "JWT"} or set(claims) != {"iss", "iat", "exp", "aud", "bid"}:
            return None
        if claims["iss"] != ISSUER or claims["aud"] != "appstoreconnect-v1" or len(signature) != 64:
            return None
        if not all(isinstance(claims[name], int) for name in ("iat", "exp")) or claims["exp"] - claims["iat"] > 3600:
            return None
        pair = der_integer(signature[:32]) + der_integer(signature[32:])
        with tempfile.NamedTemporaryFile() as file:
            file.write(bytes([0x30, len(pair)]) + pair)
            file.flush()
            command = ["openssl", "dgst", "-sha256", "-verify", self.public, "-signature", file.name]
            done = subprocess.run(command, input=f"{parts[0]}.{parts[1]}".encode(), capture_output=True)
        return claims if done.returncode == 0 else None


@dataclass
class Customer:
    """One customer of an app: signed transactions in the order of their last change."""

    transactions: list[dict]
    tokens: list[str]
    environment: str = "Production"
    bundle: str = BUNDLE
    renewals: list[tuple[dict, str]] = field(default_factory=list)

    @property
    def ids(self) -> set[str]:
        return {one[name] for one in self.transactions for name in ("transactionId", "originalTransactionId")}

    @property
    def app_ids(self) -> set[str]:
        return {one["appTransactionId"] for one in self.transactions if "appTransactionId" in one}


def transaction(original: str, number: int = 0, product: str = "com.example.slipcast.monthly", **more: object) -> dict:
    """A decoded transaction; `number` counts its renewals."""
    start = 1_760_000_000_000 + number * 30 * DAY
    return {
        "transactionId": str(int(original) + number), "originalTransactionId": original,
        "webOrderLineItemId": str(int(original) + 500_000 + number), "bundleId": BUNDLE, "productId": product,
        "subscriptionGroupIdentifier": "20900001", "purchaseDate": start, "originalPurchaseDate": 1_760_000_000_000,
        "expiresDate": start + 30 * DAY, "quantity": 1, "type": "Auto-Renewable Subscription",
        "inAppOwnershipType": "PURCHASED", "signedDate": start + 1000, "environment": "Production",
        "transactionReason": "RENEWAL" if number else "PURCHASE", "storefront": "USA", "storefrontId": "143441",
        "price": 9990, "currency": "USD", **more,
    }  # fmt: skip


class Signer:
    """Signs decoded objects with a test identity, by `slipcast sign`."""

    def __init__(self, slipcast: Path, folder: Path, *words: object) -> None:
        self.slipcast, self.identity = slipcast, folder / "identity"
        if not self.identity.exists():
            subprocess.run([slipcast, "identity", "--quiet", *map(str, words), self.identity], check=True)
        self.root = self.identity / "root.pem"

    def sign(self, records: list[dict]) -> list[dict]:
        text = "".join(json.dumps(record) + "\n" for record in records)
        command = [self.slipcast, "sign", "--quiet", self.identity, "-"]
        done = subprocess.run(command, input=text.encode(), capture_output=True, check=True)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def tokens(self, transactions: list[dict]) -> list[str]:
        found: list[str] = []
        for start in range(0, len(transactions), 1000):
            part = transactions[start : start + 1000]
            found += self.sign([{"environment": "Production", "transactions": part}])[0]["signedTransactions"]
        return found

    def customers(self, lives: list[list[dict]], **more: str) -> list[Customer]:
        tokens = iter(self.tokens([one for life in lives for one in life]))
        return [Customer(life, [next(tokens) for _ in life], **more) for life in lives]


@dataclass
class Request:
    method: str
    path: str
    query: dict[str, list[str]]
    headers: dict[str, str]
    body: bytes
    environment: str
    at: float = 0.0

    @property
    def id(self) -> str:
        return unquote(self.path.rsplit("/", 1)[1])


@dataclass
class Reply:
    status: int = 200
    body: object = None
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    # Bytes of the response after which the connection ends; `reset` ends it without any.
    cut: int | None = None
    reset: bool = False

    def data(self) -> bytes:
        if isinstance(self.body, bytes):
            return self.body
        return b"" if self.body is None else json.dumps(self.body).encode()


def failure(code: int, message: str = "Something.") -> Reply:
    return Reply(code // 10_000, {"errorCode": code, "errorMessage": message})


class Mock:
    """The server of one environment, or of both."""

    def __init__(self, signer: Signer, key: Path, environment: str | None = None, page: int = 20) -> None:
        self.signer, self.tokens, self.environment, self.page = signer, Tokens(key), environment, page
        self.customers: dict[str, Customer] = {}
        self.notifications: dict[str, list[dict]] = {name: [] for name in ENVIRONMENTS}
        self.orders: dict[str, list[str]] = {}
        self.requests: list[Request] = []
        self.connections = 0
        self.hook: Callable[[Request], Reply | None] = lambda request: None
        self.clock = 0.0
        self.bundles = {BUNDLE}
        self.quick: dict[str, bytes] = {}
        self.lock = threading.Lock()

    def add(self, *customers: Customer) -> None:
        for customer in customers:
            for id in customer.ids | customer.app_ids:
                self.customers[id] = customer
            self.bundles.add(customer.bundle)

    # The connection

    def start(self, context: ssl.SSLContext | None = None, port: int = 0) -> "Mock":
        self.loop = asyncio.new_event_loop()
        ready = threading.Event()

        async def serve() -> None:
            self.server = await asyncio.start_server(self.talk, "127.0.0.1", port, ssl=context, limit=1 << 22)
            self.port = self.server.sockets[0].getsockname()[1]
            ready.set()

        def run() -> None:
            asyncio.set_event_loop(self.loop)
            self.loop.run_until_complete(serve())
            self.loop.run_forever()

        self.thread = threading.Thread(target=run, daemon=True)
        self.thread.start()
        ready.wait(20)
        self.url = f"{'https' if context else 'http'}://127.0.0.1:{self.port}"
        return self

    def stop(self) -> None:
        def end() -> None:
            self.server.close()
            for task in asyncio.all_tasks(self.loop):
                task.cancel()
            self.loop.call_soon(self.loop.stop)

        self.loop.call_soon_threadsafe(end)
        self.thread.join(10)

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                lines = head.decode("latin-1").split("\r\n")
                method, target, _ = lines[0].split(" ", 2)
                headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:] if line)}
                body = await reader.readexactly(int(headers.get("content-length", "0")))
                reply = self.answer(method, target, headers, body)
                if reply.delay:
                    await asyncio.sleep(reply.delay)
                if reply.reset:
                    writer.transport.abort()
                    return
                data = reply.data()
                words = {"Content-Type": "application/json", "Date": formatdate(time.time() + self.clock, usegmt=True)}
                words |= {**reply.headers, "Content-Length": str(len(data))}
                text = "".join(f"{name}: {value}\r\n" for name, value in words.items())
                packet = f"HTTP/1.1 {reply.status} X\r\n{text}\r\n".encode() + data
                writer.write(packet if reply.cut is None else packet[: len(packet) - len(data) + reply.cut])
                await writer.drain()
                if reply.cut is not None:
                    writer.close()
                    return
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError, ValueError):
            pass
        finally:
            writer.close()

    # What Apple answers

    def answer(self, method: str, target: str, headers: dict[str, str], body: bytes) -> Reply:
        now = time.time()
        if (data := self.quick.get(target)) is not None and self.tokens.check(headers.get("authorization", ""), now):
            with self.lock:
                self.requests.append(Request(method, target, {}, {}, b"", "Production", now))
            return Reply(body=data)
        parts = urlsplit(target)
        environment = self.environment or "Production"
        request = Request(method, parts.path, parse_qs(parts.query), headers, body, environment, now)
        with self.lock:
            self.requests.append(request)
        if reply := self.hook(request):
            return reply
        claims = self.tokens.check(headers.get("authorization", ""), now + self.clock)
        if claims is None or claims["bid"] not in self.bundles:
            return Reply(401, b"Unauthenticated\n\nRequest ID: X\n", {"Content-Type": "text/plain"})
        return self.look(request, claims["bid"])

    def look(self, request: Request, bundle: str) -> Reply:
        path = request.path
        if path == "/inApps/v1/notifications/history":
            return self.history_of_notifications(request) if request.method == "POST" else Reply(405)
        if path.startswith("/inApps/v1/lookup/"):
            return self.look_up(request) if request.method == "GET" else Reply(405)
        prefixes = ("/inApps/v2/history/", "/inApps/v1/subscriptions/", "/inApps/v2/refund/lookup/")
        kind = next((name for name in prefixes if path.startswith(name)), None)
        if request.method != "GET" or kind is None:
            return Reply(404)
        if not request.id.isdigit():
            return failure(4_000_006, "Invalid transaction id.")
        customer = self.customers.get(request.id)
        known = customer and customer.bundle == bundle and (self.environment in (None, customer.environment))
        if not known:
            return failure(4_040_010, "Transaction id not found.")
        head = {"bundleId": bundle, "appAppleId": 1234567890, "environment": customer.environment}
        if kind == prefixes[1]:
            return Reply(body={**head, "data": self.statuses(customer)})
        pairs = list(zip(customer.transactions, customer.tokens))
        if kind == prefixes[2]:
            pairs, head = [pair for pair in pairs if "revocationDate" in pair[0]], {}
        start = int(request.query.get("revision", ["r0"])[0][1:])
        if start > len(pairs):
            return failure(4_000_005, "Invalid request revision.")
        end = min(start + self.page, len(pairs))
        tokens = [token for _, token in pairs[start:end]]
        return Reply(body={**head, "revision": f"r{end}", "hasMore": end < len(pairs), "signedTransactions": tokens})

    def look_up(self, request: Request) -> Reply:
        """An order id that is unknown is an answer, not an error; the sandbox has no orders."""
        if self.environment == "Sandbox":
            return failure(4_000_000, "Bad request.")
        tokens = self.orders.get(request.id)
        return Reply(body={"status": 1} if tokens is None else {"status": 0, "signedTransactions": tokens})

    def statuses(self, customer: Customer) -> list[dict]:
        groups: dict[str, dict[str, dict]] = {}
        for one, token in zip(customer.transactions, customer.tokens):
            item = {"originalTransactionId": one["originalTransactionId"], "status": 1, "signedTransactionInfo": token}
            renewal = [text for other, text in customer.renewals if other["originalTransactionId"] == one["originalTransactionId"]]
            if renewal:
                item["signedRenewalInfo"] = renewal[-1]
            if "revocationDate" in one:
                item["status"] = 5
            elif one["expiresDate"] < time.time() * 1000:
                item["status"] = 2
            groups.setdefault(one["subscriptionGroupIdentifier"], {})[one["originalTransactionId"]] = item
        return [{"subscriptionGroupIdentifier": name, "lastTransactions": list(items.values())} for name, items in groups.items()]

    def history_of_notifications(self, request: Request) -> Reply:
        asked = json.loads(request.body)
        if set(asked) - {"startDate", "endDate", "transactionId"} or not {"startDate", "endDate"} <= set(asked):
            return failure(4_000_000)
        days = 180 if (self.environment or "Production") == "Production" else 30
        if asked["startDate"] < (time.time() * 1000 - days * DAY):
            return failure(4_000_012, "Start date too far in the past.")
        if asked["startDate"] >= asked["endDate"]:
            return failure(4_000_013)
        items = [
            item for item in self.notifications[self.environment or "Production"]
            if asked["startDate"] <= item["at"] < asked["endDate"] and asked.get("transactionId") in (None, item["id"])
        ]  # fmt: skip
        # A token continues one request, and no other.
        mark = f"{zlib.crc32(request.body):08x}"
        token = request.query.get("paginationToken", [f"t0-{mark}"])[0]
        if not token.endswith(f"-{mark}"):
            return failure(4_000_014)
        start = int(token[1:].split("-")[0])
        end = min(start + self.page, len(items))
        body = {
            "notificationHistory": [{"signedPayload": item["signedPayload"], "sendAttempts": [
                {"attemptDate": item["at"], "sendAttemptResult": "SUCCESS"}]} for item in items[start:end]],
            "hasMore": end < len(items),
        }  # fmt: skip
        if end < len(items):
            body["paginationToken"] = f"t{end}-{mark}"
        return Reply(body=body)
