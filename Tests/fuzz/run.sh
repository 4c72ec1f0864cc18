#!/usr/bin/env bash
# Lets libFuzzer try the targets, one after another, and prints a line for each run.
# usage: run.sh PLAIN ADDRESS MINUTES FOLDER [TARGET…]
# PLAIN and ADDRESS are the programs without and with AddressSanitizer; `-` leaves one out. The first one gets three quarters
# of the MINUTES, which are for all targets together. FOLDER keeps what was learnt; it starts with Tests/fuzz/corpus.
set -euo pipefail
plain=$1 address=$2 minutes=$3 folder=$4
shift 4
here=$(cd "$(dirname "$0")" && pwd)
program=$plain
[ "$program" != - ] || program=$address
mkdir -p "$folder/corpus" "$folder/findings" "$folder/logs"
# libFuzzer reports a crash: a second program that unwinds it would wait for an answer.
export SWIFT_BACKTRACE=enable=no
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1
"$program" --seeds "$folder/seeds"
targets=("$@")
[ ${#targets[@]} -gt 0 ] || mapfile -t targets < <("$program" --list | cut -f 1)
total=$((minutes * 60 / ${#targets[@]}))
failed=0

# Tries one target with one program for a number of seconds.
try() {
  local target=$1 name=$2 program=$3 seconds=$4 limit log outcome=fine last runs spent coverage features inputs
  limit=$("$program" --list | awk -F '\t' -v name="$target" '$1 == name { print $2 }')
  local folders=("$folder/corpus/$target" "$folder/seeds/$target")
  [ ! -d "$here/regressions/$target" ] || folders+=("$here/regressions/$target")
  log=$folder/logs/$target-$name.txt
  local options=(-max_total_time="$seconds" -max_len="$limit" -timeout=20 -rss_limit_mb=3000 -reload=0 -print_final_stats=1)
  [ ! -s "$folder/seeds/$target.dict" ] || options+=(-dict="$folder/seeds/$target.dict")
  ASAN_OPTIONS=allocator_may_return_null=1 "$program" "$target" "${options[@]}" \
    -artifact_prefix="$folder/findings/$target-" "${folders[@]}" > "$log" 2>&1 \
    || outcome="FOUND: $(grep -a -m 1 -oE 'violation: .{0,120}|ERROR: .{0,120}|Fatal error.{0,120}' "$log" || tail -n 1 "$log")"
  [ "$outcome" = fine ] || failed=1
  last=$(grep -a -E '^#[0-9]+.*cov: ' "$log" | tail -n 1 || true)
  read -r runs spent < <(awk '/stat::number_of_executed_units/ { n = $2 } /^Done/ { s = $5 } END { print n + 0, s + 0 }' "$log")
  read -r coverage features inputs < <(sed -E 's/.*cov: ([0-9]+) ft: ([0-9]+) corp: ([0-9]+).*/\1 \2 \3/' <<< "${last:-0 0 0}")
  printf '%-15s %-8s %12s %8s %8s %8s %8s %8s  %s\n' "$target" "$name" "$runs" "$spent" \
    $((runs / (spent > 0 ? spent : 1))) "$coverage" "$features" "$inputs" "$outcome"
}

printf '%-15s %-8s %12s %8s %8s %8s %8s %8s  %s\n' target program executions seconds a-second coverage features inputs outcome
for target in "${targets[@]}"; do
  mkdir -p "$folder/corpus/$target"
  [ ! -f "$here/corpus/$target.tar.xz" ] || tar -xJf "$here/corpus/$target.tar.xz" --skip-old-files -C "$folder/corpus/$target"
  if [ "$plain" = - ] || [ "$address" = - ]; then
    try "$target" "$([ "$plain" = - ] && echo address || echo plain)" "$program" "$total"
  else
    try "$target" plain "$plain" $((total * 3 / 4))
    try "$target" address "$address" $((total / 4))
  fi
done
exit $failed
