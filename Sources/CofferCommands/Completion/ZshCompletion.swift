/// The completion script for zsh, made of what commands declare.
enum ZshCompletion {
  static var script: String {
    """
    #compdef coffer
    # Completion of coffer for zsh: made by `coffer completions zsh`.
    _coffer() {
      local -a commands
      if ((CURRENT == 2)); then
        commands=(
    \(firstWords)
          'help:Explain a command'
        )
        _describe command commands
        return
      fi
      local command=${words[2]}
      case $command in
    \(groups)
      esac
      # The command's name counts as the program for _arguments.
      shift words
      ((CURRENT--))
      case $command in
    \(commands)
      esac
    }
    _coffer "$@"

    """
  }

  private static var firstWords: String {
    var seen: Set<String> = []
    return CommandList.visible.compactMap { command -> String? in
      let first = command.words[0]
      guard seen.insert(first).inserted else { return nil }
      let summary = CommandList.group(first)?.summary ?? command.summary
      return "      \(quoted("\(first):\(summary)"))"
    }.joined(separator: "\n")
  }

  private static var groups: String {
    CommandList.groups.map { group in
      let rows = CommandList.commands(in: group).map { command in
        "          \(quoted("\(command.words[1]):\(command.summary)"))"
      }
      return """
            \(group.name))
              if ((CURRENT == 3)); then
                commands=(
        \(rows.joined(separator: "\n"))
                )
                _describe command commands
                return
              fi
              command="$command ${words[3]}"
              shift words
              ((CURRENT--)) ;;
        """
    }.joined(separator: "\n")
  }

  private static var commands: String {
    CommandList.visible.map { command in
      var specifications = command.allOptions.map { option in
        let help = "--\(option.name)[\(bracketed(option.help))]"
        guard let placeholder = option.placeholder else { return quoted(help) }
        let value = "\(placeholder):\(action(option.completion))"
        return quoted("--\(option.name)=[\(bracketed(option.help))]:\(value)")
      }
      specifications += command.arguments.enumerated().map { index, argument in
        let place = argument.isOptional ? "\(index + 1)::" : "\(index + 1):"
        return quoted("\(place)\(argument.placeholder):\(action(argument.completion))")
      }
      let lines = specifications.map { "        \($0)" }.joined(separator: " \\\n")
      return "    \(quoted(command.name)))\n      _arguments \\\n\(lines) ;;"
    }.joined(separator: "\n")
  }

  private static func action(_ completion: Completion) -> String {
    switch completion {
    case .nothing: " "
    case .file: "_files"
    case .folder: "_files -/"
    case .words(let words): "(\(words.joined(separator: " ")))"
    }
  }

  /// In single quotes for the shell.
  private static func quoted(_ text: String) -> String {
    "'\(text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
  }

  /// For use between brackets, where a closing one or a colon would end the text.
  private static func bracketed(_ text: String) -> String {
    text.flatMap { "[]:\\".contains($0) ? ["\\", $0] : [$0] }.reduce(into: "") { $0.append($1) }
  }
}
