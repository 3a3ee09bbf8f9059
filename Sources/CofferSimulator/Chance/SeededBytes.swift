import CofferSystem
package import CofferCrypto
import Synchronization

/// Random bytes for a store, from a seed.
///
/// Keys and ids are then the same at every run; nothing of a simulation is secret.
package final class SeededBytes: Sendable {
  private let generator: Mutex<SplitMix64>

  package init(_ seed: UInt64) { generator = Mutex(SplitMix64(seed)) }

  /// Begins again from another seed, so that what follows does not depend on what came before.
  package func restart(_ seed: UInt64) { generator.withLock { $0 = SplitMix64(seed) } }

  package func take(_ count: Int) -> [UInt8] { source.bytes(count) }

  package var source: RandomSource {
    RandomSource { bytes in
      self.generator.withLock { generator in
        for index in 0..<bytes.byteCount {
          bytes.storeBytes(
            of: UInt8.random(in: 0...255, using: &generator), toByteOffset: index, as: UInt8.self)
        }
      }
    }
  }
}
