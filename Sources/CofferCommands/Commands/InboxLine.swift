import Coffer
import CofferCoding

/// One line of what `receive` reads.
enum InboxLine {
  case page(Page)
  case push(Arrival)
  case items([Arrival])
  case acknowledgement(EventID, seq: Int64)

  private static let kinds = ["page", "push", "items", "ack"]

  /// Reads a line; whatever is wrong with an item of it stays the item's affair.
  ///
  /// Throws a failure that says what is wrong, never what stands there.
  init(_ bytes: [UInt8]) throws(CommandFailure) {
    let document: JSONSlice
    do throws(JSONError) { document = try JSONDocument.parse(bytes) } catch {
      throw Self.bad("it is no JSON: \(Self.words(for: error))")
    }
    let line = try Self.object(document, "it", Self.kinds)
    let names = Self.kinds.filter { line[$0] != nil }
    guard names.count == 1, let name = names.first, let value = line[name] else {
      throw Self.bad("it needs one of page, push, items and ack")
    }
    switch name {
    case "page": self = .page(try Self.page(value))
    case "push": self = .push(Arrival(value))
    case "items": self = .items(try Self.items(value, "items"))
    default: self = try Self.acknowledgement(value)
    }
  }

  private static func page(_ value: JSONSlice) throws(CommandFailure) -> Page {
    let page = try object(value, "its page", ["base", "next", "items"])
    let base = try number(page, "base", "its page")
    let next = try number(page, "next", "its page")
    guard base >= 0 else { throw bad("the base of its page is negative") }
    guard next >= base else { throw bad("the next of its page is below its base") }
    guard let list = page["items"] else { throw bad("its page has no items") }
    return Page(base: base, next: next, arrivals: try items(list, "the items of its page"))
  }

  private static func items(
    _ value: JSONSlice, _ what: TerminalText
  ) throws(CommandFailure) -> [Arrival] {
    do throws(JSONValueError) { return try value.elements.map { Arrival($0) } } catch {
      throw bad("\(what) are no array")
    }
  }

  private static func acknowledgement(_ value: JSONSlice) throws(CommandFailure) -> InboxLine {
    let ack = try object(value, "its ack", ["id", "seq"])
    guard let text = try? ack["id"]?.string(), let id = EventID(text) else {
      throw bad("the id of its ack is no UUID")
    }
    let seq = try number(ack, "seq", "its ack")
    guard seq >= 1 else { throw bad("the seq of its ack is below 1") }
    return .acknowledgement(id, seq: seq)
  }

  // MARK: Values

  /// An object with no other names than these, and each of them once.
  private static func object(
    _ value: JSONSlice, _ what: TerminalText, _ names: [String]
  ) throws(CommandFailure) -> JSONObject {
    let object: JSONObject
    do throws(JSONValueError) { object = try JSONObject(value) } catch {
      switch error {
      case .duplicateKey: throw bad("\(what) names a field twice")
      case .tooManyMembers: throw bad("\(what) has too many fields")
      case .illFormedText: throw bad("\(what) has a name that is not well-formed Unicode")
      default: throw bad("\(what) is no object")
      }
    }
    // Its name stays out of the message: it may be anything that stands in the data.
    if !object.keys(besides: names).isEmpty {
      let known = TerminalText.list(names.map { "\($0)" }, "and")
      throw bad("\(what) has a field besides \(known)")
    }
    return object
  }

  private static func number(
    _ object: JSONObject, _ name: TerminalText, _ what: TerminalText
  ) throws(CommandFailure) -> Int64 {
    guard let value = object[name.text] else { throw bad("\(what) has no \(name)") }
    do throws(JSONValueError) { return try value.int64() } catch {
      switch error {
      case .outOfRange: throw bad("the \(name) of \(what) is above 2^63-1 or below -2^63")
      default: throw bad("the \(name) of \(what) is no whole number")
      }
    }
  }

  private static func bad(_ message: TerminalText) -> CommandFailure {
    CommandFailure(.badData, message)
  }

  private static func words(for error: JSONError) -> TerminalText {
    let place: TerminalText = "at byte \(error.offset + 1)"
    return switch error.code {
    case .tooLarge: "it is longer than 64 MiB"
    case .tooDeep: "it is nested deeper than \(JSONDocument.depthLimit) levels \(place)"
    case .byteOrderMark: "it begins with a byte order mark"
    case .unexpectedEnd: "it ends too early"
    case .unexpectedByte: "there is something unexpected \(place)"
    case .controlCharacter: "there is a bare control character \(place)"
    case .invalidEscape: "there is an invalid escape \(place)"
    case .invalidNumber: "there is an invalid number \(place)"
    case .trailingBytes: "it goes on after its end \(place)"
    }
  }
}
