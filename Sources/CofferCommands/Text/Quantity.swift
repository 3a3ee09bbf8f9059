/// Numbers as people read them.
enum Quantity {
  /// With a comma between thousands.
  static func grouped(_ value: Int64) -> String {
    var result = ""
    let digits = String(value.magnitude)
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { result.append(",") }
      result.append(digit)
    }
    return value < 0 ? "-\(result)" : result
  }

  /// Bytes in the unit that fits: `4.2 MB`.
  static func bytes(_ count: Int64) -> TerminalText {
    guard count >= 1000 else { return "\(count, of: "byte")" }
    var tenths = count / 100
    for unit in ["kB", "MB", "GB"] {
      if tenths < 10_000 || unit == "GB" {
        return tenths < 1_000
          ? "\(tenths / 10).\(tenths % 10) \(unit)" : "\(grouped: tenths / 10) \(unit)"
      }
      tenths /= 1000
    }
    return "\(grouped: count) bytes"
  }

  /// Memory in units of 1,024: `256 MiB`.
  static func memory(_ bytes: UInt64) -> TerminalText {
    let gibibyte: UInt64 = 1 << 30
    if bytes >= gibibyte, bytes % gibibyte == 0 { return "\(bytes / gibibyte) GiB" }
    return "\(bytes >> 20) MiB"
  }
}
