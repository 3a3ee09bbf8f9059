/// How many columns of a terminal a text takes.
///
/// Near enough to line columns up: terminals differ among themselves.
enum DisplayWidth {
  static func columns(of text: String) -> Int {
    text.reduce(0) { $0 + columns(of: $1) }
  }

  /// Cut to so many columns, with an ellipsis where something was cut.
  static func fitted(_ text: String, to width: Int) -> String {
    guard columns(of: text) > width else { return text }
    var used = 0
    var result = ""
    for character in text {
      let columns = columns(of: character)
      if used + columns > width - 1 { break }
      result.append(character)
      used += columns
    }
    return result + "…"
  }

  /// A character is as wide as its widest scalar: marks and joiners add nothing.
  private static func columns(of character: Character) -> Int {
    var widest = 0
    for scalar in character.unicodeScalars { widest = max(widest, columns(of: scalar)) }
    return widest
  }

  private static func columns(of scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x20..<0x7f: return 1
    // Hangul, CJK, fullwidth forms, and the emoji blocks.
    case 0x1100...0x115f, 0x2e80...0x303e, 0x3041...0x33ff, 0x3400...0x4dbf, 0x4e00...0x9fff,
      0xa000...0xa4cf, 0xa960...0xa97f, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f,
      0xff00...0xff60, 0xffe0...0xffe6, 0x1f300...0x1f64f, 0x1f680...0x1f6ff, 0x1f900...0x1f9ff,
      0x20000...0x3fffd:
      return 2
    default: break
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return 1
    }
  }
}
