#!/usr/bin/env bash
# Starves, interrupts, floods and deceives every command, and expects no crash, no hang, and nothing lost.
# usage: run.sh SLIPCAST [quick|full [OPTION…]]; options are those of check.py
set -euo pipefail
slipcast=$1 extent=${2:-quick}
here=$(cd "$(dirname "$0")" && pwd)
python3 "$here/check.py" "$slipcast" "$extent" "${@:3}"
