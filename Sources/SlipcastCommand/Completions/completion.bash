# bash completion for slipcast @VERSION@, made by: slipcast completions bash
_slipcast_command_names=(@NAMES@)

# Offers those of its arguments that begin as the current word does.
_slipcast_offer() {
  local word
  for word; do
    [[ $word == "$current"* ]] && COMPREPLY+=("$prefix$word")
  done
}

# Leaves it to readline to complete names of files.
_slipcast_files() {
  compopt -o bashdefault -o default 2>/dev/null
}

_slipcast_folders() {
  compopt -o dirnames 2>/dev/null
}

# Offers the next words of the commands that begin with its argument, which ends with a blank.
_slipcast_commands() {
  local name word seen=' '
  for name in "${_slipcast_command_names[@]}"; do
    [[ $name == "$1"* ]] || continue
    word=${name#"$1"}
    word=${word%% *}
    [[ $seen == *" $word "* ]] && continue
    seen+="$word "
    _slipcast_offer "$word"
  done
}

_slipcast_is_command() {
  local name
  for name in "${_slipcast_command_names[@]}"; do
    [[ $name == "$1" ]] && return 0
  done
  return 1
}

# Offers the names that the program itself knows.
_slipcast_names() {
  local name
  while IFS= read -r name; do
    _slipcast_offer "$name"
  done < <("${program/#\~\//$HOME/}" explain --names 2>/dev/null)
}

# The options of a command: all, those with a value, and those that may come again.
_slipcast_table() {
  case $1 in
@OPTIONS@
  esac
}

# Offers the values of an option.
_slipcast_value() {
  case $1 in
@VALUES@
  esac
}

# Offers the operands of a command; fails where it takes none.
_slipcast_operand() {
  case $1 in
@OPERANDS@
    *) return 1 ;;
  esac
  return 0
}

_slipcast() {
  local program=$1 current=${COMP_WORDS[COMP_CWORD]} prefix= index word
  local typed= command= options= valued= repeatable= option= given=' ' operands= ended=
  COMPREPLY=()
  compopt +o bashdefault +o default +o dirnames 2>/dev/null
  for ((index = 1; index < COMP_CWORD; index++)); do
    word=${COMP_WORDS[index]}
    if [[ -n $option ]]; then
      # bash takes --option=value apart at the sign.
      [[ $word == '=' ]] || option=
    elif [[ -z $command ]]; then
      typed+=$word
      if _slipcast_is_command "$typed"; then
        command=$typed
        _slipcast_table "$command"
      else
        typed+=' '
      fi
    elif [[ -n $ended || $word != -?* ]]; then
      operands+="$word "
    elif [[ $word == -- ]]; then
      ended=1
    else
      given+="${word%%=*} "
      [[ " $valued " == *" $word "* ]] && option=$word
    fi
  done
  if [[ -z $command ]]; then
    if [[ -z $typed && $current == -* ]]; then
      _slipcast_offer --help --version
    else
      _slipcast_commands "$typed"
    fi
  elif [[ -n $option ]]; then
    [[ $current == '=' ]] && current=
    _slipcast_value "$command $option"
  elif [[ -z $ended && $current == --*=* ]]; then
    # Where the sign is no end of a word, an option and its value are one.
    option=${current%%=*} prefix=${current%%=*}= current=${current#*=}
    _slipcast_value "$command $option"
  elif [[ -n $ended || $current != -* ]] && _slipcast_operand "$command"; then
    :
  elif [[ -z $ended ]]; then
    for word in $options; do
      [[ $given == *" $word "* && " $repeatable " != *" $word "* ]] || _slipcast_offer "$word"
    done
  fi
  return 0
}

complete -F _slipcast slipcast
