#!/usr/bin/env bash
# Makes a Debian package of the command: what install.sh installs, with the dependencies that its libraries ask for.
# usage: deb.sh SLIPCAST FOLDER
# environment: DEBFULLNAME and DEBEMAIL say who maintains the package; else the checkout's author does
set -euo pipefail
slipcast=$(realpath "$1") output=$2
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/.." && pwd)
umask 022
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root doc=$work/root/usr/share/doc/slipcast

version=$("$slipcast" --version)
version=${version#slipcast }
architecture=$(dpkg --print-architecture)
holder=$(sed -n 's/^Copyright (c) //p' "$top/LICENSE")
maintainer="${DEBFULLNAME:-${holder#* }} <${DEBEMAIL:-$(git -C "$top" config user.email || echo root@localhost)}>"
# The same commit gives the same bytes.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$top" log -1 --format=%ct 2> /dev/null || stat -c %Y "$top/CHANGELOG.md")}
export SOURCE_DATE_EPOCH

mkdir -p "$root/DEBIAN" "$doc"
python3 "$here/program.py" "$slipcast" "$work/slipcast"
chmod 755 "$work/slipcast"
PREFIX=/usr DESTDIR=$root ZSH_FUNCTIONS=/usr/share/zsh/vendor-completions \
  bash "$here/install.sh" install "$work/slipcast" > "$work/installed"
gzip -9n "$root/usr/share/man/man1/slipcast.1"

# Stands in for a marked line of the copyright file: a text, as Debian's machine-readable form indents it.
indented() { sed -e 's/^$/./' -e 's/^/ /'; }
sed -n '/^Permission is hereby/,$p' "$top/LICENSE" | indented > "$work/licence"
sed -e "s/@HOLDER@/$holder/" -e "/@LICENCE@/{r $work/licence
d}" "$here/copyright" > "$doc/copyright"
gzip -9nc "$top/CHANGELOG.md" > "$doc/CHANGELOG.md.gz"
gzip -9nc > "$doc/changelog.gz" << END
slipcast ($version) stable; urgency=medium

  * Version $version. What changed stands in CHANGELOG.md.gz.

 -- $maintainer  $(LC_ALL=C date -Rud "@$SOURCE_DATE_EPOCH")
END

# dpkg-shlibdeps wants to stand in a source package.
mkdir "$work/debian"
printf 'Source: slipcast\n\nPackage: slipcast\nArchitecture: any\n' > "$work/debian/control"
bash "$here/linked.sh" "$root/usr/bin/slipcast" "$work/linked"
depends=$(cd "$work" && dpkg-shlibdeps -O -e"$work/linked")

(cd "$root" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) > "$root/DEBIAN/md5sums"
size=$(du -sk --apparent-size "$root/usr" | cut -f 1)
sed -e "s/@VERSION@/$version/" -e "s/@ARCHITECTURE@/$architecture/" -e "s/@MAINTAINER@/$maintainer/" \
  -e "s/@SIZE@/$size/" -e "s/@DEPENDS@/${depends#shlibs:Depends=}/" "$here/control" > "$root/DEBIAN/control"

mkdir -p "$output"
package=$output/slipcast_${version}_$architecture.deb
rm -f "$package"
dpkg-deb --root-owner-group -Zxz --build "$root" "$package" > "$work/built"
echo "$package"
