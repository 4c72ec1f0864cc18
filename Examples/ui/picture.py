"""Makes the picture of Examples/ui.md: an invented customer, in a real browser.

usage: python3 Examples/ui/picture.py SLIPCAST [PNG]
"""

import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "Tests/end-to-end" / name) for name in ("ui", "")]

import world  # noqa: E402


def main() -> None:
    slipcast, picture = sys.argv[1], Path(sys.argv[2] if len(sys.argv) > 2 else HERE / "customer.png")
    with tempfile.TemporaryDirectory() as folder:
        store, rows, server = (Path(folder) / name for name in ("archive.sqlite", "v1.ndjson", "v2.ndjson"))
        world.write(rows, world.known_life())
        world.write_server(server, world.server_life())
        names = ["--body", "/body", "--id", "/id", "--received-at", "/receivedAt"]
        subprocess.run([slipcast, "convert", "--quiet", *names, "--keep-bodies", "--execute", "--to", store, rows], check=True)
        subprocess.run([slipcast, "convert", "--quiet", "--execute", "--to", store, server], check=True)
        pages = subprocess.Popen([slipcast, "ui", store, "--listen", "127.0.0.1:0"], stderr=subprocess.PIPE, text=True)
        try:
            address = next(found[0] for line in pages.stderr or () if (found := re.search(r"http://\S+/", line)))
            subprocess.run(
                ["chromium", "--headless=new", "--no-sandbox", "--hide-scrollbars", "--window-size=1280,1000",
                 f"--screenshot={picture}", f"{address}customer/{world.KNOWN}"],
                check=True, timeout=120, stderr=subprocess.DEVNULL)  # fmt: skip
        finally:
            pages.send_signal(signal.SIGINT)
            pages.wait(timeout=20)


if __name__ == "__main__":
    main()
