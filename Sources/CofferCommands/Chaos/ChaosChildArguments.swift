/// The child's orders as command-line arguments and back.
enum ChaosChildArguments {
  static let command = "chaos-child"

  /// The arguments by place.
  static let names = ["STORE", "KEYFILE", "SEED", "LAST", "CURSOR", "KILLAT", "PAGES", "REOPENS"]

  static func encode(_ order: ChaosOrder) -> [String] {
    [
      command, order.store, order.keyFile, String(order.seed), String(order.last),
      order.cursor.rawValue, String(order.killAt ?? 0), String(order.pages),
      String(order.reopens),
    ]
  }

  static func decode(_ arguments: [String]) -> ChaosOrder? {
    guard arguments.count == names.count, let seed = UInt64(arguments[2]),
      let last = Int64(arguments[3]), let cursor = ChaosCursor(rawValue: arguments[4]),
      let killAt = Int(arguments[5]), let pages = Int(arguments[6]),
      let reopens = Int(arguments[7])
    else { return nil }
    return ChaosOrder(
      store: arguments[0], keyFile: arguments[1], seed: seed, last: last, cursor: cursor,
      killAt: killAt == 0 ? nil : killAt, pages: pages, reopens: reopens)
  }
}
