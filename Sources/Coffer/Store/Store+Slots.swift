import CofferDatabase
import CofferKeys
import CofferSystem
import Synchronization

/// What a keyring says of a store.
public struct KeyringSummary: Sendable, Equatable {
  public let store: StoreID
  public let revision: UInt64
  public let epoch: UInt64
  public let slots: [Slot]
  /// The keyring was damaged; its copy was read.
  public let isCopy: Bool
}

extension Store {
  /// Reads the keyring without a secret: what it says is unverified.
  public static func keyring(at path: String) async throws(StoreError) -> KeyringSummary {
    try await onOwnThread { () throws(StoreError) in
      let reading = try readKeyring(StoreFolder(existing: path))
      let keyring = reading.keyring
      return KeyringSummary(
        store: keyring.store, revision: keyring.revision, epoch: keyring.epoch,
        slots: keyring.slots, isCopy: reading.usedCopy)
    }
  }

  /// Tries a secret without opening the database, and gives the slot that it fits.
  ///
  /// The keyring is then verified. Throws `key(.wrongSecret)` where it fits none.
  public static func check(
    at path: String, with credential: consuming Credential, options: Options = Options()
  ) async throws(StoreError) -> SlotID {
    let secret = Secret(credential, allowing: options.allowedMemory)
    return try await onOwnThread { () throws(StoreError) in
      let folder = try StoreFolder(existing: path)
      return try secret.slot(in: readKeyring(folder).keyring, path: folder.path)
    }
  }

  /// The slots of the open store, verified.
  public func slots() async throws(StoreError) -> [Slot] {
    let (folder, keys) = (folder, keys)
    return try await onOwnThread { () throws(StoreError) in
      let keyring = try Self.readKeyring(folder).keyring
      do throws(KeyError) { try keyring.verify(with: keys.master) } catch {
        throw .key(error, path: folder.path)
      }
      return keyring.slots
    }
  }

  /// Gives one more secret the power to open the store.
  ///
  /// Instant: nothing is encrypted anew.
  @discardableResult
  public func addSlot(_ slot: consuming NewSlot) async throws(StoreError) -> SlotID {
    let slot = SlotBox(slot)
    return try await changeKeyring { keyring, keys, environment throws(KeyError) in
      let made = try slot.wrap(keys, environment)
      return (try keyring.adding(made, master: keys.master), made.id)
    }
  }

  /// Takes a secret's power to open the store away.
  ///
  /// Whoever copied the old keyring and knows the old secret, or has the master key, still opens
  /// that copy; only a rotation ends that. Throws `key(.lastSlot)` and `key(.noSuchSlot)`.
  public func removeSlot(_ id: SlotID) async throws(StoreError) {
    _ = try await changeKeyring { keyring, keys, _ throws(KeyError) in
      (try keyring.removing(id, master: keys.master), id)
    }
  }

  /// Puts a new secret in the place of another.
  @discardableResult
  public func replaceSlot(
    _ id: SlotID, with slot: consuming NewSlot
  ) async throws(StoreError) -> SlotID {
    let slot = SlotBox(slot)
    return try await changeKeyring { keyring, keys, environment throws(KeyError) in
      _ = try keyring.slot(id)
      let made = try slot.wrap(keys, environment)
      return (try keyring.replacing(id, with: made, master: keys.master), made.id)
    }
  }

  private typealias KeyringChange =
    @Sendable (Keyring, StoreKeys, KeyEnvironment) throws(KeyError) -> (Keyring, SlotID)

  /// Writes the keyring, then notes its revision in the database.
  ///
  /// The one before is refused from then on. A kill in between is made good by the next open.
  private func changeKeyring(_ change: @escaping KeyringChange) async throws(StoreError) -> SlotID {
    let (folder, keys, options) = (folder, keys, options)
    let changed = try await onOwnThread { () throws(StoreError) -> Change in
      do throws(KeyError) {
        var id: SlotID?
        let file = KeyringFile(folder: folder.path, random: options.random)
        let written = try file.update(timeout: options.lockTimeout) { current throws(KeyError) in
          guard current.epoch == keys.epoch else { throw .changedMeanwhile }
          let result = try change(current, keys, options.keyEnvironment)
          id = result.1
          return result.0
        }
        guard let id else { throw .noSuchSlot }
        return Change(
          revision: written.keyring.revision, slot: id, isCopyStale: written.copyProblem != nil)
      } catch { throw .key(error, path: folder.path) }
    }
    try await withWriter { connection throws(StoreError) in
      try Self.note(changed.revision, connection)
    }
    if changed.isCopyStale { noticed.withLock { $0.append(.keyringCopyStale) } }
    return changed.slot
  }

  private struct Change: Sendable {
    let revision: UInt64
    let slot: SlotID
    let isCopyStale: Bool
  }
}

private final class SlotBox: Sendable {
  private let slot: NewSlot

  init(_ slot: consuming NewSlot) { self.slot = slot }

  func wrap(_ keys: StoreKeys, _ environment: KeyEnvironment) throws(KeyError) -> Slot {
    try Slot(
      wrapping: keys.master, under: slot.credential, strength: slot.strength, label: slot.label,
      environment: environment)
  }
}
