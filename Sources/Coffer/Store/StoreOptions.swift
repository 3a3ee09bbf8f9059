package import CofferCrypto
package import CofferDatabase
import CofferKeys
import CofferSystem

extension Store {
  /// What a store draws from outside: everything that would differ between two runs.
  public struct Options: Sendable {
    /// Milliseconds since 1970, for display.
    public var clock: @Sendable () -> Int64
    /// Where keys, nonces and ids come from.
    package var random: RandomSource
    /// How long to wait for another process that rotates or repairs, in milliseconds.
    public var lockTimeout: Int64
    /// Opens a store whose keyring is older than the database remembers: a removed slot may have
    /// come back.
    public var acceptsOldKeyring: Bool
    /// Lets a passphrase's derivation take all the memory that its slot asks for.
    ///
    /// Without it at most 1 GiB, and no more than the system has to give: the slot is only what a
    /// file says before it is opened.
    public var allowsAnyMemory: Bool
    /// Told of every statement of the writer; for the kill test.
    package var hook: StatementHook?

    public init() {
      clock = { Clock.wallMilliseconds }
      random = .system
      lockTimeout = 5_000
      acceptsOldKeyring = false
      allowsAnyMemory = false
      hook = nil
    }

    /// Bytes that the derivation of a key may take.
    var allowedMemory: UInt64 {
      if allowsAnyMemory { return .max }
      let available = ThisProcess.availableMemory.map { UInt64(clamping: $0) } ?? .max
      return min(Keyring.memoryWithoutConsent, available)
    }

    func makeID() -> EventID {
      let bytes = random.bytes(16)
      let halves = [bytes[0..<8], bytes[8..<16]].map {
        $0.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      }
      return .version7(milliseconds: clock(), random: (halves[0], halves[1]))
    }
  }
}
