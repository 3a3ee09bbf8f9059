/// Why a text was refused.
package enum TextError: Error, Sendable, Equatable {
  case empty
  case invalidUTF8
  /// A NUL, which ends a string for half of the programs in the world.
  case containsNUL
  /// A code point that the Unicode version at hand does not know.
  case unassigned
  /// The memory handed in is too small or not aligned for 32-bit numbers.
  case noRoom
}
