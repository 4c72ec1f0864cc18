#!/usr/bin/env bash
# Structures every converted fixture, and every converted sample of SLIPCAST_CORPUS, into Apple's own classes; has
# Apple's verifier judge what a test identity signs.
# usage: run.sh SLIPCAST PYTHON
set -euo pipefail
slipcast=$1 python=$2
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)

echo "== the check checks itself"
"$python" "$here/structure.py" --self-test

echo "== every name of Apple's library is known to Slipcast"
"$python" "$here/vocabulary.py" "$slipcast" --self-test
# The version above is the one that the other checks rely on; the newest one tells of Apple's next change.
newest=$(mktemp -d)
trap 'rm -rf "$newest"' EXIT
if "$python" -m pip install --quiet --no-deps --target "$newest" app-store-server-library 2>/dev/null; then
  PYTHONPATH="$newest" "$python" "$here/vocabulary.py" "$slipcast"
else
  echo "== the newest version: SKIPPED, the package index cannot be reached"
fi

convert() { "$slipcast" convert --quiet --exit-zero "$@"; }

# Values that no version of Apple's library knows are kept as they came; these fixtures exist to show that.
kept_unknown='/(unknown-type|expiration-intent-unknown|ownership-assigned)/'

folders=()
for folder in "$root"/Fixtures/notifications/*/ "$root"/Fixtures/receipts/*/; do
  [[ $folder =~ $kept_unknown || ! -e $folder/v1.json ]] || folders+=("$folder")
done

echo "== fixtures"
for folder in "${folders[@]}"; do
  arguments=()
  [ -e "$folder/arguments.txt" ] && mapfile -t arguments < "$folder/arguments.txt"
  convert "${arguments[@]}" "$folder/v1.json"
done | "$python" "$here/structure.py"

for what in statuses history; do
  echo "== fixtures as $what"
  for folder in "${folders[@]}"; do
    grep -q -e '--body' "$folder/arguments.txt" 2>/dev/null || printf '%s\0' "$folder/v1.json"
  done | xargs -0 "$slipcast" convert --quiet --emit "$what" | "$python" "$here/structure.py"
done

echo "== signed with a test identity, verified by Apple's library"
"$python" "$here/verify.py" "$slipcast" "$root/Fixtures"

echo "== mutants of a signed notification, judged by Apple's library"
"$python" "$here/mutations.py" "$slipcast" "$root/Fixtures"

if [ -n "${SLIPCAST_CORPUS:-}" ]; then
  echo "== real-world samples"
  convert "$SLIPCAST_CORPUS/v1" "$SLIPCAST_CORPUS/verify-receipt" | "$python" "$here/structure.py"
else
  echo "== real-world samples: SKIPPED, SLIPCAST_CORPUS is not set"
fi
