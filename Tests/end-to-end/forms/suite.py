"""The forms that companies store, in every wrapping, whole and broken; every command with every form, every option with every input."""

import base64
import gzip
import io
import json
import os
import random
import signal
import subprocess
import tarfile
import time
import zipfile
from pathlib import Path

from harness import Program, Suite, each, require, run as execute
from commands import Commands
from options import Options
from records import FORMS, Form, ndjson, rows, table

ROWS = ["--body", "/body", "--received-at", "/receivedAt", "--id", "/id"]
SECRET = "SECRET-SLIPCAST-form"


class Parts:
    def __init__(self, suite: Suite) -> None:
        self.suite, self.folder = suite, suite.folder
        every = rows()
        self.rows = every[:: max(1, len(every) // suite.options.rows)]
        (self.folder / "rows.ndjson").write_text(ndjson(self.rows))
        self.expected = self.convert(self.folder / "rows.ndjson")
        require(self.expected.count("\n") >= 20, "the fixtures have records")

    def convert(self, *words: object, **more: object) -> str:
        return self.suite.run("convert", "--quiet", *ROWS, *words, status=(0, 1), **more).stdout

    # Wrappings

    def wrapped(self, form: Form) -> dict[str, Path]:
        place = self.folder / form.name.replace(" ", "-")
        place.mkdir()
        name, content = "rows" + form.ending, form.write(self.rows).encode()
        found = {"plain": place / name, "gzip": place / f"{name}.gz", "zstd": place / f"{name}.zst", "tar": place / "rows.tar",
                 "zip": place / "rows.zip", "folder": place / "folder"}  # fmt: skip
        found["plain"].write_bytes(content)
        found["gzip"].write_bytes(gzip.compress(content))
        execute(["zstd", "-q", found["plain"], "-o", found["zstd"]])
        with zipfile.ZipFile(found["zip"], "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(f"2021/{name}", content)
        with tarfile.open(found["tar"], "w") as archive:
            entry = tarfile.TarInfo(f"2021/{name}")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
        (found["folder"] / "2021").mkdir(parents=True)
        (found["folder"] / "2021" / name).write_bytes(content)
        return found

    def names(self) -> str:
        """A column or member is named with or without the slash of a JSON pointer."""
        names, count = ["--body", "body", "--received-at", "receivedAt", "--id", "id"], 0
        for form in FORMS:
            path = self.folder / f"names{count}{form.ending}"
            path.write_text(form.write(self.rows))
            found = self.suite.run("convert", "--quiet", *names, path, *form.words, status=(0, 1)).stdout
            require(found == self.expected, f"{form.name}: names without a slash give other lines")
            count += 1
        for wrong in ("body/x", "$.body", ".body", "#/body"):
            outcome = self.suite.run("convert", "--body", wrong, self.folder / "rows.ndjson", status=2)
            require("such as payload, or a JSON pointer such as /payload/body" in outcome.stderr, outcome.stderr)
        return f"{count} forms"

    def check(self, form: Form) -> None:
        for name, path in self.wrapped(form).items():
            for jobs in (1, 3):
                found = self.convert(path, *form.words, "--jobs", jobs)
                require(found == self.expected, f"{name}, {jobs} jobs: {found.count(chr(10))} other lines than from NDJSON")
        found = self.convert("-", *form.words, *form.piped, text=form.write(self.rows))
        require(found == self.expected, "standard input: other lines than from NDJSON")

    def forms(self) -> str:
        each(((form.name, form) for form in FORMS), self.check)
        return f"{len(FORMS)} forms of {len(self.rows)} rows"

    def compared(self) -> str:
        """parity reads the bodies in base64 that convert reads, on both sides."""
        bodies = [row["body"] for row in self.rows]
        events = self.suite.run("convert", "--quiet", "--plain", "-", text="\n".join(bodies) + "\n", status=(0, 1)).stdout.splitlines()

        def encoded(text: str) -> str:
            return base64.b64encode(text.encode()).decode()

        def compare(name: str, sides: list[list[str]], *words: str) -> dict:
            paths = [self.folder / f"compared.{name}.{side}" for side in (1, 2)]
            for path, lines in zip(paths, sides):
                path.write_text("".join(line + "\n" for line in lines))
            run = self.suite.run("parity", "--legacy", paths[0], "--server", paths[1], "--format", "json", *words, status=(0, 1))
            return json.loads(run.stdout)["pairs"]

        plain = compare("plain", [bodies, events])
        require(plain["matched"] + plain["conflicting"] > 5, str(plain))
        members = [[json.dumps({"b": encoded(line)}) for line in lines] for lines in (bodies, events)]
        lines = [[encoded(line) for line in lines] for lines in (bodies, events)]
        for name, sides, words in (
            ("member1", [members[0], events], ["--body", "/b"]),
            ("member2", [bodies, members[1]], ["--server-body", "/b"]),
            ("lines", lines, []),
        ):  # fmt: skip
            found = compare(name, sides, *words)
            require(found == plain, f"{name}: {found}, plain: {plain}")
        return f"{len(bodies)} records"

    # Broken rows

    def broken(self) -> str:
        """A row that cannot be read is one reject, with its line and without its secret."""

        def check(form: Form) -> None:
            bad = '{"notification_type":5,"password":"%s"}' % SECRET
            mixed = [*self.rows[:2], {**self.rows[2], "body": bad}, *self.rows[3:5]]
            path, rejects = self.folder / f"broken{form.ending}", self.folder / "broken.rejects"
            path.write_text(form.write(mixed))
            outcome = self.suite.run("convert", "--quiet", *ROWS, *form.words, path, "--rejects", rejects, status=1)
            good = "".join(line for at, line in enumerate(self.expected.splitlines(keepends=True)) if at in (0, 1, 3, 4))
            require(outcome.stdout == good, "the rows around it are not converted")
            found = [json.loads(line) for line in rejects.read_text().splitlines()]
            require(len(found) == 1 and found[0]["record"] == 3, f"other rejects: {found}")
            require(found[0]["code"] == "wrongKind" and "notification_type" in found[0]["path"], f"{found}")
            require(found[0]["id"] == str(self.rows[2]["id"]), f"another id: {found[0]['id']}")
            told = rejects.read_text() + outcome.stderr
            require(SECRET not in told and SECRET.encode().hex() not in told, "a reject has the shared secret")
            again = self.suite.run("convert", "--quiet", *ROWS, rejects, status=1)
            require(not again.stdout, "a reject that is read again is converted")

        each(((form.name, form) for form in FORMS), check)
        return ""

    def damaged(self) -> str:
        """One damaged byte costs at most two records, and shows no secret."""

        def check(form: Form) -> None:
            chance = random.Random(f"{self.suite.options.seed} {form.name}")
            secret = [{**row, "body": row["body"].replace('{"', '{"password":"%s","' % SECRET, 1)} for row in self.rows[:12]]
            whole = form.write(secret).encode()
            lines = self.expected.splitlines()[:12]
            for _ in range(6):
                content = bytearray(whole)
                # After the head of a table.
                at = chance.randrange(60, len(content))
                content[at] = chance.choice(b'{}[]",:x \n')
                path, rejects = self.folder / f"damaged{form.ending}", self.folder / "damaged.rejects"
                path.write_bytes(content)
                outcome = self.suite.run("convert", *ROWS, *form.words, path, "--rejects", rejects, status=(0, 1))
                kept = sum(line in lines for line in outcome.stdout.splitlines())
                require(kept >= 10, f"byte {at}: only {kept} of 12 records are converted\n{outcome.stderr}")
                told = rejects.read_text() if rejects.exists() else ""
                require(SECRET not in outcome.stdout + outcome.stderr + told, f"byte {at}: the shared secret is shown")

        each(((form.name, form) for form in FORMS), check)
        return ""

    def long(self) -> str:
        """A cell and a joined record that are far longer than a record may be cost themselves, in little memory."""
        first, last = self.rows[0], self.rows[1]
        head, one, two = table([first, last]).split("\n")[:3]
        expected = "".join(self.expected.splitlines(keepends=True)[:2])
        cases = (("cell.csv", f'{head}\n{one}\n7,8,"', '"\n' + two + "\n"), ("record.json", ndjson([first]).rstrip() + '{"x":"', '"}' + ndjson([last])))
        for name, before, after in cases:
            path = self.folder / name
            with path.open("w") as file:
                file.write(before)
                for _ in range(self.suite.options.megabytes):
                    file.write("y" * (1 << 20))
                file.write(after)
            words = [str(self.suite.slipcast), "convert", "--quiet", *ROWS, "--max-record", "4", str(path)]
            with (self.folder / "long.ndjson").open("wb") as target:
                process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=target)
                _, status, usage = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
            path.unlink()
            found = (self.folder / "long.ndjson").read_text()
            require(process.returncode == 1 and found == expected, f"{name}: the records around it are not converted")
            require(usage.ru_maxrss < 200_000, f"{name}: {usage.ru_maxrss} KiB of memory")
        return ""

    def resumed(self) -> str:
        """A killed run over joined records goes on to the same bytes."""
        many, chance, kills = rows(25), random.Random(self.suite.options.seed), 0
        content = "".join(ndjson([row]).rstrip("\n") for row in many).encode()
        for name, packed in (("many.json", False), ("many.json.gz", True)):
            source, target = self.folder / name, self.folder / f"{name}.ndjson"
            source.write_bytes(gzip.compress(content, 1) if packed else content)
            began = time.monotonic()
            expected = self.convert(source)
            took = time.monotonic() - began
            words = ["convert", "--quiet", *ROWS, str(source), "--to", str(target), "--checkpoint", f"{target}.json", "--checkpoint-every", "0"]
            for attempt in range(30):
                more = ["--resume"] if attempt else []
                process = Program(self.suite.slipcast).start([str(self.suite.slipcast), *words, *more], self.folder)
                outcome = process.signal_after(chance.uniform(0.2, 0.8) * took if attempt < 3 else 600, signal.SIGKILL).end()
                kills += outcome.was_killed
                if not outcome.was_killed:
                    break
            require(target.exists() and target.read_text() == expected, "a resumed run writes something else")
        require(kills > 0, "no run was killed")
        return f"{kills} kills"


def options(parser) -> None:
    parser.add_argument("--rows", type=int, default=24, help="about how many rows each form has (default 24)")
    parser.add_argument("--megabytes", type=int, default=64, help="how long the longest cell is (default 64)")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="each Nth pair of a command or option and an input (default 1)")


def run(suite: Suite) -> None:
    parts = Parts(suite)
    for name in ("forms", "names", "compared", "broken", "damaged", "long", "resumed"):
        suite.part(name, getattr(parts, name))
    suite.part("commands", lambda: Commands(suite).table())
    suite.part("options", lambda: Options(suite).run())
