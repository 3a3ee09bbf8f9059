/// Tells one process from every other on this machine, also from a later one of the same number.
package struct ProcessMark: Hashable, Sendable {
  package let id: UInt32
  /// When it began, in the system's ticks since it started.
  package let beginning: UInt64

  package init(id: UInt32, beginning: UInt64) {
    self.id = id
    self.beginning = beginning
  }

  /// This process, or nothing where the system does not tell.
  package static let current: ProcessMark? = {
    let id = UInt32(bitPattern: ThisProcess.id)
    return beginning(of: id).map { ProcessMark(id: id, beginning: $0) }
  }()

  /// Whether the process has certainly ended.
  ///
  /// False where the system does not tell, so that nobody takes the living for dead.
  package var isGone: Bool {
    guard Self.current != nil else { return false }
    return Self.beginning(of: id) != beginning
  }

  /// Field 22 of `/proc/ID/stat` (proc(5)); the name before it may hold anything, brackets too.
  private static func beginning(of id: UInt32) -> UInt64? {
    guard let bytes = try? OpenFile("/proc/\(id)/stat", .read).readAll(limit: 4096),
      let end = bytes.lastIndex(of: UInt8(ascii: ")"))
    else { return nil }
    let fields = String(decoding: bytes[(end + 1)...], as: UTF8.self).split(separator: " ")
    return fields.count > 19 ? UInt64(fields[19]) : nil
  }
}
