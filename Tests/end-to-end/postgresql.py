"""A PostgreSQL server in a temporary folder, which ends with what it was started for.

usage: python3 Tests/end-to-end/postgresql.py COMMAND…

It listens on a socket in that folder and on a free port of 127.0.0.1, and asks for a password. SLIPCAST_POSTGRES is its
URL; SLIPCAST_POSTGRES_OPTIONS adds settings.
"""

import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

NAME = "SLIPCAST_POSTGRES"
PLACES = ("/usr/lib/postgresql/*/bin", "/opt/homebrew/opt/postgresql*/bin")


def programs() -> Path:
    """The folder of the server's programs."""
    places = [path for pattern in PLACES for path in sorted(Path("/").glob(pattern[1:]))]
    if found := shutil.which("pg_config"):
        places.append(Path(subprocess.run([found, "--bindir"], capture_output=True, text=True).stdout.strip()))
    folders = [place for place in places if (place / "initdb").exists()]
    if not folders:
        sys.exit("initdb not found: install PostgreSQL's server")
    return folders[-1]


@contextmanager
def server() -> Iterator[str]:
    """The URL of a server that runs until the block ends, by a signal too."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    folder = Path(tempfile.mkdtemp(prefix="slipcast-postgresql."))
    # PostgreSQL refuses to run as root.
    owner = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    data, password, bindir = folder / "data", f"pass/word@{secrets.randbelow(10**9)}", programs()
    (folder / "password").write_text(password + "\n")
    if owner:
        shutil.chown(folder, "postgres")

    def run(program: str, *words: object) -> int:
        # The server keeps what is open, so it must not get our pipes.
        with (folder / "log").open("ab") as log:
            command = [*owner, str(bindir / program), "-D", str(data), *map(str, words)]
            return subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log).returncode

    def start() -> int:
        """The port; it may be taken between the choice and the start, so there are some tries."""
        for _ in range(10):
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                port = free.getsockname()[1]
            # Nothing here need survive a power cut, unless the caller measures.
            settings = f"-c listen_addresses=127.0.0.1 -p {port} -k {folder} -c max_connections=50 -c fsync=off"
            settings += f" -c shared_buffers=256MB {os.environ.get(NAME + '_OPTIONS', '')}"
            if run("pg_ctl", "-s", "-w", "-t", 60, "-l", data / "server.log", "-o", settings, "start") == 0:
                return port
        return 0

    try:
        made = ["-U", "slipcast", "-A", "scram-sha-256", f"--pwfile={folder / 'password'}", "-E", "UTF8"]
        port = start() if run("initdb", *made, "--locale=C.UTF-8") == 0 else 0
        if not port:
            logs = [path.read_text() for path in (folder / "log", data / "server.log") if path.exists()]
            sys.exit("PostgreSQL does not start:\n" + "".join(logs))
        yield f"postgresql://slipcast:{quote(password, safe='')}@127.0.0.1:{port}/postgres"
    finally:
        run("pg_ctl", "-m", "immediate", "-s", "stop")
        shutil.rmtree(folder, ignore_errors=True)


def main() -> int:
    with server() as url:
        return subprocess.run(sys.argv[1:], env={**os.environ, NAME: url}).returncode


if __name__ == "__main__":
    sys.exit(main())
