import CofferCrypto

/// Who may open a store, and which epoch of its database is current.
///
/// A value: every change gives a new one with a higher revision, authenticated under the master key.
/// `KeyringFile` puts it on the disk.
package struct Keyring: Sendable, Equatable {
  package static let mostSlots = 32
  package static let mostPassphraseSlots = 8
  /// Counters fit in a database's signed 64-bit integer.
  static let counters: ClosedRange<UInt64> = 1...UInt64(Int64.max)

  package let store: StoreID
  package let revision: UInt64
  /// The name of the database file follows from this, and so does its key.
  package let epoch: UInt64
  package let slots: [Slot]
  /// Of every line above it; worth nothing before `unlock` has checked it.
  let mac: [UInt8]

  /// Takes over what the parser found.
  init(store: StoreID, revision: UInt64, epoch: UInt64, slots: [Slot], mac: [UInt8]) {
    self.store = store
    self.revision = revision
    self.epoch = epoch
    self.slots = slots
    self.mac = mac
  }

  /// Makes a keyring and authenticates it; throws where a rule forbids it.
  ///
  /// `insist` lets a keyring pass that has no slot but those of the secret service.
  package init(
    revision: UInt64, epoch: UInt64, slots: [Slot], master: borrowing MasterKey,
    insist: Bool = false
  ) throws(KeyError) {
    guard Self.counters.contains(revision), Self.counters.contains(epoch) else {
      throw .damaged(.counter)
    }
    try Self.check(slots, insist: insist)
    let unsigned = Keyring(
      store: master.store, revision: revision, epoch: epoch, slots: slots, mac: [])
    let mac = try master.keyringMAC(of: try unsigned.authenticatedText())
    self.init(
      store: master.store, revision: revision, epoch: epoch, slots: slots, mac: mac)
  }

  static func check(_ slots: [Slot], insist: Bool) throws(KeyError) {
    if slots.isEmpty { throw .lastSlot }
    if slots.count > mostSlots { throw .tooManySlots(limit: mostSlots) }
    if slots.count(where: { $0.kind == .passphrase }) > mostPassphraseSlots {
      throw .tooManySlots(limit: mostPassphraseSlots)
    }
    if Set(slots.map(\.id)).count < slots.count { throw .duplicateSlot }
    if !insist, slots.allSatisfy({ $0.kind == .secretService }) { throw .onlySecretService }
  }
}

/// A keyring that a secret has opened.
package struct Unlocked: ~Copyable, Sendable {
  package let master: MasterKey
  /// The slot that the secret fits.
  package let slot: SlotID

  init(master: consuming MasterKey, slot: SlotID) {
    self.master = master
    self.slot = slot
  }

  /// Gives up the rest and keeps the key.
  package consuming func takeMaster() -> MasterKey { master }
}

extension Keyring {
  /// How much memory a derivation may take before someone has to agree to it.
  package static let memoryWithoutConsent: UInt64 = 1 << 30

  /// Tries a secret on every slot of its kind.
  ///
  /// The costs of passphrase slots are not believed: those outside the bounds, or above
  /// `allowedMemory`, are not tried, and named if no other slot fits. `wrongSecret` means that the
  /// secret fits no slot; only a secret that fits can tell that the keyring is damaged or tampered
  /// with.
  package func unlock(
    with credential: borrowing Credential, allowedMemory: UInt64 = memoryWithoutConsent
  ) throws(KeyError) -> Unlocked {
    let kind = credential.kind
    var untried: KeyError?
    for slot in slots where slot.kind == kind {
      if let parameters = slot.parameters {
        let (passes, memory) = (parameters.passes, parameters.memory)
        guard Argon2id.allows(passes: passes, memory: memory) else {
          untried = untried ?? .costOutOfBounds(passes: passes, memory: memory)
          continue
        }
        guard memory <= allowedMemory else {
          untried = .costNeedsConsent(memory: memory)
          continue
        }
      }
      if let master = try slot.unwrap(with: credential, store: store) {
        try verify(with: master)
        return Unlocked(master: master, slot: slot.id)
      }
    }
    throw untried ?? .wrongSecret
  }

  /// Checks the last line under the master key: `tampered` where it is not the right one.
  package func verify(with master: borrowing MasterKey) throws(KeyError) {
    let text = try authenticatedText()
    let right = try master.keyringMAC(of: text)
    guard ConstantTime.areEqual(unsafe right.span.bytes, unsafe mac.span.bytes) else {
      throw .tampered
    }
  }
}
