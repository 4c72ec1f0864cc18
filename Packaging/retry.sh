#!/usr/bin/env bash
# Runs a command that needs the network up to three times, with a pause between two attempts.
#
# usage: bash Packaging/retry.sh COMMAND…
set -euo pipefail

for pause in 5 20 0; do
  status=0
  "$@" || status=$?
  [ "$status" != 0 ] || exit 0
  if [ "$pause" != 0 ]; then
    echo "status $status of: $*; next attempt in $pause seconds" >&2
    sleep "$pause"
  fi
done
echo "status $status of: $*; that was the last attempt. Are the package registries reachable?" >&2
exit "$status"
