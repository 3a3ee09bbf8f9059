import CofferCoding
package import CofferCrypto
package import CofferSystem

/// A keyring as it was read, and from where.
package struct KeyringReading: Sendable, Equatable {
  package let keyring: Keyring
  /// The keyring itself was damaged and its copy was read: worth a warning.
  package let usedCopy: Bool
}

/// A keyring as it was written.
package struct KeyringWriting: Sendable, Equatable {
  package let keyring: Keyring
  /// The keyring is on the disk, but its copy could not be written and is an older one: worth a
  /// warning, above all after a slot was removed.
  package let copyProblem: SystemError?
}

/// The keyring in a store's folder: `keyring`, `keyring.copy` and `keyring.lock`.
///
/// Reading takes no lock, since a keyring is only ever replaced in one step. Every write holds
/// `keyring.lock`.
package struct KeyringFile: Sendable {
  package let folder: String
  private let random: RandomSource

  /// `random` names temporary files.
  package init(folder: String, random: RandomSource = .system) {
    self.folder = folder
    self.random = random
  }

  package var path: String { "\(folder)/keyring" }
  package var copyPath: String { "\(folder)/keyring.copy" }
  package var lockPath: String { "\(folder)/keyring.lock" }
  /// Where `LockedKeyring.stage` keeps what the next epoch will have.
  package var stagedPath: String { "\(folder)/keyring.new" }

  /// Reads the keyring; its copy only where the keyring does not match its own digest.
  ///
  /// A keyring that is missing stays an error whatever the copy says: someone took it away.
  package func read() throws(KeyError) -> KeyringReading {
    do throws(KeyError) {
      return KeyringReading(keyring: try Self.read(path), usedCopy: false)
    } catch {
      switch error {
      case .damaged(.digest), .damaged(.notAKeyring), .damaged(.tooLong):
        guard let copy = try? Self.read(copyPath) else { throw error }
        return KeyringReading(keyring: copy, usedCopy: true)
      default: throw error
      }
    }
  }

  /// Writes the keyring of a new store, whose folder has none.
  package func create(_ keyring: Keyring) throws(KeyError) -> KeyringWriting {
    let locked = try lock(timeout: 0)
    let path = path
    if try system({ () throws(SystemError) in try Files.isThere(path) }) { throw .alreadyThere }
    return try locked.write(keyring)
  }

  /// Changes the keyring under its lock.
  ///
  /// `change` gets the keyring as it is now, which may not be the one that was read before; where
  /// `revision` is given and it is another one, nothing is done and `changedMeanwhile` thrown. Waits
  /// `timeout` milliseconds at most for others.
  package func update(
    expecting revision: UInt64? = nil, timeout: Int64 = 5_000,
    _ change: (Keyring) throws(KeyError) -> Keyring
  ) throws(KeyError) -> KeyringWriting {
    let locked = try lock(timeout: timeout)
    let current = try read().keyring
    if let revision, current.revision != revision { throw .changedMeanwhile }
    let changed = try change(current)
    guard changed.store == current.store, changed.revision > current.revision else {
      throw .changedMeanwhile
    }
    return try locked.write(changed)
  }

  /// Takes the lock for more than one step; `busy` where others held it for `timeout` milliseconds.
  package func lock(timeout: Int64 = 5_000) throws(KeyError) -> LockedKeyring {
    do throws(SystemError) {
      return LockedKeyring(
        file: self, lock: try FileLock(lockPath, .exclusive, timeout: timeout))
    } catch {
      if error.wouldBlock { throw .busy }
      if error.isNotFound { throw .missing }
      throw .system(error)
    }
  }

  /// What `keyring.new` says, left behind by a rotation that did not come to its end, or nothing.
  package func staged() throws(KeyError) -> Keyring? {
    do throws(KeyError) { return try Self.read(stagedPath) } catch {
      if error == .missing { return nil }
      throw error
    }
  }

  /// A name that no other writer has, also after one was killed; clean-up knows it by its ending.
  func temporary(for path: String) -> String {
    "\(path).\(Hexadecimal.encode(random.bytes(8))).new"
  }

  /// Whether `temporary` gives such names: `keyring.`, something, `.new`.
  static func isTemporary(_ name: String) -> Bool {
    name.hasPrefix("keyring.") && name.hasSuffix(".new") && name != "keyring.new"
  }

  private static func read(_ path: String) throws(KeyError) -> Keyring {
    let text: [UInt8]
    do throws(SystemError) {
      text = try Files.content(of: path, limit: Keyring.longestText)
    } catch {
      if error.isNotFound { throw .missing }
      if error.isTooLong { throw .damaged(.tooLong) }
      throw .system(error)
    }
    return try Keyring(text: text)
  }
}

/// A keyring that nobody else can write for now.
package struct LockedKeyring: ~Copyable, Sendable {
  private let file: KeyringFile
  private let lock: FileLock

  init(file: KeyringFile, lock: consuming FileLock) {
    self.file = file
    self.lock = lock
  }

  package borrowing func read() throws(KeyError) -> KeyringReading { try file.read() }

  /// Replaces the keyring in one step that survives power loss, then its copy.
  ///
  /// An error means that the keyring is what it was, unless it came from waiting for the folder:
  /// then only power loss can tell. Once the keyring is replaced there is no way back, so a copy
  /// that can't be written is told as a warning.
  package borrowing func write(_ keyring: Keyring) throws(KeyError) -> KeyringWriting {
    let file = file
    let text = try keyring.text()
    try system { () throws(SystemError) in
      try Files.replace(file.path, with: text, through: file.temporary(for: file.path))
    }
    return writeCopy(of: keyring, text)
  }

  /// Writes `keyring.new` and waits for the disk: the intention, which `commitStaged` makes true.
  ///
  /// In between, the database of the next epoch gets its name; clean-up after a kill knows by
  /// `keyring.new` that an epoch above the current one may go.
  package borrowing func stage(_ keyring: Keyring) throws(KeyError) {
    let file = file
    let text = try keyring.text()
    try system { () throws(SystemError) in
      try Files.replace(
        file.stagedPath, with: text, through: file.temporary(for: file.stagedPath))
    }
  }

  /// Renames `keyring.new` over the keyring, which commits the next epoch; then writes the copy.
  package borrowing func commitStaged() throws(KeyError) -> KeyringWriting {
    let file = file
    guard let keyring = try file.staged() else { throw .missing }
    let text = try keyring.text()
    try system { () throws(SystemError) in
      try Files.rename(file.stagedPath, to: file.path)
      try Files.synchronizeFolder(file.folder)
    }
    return writeCopy(of: keyring, text)
  }

  /// Removes the temporary files of writers that were killed, but never `keyring.new`.
  ///
  /// Safe since this lock is held: no living writer has a temporary file now.
  package borrowing func removeLeftovers() throws(KeyError) {
    let file = file
    try system { () throws(SystemError) in
      for name in try Files.names(in: file.folder) where KeyringFile.isTemporary(name) {
        try Files.removeIfThere("\(file.folder)/\(name)")
      }
    }
  }

  private borrowing func writeCopy(of keyring: Keyring, _ text: [UInt8]) -> KeyringWriting {
    do throws(SystemError) {
      try Files.replace(file.copyPath, with: text, through: file.temporary(for: file.copyPath))
      return KeyringWriting(keyring: keyring, copyProblem: nil)
    } catch {
      return KeyringWriting(keyring: keyring, copyProblem: error)
    }
  }
}
