import CofferCrypto
package import CofferSystem

extension RecoveryCode {
  /// A code with a space after every letter and some lines around it still fits.
  private static let readingLimit = 256

  /// Reads a code from an open file or a pipe, straight into guarded memory.
  package init(reading file: borrowing OpenFile) throws(KeyError) {
    let input = try Input(atMost: Self.readingLimit) { bytes throws(SystemError) in
      try file.read(into: &bytes)
    }
    self = try input.withBytes { bytes throws(KeyError) in try RecoveryCode(typed: bytes) }
  }

  /// Reads a code from standard input, straight into guarded memory.
  package init(reading stream: StandardStream) throws(KeyError) {
    let input = try Input(atMost: Self.readingLimit) { bytes throws(SystemError) in
      try stream.read(into: &bytes)
    }
    self = try input.withBytes { bytes throws(KeyError) in try RecoveryCode(typed: bytes) }
  }

  /// Asks a person at the terminal; what is typed is not shown.
  public static func prompt(_ text: String) throws(KeyError) -> RecoveryCode {
    var buffer = try crypto { () throws(CryptoError) in try GuardedBytes(count: readingLimit) }
    let count = try buffer.withMutableBytes { bytes throws(KeyError) in
      try system { () throws(SystemError) in try Terminal.askHidden(text, into: &bytes) }
    }
    return try buffer.withBytes { bytes throws(KeyError) in
      try RecoveryCode(typed: bytes.extracting(0..<min(count, bytes.byteCount)))
    }
  }

  /// The same code once more: one to put into a slot, one to show.
  package borrowing func copy() throws(KeyError) -> RecoveryCode {
    try withText { text throws(KeyError) in try RecoveryCode(typed: text) }
  }
}
