/// The completion script for bash, made of what commands declare.
enum BashCompletion {
  static var script: String {
    """
    # Completion of coffer for bash: made by `coffer completions bash`.
    _coffer() {
      local current=${COMP_WORDS[COMP_CWORD]} command= arguments=0 option= word i
      COMPREPLY=()
      for ((i = 1; i < COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if [[ -n $option ]]; then
          # bash splits --option=value into three words.
          [[ $word == = ]] || option=
        elif [[ $word == = ]]; then
          :
        elif [[ $word == -?* ]]; then
          case $word in
            \(ShellWords.valueOptions.joined(separator: "|"))) option=$word ;;
          esac
        else
          case $command in
            "") command=$word ;;
            \(CommandList.groups.map(\.name).joined(separator: "|"))) command="$command $word" ;;
            *) arguments=$((arguments + 1)) ;;
          esac
        fi
      done
      [[ $current == = ]] && current=
      if [[ -n $option ]]; then
        case $option in
    \(optionCases)
        esac
        return
      fi
      case $command in
        "") _coffer_words "\(ShellWords.firstWords.joined(separator: " "))" ;;
    \(groupCases)
    \(commandCases)
      esac
    }
    _coffer_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current"); }
    _coffer_files() { mapfile -t COMPREPLY < <(compgen "$1" -- "$current"); }
    complete -o filenames -F _coffer coffer

    """
  }

  private static func action(_ completion: Completion) -> String {
    switch completion {
    case .nothing: ":"
    case .file: "_coffer_files -f"
    case .folder: "_coffer_files -d"
    case .words(let words): "_coffer_words \"\(words.joined(separator: " "))\""
    }
  }

  private static var optionCases: String {
    ShellWords.optionCompletions.map { spelling, completion in
      "      \(spelling)) \(action(completion)) ;;"
    }.joined(separator: "\n")
  }

  private static var groupCases: String {
    CommandList.groups.map { group in
      let words = CommandList.commands(in: group).map { $0.words[1] }
      return "    \(group.name)) _coffer_words \"\(words.joined(separator: " "))\" ;;"
    }.joined(separator: "\n")
  }

  private static var commandCases: String {
    CommandList.visible.map { command in
      var lines = ["    \"\(command.name)\")"]
      let options = ShellWords.options(of: command).joined(separator: " ")
      lines.append("      if [[ $current == -* ]]; then _coffer_words \"\(options)\"; return; fi")
      lines.append("      case $arguments in")
      for (index, argument) in command.arguments.enumerated() {
        lines.append("        \(index)) \(action(argument.completion)) ;;")
      }
      lines.append("        *) _coffer_words \"\(options)\" ;;")
      lines.append("      esac ;;")
      return lines.joined(separator: "\n")
    }.joined(separator: "\n")
  }
}

/// What every shell's script needs to know.
enum ShellWords {
  static var firstWords: [String] { CommandList.firstWords + ["help", "--help", "--version"] }

  static func options(of command: any Command.Type) -> [String] {
    command.allOptions.map(\.spelling) + ["--help"]
  }

  /// Options with a value, each once: those of one name complete alike in every command.
  static var optionCompletions: [(spelling: String, completion: Completion)] {
    var found: [(spelling: String, completion: Completion)] = []
    for command in CommandList.visible {
      for option in command.allOptions where option.placeholder != nil {
        if found.contains(where: { $0.spelling == option.spelling }) { continue }
        found.append((option.spelling, option.completion))
      }
    }
    return found
  }

  static var valueOptions: [String] { optionCompletions.map(\.spelling) }
}
