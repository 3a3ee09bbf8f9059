/// How a shell may complete a value.
package enum Completion: Sendable, Equatable {
  case nothing
  case file
  case folder
  case words([String])
}

/// A value that is given by its place.
package struct Argument: Sendable {
  /// In capitals, as the usage line shows it; also its key among the parsed ones.
  package let placeholder: String
  package let help: String
  package let isOptional: Bool
  package let completion: Completion

  package init(
    _ placeholder: String, _ help: String, isOptional: Bool = false,
    completing completion: Completion = .nothing
  ) {
    self.placeholder = placeholder
    self.help = help
    self.isOptional = isOptional
    self.completion = completion
  }
}

/// Something given by name: `--name`, or `--name VALUE`.
package struct Option: Sendable {
  /// Without its dashes.
  package let name: String
  /// The word for its value in capitals; nothing for a flag.
  package let placeholder: String?
  package let help: String
  package let isRequired: Bool
  package let completion: Completion

  package static func flag(_ name: String, _ help: String) -> Option {
    Option(
      name: name, placeholder: nil, help: help, isRequired: false, completion: .nothing)
  }

  package static func value(
    _ name: String, _ placeholder: String, _ help: String, required: Bool = false,
    completing completion: Completion = .nothing
  ) -> Option {
    Option(
      name: name, placeholder: placeholder, help: help, isRequired: required,
      completion: completion)
  }

  /// As it is typed, dashes included.
  package var spelling: String { "--\(name)" }

  /// As help shows it, with the word for its value.
  var usage: String { placeholder.map { "\(spelling) \($0)" } ?? spelling }
}

/// Options that belong together in the help.
package struct OptionSection: Sendable {
  package let title: String
  package let options: [Option]

  package init(_ title: String, _ options: [Option]) {
    self.title = title
    self.options = options
  }

  package init(_ options: [Option]) { self.init("Options", options) }
}

// What several commands share.

extension Argument {
  static let store = Argument("STORE", "the store's folder", completing: .folder)
  static let conversation = Argument("CONVERSATION", "the address of a conversation")
}

extension Option {
  static let json = Option.flag("json", "print JSON, one document a line")
}
