/// Writes JSON on one line, without spaces.
///
/// Arrays and objects are closures, so they close themselves, a throw included, and nothing can be
/// nested wrongly. Text comes out byte for byte as `JSONString` reads it back.
package struct JSONWriter: Sendable {
  /// Whether U+2028 and U+2029 are escaped, which old JavaScript takes for line ends.
  private let escapesLineSeparators: Bool

  package init(escapesLineSeparators: Bool = false) {
    self.escapesLineSeparators = escapesLineSeparators
  }

  /// A document that is one object.
  package func object<Failure: Error>(
    _ body: (inout JSONObjectWriter) throws(Failure) -> Void
  ) throws(Failure) -> [UInt8] {
    var output = JSONOutput(escapesLineSeparators: escapesLineSeparators)
    try output.object(body)
    return output.bytes
  }

  /// A document that is one array.
  package func array<Failure: Error>(
    _ body: (inout JSONArrayWriter) throws(Failure) -> Void
  ) throws(Failure) -> [UInt8] {
    var output = JSONOutput(escapesLineSeparators: escapesLineSeparators)
    try output.array(body)
    return output.bytes
  }
}

/// Writes the members of one object.
///
/// It does not check that names differ: they come from the program.
package struct JSONObjectWriter: ~Copyable {
  private var output: JSONOutput
  private var isEmpty = true

  init(_ output: consuming JSONOutput) { self.output = output }

  package mutating func member(_ name: String, _ value: String) {
    key(name)
    output.string(value)
  }

  /// An integer; beyond 2^53 - 1 either way it becomes a string, since many readers take numbers
  /// for `Double`.
  package mutating func member(_ name: String, _ value: some FixedWidthInteger) {
    key(name)
    output.integer(value)
  }

  package mutating func member(_ name: String, _ value: Bool) {
    key(name)
    output.raw(value ? "true" : "false")
  }

  package mutating func null(_ name: String) {
    key(name)
    output.raw("null")
  }

  /// A value as it stands in a document that was read.
  package mutating func member(_ name: String, _ value: JSONSlice) {
    key(name)
    output.slice(value)
  }

  package mutating func object<Failure: Error>(
    _ name: String, _ body: (inout JSONObjectWriter) throws(Failure) -> Void
  ) throws(Failure) {
    key(name)
    try output.object(body)
  }

  package mutating func array<Failure: Error>(
    _ name: String, _ body: (inout JSONArrayWriter) throws(Failure) -> Void
  ) throws(Failure) {
    key(name)
    try output.array(body)
  }

  private mutating func key(_ name: String) {
    if !isEmpty { output.raw(",") }
    isEmpty = false
    output.string(name)
    output.raw(":")
  }

  consuming func finish() -> JSONOutput { output }
}

/// Writes the elements of one array.
package struct JSONArrayWriter: ~Copyable {
  private var output: JSONOutput
  private var isEmpty = true

  init(_ output: consuming JSONOutput) { self.output = output }

  package mutating func element(_ value: String) {
    separate()
    output.string(value)
  }

  /// An integer; beyond 2^53 - 1 either way it becomes a string, since many readers take numbers
  /// for `Double`.
  package mutating func element(_ value: some FixedWidthInteger) {
    separate()
    output.integer(value)
  }

  package mutating func element(_ value: Bool) {
    separate()
    output.raw(value ? "true" : "false")
  }

  package mutating func null() {
    separate()
    output.raw("null")
  }

  /// A value as it stands in a document that was read.
  package mutating func element(_ value: JSONSlice) {
    separate()
    output.slice(value)
  }

  package mutating func object<Failure: Error>(
    _ body: (inout JSONObjectWriter) throws(Failure) -> Void
  ) throws(Failure) {
    separate()
    try output.object(body)
  }

  package mutating func array<Failure: Error>(
    _ body: (inout JSONArrayWriter) throws(Failure) -> Void
  ) throws(Failure) {
    separate()
    try output.array(body)
  }

  private mutating func separate() {
    if !isEmpty { output.raw(",") }
    isEmpty = false
  }

  consuming func finish() -> JSONOutput { output }
}
