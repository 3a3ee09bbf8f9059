import CofferCoding
import CofferCrypto
import CofferSystem
import Foundation
import Testing

@testable import CofferKeys

@Suite struct KeyringFileTests {
  let environment = CofferKeysTests.environment(11)

  /// A store's folder with a keyring that the key file of ones opens.
  private func withKeyring(_ body: (KeyringFile, Keyring) async throws -> Void) async throws {
    try await withFolder { folder in
      let new = try Keyring.make(for: try keyFile(filledWith: 1), environment: environment)
      let file = KeyringFile(folder: folder)
      let written = try file.create(new.keyring)
      #expect(written == KeyringWriting(keyring: new.keyring, copyProblem: nil))
      try await body(file, new.keyring)
    }
  }

  private func damage(_ path: String) throws {
    var content = try Files.content(of: path, limit: 100_000)
    content[40] ^= 1
    try Files.remove(path)
    try write(content, to: path)
  }

  @Test func whatIsWrittenIsReadWithItsCopy() async throws {
    try await withKeyring { (file, keyring) throws in
      #expect(try file.read() == KeyringReading(keyring: keyring, usedCopy: false))
      #expect(
        try Files.names(in: file.folder) == ["keyring", "keyring.copy", "keyring.lock"])
      for path in [file.path, file.copyPath] {
        #expect(try Files.content(of: path, limit: 100_000) == keyring.text())
        #expect(try Files.status(path).mode & 0o777 == 0o600)
      }
      #expect(failure { () throws(KeyError) in _ = try file.create(keyring) } == .alreadyThere)
    }
  }

  @Test func theCopyIsReadOnlyWhereTheDigestFails() async throws {
    try await withKeyring { (file, keyring) throws in
      try damage(file.path)
      #expect(try file.read() == KeyringReading(keyring: keyring, usedCopy: true))
      try damage(file.copyPath)
      #expect(failure { () throws(KeyError) in _ = try file.read() } == .damaged(.digest))
      try Files.remove(file.copyPath)
      #expect(failure { () throws(KeyError) in _ = try file.read() } == .damaged(.digest))
    }
  }

  @Test(arguments: [[], [UInt8](repeating: 0, count: 500), [UInt8](repeating: 1, count: 70_000)])
  func whatPowerLossLeavesIsDamage(content: [UInt8]) async throws {
    try await withKeyring { (file, keyring) throws in
      try Files.remove(file.path)
      try write(content, to: file.path)
      #expect(try file.read() == KeyringReading(keyring: keyring, usedCopy: true))
    }
  }

  @Test func aMissingKeyringIsNeverReplacedByItsCopy() async throws {
    try await withKeyring { (file, _) throws in
      try Files.remove(file.path)
      #expect(failure { () throws(KeyError) in _ = try file.read() } == .missing)
      #expect(failure { () throws(KeyError) in _ = try file.update { $0 } } == .missing)
      #expect(try Files.names(in: file.folder) == ["keyring.copy", "keyring.lock"])
      let nowhere = KeyringFile(folder: "\(file.folder)/none")
      #expect(failure { () throws(KeyError) in _ = try nowhere.read() } == .missing)
      #expect(failure { () throws(KeyError) in _ = try nowhere.update { $0 } } == .missing)
    }
  }

  @Test func aNewerKeyringIsNotPassedOverForItsCopy() async throws {
    try await withKeyring { (file, keyring) throws in
      let text = String(decoding: try keyring.text(), as: UTF8.self)
        .replacingOccurrences(of: "coffer-keyring 1", with: "coffer-keyring 2")
      let content = Array(text.utf8.dropLast(69 + 72))
      let digest = Hexadecimal.encode(try BLAKE2b.hash(unsafe content.span.bytes))
      try Files.remove(file.path)
      try write(
        content + Array("digest \(digest)\n".utf8) + Array(text.utf8.suffix(69)), to: file.path)
      #expect(failure { () throws(KeyError) in _ = try file.read() } == .newer(.version(2)))
    }
  }

  @Test func aFolderInItsPlaceIsASystemError() async throws {
    try await withKeyring { (file, _) throws in
      try Files.remove(file.path)
      try Files.makeFolder(file.path)
      guard case .system = failure({ () throws(KeyError) in _ = try file.read() }) else {
        Issue.record("a folder was taken for a keyring")
        return
      }
    }
  }

  @Test func updatesCheckTheRevision() async throws {
    try await withKeyring { (file, keyring) throws in
      let master = try keyring.unlock(with: try keyFile(filledWith: 1)).takeMaster()
      let slot = try Slot(
        wrapping: master, under: try keyFile(filledWith: 2), environment: environment)
      let written = try file.update(expecting: 1) { now throws(KeyError) in
        try now.adding(slot, master: master)
      }
      #expect(written.keyring.revision == 2)
      #expect(try file.read().keyring == written.keyring)
      #expect(try Files.content(of: file.copyPath, limit: 100_000) == written.keyring.text())
      let late = failure { () throws(KeyError) in
        _ = try file.update(expecting: 1) { now throws(KeyError) in
          try now.removing(slot.id, master: master)
        }
      }
      #expect(late == .changedMeanwhile)
      #expect(failure { () throws(KeyError) in _ = try file.update { $0 } } == .changedMeanwhile)
      #expect(try file.read().keyring == written.keyring)
    }
  }

  @Test func aChangeThatFailsLeavesEverything() async throws {
    try await withKeyring { (file, keyring) throws in
      let error = failure { () throws(KeyError) in
        _ = try file.update { _ throws(KeyError) in throw .noSuchSlot }
      }
      #expect(error == .noSuchSlot)
      #expect(try file.read() == KeyringReading(keyring: keyring, usedCopy: false))
      #expect(try Files.names(in: file.folder).count == 3)
    }
  }

  @Test func anotherWriterMakesItBusy() async throws {
    try await withKeyring { (file, _) throws in
      let held = try file.lock()
      let error = failure { () throws(KeyError) in
        _ = try file.update(timeout: 20) { $0 }
      }
      #expect(error == .busy)
      // Reading takes no lock.
      #expect(try file.read() == held.read())
    }
  }

  @Test func aCopyThatCannotBeWrittenIsAWarning() async throws {
    try await withKeyring { (file, keyring) throws in
      let master = try keyring.unlock(with: try keyFile(filledWith: 1)).takeMaster()
      try Files.remove(file.copyPath)
      try Files.makeFolder(file.copyPath)
      try write([1], to: "\(file.copyPath)/in the way")
      let slot = try Slot(
        wrapping: master, under: try keyFile(filledWith: 2), environment: environment)
      let written = try file.update { now throws(KeyError) in
        try now.adding(slot, master: master)
      }
      #expect(written.copyProblem?.path == file.copyPath)
      #expect(try file.read().keyring == written.keyring)
    }
  }

  @Test func aStagedKeyringWaitsForItsCommit() async throws {
    try await withKeyring { (file, keyring) throws in
      let master = try MasterKey(store: keyring.store, from: environment.random)
      let slot = try Slot(
        wrapping: master, under: try keyFile(filledWith: 1), environment: environment)
      let next = try keyring.advancing(slots: [slot], master: master)
      #expect(try file.staged() == nil)
      let locked = try file.lock()
      try locked.stage(next)
      try locked.stage(next)
      #expect(try file.staged() == next)
      #expect(try file.read().keyring == keyring)
      #expect(try locked.commitStaged().keyring == next)
      #expect(try file.read().keyring == next)
      #expect(try file.staged() == nil)
      #expect(try Files.content(of: file.copyPath, limit: 100_000) == next.text())
    }
  }

  /// Adds ten slots, each under the lock, on whatever the keyring is by then.
  private static func addTen(_ folder: String, from first: UInt8) throws {
    let file = KeyringFile(folder: folder)
    let key = try keyFile(filledWith: 1)
    let master = try file.read().keyring.unlock(with: key).takeMaster()
    for byte in first..<first + 10 {
      let slot = try Slot(
        wrapping: master, under: try keyFile(filledWith: byte), label: "\(byte)",
        environment: .system)
      _ = try file.update(timeout: 60_000) { now throws(KeyError) in
        try now.adding(slot, master: master)
      }
    }
  }

  private func expectThirtyOneSlots(_ file: KeyringFile) throws {
    let reading = try file.read()
    #expect(!reading.usedCopy)
    #expect(reading.keyring.revision == 31)
    #expect(Set(reading.keyring.slots.map(\.label)).count == 31)
    _ = try reading.keyring.unlock(with: try keyFile(filledWith: 25))
    #expect(try Files.names(in: file.folder).count == 3)
  }

  @Test func threadsAtOnceLoseNothing() async throws {
    try await withKeyring { (file, _) throws in
      let folder = file.folder
      DispatchQueue.concurrentPerform(iterations: 3) { index in
        do { try Self.addTen(folder, from: UInt8(10 + 10 * index)) } catch {
          Issue.record(error)
        }
      }
      try expectThirtyOneSlots(file)
    }
  }

  @Test func processesAtOnceLoseNothing() async throws {
    try await withKeyring { (file, _) throws in
      let folder = file.folder
      func run(_ first: UInt8) async {
        await #expect(processExitsWith: .success) {
          [folder = folder as String, first = first as UInt8] in
          try Self.addTen(folder, from: first)
        }
      }
      async let one: Void = run(10)
      async let two: Void = run(20)
      async let three: Void = run(30)
      _ = await (one, two, three)
      try expectThirtyOneSlots(file)
    }
  }

  @Test func aWriterThatIsKilledLeavesTheKeyringAndNoLock() async throws {
    try await withKeyring { (file, keyring) throws in
      let folder = file.folder
      await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String] in
        let file = KeyringFile(folder: folder)
        let temporary = file.temporary(for: file.path)
        _ = try file.update { _ in
          // Killed in the middle of writing.
          try? OpenFile(temporary, .create).write(Array("coffer-keyring".utf8))
          ThisProcess.killItself()
        }
      }
      let leftovers = try Files.names(in: folder).filter { $0.hasSuffix(".new") }
      #expect(leftovers.count == 1)
      #expect(leftovers.allSatisfy { $0.hasPrefix("keyring.") && $0 != "keyring.new" })
      #expect(try file.staged() == nil)
      #expect(try file.read() == KeyringReading(keyring: keyring, usedCopy: false))
      try Self.addTen(folder, from: 10)
      #expect(try file.read().keyring.revision == 11)
      let locked = try file.lock()
      try locked.stage(keyring)
      try locked.removeLeftovers()
      #expect(
        try Files.names(in: folder)
          == ["keyring", "keyring.copy", "keyring.lock", "keyring.new"])
    }
  }
}
