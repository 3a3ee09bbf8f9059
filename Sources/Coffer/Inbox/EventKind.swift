/// What an `events` row holds.
enum EventKind: Int64, CaseIterable {
  /// An item that could not be read; its bytes are in quarantine.
  case unreadable = 1
  /// A second seq of an event that is held at another one.
  case repeated = 2
  case edit = 3
  case delete = 4
  case reaction = 5
  case change = 6
  /// The server's word that this seq was never meant for this device.
  case none = 7

  /// Whether the row only keeps a place, which the event itself may take.
  var isPlaceholder: Bool { self == .unreadable || self == .none }
}
