#!/usr/bin/env bash
# Reads the manual page with man, where man is there, and expects no complaint and every command of the program in it.
# usage: manual.sh FILE; slipcast must be on the PATH
set -euo pipefail
file=$1
command -v man > /dev/null || { echo "man is not there: the page is not read"; exit; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
MANWIDTH=100 LC_ALL=C.UTF-8 man --local-file --warnings --encoding=UTF-8 "$file" > "$folder/page" 2> "$folder/warnings"
[ ! -s "$folder/warnings" ] || { cat "$folder/warnings"; exit 1; }
lexgrog "$file" | grep -q '"slipcast - ' || { echo "its name line cannot be found by apropos"; exit 1; }
# The first column of the list of commands that the program shows.
slipcast --help | sed -n 's/^  \([a-z][a-z ]*[a-z]\)  .*/\1/p' | grep -v '^slipcast' | sort -u > "$folder/commands"
[ "$(wc -l < "$folder/commands")" -gt 5 ] || { echo "the program lists no commands"; exit 1; }
while read -r name; do
  grep -qF -e "$name" "$folder/page" || { echo "the page does not speak of slipcast $name"; exit 1; }
done < "$folder/commands"
echo "man shows $(wc -l < "$folder/page") lines with $(wc -l < "$folder/commands") commands"
