"""Installs into a prefix, uses what is there, and takes it away again; or a Debian package, in a bare system.

The bare system is made by debootstrap, needs root, and is kept in .build/chroots, or where CHROOTS names a folder.
consumer.sh and products.sh build programs that use the package as a library, and need no built command.
"""

import os
import shutil
from argparse import ArgumentParser
from pathlib import Path

from harness import ROOT, Suite, contents, require, run as execute, shell

HERE = Path(__file__).resolve().parent
SCRIPT = ROOT / "Packaging/install.sh"


def headers(folder: Path) -> None:
    """What this package declares of libxml2 is what libxml2 declares, for the compiler that reads it for Swift."""
    words = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-isystem", "/usr/include/libxml2"]
    shutil.copytree(HERE, folder)
    for declared, status in (("int xmlSaveClose", 0), ("long xmlSaveClose", 1)):
        text = (ROOT / "Sources/CSlipcastXML/shim.h").read_text()
        (folder / "shim.h").write_text(text.replace("int xmlSaveClose", declared))
        told = execute(["clang", *words, folder / "headers.c"], status=status).stderr
        # A wrong declaration must not pass.
        require(status == 0 or "conflicting types for 'xmlSaveClose'" in told, f"another complaint: {told}")


class Prefix:
    """A prefix with a blank in its name, and the command there."""

    def __init__(self, suite: Suite) -> None:
        self.suite, self.folder, self.prefix = suite, suite.folder, suite.folder / "of my own"

    def script(self, what: str, prefix: object, stage: object = "", status: int = 0, program: object = "") -> str:
        words = ["bash", SCRIPT, what, program or self.suite.slipcast][: 4 if what == "install" else 3]
        settings = {"PREFIX": str(prefix), "DESTDIR": str(stage)}
        return execute(words, folder=self.folder, environment=settings, status=status).stdout

    def install(self) -> None:
        """What it says is what it did."""
        (self.prefix / "bin").mkdir(parents=True)
        (self.prefix / "bin/neighbor").touch()
        mask = os.umask(0o077)
        placed = self.script("install", self.prefix).splitlines()
        os.umask(mask)
        found = [path for path in self.prefix.rglob("*") if path.is_file() and path.name != "neighbor"]
        require(sorted(map(str, found)) == sorted(placed) and len(placed) == 5, f"{placed} is not {found}")
        modes = {path: path.stat().st_mode & 0o777 for path in self.prefix.rglob("*")}
        for path, mode in modes.items():
            if path.parent != self.prefix and path.name != "neighbor":
                expected = 0o755 if path.is_dir() or path.parent.name == "bin" else 0o644
                require(mode == expected, f"mode {mode:o} of {path}")

    def command(self) -> None:
        """It stands alone, and writes what the one that was installed writes."""
        path, given = self.prefix / "bin/slipcast", self.suite.slipcast
        require(path.stat().st_size < given.stat().st_size, "it was not stripped")
        linked = execute(["ldd", path]).stdout
        require("libswift" not in linked and "not found" not in linked, f"it cannot stand alone: {linked}")
        require("PATH" not in execute(["readelf", "-d", path]).stdout, "it looks for libraries in places of its own")
        for place in (path, given):
            settings = {"PATH": f"{place.parent}:{os.environ['PATH']}"}
            words = ["bash", HERE / "use.sh", ROOT, self.folder / f"used by {place.parent.parent.name}"]
            execute(words, environment=settings)
        one, two = (contents(folder) for folder in self.folder.glob("used by *"))
        require(one == two, "the installed command writes something else")
        versions = [execute([place, "--version"]).stdout for place in (path, given)]
        require(versions[0] == versions[1], f"another version: {versions}")

    @property
    def path(self) -> dict[str, str]:
        return {"PATH": f"{self.prefix / 'bin'}:{os.environ['PATH']}"}

    def manual(self) -> str:
        return shell(HERE / "manual.sh", self.prefix / "share/man/man1/slipcast.1", environment=self.path)

    def completions(self) -> str:
        share = self.prefix / "share"
        return shell(HERE / "completions.sh", share, share / "zsh/site-functions", environment=self.path)

    def uninstall(self) -> None:
        """Installed over itself, and taken away twice: what is not its own stays."""
        self.script("install", self.prefix)
        for _ in range(2):
            self.script("uninstall", self.prefix)
            left = sorted(str(path.relative_to(self.prefix)) for path in self.prefix.rglob("*"))
            require(left == ["bin", "bin/neighbor"], f"it left: {left}")

    def stage(self) -> None:
        """DESTDIR, as packagers use it."""
        stage = self.folder / "stage"
        self.script("install", "/usr/local", stage)
        require(os.access(stage / "usr/local/bin/slipcast", os.X_OK), "DESTDIR has no effect")
        self.script("uninstall", "/usr/local", stage)
        require(not contents(stage), f"it left: {contents(stage).keys()}")
        require((stage / "usr/local/bin").is_dir(), "it took away folders of the system")

    def refused(self) -> None:
        self.script("install", "relative", status=2)
        require(not (self.folder / "relative").exists(), "a relative prefix was taken")
        self.script("install", self.prefix, status=2, program=self.folder / "nothing")


def options(parser: ArgumentParser) -> None:
    parser.add_argument("--deb", type=Path, metavar="PACKAGE", help="install this Debian package in a bare system")


def run(suite: Suite) -> None:
    if package := suite.options.deb:
        suite.part("deb", lambda: shell(HERE / "deb.sh", package.resolve(), suite.slipcast, seconds=7200))
        return
    suite.part("headers", headers, suite.folder / "headers")
    prefix = Prefix(suite)
    parts = [prefix.install, prefix.command, prefix.manual, prefix.completions, prefix.uninstall, prefix.stage]
    for part in (*parts, prefix.refused):
        suite.part(part.__name__, part)
