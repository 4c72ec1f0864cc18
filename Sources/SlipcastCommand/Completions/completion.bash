# bash completion for slipcast @VERSION@, made by: slipcast completions bash
# It asks the program what may stand at the word that is being typed; bash 3.2 and newer.
_slipcast() {
  local program=${1/#\~\//$HOME/} current=${COMP_WORDS[COMP_CWORD]} kind= word=
  COMPREPLY=()
  compopt +o bashdefault +o default +o dirnames 2>/dev/null
  # bash takes --option=value apart at the sign.
  [[ $current == '=' ]] && current=
  while IFS=$'\t' read -r word _; do
    if [[ -z $kind ]]; then
      kind=$word
    elif [[ $word == "$current"* ]]; then
      COMPREPLY+=("$word")
    fi
  done < <(SLIPCAST_COMPLETE=1 "$program" "${COMP_WORDS[@]:1:COMP_CWORD-1}" "$current" 2>/dev/null)
  case $kind in
    files) compopt -o bashdefault -o default 2>/dev/null ;;
    folders) compopt -o dirnames 2>/dev/null ;;
  esac
  return 0
}

complete -F _slipcast slipcast
