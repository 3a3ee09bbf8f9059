import Coffer
import CofferCoding
import CofferSystem

enum QuarantineCommand: Command {
  private static let raw = Option.value(
    "raw", "NUMBER", "print this item as it came, byte for byte")
  private static let retry = Option.flag(
    "retry", "try again what is set aside, as after an update; applied items leave")
  private static let pageSize = 100

  static let name = "quarantine"
  static let summary = "List the items that were set aside, and why"
  static let discussion = """
    An item that breaks a rule is set aside: nothing of it was applied, and nothing of it was lost.
    """
  static let arguments = [Argument.store]
  static let options = [OptionSection([raw, retry, .json, .acceptOldKeyring]), .secret]
  static let examples = ["coffer quarantine ann.coffer", "coffer quarantine ann.coffer --raw 3"]

  static func run(_ input: ParsedArguments, _ output: Output) async throws(CommandFailure) {
    let wanted = try input.integer(raw, in: 1...Int64.max)
    guard wanted == nil || !input.has(retry) else {
      throw .usage("--raw and --retry exclude each other")
    }
    try await input.withStore(output) { store throws(CommandFailure) in
      if input.has(retry) {
        try await tryAgain(store, input, output)
      } else if let wanted {
        try await printRaw(wanted, of: store, input, output)
      } else {
        try await list(store, input, output)
      }
    }
  }

  private static func printRaw(
    _ number: Int64, of store: Store, _ input: ParsedArguments, _ output: Output
  ) async throws(CommandFailure) {
    let found = try await items(of: store, after: number - 1, limit: 1)
    guard let item = found.first, item.id == number else {
      throw CommandFailure(
        .notFound, "there is no item \(number) in the quarantine of \(input.text(.store))")
    }
    // A terminal would obey what it holds.
    if output.isTerminal {
      output.line("\(String(decoding: item.raw, as: UTF8.self))")
    } else {
      output.raw(item.raw)
    }
  }

  private static func tryAgain(
    _ store: Store, _ input: ParsedArguments, _ output: Output
  ) async throws(CommandFailure) {
    let result = try await CommandFailure.catching { () throws(StoreError) in
      try await store.retryQuarantine()
    }
    let applied = result.inserted + result.updated + result.duplicate + result.waiting
    if input.isJSON {
      output.json { json in
        json.member("applied", applied)
        json.member("left", result.quarantined)
      }
    } else {
      output.line("\(applied, of: "item") applied, \(grouped: result.quarantined) left.")
    }
  }

  private static func list(
    _ store: Store, _ input: ParsedArguments, _ output: Output
  ) async throws(CommandFailure) {
    var last: Int64 = 0
    // In pages: an item may be as long as a line.
    while true {
      let page = try await items(of: store, after: last, limit: pageSize)
      var table = Table()
      for item in page where !output.hasFailed {
        if input.isJSON {
          output.json { json in
            json.member("item", item.id)
            if let inbox = item.inbox { json.member("inbox", inbox) } else { json.null("inbox") }
            json.member("reason", item.reason)
            json.member("first_seen", item.firstSeen)
            json.member("attempts", item.attempts)
            json.member("bytes", item.raw.count)
          }
        } else {
          table.add(
            "\(item.id)", Moment.short(item.firstSeen), Quantity.bytes(Int64(item.raw.count)),
            "came \(item.attempts, of: "time")", "\(item.reason)")
        }
      }
      table.print(on: output)
      guard let end = page.last?.id, page.count == pageSize else { break }
      last = end
    }
    if last == 0, !input.isJSON, try await items(of: store, after: 0, limit: 1).isEmpty {
      output.line("Nothing is set aside.")
    }
  }

  private static func items(
    of store: Store, after: Int64, limit: Int
  ) async throws(CommandFailure) -> [QuarantinedItem] {
    try await CommandFailure.catching { () throws(StoreError) in
      try await store.quarantine(after: after, limit: limit)
    }
  }
}
