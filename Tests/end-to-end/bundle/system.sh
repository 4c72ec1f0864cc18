#!/usr/bin/env bash
# The download in a bare system of another release: nothing is installed, the folder is only mounted.
# usage: system.sh make CODENAME | system.sh use CODENAME SLIPCAST FOLDER CERTIFICATES DATABASE ENDPOINT. Needs root.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=../install/chroot.sh
. "$here/../install/chroot.sh"
need_chroot
system=$2
make_bare "$system"
[ "$1" = use ] || exit 0
slipcast=$3 bundle=$4 certificates=$5 database=$6 endpoint=$7
fail() { echo "$*" >&2; exit 1; }
folder=$(mktemp -d)
trap 'rm -rf --one-file-system "$folder"' EXIT
root=$folder/root
cp -a --reflink=auto "$chroots/$system" "$root"

echo "== what it finds there: the system's certificates with one more, and a list of name services that leads nowhere"
mkdir -p "$root/checkout" "$root/usr/local/share/ca-certificates"
tar -C "$top" -cf - Fixtures Examples/migration Tests/end-to-end/{install,bundle} | tar -C "$root/checkout" -xf -
cp "$certificates/authority.pem" "$root/usr/local/share/ca-certificates/slipcast-test.crt"
cp "$certificates/stranger.pem" "$root/checkout/"
in_root "$root" update-ca-certificates > "$folder/certificates.log" 2>&1
printf '127.0.0.1 localhost\n' > "$root/etc/hosts"
printf 'hosts: nowhere\npasswd: nowhere\n' > "$root/etc/nsswitch.conf"
if in_root "$root" slipcast --version 2> /dev/null; then fail "the system has a slipcast of its own"; fi

echo "== the main commands write what they write on this machine"
BIND=$bundle in_root "$root" bash /checkout/Tests/end-to-end/install/use.sh /checkout /tmp/output
mkdir "$folder/bin"
ln -s "$slipcast" "$folder/bin/slipcast"
PATH=$folder/bin:$PATH bash "$here/../install/use.sh" "$top" "$folder/output" > /dev/null
diff -r "$folder/output" "$root/tmp/output" || fail "it writes something else than on this machine"

BIND=$bundle in_root "$root" bash /checkout/Tests/end-to-end/bundle/inside.sh "$database" "$endpoint"
release=$(. "$root/etc/os-release" && echo "$PRETTY_NAME")
echo "$release, $(in_root "$root" ldd --version | sed -n '1s/.* /C library /p')"
