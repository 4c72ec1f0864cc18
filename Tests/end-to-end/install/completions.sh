#!/usr/bin/env bash
# Asks each shell that is there what it would complete behind a beginning, and expects the words of the command.
# usage: completions.sh SHARE ZSH-FUNCTIONS; slipcast must be on the PATH
# With bash-completion installed, bash must find the file by itself.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
share=$1 zsh_functions=$2

# Each of them prints what the shell offers at the end of a line.
ask_bash() { bash --norc "$here/ask.bash" "$share/bash-completion/completions/slipcast" "$1"; }
ask_zsh() { zsh -f "$here/ask.zsh" "$zsh_functions" "$1"; }
ask_fish() {
  XDG_DATA_DIRS=$share HOME=$home XDG_CONFIG_HOME=$home fish --private -c 'complete -C $argv[1]' "$1" | cut -f 1
}

home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
failed=0
for shell in bash zsh fish; do
  command -v "$shell" > /dev/null || { echo "$shell is not there: not asked"; continue; }
  while IFS='|' read -r line expected; do
    offered=$("ask_$shell" "$line" | tr -s ' \r\n' '\n')
    for word in $expected; do
      grep -qxF -e "$word" <<< "$offered" && continue
      echo "$shell: \"$line\" offers no \"$word\" but: ${offered//$'\n'/ }"
      failed=1
    done
  done << 'END'
slipcast |convert diff parity explain verify
slipcast par|parity
slipcast convert --rej|--rejects
slipcast diff --format |text json markdown junit html
END
  [ "$failed" = 1 ] || echo "$shell completes"
done
exit "$failed"
