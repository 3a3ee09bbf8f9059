/// The whole tool: words in, exit code out.
package enum CommandLineTool {
  package static let version = "0.1.0"

  /// `words` are the arguments without the program's name; nothing stands for one that is not valid
  /// UTF-8.
  package static func run(_ words: [String?], _ output: Output = .standard()) async -> Int32 {
    do throws(CommandFailure) {
      try await answer(words, output)
      try output.finish()
      return ExitCode.ok.rawValue
    } catch {
      output.failure(error)
      return error.code.rawValue
    }
  }

  private static func answer(
    _ words: [String?], _ output: Output
  ) async throws(CommandFailure) {
    guard let first = words.first else {
      output.errorPage(HelpPage.overview)
      throw .usage("no command is given")
    }
    if first == "--version" { return output.page("coffer \(version)\n") }
    let words = try checked(words)
    if words[0] == "help" { return output.page(try help(on: Array(words.dropFirst()))) }
    let ending = words.firstIndex(of: "--") ?? words.endIndex
    if words[..<ending].contains(where: { $0 == "--help" || $0 == "-h" }) {
      let asked = words[..<ending].prefix { !$0.hasPrefix("-") }
      return output.page(try help(on: CommandList.longestName(in: Array(asked))))
    }
    let (command, rest) = try CommandList.find(words)
    let input = try ArgumentParser.parse(rest, for: command)
    try await command.run(input, output)
  }

  /// A path with U+FFFD in the place of what could not be read would name another file.
  private static func checked(_ words: [String?]) throws(CommandFailure) -> [String] {
    var checked: [String] = []
    for (index, word) in words.enumerated() {
      guard let word else { throw .usage("argument \(index + 1) is not valid UTF-8") }
      checked.append(word)
    }
    return checked
  }

  private static func help(on words: [String]) throws(CommandFailure) -> String {
    guard let first = words.first else { return HelpPage.overview }
    if words.count == 1, let group = CommandList.group(first) { return HelpPage.page(of: group) }
    let (command, rest) = try CommandList.find(words)
    if let extra = rest.first {
      throw .usage("`\(command.name)` has nothing called \(quoting: extra)")
    }
    return HelpPage.page(of: command)
  }
}
