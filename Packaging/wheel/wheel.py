"""Makes the Python package: a wheel that contains the program of the download.

usage: python3 Packaging/wheel/wheel.py SLIPCAST FOLDER

SLIPCAST is the download (slipcast-VERSION-linux-ARCH.tar.gz), which runs on any Linux of its processor, or any program,
whose wheel is for systems that have its libraries. Equal inputs give equal bytes: SOURCE_DATE_EPOCH is the time of every
file; without it, the time of the last commit.
"""

import base64
import hashlib
import io
import os
import platform
import subprocess
import sys
import tarfile
import time
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOP = HERE.parents[1]
NAME = "slipcast"
METADATA = """Metadata-Version: 2.1
Name: slipcast
Version: {version}
Summary: Converts App Store version 1 server notifications and receipts to version 2, and compares both
License: {license}
Requires-Python: >=3.9
Provides-Extra: arrow
Requires-Dist: pyarrow; extra == 'arrow'
Description-Content-Type: text/markdown

{description}"""
WHEEL = """Wheel-Version: 1.0
Generator: slipcast
Root-Is-Purelib: false
{tags}"""
ENTRIES = """[console_scripts]
slipcast = slipcast.__main__:main
"""


def members(source: Path) -> dict[str, tuple[bytes, bool]]:
    """The program's files by their paths, and which of them run; links become files, which a wheel can hold."""
    if not source.name.endswith(".tar.gz"):
        return {"bin/slipcast": (source.read_bytes(), True)}
    found = {}
    with tarfile.open(source) as tar:
        for entry in tar:
            if entry.isdir():
                continue
            content = tar.extractfile(entry)
            if content is None:
                sys.exit(f"{source}: {entry.name} is no file")
            found[entry.name.split("/", 1)[1]] = (content.read(), bool(entry.mode & 0o111))
    return found


def tags(source: Path) -> list[str]:
    """The systems that it runs on: the download has its own C library."""
    machine = platform.machine()
    if not source.name.endswith(".tar.gz"):
        return [f"py3-none-linux_{machine}"]
    machine = source.name.removesuffix(".tar.gz").rsplit("-linux-", 1)[1]
    return [f"py3-none-{libc}_{machine}" for libc in ("manylinux_2_17", "manylinux2014", "musllinux_1_1")]


def epoch() -> int:
    if given := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(given)
    return int(subprocess.run(["git", "-C", TOP, "log", "-1", "--format=%ct"], check=True, capture_output=True, text=True).stdout)


def version_of(source: Path, files: dict[str, tuple[bytes, bool]]) -> str:
    """The version that the program states."""
    if source.name.endswith(".tar.gz"):
        return source.name.split("-")[1]
    return subprocess.run([source, "--version"], check=True, capture_output=True, text=True).stdout.split()[1]


def wheel(source: Path, output: Path) -> Path:
    files = members(source)
    version = version_of(source, files)
    compatible = tags(source)
    about = f"{NAME}-{version}.dist-info"
    license_name = (TOP / "LICENSE").read_text(encoding="utf-8").splitlines()[0].strip()
    content = {f"{NAME}/program/{path}": file for path, file in files.items()}
    for path in sorted((HERE / NAME).iterdir()):
        if path.is_file():
            content[f"{NAME}/{path.name}"] = (path.read_bytes(), False)
    texts = {
        f"{NAME}/program/VERSION": version + "\n",
        f"{about}/METADATA": METADATA.format(version=version, license=license_name, description=(HERE / "README.md").read_text(encoding="utf-8")),
        f"{about}/WHEEL": WHEEL.format(tags="".join(f"Tag: {tag}\n" for tag in compatible)),
        f"{about}/entry_points.txt": ENTRIES,
        f"{about}/licenses/LICENSE": (TOP / "LICENSE").read_text(encoding="utf-8"),
    }
    content |= {path: (text.encode(), False) for path, text in texts.items()}
    record = "".join(f"{path},sha256={digest(data)},{len(data)}\n" for path, (data, _) in content.items())
    content[f"{about}/RECORD"] = ((record + f"{about}/RECORD,,\n").encode(), False)
    systems = ".".join(tag.split("-")[2] for tag in compatible)
    path = output / f"{NAME}-{version}-py3-none-{systems}.whl"
    output.mkdir(parents=True, exist_ok=True)
    path.write_bytes(packed(content))
    return path


def digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")


def packed(content: dict[str, tuple[bytes, bool]]) -> bytes:
    # The format knows no earlier time.
    moment = time.gmtime(max(epoch(), 315532800))[:6]
    text = io.BytesIO()
    with zipfile.ZipFile(text, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path, (data, is_program) in content.items():
            entry = zipfile.ZipInfo(path, moment)
            entry.compress_type, entry.create_system = zipfile.ZIP_DEFLATED, 3
            entry.external_attr = (0o100755 if is_program else 0o100644) << 16
            archive.writestr(entry, data)
    return text.getvalue()


def main() -> int:
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    path = wheel(Path(sys.argv[1]).resolve(), Path(sys.argv[2]))
    print(f"{path}: {path.stat().st_size / (1 << 20):.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
