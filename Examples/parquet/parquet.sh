#!/usr/bin/env bash
# Converts an archive and writes its events as Parquet: DuckDB loads the CSV into the typed table of `slipcast schema`.
# usage: parquet.sh EVENTS.parquet INPUT… [OPTION of slipcast convert…]
set -euo pipefail
if [ $# -lt 2 ]; then sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; fi
target=$(realpath "$1")
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Status 1: some records were rejected, and the table of counts says how many.
slipcast convert "$@" --to "$folder/events.csv" || [ $? -eq 1 ]
slipcast schema events.csv --sql duckdb > "$folder/events.sql"
cd "$folder"
{
  cat events.sql
  sed -n 's/^--   //p' events.sql
  echo "COPY events TO '${target//\'/\'\'}' (FORMAT parquet, COMPRESSION zstd);"
} | duckdb -bail -batch
