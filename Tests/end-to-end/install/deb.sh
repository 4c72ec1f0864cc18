#!/usr/bin/env bash
# Installs the Debian package in a bare system, uses it there, removes it, and expects nothing of it to stay behind.
# usage: deb.sh PACKAGE SLIPCAST; SLIPCAST, run on this machine, says what the installed command must write. Needs root.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=chroot.sh
. "$here/chroot.sh"
[ $# = 2 ] || { sed -n '3p' "$0" >&2; exit 2; }
package=$(realpath "$1") slipcast=$(realpath "$2")
need_chroot
fail() { echo "$*" >&2; exit 1; }
folder=$(mktemp -d)
trap 'rm -rf --one-file-system "$folder"' EXIT
root=$folder/root

echo "== the package"
dpkg-deb --info "$package" | sed -n '/Package:/,/Description:/p'
[ -z "$(dpkg-deb --contents "$package" | awk '$2 != "root/root"')" ] || fail "not everything in it belongs to root"
dpkg-deb --contents "$package" | awk '{ print $1, $6 }' > "$folder/contents"
sort -k 2 "$folder/contents"

echo "== a bare system"
fresh_root "$root"
if in_root "$root" sh -c 'command -v swift || command -v cc || command -v man'; then fail "it is not bare"; fi
# What apt and the linker keep for themselves is nothing of the package's.
files() { (cd "$root" && find . -path ./dev -prune -o -path ./proc -prune -o -path ./checkout -prune -o \( -type f -o -type l \) -print) |
  grep -vE '^\./var/(cache|log|lib/(apt|dpkg))/|^\./etc/ld\.so\.cache$|^\./tmp/' | LC_ALL=C sort; }
files > "$folder/before"
mkdir "$root/checkout"
tar -C "$top" -cf - Fixtures Examples/migration Tests/end-to-end/install | tar -C "$root/checkout" -xf -
cp "$package" "$root/checkout/package.deb"

echo "== apt installs it with what it needs, and nothing else is needed"
in_root_install "$root" /checkout/package.deb
in_root "$root" dpkg-query -W -f '${Status} ${Version}\n' slipcast
version=$(in_root "$root" dpkg-query -W -f '${Version}' slipcast)
[ "$(in_root "$root" slipcast --version)" = "slipcast $version" ] || fail "the command and its package differ in version"
in_root "$root" dpkg --verify slipcast
if in_root "$root" ldd /usr/bin/slipcast | grep -E 'libswift|not found'; then fail "it cannot stand alone"; fi
in_root "$root" bash /checkout/Tests/end-to-end/install/use.sh /checkout /tmp/output
mkdir "$folder/bin"
ln -s "$slipcast" "$folder/bin/slipcast"
PATH=$folder/bin:$PATH bash "$here/use.sh" "$top" "$folder/output" > /dev/null
diff -r "$folder/output" "$root/tmp/output" || fail "it writes something else than on this machine"
rm -r "$root/tmp/output"

echo "== removed: nothing stays behind"
in_root "$root" apt-get purge -y -qq --auto-remove slipcast > "$folder/purge.log"
files > "$folder/after"
diff "$folder/before" "$folder/after" || fail "that stayed behind"
if in_root "$root" dpkg -s slipcast > /dev/null 2>&1; then fail "dpkg still knows it"; fi

echo "== the manual and the completions, where man and the shells find them"
in_root_install "$root" /checkout/package.deb man-db bash-completion zsh fish
[ "$(in_root "$root" man -w slipcast)" = /usr/share/man/man1/slipcast.1.gz ] || fail "man does not find the page"
in_root "$root" sh -c 'mandb --quiet; whatis slipcast'
in_root "$root" bash /checkout/Tests/end-to-end/install/manual.sh /usr/share/man/man1/slipcast.1.gz
in_root "$root" bash /checkout/Tests/end-to-end/install/completions.sh /usr/share /usr/share/zsh/vendor-completions
in_root "$root" apt-get purge -y -qq slipcast > "$folder/purge.log"
left=$(files | grep -i slipcast) || true
[ -z "$left" ] || fail "that stayed behind: $left"
echo "installed, used, and removed without a trace"
