/// Something that is to be done for a `SyncMachine`.
package enum SyncAction: Sendable, Equatable {
  /// To be asked of the server; any number at once.
  case ask(SyncRequest)
  /// To be done with the store, one after the other, in the order they are given.
  case work(SyncTask)
  /// The event `woke` is due at this time, in place of any time said before.
  case wake(at: Int64)
  case tell(SyncProgress)
  /// Nothing is on its way any more, and nothing will be asked for.
  case end(SyncError?)
}

/// A question for the server.
package enum SyncRequest: Sendable, Equatable {
  case register
  case inbox(after: Int64, limit: Int)
  case overview
  case history(String, ClosedRange<Int64>)
  case send(ClaimedEvent)
  case receipt(WaitingReceipt)
  case release(upTo: Int64, epoch: Int64)
}

/// Work on the store.
package enum SyncTask: Sendable, Equatable {
  /// Sees where the store stands.
  case look
  /// Goes on in another epoch, unless somebody else has left `from` meanwhile.
  case begin(epoch: Int64, from: Int64?)
  case receive(InboxPage)
  case push(RelayItem, epoch: Int64)
  case overview(Overview, movesCursor: Bool)
  /// Finds the stretches in which the server has something else.
  case compare(Overview)
  case harden
  case claim(limit: Int)
  case accept(ClaimedEvent, Acceptance)
  case postpone(ClaimedEvent, asked: Int64?)
  case letGo(ClaimedEvent)
  case fail(ClaimedEvent, Refusal)
  /// Finds what is missing, of one conversation or of any, besides what could not be had.
  case findGap(of: String?, besides: Set<StuckGap>, limit: Int64)
  case fill(Stretch, History)
  case findReceipts(limit: Int)
  /// The server knows a receipt, or will never want it.
  case noteTold(WaitingReceipt)
}

/// Some seqs of a conversation, as the server counts.
package struct Stretch: Sendable, Equatable {
  package let conversation: String
  package let range: ClosedRange<Int64>

  package init(_ conversation: String, _ range: ClosedRange<Int64>) {
    self.conversation = conversation
    self.range = range
  }
}

/// A gap whose end the server did not account for: it is not asked for again at once.
package struct StuckGap: Sendable, Hashable {
  private let conversation: Address
  private let last: Int64

  init(_ stretch: Stretch) {
    conversation = Address(text: stretch.conversation)
    last = stretch.range.upperBound
  }
}
