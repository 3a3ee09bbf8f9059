/// The completion script for fish, made of what commands declare.
enum FishCompletion {
  static var script: String {
    var lines = [
      "# Completion of coffer for fish: made by `coffer completions fish`.",
      "complete -c coffer -f",
    ]
    var seen: Set<String> = []
    for command in CommandList.visible where seen.insert(command.words[0]).inserted {
      let first = command.words[0]
      let summary = CommandList.group(first)?.summary ?? command.summary
      lines.append("complete -c coffer -n __fish_use_subcommand -a \(first) -d \(quoted(summary))")
    }
    for group in CommandList.groups {
      let commands = CommandList.commands(in: group)
      let names = commands.map { $0.words[1] }.joined(separator: " ")
      let condition =
        "__fish_seen_subcommand_from \(group.name); and not __fish_seen_subcommand_from \(names)"
      for command in commands {
        lines.append(
          "complete -c coffer -n \(quoted(condition)) -a \(command.words[1]) -d \(quoted(command.summary))"
        )
      }
    }
    for command in CommandList.visible { lines += completions(of: command) }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func completions(of command: any Command.Type) -> [String] {
    let condition = quoted(
      command.words.map { "__fish_seen_subcommand_from \($0)" }.joined(separator: "; and "))
    var lines = command.allOptions.map { option in
      var line = "complete -c coffer -n \(condition) -l \(option.name) -d \(quoted(option.help))"
      if option.placeholder != nil { line += " -r" }
      switch option.completion {
      case .nothing: break
      case .file, .folder: line += " -F"
      case .words(let words): line += " -a \(quoted(words.joined(separator: " ")))"
      }
      return line
    }
    for argument in command.arguments {
      switch argument.completion {
      case .nothing: break
      case .file, .folder: lines.append("complete -c coffer -n \(condition) -F")
      case .words(let words):
        lines.append(
          "complete -c coffer -n \(condition) -a \(quoted(words.joined(separator: " ")))")
      }
    }
    return lines
  }

  private static func quoted(_ text: String) -> String {
    var result = "'"
    for character in text {
      if character == "'" || character == "\\" { result.append("\\") }
      result.append(character)
    }
    return result + "'"
  }
}
