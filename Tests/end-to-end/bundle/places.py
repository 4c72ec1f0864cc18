"""The folder of the download in other places, and in a file system that holds nothing else."""

import os
import shutil
import subprocess
import time
from pathlib import Path

from harness import ROOT, Skipped, Suite, anew, contents, difference, require, require_none, run

# A loader's list of folders is cut at colons and semicolons, and it replaces $ORIGIN.
NAMES = ("plain", "with a blank", "colon:semi;colon", "$ORIGIN and $LIB", "Ünïcödé", "-dash", "new\nline")
# One run of six failed before the bundle stood in for /proc.
ROUNDS = 60
PAIR = "Fixtures/pairs/price-consent-1-v2-1"
RECEIPTS = "Fixtures/receipts/signed"


class Moved:
    def __init__(self, suite: Suite, root: Path) -> None:
        self.suite, self.root = suite, root
        self.version = run([suite.slipcast, "--version"]).stdout

    def expect(self, program: object, **more: object) -> None:
        require(run([program, "--version"], **more).stdout == self.version, f"{program} does not run")

    def names(self) -> None:
        for name in NAMES:
            copy = self.suite.folder / "moved" / name
            shutil.copytree(self.root, copy)
            self.expect(copy / "bin/slipcast")
            self.expect("./bin/slipcast", folder=copy)
            if ":" not in name:
                found = run(["/bin/sh", "-c", "slipcast --version"], environment={"PATH": str(copy / "bin")}).stdout
                require(found == self.version, f"{name} does not run from the PATH")

    def links(self) -> None:
        """Absolute, relative, of a folder, and a link to a link under another name."""
        folder = anew(self.suite.folder / "links")
        (folder / "absolute").symlink_to(self.root / "bin/slipcast")
        (folder / "relative").symlink_to(os.path.relpath(self.root / "bin/slipcast", folder))
        (folder / "folder").symlink_to(self.root)
        (folder / "again").symlink_to("relative")
        for program in ("absolute", "relative", "again", "folder/bin/slipcast"):
            self.expect(folder / program)
            self.expect(f"./{program}", folder=folder)
        told = run([folder / "again", "convrt"], status=2).stderr
        require("did you mean convert" in told, f"arguments are not read: {told}")

    def loader_variables(self) -> None:
        """Libraries of the surrounding system are not loaded, whatever names them."""
        folder = anew(self.suite.folder / "libraries")
        (folder / "trap.c").write_text(
            "#include <unistd.h>\n__attribute__((constructor)) static void trap(void) { _exit(99); }\n"
        )
        run(["gcc", "-shared", "-fPIC", "-o", folder / "libz.so.1", folder / "trap.c"])
        run([self.suite.slipcast, "--version"], environment={"LD_LIBRARY_PATH": str(folder)}, status=(99, 127))
        self.expect(self.root / "bin/slipcast", environment={"LD_LIBRARY_PATH": str(folder)})
        self.expect(self.root / "bin/slipcast", environment={"LD_PRELOAD": str(folder / "libz.so.1")})
        self.expect(self.root / "bin/slipcast", environment={"LD_AUDIT": str(folder / "libz.so.1")})

    def mapped_files(self) -> None:
        """A running program has no file of another folder, no path in its environment, and its own name."""
        command = [self.root / "bin/slipcast", "convert", "--quiet", "-"]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        try:
            status, end = Path(f"/proc/{process.pid}"), time.monotonic() + 10
            while (status / "comm").read_text().strip() != "slipcast" or "libcurl" not in (status / "maps").read_text():
                require(time.monotonic() < end, "it does not start")
                time.sleep(0.01)
            files = {line.split(None, 5)[5] for line in (status / "maps").read_text().splitlines() if "/" in line}
            foreign = {path.strip() for path in files if not path.startswith(f"{self.root}/lib/")}
            require(not foreign, f"files of other folders: {foreign}")
            settings = (status / "environ").read_bytes().split(b"\0")
            require(not [one for one in settings if str(self.root).encode() in one and b"LD_" in one], "a library path")
            require(not [one for one in settings if one.startswith(b"LD_")], "a variable of the loader")
        finally:
            process.stdin.close()
            process.wait(20)

    def set_user_id(self) -> None:
        if os.geteuid() != 0:
            raise Skipped("needs root")
        copy = self.suite.folder / "set-user-id"
        shutil.copytree(self.root, copy)
        (copy / "bin/slipcast").chmod(0o4755)
        someone = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
        told = run([*someone, copy / "bin/slipcast", "--version"], status=2).stderr
        require("set-user-ID" in told, f"it runs with the rights of another user: {told}")

    def torn(self) -> None:
        """A launcher without its folder says what is missing."""
        folder = anew(self.suite.folder / "torn/bin")
        shutil.copy(self.root / "bin/slipcast", folder)
        told = run([folder / "slipcast", "--version"], status=2).stderr
        require("/lib/ld-" in told and "No such file" in told, told)


def read_me(suite: Suite, packed: Path) -> None:
    """The commands of README's section Install, where nothing but the download is."""
    lines = (ROOT / "README.md").read_text().splitlines()
    first = lines.index(next(line for line in lines if line.startswith("    tar xf slipcast-")))
    commands = [line.strip() for line in lines[first : lines.index("", first)]]
    require(len(commands) == 2, f"two commands lead to a report: {commands}")
    folder = anew(suite.folder / "read me")
    shutil.copy(packed, folder)
    path = os.pathsep.join(part for part in os.environ["PATH"].split(os.pathsep) if part != str(suite.bin))
    found = run(["bash", "-euc", "\n".join(commands)], folder=folder, environment={"PATH": path}, status=1)
    require(found.stdout.startswith("CONFLICT  10.84% of 83 events agree"), found.stdout[:200])


class Empty:
    """A root with nothing but the download, records, /tmp and /dev/null: no shell, no library, no /proc, no /etc."""

    def __init__(self, suite: Suite, root: Path) -> None:
        self.suite, self.root = suite, suite.folder / "empty"
        self.is_possible = os.geteuid() == 0
        if not self.is_possible:
            return
        shutil.copytree(root, self.root / "slipcast")
        for name in ("Fixtures", "Examples/migration"):
            shutil.copytree(ROOT / name, self.root / name)
        (self.root / "tmp").mkdir()
        (self.root / "dev").mkdir()
        run(["mknod", "-m", "666", self.root / "dev/null", "c", "1", "3"])

    @property
    def command(self) -> list[object]:
        if not self.is_possible:
            raise Skipped("chroot needs root")
        return ["env", "-i", shutil.which("chroot"), self.root, "/slipcast/bin/slipcast"]

    def same(self, *words: object, status: int = 0) -> str:
        """Runs a command here and there; what both write is equal."""
        there = run([*self.command, *words], status=status)
        here = run([self.suite.slipcast, *words], status=status, folder=self.root)
        require(there.stdout == here.stdout, f"another output: {words}", there)
        return there.stdout

    def commands(self) -> None:
        self.same("--version")
        self.same("--help")
        self.same("explain", "price_consent_status")
        converted = self.same("convert", "--quiet", "--exit-zero", "Fixtures/notifications", "--include", "v1.json")
        require(converted.count("\n") > 100, "few records")
        self.same("diff", f"{PAIR}/v1.json", f"{PAIR}/v2.json")
        for form in ("html", "junit", "markdown", "json"):
            self.same("diff", f"{PAIR}/v1.json", f"{PAIR}/v2.json", "--format", form)
        self.same("verify", "--quiet", "--root", f"{RECEIPTS}/root.der", f"{RECEIPTS}/app-production/receipt.base64")
        self.same("inspect", f"{RECEIPTS}/app-production/receipt.base64")
        archive = (ROOT / "Examples/migration/v2.ndjson").read_text()
        words = ["parity", "--legacy", "Examples/migration/v1.ndjson", "--server", "-"]
        found = run([*self.command, *words], text=archive, status=1)
        require(found.stdout.startswith("CONFLICT  10.84% of 83 events agree"), "another report", found)
        require(not list((self.root / "tmp").glob("slipcast-*")), "a temporary file is left")
        told = run([*self.command, "convert", "--no-such-option"], status=2).stderr
        require("--no-such-option" in told, f"arguments are not read: {told}")
        told = run([*self.command, "replay", "--to", "https://example.invalid/", "--execute", "--retry-seconds", "1",
                    "Examples/migration/v1.ndjson", "--raw"], status=(1, 2), seconds=300)  # fmt: skip
        require(told.stderr, "no message")

    def databases(self) -> None:
        run([*self.command, "convert", "--quiet", "Examples/migration/v1.ndjson", "--to", "/tmp/a.sqlite", "--execute"])
        found = run([*self.command, "parity", "--legacy", "Examples/migration/v1.ndjson", "--server", "/tmp/a.sqlite"])
        require(found.stdout.startswith("PARITY"), "the store differs from the archive", found)
        packed, here = anew(self.root / "tmp/packed"), anew(self.suite.folder / "packed")
        for end in ("gz", "zst"):
            words = ["convert", "--quiet", "Examples/migration/v1.ndjson", "--to"]
            run([*self.command, *words, f"/tmp/packed/a.ndjson.{end}"])
            self.suite.run(*words, here / f"a.ndjson.{end}")
        require(contents(packed) == contents(here), difference(contents(here), contents(packed)) or "")

    def tutorial(self) -> None:
        """The report of the first page of the tutorial, and of the examples in the folder."""
        words = ["parity", "--legacy", "Examples/migration/v1.ndjson", "--server", "Examples/migration/v2.ndjson"]
        self.same(*words, status=1)
        words = ["parity", "--legacy", "/slipcast/examples/v1.ndjson", "--server", "/slipcast/examples/v2.ndjson"]
        require(run([*self.command, *words], status=1).stdout.startswith("CONFLICT"), "no report")

    def again(self) -> str:
        """libdispatch looks for its threads in /proc, now and then, while they wait for work."""
        words = ["parity", "--legacy", "slipcast/examples/v1.ndjson", "--server", "slipcast/examples/v2.ndjson"]
        found = [run([*self.command, *words], status=()).status for _ in range(ROUNDS)]
        require_none((f"exit status {status}" for status in found if status != 1), ROUNDS, "runs failed")
        return f"{ROUNDS} runs"
