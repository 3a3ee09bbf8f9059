/// Why a cryptographic operation did not happen.
package enum CryptoError: Error, Sendable, Equatable {
  /// libsodium could not start on this machine.
  case unavailable
  /// The system gave no memory, guarded or for Argon2.
  case noMemory
  /// A key, nonce, salt or output does not have a length that the algorithm takes.
  case wrongLength
  /// The box, or what was said to go with it, is not what was sealed under this key.
  case notAuthentic
  /// Passes or memory of a passphrase derivation are outside the bounds.
  case costOutOfBounds
}
