#!/usr/bin/env bash
# Runs or checks every command that the documentation shows (check.py), after the check has shown that it finds errors.
# usage: run.sh SLIPCAST [--record]; run it under Tests/stores/postgresql.sh. --record writes the outputs of sh blocks.
set -euo pipefail
slipcast=$(realpath "$1") record=${2:-}
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PYTHONDONTWRITEBYTECODE=1

echo "== the check checks itself"
python3 Tests/docs/plant.py "$folder/wrong.md" "$folder/expected"
if python3 Tests/docs/check.py --only "$folder/wrong.md" -- "$slipcast" > "$folder/words"; then
  echo "it lets errors pass"; exit 1
fi
while IFS= read -r line; do
  grep -qF -- "$line" "$folder/words" || { echo "it does not find: $line"; cat "$folder/words"; exit 1; }
done < "$folder/expected"
echo "$(wc -l < "$folder/expected") errors planted and found"

echo "== all texts, doc comments and helps"
python3 Tests/docs/check.py ${record:+--record} "$slipcast"
