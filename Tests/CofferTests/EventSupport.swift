import CofferDatabase

@testable import Coffer

/// An event of `sender`; `number` is its id and, unless another is given, its seq.
func event(
  _ number: Int, _ event: Event, in conversation: String = "hiking", seq: Int64? = nil,
  from sender: String = "ann", inbox: Int64? = nil
) -> Item {
  Item(
    Envelope(
      inbox: inbox, conversation: conversation, seq: seq ?? Int64(number), sender: sender,
      device: 1,
      id: id(number), sentAt: 1_700_000_000_000 + Int64(number)),
    .event(event))
}

func receipt(
  _ delivered: Int64, _ read: Int64, in conversation: String = "hiking",
  from sender: String = "ann",
  inbox: Int64? = nil
) -> Item {
  Item(
    Envelope(
      inbox: inbox, conversation: conversation, seq: nil, sender: sender, device: 1, id: id(9999),
      sentAt: 1),
    .event(.receipt(Receipt(delivered: delivered, read: read))))
}

/// The `number`-th message of `ann`.
func message(_ number: Int, of sender: String = "ann") -> MessageReference {
  MessageReference(sender: sender, id: id(number))
}

extension Store {
  /// Rows of a query as text, to compare states that no public call shows.
  func rows(_ sql: String) async throws -> [String] {
    try await read { connection throws(DatabaseError) in
      try connection.statement("SELECT concat_ws('|', \(sql)").all { $0.text(0) }
    }
  }

  /// Everything that what was said in a conversation has come to, without local row numbers.
  func outcome(_ conversation: String = "hiking") async throws -> [String] {
    let of =
      "WHERE conversation_id = (SELECT id FROM conversations WHERE address = '\(conversation)')"
    return try await rows(
      "seq, state, text, edit_seq, deleted_seq, expunged) FROM messages \(of) ORDER BY seq")
      + rows("'event', seq, kind, hex(content), applied) FROM events \(of) ORDER BY seq")
      + rows(
        """
        'reaction', m.seq, address, emoji, r.seq, added) FROM reactions r
        JOIN messages m ON m.id = r.message_id JOIN accounts a ON a.id = account_id
        \(of) ORDER BY m.seq, address, emoji
        """)
      + rows(
        """
        'member', address, since_seq, until_seq) FROM members JOIN accounts a ON a.id = account_id
        \(of) ORDER BY address
        """)
      + rows("'gap', first, last, status) FROM gaps \(of) ORDER BY first")
      + rows(
        """
        title, title_seq, deleted_seq, max_seq, unread,
        (SELECT seq FROM messages WHERE id = newest_id)) FROM conversations
        WHERE address = '\(conversation)'
        """)
  }

  func reasons() async throws -> [String] { try await quarantine().map(\.reason) }
}

extension Item {
  /// The bytes as which a relay has it.
  var payload: [UInt8] {
    guard case .event(let event) = body else { return [] }
    return Payload(
      conversation: envelope.conversation, id: envelope.id, sentAt: envelope.sentAt, event: event
    ).encoded
  }
}
