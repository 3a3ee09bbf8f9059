/// Everything that a simulation does to its devices; each must have happened for a run to mean
/// anything.
public enum Lever: String, Sendable, CaseIterable {
  // What persons do.
  case send = "message sent"
  case reply = "reply sent"
  case sameID = "message under an id that somebody else used"
  case edit = "message edited"
  case delete = "message deleted"
  case cancel = "message cancelled"
  case retry = "failed message tried again"
  case react = "reaction added or taken back"
  case markRead = "conversation read"
  case clear = "history cleared"
  case draft = "draft kept"
  case create = "conversation made"
  case title = "title changed"
  case join = "account joined"
  case leave = "account left"
  case remove = "account removed"
  case deleteConversation = "conversation deleted"

  // What networks do.
  case offline = "device offline"
  case droppedRequest = "request lost"
  case lostAnswer = "answer lost"
  case slowAnswer = "answer slow"
  case lateRequest = "request done after it was given up"
  case repeatedRequest = "request done twice"
  case tooMany = "answered: too many, later"
  case serverError = "answered: failure of the server"
  case refused = "answered: never"
  case droppedPush = "push lost"
  case latePush = "push late"
  case repeatedPush = "push twice"
  case spent = "pushed item in its page too"
  case staleOverview = "overview older than the store"

  // What servers do.
  case cutHistory = "history cut"
  case cutInbox = "inbox cut"
  case expunge = "messages no longer served"
  case newEpoch = "server lost its numbering"
  case foreignEdit = "edit of somebody else's message"
  case foreignDelete = "delete of somebody else's message"
  case unreadable = "event that cannot be read"

  // What machines do.
  case clockJump = "clock set"
  case kill = "process killed"
  case killInTransaction = "process killed in a transaction"
  case powerLoss = "power lost"
  case powerLossUndid = "power loss that undid commits"
}

/// How often each lever was pulled.
public struct LeverCounts: Sendable, Equatable {
  private var counts = [Int](repeating: 0, count: Lever.allCases.count)

  public init() {}

  public subscript(lever: Lever) -> Int { counts[Self.place(lever)] }

  private static func place(_ lever: Lever) -> Int {
    Lever.allCases.firstIndex(of: lever) ?? 0
  }

  mutating func pull(_ lever: Lever) { counts[Self.place(lever)] += 1 }

  /// Adds the counts of another run.
  public mutating func add(_ other: LeverCounts) {
    for place in counts.indices { counts[place] += other.counts[place] }
  }

  /// What never happened.
  public var unused: [Lever] { Lever.allCases.filter { self[$0] == 0 } }
}
