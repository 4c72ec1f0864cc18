#!/usr/bin/env bash
# Compares planted archives and expects the exact truth: with and without differences, one job or two, any order, zipped.
# usage: run.sh SLIPCAST [EVENTS [SEED]]
set -euo pipefail
slipcast=$1 events=${2:-20000} seed=${3:-1}
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# parity EXPECTED-STATUS RESULT OPTION…: runs the command and insists on its exit status.
parity() {
  local expected=$1 result=$2 status=0
  shift 2
  # Torn records are part of every delivery here.
  "$slipcast" parity --format json --max-rejects 10% "$@" > "$result" 2> "$folder/words" || status=$?
  if [ "$status" != "$expected" ]; then
    echo "parity $*: exit status $status, not $expected"
    tail -5 "$folder/words"
    exit 1
  fi
}

failed=0
# judge NAME ARGUMENT-OF-CHECK…
judge() {
  echo "$1"
  python3 "$here/check.py" "${@:2}" | sed 's/^/  /' || failed=1
}

# case_of NAME EXPECTED-STATUS OPTION-OF-PLANT…
case_of() {
  local name=$1 expected=$2 data="$folder/$1"
  shift 2
  python3 "$here/plant.py" --events "$events" --seed "$seed" --out "$data" "$@"
  parity "$expected" "$data/one.json" --legacy "$data/v1.ndjson" --server "$data/v2.ndjson" --jobs 1
  parity "$expected" "$data/two.json" --legacy "$data/v1.ndjson" --server "$data/v2.ndjson" --jobs 2
  cmp "$data/one.json" "$data/two.json" || failed=1
  judge "$name" "$data/one.json" "$data/truth.json"
  mkdir "$data/shuffled"
  for side in v1 v2; do
    shuf --random-source="$data/v2.ndjson" "$data/$side.ndjson" | gzip -1 > "$data/shuffled/$side.ndjson.gz"
  done
  parity "$expected" "$data/shuffled.json" --jobs 2 \
    --legacy "$data/shuffled/v1.ndjson.gz" --server "$data/shuffled/v2.ndjson.gz"
  judge "$name, shuffled and zipped" --counts "$data/shuffled.json" "$data/truth.json"
  rm -rf "$data"
}

case_of "nothing planted" 0 --mismatches 0
case_of "some planted" 1 --mismatches 0.03
case_of "many planted, short lists" 1 --mismatches 0.4 --history 4 --lean
case_of "rough delivery" 1 --mismatches 0.05 --losses 0.1 --repeats 0.2 --torn 0.02
exit "$failed"
