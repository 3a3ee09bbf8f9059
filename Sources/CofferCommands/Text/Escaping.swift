/// Makes foreign text harmless for a terminal.
///
/// Control characters could move the cursor, change colours or type into the shell; bidirectional
/// overrides could turn the rest of a line around; line separators could forge a line. They come out
/// as `\u{1b}`. Everything else is printed as it is.
enum Escaping {
  static func escaped(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isDangerous) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if isDangerous(scalar) {
        result += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7f..<0xa0: true
    case 0x2028, 0x2029: true
    // Embeddings, overrides and isolates; the marks U+200E and U+200F touch only their neighbours.
    case 0x202a...0x202e, 0x2066...0x2069: true
    default: false
    }
  }
}
