#!/usr/bin/env bash
# Opens reports in a browser and in a JUnit reader: of `slipcast diff`, for a pair that agrees and one whose V2 side
# lies, and the recorded ones of two archives.
# usage: run.sh SLIPCAST PYTHON [SCREENSHOT_FOLDER]
set -euo pipefail
slipcast=$1 python=$2 screenshots=${3:-}
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
legacy=$root/Fixtures/notifications/did-renew-2025-deprecation/v1.json
hostile='<script>window.__pwned=1</script><img src=x onerror=window.__pwned=1>'

"$slipcast" convert --quiet --plain "$legacy" > "$folder/agreeing.json"
# The V2 record with another product, whose id would be a script if anybody took it for one.
"$python" - "$folder/agreeing.json" "$hostile" > "$folder/lying.json" <<'PYTHON'
import json, sys
record = json.load(open(sys.argv[1], encoding="utf-8"))
record["data"]["transactionInfo"]["productId"] = sys.argv[2]
print(json.dumps(record))
PYTHON

# Exit status 1 says that there are differences.
compare() {
  "$slipcast" diff "$legacy" "$folder/$1.json" --report "$folder/$1.xml" --report "$folder/$1.html" > /dev/null ||
    [ $? = 1 ]
}
look() {
  local arguments=("$folder/$1.xml" "$folder/$1.html" "${@:2}")
  [ -z "$screenshots" ] || arguments+=(--screenshots "$screenshots/$1")
  "$python" "$here/check.py" "${arguments[@]}"
}
compare agreeing
compare lying

archives=$folder/archives
for case in "$root/Fixtures/parity/reports"/*; do
  mkdir -p "$archives/${case##*/}"
  cp "$case/report.xml" "$archives/${case##*/}/"
  "$python" "$here/whole.py" "$case/report.html" "$archives/${case##*/}/report.html"
done

pairs() {
  echo "== a pair that agrees"
  look agreeing
  echo "== a pair whose V2 side lies"
  look lying --text "$hostile"
}
both() {
  for case in "$archives"/*; do
    echo "== two archives: ${case##*/}"
    local arguments=(--parity "$case/report.xml" "$case/report.html")
    [ "${case##*/}" != hostile ] || arguments+=(--text "$hostile")
    [ -z "$screenshots" ] || arguments+=(--screenshots "$screenshots/parity-${case##*/}")
    "$python" "$here/check.py" "${arguments[@]}"
  done
}

# A browser mostly waits: several at once take little more time than one.
itself() {
  echo "== the check checks itself"
  "$python" "$here/check.py" --self-test "$folder/lying.xml" "$folder/lying.html"
}
archives_itself() {
  echo "== the check of two archives checks itself"
  "$python" "$here/check.py" --self-test --parity "$archives/findings/report.xml" "$archives/findings/report.html"
}
jobs=()
for part in itself archives_itself pairs both; do
  (set -e; "$part") > "$folder/$part.txt" 2>&1 &
  jobs+=("$!")
done
status=0
for job in "${jobs[@]}"; do wait "$job" || status=$?; done
cat "$folder"/{itself,archives_itself,pairs,both}.txt
exit "$status"
