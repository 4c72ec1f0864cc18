#!/usr/bin/env bash
# Puts the command, its manual page and its completions under a prefix, or takes them away again.
# usage: install.sh install SLIPCAST | install.sh uninstall
# environment: PREFIX (default /usr/local), DESTDIR (goes before it), ZSH_FUNCTIONS (default PREFIX/share/zsh/site-functions)
set -euo pipefail
verb=${1:-} slipcast=${2:-}
prefix=${PREFIX:-/usr/local}
zsh_functions=${ZSH_FUNCTIONS:-$prefix/share/zsh/site-functions}
[[ $prefix == /* ]] || { echo "PREFIX is an absolute path, not \"$prefix\"" >&2; exit 2; }

# What is installed, and where: name in the stage, mode, place.
places=(
  "slipcast 755 $prefix/bin/slipcast"
  "slipcast.1 644 $prefix/share/man/man1/slipcast.1"
  "slipcast.bash 644 $prefix/share/bash-completion/completions/slipcast"
  "_slipcast 644 $zsh_functions/_slipcast"
  "slipcast.fish 644 $prefix/share/fish/vendor_completions.d/slipcast.fish"
)

install_all() {
  [ -x "$slipcast" ] || { echo "there is no command \"$slipcast\": make build makes it" >&2; exit 2; }
  # Everything is made before the first file is put into its place.
  stage=$(mktemp -d)
  trap 'rm -rf "$stage"' EXIT
  strip -o "$stage/slipcast" "$slipcast"
  chmod 755 "$stage/slipcast"
  "$stage/slipcast" manual --format man > "$stage/slipcast.1"
  "$stage/slipcast" completions bash > "$stage/slipcast.bash"
  "$stage/slipcast" completions zsh > "$stage/_slipcast"
  "$stage/slipcast" completions fish > "$stage/slipcast.fish"
  for entry in "${places[@]}"; do
    read -r name mode place <<< "$entry"
    install -d -m 755 "${DESTDIR:-}${place%/*}"
    install -m "$mode" "$stage/$name" "${DESTDIR:-}$place"
    echo "${DESTDIR:-}$place"
  done
}

# Folders that are empty then go too, up to the prefix; those of the system's own prefixes belong to the system.
uninstall_all() {
  for entry in "${places[@]}"; do
    read -r _ _ place <<< "$entry"
    rm -f "${DESTDIR:-}$place"
    [[ $prefix == /usr || $prefix == /usr/local ]] && continue
    folder=${place%/*}
    while [[ $folder == "$prefix"/* ]] && rmdir "${DESTDIR:-}$folder" 2> /dev/null; do folder=${folder%/*}; done
  done
}

case $verb in
  install) install_all ;;
  uninstall) uninstall_all ;;
  *) sed -n '2,4p' "$0" >&2; exit 2 ;;
esac
