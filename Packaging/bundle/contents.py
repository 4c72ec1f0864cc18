"""What is in the bundle: the packages that its files come from, their licenses, and a list in SPDX 2.3."""

import hashlib
import json
import re
import subprocess
import sys
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
COMMON = Path("/usr/share/common-licenses")
# The Swift runtime is linked statically; its license is part of the toolchain.
TOOLCHAIN_LICENSE = "share/swift/LICENSE.txt"
SOURCES = """The libraries in the folder lib are those of these Debian packages, unchanged; another build with the same interface can
replace each of them. libicudata is an exception: it is an empty table in ICU's form. bin/slipcast contains musl.
The sources of the packages:

"""


def text(*words: object) -> str:
    return subprocess.run([str(word) for word in words], check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout


def owner(source: Path) -> str:
    """The package that a library belongs to; dpkg may know it below /usr or not."""
    real = source.resolve()
    for path in (source, real, Path(str(real).removeprefix("/usr")), Path(f"/usr{source}")):
        found = subprocess.run(["dpkg", "-S", path], capture_output=True, encoding="utf-8", check=False)
        if found.returncode == 0:
            return found.stdout.split(": ")[0].split(",")[0]
    sys.exit(f"no package contains {source}")


@dataclass(frozen=True)
class Package:
    name: str
    version: str
    architecture: str
    source: str
    source_version: str

    @classmethod
    def installed(cls, name: str) -> "Package":
        fields = "${Package}\t${Version}\t${Architecture}\t${source:Package}\t${source:Version}"
        return cls(*text("dpkg-query", "-W", "-f", fields, name).split("\t"))

    @property
    def place(self) -> str:
        return f"https://snapshot.debian.org/package/{self.source}/{self.source_version}/"

    def entry(self) -> dict:
        locator = f"pkg:deb/debian/{self.name}@{self.version.replace('+', '%2B')}?arch={self.architecture}"
        return {
            **package(self.name, self.version, self.place),
            "sourceInfo": f"built from the Debian source package {self.source} {self.source_version}",
            "licenseComments": f"licenses/{self.name}",
            "externalRefs": [
                {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": locator}
            ],
        }


def identifier(name: str) -> str:
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def package(name: str, version: str, place: str, license_name: str = "NOASSERTION") -> dict:
    return {
        "SPDXID": identifier(f"Package-{name}"),
        "name": name,
        "versionInfo": version,
        "downloadLocation": place,
        "filesAnalyzed": False,
        "licenseConcluded": license_name,
        "licenseDeclared": license_name,
        "copyrightText": "NOASSERTION",
    }


class Contents:
    def __init__(self, version: str) -> None:
        self.version = version
        self.swift = re.search(r"Swift version (\S+)", text("swift", "--version"))[1]
        self.packages: dict[str, Package] = {}
        # The files that come from other packages than Slipcast.
        self.origins: dict[str, str] = {}

    def add_package(self, source: Path, place: Path) -> None:
        self.add_named(owner(source), place)

    def add_named(self, name: str, place: Path) -> None:
        found = Package.installed(name)
        self.packages[found.name] = found
        self.origins[str(place)] = found.name

    def add_licenses(self, folder: Path) -> None:
        """The copyright file of each package, and the common licenses that these name."""
        folder.mkdir()
        (folder / "slipcast").write_bytes((TOP / "LICENSE").read_bytes())
        toolchain = Path(text("which", "swift").strip()).resolve().parents[1]
        (folder / "swift").write_bytes((toolchain / TOOLCHAIN_LICENSE).read_bytes())
        sources = (f"{one.name} {one.version}: {one.place}\n" for _, one in sorted(self.packages.items()))
        (folder / "SOURCES").write_text(SOURCES + "".join(sources))
        named: set[str] = set()
        for name in self.packages:
            words = (Path("/usr/share/doc") / name / "copyright").read_text(errors="replace")
            (folder / name).write_text(words)
            named.update(re.findall(r"/usr/share/common-licenses/([A-Za-z0-9.-]*[A-Za-z0-9])", words))
        (folder / "common").mkdir()
        for name in sorted(named):
            if (COMMON / name).is_file():
                (folder / "common" / name).write_bytes((COMMON / name).read_bytes())

    def listing(self, root: Path, name: str, epoch: int) -> str:
        files = [self.file(root, path) for path in sorted(root.rglob("*")) if path.is_file()]
        digest = hashlib.sha256(json.dumps(files).encode()).hexdigest()
        own = package("slipcast", self.version, "NOASSERTION", "MIT")
        license_name = "Apache-2.0 WITH Swift-exception"
        swift = package("swift-runtime", self.swift, "https://www.swift.org/install/", license_name)
        others = [swift, *(found.entry() for _, found in sorted(self.packages.items()))]
        links = [("SPDXRef-DOCUMENT", "DESCRIBES", own["SPDXID"])]
        links += [(own["SPDXID"], "DEPENDS_ON", other["SPDXID"]) for other in others]
        for file in files:
            origin = self.origins.get(file["fileName"].removeprefix("./"), "slipcast")
            links.append((identifier(f"Package-{origin}"), "CONTAINS", file["SPDXID"]))
        document = {
            "spdxVersion": "SPDX-2.3",
            "dataLicense": "CC0-1.0",
            "SPDXID": "SPDXRef-DOCUMENT",
            "name": name,
            "documentNamespace": f"https://spdx.org/spdxdocs/{name}-{digest}",
            "creationInfo": {
                "created": datetime.fromtimestamp(epoch, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
                "creators": ["Tool: slipcast-bundle"],
            },
            "packages": [own, *others],
            "files": files,
            "relationships": [
                {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}
                for one, kind, other in links
            ],
        }
        return json.dumps(document, indent=1) + "\n"

    def file(self, root: Path, path: Path) -> dict:
        place, content = path.relative_to(root), path.read_bytes()
        kinds = {"SHA1": hashlib.sha1(content), "SHA256": hashlib.sha256(content)}
        return {
            "SPDXID": identifier(f"File-{place}"),
            "fileName": f"./{place}",
            "checksums": [{"algorithm": kind, "checksumValue": found.hexdigest()} for kind, found in kinds.items()],
            "licenseConcluded": "NOASSERTION",
            "copyrightText": "NOASSERTION",
        }
