"""A journal of `serve` with V2 notifications that have a value in every member: V1 has none for most of them."""

import base64
import hashlib
import json
from pathlib import Path
from typing import Any

Schema = dict[str, Any]
# What holds the data of a notification; each has one of them.
SUBJECTS = ("data", "summary", "externalPurchaseToken", "appData")
SIGNED = {"transactionInfo": "signedTransactionInfo", "renewalInfo": "signedRenewalInfo"}


def signed(payload: Any) -> str:
    """A compact JWS whose signature nobody checks."""
    parts = [json.dumps(one).encode() for one in ({"alg": "ES256"}, payload)] + [b"signature"]
    return ".".join(base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in parts)


def sample(schema: Schema, definitions: dict[str, Schema], name: str) -> Any:
    """A value of the kind that a schema states."""
    if "$ref" in schema:
        return sample(definitions[schema["$ref"].removeprefix("#/$defs/")], definitions, name)
    match schema.get("type"):
        case "object":
            members = {member: sample(one, definitions, member) for member, one in schema["properties"].items() if member != "migration"}
            return {SIGNED.get(key, key): signed(value) if key in SIGNED else value for key, value in members.items() if key not in SIGNED.values()}
        case "array":
            return [sample(schema["items"], definitions, name)]
        case "integer":
            return 1700000000123 if "milliseconds" in schema.get("description", "") else 7
        case "boolean":
            return True
    return "3b0b27ca-d0ba-5b58-800e-97d03c55976c" if "UUID" in schema.get("description", "") else f"a, \"b\" {name}"


def write(folder: Path, notification_schema: Schema, app_schema: Schema) -> None:
    """Writes the journal; the schemas are those of a notification and of an app transaction."""
    definitions = notification_schema["$defs"]
    whole = sample(definitions["responseBodyV2DecodedPayload"], definitions, "")
    whole["appData"]["signedAppTransactionInfo"] = signed(sample(app_schema["allOf"][0], app_schema["$defs"], ""))
    lines = []
    for number, subject in enumerate(SUBJECTS, 1):
        notification = {key: value for key, value in whole.items() if key not in SUBJECTS or key == subject}
        notification |= {"notificationUUID": f"00000000-0000-4000-8000-00000000000{number}", "notificationType": "TEST"}
        event = {"number": number, "receivedAt": 1700000000000, "version": "V2", "id": notification["notificationUUID"],
                 "body": json.dumps({"signedPayload": signed(notification)})}  # fmt: skip
        rest = json.dumps(event, separators=(",", ":")).removeprefix("{")
        lines.append(f'{{"sum":"{hashlib.sha256(rest.encode()).hexdigest()[:16]}",{rest}\n')
    folder.mkdir()
    (folder / "0000000000000001.ndjson").write_text("".join(lines))
    (folder / "journal.json").write_text(json.dumps({"slipcastState": "journal", "version": 2}))
