import Coffer

/// What a device asks of the server.
enum ServerCall: Sendable, Equatable {
  case register
  case send(OutgoingEvent)
  case inbox(after: Int64, limit: Int)
  case release(upTo: Int64, epoch: Int64)
  case overview
  case history(String, ClosedRange<Int64>)
}

enum ServerAnswer: Sendable, Equatable {
  case done
  case accepted(Acceptance)
  case page(InboxPage)
  case overview(Overview)
  case history(History)
  case failed(RelayError)
}

extension ModelRelay {
  mutating func answer(_ call: ServerCall, of party: Party) -> ServerAnswer {
    do throws(RelayError) {
      switch call {
      case .register:
        register(party)
        return .done
      case .send(let event): return .accepted(try send(event, from: party))
      case .inbox(let cursor, let limit):
        return .page(try inbox(of: party, after: cursor, limit: limit))
      case .release(let number, let epoch):
        try release(party, upTo: number, epoch: epoch)
        return .done
      case .overview: return .overview(try overview(of: party))
      case .history(let address, let range):
        return .history(try history(of: address, range, for: party))
      }
    } catch { return .failed(error) }
  }
}
