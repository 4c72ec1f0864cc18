#!/usr/bin/env python3
"""Runs a command with its standard output in a file, and says what it took.

usage: measure.py FOLDER RESULT COMMAND…; FOLDER holds the archives and their truth.json
"""

import json
import resource
import subprocess
import sys
import time
from pathlib import Path


def main() -> None:
    folder, result, command = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    start = time.monotonic()
    with result.open("wb") as output:
        status = subprocess.run(command, stdout=output, stderr=subprocess.PIPE).returncode
    seconds = time.monotonic() - start
    if status not in (0, 1):
        sys.exit(f"exit status {status}")
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    pairs = truth["pairs"]["matched"] + truth["pairs"]["conflicting"]
    size = sum((folder / name).stat().st_size for name in ("v1.ndjson", "v2.ndjson"))
    rows = (
        ("records", f"{truth['records']['legacy']:,} and {truth['records']['server']:,}"), ("pairs", f"{pairs:,}"),
        ("MB read", f"{size / 1e6:,.0f}"), ("seconds", f"{seconds:.2f}"),
        ("of processor", f"{usage.ru_utime + usage.ru_stime:.2f}"), ("pairs/s", f"{pairs / seconds:,.0f}"),
        ("MB/s", f"{size / 1e6 / seconds:,.0f}"), ("peak memory MB", f"{usage.ru_maxrss / 1024:,.0f}"),
    )
    for name, value in rows:
        print(f"{name:16}{value:>24}")


if __name__ == "__main__":
    main()
