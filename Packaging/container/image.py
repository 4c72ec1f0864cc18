"""Makes a container image of the bundle, without a container engine: an OCI image layout is tar and JSON.

usage: python3 Packaging/container/image.py BUNDLE.tar.gz FOLDER

FOLDER receives the layout slipcast.oci/ and the same as slipcast-VERSION-linux-ARCH.oci.tar, which `skopeo copy
oci-archive:…`, `podman load` and `docker load` read. The image has no shell: the bundle, the certificates that Mozilla
trusts (of the Debian package ca-certificates), /tmp, and an account that is not root.
"""

import gzip
import hashlib
import io
import json
import re
import shutil
import sys
import tarfile
from datetime import datetime, timezone
from pathlib import Path

CERTIFICATES = Path("/usr/share/ca-certificates/mozilla")
TERMS = Path("/usr/share/doc/ca-certificates/copyright")
# Names that OCI has from Go.
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
ACCOUNT = 65532
HOME = "data"
TYPE = "application/vnd.oci.image"
NOTE = "org.opencontainers.image"


class Layer:
    """A tar archive of nobody's files, compressed; the same files become the same bytes."""

    def __init__(self, epoch: int, words: str) -> None:
        self.epoch, self.words, self.bytes = epoch, words, io.BytesIO()
        self.tar = tarfile.open(fileobj=self.bytes, mode="w", format=tarfile.USTAR_FORMAT)

    def add(self, name: str, content: bytes | None = None, mode: int = 0o644, owner: int = 0) -> None:
        """A file, or a folder without content."""
        entry = tarfile.TarInfo(name)
        entry.mtime, entry.mode, entry.uid, entry.gid = self.epoch, mode, owner, owner
        entry.type, entry.size = (tarfile.DIRTYPE, 0) if content is None else (tarfile.REGTYPE, len(content))
        self.tar.addfile(entry, io.BytesIO(content or b""))

    def add_folders(self, *names: str) -> None:
        for name in names:
            self.add(name, mode=0o755)

    def end(self) -> tuple[str, bytes]:
        """The digest of the archive, and the archive compressed."""
        self.tar.close()
        text = self.bytes.getvalue()
        return digest(text), gzip.compress(text, 9, mtime=self.epoch)


def digest(text: bytes) -> str:
    return f"sha256:{hashlib.sha256(text).hexdigest()}"


def system_layer(epoch: int) -> Layer:
    layer = Layer(epoch, "accounts and certificates")
    layer.add_folders("etc", "etc/ssl", "etc/ssl/certs")
    layer.add_folders("usr", "usr/share", "usr/share/doc", "usr/share/doc/ca-certificates")
    layer.add("etc/passwd", f"root:x:0:0::/:\nslipcast:x:{ACCOUNT}:{ACCOUNT}::/{HOME}:\n".encode())
    layer.add("etc/group", f"root:x:0:\nslipcast:x:{ACCOUNT}:\n".encode())
    found = sorted(CERTIFICATES.glob("*.crt"))
    if not found:
        sys.exit(f"{CERTIFICATES} has no certificates: install ca-certificates")
    layer.add("etc/ssl/certs/ca-certificates.crt", b"".join(path.read_bytes() for path in found))
    layer.add("usr/share/doc/ca-certificates/copyright", TERMS.read_bytes())
    layer.add("tmp", mode=0o1777)
    layer.add(HOME, mode=0o755, owner=ACCOUNT)
    return layer


def bundle_layer(bundle: tarfile.TarFile, epoch: int) -> Layer:
    layer = Layer(epoch, "slipcast")
    layer.add_folders("opt")
    for entry in bundle.getmembers():
        name = "/".join(["opt/slipcast", *entry.name.split("/")[1:]])
        layer.add(name, bundle.extractfile(entry).read() if entry.isfile() else None, entry.mode)
    return layer


class Image:
    def __init__(self, bundle: Path, output: Path) -> None:
        match = re.fullmatch(r"slipcast-(.+)-linux-(\w+)\.tar\.gz", bundle.name)
        if match is None or match[2] not in ARCHITECTURES:
            sys.exit(f"{bundle} is not a bundle: make bundle")
        self.version, self.architecture = match[1], ARCHITECTURES[match[2]]
        self.layout, self.packed = output / "slipcast.oci", output / bundle.name.replace(".tar.gz", ".oci.tar")
        with tarfile.open(bundle) as tar:
            self.epoch = int(tar.getmembers()[0].mtime)
            self.layers = [system_layer(self.epoch), bundle_layer(tar, self.epoch)]
        self.created = datetime.fromtimestamp(self.epoch, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")

    def blob(self, kind: str, content: bytes) -> dict:
        """Stores content under its digest; what other parts say of it."""
        name = digest(content)
        place = self.layout / "blobs" / name.replace(":", "/")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
        return {"mediaType": f"{TYPE}.{kind}", "digest": name, "size": len(content)}

    def make(self) -> None:
        shutil.rmtree(self.layout, ignore_errors=True)
        ends = [layer.end() for layer in self.layers]
        layers = [self.blob("layer.v1.tar+gzip", content) for _, content in ends]
        notes = {f"{NOTE}.title": "slipcast", f"{NOTE}.version": self.version, f"{NOTE}.licenses": "MIT"}
        config = {
            "created": self.created,
            "architecture": self.architecture,
            "os": "linux",
            "config": {
                "User": f"{ACCOUNT}:{ACCOUNT}",
                "Env": ["PATH=/opt/slipcast/bin"],
                "Entrypoint": ["/opt/slipcast/bin/slipcast"],
                "Cmd": ["--help"],
                "WorkingDir": f"/{HOME}",
                "Labels": notes,
            },
            "rootfs": {"type": "layers", "diff_ids": [name for name, _ in ends]},
            "history": [{"created": self.created, "created_by": layer.words} for layer in self.layers],
        }
        manifest = {
            "schemaVersion": 2,
            "mediaType": f"{TYPE}.manifest.v1+json",
            "config": self.blob("config.v1+json", json.dumps(config).encode()),
            "layers": layers,
            "annotations": notes,
        }
        entry = self.blob("manifest.v1+json", json.dumps(manifest).encode())
        name = f"slipcast:{self.version}"
        entry |= {"annotations": {f"{NOTE}.ref.name": name, "io.containerd.image.name": f"docker.io/library/{name}"},
                  "platform": {"architecture": self.architecture, "os": "linux"}}  # fmt: skip
        index = {"schemaVersion": 2, "mediaType": f"{TYPE}.index.v1+json", "manifests": [entry]}
        (self.layout / "index.json").write_text(json.dumps(index))
        (self.layout / "oci-layout").write_text('{"imageLayoutVersion": "1.0.0"}')
        self.pack()
        size = self.packed.stat().st_size / (1 << 20)
        print(f"{self.packed} ({size:.1f} MiB), {entry['digest']}")

    def pack(self) -> None:
        layer = Layer(self.epoch, "")
        for path in sorted(self.layout.rglob("*")):
            name = str(path.relative_to(self.layout))
            layer.add(name, path.read_bytes() if path.is_file() else None, 0o644 if path.is_file() else 0o755)
        layer.tar.close()
        self.packed.write_bytes(layer.bytes.getvalue())


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    Image(Path(sys.argv[1]), Path(sys.argv[2])).make()
