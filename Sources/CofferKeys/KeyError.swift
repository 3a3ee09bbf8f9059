package import CofferCrypto
public import CofferSystem
package import CofferText

/// What went wrong with a secret or with a keyring.
///
/// Never holds a secret or a part of one. What a person should read is made of it elsewhere.
public enum KeyError: Error, Sendable, Equatable {
  /// The secret is well formed and fits no slot of its kind.
  case wrongSecret
  /// The secret fits, but the keyring was changed by someone who has no key to it.
  case tampered
  /// The keyring is damaged, or is none.
  case damaged(KeyringDamage)
  /// A later version of this program wrote the keyring.
  case newer(NewerFormat)
  /// There is no keyring. Never a reason to make a new one beside a database.
  case missing
  /// There is a keyring already.
  case alreadyThere
  /// Someone else held the keyring's lock for all the time that was given.
  case busy
  /// The keyring is no longer the one that the change was computed for.
  case changedMeanwhile
  case system(SystemError)
  /// The system gave no memory for a secret or for its derivation.
  case noMemory
  /// libsodium could not start on this machine.
  case unavailable

  /// The last slot can't be removed: nobody could open the store any more.
  case lastSlot
  /// As many slots, or slots of this kind, as there may be.
  case tooManySlots(limit: Int)
  /// A slot of this id is there already.
  case duplicateSlot
  case noSuchSlot
  /// Only slots of the secret service would be left, and such a service is easily lost.
  case onlySecretService
  /// The label is longer than 64 bytes.
  case labelTooLong
  /// The cost of a passphrase slot is outside the bounds.
  case costOutOfBounds(passes: UInt32, memory: UInt64)
  /// Trying a passphrase slot takes more memory in bytes than was allowed.
  case costNeedsConsent(memory: UInt64)

  case badPassphrase(PassphraseProblem)
  /// A key file of so many bytes that is not 32 bytes nor 64 hex digits with or without a newline.
  ///
  /// What never ends, such as a device, counts as 66: no more is read.
  case keyFileLength(Int)
  /// The recovery code was mistyped; this is not the same as a wrong one.
  case mistypedRecoveryCode(RecoveryCodeProblem)
}

/// What is wrong with a keyring file.
public enum KeyringDamage: Sendable, Equatable {
  /// It does not begin as a keyring does.
  case notAKeyring
  /// It is longer than any keyring.
  case tooLong
  /// Its digest is not the digest of its content: damaged by accident, or cut off.
  case digest
  /// A line, counted from 1, does not have its one allowed form.
  case line(Int)
  /// A slot fits the secret, but its box does not open.
  case box(SlotID)
  /// A counter has reached its end.
  case counter
}

/// What a later version of this program put into a keyring.
public enum NewerFormat: Sendable, Equatable {
  case version(UInt64)
  case slotKind(String)
}

/// Why something can't be a passphrase.
public enum PassphraseProblem: Sendable, Equatable {
  case empty
  case invalidUTF8
  case containsNUL
  /// It has a character that the Unicode version of this program does not know.
  case unassigned
  /// It has more bytes than `Passphrase.longest`.
  case tooLong
}

/// Why something can't be a recovery code.
public enum RecoveryCodeProblem: Sendable, Equatable {
  /// It has so many letters instead of 36.
  case length(Int)
  /// The letter at this place, counted from 1, is none of the alphabet.
  case letter(Int)
  /// All letters are possible, but some are not those of any code.
  case checksum
}

extension KeyError {
  package init(_ error: CryptoError) {
    switch error {
    case .unavailable: self = .unavailable
    // Lengths are fixed and costs are checked before; a box that does not open is told apart by
    // whoever opens it.
    case .noMemory, .wrongLength, .notAuthentic, .costOutOfBounds: self = .noMemory
    }
  }

  package init(_ error: TextError) {
    switch error {
    case .empty: self = .badPassphrase(.empty)
    case .invalidUTF8: self = .badPassphrase(.invalidUTF8)
    case .containsNUL: self = .badPassphrase(.containsNUL)
    case .unassigned: self = .badPassphrase(.unassigned)
    case .noRoom: self = .noMemory
    }
  }
}

/// Runs cryptography and gives its errors as `KeyError`.
func crypto<Result: ~Copyable>(
  _ body: () throws(CryptoError) -> Result
) throws(KeyError) -> Result {
  do throws(CryptoError) { return try body() } catch { throw KeyError(error) }
}

/// Runs system calls and gives their errors as `KeyError`.
func system<Result: ~Copyable>(
  _ body: () throws(SystemError) -> Result
) throws(KeyError) -> Result {
  do throws(SystemError) { return try body() } catch { throw .system(error) }
}
