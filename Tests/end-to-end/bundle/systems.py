"""The download in bare systems of other releases, with a PostgreSQL server and an HTTPS endpoint on this machine."""

import os
import re
import shutil
import subprocess
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Iterator

import postgresql
from harness import Failure, Skipped, Suite, require, run
from places import Empty

HERE = Path(__file__).resolve().parent
# The releases of Debian before and after this one.
CODENAMES = ("bullseye", "trixie")


def make_certificates(folder: Path) -> None:
    """A certificate authority, a server of it, and an authority that nobody trusts."""
    folder.mkdir()
    for name in ("authority", "stranger"):
        run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", folder / f"{name}.key", "-out",
             folder / f"{name}.pem", "-days", "2", "-subj", f"/CN=slipcast-test-{name}"])  # fmt: skip
    (folder / "names").write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
    run(["openssl", "req", "-newkey", "rsa:2048", "-nodes", "-keyout", folder / "server.key", "-out",
         folder / "server.csr", "-subj", "/CN=localhost"])  # fmt: skip
    run(["openssl", "x509", "-req", "-in", folder / "server.csr", "-CA", folder / "authority.pem", "-CAkey",
         folder / "authority.key", "-out", folder / "server.pem", "-days", "2",
         "-extfile", folder / "names"])  # fmt: skip


@contextmanager
def endpoint(empty: Empty, certificates: Path) -> Iterator[int]:
    """The port of `slipcast serve` with TLS, in the empty file system."""
    for name in ("server.pem", "server.key"):
        shutil.copy(certificates / name, empty.root / "tmp")
    words = ["serve", "--listen", "127.0.0.1:0", "--journal", "/tmp/journal", "--tls-cert", "/tmp/server.pem",
             "--tls-key", "/tmp/server.key", "--to", "/tmp/received.ndjson"]  # fmt: skip
    log = empty.suite.folder / "endpoint.log"
    with log.open("wb") as file:
        process = subprocess.Popen([str(word) for word in (*empty.command, *words)], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=file)  # fmt: skip
    try:
        end = time.monotonic() + 30
        while not (port := re.search(r"started.*?127\.0\.0\.1:(\d+)", log.read_text())):
            if process.poll() is not None or time.monotonic() > end:
                raise Failure(f"the endpoint did not start: {log.read_text()}")
            time.sleep(0.02)
        yield int(port[1])
        process.terminate()
        status = process.wait(40)
        if status != 0:
            raise Failure(f"the endpoint ended with {status}: {log.read_text()[-1000:]}")
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


class Systems:
    def __init__(self, suite: Suite, root: Path, empty: Empty, stack: ExitStack) -> None:
        self.suite, self.root, self.empty, self.stack = suite, root, empty, stack
        self.certificates = suite.folder / "certificates"
        self.url, self.port = "", 0

    def begin(self) -> None:
        """The servers are started once, when the first system needs them."""
        if self.url:
            return
        require(not self.certificates.exists(), "the servers did not start for the first system")
        make_certificates(self.certificates)
        key = self.suite.folder / "postgresql.key"
        shutil.copy(self.certificates / "server.key", key)
        shutil.chown(key, "postgres")
        key.chmod(0o600)
        settings = f"-c ssl=on -c ssl_cert_file={self.certificates}/server.pem -c ssl_key_file={key}"
        os.environ[postgresql.NAME + "_OPTIONS"] = settings
        self.port = self.stack.enter_context(endpoint(self.empty, self.certificates))
        self.url = self.stack.enter_context(postgresql.server())

    def system(self, codename: str) -> str:
        if not self.empty.is_possible:
            raise Skipped("a chroot needs root")
        if not shutil.which("debootstrap"):
            raise Skipped("debootstrap is not installed")
        made = run(["bash", HERE / "system.sh", "make", codename], status=(), merged=True, seconds=1800)
        if made.status != 0:
            raise Skipped(f"debootstrap cannot make {codename} here: {made.stdout.strip()[-400:]}")
        self.begin()
        database = self.url.rsplit("/", 1)[0] + f"/{codename}"
        run(["psql", "-q", self.url, "-c", f"create database {codename}"])
        address = f"https://localhost:{self.port}/{codename}"
        words = [self.suite.slipcast, self.root, self.certificates, database, address]
        told = run(["bash", HERE / "system.sh", "use", codename, *words], status=(), merged=True, seconds=1800)
        require(told.status == 0, f"{told.stdout[-4000:]}")
        return told.stdout.strip().splitlines()[-1]
