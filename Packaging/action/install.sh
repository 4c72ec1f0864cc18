#!/usr/bin/env bash
# Puts slipcast on the PATH of the job's next steps.
# environment: ARCHIVE, SHA256 (inputs of action.yml), ACTION_REPOSITORY, ACTION_REF, and what every runner provides
set -euo pipefail
fail() { echo "::error title=slipcast::$*"; exit 2; }
if [ -z "${ARCHIVE:-}" ]; then
  if command -v slipcast > /dev/null; then
    slipcast --version
    exit 0
  fi
  # The release of a version is tagged vVERSION.
  [[ -n ${ACTION_REPOSITORY:-} && ${ACTION_REF:-} =~ ^v?[0-9]+\.[0-9]+\.[0-9]+ ]] ||
    fail "the action was not referenced by a version: name the download with the input archive"
  releases=$GITHUB_SERVER_URL/$ACTION_REPOSITORY/releases/download
  ARCHIVE=$releases/$ACTION_REF/slipcast-${ACTION_REF#v}-linux-$(uname -m).tar.gz
fi
folder=$RUNNER_TEMP/slipcast-program
rm -rf "$folder"
mkdir -p "$folder"
file=${ARCHIVE##*/}
# get ADDRESS-OR-PATH
get() {
  case $1 in
    https://* | file://*) curl --fail --silent --show-error --location --retry 3 --output "$folder/${1##*/}" "$1" ;;
    *) cp "$1" "$folder/${1##*/}" ;;
  esac
}
get "$ARCHIVE" || fail "the download did not arrive: $ARCHIVE"
if [ -n "${SHA256:-}" ]; then
  echo "$SHA256  $file" > "$folder/SHA256SUMS"
else
  get "${ARCHIVE%/*}/SHA256SUMS" || fail "SHA256SUMS is not beside the download; name its sum with the input sha256"
fi
grep -F "  $file" "$folder/SHA256SUMS" > "$folder/sum" || fail "SHA256SUMS does not name $file"
(cd "$folder" && sha256sum --check --strict sum) || fail "the download is not the expected one"
tar -xzf "$folder/$file" -C "$folder"
rm "$folder/$file"
program=$(echo "$folder"/slipcast-*/bin)
"$program/slipcast" --version
echo "$program" >> "$GITHUB_PATH"
