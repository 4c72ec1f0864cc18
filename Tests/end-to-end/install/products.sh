#!/usr/bin/env bash
# Tries the table of Examples/consumer/README.md in a bare system: a program for each product builds with the packages
# that the table names and without those it does not, and no package is named in vain.
# usage: products.sh [PRODUCT…]. Needs root, and a Swift toolchain in a folder of its own, which the bare system borrows.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=chroot.sh
. "$here/chroot.sh"
need_chroot
fail() { echo "$*" >&2; exit 1; }
toolchain=$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")
[[ $toolchain != /usr && $toolchain != / ]] || { echo "the toolchain lies in /usr itself and cannot be borrowed" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf --one-file-system "$folder"' EXIT
root=$folder/root

# The packages of the libraries that the toolchain's own programs are linked to; with them a compiler's headers and linker.
toolchain_packages() {
  local library
  for library in $(ldd "$toolchain"/bin/{swift-build,swift-frontend,clang,lld,lldb} 2> /dev/null |
    awk '$3 ~ "^/" { print $3 }' | grep -vF "$toolchain" | sort -u); do
    dpkg -S "$library" 2> /dev/null || dpkg -S "/usr$library" 2> /dev/null || true
  done | cut -d : -f 1 | sort -u
  echo gcc g++
}

# The rows of the table as PRODUCT=PACKAGE,PACKAGE…
rows=$(sed -n 's/^| `\(Slipcast[A-Za-z]*\)` |.*| \(`[^|]*-dev`[^|]*\) |[^|]*|$/\1=\2/p' "$top/Examples/consumer/README.md" |
  tr -d '\` ')
[ "$(wc -l <<< "$rows")" -gt 1 ] || fail "the table cannot be read"
manifest=$(sed -n 's/^ *\.library(name: "\([A-Za-z]*\)".*/\1/p' "$top/Package.swift" | sort)
[ "$(cut -d = -f 1 <<< "$rows" | sort)" = "$manifest" ] || fail "the table and Package.swift name different products"
all=$(cut -d = -f 2 <<< "$rows" | tr , '\n' | sort -u)

# Gives the system these development packages of ours, and takes the others away.
only() {
  local name missing=()
  for name in $all; do
    [[ " $* " == *" $name "* ]] || in_root "$root" dpkg --purge --force-depends "$name" > /dev/null 2>&1
  done
  for name in "$@"; do in_root "$root" dpkg -s "$name" > /dev/null 2>&1 || missing+=("$name"); done
  [ "${#missing[@]}" = 0 ] || in_root_install "$root" "${missing[@]}"
}

# Writes the package that uses a product, as a stranger would.
write_package() {
  local product=$1 more="" kind=executableTarget
  grep -rq '^import SlipcastKit$' "$here/products/$product" && [ "$product" != SlipcastKit ] &&
    more=', .product(name: "SlipcastKit", package: "slipcast")'
  grep -rq '^import Testing$' "$here/products/$product" && kind=testTarget
  rm -rf "$root/src/uses/Sources"
  mkdir -p "$root/src/uses"
  cp -R "$here/products/$product" "$root/src/uses/Sources"
  cp "$top/Examples/consumer/Records/"*.json "$root/src/uses/Sources/"
  cat > "$root/src/uses/Package.swift" << END
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "uses",
  dependencies: [.package(name: "slipcast", path: "/src/slipcast")],
  targets: [
    .$kind(
      name: "uses", dependencies: [.product(name: "$product", package: "slipcast")$more], path: "Sources",
      exclude: ["v1.json", "v2.json"])
  ],
  swiftLanguageModes: [.v6]
)
END
}

# The example itself, whose program needs no more than SlipcastKit.
build_example() {
  mkdir -p "$root/src/consumer"
  cp -R "$top/Examples/consumer/." "$root/src/consumer/"
  sed -i 's|path: "../.."|path: "/src/slipcast"|' "$root/src/consumer/Package.swift"
  BIND=$toolchain in_root "$root" sh -c 'cd /src/consumer && swift build && .build/debug/consumer Records/v1.json Records/v2.json' \
    > "$folder/build.log" 2>&1
}

build() { BIND=$toolchain in_root "$root" sh -c 'cd /src/uses && swift build --build-tests' > "$folder/build.log" 2>&1; }

# Runs what was built, and expects what its first line says.
use() {
  local expected
  expected=$(sed -n 's|^// Prints: ||p' "$root/src/uses/Sources/"*.swift)
  [ -n "$expected" ] || fail "$1 does not say what it prints"
  BIND=$toolchain in_root "$root" sh -c '
    cd /src/uses
    if grep -q testTarget Package.swift; then swift test --skip-build 2>&1 | tail -n 1; else .build/debug/uses Sources/v1.json; fi' |
    tee "$folder/printed"
  grep -qF -e "$expected" "$folder/printed" || fail "$1 does not print: $expected"
}

echo "== a bare system with what the toolchain itself needs"
fresh_root "$root"
# shellcheck disable=SC2046 # a list of words
in_root_install "$root" $(toolchain_packages)
mkdir -p "$root/src/slipcast"
(cd "$top" && git ls-files -z -co --exclude-standard | tar --null -cf - -T -) | tar -C "$root/src/slipcast" -xf -

tried=""
while IFS='=' read -r product list; do
  [ $# = 0 ] || [[ " $* " == *" $product "* ]] || continue
  packages=${list//,/ }
  echo "== $product with $packages"
  # shellcheck disable=SC2086 # lists of words
  only $packages
  write_package "$product"
  start=$SECONDS
  build || { tail -n 30 "$folder/build.log"; fail "$product does not build with $packages"; }
  if grep -E 'warning:' "$folder/build.log"; then fail "$product builds with warnings"; fi
  use "$product"
  echo "built in $((SECONDS - start)) s"
  if [ "$product" = SlipcastKit ]; then
    build_example || { tail -n 30 "$folder/build.log"; fail "the example does not build with $packages"; }
    if grep -E 'warning:' "$folder/build.log"; then fail "the example builds with warnings"; fi
    tail -n 2 "$folder/build.log"
  fi
  for package in $packages; do
    [[ " $tried " != *" $package "* ]] || continue
    tried+=" $package"
    # shellcheck disable=SC2086
    only ${packages/"$package"/}
    rm -rf "$root/src/uses/.kept" && mv "$root/src/uses/.build" "$root/src/uses/.kept"
    if build; then fail "$product builds without $package, which the table names"; fi
    echo "not without $package: $(grep -m 1 -E 'not found|cannot find|fatal error' "$folder/build.log" | cut -c 1-160)"
    rm -rf "$root/src/uses/.build" && mv "$root/src/uses/.kept" "$root/src/uses/.build"
  done
done <<< "$rows"
echo "every product builds with what the table names, and with nothing less"
