/// Something that happened to a `SyncMachine`.
package enum SyncEvent: Sendable, Equatable {
  case start
  case answered(SyncRequest, SyncAnswer)
  case worked(SyncTask, SyncOutcome)
  case pushed(RelayPush)
  /// Something was written that the server does not know.
  case outboxChanged
  /// Somebody looks at a conversation.
  case wanted(String)
  /// The time of the last `wake` has come.
  case woke
  case stop
}

/// What the server said.
package enum SyncAnswer: Sendable, Equatable {
  case done
  case page(InboxPage)
  case overview(Overview)
  case history(History)
  case accepted(Acceptance)
  case failed(RelayError)
}

/// What came of work on the store.
package enum SyncOutcome: Sendable, Equatable {
  case done
  case position(SyncPosition)
  case received(ReceiveResult)
  case differences([Stretch])
  case claimed([ClaimedEvent], due: Int64?, pending: Int64)
  case gap(Stretch?)
  case receipts([WaitingReceipt])
  /// An event that waits for its next try, or was given up.
  case postponed(Postponement)
  case failed(StoreError)
}
