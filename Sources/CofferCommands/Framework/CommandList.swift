/// Every command, in the order of the help.
///
/// A new one is added here and nowhere else.
package enum CommandList {
  package struct Section: Sendable {
    package let title: String
    package let commands: [any Command.Type]
  }

  package static let sections = [
    Section(
      title: "Stores",
      commands: [
        CreateCommand.self, InfoCommand.self, VerifyCommand.self,
        KeyListCommand.self, KeyCheckCommand.self, KeyAddCommand.self, KeyChangeCommand.self,
        KeyRemoveCommand.self,
      ]),
    Section(
      title: "Messages",
      commands: [
        SyncCommand.self, ReceiveCommand.self, SendCommand.self, EditCommand.self,
        DeleteCommand.self,
        ReactCommand.self, DraftCommand.self, ReadCommand.self, MarkReadCommand.self,
        ClearCommand.self, GapsCommand.self, OutboxCommand.self, RetryCommand.self,
        CancelCommand.self, QuarantineCommand.self,
      ]),
    Section(
      title: "Conversations",
      commands: [
        ConversationsCommand.self, ConversationCreateCommand.self, ConversationTitleCommand.self,
        ConversationAddCommand.self, ConversationRemoveCommand.self,
        ConversationLeaveCommand.self, ConversationCloseCommand.self,
      ]),
    Section(
      title: "Others",
      commands: [
        DemoCommand.self, ChaosCommand.self, ChaosChildCommand.self, ChaosScriptCommand.self,
        DemoChildCommand.self,
        CompletionsCommand.self,
      ]),
  ]

  package static let groups = [
    CommandGroup(
      "key", "List, check, add, change and remove what opens a store",
      discussion: """
        A store has one master key, and a slot for each secret that opens it: a passphrase, a \
        key file or a recovery code. Any one of them is enough. Changing slots is instant: \
        nothing is encrypted anew.
        """),
    CommandGroup(
      "conversation", "Begin a conversation, change it, leave it or end it",
      discussion: """
        A change waits in the outbox like a message, and takes effect once the server has it: \
        `coffer sync` brings it there. Each prints the id under which it goes.
        """),
  ]

  package static var all: [any Command.Type] { sections.flatMap(\.commands) }

  static var visible: [any Command.Type] { all.filter { !$0.isHidden } }

  static func group(_ name: String) -> CommandGroup? { groups.first { $0.name == name } }

  static func commands(in group: CommandGroup) -> [any Command.Type] {
    visible.filter { $0.words.first == group.name && $0.words.count > 1 }
  }

  /// What may be typed first.
  static var firstWords: [String] {
    var words: [String] = []
    for command in visible {
      guard let first = command.words.first, words.last != first else { continue }
      words.append(first)
    }
    return words
  }

  /// The command that the words begin with, and the words behind its name.
  static func find(
    _ words: [String]
  ) throws(CommandFailure) -> (command: any Command.Type, rest: [String]) {
    let name = longestName(in: words)
    if let command = all.first(where: { $0.words == name }) {
      return (command, Array(words.dropFirst(name.count)))
    }
    guard let first = words.first else { throw .usage("no command is given") }
    if let group = group(first) {
      let known = commands(in: group).map { $0.words[1] }
      let hint = TerminalText("`coffer help \(first)` lists them")
      guard words.count > 1 else {
        throw .usage("`\(first)` needs one of its commands: \(known.joined(separator: ", "))")
          .adding(hint: hint)
      }
      throw unknown(words[1], "`\(first)` has no command", known).adding(hint: hint)
    }
    throw unknown(first, "there is no command", firstWords)
      .adding(hint: "`coffer help` lists the commands")
  }

  /// The words at the front that name a command or a group, as far as they do.
  static func longestName(in words: [String]) -> [String] {
    for count in [2, 1] where words.count >= count {
      let front = Array(words.prefix(count))
      if all.contains(where: { $0.words == front }) { return front }
      if count == 1, group(front[0]) != nil { return front }
    }
    return Array(words.prefix(1))
  }

  private static func unknown(
    _ word: String, _ what: TerminalText, _ known: [String]
  ) -> CommandFailure {
    let failure = CommandFailure.usage("\(what) \(quoting: word)")
    guard let hint = Suggestion.hint(for: word, among: known) else { return failure }
    return failure.adding(hint: hint)
  }
}
