"""Encoded records in every place where a record may stand; rows and lines that say where they are; damaged logs."""

import base64
import gzip
import json

from harness import Suite, require

ROW = {
    "product_id": "pro>>monthly??", "transaction_id": "2", "original_transaction_id": "1", "purchase_date_ms": "1640000000000",
    "expires_date_ms": "1642592000000",
}  # fmt: skip
SECRET = "SECRET-SLIPCAST-5ec2e77e64b6ba08"


def record(number: int = 0, blanks: str = "") -> str:
    body = {
        "notification_type": "DID_RENEW", "environment": "PROD", "bid": "com.exämple>?~app", "password": SECRET,
        "unified_receipt": {"status": 0, "environment": "Production", "latest_receipt_info": [dict(ROW, transaction_id=str(number + 2))]},
    }  # fmt: skip
    return json.dumps(body, ensure_ascii=False) + blanks


def encodings(text: str) -> dict[str, str]:
    """A text as databases and programs write it; base64 with and without its padding, in both alphabets."""
    raw = text.encode()
    plain, url = base64.b64encode(raw).decode(), base64.urlsafe_b64encode(raw).decode()
    return {
        "base64": plain, "base64 without padding": plain.rstrip("="), "base64url": url, "base64url without padding": url.rstrip("="),
        "bytea": "\\x" + raw.hex(), "hexadecimal": "0x" + raw.hex().upper(), "gzip": base64.b64encode(gzip.compress(raw, mtime=0)).decode(),
    }  # fmt: skip


class Encoded:
    def __init__(self, suite: Suite) -> None:
        self.suite, self.folder = suite, suite.folder

    def convert(self, text: str, *words: object, status: tuple[int, ...] = (0,)) -> str:
        return self.suite.run("convert", "--quiet", *words, text=text, status=status).stdout

    def encoded(self) -> str:
        """Bare lines, JSON strings, strings in arrays, members and cells hold the same record."""
        count = 0
        # Three lengths: base64 ends with two, one and no sign of padding.
        for blanks in ("", " ", "  "):
            text = record(0, blanks)
            expected = self.convert(text)
            require(expected.count("\n") == 1, "the record itself is not converted")
            spellings = encodings(text)
            strings = {name: json.dumps(value) for name, value in spellings.items()}
            strings |= {"JSON in a string": json.dumps(text), "JSON in two strings": json.dumps(json.dumps(text))}
            for name, line in {**spellings, **{f"string of {name}": value for name, value in strings.items()}}.items():
                require(self.convert(line + "\n" + line) == 2 * expected, f"two lines: {name}")
                count += 1
            for name, value in strings.items():
                require(self.convert(f"[{value},{value}]") == 2 * expected, f"an array: {name}")
                require(self.convert(f'{{"b":{value}}}', "--body", "b") == expected, f"--body: {name}")
                require(self.convert(f'x {{"b":{value}}} y', "--from-logs", "--body", "/b") == expected, f"a log: {name}")
                count += 3
        return f"{count} places"

    def long(self) -> str:
        """Files of encoded lines that are longer than a record may be are cut between the lines."""
        for name in ("bytea", "gzip", "base64"):
            lines = [encodings(record(number))[name] for number in range(3000)]
            expected = self.convert("".join(record(number) + "\n" for number in range(3000)))
            for text in ("\n".join(lines), "\n".join(json.dumps(line) for line in lines)):
                require(self.convert(text, "--max-record", "1") == expected, name)
        lines = [json.dumps(record(number)) for number in range(3000)]
        require(self.convert("\n".join(lines), "--max-record", "1") == expected, "JSON in strings")
        return ""

    def verified(self) -> str:
        """`verify` and `inspect` read the same forms."""
        identity = self.folder / "identity"
        self.suite.run("identity", identity)
        signed = self.suite.run("convert", "--quiet", "--sign", identity, text=record()).stdout.strip()
        roots = ["--root", identity / "root.pem"]
        expected = self.suite.run("verify", *roots, text=signed).stdout
        for name, line in encodings(signed).items():
            require(self.suite.run("verify", *roots, text=line).stdout == expected, f"verify: {name}")
            wrapped = json.dumps({"b": line})
            found = json.loads(self.suite.run("verify", *roots, "--body", "b", text=wrapped).stdout.splitlines()[0])
            require(found["verdict"] == "valid" and found["path"].startswith("b: "), f"verify --body: {found}")
            inspected = self.suite.run("inspect", "--format", "json", *roots, "-", text=line).stdout
            require('"DID_RENEW"' in inspected, f"inspect: {name}")
        return ""

    def places(self) -> str:
        """Rejects of tables and logs name the line and the byte in the file."""
        table = 'id,body\na,"{""notification_type"":\n""X""}"\nb,ab"cd\nc,"x" y\nd,1,2\n'
        log = 'a\nb\nINFO {"notification_type":"CANCEL"}\nc {"notification_type":"CANCEL","x":\n'
        cases = ((table, ["--csv", "--body", "body"], [(2, 8), (4, 43), (5, 51), (6, 59)]), (log, ["--from-logs"], [(3, 9), (4, 42)]))
        for text, words, expected in cases:
            for padding in ("", "\n" * 300_000):
                # Blank lines in front of the last rows move them into later blocks.
                head, tail = text.split("\n", 1)
                moved = f"{head}\n{padding}{tail}"
                rejects = self.folder / "places.rejects"
                self.convert(moved, *words, "--rejects", rejects, status=(1,))
                found = [(one["line"], one["offset"]) for one in map(json.loads, rejects.read_text().splitlines())]
                require(found == [(line + len(padding), at + len(padding)) for line, at in expected], f"{words}: {found}")
        return ""

    def empty(self) -> str:
        """A table without a header row has no rows; the other files of its folder are read."""
        place = self.folder / "empty"
        place.mkdir()
        (place / "a.ndjson").write_text(record())
        for name, text in (("b.csv", ""), ("c.csv", "\ufeff"), ("d.tsv", "\n"), ("e.csv", "id,body\n")):
            (place / name).write_bytes(text.encode())
        require(self.suite.run("convert", "--quiet", place).stdout == self.convert(record()), "an empty table ends the run")
        return ""

    def damaged_logs(self) -> str:
        """A part of a damaged record is no record; a record over several lines is one reject; no secret is kept."""
        cut = record()[:-2]
        unclear = f'{{"password" {{"S":"{SECRET}","notification_type":"A"}}}}'
        over = 'INFO {\n "notification_type": "CANCEL",\n "unified_receipt": {\n  "latest_receipt_info": []\n }\n}'
        cases = (
            (f"INFO {cut}", 0, ["incomplete"]), (f'INFO {{"notification_type":"X","x":[1,}}],{record()[1:]}', 0, ["incomplete"]),
            (f"INFO {unclear}", 0, ["noContent"]), (over, 0, ["incomplete"]), (f"{over}\nb {record()}", 1, ["incomplete"]),
            (f"INFO {cut} {record()}", 1, []), ('if (x) {\n  "a": {\n   "b": 1\n  }\n}\n' + f"y {record()}", 1, []),
        )  # fmt: skip
        for text, converted, codes in cases:
            rejects = self.folder / "logs.rejects"
            lines = self.convert(text, "--from-logs", "--rejects", rejects, status=(1 if codes else 0,))
            found = [json.loads(one) for one in rejects.read_text().splitlines()]
            require(lines.count("\n") == converted and [one["code"] for one in found] == codes, f"{text}: {lines} {found}")
            require(SECRET not in rejects.read_text() and SECRET not in lines, f"the shared secret of {text}")
        return ""


def run(suite: Suite) -> None:
    parts = Encoded(suite)
    for name in ("encoded", "long", "verified", "places", "empty", "damaged_logs"):
        suite.part(name, getattr(parts, name))
