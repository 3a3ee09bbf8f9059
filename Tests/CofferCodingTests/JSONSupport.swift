@testable import CofferCoding

/// The value of a document given as text.
func json(_ text: String) throws -> JSONSlice { try JSONDocument.parse(Array(text.utf8)) }

/// The value of a document that is a string of these bytes between quotes.
func jsonString(_ bytes: [UInt8]) throws -> JSONSlice {
  try JSONDocument.parse([0x22] + bytes + [0x22])
}

/// Why a text is refused, or nothing if it is accepted.
func refusal(_ bytes: [UInt8]) -> JSONError? {
  do throws(JSONError) { _ = try JSONDocument.parse(bytes) } catch { return error }
  return nil
}

func refusal(_ text: String) -> JSONError? { refusal(Array(text.utf8)) }

/// Why a value is refused, or nothing if it is accepted.
func valueError<Value>(_ body: () throws(JSONValueError) -> Value) -> JSONValueError? {
  do throws(JSONValueError) { _ = try body() } catch { return error }
  return nil
}

/// A whole document as a tree, to compare what was written with what was read.
indirect enum Tree: Equatable {
  case object([(key: [UInt8], value: Tree)])
  case array([Tree])
  /// As UTF-8, since `String` compares by canonical equivalence.
  case text([UInt8])
  case integer(Int64)
  case bool(Bool)
  case null

  static func == (left: Tree, right: Tree) -> Bool {
    switch (left, right) {
    case (.object(let left), .object(let right)):
      left.count == right.count
        && zip(left, right).allSatisfy { $0.key == $1.key && $0.value == $1.value }
    case (.array(let left), .array(let right)): left == right
    case (.text(let left), .text(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.bool(let left), .bool(let right)): left == right
    case (.null, .null): true
    default: false
    }
  }

  /// Reads every value below `slice`; a string that spells an unsafe integer reads as one.
  init(_ slice: JSONSlice) throws {
    switch slice.kind {
    case .object:
      self = .object(
        try slice.members.map { (key: Array(try $0.key.text().utf8), value: try Tree($0.value)) })
    case .array: self = .array(try slice.elements.map { try Tree($0) })
    case .string:
      let text = Array(try slice.string().utf8)
      if let value = try? slice.int64(), !isSafe(value) {
        self = .integer(value)
      } else {
        self = .text(text)
      }
    case .number: self = .integer(try slice.int64())
    case .boolean: self = .bool(try slice.bool())
    case .null: self = .null
    }
  }

  static func random(_ depth: Int, _ random: inout Seeded) -> Tree {
    switch Int.random(in: 0..<(depth > 0 ? 6 : 4), using: &random) {
    case 0: .null
    case 1: .bool(.random(using: &random))
    case 2:
      .integer(
        Int64.random(in: .min ... .max, using: &random) >> Int64.random(in: 0..<64, using: &random))
    case 3: .text(Array(text(&random).utf8))
    case 4:
      .array(
        (0..<Int.random(in: 0..<5, using: &random)).map { _ in .random(depth - 1, &random) })
    default:
      .object(
        (0..<Int.random(in: 0..<5, using: &random)).map { _ in
          (key: Array(text(&random).utf8), value: .random(depth - 1, &random))
        })
    }
  }

  static func text(_ random: inout Seeded) -> String {
    var scalars = String.UnicodeScalarView()
    // Long enough never to spell an integer beyond 2^53 by chance, and often not ASCII.
    for bound in [0x30, 0x80, 0x3000, 0x11_0000] {
      for _ in 0..<Int.random(in: 0..<4, using: &random) {
        let code = UInt32.random(in: 0..<UInt32(bound), using: &random)
        if let scalar = Unicode.Scalar(code) { scalars.append(scalar) }
      }
    }
    return String(scalars)
  }

  func write(_ name: String, to writer: inout JSONObjectWriter) {
    switch self {
    case .object(let members):
      writer.object(name) { inner in
        for (key, value) in members {
          value.write(String(decoding: key, as: UTF8.self), to: &inner)
        }
      }
    case .array(let elements):
      writer.array(name) { inner in for element in elements { element.write(to: &inner) } }
    case .text(let text): writer.member(name, String(decoding: text, as: UTF8.self))
    case .integer(let value): writer.member(name, value)
    case .bool(let value): writer.member(name, value)
    case .null: writer.null(name)
    }
  }

  func write(to writer: inout JSONArrayWriter) {
    switch self {
    case .object(let members):
      writer.object { inner in
        for (key, value) in members {
          value.write(String(decoding: key, as: UTF8.self), to: &inner)
        }
      }
    case .array(let elements):
      writer.array { inner in for element in elements { element.write(to: &inner) } }
    case .text(let text): writer.element(String(decoding: text, as: UTF8.self))
    case .integer(let value): writer.element(value)
    case .bool(let value): writer.element(value)
    case .null: writer.null()
    }
  }
}

private func isSafe(_ value: Int64) -> Bool { value.magnitude < 1 << 53 }
