/// Reads a command's words by its declaration.
///
/// `--name VALUE` and `--name=VALUE` are the same; after `--` every word is an argument. An option
/// given twice is an error, since one of the two would be ignored without a word.
struct ArgumentParser {
  private let command: any Command.Type
  private let options: [Option]
  private var parsed = ParsedArguments()
  private var given: [String] = []

  static func parse(
    _ words: [String], for command: any Command.Type
  ) throws(CommandFailure) -> ParsedArguments {
    var parser = ArgumentParser(command)
    do throws(CommandFailure) {
      try parser.read(words)
      try parser.takeArguments()
      try parser.checkRequired()
    } catch {
      throw error.adding(hint: "`coffer help \(command.name)` shows what it takes")
    }
    return parser.parsed
  }

  private init(_ command: any Command.Type) {
    self.command = command
    options = command.allOptions
  }

  private mutating func read(_ words: [String]) throws(CommandFailure) {
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        given += rest
        return
      }
      guard word.hasPrefix("-"), word != "-" else {
        given.append(word)
        continue
      }
      let (name, attached) = Self.split(word)
      let option = try find(name)
      guard parsed.values[option.name] == nil, !parsed.flags.contains(option.name) else {
        throw .usage("\(option.spelling) is given twice")
      }
      if option.placeholder == nil {
        guard attached == nil else { throw .usage("\(option.spelling) takes no value") }
        parsed.flags.insert(option.name)
      } else {
        // Not with `??`, whose closure would forget the type of the error.
        if let attached {
          parsed.values[option.name] = attached
        } else {
          parsed.values[option.name] = try Self.value(for: option, from: &rest)
        }
      }
    }
  }

  private static func split(_ word: String) -> (name: String, attached: String?) {
    guard let equals = word.firstIndex(of: "=") else { return (word, nil) }
    return (String(word[..<equals]), String(word[word.index(after: equals)...]))
  }

  /// The word behind an option.
  ///
  /// One that looks like another option is taken for that: a forgotten value is likelier than a file
  /// of that name.
  private static func value(
    for option: Option, from rest: inout ArraySlice<String>
  ) throws(CommandFailure) -> String {
    let placeholder = option.placeholder ?? "VALUE"
    guard let word = rest.first else {
      throw .usage("\(option.spelling) needs a value: \(option.usage)")
    }
    if word.hasPrefix("--") {
      throw .usage(
        "\(option.spelling) needs a value: \(option.usage)",
        hint: "for a value that begins with dashes write \(option.spelling)=\(placeholder)")
    }
    rest.removeFirst()
    return word
  }

  /// `name` comes with its dashes.
  private func find(_ name: String) throws(CommandFailure) -> Option {
    if let option = options.first(where: { $0.spelling == name }) { return option }
    let failure = CommandFailure.usage("`\(command.name)` has no option \(quoting: name)")
    guard let hint = Suggestion.hint(for: name, among: options.map(\.spelling)) else {
      throw failure
    }
    throw failure.adding(hint: hint)
  }

  private mutating func takeArguments() throws(CommandFailure) {
    for (argument, word) in zip(command.arguments, given) {
      parsed.arguments[argument.placeholder] = word
    }
    if given.count > command.arguments.count {
      throw .usage("there is one argument too many: \(quoting: given[command.arguments.count])")
    }
    for argument in command.arguments.dropFirst(given.count) where !argument.isOptional {
      throw .usage("\(argument.placeholder) is missing: \(argument.help)")
    }
  }

  private func checkRequired() throws(CommandFailure) {
    for option in options where option.isRequired && parsed.values[option.name] == nil {
      throw .usage("\(option.usage) is missing: \(option.help)")
    }
  }
}
