#!/usr/bin/env bash
# linked.sh PROGRAM COPY: a copy that needs all libraries of the program, also those that it loads later (Sources/CSlipcastLater),
# for tools that ask a program which libraries it needs.
set -euo pipefail

cp "$1" "$2"
for name in $(readelf -p .note.dlopen "$1" | grep -o '"soname":\["[^"]*"' | cut -d '"' -f 4); do
  patchelf --add-needed "$name" "$2"
done
