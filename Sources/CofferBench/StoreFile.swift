import Coffer
import CofferCrypto
import CofferDatabase
import CofferKeys
import CofferSystem

/// A store of ours, and what C needs to open the same file.
struct StoreFile {
  let store: Store
  /// The database file.
  let path: String
  /// The raw key as SQLCipher takes it; of no worth, since the store holds only made-up text.
  let key: String

  /// Makes an empty store in a folder.
  ///
  /// A key file opens it: Argon2 has no part in these figures.
  init(named name: String, in folder: String) async throws {
    let home = "\(folder)/\(name)"
    store = try await Store.create(
      at: home, account: "bench", device: 1, with: NewSlot(Self.credential()))
    path = "\(home)/store-1.db"
    let keyring = try KeyringFile(folder: home).read().keyring
    let master = try keyring.unlock(with: Self.credential()).takeMaster()
    key = try master.sqlCipherKey(epoch: keyring.epoch).withBytes { bytes in
      unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }
  }

  static let keyFileContent = [UInt8](repeating: 7, count: 32)

  private static func credential() throws(KeyError) -> Credential {
    .keyFile(unsafe try KeyFile(content: keyFileContent.span.bytes))
  }

  /// Receives so many messages in big pages.
  func fill(_ rows: Int, from workload: Workload) async throws {
    var left = rows
    while left > 0 {
      let batch = workload.next(min(left, 10_000))
      try await receive(batch.pages(of: batch.count))
      left -= batch.count
    }
  }

  /// Receives pages of items that are all new.
  func receive(_ pages: [Page]) async throws {
    for page in pages {
      let result = try await store.receive(page)
      guard Int64(result.inserted) == page.next - page.base else {
        throw BenchError.failed("receive: \(result)")
      }
    }
  }

  func checkpoint() async throws {
    try await store.database.withWriter { connection throws(DatabaseError) in
      _ = try connection.checkpoint()
    }
  }
}
