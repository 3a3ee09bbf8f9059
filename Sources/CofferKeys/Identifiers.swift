import CofferCoding
package import CofferCrypto

/// The 16 random bytes that name a store and salt everything derived for it.
public struct StoreID: Sendable, Hashable, CustomStringConvertible {
  package static let size = 16
  package let bytes: [UInt8]

  package init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.size else { return nil }
    self.bytes = bytes
  }

  package init(from random: RandomSource) { bytes = random.bytes(Self.size) }

  /// 32 hex digits.
  public var description: String { Hexadecimal.encode(bytes) }
}

/// The 8 random bytes that name a slot of a keyring.
public struct SlotID: Sendable, Hashable, CustomStringConvertible {
  package static let size = 8
  package let bytes: [UInt8]

  package init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.size else { return nil }
    self.bytes = bytes
  }

  /// Takes the 16 hex digits that `description` gives, in any case.
  public init?(_ text: String) {
    guard let bytes = Hexadecimal.decode(text) else { return nil }
    self.init(bytes)
  }

  package init(from random: RandomSource) { bytes = random.bytes(Self.size) }

  /// 16 hex digits.
  public var description: String { Hexadecimal.encode(bytes) }
}
