"""Speed and memory with many customers, without a rate limit."""

import json
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
        for number in range(count):
            customer = some[number % len(some)]
            body = {"bundleId": customer.bundle, "appAppleId": 1234567890, "environment": "Production", "revision": "r1",
                    "hasMore": False, "signedTransactions": customer.tokens}  # fmt: skip
            mock.quick[f"/inApps/v2/history/{731_000_000_000_000 + number}"] = json.dumps(body).encode()
        archive = self.archive(folder, [v1(str(731_000_000_000_000 + number)) for number in range(count)])
        out = folder / "v2.ndjson.zst"
        words = ["fetch", "history", archive, "--to", out, "--rate", 1_000_000, "--connections", 16, "--execute",
                 *self.credentials(mock)]  # fmt: skip
        began = time.monotonic()
        done = subprocess.run(["/usr/bin/env", "time", "-v", self.suite.slipcast, *map(str, words)], capture_output=True, text=True)
        seconds = time.monotonic() - began
        require(done.returncode == 0, f"exit status {done.returncode}: {done.stderr[-2000:]}")
        memory = next((int(line.rsplit(" ", 1)[1]) for line in done.stderr.splitlines() if "Maximum resident" in line), 0)
        require(memory < 150 << 10, f"{memory >> 10} MiB")
        mock.stop()
        return f"{count / seconds:.0f} responses/s with reading the archive, {memory >> 10} MiB"
