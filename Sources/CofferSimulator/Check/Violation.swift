/// The rules that hold at every moment, by their numbers in the design.
///
/// Two are not here yet: 7, the search index, and 10, message keys, come with what they are about.
public enum Invariant: Int, Sendable, CaseIterable {
  /// Cursor = c: every item up to c is held, a recorded gap or in quarantine; or, without a seq, its
  /// effect is stored. What the server was allowed to discard is here.
  case cursorStandsForItems = 1
  /// Held and missing seqs add up to the range of their conversation, and never overlap.
  case seqsAddUp = 2
  /// Every draft that `send` accepted is there, under its id.
  case draftsAreThere = 3
  /// The server has each event once, and what a device wrote in the order of its outbox.
  case orderIsKept = 4
  /// No state falls but by an explicit retry, and no tombstone comes back to life.
  case statesOnlyRise = 5
  /// Preview and unread count are what the rows say.
  case derivedIsRight = 6
  /// Every page authenticates, and tables, references and rules are sound.
  case filesAreSound = 8
  /// At rest, every device holds at each seq what the server has there.
  case devicesAgree = 9
}

/// A rule that did not hold.
public struct Violation: Sendable, Equatable {
  public let invariant: Invariant
  /// The step of the simulation in which it was found.
  public let step: Int
  /// The device, as account/number; nothing where it is the server's.
  public let device: String?
  public let detail: String
}
