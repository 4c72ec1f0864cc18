"""The folder of a release: all parts are in it, two runs make the same bytes, and what is missing or old is named.

The parts are small stand-ins; `--release FOLDER` checks a real one as well (`make release`): every file is opened, and the
program of the download and of the Debian package runs. As root, each file is also installed in a bare system and used there.
"""

import hashlib
import os
import re
import shutil
import sys
import tarfile
import zipfile
from argparse import ArgumentParser
from pathlib import Path

from harness import ROOT, Skipped, Suite, require, run as execute

HERE = Path(__file__).resolve().parent
INSTALLED = ("sums", "download", "package", "wheel", "container", "action", "docs")
SCRIPT = ROOT / "Packaging/release/release.py"
VERSION = "0.1.0"
NAME = f"slipcast-{VERSION}"
MADE = {
    f"{NAME}-linux-x86_64.tar.gz", f"{NAME}-linux-x86_64.spdx.json", f"slipcast_{VERSION}_amd64.deb", f"{NAME}-linux-x86_64.oci.tar",
    f"{NAME}-action.tar.gz", f"{NAME}-docs.tar.gz", f"{NAME}-source.tar.gz", f"{NAME}-py3-none-linux_x86_64.whl",
    "NOTES.md", "SHA256SUMS",
}  # fmt: skip


def options(parser: ArgumentParser) -> None:
    parser.add_argument("--release", type=Path, metavar="FOLDER", help="a release that make release has made")


class Releases:
    def __init__(self, suite: Suite) -> None:
        self.suite, self.folder = suite, suite.folder

    def parts(self, name: str) -> Path:
        """A folder with stand-ins for what the other targets make."""
        build = self.folder / name
        files = {
            f"bundle/{NAME}-linux-x86_64.tar.gz": "bundle", f"bundle/{NAME}-linux-x86_64-symbols.tar.gz": "symbols",
            f"bundle/{NAME}-linux-x86_64.spdx.json": "{}", f"deb/slipcast_{VERSION}_amd64.deb": "deb",
            f"container/{NAME}-linux-x86_64.oci.tar": "image", f"wheel/{NAME}-py3-none-linux_x86_64.whl": "wheel", "docs/index.html": "<p>docs", "docs/data/a.json": "{}",
        }  # fmt: skip
        for path, text in files.items():
            (build / path).parent.mkdir(parents=True, exist_ok=True)
            (build / path).write_text(text)
        return build

    def make(self, build: Path, folder: Path, version: str = VERSION, status: int = 0):  # noqa: ANN201
        environment = {"SOURCE_DATE_EPOCH": "1750000000"}
        return execute([sys.executable, SCRIPT, version, build, folder], environment=environment, status=status)

    def sums(self, folder: Path) -> None:
        """SHA256SUMS names every other file with its sum."""
        lines = [line.split("  ") for line in (folder / "SHA256SUMS").read_text().splitlines()]
        require({name for _, name in lines} == {path.name for path in folder.iterdir()} - {"SHA256SUMS"}, "files without a sum")
        for expected, name in lines:
            require(hashlib.sha256((folder / name).read_bytes()).hexdigest() == expected, f"the sum of {name}")

    def whole(self) -> None:
        build, folder = self.parts("whole"), self.folder / "made"
        self.make(build, folder)
        require({path.name for path in folder.iterdir()} == MADE, f"made {sorted(path.name for path in folder.iterdir())}")
        self.sums(folder)
        with tarfile.open(folder / f"{NAME}-action.tar.gz") as tar:
            require(f"{NAME}-action/action.yml" in tar.getnames(), "the action has no action.yml")
        with tarfile.open(folder / f"{NAME}-docs.tar.gz") as tar:
            require(f"{NAME}-docs/data/a.json" in tar.getnames(), "the documentation is not whole")
        with tarfile.open(folder / f"{NAME}-source.tar.gz") as tar:
            require({f"{NAME}/Package.swift", f"{NAME}/README.md"} <= set(tar.getnames()), "the source is not whole")
        text = (folder / "NOTES.md").read_text()
        require(text.startswith(f"# Slipcast {VERSION}\n") and "### " in text and "\n## " not in text, "the notes are not one section")

    def same(self) -> None:
        """The same parts make the same bytes, at another time, in another order, under another mask and for another user."""
        one, two = self.folder / "one", self.folder / "two"
        self.make(self.parts("first"), one)
        build = self.folder / "second"
        shutil.copytree(self.folder / "first", build)
        for path in sorted(build.rglob("*"), reverse=True):
            os.utime(path, (1, 1))
            if path.is_file():
                path.chmod(0o600)
        self.make(build, two)
        for path in sorted(one.iterdir()):
            require(path.read_bytes() == (two / path.name).read_bytes(), f"{path.name}: two runs made other bytes")

    def missing(self) -> None:
        """A part that is not there, or of another version, is named, and an earlier release stays."""
        folder = self.folder / "kept"
        self.make(self.parts("all"), folder)
        before = {path.name: path.read_bytes() for path in folder.iterdir()}
        for path, command in (("bundle", "make bundle"), ("deb", "make deb"), ("container", "make container"), ("wheel", "make wheel"),
                              ("docs", "make docs")):  # fmt: skip
            build = self.parts(f"without-{path}")
            shutil.rmtree(build / path)
            require(command in self.make(build, folder, status=1).stderr, f"without {path}: {command} is not named")
        require("CHANGELOG.md has no section of 9.9.9" in self.notes_of("9.9.9"), "a version without notes was no error")
        require({path.name: path.read_bytes() for path in folder.iterdir()} == before, "a failed run changed the release")

    def notes_of(self, version: str) -> str:
        build = self.parts("other-version")
        for path in sorted(build.rglob("*")):
            if VERSION in path.name:
                path.rename(path.with_name(path.name.replace(VERSION, version)))
        return self.make(build, self.folder / "other", version=version, status=1).stderr

    def real(self) -> str:
        """Each file of a real release, used as its readers use it."""
        folder = self.suite.options.release
        if folder is None:
            raise Skipped("--release names none")
        self.sums(folder)
        place = self.folder / "real"
        place.mkdir()
        [download] = [path for path in folder.glob("slipcast-*-linux-*.tar.gz")]
        with tarfile.open(download) as tar:
            tar.extractall(place, filter="data")
        [program] = place.glob("slipcast-*/bin/slipcast")
        version = execute([program, "--version"]).stdout
        [package] = folder.glob("*.deb")
        execute(["dpkg-deb", "-x", package, place / "deb"])
        require(execute([place / "deb/usr/bin/slipcast", "--version"]).stdout == version, "the Debian package has another version")
        [image] = folder.glob("*.oci.tar")
        with tarfile.open(image) as tar:
            require({"oci-layout", "index.json"} <= {name.removeprefix("./") for name in tar.getnames()}, "the image is no OCI layout")
        [wheel] = folder.glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            require(any(name.endswith("bin/slipcast") for name in archive.namelist()), "the Python package has no program")
        [site] = folder.glob("*-docs.tar.gz")
        with tarfile.open(site) as tar:
            require(any(re.search(r"documentation/slipcastkit/index\.html$", name) for name in tar.getnames()), "the site has no SlipcastKit")
        return version.strip()


    def installed(self, part: str) -> None:
        """A file of a real release in a bare system: used there, it writes what the built command writes."""
        if self.suite.options.release is None:
            raise Skipped("--release names none")
        if os.geteuid() != 0 or not shutil.which("debootstrap"):
            raise Skipped("a bare system needs root and debootstrap")
        words = ["bash", HERE / "installed.sh", self.suite.options.release, self.suite.slipcast, part]
        done = execute(words, status=(), merged=True, seconds=1800)
        require(done.status == 0, f"{part}: {done.stdout[-3000:]}")


def run(suite: Suite) -> None:
    here = Releases(suite)
    suite.part("whole", here.whole)
    suite.part("same", here.same)
    suite.part("missing", here.missing)
    suite.part("real", here.real)
    for part in INSTALLED:
        suite.part(f"bare/{part}", here.installed, part)
