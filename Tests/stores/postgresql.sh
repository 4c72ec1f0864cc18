#!/usr/bin/env bash
# Runs a command with a PostgreSQL server of its own: Tests/stores/postgresql.sh swift test --skip-build
#
# The cluster lives in a temporary directory and is gone afterwards, however the command ends. It listens on a socket in
# that directory and on a free port of 127.0.0.1, and asks for a password. SLIPCAST_POSTGRES is its URL.
set -euo pipefail

programs=""
for folder in $(command -v pg_config >/dev/null && pg_config --bindir) /usr/lib/postgresql/*/bin /opt/homebrew/opt/postgresql*/bin; do
  if [ -x "$folder/initdb" ]; then programs="$folder"; fi
done
if [ -z "$programs" ]; then
  echo "$0: there is no initdb; install PostgreSQL's server" >&2
  exit 2
fi

folder="$(mktemp -d "${TMPDIR:-/tmp}/slipcast-postgresql.XXXXXX")"
data="$folder/data"
# PostgreSQL refuses to run as root.
as_owner() { if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi; }
if [ "$(id -u)" = 0 ]; then chown postgres "$folder"; fi

stop() {
  as_owner "$programs/pg_ctl" -D "$data" -m immediate -s stop >/dev/null 2>&1 || true
  rm -rf "$folder"
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

password="pass/word@$RANDOM$RANDOM"
printf '%s\n' "$password" > "$folder/password"
chmod 644 "$folder/password"
cd "$folder"
as_owner "$programs/initdb" -D "$data" -U slipcast -A scram-sha-256 --pwfile="$folder/password" -E UTF8 --locale=C.UTF-8 \
  > "$folder/initdb.log" 2>&1 || { cat "$folder/initdb.log" >&2; exit 2; }

# A port may be taken between the choice and the start, so there are some tries.
for attempt in 1 2 3 4 5 6 7 8 9 10; do
  port=$((20000 + RANDOM % 30000))
  # Nothing here need survive a power cut, unless the caller measures: SLIPCAST_POSTGRES_OPTIONS adds settings.
  if as_owner "$programs/pg_ctl" -D "$data" -s -w -t 60 -l "$data/server.log" \
    -o "-c listen_addresses=127.0.0.1 -p $port -k $folder -c max_connections=50 -c fsync=off -c shared_buffers=256MB ${SLIPCAST_POSTGRES_OPTIONS:-}" start
  then
    break
  fi
  if [ "$attempt" = 10 ]; then cat "$data/server.log" >&2; exit 2; fi
done
cd - >/dev/null

escaped="${password//\//%2F}"
escaped="${escaped//@/%40}"
export SLIPCAST_POSTGRES="postgresql://slipcast:$escaped@127.0.0.1:$port/postgres"
"$@"
