#!/usr/bin/env bash
# Runs the main commands under valgrind: no invalid read or write, no decision by memory that was never written, no leak.
# usage: valgrind.sh SLIPCAST   (with SLIPCAST_POSTGRES the PostgreSQL paths too: Tests/stores/postgresql.sh)
set -euo pipefail
program=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Debian's valgrind cannot read what newer compilers write for debuggers; names of functions stay.
slipcast=$folder/slipcast
strip --strip-debug -o "$slipcast" "$program"
export SWIFT_BACKTRACE=enable=no
archive=Fixtures/archives/subscription/v1.ndjson
rows=(--body /body --received-at /received_at)
failed=0

# Blocks that the Swift runtime and the C libraries keep until the program ends are reachable and no leaks.
under_valgrind() {
  local name=$1 wanted=$2 status=0
  shift 2
  valgrind --quiet --soname-synonyms=somalloc=NONE --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite --show-leak-kinds=definite \
    --suppressions="$here/valgrind.supp" --log-file="$folder/$name.log" "$slipcast" "$@" > "$folder/$name.out" 2> "$folder/$name.err" || status=$?
  if [ "$status" = "$wanted" ] && [ ! -s "$folder/$name.log" ]; then
    echo "clean  $name"
  else
    failed=1
    echo "FOUND  $name: exit status $status, expected $wanted"
    head -n 60 "$folder/$name.log" "$folder/$name.err"
  fi
}

under_valgrind convert 1 convert --quiet --jobs 2 Fixtures/notifications --include v1.json --provenance "$folder/provenance.ndjson"
under_valgrind convert-rejects 1 convert --quiet Fixtures/rejects Fixtures/streams --rejects "$folder/rejects.ndjson"
under_valgrind convert-compressed 0 convert --quiet "${rows[@]}" "$archive" --to "$folder/v2.ndjson.zst"
"$slipcast" identity --quiet "$folder/identity"
under_valgrind sign 0 convert --quiet "${rows[@]}" "$archive" --sign "$folder/identity" --to "$folder/signed.ndjson"
under_valgrind verify 0 verify --quiet --root "$folder/identity/root.der" "$folder/signed.ndjson"
under_valgrind verify-receipts 1 verify --quiet --root Fixtures/receipts/signed/root.der Fixtures/receipts/signed --include 'receipt.*'
under_valgrind inspect 0 inspect --root Fixtures/receipts/signed/root.der Fixtures/receipts/signed/app-production/receipt.base64
under_valgrind sqlite 0 convert --quiet "${rows[@]}" "$archive" --to "$folder/v2.sqlite" --execute
under_valgrind sqlite-timeline 0 timeline --quiet --format text "$folder/v2.sqlite"
under_valgrind diff 0 diff Fixtures/pairs/price-consent-1-v2-1/v1.json Fixtures/pairs/price-consent-1-v2-1/v2.json --report "$folder/pair.html"
under_valgrind parity 1 parity --quiet --legacy Examples/migration/v1.ndjson --server Examples/migration/v2.ndjson --report "$folder/parity.html"
if [ -n "${SLIPCAST_POSTGRES:-}" ]; then
  under_valgrind postgresql 0 convert --quiet "${rows[@]}" "$archive" --to "$SLIPCAST_POSTGRES" --execute
  under_valgrind postgresql-timeline 0 timeline --quiet --format text "$SLIPCAST_POSTGRES"
else
  echo "skipped postgresql: SLIPCAST_POSTGRES names no server"
fi
exit $failed
