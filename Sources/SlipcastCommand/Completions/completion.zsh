#compdef slipcast
# zsh completion for slipcast @VERSION@, made by: slipcast completions zsh

# The names that the program itself knows.
_slipcast_names() {
  local -a names
  names=(${(f)"$($program explain --names 2>/dev/null)"})
  compadd -a names
}

@FUNCTIONS@

if [ "$funcstack[1]" = "_slipcast" ]; then
  _slipcast "$@"
else
  compdef _slipcast slipcast
fi
