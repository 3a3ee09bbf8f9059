import CofferCoding
package import CofferDatabase

/// The id of an event, made by the device that sends it: a UUID (RFC 9562), permanent, and the key
/// by which a repeat is recognised.
public struct EventID: Hashable, Sendable, CustomStringConvertible {
  package let bytes: Bytes16

  package init(_ bytes: Bytes16) { self.bytes = bytes }

  /// Sixteen bytes as two big-endian halves.
  public init(high: UInt64, low: UInt64) { bytes = Bytes16(high: high, low: low) }

  /// Reads the text form, 8-4-4-4-12 hexadecimal digits of either case; nothing for anything else.
  public init?(_ text: String) {
    guard let parsed = UUIDText.parse(text) else { return nil }
    self.init(array: parsed)
  }

  /// Sixteen bytes, or nothing if there are not so many.
  init?(array: [UInt8]) {
    guard array.count == 16 else { return nil }
    var halves: [UInt64] = [0, 0]
    for (index, byte) in array.enumerated() {
      halves[index / 8] = halves[index / 8] << 8 | UInt64(byte)
    }
    self.init(high: halves[0], low: halves[1])
  }

  /// The sixteen bytes.
  var array: [UInt8] {
    [bytes.high, bytes.low].flatMap { half in
      (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * UInt64($0))) }
    }
  }

  /// The text form in lowercase.
  public var description: String { UUIDText.format(array) ?? "" }

  /// A version 7 UUID (RFC 9562, section 5.7): 48 bits of milliseconds, 74 bits of `random`.
  ///
  /// Ids that rise with time keep inserts into their index local.
  static func version7(milliseconds: Int64, random: (UInt64, UInt64)) -> EventID {
    let time = UInt64(truncatingIfNeeded: milliseconds) & 0xffff_ffff_ffff
    return EventID(
      high: time << 16 | 0x7000 | random.0 & 0x0fff,
      low: 0x8000_0000_0000_0000 | random.1 & 0x3fff_ffff_ffff_ffff)
  }
}
