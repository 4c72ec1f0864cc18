#!/usr/bin/env bash
# Installs into a prefix of its own, uses what is there, and takes it away again. Needs no root.
# usage: run.sh SLIPCAST
set -euo pipefail
slipcast=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "$*" >&2; exit 1; }

# A prefix with a blank in it, and a stage as packagers use it.
prefix="$folder/of my own"
install_into() { PREFIX=$1 DESTDIR=${2:-} bash "$top/Packaging/install.sh" install "$slipcast" | sort > "$folder/placed"; }
uninstall_from() { PREFIX=$1 DESTDIR=${2:-} bash "$top/Packaging/install.sh" uninstall; }

echo "== into a prefix"
mkdir -p "$prefix/bin"
touch "$prefix/bin/neighbour"
(umask 077 && install_into "$prefix")
find "$prefix" -type f ! -name neighbour | sort | cmp - "$folder/placed" || fail "what it says is not what it did"
[ "$(wc -l < "$folder/placed")" = 5 ] || fail "five files are expected: $(cat "$folder/placed")"
[ -z "$(find "$prefix" -mindepth 2 -type d ! -perm 755)" ] || fail "others cannot enter its folders"
[ -z "$(find "$prefix/share" -type f ! -perm 644)" ] || fail "modes under share"
[ "$(stat -c %a "$prefix/bin/slipcast")" = 755 ] || fail "mode of the command"

echo "== the command there"
PATH=$prefix/bin:$PATH
[ "$(command -v slipcast)" = "$prefix/bin/slipcast" ]
[ "$(slipcast --version)" = "$("$slipcast" --version)" ] || fail "another version"
[ "$(stat -c %s "$prefix/bin/slipcast")" -lt "$(stat -c %s "$slipcast")" ] || fail "it was not stripped"
if ldd "$prefix/bin/slipcast" | grep -E 'libswift|not found'; then fail "it cannot stand alone"; fi
if readelf -d "$prefix/bin/slipcast" | grep -E 'RPATH|RUNPATH'; then fail "it looks for libraries in places of its own"; fi
"$here/use.sh" "$top" "$folder/here" > /dev/null
PATH=$(dirname "$slipcast"):$PATH "$here/use.sh" "$top" "$folder/there" > /dev/null
diff -r "$folder/here" "$folder/there" || fail "the installed command writes something else"

echo "== its manual and its completions"
bash "$here/manual.sh" "$prefix/share/man/man1/slipcast.1"
bash "$here/completions.sh" "$prefix/share" "$prefix/share/zsh/site-functions"

echo "== again, over itself"
install_into "$prefix"

echo "== taken away"
uninstall_from "$prefix"
[ "$(find "$prefix" -mindepth 1 | sort | tr '\n' ' ')" = "$prefix/bin $prefix/bin/neighbour " ] ||
  fail "it left: $(find "$prefix" -mindepth 1)"
uninstall_from "$prefix"

echo "== staged for a package"
install_into /usr/local "$folder/stage"
[ -x "$folder/stage/usr/local/bin/slipcast" ] || fail "DESTDIR is not heeded"
uninstall_from /usr/local "$folder/stage"
[ -z "$(find "$folder/stage" -type f)" ] || fail "it left files in the stage"
[ -d "$folder/stage/usr/local/bin" ] || fail "it took away folders of the system"

echo "== refused"
status=0
PREFIX=relative bash "$top/Packaging/install.sh" install "$slipcast" 2> /dev/null || status=$?
if [ "$status" != 2 ] || [ -e relative ]; then fail "a relative prefix was taken"; fi
status=0
PREFIX=$prefix bash "$top/Packaging/install.sh" install "$folder/nothing" 2> /dev/null || status=$?
[ "$status" = 2 ] || fail "a command that is not there was installed"
echo "installed, used, and taken away without a trace"
