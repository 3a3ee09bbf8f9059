/// Text that a terminal may be given.
///
/// What the program says itself stands in literals; whatever is interpolated (addresses, labels,
/// paths, message text) came from elsewhere and is escaped. So nobody can forget to.
package struct TerminalText: Sendable, Equatable, ExpressibleByStringInterpolation {
  package private(set) var text: String

  package init(stringLiteral value: String) { text = value }

  package init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  private init(trusted text: String) { self.text = text }

  package struct StringInterpolation: StringInterpolationProtocol {
    var text = ""

    package init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity)
    }

    package mutating func appendLiteral(_ literal: String) { text += literal }

    package mutating func appendInterpolation(_ value: TerminalText) { text += value.text }

    package mutating func appendInterpolation(_ value: some FixedWidthInteger) {
      text += String(value)
    }

    package mutating func appendInterpolation(_ value: String) {
      text += Escaping.escaped(value)
    }

    package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      text += Escaping.escaped(value.description)
    }

    /// In quotation marks, and cut short: for what someone typed.
    package mutating func appendInterpolation(quoting value: String) {
      let short = value.count > 60 ? "\(value.prefix(60))…" : value
      text += "“\(Escaping.escaped(short))”"
    }

    /// With a comma between thousands.
    package mutating func appendInterpolation(grouped value: some FixedWidthInteger) {
      text += Quantity.grouped(Int64(clamping: value))
    }

    /// A count with its noun, in the plural where it needs it: `1 message`, `1,200 messages`.
    package mutating func appendInterpolation(
      _ count: some FixedWidthInteger, of noun: String, _ plural: String? = nil
    ) {
      let word = count == 1 ? noun : plural ?? "\(noun)s"
      text += "\(Quantity.grouped(Int64(clamping: count))) \(word)"
    }
  }

  package static func + (left: TerminalText, right: TerminalText) -> TerminalText {
    TerminalText(trusted: left.text + right.text)
  }

  /// `a`, `a or b`, `a, b or c`.
  package static func list(_ items: [TerminalText], _ word: TerminalText) -> TerminalText {
    guard let last = items.last, items.count > 1 else { return items.first ?? "" }
    return "\(items.dropLast().joined(", ")) \(word) \(last)"
  }

  /// Filled up with spaces to so many columns.
  package func padded(to width: Int) -> TerminalText {
    let missing = max(0, width - DisplayWidth.columns(of: text))
    return TerminalText(trusted: text + String(repeating: " ", count: missing))
  }

  /// Cut to so many columns, with an ellipsis where something was cut.
  package func fitted(to width: Int) -> TerminalText {
    TerminalText(trusted: DisplayWidth.fitted(text, to: width))
  }

  package func repeated(_ count: Int) -> TerminalText {
    TerminalText(trusted: String(repeating: text, count: max(0, count)))
  }

  package var columns: Int { DisplayWidth.columns(of: text) }
}

extension Collection where Element == TerminalText {
  package func joined(_ separator: TerminalText) -> TerminalText {
    var result: TerminalText = ""
    for (index, item) in enumerated() {
      result = index == 0 ? item : result + separator + item
    }
    return result
  }
}
