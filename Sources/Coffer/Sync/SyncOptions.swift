/// How a `SyncEngine` works.
public struct SyncOptions: Sendable {
  /// Items that a page of the inbox has at most.
  public var pageLimit = 50
  /// Whether items can only be opened in the order of the inbox, so that none may be skipped.
  public var isSealed = false
  /// With more items than these to come, the newest of each conversation come first, and what lies
  /// before them afterwards; not where the inbox is sealed.
  public var farBehind: Int64 = 500
  /// Conversations whose events are sent side by side.
  public var sends = 4
  /// How often an event that the server does not take yet is tried before it is given up.
  public var attempts: Int64 = 30
  /// Whether everything that is missing is fetched, or only what somebody asked for.
  public var fillsInBackground = true
  /// Seqs that one question about the history covers.
  public var fillLimit: Int64 = 200
  /// Milliseconds after which it looks for what other processes wrote.
  public var poll: Int64 = 30_000
  /// Milliseconds that a stop waits for what is on its way.
  public var grace: Int64 = 10_000
  /// Told how far it is, from the engine's own task: it should return at once.
  public var onProgress: (@Sendable (SyncProgress) -> Void)?

  public init() {}

  /// Items after which what was received is made durable, in the middle of a catch-up too.
  static let durableEvery = 1_000
  /// Milliseconds that what was pushed may wait to be made durable.
  static let durableAfter: Int64 = 10_000
  /// Pushes that wait to be applied; what comes beyond is pulled.
  static let pushes = 256

  var backoff: Backoff {
    var backoff = Backoff()
    backoff.attempts = attempts
    return backoff
  }
}

/// How far a `SyncEngine` is.
public struct SyncProgress: Sendable, Equatable {
  /// Whether the server can be reached, as far as is known.
  public var isOnline = false
  /// Whether everything that the server had, when it was last asked, is here.
  public var isCaughtUp = false
  /// Items that came.
  public var pulled = 0
  /// Numbers of the inbox between the cursor and its end, as far as that is known.
  public var behind: Int64 = 0
  /// Seqs that were asked of the history.
  public var filled = 0
  /// Events that the server took.
  public var sent = 0
  /// Events that were given up.
  public var failed = 0
  /// Entries of the outbox that wait for the server.
  public var pending: Int64 = 0

  public init() {}
}

/// Why a `SyncEngine` ended.
public enum SyncError: Error, Sendable, Equatable {
  case store(StoreError)
  /// `unreachable` and `retryable` only end `syncOnce`, for nobody waits there; `refused` means that
  /// the server does not want this device.
  case relay(RelayError)
  /// It runs already.
  case running
}
