#!/usr/bin/env bash
# Copies the example package to a folder of its own, points it to this checkout, and builds, runs and tests it there.
# usage: consumer.sh [FOLDER]; with FOLDER the copy and what was built are kept there for the next time
set -euo pipefail
top=$(cd "$(dirname "$0")/../../.." && pwd)
fail() { echo "$*" >&2; exit 1; }
if [ $# = 1 ]; then
  mkdir -p "$1"
  folder=$(cd "$1" && pwd)
else
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
fi
package=$folder/elsewhere
mkdir -p "$package"
(cd "$top/Examples/consumer" && tar --exclude=.build -cf - .) | tar -C "$package" -xf -
grep -qF 'path: "../.."' "$package/Package.swift" || fail "the example does not name this checkout any more"
sed -i.bak "s|path: \"../..\"|path: \"$top\"|" "$package/Package.swift"
rm "$package/Package.swift.bak"
cd "$package"

echo "== swift build"
swift build --build-tests 2>&1 | tee "$folder/build.log"
if grep -E '(warning|error):' "$folder/build.log"; then fail "the build warns"; fi

echo "== the program"
consumer=$(swift build --show-bin-path)/consumer
status=0
"$consumer" Records/v1.json Records/v2.json > "$folder/told" || status=$?
cat "$folder/told"
[ "$status" = 0 ] || fail "exit status $status"
grep -q '^notification DID_RENEW' "$folder/told"
grep -q '^loss password ' "$folder/told"
grep -q '^semantic data.renewalInfo.priceIncreaseStatus ' "$folder/told"
grep -qx 'verdict parity' "$folder/told"
sed 's/"expires_date_ms": "17/"expires_date_ms": "16/' Records/v1.json > "$folder/wrong.json"
status=0
"$consumer" "$folder/wrong.json" Records/v2.json > "$folder/told" || status=$?
[ "$status" = 1 ] || fail "exit status $status for a conflict"
grep -q '^conflict data.transactionInfo.expiresDate ' "$folder/told" || fail "it names another conflict"

echo "== its tests"
swift test --skip-build 2>&1 | tail -n 3
