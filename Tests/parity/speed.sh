#!/usr/bin/env bash
# Measures parity on one core: seconds, pairs a second, peak memory; and checks the result.
# usage: speed.sh SLIPCAST [EVENTS [OPTION-OF-PLANT…]]; records are lean, so that the comparison is measured
set -euo pipefail
slipcast=$1 events=${2:-1000000}
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 "$here/plant.py" --events "$events" --lean --out "$folder" "${@:3}"
taskset -c 0 python3 "$here/measure.py" "$folder" "$folder/result.json" \
  "$slipcast" parity --legacy "$folder/v1.ndjson" --server "$folder/v2.ndjson" --max-rejects 10% --format json --jobs 1
python3 "$here/check.py" "$folder/result.json" "$folder/truth.json"
