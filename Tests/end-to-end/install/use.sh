#!/usr/bin/env bash
# Uses the slipcast on the PATH for what people come for, on a checkout's records, and keeps what it writes in a folder.
# usage: use.sh CHECKOUT FOLDER
set -euo pipefail
output=$2
mkdir -p "$output"
output=$(cd "$output" && pwd)
cd "$1"
words=$(mktemp)
trap 'rm -f "$words"' EXIT
# expect STATUS COMMAND…: what it says on standard error is shown only when it ends otherwise.
expect() {
  local wanted=$1 status=0
  shift
  "$@" 2> "$words" || status=$?
  [ "$status" = "$wanted" ] || { echo "exit status $status, not $wanted: $*" >&2; cat "$words" >&2; exit 1; }
}

echo "== convert: records, a receipt, an archive of archives"
expect 0 slipcast convert --quiet --exit-zero Fixtures/notifications --include v1.json > "$output/v2.ndjson"
[ "$(wc -l < "$output/v2.ndjson")" -gt 100 ]
tar -czf "$output/records.tar.gz" Examples/migration/v1.ndjson
expect 0 slipcast convert --quiet "$output/records.tar.gz" --to "$output/v2.ndjson.zst"
expect 0 slipcast convert --quiet Examples/migration/v1.ndjson > "$output/cast.ndjson"
rm "$output/records.tar.gz"

echo "== diff: as text, and as a page"
pair=Fixtures/pairs/price-consent-1-v2-1
(cd "$pair" && expect 0 slipcast diff v1.json v2.json --report "$output/diff.html") > "$output/diff.txt"
grep -q '^semantic  1 field' "$output/diff.txt"
grep -q '<html' "$output/diff.html"
pair=Fixtures/pairs/date-expires-off-1-day
expect 1 slipcast diff "$pair/v1.json" "$pair/v2.json" --format junit > "$output/diff.xml"

echo "== verify: a good receipt, and one that was changed"
receipts=Fixtures/receipts/signed
expect 0 slipcast verify --quiet --root "$receipts/root.der" "$receipts/app-production/receipt.base64" > "$output/good.json"
expect 1 slipcast verify --quiet --root "$receipts/root.der" "$receipts/bad-tampered/receipt.base64" > "$output/bad.json"
grep -q signatureMismatch "$output/bad.json"

echo "== parity: files, and databases of SQLite"
expect 1 slipcast parity --legacy Examples/migration/v1.ndjson --server Examples/migration/v2.ndjson > "$output/parity.txt"
grep -q '^CONFLICT' "$output/parity.txt"
# What stands in the database is the cast of the archive, so the two must agree.
expect 0 slipcast convert --quiet Examples/migration/v1.ndjson --to "$output/store.sqlite" --execute
cp Examples/migration/v1.ndjson "$output/"
(cd "$output" && expect 0 slipcast parity --legacy v1.ndjson --server store.sqlite) > "$output/store.txt"
grep -q '^PARITY' "$output/store.txt"
rm "$output/store.sqlite" "$output/v1.ndjson"

echo "== PostgreSQL: a server that is not there is told, and nothing else goes wrong"
expect 2 slipcast convert 'postgres://127.0.0.1:1/nothing?table=rows'
grep -q 'Connection refused' "$words"

echo "== explain"
expect 0 slipcast explain price_consent_status > "$output/explain.txt"
