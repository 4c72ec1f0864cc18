#!/usr/bin/env bash
# Ends conversions of an archive in every way: kills, Ctrl-C, full disks, lost servers; and expects that nothing is lost.
# usage: run.sh SLIPCAST [ROUNDS [OPTION…]]; options are those of check.py
set -euo pipefail
slipcast=$1 rounds=${2:-2}
here=$(cd "$(dirname "$0")" && pwd)
bash "$here/../stores/postgresql.sh" python3 "$here/check.py" "$slipcast" --rounds "$rounds" "${@:3}"
