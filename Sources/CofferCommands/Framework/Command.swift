/// One command of the tool, declared: its help, its parsing and its completion follow from this.
///
/// A new command is a file of its own and one line in `CommandList`.
package protocol Command: SendableMetatype {
  /// What is typed; two words for a command of a group, such as `key list`.
  static var name: String { get }
  /// One line, without a full stop.
  static var summary: String { get }
  /// What a person should know before using it: paragraphs between blank lines.
  ///
  /// A line that begins with two spaces is printed as it stands.
  static var discussion: String { get }
  /// What is given without an option's name, in order.
  static var arguments: [Argument] { get }
  static var options: [OptionSection] { get }
  /// Whole command lines.
  static var examples: [String] { get }
  /// Whether help and completion leave it out.
  static var isHidden: Bool { get }

  static func run(_ input: ParsedArguments, _ output: Output) async throws(CommandFailure)
}

extension Command {
  package static var discussion: String { "" }
  package static var arguments: [Argument] { [] }
  package static var options: [OptionSection] { [] }
  package static var examples: [String] { [] }
  package static var isHidden: Bool { false }

  /// Every option, whatever its section.
  static var allOptions: [Option] { options.flatMap(\.options) }

  /// The words that are typed to get here.
  static var words: [String] { name.split(separator: " ").map(String.init) }
}

/// Commands under one first word, such as `key`.
package struct CommandGroup: Sendable {
  package let name: String
  package let summary: String
  package let discussion: String

  package init(_ name: String, _ summary: String, discussion: String = "") {
    self.name = name
    self.summary = summary
    self.discussion = discussion
  }
}
