/// Rows whose columns line up.
struct Table {
  private var rows: [[TerminalText]] = []

  mutating func add(_ cells: TerminalText...) { rows.append(cells) }

  /// Two spaces between columns; the last one is not filled up.
  func print(on output: Output, indent: TerminalText = "") {
    var widths: [Int] = []
    for row in rows {
      for (column, cell) in row.dropLast().enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], cell.columns)
      }
    }
    for row in rows {
      let cells = row.enumerated().map { column, cell in
        column + 1 < row.count ? cell.padded(to: widths[column]) : cell
      }
      output.line(indent + cells.joined("  "))
    }
  }
}
