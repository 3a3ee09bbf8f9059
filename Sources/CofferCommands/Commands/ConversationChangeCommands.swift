import Coffer

// The commands of the group `conversation`: each queues one change, as its name says.

extension Argument {
  fileprivate static let account = Argument("ACCOUNT", "the address of an account")
}

/// What the commands of the group share.
private protocol ChangeCommand: Command {
  static func change(
    _ input: ParsedArguments, _ output: Output
  ) throws(CommandFailure) -> ConversationChange
  static var readsText: Bool { get }
}

extension ChangeCommand {
  static var readsText: Bool { false }

  static var options: [OptionSection] {
    [OptionSection((readsText ? [TextInput.file] : []) + [.json, .acceptOldKeyring]), .secret]
  }

  static func run(_ input: ParsedArguments, _ output: Output) async throws(CommandFailure) {
    let readers = readsText ? TextInput.readers(input) : []
    try await input.withStore(output, standardInput: readers) { store throws(CommandFailure) in
      let change = try change(input, output)
      let sent = try await CommandFailure.catching { () throws(StoreError) in
        try await store.change(input.text(.conversation), change)
      }
      output.sent(sent, input)
    }
  }
}

enum ConversationCreateCommand: ChangeCommand {
  private static let members = Argument(
    "MEMBERS", "the addresses of the other members, with commas between")

  static let name = "conversation create"
  static let summary = "Begin a conversation"
  static let discussion = """
    It is here at once, and messages can be queued for it. The address is yours to choose, and is \
    never used for another conversation.
    """
  static let arguments = [Argument.store, .conversation, members]
  static let examples = ["coffer conversation create ann.coffer hiking bob,cem"]

  static func change(
    _ input: ParsedArguments, _ output: Output
  ) throws(CommandFailure) -> ConversationChange {
    .create(title: nil, members: input.text(members).split(separator: ",").map(String.init))
  }
}

enum ConversationTitleCommand: ChangeCommand {
  static let name = "conversation title"
  static let summary = "Give a conversation a title"
  static let discussion = TextInput.words
  static let arguments = [Argument.store, .conversation]
  static let examples = ["printf 'Ridge walk' | coffer conversation title ann.coffer hiking"]
  static let readsText = true

  static func change(
    _ input: ParsedArguments, _ output: Output
  ) throws(CommandFailure) -> ConversationChange {
    .title(try TextInput.read(input, output))
  }
}

enum ConversationAddCommand: ChangeCommand {
  static let name = "conversation add"
  static let summary = "Add a member to a conversation"
  static let arguments = [Argument.store, .conversation, .account]
  static let examples = ["coffer conversation add ann.coffer hiking dora"]

  static func change(
    _ input: ParsedArguments, _ output: Output
  ) throws(CommandFailure) -> ConversationChange {
    .join(input.text(.account))
  }
}

enum ConversationRemoveCommand: ChangeCommand {
  static let name = "conversation remove"
  static let summary = "Remove a member from a conversation"
  static let arguments = [Argument.store, .conversation, .account]
  static let examples = ["coffer conversation remove ann.coffer hiking cem"]

  static func change(
    _ input: ParsedArguments, _ output: Output
  ) throws(CommandFailure) -> ConversationChange {
    .remove(input.text(.account))
  }
}

enum ConversationLeaveCommand: ChangeCommand {
  static let name = "conversation leave"
  static let summary = "Leave a conversation"
  static let discussion = "What was said so far stays in this store; `coffer clear` removes it."
  static let arguments = [Argument.store, .conversation]
  static let examples = ["coffer conversation leave ann.coffer hiking"]

  static func change(
    _ input: ParsedArguments, _ output: Output
  ) throws(CommandFailure) -> ConversationChange {
    .leave
  }
}

enum ConversationCloseCommand: ChangeCommand {
  static let name = "conversation close"
  static let summary = "End a conversation for everybody"
  static let discussion = """
    Nobody can write to it any more. What was said stays wherever it is until somebody clears it.
    """
  static let arguments = [Argument.store, .conversation]
  static let examples = ["coffer conversation close ann.coffer hiking"]

  static func change(
    _ input: ParsedArguments, _ output: Output
  ) throws(CommandFailure) -> ConversationChange {
    .delete
  }
}
