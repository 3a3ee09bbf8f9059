/// Rows whose columns line up.
struct Table {
  private var rows: [[TerminalText]] = []

  mutating func add(_ cells: TerminalText...) { rows.append(cells) }

  /// Two spaces between columns, and none at the end of a line.
  func print(on output: Output, indent: TerminalText = "") {
    var widths: [Int] = []
    for row in rows {
      for (column, cell) in row.dropLast().enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], cell.columns)
      }
    }
    for row in rows {
      let used = row.count - row.reversed().prefix { $0.text.isEmpty }.count
      let cells = row.prefix(used).enumerated().map { column, cell in
        column + 1 < used ? cell.padded(to: widths[column]) : cell
      }
      output.line(indent + cells.joined("  "))
    }
  }
}
