"""An OCSP responder for a test identity: OpenSSL's own command signs the answers."""

import re
import subprocess
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


def openssl(*words: object, status: int | None = 0) -> str:
    done = subprocess.run(["openssl", *map(str, words)], capture_output=True, text=True)
    if status is not None and done.returncode != status:
        raise RuntimeError(done.stderr)
    return done.stdout


class Responder:
    """Listens on 127.0.0.1; `change` may replace an answer."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.requests: list[str] = []
        self.change: Callable[[str, bytes], tuple[int, bytes]] = lambda serial, answer: (200, answer)
        self.options: list[object] = ["-ndays", "1"]
        self.states: dict[str, str] = {}
        self.signers: dict[str, tuple[Path, Path]] = {}
        responder = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                request = self.rfile.read(int(self.headers["Content-Length"]))
                kind = self.headers["Content-Type"]
                status, answer = responder.answer(request) if kind == "application/ocsp-request" else (415, b"")
                self.send_response(status)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *words: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/ocsp"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def use(self, identity: Path) -> None:
        """Answers for the certificates of an identity."""
        parts = re.findall(r"-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----\n", (identity / "chain.pem").read_text(), re.S)
        self.paths = []
        for name, text in zip(("leaf", "intermediate", "root"), parts):
            path = self.folder / f"{name}.pem"
            path.write_text(text)
            self.paths.append(path)
        self.serials = [self.serial(path) for path in self.paths]
        for place, name in enumerate(("ocsp-intermediate", "ocsp-root")):
            self.signers[self.serials[place]] = (identity / f"{name}.pem", identity / f"{name}.key")
            self.states[self.serials[place]] = "V"

    @staticmethod
    def serial(path: Path) -> str:
        return openssl("x509", "-in", path, "-noout", "-serial").strip().partition("=")[2]

    def answer(self, request: bytes) -> tuple[int, bytes]:
        number = len(self.requests)
        asked, given, index = (self.folder / f"{name}-{number}" for name in ("request", "answer", "index"))
        asked.write_bytes(request)
        serial = re.search(r"Serial Number: ([0-9A-F]+)", openssl("ocsp", "-reqin", asked, "-req_text"))[1]
        self.requests.append(serial)
        place = self.serials.index(serial)
        revoked = "200101000000Z,keyCompromise" if self.states[serial] == "R" else ""
        text = "" if self.states[serial] == "U" else f"{self.states[serial]}\t491231235959Z\t{revoked}\t{serial}\tunknown\t/CN=x\n"
        index.write_text(text)
        certificate, key = self.signers[serial]
        openssl("ocsp", "-index", index, "-CA", self.paths[place + 1], "-rsigner", certificate, "-rkey", key, "-reqin", asked,
                "-respout", given, *self.options, status=None)  # fmt: skip
        return self.change(serial, given.read_bytes())

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()
