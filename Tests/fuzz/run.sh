#!/usr/bin/env bash
# Lets libFuzzer try the targets, one after another, and tells what came of it.
# usage: run.sh PROGRAM MINUTES [FOLDER [TARGET…]]   MINUTES for all targets together; FOLDER keeps what was learnt
set -euo pipefail
program=$1 minutes=$2 folder=${3:-.build/fuzz-corpus}
shift $(($# < 3 ? $# : 3))
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder"
# A crash is told by libFuzzer: a second program that unwinds it would wait for an answer.
export SWIFT_BACKTRACE=enable=no
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1
"$program" --seeds "$folder/seeds"
targets=("$@")
[ ${#targets[@]} -gt 0 ] || mapfile -t targets < <("$program" --list | cut -f 1)
seconds=$((minutes * 60 / ${#targets[@]}))
failed=0
printf '%-14s %12s %8s %8s %8s %8s  %s\n' target executions seconds coverage features inputs outcome
for target in "${targets[@]}"; do
  limit=$("$program" --list | awk -F '\t' -v name="$target" '$1 == name { print $2 }')
  mkdir -p "$folder/corpus/$target" "$folder/findings" "$folder/logs"
  inputs_of_target=("$folder/corpus/$target" "$folder/seeds/$target")
  [ ! -d "$here/regressions/$target" ] || inputs_of_target+=("$here/regressions/$target")
  log=$folder/logs/$target.txt
  options=(-max_total_time="$seconds" -max_len="$limit" -timeout=20 -rss_limit_mb=3000 -print_final_stats=1)
  [ ! -s "$folder/seeds/$target.dict" ] || options+=(-dict="$folder/seeds/$target.dict")
  outcome=fine
  ASAN_OPTIONS=allocator_may_return_null=1 "$program" "$target" "${options[@]}" \
    -artifact_prefix="$folder/findings/$target-" "${inputs_of_target[@]}" > "$log" 2>&1 || outcome="FOUND: $(grep -a -m 1 -oE 'violation: .{0,120}|ERROR: .{0,120}|Fatal error.{0,120}' "$log" || tail -n 1 "$log")"
  [ "$outcome" = fine ] || failed=1
  last=$(grep -a -E '^#[0-9]+.*cov: ' "$log" | tail -n 1 || true)
  read -r runs spent < <(awk '/stat::number_of_executed_units/ { n = $2 } /^Done/ { s = $5 } END { print n + 0, s + 0 }' "$log")
  read -r coverage features inputs < <(sed -E 's/.*cov: ([0-9]+) ft: ([0-9]+) corp: ([0-9]+).*/\1 \2 \3/' <<< "${last:-0 0 0}")
  printf '%-14s %12s %8s %8s %8s %8s  %s\n' "$target" "$runs" "$spent" "$coverage" "$features" "$inputs" "$outcome"
done
exit $failed
