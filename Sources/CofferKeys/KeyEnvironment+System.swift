import CofferCrypto
import CofferSystem

extension KeyEnvironment {
  /// The system's randomness and its wall clock.
  package static let system = KeyEnvironment(random: .system) { Clock.wallMilliseconds / 1_000 }
}
