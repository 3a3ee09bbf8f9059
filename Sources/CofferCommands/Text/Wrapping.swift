/// Breaks prose into lines.
enum Wrapping {
  static let width = 80

  /// The lines of a text whose paragraphs are separated by blank lines.
  ///
  /// A line that begins with two spaces is kept as it stands; the others of a paragraph flow together.
  static func paragraphs(_ text: String, width: Int = width) -> [String] {
    var lines: [String] = []
    var flowing = ""
    func finish() {
      if !flowing.isEmpty { lines += wrap(flowing, width: width) }
      flowing = ""
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty || line.hasPrefix("  ") {
        finish()
        lines.append(String(line))
      } else {
        flowing += flowing.isEmpty ? String(line) : " \(line)"
      }
    }
    finish()
    return lines
  }

  static func wrap(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    var columns = 0
    for word in words(text) {
      let length = DisplayWidth.columns(of: word)
      if columns > 0, columns + 1 + length > width {
        lines.append(line)
        line = ""
        columns = 0
      }
      if columns > 0 {
        line += " "
        columns += 1
      }
      line += word
      columns += length
    }
    if columns > 0 { lines.append(line) }
    return lines
  }

  /// What must stay on one line: a word, or all that stands between backquotes.
  private static func words(_ text: String) -> [String] {
    var words: [String] = []
    for part in text.split(separator: " ") {
      if let last = words.last, last.count(where: { $0 == "`" }) % 2 == 1 {
        words[words.count - 1] += " \(part)"
      } else {
        words.append(String(part))
      }
    }
    return words
  }
}
