/// A relay's name for an account or a conversation, compared byte for byte.
///
/// Swift's strings are equal when they look the same; two addresses that only look the same are two.
struct Address: Hashable {
  let text: String

  static func == (left: Address, right: Address) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
