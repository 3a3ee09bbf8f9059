/// The help, made of what commands declare.
enum HelpPage {
  private static let widestName = 28

  static var overview: String {
    var page = """
      Coffer keeps the messages of one account's device in an encrypted store.

      Usage: coffer COMMAND [arguments] [options]

      """
    for section in CommandList.sections {
      var rows: [(String, String)] = []
      for command in section.commands where !command.isHidden {
        guard command.words.count > 1, let group = CommandList.group(command.words[0]) else {
          rows.append((command.name, command.summary))
          continue
        }
        if rows.last?.0 != group.name { rows.append((group.name, group.summary)) }
      }
      if !rows.isEmpty { page += "\n\(section.title):\n" + table(rows, minimum: 14) }
    }
    page += "\nExit codes:\n"
    page += table(ExitCode.allCases.map { ("\($0.rawValue)", $0.meaning) })
    page += """

      `coffer help COMMAND` explains a command and shows examples.
      `coffer --version` prints the version.

      """
    return page
  }

  static func page(of group: CommandGroup) -> String {
    var page = "\(group.summary).\n\nUsage: coffer \(group.name) COMMAND …\n"
    page += prose(group.discussion)
    page += "\nCommands:\n"
    page += table(CommandList.commands(in: group).map { ($0.name, $0.summary) }, minimum: 14)
    page += "\n`coffer help \(group.name) COMMAND` explains each.\n"
    return page
  }

  static func page(of command: any Command.Type) -> String {
    var page = "\(command.summary).\n\n" + usage(of: command)
    page += prose(command.discussion)
    if !command.arguments.isEmpty {
      page += "\nArguments:\n" + table(command.arguments.map { ($0.placeholder, $0.help) })
    }
    for section in command.options where !section.options.isEmpty {
      page += "\n\(section.title):\n" + table(section.options.map { ($0.usage, $0.help) })
    }
    if !command.examples.isEmpty {
      page += "\n\(command.examples.count == 1 ? "Example" : "Examples"):\n"
      for example in command.examples { page += "  \(example)\n" }
    }
    return page
  }

  private static func usage(of command: any Command.Type) -> String {
    var parts = ["coffer \(command.name)"]
    for argument in command.arguments {
      parts.append(argument.isOptional ? "[\(argument.placeholder)]" : argument.placeholder)
    }
    parts += command.allOptions.filter(\.isRequired).map(\.usage)
    if command.allOptions.contains(where: { !$0.isRequired }) { parts.append("[options]") }
    return "Usage: \(parts.joined(separator: " "))\n"
  }

  private static func prose(_ text: String) -> String {
    text.isEmpty ? "" : "\n" + Wrapping.paragraphs(text).joined(separator: "\n") + "\n"
  }

  /// Names in one column, what they mean wrapped in another.
  private static func table(_ rows: [(String, String)], minimum: Int = 0) -> String {
    let widest = rows.map(\.0.count).filter { $0 <= widestName }.max() ?? 0
    let column = max(widest, minimum) + 2
    var text = ""
    for (name, meaning) in rows {
      var lines = Wrapping.wrap(meaning, width: Wrapping.width - 2 - column)
      let head = "  \(name)"
      if name.count > widestName {
        text += head + "\n"
      } else {
        let first = lines.isEmpty ? "" : lines.removeFirst()
        text += head + String(repeating: " ", count: column - name.count) + first + "\n"
      }
      for line in lines { text += String(repeating: " ", count: column + 2) + line + "\n" }
    }
    return text
  }
}
