import CofferCoding
import CofferCrypto
import CofferSystem
import Foundation
import Synchronization
import Testing

@testable import CofferKeys

func array(_ bytes: borrowing GuardedBytes) -> [UInt8] {
  bytes.withBytes { bytes in (0..<bytes.byteCount).map { bytes[$0] } }
}

func hex(_ bytes: borrowing GuardedBytes) -> String { Hexadecimal.encode(array(bytes)) }

func bytes(_ hex: String) throws -> [UInt8] {
  try #require(Hexadecimal.decodeLowercase(hex))
}

func guarded(_ bytes: [UInt8]) throws(CryptoError) -> GuardedBytes {
  try GuardedBytes(copying: unsafe bytes.span.bytes)
}

func passphrase(_ bytes: [UInt8]) throws(KeyError) -> Passphrase {
  try Passphrase(utf8: unsafe bytes.span.bytes)
}

func passphrase(_ text: String) throws(KeyError) -> Passphrase {
  try passphrase(Array(text.utf8))
}

func keyFile(_ content: [UInt8]) throws(KeyError) -> KeyFile {
  try KeyFile(content: unsafe content.span.bytes)
}

func keyFile(filledWith byte: UInt8) throws(KeyError) -> Credential {
  .keyFile(try keyFile([UInt8](repeating: byte, count: 32)))
}

func recoveryCode(_ text: String) throws(KeyError) -> RecoveryCode {
  let bytes = Array(text.utf8)
  return try RecoveryCode(typed: unsafe bytes.span.bytes)
}

func text(of code: borrowing RecoveryCode) throws(KeyError) -> String {
  try code.withText { text throws(KeyError) in
    String(decoding: (0..<text.byteCount).map { text[$0] }, as: UTF8.self)
  }
}

/// What a call throws, or nothing.
func failure(_ body: () throws(KeyError) -> Void) -> KeyError? {
  do throws(KeyError) {
    try body()
    return nil
  } catch { return error }
}

/// Runs with a fresh folder that is removed afterwards.
func withFolder(_ body: (String) async throws -> Void) async throws {
  let folder = try Files.makeTemporaryFolder("coffer-keys")
  defer { try? Files.removeTree(folder) }
  try await body(folder)
}

func write(_ content: [UInt8], to path: String) throws {
  try OpenFile(path, .create).write(content)
}

/// Randomness from a seed (SplitMix64), so that a failing test can be run again.
func seeded(_ seed: UInt64) -> RandomSource {
  let state = Seeded(seed)
  return RandomSource { bytes in
    for index in 0..<bytes.byteCount {
      let byte = UInt8(truncatingIfNeeded: state.next())
      bytes.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
    }
  }
}

final class Seeded: RandomNumberGenerator, Sendable {
  private let state: Mutex<UInt64>

  init(_ seed: UInt64) { state = Mutex(seed) }

  func next() -> UInt64 {
    state.withLock { state in
      state &+= 0x9e37_79b9_7f4a_7c15
      var value = state
      value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
      value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
      return value ^ (value >> 31)
    }
  }
}

/// Randomness from a seed, and a clock that stands still.
func environment(_ seed: UInt64 = 1) -> KeyEnvironment {
  KeyEnvironment(random: seeded(seed)) { 1_764_500_000 }
}

/// The known answers of the project.
struct Vectors {
  let root: [String: Any]

  static let folder = URL(fileURLWithPath: #filePath).appending(path: "../../..").standardized

  init(_ path: String = "Keys/vectors/keys.json") throws {
    let data = try Data(contentsOf: Self.folder.appending(path: path).standardized)
    root = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  func text(_ name: String) throws -> String { try #require(root[name] as? String) }
  func number(_ name: String) throws -> UInt64 { try #require(root[name] as? UInt64) }
  func map(_ name: String) throws -> [String: Any] { try #require(root[name] as? [String: Any]) }

  func keyring() throws -> Keyring { try Keyring(text: Array(try text("keyring").utf8)) }

  func master() throws -> MasterKey {
    let store = try #require(StoreID(try bytes(try text("store_id"))))
    let secret = try guarded(try bytes(try text("master_key")))
    guard let master = MasterKey(store: store, secret: secret) else { throw KeyError.wrongSecret }
    return master
  }

  /// The secret of one kind, from the file.
  func credential(_ kind: SlotKind) throws -> Credential {
    switch kind {
    case .passphrase: .passphrase(try passphrase(try text("passphrase")))
    case .recovery: .recoveryCode(try recoveryCode(try text("recovery_code")))
    case .keyFile: .keyFile(try keyFile(try bytes(try text("key_file"))))
    case .secretService:
      .secretService(try service(try bytes(try text("service_secret"))))
    }
  }
}

func service(_ bytes: [UInt8]) throws -> ServiceSecret {
  guard let secret = ServiceSecret(try guarded(bytes)) else { throw KeyError.wrongSecret }
  return secret
}
