/// The completion script for bash, 3.2 and newer; it needs only bash.
enum BashCompletion {
  static func script(_ commands: [CommandDescription]) -> String {
    let names = commands.map { CompletionTable.quote($0.name) }.joined(separator: " ")
    return CompletionTable.head("bash") + helpers.replacing("@NAMES@", with: names)
      + "\n# The options of a command: all, those with a value, and those that may come again.\n"
      + "_slipcast_table() {\n  case $1 in\n" + commands.map(options).joined() + "  esac\n}\n\n"
      + "# Offers the values of an option.\n"
      + "_slipcast_value() {\n  case $1 in\n" + values(commands) + "  esac\n}\n\n"
      + "# Offers the operands of a command; fails where it takes none.\n"
      + "_slipcast_operand() {\n  case $1 in\n" + commands.map(operands).joined()
      + "    *) return 1 ;;\n  esac\n  return 0\n}\n\n" + main
  }

  // MARK: the table

  private static func options(_ command: CommandDescription) -> String {
    func list(_ options: [Option]) -> String {
      CompletionTable.quote(options.map { "--\($0.name)" }.joined(separator: " "))
    }
    let all = command.allOptions
    return """
          \(CompletionTable.quote(command.name)))
            options=\(list(all))
            valued=\(list(all.filter { $0.value != nil }))
            repeatable=\(list(all.filter(\.isRepeatable)))
            ;;

      """
  }

  /// Options of one kind of value share a line.
  private static func values(_ commands: [CommandDescription]) -> String {
    var actions: [(action: String, places: [String])] = []
    for command in commands {
      for option in command.allOptions {
        guard let action = action(CompletionTable.value(of: option)) else { continue }
        let place = CompletionTable.quote("\(command.name) --\(option.name)")
        if let known = actions.firstIndex(where: { $0.action == action }) {
          actions[known].places.append(place)
        } else {
          actions.append((action, [place]))
        }
      }
    }
    return actions.map { "    \($0.places.joined(separator: " | \\\n      "))) \($0.action) ;;\n" }.joined()
  }

  private static func action(_ value: CompletionTable.Value) -> String? {
    switch value {
    case .none, .free: nil
    case .words(let choices): "_slipcast_offer " + choices.map { CompletionTable.quote($0.name) }.joined(separator: " ")
    case .files: "_slipcast_files"
    case .folders: "_slipcast_folders"
    }
  }

  private static func operands(_ command: CommandDescription) -> String {
    let action: String? =
      switch command.operands {
      case .none: nil
      case .files: "_slipcast_files"
      case .folders: "_slipcast_folders"
      case .names: "_slipcast_names"
      case .commands: "_slipcast_commands \"$operands\""
      case .words(let choices): Self.action(.words(choices))
      }
    return action.map { "    \(CompletionTable.quote(command.name))) \($0) ;;\n" } ?? ""
  }

  // MARK: what is the same for all

  private static let helpers = """
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
      done < <("${program/#\\~\\//$HOME/}" explain --names 2>/dev/null)
    }

    """

  private static let main = """
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

    """
}
