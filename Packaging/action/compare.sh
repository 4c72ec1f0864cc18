#!/usr/bin/env bash
# Compares two archives, shows the report as the step's summary, and ends with the exit status of slipcast.
# environment: LEGACY, SERVER, BASELINE, OPTIONS, REPORTS (inputs of action.yml), and what every runner provides
set -euo pipefail
reports=${REPORTS:-$RUNNER_TEMP/slipcast-reports}
mkdir -p "$reports"
rm -f "$reports"/{report.html,junit.xml,summary.md,parity.json,report.txt,messages.txt}
words=()
# each LINES [OPTION]: a word for each line; nothing in it is expanded.
each() {
  local line
  while IFS= read -r line; do
    line=${line%$'\r'}
    [ -z "$line" ] || words+=(${2:+"$2"} "$line")
  done <<< "$1"
}
each "$LEGACY" --legacy
each "$SERVER" --server
each "${BASELINE:-}" --baseline
each "${OPTIONS:-}"
status=0
slipcast parity "${words[@]}" --report "$reports/report.html" --report "$reports/junit.xml" \
  --report "$reports/summary.md" --report "$reports/parity.json" \
  > "$reports/report.txt" 2> "$reports/messages.txt" || status=$?
# The report and messages name members of the archives, and a runner reads commands in all that a step prints: none may begin there.
harmless() { LC_ALL=C sed -e 's/##\[/# #[/g' -e 's/::/: :/g' "$@"; }
token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
echo "::stop-commands::$token"
LC_ALL=C tr '\r' ' ' < "$reports/report.txt" | harmless
LC_ALL=C tr '\r' ' ' < "$reports/messages.txt" | harmless >&2
echo "::$token::"

# number NAME: the first member of that name; the counts precede all samples.
number() { grep -oE "\"$1\": *[0-9]+" "$reports/parity.json" | sed -n '1s/.*[^0-9]//p'; }
output() { echo "$1=$2" >> "$GITHUB_OUTPUT"; }
output reports "$reports"
if [ -s "$reports/parity.json" ]; then
  output verdict "$(grep -oE '"verdict": *"[A-Za-z]+"' "$reports/parity.json" | sed -n '1s/.*"\(.*\)"/\1/p')"
  output agreeing "$(number matched)"
  output conflicting "$(number conflicting)"
  output only-legacy "$(number legacyWithoutServer)"
  output only-server "$(number serverWithoutLegacy)"
  output locked-out "$(number legacyOnly)"
  output served-for-free "$(number serverOnly)"
  cat "$reports/summary.md" >> "$GITHUB_STEP_SUMMARY"
else
  output verdict not-done
  printf '## ❌ slipcast did not compare the archives\n\n' >> "$GITHUB_STEP_SUMMARY"
  sed 's/^/    /' "$reports/messages.txt" >> "$GITHUB_STEP_SUMMARY"
  echo "::error title=slipcast::$(head -n 1 "$reports/messages.txt" | LC_ALL=C tr '\r' ' ' | harmless | sed 's/%/%25/g')"
fi
exit "$status"
