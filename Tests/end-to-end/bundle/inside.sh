#!/usr/bin/env bash
# In a bare system, with the download on the PATH: databases, certificates, time zones, locales.
# usage: inside.sh DATABASE ENDPOINT: a PostgreSQL server with TLS, and `slipcast serve` with TLS
set -euo pipefail
database=$1 endpoint=$2
cd /checkout
words=$(mktemp)
fail() { echo "$*" >&2; cat "$words" >&2; exit 1; }
# expect STATUS COMMAND…
expect() {
  local wanted=$1 status=0
  shift
  "$@" 2> "$words" || status=$?
  [ "$status" = "$wanted" ] || fail "exit status $status, not $wanted: ${*//$database/DATABASE}"
}
archive=Examples/migration/v1.ndjson
roots=/etc/ssl/certs/ca-certificates.crt

echo "== PostgreSQL by TCP, then by TLS with the system's certificates"
expect 0 slipcast convert --quiet "$archive" --to "$database" --execute
expect 0 slipcast parity --legacy "$archive" --server "$database" > /tmp/parity
grep -q '^PARITY' /tmp/parity || fail "the database differs from the archive"
trusted=${database/127.0.0.1/localhost}?sslmode=verify-full
expect 0 slipcast parity --legacy "$archive" --server "$trusted&sslrootcert=$roots" > /tmp/parity
expect 2 slipcast parity --legacy "$archive" --server "$trusted&sslrootcert=/checkout/stranger.pem" > /tmp/parity
grep -q 'certificate verify failed' "$words" || fail "another message"

echo "== HTTPS with the system's certificates, which nothing names"
send() { "$@" slipcast replay --raw "$archive" --to "$endpoint" --retry-seconds 1 --missing /tmp/missing --execute; }
expect 0 send
expect 0 send env SSL_CERT_FILE="$roots"
expect 1 send env SSL_CERT_FILE=/checkout/stranger.pem
[ "$(grep -c 'SSL certificate problem' /tmp/missing)" = 90 ] || fail "the certificate is not the reason"

echo "== time zones and locales change nothing"
slipcast timeline --quiet --format text "$archive" > /tmp/plain
[ -s /tmp/plain ]
for settings in TZ=Asia/Tokyo TZ=America/St_Johns TZ=:/nowhere LC_ALL=tr_TR.UTF-8 LC_ALL=de_DE.ISO-8859-1 LANG=xx; do
  env "$settings" slipcast timeline --quiet --format text "$archive" > /tmp/other 2> "$words" || fail "$settings"
  cmp /tmp/plain /tmp/other || fail "$settings changes the output"
done

echo "== a name that nobody knows is an error, not a crash"
expect 2 slipcast convert 'postgres://no-such-host.invalid/x?table=y'
grep -q 'could not translate host name' "$words" || fail "another message"
