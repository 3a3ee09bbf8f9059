import CofferCoding
import CofferCrypto
import CofferSystem
import Testing

@testable import Coffer

/// Nothing that a person wrote, and no secret, may be found in the files of a store.
@Suite struct MarkerTests {
  /// Twelve random bytes as hex digits: no file holds them by chance.
  private static func marker() -> String {
    Hexadecimal.encode((0..<12).map { _ in UInt8.random(in: 0...255) })
  }

  private static func forms(_ marker: String) -> [[UInt8]] {
    let bytes = Array(marker.utf8)
    return [
      bytes, Array(marker.uppercased().utf8), Hexadecimal.decode(marker) ?? [],
      Array(Hexadecimal.encode(bytes).utf8), Array(Base64.encode(bytes).utf8.prefix(28)),
      marker.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] },
      marker.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] },
    ]
  }

  @Test func noFileHoldsWhatWasWritten() async throws {
    let scratch = try Scratch()
    let (text, address, sender, pending, odd) = (
      Self.marker(), Self.marker(), Self.marker(), Self.marker(), Self.marker()
    )
    let secret = Hexadecimal.decode(Self.marker() + Self.marker() + "0011223344556677") ?? []
    let keyFile = "\(scratch.folder)/key"
    try Files.replace(keyFile, with: secret, through: "\(keyFile).tmp")
    let passphrase = Self.marker()
    let recovery = try RecoveryCode.generate()
    var code = ""
    try recovery.withText { text in
      code = String(decoding: (0..<text.byteCount).map { text[$0] }, as: UTF8.self)
    }

    let store = try await Store.create(
      at: scratch.store, account: Self.marker(), device: 1,
      with: NewSlot(.keyFile(KeyFile(path: keyFile))), recovery: recovery)
    try await store.addSlot(
      NewSlot(
        .passphrase(unsafe Passphrase(utf8: Array(passphrase.utf8).span.bytes)),
        strength: .interactive))
    let items = (1...200).map {
      item($0, in: "room \(address)", from: "user \(sender)", text: "\(text) number \($0)")
    }
    try await store.receive(items)
    try await store.receive([item(900, in: "room \(address)", seq: -1, text: odd)])
    try await store.send(Draft(pending, to: "room \(address)"))
    #expect(try await store.isClean())
    try await store.receive([item(201, in: "room \(address)", text: text)])

    let planted =
      [text, address, sender, pending, odd, passphrase].flatMap(Self.forms)
      + [secret, Array(Hexadecimal.encode(secret).utf8), Array(code.utf8)]
    // While it is open, with frames in the WAL, and after the close.
    #expect(try scan(scratch.store, for: planted).contains("store-1.db-wal"))
    await store.close()
    #expect(try scan(scratch.store, for: planted).contains("store-1.db"))
  }

  /// Scans every file and gives the names of those that had content.
  ///
  /// The test process has the database open while it scans, and closing a descriptor on it would
  /// drop SQLite's locks; a child process copies the files first.
  private func scan(_ folder: String, for planted: [[UInt8]]) throws -> [String] {
    let copy = try Files.makeTemporaryFolder("coffer-scan")
    defer { try? Files.removeTree(copy) }
    let child = try ChildProcess("/bin/cp", ["-r", "\(folder)/.", copy])
    #expect(try child.wait() == .exited(0))
    var names: [String] = []
    for name in try Files.names(in: copy) {
      let content = try Files.content(of: "\(copy)/\(name)", limit: 1 << 28)
      if !content.isEmpty { names.append(name) }
      #expect(!content.starts(with: Array("SQLite format 3".utf8)), "\(name)")
      for marker in planted { #expect(!content.contains(marker), "\(name)") }
    }
    return names
  }

  @Test func theScanFindsWhatIsThere() {
    let marker = Self.marker()
    for form in Self.forms(marker) {
      #expect(([1, 2, 3] + form + [4]).contains(form))
    }
  }
}
