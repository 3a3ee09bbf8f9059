import CofferDatabase

/// What stands beside the messages of a page: reactions, and what waits in the outbox about them.
struct TimelineOverlay {
  private let conversation: Int64
  /// Where each message is among the entries.
  private var places: [Int64: Int] = [:]
  private var seqs = Bounds()
  private var rows = Bounds()

  /// A range that is empty at first.
  private struct Bounds {
    var first = Int64.max
    var last = Int64.min

    mutating func include(_ number: Int64) {
      first = min(first, number)
      last = max(last, number)
    }
  }

  init(_ entries: [TimelinePage.Entry], of conversation: Int64) {
    self.conversation = conversation
    for (place, entry) in entries.enumerated() {
      guard case .message(let message) = entry else { continue }
      places[message.id] = place
      if let seq = message.seq { seqs.include(seq) } else { rows.include(message.id) }
    }
  }

  /// The rows of the page's messages, by the walks that found them.
  private static let page = """
    (SELECT id FROM messages WHERE conversation_id = ?1 AND seq BETWEEN ?2 AND ?3
     UNION ALL
     SELECT id FROM messages WHERE conversation_id = ?1 AND seq IS NULL AND id BETWEEN ?4 AND ?5)
    """

  func addReactions(
    to entries: inout [TimelinePage.Entry], _ connection: borrowing Connection
  ) throws(DatabaseError) {
    guard !places.isEmpty else { return }
    let reactions = try connection.statement(
      """
      SELECT r.message_id, a.address, r.emoji FROM \(Self.page) p
      JOIN reactions r ON r.message_id = p.id JOIN accounts a ON a.id = r.account_id
      WHERE r.added = 1 ORDER BY r.message_id, r.seq
      """
    ).all(conversation, seqs.first, seqs.last, rows.first, rows.last) {
      ($0.integer(0), Reaction(sender: $0.text(1), emoji: $0.text(2)))
    }
    for (row, reaction) in reactions {
      change(row, in: &entries) { $0.reactions.append(reaction) }
    }
  }

  func addQueued(
    to entries: inout [TimelinePage.Entry], _ connection: borrowing Connection
  ) throws(DatabaseError) {
    guard !places.isEmpty else { return }
    let own =
      try connection.statement("SELECT address FROM accounts WHERE id = ?")
      .first(Directory.ownAccount) { $0.text(0) } ?? ""
    let queued = try connection.statement(
      """
      SELECT o.message_id, o.content, o.error FROM \(Self.page) p
      JOIN outbox o ON o.message_id = p.id
      WHERE o.kind = 0 AND o.failed = 1 OR o.kind IN (1, 3) AND o.failed = 0
      ORDER BY o.id
      """
    ).all(conversation, seqs.first, seqs.last, rows.first, rows.last) { row in
      (row.integer(0), row.isNull(1) ? nil : row.bytes(1), row.optionalText(2))
    }
    for (row, content, error) in queued {
      let event = content.flatMap { Event(content: $0) }
      change(row, in: &entries) { message in
        switch event {
        case .edit(_, let text): message.show(edit: text)
        case .reaction(_, let emoji, let isAdded):
          message.show(Reaction(sender: own, emoji: emoji), isAdded: isAdded)
        default: message.failure = error
        }
      }
    }
  }

  private func change(
    _ row: Int64, in entries: inout [TimelinePage.Entry], _ body: (inout Message) -> Void
  ) {
    guard let place = places[row], case .message(var message) = entries[place] else { return }
    body(&message)
    entries[place] = .message(message)
  }
}

extension Message {
  /// Shows an edit that waits for the server.
  mutating func show(edit text: String) {
    guard !isDeleted else { return }
    self.text = text
    isEdited = true
  }

  /// Shows a reaction that waits for the server, added or taken back.
  fileprivate mutating func show(_ reaction: Reaction, isAdded: Bool) {
    guard !isDeleted else { return }
    reactions.removeAll { $0.isSame(as: reaction) }
    if isAdded { reactions.append(reaction) }
  }
}

extension Reaction {
  /// Byte for byte: what only looks the same is two.
  fileprivate func isSame(as other: Reaction) -> Bool {
    Address(text: sender) == Address(text: other.sender)
      && Address(text: emoji) == Address(text: other.emoji)
  }
}
