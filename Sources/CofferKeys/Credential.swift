package import CofferCrypto

/// A secret that may open a store.
public enum Credential: ~Copyable, Sendable {
  case passphrase(Passphrase)
  case recoveryCode(RecoveryCode)
  case keyFile(KeyFile)
  case secretService(ServiceSecret)

  public var kind: SlotKind {
    switch self {
    case .passphrase: .passphrase
    case .recoveryCode: .recovery
    case .keyFile: .keyFile
    case .secretService: .secretService
    }
  }

  /// Derives the key that wraps the master key in a slot.
  ///
  /// A passphrase takes the slot's cost in time and memory on the calling thread. `parameters` must
  /// be there for a passphrase, and only for one.
  borrowing func slotSecret(
    store: StoreID, parameters: PassphraseParameters?
  ) throws(KeyError) -> GuardedBytes {
    switch self {
    case .passphrase(let passphrase):
      guard let parameters else { throw .wrongSecret }
      return try parameters.derive(passphrase)
    case .recoveryCode(let code):
      return try Derivation.key(.recoveryKey, from: code.secret, store: store)
    case .keyFile(let file):
      return try Derivation.key(.keyFile, from: file.secret, store: store)
    case .secretService(let service):
      return try Derivation.key(.secretService, from: service.secret, store: store)
    }
  }
}

/// 32 random bytes that the desktop's secret service keeps for one slot.
public struct ServiceSecret: ~Copyable, Sendable {
  package static let size = 32

  let secret: GuardedBytes

  /// Takes over what the service gave back; nothing where it is not 32 bytes.
  package init?(_ secret: consuming GuardedBytes) {
    guard secret.count == Self.size else { return nil }
    self.secret = secret
  }

  package init(from random: RandomSource) throws(KeyError) {
    secret = try crypto { () throws(CryptoError) in
      try GuardedBytes(randomCount: Self.size, from: random)
    }
  }

  /// Lends the bytes, to hand them to the service.
  package borrowing func withBytes<Result: ~Copyable, Failure: Error>(
    _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try secret.withBytes(body)
  }
}
