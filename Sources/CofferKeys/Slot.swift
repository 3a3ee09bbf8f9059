package import CofferCrypto

/// The kinds of secret that a slot may be for.
public enum SlotKind: UInt8, Sendable, Hashable, CaseIterable {
  case passphrase = 1
  case recovery = 2
  case keyFile = 3
  case secretService = 4

  /// The word that stands in the keyring file.
  public var name: String {
    switch self {
    case .passphrase: "passphrase"
    case .recovery: "recovery"
    case .keyFile: "keyfile"
    case .secretService: "secret-service"
    }
  }
}

/// One entry of a keyring: the master key, wrapped under one secret.
///
/// Nothing in it is secret. Without an unlocked store, all that it says is only what the file says.
public struct Slot: Sendable, Equatable, Identifiable {
  public let id: SlotID
  public let kind: SlotKind
  /// Seconds since 1970.
  public let created: Int64
  /// What the owner calls it; may hold any characters, so escape it before a terminal shows it.
  public let label: String

  let parameters: PassphraseParameters?
  let commitment: [UInt8]
  let nonce: [UInt8]
  let box: [UInt8]

  static let commitmentSize = 32
  static let boxSize = MasterKey.size + XChaCha20Poly1305.tagSize
  static let longestLabel = 64

  /// Passes of the derivation, for a passphrase.
  public var passes: UInt32? { parameters?.passes }
  /// Memory of the derivation in bytes, for a passphrase.
  public var memory: UInt64? { parameters?.memory }
}

/// What making a slot needs beside keys: randomness and the time, both injected.
package struct KeyEnvironment: Sendable {
  package let random: RandomSource
  /// Seconds since 1970.
  package let now: @Sendable () -> Int64

  package init(random: RandomSource, now: @escaping @Sendable () -> Int64) {
    self.random = random
    self.now = now
  }
}

extension Slot {
  /// Wraps the master key under a secret.
  ///
  /// `id` is drawn where none is given: a slot of the secret service needs it beforehand, since the
  /// service keeps the secret under it. `strength` is for a passphrase.
  package init(
    wrapping master: borrowing MasterKey, under credential: borrowing Credential,
    strength: PassphraseStrength = .moderate, label: String = "", id: SlotID? = nil,
    environment: KeyEnvironment
  ) throws(KeyError) {
    guard label.utf8.count <= Self.longestLabel else { throw .labelTooLong }
    let random = environment.random
    self.id = id ?? SlotID(from: random)
    self.label = label
    kind = credential.kind
    created = max(0, environment.now())
    parameters =
      kind == .passphrase ? PassphraseParameters(strength, from: random) : nil
    nonce = random.bytes(XChaCha20Poly1305.nonceSize)

    let secret = try credential.slotSecret(store: master.store, parameters: parameters)
    let keys = try SlotKeys(secret, store: master.store)
    commitment = keys.commitment
    let data = Self.additionalData(
      kind: kind, id: self.id, store: master.store, parameters: parameters)
    let nonce = nonce
    box = try crypto { () throws(CryptoError) in
      try keys.wrap.withBytes { key throws(CryptoError) in
        try master.secret.withBytes { plaintext throws(CryptoError) in
          // One key file in two slots means one wrap key twice; each time under a random nonce.
          try XChaCha20Poly1305.seal(
            plaintext, key: key, nonce: unsafe nonce.span.bytes,
            additionalData: unsafe data.span.bytes)
        }
      }
    }
  }

  /// The master key, or nothing where the secret is not this slot's.
  ///
  /// The commitment decides, before the box is opened. A box alone would not do: one can be made
  /// that opens under two keys, and a damaged one would look like a wrong secret. When the
  /// commitment fits and the box does not open, it is damaged.
  func unwrap(
    with credential: borrowing Credential, store: StoreID
  ) throws(KeyError) -> MasterKey? {
    guard credential.kind == kind else { return nil }
    let secret = try credential.slotSecret(store: store, parameters: parameters)
    let keys = try SlotKeys(secret, store: store)
    guard
      ConstantTime.areEqual(
        unsafe keys.commitment.span.bytes, unsafe commitment.span.bytes)
    else { return nil }
    let data = Self.additionalData(kind: kind, id: id, store: store, parameters: parameters)
    do throws(CryptoError) {
      let master = try keys.wrap.withBytes { key throws(CryptoError) in
        try XChaCha20Poly1305.open(
          unsafe box.span.bytes, key: key, nonce: unsafe nonce.span.bytes,
          additionalData: unsafe data.span.bytes)
      }
      return MasterKey(store: store, secret: master)
    } catch {
      if error == .notAuthentic { throw .damaged(.box(id)) }
      throw KeyError(error)
    }
  }

  /// Binds the box to its slot, its store and its parameters: moved elsewhere it does not open.
  static func additionalData(
    kind: SlotKind, id: SlotID, store: StoreID, parameters: PassphraseParameters?
  ) -> [UInt8] {
    let parameters = parameters?.bytes ?? []
    return Label.slot.bytes + [kind.rawValue] + id.bytes + store.bytes
      + UInt16(parameters.count).bigEndianBytes + parameters
  }
}

/// What a slot derives from its secret: the key of its box, and the commitment to that key.
struct SlotKeys: ~Copyable {
  let wrap: GuardedBytes
  /// Stands in the file for all to see: it says nothing of `wrap`, since HKDF's output is
  /// indistinguishable from random in each part.
  let commitment: [UInt8]

  init(_ secret: borrowing GuardedBytes, store: StoreID) throws(KeyError) {
    let size = XChaCha20Poly1305.keySize
    let both = try Derivation.key(
      .slotKey, from: secret, store: store, count: size + Slot.commitmentSize)
    wrap = try crypto { () throws(CryptoError) in try both.copy(0..<size) }
    commitment = both.withBytes { both in (size..<both.byteCount).map { both[$0] } }
  }
}
