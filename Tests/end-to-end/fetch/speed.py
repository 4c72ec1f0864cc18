"""Speed and memory with many customers, without a rate limit."""

import json
import re
import subprocess
import time
from pathlib import Path

from harness import require
from setting import Setting, v1


class Speed(Setting):
    def speed(self, folder: Path) -> str:
        """`--customers N`: responses per second with verification, and the most memory."""
        count = self.suite.options.customers
        # A few customers' signed data serve for all; ids are in the path only.
        some = self.world(200)
        mock = self.mock(*some)
        head = {"bundleId": some[0].bundle, "appAppleId": 1234567890, "environment": "Production", "revision": "r1", "hasMore": False}
        bodies = [json.dumps({**head, "signedTransactions": customer.tokens}).encode() for customer in some]
        for number in range(count):
            mock.quick[f"/inApps/v2/history/{731_000_000_000_000 + number}"] = bodies[number % len(bodies)]
        archive = self.archive(folder, [v1(str(731_000_000_000_000 + number)) for number in range(count)])
        out = folder / "v2.ndjson.zst"
        words = ["fetch", "history", archive, "--to", out, "--rate", 1_000_000, "--connections", 16, "--execute",
                 *self.credentials(mock)]  # fmt: skip
        began = time.monotonic()
        process = subprocess.Popen([self.suite.slipcast, *map(str, words)], stderr=subprocess.DEVNULL)
        memory = 0
        # The usage that the system reports for a child begins with the memory of this process.
        while process.poll() is None:
            found = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{process.pid}/status").read_text())
            memory = max(memory, int(found[1]) >> 10 if found else 0)
            time.sleep(0.05)
        seconds = time.monotonic() - began
        require(process.returncode == 0, f"exit status {process.returncode}")
        require(len(mock.requests) == count, f"{len(mock.requests)} requests")
        require(count < 100_000 or count / seconds >= 2000, f"{count / seconds:.0f} responses/s")
        require(0 < memory < 150, f"{memory} MiB")
        mock.stop()
        return f"{count / seconds:.0f} responses/s, reading the archive included; {memory} MiB"
