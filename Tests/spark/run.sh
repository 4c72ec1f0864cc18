#!/usr/bin/env bash
# The Spark job on a cluster of one master and two workers, beside one slipcast on one machine.
# usage: run.sh SLIPCAST PYTHON
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
exec "$2" "$here/test_spark.py" "$1" "$2"
