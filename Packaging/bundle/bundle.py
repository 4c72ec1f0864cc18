"""Makes the download: a folder with the command, every library, the loader and the C library, as `.tar.gz`.

usage: python3 Packaging/bundle/bundle.py SLIPCAST FOLDER

FOLDER receives slipcast-VERSION/ (the folder, unpacked), slipcast-VERSION-linux-ARCH.tar.gz, …-symbols.tar.gz (for
debuggers), ….spdx.json (the list of contents) and SHA256SUMS. SOURCE_DATE_EPOCH is the time of every file; without it,
the time of the last commit. The libraries are those of this machine, which must be a Debian or Ubuntu.
"""

import gzip
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

from contents import Contents

HERE = Path(__file__).resolve().parent
TOP = HERE.parents[1]
sys.path.insert(0, str(HERE.parent))
from program import without_hashes  # noqa: E402
MUSL = "musl-dev"
# OpenSSL loads it where the system's configuration names it.
MODULE = "ossl-modules/legacy.so"
EXAMPLES = ("v1.ndjson", "v2.ndjson")
MEGABYTE = 1 << 20


def text(*words: object) -> str:
    """What a command prints."""
    return subprocess.run([str(word) for word in words], check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout


def epoch() -> int:
    if given := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(given)
    return int(text("git", "-C", TOP, "log", "-1", "--format=%ct"))


class Bundle:
    def __init__(self, slipcast: Path, output: Path) -> None:
        self.slipcast, self.output = slipcast, output
        self.version = text(slipcast, "--version").split()[1]
        self.name = f"slipcast-{self.version}"
        self.release = f"{self.name}-linux-{platform.machine()}"
        self.root, self.symbols = output / self.name, output / "symbols" / self.name
        self.lib = self.root / "lib"
        self.epoch = epoch()
        self.contents = Contents(self.version)

    def make(self) -> None:
        shutil.rmtree(self.output, ignore_errors=True)
        self.lib.mkdir(parents=True)
        self.symbols.mkdir(parents=True)
        loader = self.copy_libraries()
        self.compile(loader)
        self.copy_program()
        self.copy_texts()
        self.contents.add_licenses(self.root / "licenses")
        listing = self.output / f"{self.release}.spdx.json"
        listing.write_text(self.contents.listing(self.root, self.release, self.epoch))
        shutil.copy(listing, self.root / "contents.spdx.json")
        made = [self.pack(self.root, self.release), self.pack(self.symbols, f"{self.release}-symbols"), listing]
        shutil.rmtree(self.symbols.parent)
        sums = "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in made)
        (self.output / "SHA256SUMS").write_text(sums)
        for path in made:
            print(f"{path} ({path.stat().st_size / MEGABYTE:.1f} MiB)")

    def copy_libraries(self) -> str:
        """All libraries that the program needs, at once or later, by the names under which they are needed; the loader's name."""
        loader, linked = "", self.output / "linked"
        text("bash", HERE.parent / "linked.sh", self.slipcast, linked)
        lines = text("ldd", linked).splitlines()
        linked.unlink()
        for line in lines:
            if not (match := re.match(r"\s*(?:(\S+) => )?(/\S+) \(", line)):
                if "not found" in line:
                    sys.exit(f"a library of {self.slipcast} is missing: {line.strip()}")
                continue
            source, name = Path(match[2]), match[1] or Path(match[2]).name
            loader = loader if match[1] else name
            if name.startswith("libicudata"):
                self.make_icu_data(source, name)
            else:
                self.copy_library(source, self.lib / name)
            if name.startswith("libcrypto"):
                self.copy_library(source.parent / MODULE, self.lib / MODULE)
        return loader

    def copy_library(self, source: Path, place: Path) -> None:
        place.parent.mkdir(exist_ok=True)
        shutil.copyfile(source, place)
        place.chmod(0o755)
        if place.name.startswith("libswift") or "RUNPATH" in text("readelf", "-d", place):
            sys.exit(f"{source} would not be found in the bundle")
        self.contents.add_package(source, place.relative_to(self.root))

    def make_icu_data(self, source: Path, name: str) -> None:
        symbol = re.search(r"\bicudt\d+_dat\b", text("nm", "-D", "--defined-only", source))
        if symbol is None:
            sys.exit(f"{source} defines no table of contents")
        self.compile_library("icudata.c", name, f"-DSYMBOL={symbol[0]}")
        self.contents.add_package(source, Path("lib") / name)

    def compile_library(self, source: str, name: str, *options: str) -> None:
        words = ["-shared", "-fPIC", "-nostartfiles", f"-Wl,-soname,{name}", *options]
        text("gcc", "-Os", "-Wall", "-Wextra", "-Werror", "-s", *words, "-o", self.lib / name, HERE / source)

    def compile(self, loader: str) -> None:
        (self.root / "bin").mkdir()
        words = ["-static", "-Os", "-Wall", "-Wextra", "-Werror", "-s", f'-DLOADER="{loader}"']
        text("musl-gcc", *words, "-o", self.root / "bin/slipcast", HERE / "launcher.c")
        self.contents.add_named(MUSL, Path("bin/slipcast"))
        self.compile_library("surroundings.c", "libslipcast-surroundings.so")

    def copy_program(self) -> None:
        """The program without symbols; it finds its libraries beside it."""
        program, symbols = self.lib / "slipcast", self.symbols / "slipcast.debug"
        program.write_bytes(without_hashes(self.slipcast))
        text("objcopy", "--only-keep-debug", "--compress-debug-sections=zlib", program, symbols)
        text("strip", program)
        # Both at once confuses patchelf 0.14.
        text("patchelf", "--add-needed", "libslipcast-surroundings.so", program)
        text("patchelf", "--force-rpath", "--set-rpath", "$ORIGIN", program)
        text("objcopy", f"--add-gnu-debuglink={symbols}", program)
        program.chmod(0o755)

    def copy_texts(self) -> None:
        share = self.root / "share"
        pages = {
            "man/man1/slipcast.1": ("manual", "--format", "man"),
            "bash-completion/completions/slipcast": ("completions", "bash"),
            "zsh/site-functions/_slipcast": ("completions", "zsh"),
            "fish/vendor_completions.d/slipcast.fish": ("completions", "fish"),
        }
        for place, words in pages.items():
            (share / place).parent.mkdir(parents=True, exist_ok=True)
            (share / place).write_text(text(self.slipcast, *words))
        examples = self.root / "examples"
        examples.mkdir()
        for name in EXAMPLES:
            shutil.copyfile(TOP / "Examples/migration" / name, examples / name)

    def pack(self, folder: Path, name: str) -> Path:
        """The same files become the same bytes: in order, of one time, of nobody."""
        archive = self.output / f"{name}.tar.gz"

        def plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
            entry.uid = entry.gid = 0
            entry.uname = entry.gname = ""
            entry.mtime = self.epoch
            entry.mode = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644
            return entry

        with open(archive, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=self.epoch) as packed:
            with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as tar:
                for path in (folder, *sorted(folder.rglob("*"))):
                    tar.add(path, path.relative_to(folder.parent), recursive=False, filter=plain)
        return archive


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    os.umask(0o022)
    Bundle(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()).make()
