#!/usr/bin/env bash
# Lays what this package declares of libxml2 beside libxml2's own headers, with the compiler that reads it for Swift.
# usage: headers.sh
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
compare() { clang -std=c11 -Wall -Wextra -Werror -fsyntax-only -isystem /usr/include/libxml2 "$1"; }
compare "$here/headers.c"
# A wrong declaration must not pass.
mkdir -p "$folder/Tests/install" "$folder/Sources/CSlipcastXML"
cp "$here/headers.c" "$folder/Tests/install/"
sed 's/int xmlSaveClose/long xmlSaveClose/' "$here/../../Sources/CSlipcastXML/shim.h" > "$folder/Sources/CSlipcastXML/shim.h"
if compare "$folder/Tests/install/headers.c" 2> "$folder/words"; then echo "wrong declarations pass"; exit 1; fi
grep -q "conflicting types for 'xmlSaveClose'" "$folder/words"
echo "libxml2 is what this package declares of it"
