/// Finds what someone probably meant to type.
enum Suggestion {
  /// A hint that names the nearest words, if they are near enough to have been meant.
  static func hint(for word: String, among candidates: [String]) -> TerminalText? {
    let near = nearest(to: word, among: candidates)
    return near.isEmpty ? nil : "did you mean \(TerminalText.list(near.map { "\($0)" }, "or"))?"
  }

  /// The word that differs least, if that is little enough to be a slip; else those, at most three,
  /// of which `word` is the beginning.
  static func nearest(to word: String, among candidates: [String]) -> [String] {
    guard word.utf8.count <= 64 else { return [] }
    let letters = word.drop { $0 == "-" }.count
    let distances = candidates.map { (word: $0, distance: distance(word, $0)) }
    if let best = distances.min(by: { $0.distance < $1.distance }),
      best.distance <= max(1, letters / 3)
    {
      return [best.word]
    }
    let beginning = letters >= 3 ? candidates.filter { $0.hasPrefix(word) } : []
    return beginning.count <= 3 ? beginning : []
  }

  /// Letters to add, drop or change, with two neighbours swapped counted as one.
  static func distance(_ left: String, _ right: String) -> Int {
    let left = Array(left)
    let right = Array(right)
    var before: [Int] = []
    var row = Array(0...right.count)
    for i in 0..<left.count {
      var next = [i + 1]
      for j in 0..<right.count {
        var best = min(row[j] + (left[i] == right[j] ? 0 : 1), row[j + 1] + 1, next[j] + 1)
        if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
          best = min(best, before[j - 1] + 1)
        }
        next.append(best)
      }
      before = row
      row = next
    }
    return row[right.count]
  }
}
