import CofferSystem

/// Times as people read them, in the time zone of this machine.
enum Moment {
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  /// `12 May 2024`, or `an unknown day`.
  static func day(_ milliseconds: Int64) -> TerminalText {
    guard let time = LocalTime(milliseconds: milliseconds), months.indices.contains(time.month - 1)
    else { return "an unknown day" }
    return "\(time.day) \(months[time.month - 1]) \(time.year)"
  }

  /// `09:41`.
  static func time(_ milliseconds: Int64) -> TerminalText {
    guard let time = LocalTime(milliseconds: milliseconds) else { return "--:--" }
    return "\(twoDigits(time.hour)):\(twoDigits(time.minute))"
  }

  /// `2024-05-12 09:41`.
  static func short(_ milliseconds: Int64) -> TerminalText {
    guard let time = LocalTime(milliseconds: milliseconds) else { return "an unknown time" }
    return
      "\(time.year)-\(twoDigits(time.month))-\(twoDigits(time.day)) \(twoDigits(time.hour)):\(twoDigits(time.minute))"
  }

  private static func twoDigits(_ value: Int) -> TerminalText {
    value < 10 ? "0\(value)" : "\(value)"
  }
}
