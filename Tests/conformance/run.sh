#!/usr/bin/env bash
# Has OpenSSL's own command judge what `slipcast verify` judges.
# usage: run.sh SLIPCAST [OPTION…]; options are those of check.py
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
openssl version
python3 "$here/check.py" "$1" "$here/../../Fixtures" "${@:2}"
