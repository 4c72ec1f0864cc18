# Prints what bash offers at the end of a line: with bash-completion, whatever that loads by itself; else by the file named.
# usage: bash --norc ask.bash FILE LINE
# shellcheck shell=bash
COMP_LINE=$2 COMP_POINT=${#2} COMP_TYPE=9 COMP_KEY=9
read -ra COMP_WORDS <<< "$COMP_LINE"
[[ $COMP_LINE == *" " ]] && COMP_WORDS+=("")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
library=/usr/share/bash-completion/bash_completion
if [ -e "$library" ]; then
  # shellcheck disable=SC1090
  . "$library"
  if declare -F _comp_load > /dev/null; then _comp_load slipcast; else _completion_loader slipcast; fi
else
  # shellcheck disable=SC1090
  . "$1"
fi
specification=$(complete -p slipcast) || exit
function=$(sed -n 's/.* -F \([^ ]*\) .*/\1/p' <<< "$specification")
[ -n "$function" ] || { echo "no function: $specification"; exit; }
"$function" slipcast "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\n' "${COMPREPLY[@]}"
