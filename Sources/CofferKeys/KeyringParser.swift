import CofferCoding

/// Takes the lines of a keyring one by one.
struct KeyringParser {
  private let lines: [ArraySlice<UInt8>]
  private var index = 0

  init(_ lines: [ArraySlice<UInt8>]) { self.lines = lines }

  /// A decimal number without leading zeros, alone behind a word.
  mutating func number(behind word: String, from lowest: UInt64) throws(KeyError) -> UInt64 {
    let fields = try fields(2, word)
    guard let number = Self.decimal(fields[1]), number >= lowest else { throw damage }
    return number
  }

  mutating func store() throws(KeyError) -> StoreID {
    let fields = try fields(2, "store")
    guard let bytes = Hexadecimal.decodeLowercase(Array(fields[1])), let store = StoreID(bytes)
    else {
      throw damage
    }
    return store
  }

  mutating func mac() throws(KeyError) -> [UInt8] {
    let fields = try fields(2, "mac")
    return try hex(fields[1], 32)
  }

  mutating func skipLine() { index += 1 }

  mutating func slot() throws(KeyError) -> Slot {
    let all = split(line)
    guard all.count > 2, Self.text(all[0]) == "slot", let name = Self.text(all[2]) else {
      index += 1
      throw damage
    }
    // A later version may give a new kind other fields, so its name comes before their number.
    guard let kind = SlotKind.allCases.first(where: { $0.name == name }) else {
      index += 1
      throw Self.isName(all[2]) ? .newer(.slotKind(name)) : damage
    }
    let fields = try fields(9, "slot")
    guard let id = SlotID(try hex(fields[1], SlotID.size)),
      let created = Self.decimal(fields[3]).flatMap({ Int64(exactly: $0) })
    else { throw damage }
    return Slot(
      id: id, kind: kind, created: created, label: try label(fields[8]),
      parameters: try parameters(fields[4], kind),
      commitment: try hex(fields[5], Slot.commitmentSize), nonce: try hex(fields[6], 24),
      box: try hex(fields[7], Slot.boxSize))
  }

  private func parameters(
    _ field: ArraySlice<UInt8>, _ kind: SlotKind
  ) throws(KeyError) -> PassphraseParameters? {
    guard kind == .passphrase else {
      guard Self.isDash(field) else { throw damage }
      return nil
    }
    guard let parameters = PassphraseParameters(try hex(field, PassphraseParameters.size)) else {
      throw damage
    }
    return parameters
  }

  private func label(_ field: ArraySlice<UInt8>) throws(KeyError) -> String {
    if Self.isDash(field) { return "" }
    guard let bytes = Base64.decode(Array(field)), !bytes.isEmpty,
      bytes.count <= Slot.longestLabel, let label = String(validating: bytes, as: UTF8.self)
    else { throw damage }
    return label
  }

  /// Where the parser stands, as an error.
  private var damage: KeyError { .damaged(.line(index)) }

  private var line: ArraySlice<UInt8> { index < lines.count ? lines[index] : [] }

  /// The next line's fields: exactly `count`, of which `word` is the first.
  private mutating func fields(
    _ count: Int, _ word: String
  ) throws(KeyError) -> [ArraySlice<UInt8>] {
    let fields = split(line)
    index += 1
    guard fields.count == count, fields[0].elementsEqual(word.utf8) else { throw damage }
    return fields
  }

  private func split(_ line: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
  }

  private func hex(_ field: ArraySlice<UInt8>, _ count: Int) throws(KeyError) -> [UInt8] {
    guard field.count == 2 * count, let bytes = Hexadecimal.decodeLowercase(Array(field)) else {
      throw damage
    }
    return bytes
  }

  private static func isDash(_ field: ArraySlice<UInt8>) -> Bool { field.elementsEqual("-".utf8) }

  private static func text(_ field: ArraySlice<UInt8>) -> String? {
    String(validating: field, as: UTF8.self)
  }

  /// Whether a word can be the name of a kind, and may be repeated in an error.
  private static func isName(_ field: ArraySlice<UInt8>) -> Bool {
    (1...32).contains(field.count)
      && field.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }
  }

  private static func decimal(_ field: ArraySlice<UInt8>) -> UInt64? {
    guard field.allSatisfy({ (48...57).contains($0) }), let text = text(field),
      let number = UInt64(text), number <= UInt64(Int64.max), "\(number)" == text
    else { return nil }
    return number
  }
}
