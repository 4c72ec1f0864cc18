"""The files of `make bundle`: sizes, sums, libraries, the list of contents, symbols, the same bytes."""

import hashlib
import json
import os
import re
import tarfile
from pathlib import Path

from harness import ROOT, Suite, anew, contents, difference, require, run

MEGABYTE = 1 << 20
LIMIT = 30 * MEGABYTE
MAKER = ROOT / "Packaging/bundle/bundle.py"
ELF = b"\x7fELF"


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def build_id(path: Path) -> str:
    found = re.search(r"Build ID: (\w+)", run(["readelf", "-n", path]).stdout)
    require(found, f"{path} has no build id")
    return found[1]


def unpack(packed: Path, folder: Path) -> Path:
    """A new folder with what is in an archive."""
    run(["tar", "-x", "-p", "-f", packed, "-C", anew(folder)])
    return folder


class Archive:
    def __init__(self, suite: Suite, packed: Path, root: Path) -> None:
        self.suite, self.packed, self.root, self.folder = suite, packed, root, packed.parent
        self.name = packed.name.removesuffix(".tar.gz")

    def size(self) -> str:
        size = self.packed.stat().st_size
        require(size <= LIMIT, f"{size} bytes are more than {LIMIT}")
        return f"{size / MEGABYTE:.1f} MiB of {LIMIT // MEGABYTE}"

    def entries(self) -> None:
        """One folder; nobody's files, all of one time; no links, so that any tar can unpack it."""
        with tarfile.open(self.packed) as tar:
            found = tar.getmembers()
        require({entry.name.split("/")[0] for entry in found} == {self.root.name}, "more than one folder")
        require({(entry.uid, entry.gid, entry.uname, entry.gname) for entry in found} == {(0, 0, "", "")}, "an owner")
        require(len({entry.mtime for entry in found}) == 1, "files have different times")
        require(all(entry.isfile() or entry.isdir() for entry in found), "a link or device")
        require({entry.mode for entry in found} == {0o755, 0o644}, "another mode")

    def sums(self) -> None:
        listed = run(["sha256sum", "--check", "--strict", "SHA256SUMS"], folder=self.folder).stdout.splitlines()
        names = {self.packed.name, f"{self.name}-symbols.tar.gz", f"{self.name}.spdx.json"}
        require({line.split(":")[0] for line in listed} == names, f"other files: {listed}")

    def binaries(self) -> list[Path]:
        return [path for path in self.root.rglob("*") if path.is_file() and path.read_bytes()[:4] == ELF]

    def libraries(self) -> str:
        """Every library that a file names is there, and no file knows another folder."""
        for path in self.binaries():
            told = run(["readelf", "-d", path]).stdout
            for name in re.findall(r"\(NEEDED\).*\[(.+)\]", told):
                require((self.root / "lib" / name).is_file(), f"{path.name} needs {name}")
            for name in re.findall(r'"soname":\["([^"]+)"', run(["readelf", "-p", ".note.dlopen", path]).stdout):
                require((self.root / "lib" / name).is_file(), f"{path.name} loads {name} later")
            paths = re.findall(r"\((?:RPATH|RUNPATH)\).*\[(.+)\]", told)
            require(paths == (["$ORIGIN"] if path == self.root / "lib/slipcast" else []), f"{path.name}: {paths}")
            require(b".debug_info" not in path.read_bytes(), f"{path.name} has symbols for debuggers")
        launcher = self.root / "bin/slipcast"
        require("(NEEDED)" not in run(["readelf", "-d", launcher]).stdout, "the launcher is not static")
        require(launcher.stat().st_size < 100_000, "the launcher is not small")
        return f"{len(self.binaries())} programs and libraries"

    def listing(self) -> str:
        """SPDX: each file with its sum and its package, each package with a version and a license in the folder."""
        text = json.loads((self.folder / f"{self.name}.spdx.json").read_text())
        beside = (self.folder / f"{self.name}.spdx.json").read_bytes()
        require((self.root / "contents.spdx.json").read_bytes() == beside, "the list in the folder is another")
        require((text["spdxVersion"], text["dataLicense"]) == ("SPDX-2.3", "CC0-1.0"), "no list in SPDX 2.3")
        listed = {file["fileName"]: file for file in text["files"]}
        found = {f"./{name}" for name in contents(self.root) if name != "contents.spdx.json"}
        require(set(listed) == found, f"not equal: {set(listed) ^ found}")
        for name, file in listed.items():
            sums = {sum["algorithm"]: sum["checksumValue"] for sum in file["checksums"]}
            require(sums["SHA256"] == sha256(self.root / name), f"another sum: {name}")
        packages = {package["SPDXID"]: package for package in text["packages"]}
        holders = {}
        for link in text["relationships"]:
            if link["relationshipType"] == "CONTAINS":
                holders[link["relatedSpdxElement"]] = packages[link["spdxElementId"]]["name"]
        require(set(holders) == {file["SPDXID"] for file in listed.values()}, "a file belongs to no package")
        # The launcher contains musl; the data library has the name of ICU's.
        for name, file in listed.items():
            own = not re.match(r"\./lib/(?!slipcast$|libslipcast)|\./bin/", name)
            require((holders[file["SPDXID"]] == "slipcast") == own, f"{name}: {holders[file['SPDXID']]}")
        for package in packages.values():
            require(package["versionInfo"], f"{package['name']} has no version")
            license_file = self.root / "licenses" / package["name"].replace("swift-runtime", "swift")
            require(license_file.stat().st_size > 200, f"{package['name']} has no license")
            if "externalRefs" in package:
                line = f"{package['name']} {package['versionInfo']}: {package['downloadLocation']}\n"
                require(line in (self.root / "licenses/SOURCES").read_text(), f"no source: {line}")
        named = re.findall(r"common-licenses/([\w.-]*\w)", "".join(
            path.read_text() for path in (self.root / "licenses").iterdir() if path.is_file()))  # fmt: skip
        absent = {name for name in named if not (self.root / "licenses/common" / name).is_file()}
        require(not {name for name in absent if Path("/usr/share/common-licenses", name).exists()}, f"absent: {absent}")
        return f"{len(packages)} packages, {len(listed)} files"

    def symbols(self) -> None:
        """The second archive holds the symbols of this very program."""
        folder = unpack(self.folder / f"{self.name}-symbols.tar.gz", self.suite.folder / "symbols")
        symbols = folder / self.root.name / "slipcast.debug"
        require(build_id(symbols) == build_id(self.root / "lib/slipcast"), "symbols of another program")
        require(".debug_info" in run(["readelf", "-SW", symbols]).stdout, "no symbols")
        link = run(["readelf", "--string-dump=.gnu_debuglink", self.root / "lib/slipcast"]).stdout
        require("slipcast.debug" in link, "the program does not name its symbols")

    def reproducible(self) -> None:
        """Made again from the same program, by another user's settings."""
        output = self.suite.folder / "again"
        mask = os.umask(0o077)
        with tarfile.open(self.packed) as tar:
            settings = {"SOURCE_DATE_EPOCH": str(int(tar.getmembers()[0].mtime)), "TZ": "Asia/Tokyo", "LC_ALL": "C"}
        run(["python3", MAKER, self.suite.slipcast, output], environment=settings)
        os.umask(mask)
        self.compare(output)

    def rebuild(self) -> None:
        """The last commit, built in another folder, becomes the same bytes."""
        clone = self.suite.folder / "clone"
        run(["git", "clone", "-q", "--no-hardlinks", ROOT, clone])
        run(["make", "bundle"], folder=clone, seconds=3600)
        self.compare(clone / ".build/bundle")

    def compare(self, other: Path) -> None:
        one, two = ({path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
                    for folder in (self.folder, other))  # fmt: skip
        require(one == two, difference(one, two) or "")
