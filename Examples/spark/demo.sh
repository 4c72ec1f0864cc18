#!/usr/bin/env bash
# Converts an archive of 20,000 records on this machine's cores, to Parquet, and shows what came of it.
# usage: demo.sh SLIPCAST PYTHON DIRECTORY
set -euo pipefail
slipcast=$(realpath "$1") python=$(realpath -s "$2") directory=$3
here=$(cd "$(dirname "$0")" && pwd)
export PYSPARK_PYTHON=$python
export PYSPARK_SUBMIT_ARGS="--conf spark.ui.enabled=false --conf spark.ui.showConsoleProgress=false pyspark-shell"

rm -rf "$directory" && mkdir -p "$directory"
echo "== make_archive.py: 20,000 records in four files, one in forty of them broken"
"$python" "$here/make_archive.py" 20000 "$directory/archive"
ls -lh "$directory/archive" | tail -n +2

echo "== slipcast_job.py: JSON lines to Parquet, repeated deliveries apart (takes a moment)"
"$python" "$here/slipcast_job.py" --slipcast "$slipcast" --output-format parquet --dedupe \
  "file://$(realpath "$directory")/archive" "file://$(realpath "$directory")/v2" 2> "$directory/log" \
  || { tail -n 40 "$directory/log" >&2; exit 1; }

echo "== what was written"
du -sh "$directory"/v2/kind=*

echo "== the most frequent events, from the Parquet files; one converted record; one reject (both cut)"
"$python" - "$directory/v2" <<'PYTHON'
import sys
import pyarrow.dataset as dataset

rows = dataset.dataset(sys.argv[1], partitioning="hive")
kind = dataset.field("kind")
events = rows.to_table(filter=kind == "converted", columns=["notificationType", "subtype"]).to_pylist()
counted = {}
for event in events:
    counted[tuple(event.values())] = counted.get(tuple(event.values()), 0) + 1
for (name, subtype), count in sorted(counted.items(), key=lambda item: -item[1])[:6]:
    print(f"{count:>8,}  {name} {subtype or ''}")
for which in ("converted", "rejected"):
    print(rows.head(1, filter=kind == which, columns=["body"])["body"][0].as_py()[:200] + "…")
PYTHON
