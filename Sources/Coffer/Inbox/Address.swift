/// A relay's name for an account or a conversation, compared byte for byte.
///
/// Swift's strings are equal when they look the same; two addresses that only look the same are two.
struct Address: Hashable {
  let text: String

  static func == (left: Address, right: Address) -> Bool {
    // Over the buffers, since the view of a string calls into the library for each byte.
    var (left, right) = (left.text, right.text)
    return left.withUTF8 { left in
      right.withUTF8 { right in unsafe left.elementsEqual(right) }
    }
  }

  func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
