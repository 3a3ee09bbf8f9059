import CofferCrypto

/// A new store's keyring and its master key.
package struct NewKeyring: ~Copyable, Sendable {
  package let keyring: Keyring
  package let master: MasterKey

  init(keyring: Keyring, master: consuming MasterKey) {
    self.keyring = keyring
    self.master = master
  }

  /// Gives up the rest and keeps the key.
  package consuming func takeMaster() -> MasterKey { master }
}

extension Keyring {
  /// Draws the id and the master key of a new store, and makes its first slot.
  package static func make(
    for credential: borrowing Credential, strength: PassphraseStrength = .moderate,
    label: String = "", slot id: SlotID? = nil, insist: Bool = false, environment: KeyEnvironment
  ) throws(KeyError) -> NewKeyring {
    let random = environment.random
    let master = try MasterKey(store: StoreID(from: random), from: random)
    let slot = try Slot(
      wrapping: master, under: credential, strength: strength, label: label, id: id,
      environment: environment)
    let keyring = try Keyring(
      revision: 1, epoch: 1, slots: [slot], master: master, insist: insist)
    return NewKeyring(keyring: keyring, master: master)
  }

  package func adding(
    _ slot: Slot, master: borrowing MasterKey, insist: Bool = false
  ) throws(KeyError) -> Keyring {
    try changing(slots + [slot], master: master, insist: insist)
  }

  package func removing(
    _ id: SlotID, master: borrowing MasterKey, insist: Bool = false
  ) throws(KeyError) -> Keyring {
    let index = try index(of: id)
    var left = slots
    left.remove(at: index)
    return try changing(left, master: master, insist: insist)
  }

  /// Puts a slot in the place of another.
  package func replacing(
    _ id: SlotID, with slot: Slot, master: borrowing MasterKey, insist: Bool = false
  ) throws(KeyError) -> Keyring {
    let index = try index(of: id)
    var changed = slots
    changed[index] = slot
    return try changing(changed, master: master, insist: insist)
  }

  /// The keyring of the next epoch; `slots` wrap `master`, which may be a new one.
  package func advancing(
    slots: [Slot], master: borrowing MasterKey, insist: Bool = false
  ) throws(KeyError) -> Keyring {
    guard master.store == store else { throw .wrongSecret }
    return try Keyring(
      revision: revision + 1, epoch: epoch + 1, slots: slots, master: master, insist: insist)
  }

  package func slot(_ id: SlotID) throws(KeyError) -> Slot { slots[try index(of: id)] }

  private func index(of id: SlotID) throws(KeyError) -> Int {
    guard let index = slots.firstIndex(where: { $0.id == id }) else { throw .noSuchSlot }
    return index
  }

  /// Checks this keyring under the master key before it builds on it.
  ///
  /// So a change never puts its seal on what someone else has slipped in.
  private func changing(
    _ slots: [Slot], master: borrowing MasterKey, insist: Bool
  ) throws(KeyError) -> Keyring {
    guard master.store == store else { throw .wrongSecret }
    try verify(with: master)
    return try Keyring(
      revision: revision + 1, epoch: epoch, slots: slots, master: master, insist: insist)
  }
}
