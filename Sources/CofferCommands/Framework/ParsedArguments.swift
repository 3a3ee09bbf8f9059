/// What was typed, checked against what a command declares.
package struct ParsedArguments: Sendable {
  var arguments: [String: String] = [:]
  var values: [String: String] = [:]
  var flags: Set<String> = []

  package func has(_ flag: Option) -> Bool { flags.contains(flag.name) }

  package var isJSON: Bool { has(.json) }

  /// The value of an option, or nothing where it was not given.
  package subscript(option: Option) -> String? { values[option.name] }

  /// The value of an argument or option that must be there: the parser saw to that.
  package func text(_ argument: Argument) -> String { arguments[argument.placeholder] ?? "" }
  package func text(_ option: Option) -> String { values[option.name] ?? "" }

  package func optional(_ argument: Argument) -> String? { arguments[argument.placeholder] }

  /// A whole number in plain digits.
  package func integer(
    _ option: Option, in range: ClosedRange<Int64>
  ) throws(CommandFailure) -> Int64? {
    guard let text = self[option] else { return nil }
    guard let value = Int64(text), String(value) == text, range.contains(value) else {
      let bounds: TerminalText =
        range.upperBound == .max
        ? "from \(range.lowerBound) on" : "from \(range.lowerBound) to \(range.upperBound)"
      throw .usage("\(option.spelling) takes a whole number \(bounds), not \(quoting: text)")
    }
    return value
  }

  /// One of a few words.
  package func choice<Value>(
    _ option: Option, _ choices: [(word: String, value: Value)]
  ) throws(CommandFailure) -> Value? {
    guard let text = self[option] else { return nil }
    if let choice = choices.first(where: { $0.word == text }) { return choice.value }
    let words = TerminalText.list(choices.map { "\($0.word)" }, "or")
    throw .usage("\(option.spelling) takes \(words), not \(quoting: text)")
  }
}
