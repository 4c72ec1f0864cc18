"""Runs the blocks of Examples/apple-libraries.md, and tries what the page says beside them: Python with Apple's library,
JavaScript with Node, which needs none for lines that are decoded.
"""

import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any

from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier, VerificationException, VerificationStatus
from harness import FIXTURES, ROOT, Suite, require, run as command

PAGE = ROOT / "Examples/apple-libraries.md"
ARCHIVE = FIXTURES / "archives/subscription/v1.ndjson"
ROW = ("--body", "/body", "--received-at", "/received_at")


def blocks(language: str = "python") -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(), re.DOTALL)


def run(suite: Suite, folder: Path, number: int) -> list[list[str]]:
    """The words that a block prints for each line."""
    script = folder / f"block{number}.py"
    script.write_text(blocks()[number])
    return [line.split() for line in command([sys.executable, script], folder=folder).stdout.splitlines()]


def run_javascript(folder: Path, events: list[dict[str, Any]]) -> str:
    """Runs the block with Node; says so where there is no Node."""
    (block,) = blocks("javascript")
    node = shutil.which("node") or shutil.which("nodejs")
    if node is None:
        return "JavaScript block SKIPPED: node is not installed"
    script = folder / "block.mjs"
    script.write_text(block)
    printed = [line.split() for line in command([node, script], folder=folder).stdout.splitlines()]
    wanted = []
    for event in events:
        data = event["data"]
        status = data.get("renewalInfo", {}).get("autoRenewStatus", "undefined")
        wanted.append([event["notificationType"], data["transactionInfo"]["originalTransactionId"], str(status)])
    require(printed == wanted, f"the JavaScript block prints types, ids and auto-renew status: {printed[:3]}, {wanted[:3]}")
    return "JavaScript block run"


def check(suite: Suite) -> str:
    folder = suite.folder / "page"
    folder.mkdir()
    require(len(blocks()) == 2, f"{len(blocks())} blocks of Python")
    convert = ["convert", "--quiet", ARCHIVE, *ROW]
    suite.run(*convert, "--to", folder / "v2.ndjson")
    events = [json.loads(line) for line in (folder / "v2.ndjson").read_text().splitlines()]
    wanted = [[f"NotificationTypeV2.{one['notificationType']}", one["data"]["transactionInfo"]["originalTransactionId"]] for one in events]
    require(run(suite, folder, 0) == wanted, "the first block prints types and ids")
    javascript = run_javascript(folder, events)
    suite.run("identity", "--quiet", folder / "identity")
    signed, unnamed = folder / "signed.ndjson", folder / "unnamed.ndjson"
    words = suite.run("convert", ARCHIVE, *ROW, "--sign", folder / "identity", "--app-apple-id", "1234567890", "--to", signed).stderr
    require("app-apple-id" not in words, words)
    wanted = [[f"NotificationTypeV2.{one['notificationType']}", one["data"]["transactionInfo"]["productId"]] for one in events]
    require(run(suite, folder, 1) == wanted, "the second block prints types and products")
    # What the page warns of: the missing id is named before the verifier refuses it, and online checks need a responder.
    words = suite.run("convert", ARCHIVE, *ROW, "--sign", folder / "identity", "--to", unnamed).stderr
    require("--app-apple-id" in words and "Production" in words, words)
    root = (folder / "identity/root.der").read_bytes()
    refused(root, False, unnamed, VerificationStatus.INVALID_APP_IDENTIFIER)
    refused(root, True, signed, None)
    suite.run("verify", "--quiet", "--root", folder / "identity/root.der", signed)
    return f"{len(events)} events, {javascript}"


def refused(root: bytes, online: bool, lines: Path, status: VerificationStatus | None) -> None:
    verifier = SignedDataVerifier([root], online, Environment.PRODUCTION, "com.example.slipcast", 1234567890)
    token = json.loads(lines.read_text().splitlines()[0])["signedPayload"]
    try:
        verifier.verify_and_decode_notification(token)
    except VerificationException as error:
        require(status is None or error.status == status, f"{lines.name}: {error.status}")
    else:
        require(False, f"{lines.name} is accepted")
