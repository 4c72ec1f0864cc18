#!/usr/bin/env bash
# Makes the archives of the tutorial anew, and runs the steps of ci.yml; its text is followed by Tests/docs.
# usage: run.sh SLIPCAST
set -euo pipefail
slipcast=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
example=$root/Examples/migration
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PYTHONDONTWRITEBYTECODE=1

echo "== the archives are what make.py makes"
mkdir "$folder/made" "$folder/made/Tests" "$folder/made/Examples"
cp -R "$root/Tests/parity" "$folder/made/Tests/"
cp -R "$example" "$folder/made/Examples/"
rm "$folder/made/Examples/migration/"*.ndjson
python3 "$folder/made/Examples/migration/make.py"
for archive in "$example"/*.ndjson; do cmp "$archive" "$folder/made/Examples/migration/${archive##*/}"; done

echo "== the steps of ci.yml"
mkdir -p "$folder/job/parity" "$folder/bin"
ln -s "$slipcast" "$folder/bin/slipcast"
gzip -c "$example/v1-fixed.ndjson" > "$folder/job/v1.ndjson.gz"
gzip -c "$example/v2.ndjson" > "$folder/job/v2.ndjson.gz"
cp "$example/known.json" "$folder/job/parity/"
# step NAME: runs a step as a runner does.
step() {
  python3 "$here/job.py" "$example/ci.yml" "$1" > "$folder/step.sh"
  (cd "$folder/job" && PATH="$folder/bin:$PATH" GITHUB_STEP_SUMMARY="$folder/summary" bash -e "$folder/step.sh")
}
step Compare > "$folder/words" 2>&1 || { cat "$folder/words"; exit 1; }
step "Show the summary"
grep -q '^## ✅ Parity' "$folder/summary"
for report in report.html junit.xml; do [ -s "$folder/job/$report" ]; done
gzip -c "$example/v1.ndjson" > "$folder/job/v1.ndjson.gz"
if step Compare > "$folder/words" 2>&1; then echo "the job lets the first archives pass"; exit 1; fi
head -n 47 "$example/v1-fixed.ndjson" | gzip -c > "$folder/job/v1.ndjson.gz"
if step Compare > "$folder/words" 2>&1; then echo "the job lets half an archive pass"; exit 1; fi
: | gzip -c > "$folder/job/v1.ndjson.gz"
if step Compare > "$folder/words" 2>&1; then echo "the job lets an empty archive pass"; exit 1; fi
echo "green with the repaired archive; red with the first, with half of it, and with an empty one"
