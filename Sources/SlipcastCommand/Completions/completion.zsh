#compdef slipcast
# zsh completion for slipcast @VERSION@, made by: slipcast completions zsh
# It asks the program what may stand at the word that is being typed.
_slipcast() {
  local program=${(Q)words[1]/#\~\//$HOME/} line
  local -a lines choices
  lines=("${(@f)$(SLIPCAST_COMPLETE=1 $program "${(@Q)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}")
  case $lines[1] in
    files) [[ $PREFIX == --*=* ]] && compset -P '*='; _files ;;
    folders) [[ $PREFIX == --*=* ]] && compset -P '*='; _files -/ ;;
    words)
      for line in $lines[2,-1]; do
        choices+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
      done
      _describe word choices
      ;;
  esac
}

if [ "$funcstack[1]" = "_slipcast" ]; then
  _slipcast "$@"
else
  compdef _slipcast slipcast
fi
