import CofferSystem

/// Prints measurements as they come, and all of them as a table at the end.
final class Report {
  private var measurements: [Measurement] = []
  private var skipped: [Skipped] = []

  var isWithinLimits: Bool { measurements.allSatisfy { $0.isWithinLimit } }

  func add(_ measurement: Measurement) throws(SystemError) {
    measurements.append(measurement)
    try StandardStream.output.write(measurement.json + [UInt8(ascii: "\n")])
  }

  func add(_ skip: Skipped) throws(SystemError) {
    skipped.append(skip)
    try StandardStream.output.write(skip.json + [UInt8(ascii: "\n")])
  }

  /// A line for the person who waits.
  static func tell(_ text: String) {
    // Nobody may be there to read it.
    try? StandardStream.error.write(Array("\(text)\n".utf8))
  }

  func printTable() {
    var lines = [Self.row("measurement", "rows", "ours", "other", "result", "limit", "")]
    for figure in measurements {
      let digits = figure.unit == .mebibytes ? 1 : 3
      let limit = figure.limit.map { $0.fixed(2) } ?? "-"
      lines.append(
        Self.row(
          figure.name, "\(figure.rows)", Self.amount(figure.ours, figure.unit),
          "\(Self.amount(figure.other, figure.unit)) \(figure.otherName)",
          figure.comparison == .ratio
            ? "\(figure.result.fixed(2)) x" : "+\(figure.result.fixed(digits))",
          limit, figure.isWithinLimit ? "ok" : "OVER THE LIMIT"))
    }
    for skip in skipped { lines.append("NOT MEASURED  \(skip.name): \(skip.reason)") }
    Self.tell(lines.joined(separator: "\n"))
  }

  /// Short times are read more easily in microseconds.
  private static func amount(_ value: Double, _ unit: Measurement.Unit) -> String {
    switch unit {
    case .seconds where value < 0.01: "\((value * 1e6).fixed(1)) µs"
    case .seconds: "\(value.fixed(3)) s"
    case .milliseconds: "\(value.fixed(2)) ms"
    case .mebibytes: "\(value.fixed(1)) MiB"
    }
  }

  private static func row(_ columns: String...) -> String {
    let widths = [22, 9, 12, 18, 9, 7, 0]
    return zip(columns, widths).map { text, width in
      text + String(repeating: " ", count: max(0, width - text.count))
    }.joined(separator: " ")
  }
}
