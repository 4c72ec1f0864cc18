#!/usr/bin/env bash
# Renews Tests/fuzz/corpus from what runs of the fuzzer have learnt: for each target the fewest inputs that reach the same.
# usage: keep.sh PROGRAM FOLDER [TARGET…]
set -euo pipefail
program=$1 folder=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
export SWIFT_BACKTRACE=enable=no
targets=("$@")
[ ${#targets[@]} -gt 0 ] || mapfile -t targets < <("$program" --list | cut -f 1)
"$program" --seeds "$folder/seeds"
mkdir -p "$here/corpus" "$folder/logs"
for target in "${targets[@]}"; do
  [ -d "$folder/corpus/$target" ] || continue
  few=$folder/few/$target
  rm -rf "$few"
  mkdir -p "$few"
  limit=$("$program" --list | awk -F '\t' -v name="$target" '$1 == name { print $2 }')
  "$program" "$target" -merge=1 -max_len="$limit" -timeout=20 -rss_limit_mb=3000 "$few" \
    "$folder/seeds/$target" "$folder/corpus/$target" > "$folder/logs/$target-merge.txt" 2>&1
  tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -C "$few" -cf - . | xz -9e > "$here/corpus/$target.tar.xz"
  printf '%-15s %6s inputs %8s bytes\n' "$target" "$(ls "$few" | wc -l)" "$(stat -c %s "$here/corpus/$target.tar.xz")"
done
