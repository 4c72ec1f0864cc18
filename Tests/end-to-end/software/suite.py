"""Runs each command that the program advises for a form it does not read, with the real software.

The records are stored with MariaDB, PostgreSQL, DuckDB, fastavro, BSON, openpyxl and a bucket; the program names the form
and a command; that command runs as it is told; what it writes is converted to the same events as the original records.
"""

import base64
import json
import os
import pwd
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "forms"))

from harness import Skipped, Suite, anew, require, run as execute  # noqa: E402
from records import date, ndjson, rows  # noqa: E402

POSTGRESQL = True
ROWS = ["--body", "/body", "--received-at", "/receivedAt", "--id", "/id"]
# What a workbook's cell holds.
LONGEST_CELL = 32_767


def waited(holds, what: str, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not holds():
        require(time.monotonic() < end, f"{what} does not start")
        time.sleep(0.1)


@contextmanager
def running(command: list[object], folder: Path, log: str) -> Iterator[subprocess.Popen]:
    """A server that ends with the block."""
    with (folder / log).open("ab") as file:
        process = subprocess.Popen(list(map(str, command)), cwd=folder, stdin=subprocess.DEVNULL, stdout=file, stderr=file)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


class Parts:
    def __init__(self, suite: Suite) -> None:
        self.suite, self.folder = suite, suite.folder
        self.rows = rows()
        # What a database makes of times, and texts that an escape could spoil.
        for place, row in enumerate(self.rows):
            row["note"] = ["", "café/2021", "tab\tline\nfeed", 'back\\slash "quoted"', "NULL", "\\N"][place % 6]
        self.expected = self.converted(self.rows)
        os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"

    def converted(self, found: list[dict]) -> str:
        return self.convert("-", text=ndjson(found))

    def convert(self, *words: object, **more: object) -> str:
        return self.suite.run("convert", "--quiet", *ROWS, *words, status=(0, 1), **more).stdout

    def advice(self, source: object, **more: object) -> str:
        """What the program says of a source that it does not read."""
        outcome = self.suite.run("convert", *ROWS, source, status=(1, 2), **more)
        require(not outcome.stdout, "something is converted")
        line = next((one for one in outcome.stderr.splitlines() if ": cannot read: " in one or " it is " in one), "")
        require(line, f"no advice: {outcome.stderr}")
        return line

    def obey(self, command: str, folder: Path, **replacements: str) -> None:
        """Runs a command as it is told, with the names that a reader knows in place of the words in capitals."""
        for word, value in replacements.items():
            require(re.search(rf"\b{word}\b", command), f"{word} is not in {command}")
            command = re.sub(rf"\b{word}\b", value, command)
        execute(["bash", "-c", f"set -o pipefail\n{command}"], folder=folder, seconds=120)

    def same(self, found: str, what: str) -> None:
        require(found == self.expected, f"{what}: {found.count(chr(10))} lines, other than the {self.expected.count(chr(10))} of NDJSON")

    # Files

    def parquet(self) -> str:
        folder = anew(self.folder / "parquet")
        (folder / "rows.ndjson").write_text(ndjson(self.rows))
        execute(["duckdb", "-c", "COPY (FROM read_json('rows.ndjson', columns={id: 'BIGINT', receivedAt: 'BIGINT', body: 'VARCHAR', "
                 "note: 'VARCHAR'})) TO 'rows.parquet' (FORMAT parquet)"], folder=folder)  # fmt: skip
        command = self.advice("rows.parquet", folder=folder).partition("write it as NDJSON first: ")[2]
        self.obey(command, folder)
        self.same(self.convert(folder / "rows.parquet.ndjson"), "Parquet")
        return ""

    def avro(self) -> str:
        import fastavro

        folder = anew(self.folder / "avro")
        fields = [{"name": "id", "type": "long"}, {"name": "receivedAt", "type": "long"}, {"name": "body", "type": "string"},
                  {"name": "note", "type": ["null", "string"]}]  # fmt: skip
        with (folder / "rows.avro").open("wb") as file:
            fastavro.writer(file, {"type": "record", "name": "Row", "fields": fields}, self.rows, codec="deflate")
        command = self.advice("rows.avro", folder=folder).partition("write it as NDJSON first: ")[2]
        self.obey(command, folder)
        self.same(self.convert(folder / "rows.avro.ndjson"), "Avro")
        return ""

    def bson(self) -> str:
        import bson
        from bson.json_util import CANONICAL_JSON_OPTIONS, LEGACY_JSON_OPTIONS, RELAXED_JSON_OPTIONS, dumps
        from datetime import datetime, timezone

        folder = anew(self.folder / "bson")
        documents = [{"_id": bson.ObjectId(), "id": bson.Int64(row["id"]), "body": json.loads(row["body"]), "note": row["note"],
                      "receivedAt": datetime.fromtimestamp(row["receivedAt"] / 1000, timezone.utc)} for row in self.rows]  # fmt: skip
        (folder / "rows.bson").write_bytes(b"".join(bson.encode(one) for one in documents))
        told = self.advice("rows.bson", folder=folder).partition("write it as NDJSON first: ")[2]
        first, _, second = told.partition(", or, with pymongo: ")
        require(first.startswith("bsondump ") and second.startswith("python3 "), told)
        commands = [second] + ([first] if shutil.which("bsondump") else [])
        for command in commands:
            self.obey(command, folder)
            self.same(self.convert(folder / "rows.bson.ndjson"), command)
            (folder / "rows.bson.ndjson").unlink()
        # The spellings of extended JSON, as MongoDB's own package writes them.
        for options in (CANONICAL_JSON_OPTIONS, LEGACY_JSON_OPTIONS, RELAXED_JSON_OPTIONS):
            text = "".join(dumps(one, json_options=options) + "\n" for one in documents)
            self.same(self.convert("-", text=text), f"extended JSON of mode {options.json_mode}")
        return f"bsondump {'ran' if len(commands) > 1 else 'is not on this machine'}"

    def workbook(self) -> str:
        import openpyxl

        folder = anew(self.folder / "workbook")
        book = openpyxl.Workbook(write_only=True)
        sheet = book.create_sheet()
        sheet.append(list(self.rows[0]))
        # A workbook keeps numbers with 15 digits, and cuts off longer cells.
        kept = [row for row in self.rows if len(row["body"]) <= LONGEST_CELL]
        for row in kept:
            sheet.append([str(row["id"]), str(row["receivedAt"]), row["body"], row["note"]])
        book.save(folder / "rows.xlsx")
        told = self.advice("rows.xlsx", folder=folder)
        require("32,767" in told, told)
        command = told.partition("with openpyxl: ")[2].partition("; a cell of a workbook")[0]
        self.obey(command, folder)
        require(self.convert(folder / "rows.xlsx.csv") == self.converted(kept), "the workbook gives other events")
        return f"{len(self.rows) - len(kept)} records are too long for a cell"

    # Databases

    def postgres(self) -> str:
        """Both forms of pg_dump are restored as told, and the table is read."""
        from urllib.parse import unquote, urlsplit

        folder, url = anew(self.folder / "postgres"), urlsplit(os.environ["SLIPCAST_POSTGRES"])
        os.environ.update(PGHOST=url.hostname or "", PGPORT=str(url.port), PGUSER=url.username or "", PGPASSWORD=unquote(url.password or ""))
        (folder / "rows.csv").write_text("".join(
            f"{row['id']},{date(row['receivedAt'])}Z,{base64.b64encode(row['body'].encode()).decode()}\n" for row in self.rows))
        execute(["dropdb", "--if-exists", "shop"])
        execute(["createdb", "shop"])
        load = ("CREATE TABLE coded (id bigint PRIMARY KEY, received_at timestamptz, body text);\n\\copy coded FROM rows.csv (FORMAT csv)\n"
                "CREATE TABLE v1 AS SELECT id, received_at, convert_from(decode(body, 'base64'), 'UTF8') AS body FROM coded;\n")
        execute(["psql", "--quiet", "--dbname=shop"], folder=folder, text=load)
        for name, form in (("dump.sql", "plain"), ("rows.dump", "custom")):
            execute(["pg_dump", f"--format={form}", f"--file={name}", "shop"], folder=folder)
            told = self.advice(name, folder=folder).partition("restore it first: ")[2]
            command, _, location = told.partition(", then read ")
            execute(["dropdb", "--if-exists", "restored"])
            self.obey(command, folder)
            source = location.strip("'").replace("=TABLE", "=v1").replace("=COLUMN", "=body") + "&key=id&received-at=received_at"
            found = self.suite.run("convert", "--quiet", source, status=(0, 1)).stdout
            self.same(found, f"pg_dump, {form}")
        return ""

    @contextmanager
    def mariadb(self) -> Iterator[int]:
        """A server on a free port of 127.0.0.1, and on a socket that its programs find."""
        if not shutil.which("mariadbd"):
            raise Skipped("MariaDB's server is not on this machine")
        folder = anew(Path("/tmp") / f"slipcast-mariadb.{os.getpid()}")
        # It refuses to run as root.
        user = "mysql" if "mysql" in {one.pw_name for one in pwd.getpwall()} else "nobody"
        owner = [f"--user={user}"] if os.geteuid() == 0 else []
        if owner:
            shutil.chown(folder, user)
        try:
            data, place = folder / "data", folder / "socket"
            execute(["mariadb-install-db", "--no-defaults", f"--datadir={data}", "--auth-root-authentication-method=normal",
                     "--skip-test-db", *owner], merged=True)  # fmt: skip
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                port = free.getsockname()[1]
            # The programs of MariaDB and MySQL read it instead of this machine's settings.
            home = anew(self.folder / "home")
            (home / ".my.cnf").write_text(f"[client]\nsocket={place}\nport={port}\n")
            os.environ["HOME"] = str(home)
            command = ["mariadbd", "--no-defaults", f"--datadir={data}", f"--socket={place}", f"--port={port}", "--bind-address=127.0.0.1",
                       f"--pid-file={folder / 'pid'}", "--skip-log-bin", *owner]  # fmt: skip
            with running(command, self.folder, "mariadb.log"):
                waited(lambda: subprocess.run(["mariadb", "-e", "SELECT 1"], capture_output=True, check=False).returncode == 0, "MariaDB")
                yield port
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def dump(self) -> str:
        """A dump of MariaDB, and a table of a running server, become TSV."""
        folder = anew(self.folder / "mariadb")
        with self.mariadb() as port:
            inserts = "".join(
                f"INSERT INTO v1 VALUES ({row['id']}, '{date(row['receivedAt']).replace('T', ' ')}', "
                f"CONVERT(FROM_BASE64('{base64.b64encode(row['body'].encode()).decode()}') USING utf8mb4), "
                f"{'NULL' if not row['note'] else chr(39) + row['note'].replace(chr(92), chr(92) * 2) + chr(39)});\n" for row in self.rows)
            table = ("CREATE DATABASE shop CHARACTER SET utf8mb4; USE shop; CREATE TABLE v1 (id BIGINT PRIMARY KEY, receivedAt DATETIME(3), "
                     "body LONGTEXT, note TEXT);\n")
            execute(["mariadb", "--default-character-set=utf8mb4"], text=table + inserts)
            with (folder / "dump.sql").open("wb") as file:
                subprocess.run(["mariadb-dump", "--default-character-set=utf8mb4", "shop"], stdout=file, check=True)
            told = self.advice("dump.sql", folder=folder).partition("write the table as TSV: ")[2]
            command, _, words = told.partition(", then read rows.tsv with ")
            require(words == "--tsv copy --body /COLUMN", told)
            self.obey(command, folder, TABLE="v1")
            self.same(self.convert(folder / "rows.tsv", "--tsv", "copy"), "the dump")
            told = self.advice(f"mysql://root:@127.0.0.1:{port}/shop?table=v1").partition("write the table as TSV: ")[2]
            (folder / "rows.tsv").unlink()
            # A terminal would ask for the password, which is empty here.
            self.obey(told.partition(", then read ")[0].replace(" --password ", " --password= "), folder)
            self.same(self.convert(folder / "rows.tsv", "--tsv", "copy"), "the table of the server")
        return ""

    # Buckets

    def bucket(self) -> str:
        """AWS's own command copies an object and a folder from a bucket."""
        if not shutil.which("moto_server") or not shutil.which("aws"):
            raise Skipped("awscli or moto is not on this machine")
        folder = anew(self.folder / "bucket")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        os.environ.update(AWS_ENDPOINT_URL=f"http://127.0.0.1:{port}", AWS_ACCESS_KEY_ID="x", AWS_SECRET_ACCESS_KEY="x", AWS_DEFAULT_REGION="us-east-1")
        half = len(self.rows) // 2
        parts = {"2021-03.ndjson": ndjson(self.rows[:half]), "2021-04.ndjson": ndjson(self.rows[half:])}
        with running(["moto_server", "-H", "127.0.0.1", "-p", port], self.folder, "moto.log"):
            def answers() -> bool:
                with socket.socket() as probe:
                    return probe.connect_ex(("127.0.0.1", port)) == 0

            waited(answers, "the bucket's server")
            execute(["aws", "s3", "mb", "s3://shop-exports"])
            for name, text in {**parts, "all.ndjson": ndjson(self.rows)}.items():
                (folder / "upload").write_text(text)
                place = "v1/" + name if name in parts else name
                execute(["aws", "s3", "cp", folder / "upload", f"s3://shop-exports/{place}"])
            for location, found in (("s3://shop-exports/all.ndjson", "all.ndjson"), ("s3://shop-exports/v1/", "exports")):
                told = self.advice(location).partition("copy it first: ")[2]
                command, _, name = told.partition(", then read ")
                require(name.removeprefix("the folder ") == found, told)
                self.obey(command, folder)
                self.same(self.convert(folder / found), location)
        return ""


def run(suite: Suite) -> None:
    parts = Parts(suite)
    for name in ("parquet", "avro", "bson", "workbook", "postgres", "dump", "bucket"):
        suite.part(name, getattr(parts, name))
