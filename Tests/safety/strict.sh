#!/bin/bash
# Has the compiler itself say which files are unsafe (SE-0458), and compares them with Sources/UNSAFE.md.
# Everything is built anew in a folder of its own: only what is compiled is told.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$root/.build/safety
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$root"
swift build --scratch-path "$scratch" -Xswiftc -strict-memory-safety > "$scratch/diagnostics.txt" 2>&1 || {
  grep -E 'error:' "$scratch/diagnostics.txt" >&2
  exit 1
}
python3 Tests/safety/check.py --diagnostics "$scratch/diagnostics.txt"
