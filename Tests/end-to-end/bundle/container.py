"""The container image: its layout by the specification, and its layers, unpacked and run as an engine would."""

import gzip
import hashlib
import json
import os
import shutil
from pathlib import Path
from typing import Any

from archive import unpack
from harness import ROOT, Outcome, Skipped, Suite, anew, contents, difference, require, run

MAKER = ROOT / "Packaging/container/image.py"
# unshare makes the mounts visible to this command alone; they end with it.
ENGINE = """
set -eu
root=$1 data=$2
shift 2
mount --bind "$root" "$root"
mount -o remount,bind,ro "$root"
mount --bind "$data" "$root/data"
exec env -i "$@"
"""


class Container:
    def __init__(self, suite: Suite, bundle: Path, folder: Path) -> None:
        self.suite, self.bundle, self.layout_folder = suite, bundle, folder / "slipcast.oci"
        self.packed = folder / bundle.name.replace(".tar.gz", ".oci.tar")
        self.root = suite.folder / "container"

    def blob(self, about: dict[str, Any]) -> bytes:
        """What a descriptor describes: its digest and size are right."""
        kind, name = about["digest"].split(":")
        content = (self.layout_folder / "blobs" / kind / name).read_bytes()
        require(hashlib.new(kind, content).hexdigest() == name, f"{name} has another digest")
        require(len(content) == about["size"], f"{name} has another size")
        return content

    def read(self) -> tuple[dict[str, Any], list[bytes]]:
        """The configuration, and the layers as plain archives."""
        version = json.loads((self.layout_folder / "oci-layout").read_text())
        require(version == {"imageLayoutVersion": "1.0.0"}, "another version of the layout")
        index = json.loads((self.layout_folder / "index.json").read_text())
        manifest = json.loads(self.blob(index["manifests"][0]))
        config = json.loads(self.blob(manifest["config"]))
        return config, [gzip.decompress(self.blob(layer)) for layer in manifest["layers"]]

    def layout(self) -> str:
        config, layers = self.read()
        sums = [f"sha256:{hashlib.sha256(layer).hexdigest()}" for layer in layers]
        require(config["rootfs"] == {"type": "layers", "diff_ids": sums}, "other layers")
        expected = {"x86_64": "amd64", "aarch64": "arm64"}[os.uname().machine]
        require((config["os"], config["architecture"]) == ("linux", expected), "another platform")
        require(config["config"]["User"].split(":")[0] not in ("", "0", "root"), "it runs as root")
        one, two = contents(self.layout_folder), contents(unpack(self.packed, self.suite.folder / "packed image"))
        require(one == two, difference(one, two) or "")
        require(len(one) == 6, f"{list(one)}")
        return f"{self.packed.stat().st_size / (1 << 20):.1f} MiB"

    def contents(self) -> None:
        """The bundle, certificates and an account; nothing may be run but the program."""
        _, layers = self.read()
        anew(self.root)
        for number, layer in enumerate(layers):
            place = self.suite.folder / f"layer{number}.tar"
            place.write_bytes(layer)
            run(["tar", "-x", "-p", "-f", place, "-C", self.root])
        one = contents(next(unpack(self.bundle, self.suite.folder / "bundle in image").iterdir()))
        two = contents(self.root / "opt/slipcast")
        require(one == two, difference(one, two) or "")
        roots = (self.root / "etc/ssl/certs/ca-certificates.crt").read_text().count("BEGIN CERTIFICATE")
        require(roots > 100, f"{roots} certificates")
        require({path.name for path in self.root.iterdir()} == {"data", "etc", "opt", "tmp", "usr"}, "more folders")
        require((self.root / "tmp").stat().st_mode & 0o7777 == 0o1777, "/tmp is not for everybody")

    def engine(self, *words: object, data: Path, status: int = 0) -> Outcome:
        """Runs the image as its configuration says: read-only, as its user, without /proc and network devices."""
        if os.geteuid() != 0:
            raise Skipped("a chroot needs root")
        config = self.read()[0]["config"]
        user, group = config["User"].split(":")
        started = ["unshare", "--mount", "--net", "--propagation", "private", "bash", "-c", ENGINE, "-"]
        inside = [shutil.which("chroot"), f"--userspec={user}:{group}", "--groups=", self.root, *config["Entrypoint"]]
        return run([*started, self.root, data, *config["Env"], *inside, *words], status=status)

    def commands(self) -> None:
        data = anew(self.suite.folder / "data")
        data.chmod(0o755)
        for name in ("v1.ndjson", "v2.ndjson"):
            shutil.copy(ROOT / "Examples/migration" / name, data)
        version = self.suite.run("--version").stdout
        require(self.engine("--version", data=data).stdout == version, "another version")
        require("convert" in self.engine(*self.read()[0]["config"]["Cmd"], data=data).stdout, "no help")
        words = ["parity", "--legacy", "/data/v1.ndjson", "--server", "/data/v2.ndjson"]
        require(self.engine(*words, data=data, status=1).stdout.startswith("CONFLICT"), "no report")
        found = self.engine("convert", "--quiet", "/data/v1.ndjson", data=data).stdout
        here = self.suite.run("convert", "--quiet", ROOT / "Examples/migration/v1.ndjson").stdout
        require(found == here, "another output")
        # A folder of another user is not written, its own is.
        words = ["convert", "--quiet", "/data/v1.ndjson", "--to", "/data/v2-new.ndjson"]
        require("Permission denied" in self.engine(*words, data=data, status=2).stderr, "another message")
        os.chown(data, 65532, 65532)
        self.engine(*words, data=data)
        require((data / "v2-new.ndjson").stat().st_uid == 65532, "another owner")
        require((data / "v2-new.ndjson").read_text() == found, "another file")
        told = self.engine("convert", "/data/v1.ndjson", "--to", "/opt/v2.ndjson", data=data, status=2).stderr
        require("Read-only file system" in told or "Permission denied" in told, f"the image was changed: {told}")

    def reproducible(self) -> None:
        output = self.suite.folder / "image again"
        run(["python3", MAKER, self.bundle, output], environment={"TZ": "Asia/Tokyo"})
        require((output / self.packed.name).read_bytes() == self.packed.read_bytes(), "other bytes")

    def other_reader(self) -> str:
        """skopeo, which checks every digest, reads the image."""
        if not shutil.which("skopeo"):
            raise Skipped("skopeo is not installed")
        output = self.suite.folder / "copied image"
        run(["skopeo", "copy", "--insecure-policy", f"oci-archive:{self.packed}", f"dir:{output}"])
        told = json.loads(run(["skopeo", "inspect", f"dir:{output}"]).stdout)
        require(len(told["Layers"]) == 2 and told["Os"] == "linux", f"{told}")
        return run(["skopeo", "--version"]).stdout.strip()
