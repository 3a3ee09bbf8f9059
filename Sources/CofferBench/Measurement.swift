import CofferCoding

/// One figure, what it is held against, and the limit.
struct Measurement {
  enum Unit: String {
    /// Processor time.
    case seconds = "s"
    case milliseconds = "ms"
    case mebibytes = "MiB"

    var digits: Int {
      switch self {
      case .seconds: 9
      case .milliseconds: 6
      case .mebibytes: 1
      }
    }
  }

  /// How `ours` is held against `other`.
  enum Comparison: String {
    case ratio
    case difference
  }

  let name: String
  let rows: Int
  let unit: Unit
  let ours: Double
  /// What the other figure is, as the name of its member.
  let otherName: String
  let other: Double
  var comparison = Comparison.ratio
  /// What the comparison may be at most; nothing for what is only reported.
  var limit: Double?

  var result: Double { comparison == .ratio ? ours / other : ours - other }

  var isWithinLimit: Bool {
    guard let limit else { return true }
    // Anything that is no number is no success either.
    return result <= limit
  }

  var json: [UInt8] {
    JSONWriter().object { line in
      line.member("name", name)
      line.member("rows", rows)
      line.member("unit", unit.rawValue)
      line.member("ours", decimal: ours, digits: unit.digits)
      line.member(otherName, decimal: other, digits: unit.digits)
      line.member(comparison.rawValue, decimal: result, digits: 3)
      if let limit { line.member("limit", decimal: limit, digits: 3) } else { line.null("limit") }
      line.member("ok", isWithinLimit)
    }
  }
}

/// What could not be measured, and why.
struct Skipped {
  let name: String
  let reason: String

  var json: [UInt8] {
    JSONWriter().object { line in
      line.member("name", name)
      line.member("skipped", reason)
    }
  }
}

extension JSONObjectWriter {
  /// A number with a fixed count of decimals; null for what is no number.
  fileprivate mutating func member(_ name: String, decimal value: Double, digits: Int) {
    let text = value.isFinite ? value.fixed(digits) : "null"
    if let slice = try? JSONDocument.parse(Array(text.utf8)) { member(name, slice) }
  }
}

extension Double {
  /// The number with so many decimals.
  func fixed(_ digits: Int) -> String {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let scaled = (magnitude * scale).rounded()
    guard let whole = Int64(exactly: scaled) else { return description }
    let sign = self < 0 && whole > 0 ? "-" : ""
    let (integer, fraction) = whole.quotientAndRemainder(dividingBy: Int64(scale))
    if digits == 0 { return "\(sign)\(integer)" }
    let decimals = String(fraction)
    let zeros = String(repeating: "0", count: digits - decimals.count)
    return "\(sign)\(integer).\(zeros)\(decimals)"
  }
}
