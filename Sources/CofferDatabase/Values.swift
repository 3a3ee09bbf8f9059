/// A value that can take the place of a `?` in a statement.
@usableFromInline
package protocol Bindable {
  func bind(to statement: Statement, at index: Int32)
}

extension Int64: Bindable {
  @inlinable
  package func bind(to statement: Statement, at index: Int32) { statement.bind(self, at: index) }
}

extension Int: Bindable {
  @inlinable
  package func bind(to statement: Statement, at index: Int32) {
    statement.bind(Int64(self), at: index)
  }
}

extension String: Bindable {
  @inlinable
  package func bind(to statement: Statement, at index: Int32) { statement.bind(self, at: index) }
}

extension [UInt8]: Bindable {
  @usableFromInline
  package func bind(to statement: Statement, at index: Int32) {
    unsafe withUnsafeBytes { unsafe statement.bind(bytes: $0, at: index) }
  }
}

extension Optional: Bindable where Wrapped: Bindable {
  @inlinable
  package func bind(to statement: Statement, at index: Int32) {
    if let value = self {
      value.bind(to: statement, at: index)
    } else {
      statement.bindNull(at: index)
    }
  }
}

/// Sixteen bytes, such as an event id, kept as two words so that they cost no allocation.
@usableFromInline
package struct Bytes16: Hashable, Sendable, Bindable {
  /// The bytes in big-endian order: the first half holds the first eight.
  package let high: UInt64
  package let low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  @usableFromInline
  package func bind(to statement: Statement, at index: Int32) {
    let words = (high.bigEndian, low.bigEndian)
    unsafe withUnsafeBytes(of: words) { unsafe statement.bind(bytes: $0, at: index) }
  }
}

/// The row that a statement stands on; valid until the next step.
@usableFromInline
package struct Row {
  @usableFromInline
  let statement: Statement

  @inlinable
  init(_ statement: Statement) { self.statement = statement }

  @inlinable
  package func integer(_ column: Int32) -> Int64 { statement.integer(column) }

  @inlinable
  package func optionalInteger(_ column: Int32) -> Int64? {
    statement.isNull(column) ? nil : statement.integer(column)
  }

  @inlinable
  package func text(_ column: Int32) -> String { statement.text(column) }

  @inlinable
  package func optionalText(_ column: Int32) -> String? {
    statement.isNull(column) ? nil : statement.text(column)
  }

  @inlinable
  package func isNull(_ column: Int32) -> Bool { statement.isNull(column) }

  package func bytes(_ column: Int32) -> [UInt8] {
    unsafe statement.withBytes(column) { unsafe Array($0) }
  }

  /// Sixteen bytes; zeros where the column holds another length.
  package func bytes16(_ column: Int32) -> Bytes16 {
    unsafe statement.withBytes(column) { raw in
      guard raw.count == 16 else { return Bytes16(high: 0, low: 0) }
      return unsafe Bytes16(
        high: UInt64(bigEndian: raw.loadUnaligned(as: UInt64.self)),
        low: UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }
  }
}
