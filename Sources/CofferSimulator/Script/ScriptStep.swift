package import Coffer

/// The calls of a store that a script makes, as a report names them.
package enum ScriptVerb: String, Sendable, CaseIterable {
  case page, push, items, overview, fill, acknowledge, epoch
  case send, edit, delete, cancel, react, change, draft, retry
  case claim, postpone, release = "let go", fail
  case markRead = "mark read", clear, harden
}

/// One call of a store, with everything that it is given.
///
/// What it does depends on nothing but this and the rows, so that every process that makes it on
/// the same rows leaves the same rows.
package enum ScriptStep: Sendable {
  case page(Page)
  case push(Item, epoch: Int64)
  case items([Item])
  case overview(Overview, movesCursor: Bool)
  case fill(String, ClosedRange<Int64>, History)
  /// The server's word about what this script has claimed in a conversation.
  case acknowledge(String, seq: Int64)
  case epoch(Int64)
  case send(Draft)
  case edit(EventID, text: String)
  case delete(MessageReference)
  case cancel(EventID)
  case react(MessageReference, emoji: String, isAdded: Bool)
  case change(String, ConversationChange)
  case draft(String?, in: String)
  /// Of the oldest entry that was given up.
  case retry
  case claim
  /// What becomes of the oldest entry that this script has claimed.
  case postpone(asked: Int64?)
  case release
  case fail
  case markRead(String, upTo: Int64)
  case clear(String, upTo: Int64)
  case harden

  package var verb: ScriptVerb {
    switch self {
    case .page: .page
    case .push: .push
    case .items: .items
    case .overview: .overview
    case .fill: .fill
    case .acknowledge: .acknowledge
    case .epoch: .epoch
    case .send: .send
    case .edit: .edit
    case .delete: .delete
    case .cancel: .cancel
    case .react: .react
    case .change: .change
    case .draft: .draft
    case .retry: .retry
    case .claim: .claim
    case .postpone: .postpone
    case .release: .release
    case .fail: .fail
    case .markRead: .markRead
    case .clear: .clear
    case .harden: .harden
    }
  }
}
