"""Encoded records in every place where a record may stand; rows and lines that say where they are; damaged logs."""

import base64
import gzip
import io
import json
import sqlite3
import zipfile

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
                for array in (f"[{value},{value}]", f"[\n {value} ,\n {value}\n]\n"):
                    require(self.convert(array) == 2 * expected, f"an array: {name}")
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

    def database(self) -> str:
        """Rows of a database hold the same forms, and bytes."""
        # Gzip ends with any byte, blanks too.
        packed = [gzip.compress(record(0, " " * count).encode(), mtime=0) for count in range(600)]
        ends = {data[-1:]: data for data in packed if data[-1:] in b" \t\n\r" or data is packed[0]}
        text = record()
        forms = [*encodings(text).values(), json.dumps(text), json.dumps(json.dumps(text)), *ends.values()]
        forms += ["\ufeff" + text, base64.b64encode(("\ufeff" + text).encode()).decode(), base64.b64encode(base64.b64encode(text.encode())).decode()]
        path = self.folder / "forms.db"
        with sqlite3.connect(path) as store:
            store.execute("create table n (id integer primary key, b)")
            store.executemany("insert into n (b) values (?)", [(form,) for form in forms])
        found = self.suite.run("convert", "--quiet", f"sqlite:{path}?table=n&key=id&body=b").stdout
        require(found == len(forms) * self.convert(text), "a row of a database is not read")
        return f"{len(forms)} rows"

    def cut_array(self) -> str:
        """An array without its first line, as `split -l` leaves it, loses only what was cut off."""
        lines = [record(number) for number in range(30)]
        expected = self.convert("\n".join(lines))
        indented = [json.dumps(json.loads(line), indent=2) for line in lines]
        for texts in (lines, indented):
            rejects = self.folder / "array.rejects"
            found = self.convert(",\n".join(texts) + "\n]\n", "--rejects", rejects, status=(1,))
            require(found == expected, "a cut array loses records")
            require([json.loads(one)["code"] for one in rejects.read_text().splitlines()] == ["incomplete"], rejects.read_text())
        return ""

    def damaged_zip(self) -> str:
        """A damaged file of a zip archive costs only itself, and is named."""
        packed, count = io.BytesIO(), 40
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for number in range(count):
                archive.writestr(f"{number}.json", record(number))
            places = {number: archive.getinfo(f"{number}.json").header_offset for number in range(count)}
        data = bytearray(packed.getvalue())
        damaged = (0, 7, 8, 39)
        for number in damaged:
            start = places[number] + 30 + len(f"{number}.json")
            data[start : start + 60] = bytes(60)
        path, rejects = self.folder / "damaged.zip", self.folder / "zip.rejects"
        path.write_bytes(data)
        found = self.suite.run("convert", "--quiet", path, "--rejects", rejects, status=1).stdout
        require(found == self.convert("\n".join(record(number) for number in range(count) if number not in damaged)), "an intact file is lost")
        sources = [json.loads(one)["source"] for one in rejects.read_text().splitlines()]
        require(sources == [f"{path}!{number}.json" for number in damaged], f"{sources}")
        return ""

    def damaged_gzip(self) -> str:
        """The secret is not in text that bit damage has garbled, its key included."""
        secret = "c2e78cefe06785df9769fe7d1589f34b"
        lines = [record(number).replace(SECRET, secret) for number in range(40)]
        for number in range(20, 40, 2):
            lines[number] = lines[number].replace(f'com.exämple>?~app", "password": "{secret}"', f'com.e5e{secret}8760afaal_p"').replace(": 0", ": 0x")
        packed = bytearray(gzip.compress("\n".join(lines).encode(), mtime=0))
        packed[-6] ^= 1
        path, rejects = self.folder / "damaged.gz", self.folder / "gzip.rejects"
        path.write_bytes(packed)
        found = self.suite.run("convert", "--quiet", path, "--rejects", rejects, status=1).stdout
        require(found.count("\n") == 30, "other records are lost")
        kept = rejects.read_text()
        require(secret not in kept and kept.count('"inputOmitted":"unparsed"') >= 10, kept)
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
            (f"INFO {unclear}", 0, ["noContent"]), (f"INFO {record().replace(':', '', 1)}", 0, ["incomplete"]),
            (f"INFO {record()[1:]}", 0, ["incomplete"]), (f"INFO {record().replace('{', '{x', 1)}", 0, ["incomplete"]), (over, 0, ["incomplete"]), (f"{over}\nb {record()}", 1, ["incomplete"]),
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
    names = (
        "encoded", "long", "verified", "database", "cut_array", "damaged_zip", "damaged_gzip", "places", "empty", "damaged_logs",
    )  # fmt: skip
    for name in names:
        suite.part(name, getattr(parts, name))
