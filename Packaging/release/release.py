"""Puts everything that a release needs into one folder, with checksums and notes.

usage: python3 Packaging/release/release.py VERSION BUILD FOLDER

BUILD is where `make bundle`, `make deb`, `make container`, `make docs` and `make wheel` leave their results: .build.
FOLDER receives

- slipcast-VERSION-linux-ARCH.tar.gz, the download, and its list of contents, ….spdx.json
- slipcast_VERSION_ARCH.deb
- slipcast-VERSION-linux-ARCH.oci.tar, the container image
- slipcast-VERSION-action.tar.gz, the GitHub Action
- slipcast-VERSION-docs.tar.gz, the documentation as a site
- slipcast-VERSION-source.tar.gz, the files of the commit
- slipcast-VERSION-….whl, the Python package
- NOTES.md, the version's section of CHANGELOG.md
- SHA256SUMS, of all of these

The same commit and the same parts give the same bytes. A part that is missing, or of another version, ends it with a
message, and FOLDER stays as it was.
"""

import gzip
import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]


class Missing(Exception):
    """A part of the release that is not there."""


def epoch() -> int:
    """The time of all files: SOURCE_DATE_EPOCH, or that of the commit."""
    if given := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(given)
    return int(subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=TOP, check=True, capture_output=True, text=True).stdout)


def notes(version: str, changelog: str) -> str:
    """The section of a version, under its heading."""
    found = re.search(rf"^## (?:Unreleased: )?{re.escape(version)}[^\n]*\n(.*?)(?=^## |\Z)", changelog, re.M | re.S)
    if found is None or not found[1].strip():
        raise Missing(f"CHANGELOG.md has no section of {version}")
    return f"# Slipcast {version}\n\n{found[1].strip()}\n"


def one(folder: Path, pattern: str, command: str) -> Path:
    """The only file of a pattern."""
    found = sorted(folder.glob(pattern))
    if len(found) != 1:
        raise Missing(f"{folder}/{pattern}: {len(found)} files instead of one; run {command}")
    return found[0]


class Release:
    def __init__(self, version: str, build: Path, folder: Path) -> None:
        self.version, self.build, self.folder = version, build, folder
        self.name, self.epoch = f"slipcast-{version}", epoch()

    def make(self) -> None:
        with tempfile.TemporaryDirectory(dir=self.folder.parent) as name:
            work = Path(name)
            for part in self.parts():
                shutil.copyfile(part, work / part.name)
            self.pack(work / f"{self.name}-action.tar.gz", TOP / "Packaging/action", f"{self.name}-action")
            self.pack(work / f"{self.name}-docs.tar.gz", self.site(), f"{self.name}-docs")
            self.add_source(work / f"{self.name}-source.tar.gz")
            (work / "NOTES.md").write_text(notes(self.version, (TOP / "CHANGELOG.md").read_text()))
            files = sorted(path for path in work.iterdir())
            sums = "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files)
            (work / "SHA256SUMS").write_text(sums)
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder.mkdir(parents=True)
            for path in sorted(work.iterdir()):
                path.chmod(0o644)
                shutil.move(path, self.folder / path.name)
                print(f"{self.folder / path.name} ({(self.folder / path.name).stat().st_size / 1e6:.1f} MB)")

    def parts(self) -> list[Path]:
        """The files that other targets have made."""
        return [
            one(self.build / "bundle", f"{self.name}-linux-*[!s].tar.gz", "make bundle"),
            one(self.build / "bundle", f"{self.name}-linux-*.spdx.json", "make bundle"),
            one(self.build / "deb", f"slipcast_{self.version}_*.deb", "make deb"),
            one(self.build / "container", f"{self.name}-linux-*.oci.tar", "make container"),
            one(self.build / "wheel", f"slipcast-{self.version}-*.whl", "make wheel"),
        ]

    def site(self) -> Path:
        site = self.build / "docs"
        if not (site / "index.html").exists():
            raise Missing(f"{site} has no index.html; run make docs")
        return site

    def pack(self, archive: Path, folder: Path, name: str) -> None:
        """The same files become the same bytes: in order, of one time, of nobody."""
        with open(archive, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=self.epoch) as packed:
            with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar:
                for path in sorted(path for path in folder.rglob("*") if path.is_file()):
                    entry = tarfile.TarInfo(f"{name}/{path.relative_to(folder)}")
                    content = path.read_bytes()
                    entry.size, entry.mtime = len(content), self.epoch
                    entry.mode = 0o755 if path.stat().st_mode & 0o100 else 0o644
                    tar.addfile(entry, io.BytesIO(content))

    def add_source(self, archive: Path) -> None:
        """The files of the commit, as version control has them."""
        tree = subprocess.run(
            ["git", "archive", "--format=tar", f"--prefix={self.name}/", "HEAD"], cwd=TOP, check=True, capture_output=True)  # fmt: skip
        archive.write_bytes(gzip.compress(tree.stdout, 9, mtime=self.epoch))


def main() -> None:
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    os.umask(0o022)
    folder = Path(sys.argv[3]).resolve()
    folder.parent.mkdir(parents=True, exist_ok=True)
    try:
        Release(sys.argv[1], Path(sys.argv[2]).resolve(), folder).make()
    except Missing as missing:
        sys.exit(f"release: {missing}")


if __name__ == "__main__":
    main()
