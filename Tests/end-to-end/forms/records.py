"""The same rows in every form in which companies store them: an id, the received time and the body of a notification."""

import base64
import csv
import gzip
import io
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from harness import FIXTURES

# Beyond 2^53: a program that reads numbers as doubles changes it.
FIRST_ID = 9_007_199_254_740_993
# 2024-01-01T10:00:00Z.
FIRST_TIME = 1_704_103_200_000


def bodies() -> list[str]:
    """The notifications of the fixtures, each as the text of one line."""
    found = []
    for path in sorted(FIXTURES.glob("notifications/*/v1.json")):
        try:
            record = json.loads(path.read_text(), parse_float=Decimal)
        except ValueError:
            continue
        if isinstance(record, dict) and "notification_type" in record:
            found.append(text(record))
    return found


def text(value: Any) -> str:
    """JSON with all digits of its numbers."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(name)}:{text(one)}" for name, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(text, value)) + "]"
    return str(value) if isinstance(value, Decimal) else json.dumps(value, ensure_ascii=False)


def rows(copies: int = 1) -> list[dict[str, Any]]:
    return [{"id": FIRST_ID + place, "receivedAt": FIRST_TIME + place * 1000, "body": body}
            for place, body in enumerate(bodies() * copies)]  # fmt: skip


def date(time: int) -> str:
    from datetime import datetime, timezone

    return datetime.fromtimestamp(time / 1000, timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.000")


# DynamoDB


def attribute(value: Any) -> dict[str, Any]:
    match value:
        case bool():
            return {"BOOL": value}
        case None:
            return {"NULL": True}
        case int() | Decimal():
            return {"N": str(value)}
        case str():
            return {"S": value}
        case list():
            return {"L": [attribute(one) for one in value]}
    return {"M": image(value)}


def image(row: dict[str, Any]) -> dict[str, Any]:
    return {name: attribute(value) for name, value in row.items()}


def parsed(row: dict[str, Any]) -> dict[str, Any]:
    """The row with its body as an object."""
    return {**row, "body": json.loads(row["body"], parse_float=Decimal)}


def stream(row: dict[str, Any]) -> dict[str, Any]:
    return {"eventID": "e", "eventName": "INSERT", "dynamodb": {"Keys": {"id": {"N": "1"}}, "NewImage": image(row)}}


# MongoDB


def extended(value: Any, numbers: Callable[[Any], Any]) -> Any:
    match value:
        case bool() | None | str():
            return value
        case int() | Decimal():
            return numbers(value)
        case list():
            return [extended(one, numbers) for one in value]
    return {name: extended(one, numbers) for name, one in value.items()}


def canonical(value: int | Decimal) -> Any:
    if isinstance(value, Decimal):
        return {"$numberDouble": str(value)}
    return {"$numberInt" if abs(value) < 1 << 31 else "$numberLong": str(value)}


def relaxed(value: int | Decimal) -> Any:
    return value


def version1(value: int | Decimal) -> Any:
    return {"$numberLong": str(value)} if isinstance(value, int) and abs(value) >= 1 << 31 else value


def document(row: dict[str, Any], numbers: Callable[[Any], Any], when: Callable[[int], Any]) -> dict[str, Any]:
    plain = extended({"id": row["id"], "body": row["body"]}, numbers)
    return {"_id": {"$oid": "5f0e7a0b1c9d440000a1b2c3"}, **plain, "receivedAt": {"$date": when(row["receivedAt"])}}


# Files


def ndjson(found: list[Any]) -> str:
    return "".join(text(row) + "\n" for row in found)


def table(found: list[dict[str, Any]], separator: str = ",") -> str:
    written = io.StringIO()
    writer = csv.DictWriter(written, list(found[0]), delimiter=separator, lineterminator="\n")
    writer.writeheader()
    writer.writerows(found)
    return written.getvalue()


def escaped(found: list[dict[str, Any]]) -> str:
    """The text of COPY."""
    escapes = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})
    lines = [list(found[0]), *[[str(value).translate(escapes) for value in row.values()] for row in found]]
    return "".join("\t".join(line) + "\n" for line in lines)


def encoded(found: list[dict[str, Any]], encode: Callable[[bytes], str]) -> str:
    return ndjson([{**row, "body": encode(row["body"].encode())} for row in found])


@dataclass
class Form:
    """One way to store the rows."""

    name: str
    ending: str
    write: Callable[[list[dict[str, Any]]], str]
    words: list[str] = field(default_factory=list)
    """Words that standard input needs, too."""
    piped: list[str] = field(default_factory=list)


FORMS = [
    Form("csv", ".csv", table, piped=["--csv"]),
    Form("semicolons", ".csv", lambda found: table(found, ";"), ["--separator", ";"], ["--csv"]),
    Form("tsv", ".tsv", escaped, ["--tsv", "copy"]),
    Form("array", ".json", lambda found: "[" + ",".join(map(text, found)) + "]"),
    Form("joined", ".json", lambda found: "".join(map(text, found))),
    Form("joined with blanks", ".json", lambda found: "  ".join(map(text, found))),
    Form("joined and indented", ".json", lambda found: "".join(json.dumps(row, indent=2) for row in found)),
    Form("base64", ".ndjson", lambda found: encoded(found, lambda body: base64.b64encode(body).decode())),
    Form("base64url", ".ndjson", lambda found: encoded(found, lambda body: base64.urlsafe_b64encode(body).decode().rstrip("="))),
    Form("gzip in base64", ".ndjson", lambda found: encoded(found, lambda body: base64.b64encode(gzip.compress(body)).decode())),
    Form("hexadecimal", ".ndjson", lambda found: encoded(found, lambda body: "\\x" + body.hex())),
    Form("string in a string", ".ndjson", lambda found: encoded(found, lambda body: json.dumps(body.decode()))),
    Form("DynamoDB export", ".json", lambda found: ndjson([{"Item": image(row)} for row in found])),
    Form("DynamoDB documents", ".json", lambda found: ndjson([{"Item": image(parsed(row))} for row in found])),
    Form("DynamoDB rows", ".json", lambda found: ndjson([image(row) for row in found])),
    Form("DynamoDB stream", ".json", lambda found: "".join(text(stream(parsed(row))) for row in found)),
    Form("DynamoDB binary", ".json", lambda found: ndjson([
        {"Item": {**image(row), "body": {"B": base64.b64encode(row["body"].encode()).decode()}}} for row in found])),
    Form("MongoDB canonical", ".json", lambda found: ndjson([
        document(parsed(row), canonical, lambda time: {"$numberLong": str(time)}) for row in found])),
    Form("MongoDB relaxed", ".json", lambda found: ndjson([
        document(parsed(row), relaxed, lambda time: date(time) + "Z") for row in found])),
    Form("MongoDB version 1", ".json", lambda found: "[" + ",\n".join(
        text(document(parsed(row), version1, lambda time: time)) for row in found) + "]"),
    Form("MongoDB with zones", ".json", lambda found: ndjson([
        document(row, relaxed, lambda time: date(time) + "+0000") for row in found])),
    Form("MongoDB binary", ".json", lambda found: ndjson([
        {**document(row, relaxed, lambda time: time), "body": {"$binary": {
            "base64": base64.b64encode(row["body"].encode()).decode(), "subType": "00"}}} for row in found])),
]  # fmt: skip
