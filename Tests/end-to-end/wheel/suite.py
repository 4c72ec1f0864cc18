"""The Python package in a virtual environment that has nothing else: the command, the functions, errors, and no process left.

The package is made of the program under test; --download makes it of the download instead.
"""

import json
import os
import subprocess
import sys
import zipfile
from argparse import ArgumentParser
from pathlib import Path

from harness import FIXTURES, ROOT, Skipped, Suite, require

BUILD = ROOT / "Packaging/wheel/wheel.py"
ARCHIVE = FIXTURES / "archives/subscription/v1.ndjson"
ROWS = ["--body", "/body", "--received-at", "/received_at"]
# Programs that the environment's Python runs; each prints JSON.
CONVERTED = """
found = slipcast.convert({archive!r}, body="/body", received_at="/received_at", exit_zero=True)
print(json.dumps([list(found), found.message]))
"""
FED = """
lines = open({archive!r}, "rb").read().splitlines()
forms = [b"\\n".join(lines), b"\\n".join(lines).decode(), lines, (line.decode() for line in lines), (json.loads(line) for line in lines)]
print(json.dumps([list(slipcast.convert(records=form, body="/body", received_at="/received_at")) for form in forms]))
"""
REPORTS = """
[two], [one] = slipcast.parity({v1!r}, {v2!r}, body="/body"), slipcast.diff({legacy!r}, {server!r})
print(json.dumps([one["verdict"], sorted(two), [line["kind"] for line in slipcast.inspect({legacy!r})]]))
"""
ERRORS = """
def told(make):
    try:
        return [len(list(make()))]
    except slipcast.SlipcastError as error:
        return [type(error).__name__, error.status, error.message]
    except (TypeError, RuntimeError) as error:
        return [type(error).__name__, str(error)]
def failing():
    yield {{"notification_type": "CANCEL"}}
    raise RuntimeError("the rows end")
print(json.dumps([
    told(lambda: slipcast.convert("missing.ndjson")), told(lambda: slipcast.convert({archive!r}, no_such_option=1)),
    told(lambda: slipcast.convert(records=["{{}}", {{"a": 1}}])), told(lambda: slipcast.convert(records=["{{}}"], on_error="skip")),
    told(lambda: slipcast.convert({archive!r}, records=[])), told(lambda: slipcast.convert(records=failing())),
    told(lambda: slipcast.parity({archive!r}, "missing.ndjson")),
]))
"""
# The archive is longer than what pipes hold, so a run that nobody reads does not end by itself.
ENDED = """
import gc, os, time
def children():
    return [entry for entry in os.listdir("/proc") if entry.isdigit() and parent(entry) == str(os.getpid())]
def parent(number):
    try:
        return open(f"/proc/{{number}}/stat").read().rsplit(")", 1)[1].split()[1]
    except OSError:
        return None
def endless():
    line = open({archive!r}, "rb").readline()
    while True:
        yield line
found = []
for how in ("dropped", "closed", "with", "broken off", "fed"):
    run = slipcast.convert(records=endless(), body="/body") if how == "fed" else slipcast.convert({long!r}, body="/body")
    next(run)
    found.append(len(children()))
    if how == "closed":
        run.close()
    elif how == "with":
        with run:
            next(run)
    elif how == "broken off":
        for _ in run:
            break
    if how in ("dropped", "broken off", "fed"):
        del run
        gc.collect()
    found.append(len(children()))
print(json.dumps(found))
"""
ARROW = """
try:
    table = slipcast.convert({archive!r}, body="/body").to_arrow()
    print(json.dumps([table.num_rows, table.schema.names, table.to_pylist() == list(slipcast.convert({archive!r}, body="/body"))]))
except ImportError as error:
    print(json.dumps(str(error)))
"""


class Parts:
    def __init__(self, suite: Suite) -> None:
        self.suite, self.folder = suite, suite.folder
        # The package would run the program of this variable; make gives it to all its children.
        os.environ.pop("SLIPCAST", None)
        self.program = suite.options.download.resolve() if suite.options.download else suite.slipcast
        self.wheel = self.build("wheel")
        self.environment = self.folder / "environment"
        self.run(sys.executable, "-m", "venv", self.environment)
        self.python = self.environment / "bin/python"
        self.run(self.python, "-m", "pip", "install", "--quiet", "--no-index", "--disable-pip-version-check", self.wheel)

    def run(self, *command: object, status: int = 0, **more: object) -> str:
        done = subprocess.run([str(word) for word in command], cwd=self.folder, capture_output=True, text=True, timeout=300, check=False, **more)
        require(done.returncode == status, f"{' '.join(map(str, command))}: status {done.returncode}: {done.stdout[-500:]} {done.stderr[-2000:]}")
        return done.stdout

    def build(self, name: str) -> Path:
        """Two builds give the same bytes."""
        folder = self.folder / name
        self.run(sys.executable, BUILD, self.program, folder)
        [path] = folder.glob("slipcast-*.whl")
        return path

    def python3(self, text: str, **more: object) -> object:
        """What a program of Python prints in the environment."""
        places = {"archive": str(ARCHIVE), "long": str(self.folder / "long.ndjson"), "v1": str(ARCHIVE), "v2": str(self.folder / "v2.ndjson"),
                  "legacy": str(FIXTURES / "notifications/did-renew/v1.json"), "server": str(FIXTURES / "notifications/did-renew/v2.json")}  # fmt: skip
        return json.loads(self.run(self.python, "-c", "import json, slipcast\n" + text.format(**places), **more))

    def contents(self) -> str:
        """The package is typed, states its files, and is the same whenever it is built."""
        with zipfile.ZipFile(self.wheel) as archive:
            names = archive.namelist()
            record = next(name for name in names if name.endswith("/RECORD"))
            stated = {line.split(",")[0] for line in archive.read(record).decode().splitlines()}
        require(set(names) == stated and "slipcast/py.typed" in names, f"{stated ^ set(names)}")
        require(self.build("again").read_bytes() == self.wheel.read_bytes(), "a second build has other bytes")
        shown = self.run(self.python, "-m", "pip", "show", "--files", "slipcast")
        require("Version: " + self.suite.run("--version").stdout.split()[1] in shown, shown[:300])
        return f"{len(names)} files"

    def command(self) -> str:
        """The command is the program: its output, its exit status, its signals."""
        for command in ([self.environment / "bin/slipcast"], [self.python, "-m", "slipcast"]):
            wanted = self.suite.run("convert", "--quiet", *ROWS, ARCHIVE).stdout
            require(self.run(*command, "convert", "--quiet", *ROWS, ARCHIVE) == wanted, "the command writes something else")
            self.run(*command, "convert", "--no-such-option", status=2)
        return ""

    def functions(self) -> str:
        """Each function yields what the program writes."""
        lines = [json.loads(line) for line in self.suite.run("convert", "--quiet", *ROWS, ARCHIVE).stdout.splitlines()]
        found, message = self.python3(CONVERTED)
        require(found == lines and "converted" in message, "convert yields something else")
        require(all(one == lines for one in self.python3(FED)), "records that are given one by one become something else")
        (self.folder / "v2.ndjson").write_text(self.suite.run("convert", "--quiet", "--plain", *ROWS, ARCHIVE).stdout)
        verdict, members, kinds = self.python3(REPORTS)
        require(verdict == "parity" and "pairs" in members and kinds == ["notificationV1"], f"{verdict} {members} {kinds}")
        return f"{len(lines)} records"

    def errors(self) -> str:
        """What goes wrong is raised, in the program's words."""
        missing, option, rejected, skipped, both, rows, parity = self.python3(ERRORS)
        require(missing[:2] == ["SlipcastError", 2] and "missing.ndjson" in missing[2], str(missing))
        require(option[:2] == ["SlipcastError", 2] and "--no-such-option" in option[2], str(option))
        require(rejected[:2] == ["Rejected", 1] and "record 2" in rejected[2], str(rejected))
        require(skipped == [0] and both == ["TypeError", "give inputs or records, not both"], f"{skipped} {both}")
        require(rows == ["RuntimeError", "the rows end"], str(rows))
        require(parity[:2] == ["SlipcastError", 2] and "missing.ndjson" in parity[2], str(parity))
        broken = {**os.environ, "SLIPCAST": str(self.folder / "none")}
        found = self.python3("try:\n  next(slipcast.convert('x'))\nexcept slipcast.SlipcastError as error:\n  print(json.dumps(str(error)))", env=broken)
        require("No such file" in found, str(found))
        return ""

    def ends(self) -> str:
        """A run that nobody reads any more is ended: nothing is left, not even a dead process."""
        (self.folder / "long.ndjson").write_bytes(ARCHIVE.read_bytes() * 2000)
        found = self.python3(ENDED)
        require(found == [1, 0] * 5, f"{found}: children before and after")
        return ""

    def arrow(self) -> str:
        """A table of Arrow, where pyarrow is; otherwise what to install."""
        require("pip install pyarrow" in self.python3(ARROW), "without pyarrow it says what to install")
        try:
            import pyarrow
        except ImportError as error:
            raise Skipped("pyarrow not found: pip install pyarrow") from error
        found = self.python3(ARROW, env={**os.environ, "PYTHONPATH": str(Path(pyarrow.__file__).parents[1])})
        lines = self.suite.run("convert", "--quiet", "--body", "/body", ARCHIVE).stdout.splitlines()
        require(found[0] == len(lines) and {"notificationUUID", "data", "migration"} <= set(found[1]), str(found))
        return f"{found[0]} rows"


def options(parser: ArgumentParser) -> None:
    parser.add_argument("--download", type=Path, metavar="FILE", help="make the package of this slipcast-VERSION-linux-ARCH.tar.gz")


def run(suite: Suite) -> None:
    parts = Parts(suite)
    for name in ("contents", "command", "functions", "errors", "ends", "arrow"):
        suite.part(name, getattr(parts, name))
