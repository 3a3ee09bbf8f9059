import Coffer
import CofferDatabase

extension Connection {
  /// Why an event will never be taken; nothing where it may be.
  func refusal(
    of event: OutgoingEvent, from account: Int64, in conversation: KnownConversation?
  ) throws(DatabaseError) -> Refusal? {
    guard Envelope.isAddress(event.conversation), event.sentAt >= 0 else { return .notAllowed }
    for named in event.change?.named ?? [] where !Envelope.isAddress(named) { return .notAllowed }
    if case .create(_, let members) = event.change {
      if conversation != nil { return .conversationExists }
      for member in members where try isBlocked(account, by: member) { return .blocked }
      return nil
    }
    guard let conversation else { return .unknownConversation }
    guard try isMember(account, of: conversation.row) else { return .notAMember }
    if conversation.isDeleted { return .conversationDeleted }
    switch event.change {
    case .join(let newcomer): return try isBlocked(account, by: newcomer) ? .blocked : nil
    case nil, .title: return try isUnheard(account, in: conversation.row) ? .blocked : nil
    // Nobody is held in a conversation by those who block them.
    case .create, .leave, .remove, .delete: return nil
    }
  }

  func isMember(_ account: Int64, of conversation: Int64) throws(DatabaseError) -> Bool {
    try statement(
      """
      SELECT 1 FROM members
      WHERE conversation_id = ? AND account_id = ? AND until_seq IS NULL
      """
    ).integer(conversation, account) != nil
  }

  private func isBlocked(_ sender: Int64, by account: String) throws(DatabaseError) -> Bool {
    try statement(
      """
      SELECT 1 FROM blocks JOIN accounts ON accounts.id = account_id
      WHERE sender_id = ? AND address = ?
      """
    ).integer(sender, account) != nil
  }

  /// Whether every other member blocks an account: in a conversation of two, the other one.
  private func isUnheard(_ sender: Int64, in conversation: Int64) throws(DatabaseError) -> Bool {
    try statement(
      """
      SELECT count(*) > 0 AND count(*) = count(blocks.account_id)
      FROM members LEFT JOIN blocks
        ON blocks.account_id = members.account_id AND blocks.sender_id = ?1
      WHERE conversation_id = ?2 AND until_seq IS NULL AND members.account_id <> ?1
      """
    ).integer(sender, conversation) == 1
  }

  /// Has a change take effect on who is a member.
  func apply(
    _ change: ConversationChange, at seq: Int64, of conversation: Int64, from account: Int64
  ) throws(DatabaseError) {
    switch change {
    case .create(_, let members):
      try join(account, conversation, seq)
      for member in members { try join(self.account(member), conversation, seq) }
    case .join(let newcomer): try join(self.account(newcomer), conversation, seq)
    case .leave: try part(account, conversation, seq)
    case .remove(let member): try part(self.account(member), conversation, seq)
    case .title: break
    case .delete:
      try statement("UPDATE conversations SET deleted = 1 WHERE id = ?").run(conversation)
    }
  }

  /// Whoever is a member already stays one from where they were.
  private func join(
    _ account: Int64, _ conversation: Int64, _ seq: Int64
  ) throws(DatabaseError) {
    try statement(
      "INSERT OR IGNORE INTO members (conversation_id, account_id, since_seq) VALUES (?, ?, ?)"
    ).run(conversation, account, seq)
  }

  private func part(
    _ account: Int64, _ conversation: Int64, _ seq: Int64
  ) throws(DatabaseError) {
    try statement(
      """
      UPDATE members SET until_seq = ?
      WHERE conversation_id = ? AND account_id = ? AND until_seq IS NULL
      """
    ).run(seq, conversation, account)
  }
}

extension ConversationChange {
  /// The accounts that it names.
  fileprivate var named: [String] {
    switch self {
    case .create(_, let members): members
    case .join(let account), .remove(let account): [account]
    case .leave, .title, .delete: []
    }
  }
}
