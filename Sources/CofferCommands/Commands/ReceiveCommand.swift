import Coffer
import CofferCoding
import CofferSystem

enum ReceiveCommand: Command {
  private static let file = Argument(
    "FILE", "JSON Lines; standard input where it is left out, or -", isOptional: true,
    completing: .file)

  static let name = "receive"
  static let summary = "Apply what the server sent"
  static let discussion = """
    Reads JSON Lines, and applies each line as it is read, in one transaction with the cursor. So \
    a client in any language can use a store. A line is one of:

      {"page":{"base":0,"next":50,"items":[…]}}   a stretch of the inbox
      {"push":{…}}                                one item, pushed by the server
      {"items":[…]}                               items that no cursor counts
      {"ack":{"id":"…","seq":5}}                  the server has a message of ours

    and an item is

      {"inbox":1,"conversation":"hiking","seq":1,"sender":"bob","device":1,
       "id":"0190b3c8-7a10-7c3f-8d52-6f1e2a3b4c5d","sent_at":1717000000000,
       "message":{"text":"Back before dark?"}}

    `base` is the cursor that a page follows and `next` the one after it; `sent_at` is in \
    milliseconds since 1970. Accounts and conversations are made on sight. Whole numbers may be \
    strings, and beyond 2^53-1 they should be.

    An item that breaks a rule goes into quarantine, and its page goes on. The same line again \
    changes nothing. A line that can't be read, or a page above the cursor, ends the command: the \
    lines before it stay applied, and nothing of it is. Kill it whenever you like; then go on from \
    the cursor that `coffer info` shows.
    """
  static let arguments = [Argument.store, file]
  static let options = [OptionSection([.json, .acceptOldKeyring]), .secret]
  static let examples = [
    "coffer receive ann.coffer pages.jsonl",
    "my-client | coffer receive ann.coffer --key-file ann.key",
  ]

  static func run(_ input: ParsedArguments, _ output: Output) async throws(CommandFailure) {
    let source = try InboxSource(input.optional(file))
    let others: [TerminalText] = source.isStandardInput ? ["the lines to receive"] : []
    try await input.withStore(output, standardInput: others) { store throws(CommandFailure) in
      var receiver = InboxReceiver(store, output)
      do throws(CommandFailure) {
        try await receiver.receive(source)
      } catch {
        receiver.progress.finish()
        throw receiver.explain(error)
      }
      receiver.progress.finish()
      receiver.total.report(input, output)
    }
  }
}

/// Where the lines come from.
struct InboxSource: ~Copyable {
  /// Nothing for standard input.
  private let file: OpenFile?
  let isStandardInput: Bool
  let name: String

  init(_ path: String?) throws(CommandFailure) {
    if let path, path != "-" {
      name = path
      isStandardInput = false
      file = try CommandFailure.catching { () throws(SystemError) in try OpenFile(path, .read) }
    } else {
      name = "standard input"
      isStandardInput = true
      file = nil
    }
  }

  borrowing func read(into buffer: inout MutableRawSpan) throws(SystemError) -> Int {
    switch file {
    case .some(let file): try file.read(into: &buffer)
    case .none: try StandardStream.input.read(into: &buffer)
    }
  }
}

/// Applies lines, one transaction each, and counts what they did.
private struct InboxReceiver {
  private let store: Store
  private(set) var total = InboxTotal()
  private(set) var progress: Progress

  init(_ store: Store, _ output: Output) {
    self.store = store
    progress = Progress(of: "item", output)
  }

  mutating func receive(_ source: borrowing InboxSource) async throws(CommandFailure) {
    total.cursor = try await CommandFailure.catching { () throws(StoreError) in
      try await store.cursor()
    }
    var lines = JSONLines()
    while let line = try next(&lines, source) {
      switch line {
      case .tooLong(let number):
        throw CommandFailure(.badData, "it is longer than 64 MiB").at(place(number, source))
      case .line(let number, let bytes):
        do throws(CommandFailure) { try await apply(try InboxLine(bytes)) } catch {
          throw error.at(place(number, source))
        }
      }
    }
  }

  private func place(_ number: Int, _ source: borrowing InboxSource) -> TerminalText {
    "line \(number) of \(source.name)"
  }

  private func next(
    _ lines: inout JSONLines, _ source: borrowing InboxSource
  ) throws(CommandFailure) -> JSONLines.Line? {
    do throws(SystemError) {
      return try lines.next { buffer throws(SystemError) in try source.read(into: &buffer) }
    } catch { throw CommandFailure(error) }
  }

  private mutating func apply(_ line: InboxLine) async throws(CommandFailure) {
    let result: ReceiveResult
    do throws(StoreError) {
      switch line {
      case .page(let page): result = try await store.receive(page)
      case .push(let arrival): result = try await store.receive(push: arrival)
      case .items(let arrivals): result = try await store.receive(arrivals)
      case .acknowledgement(let id, let seq): result = try await store.acknowledge(id, seq: seq)
      }
    } catch { throw CommandFailure(error) }
    progress.advance(by: total.add(result))
  }

  /// What was done before it went wrong.
  func explain(_ failure: CommandFailure) -> CommandFailure {
    guard total.lines > 0 else { return failure }
    return failure.adding(
      hint: "before it \(total.lines, of: "line was", "lines were") applied: \(total.words)")
  }
}

/// What all lines did together.
private struct InboxTotal {
  private(set) var lines = 0
  private var inserted = 0
  private var updated = 0
  private var duplicate = 0
  private var waiting = 0
  private var quarantined = 0
  private var pullFrom: Int64?
  var cursor: Int64 = 0

  /// Gives how many items it was.
  mutating func add(_ result: ReceiveResult) -> Int {
    lines += 1
    inserted += result.inserted
    updated += result.updated
    duplicate += result.duplicate
    waiting += result.waiting
    quarantined += result.quarantined
    cursor = result.cursor
    pullFrom = result.pullFrom
    return result.inserted + result.updated + result.duplicate + result.waiting + result.quarantined
  }

  var words: TerminalText {
    """
    \(grouped: inserted) inserted, \(grouped: updated) updated, \(grouped: duplicate) duplicate, \
    \(grouped: waiting) waiting, \(grouped: quarantined) quarantined; cursor \(cursor)
    """
  }

  func report(_ input: ParsedArguments, _ output: Output) {
    if input.isJSON {
      output.json { json in
        json.member("inserted", inserted)
        json.member("updated", updated)
        json.member("duplicate", duplicate)
        json.member("waiting", waiting)
        json.member("quarantined", quarantined)
        json.member("cursor", cursor)
        if let pullFrom { json.member("pull_from", pullFrom) } else { json.null("pull_from") }
      }
    } else {
      output.line(words)
      if let pullFrom {
        output.line("pull from \(pullFrom): items between it and a push are missing")
      }
    }
    if quarantined > 0 {
      output.note("`coffer quarantine` shows what was set aside, and why")
    }
  }
}
