/// What to measure.
struct Options {
  /// The rows of the biggest store.
  var rows = 1_000_000
  var rounds = 5
  /// Small stores and few rounds, for a build server.
  var isQuick = false
  /// The one measurement to make, or all.
  var only: String?
  /// A static build of `coffer`.
  var staticBinary: String?

  static let names = ["apply", "open", "memory", "start"]

  static let help = """
    coffer-bench: our store beside plain C on the same schema, data and settings.

    usage: coffer-bench [--quick] [--rows N] [--rounds N] [--only NAME] [--static FILE]

      --quick        stores of up to 100,000 rows, 3 rounds, limits with slack
      --rows N       rows of the biggest store (1,000,000)
      --rounds N     interleaved rounds, of which the fastest counts (5)
      --only NAME    one of: \(names.joined(separator: ", "))
      --static FILE  a static release build of coffer, to time its start

    Prints one JSON object a measurement to standard output and a table to standard error. Times
    are processor seconds. Exits with 1 where a limit is broken, with 64 on wrong usage.

    """

  /// How much further a limit reaches in a quick run: small stores and few rounds are noisy.
  var slack: Double { isQuick ? 1.25 : 1 }

  /// Whether this measurement was asked for.
  func wants(_ name: String) -> Bool { only == nil || only == name }

  /// Reads the words of the command line; nothing where help was asked for.
  init?(_ words: [String?]) throws(BenchError) {
    var rest = words[...]
    while let word = rest.popFirst() {
      switch word {
      case "--help", "-h": return nil
      case "--quick":
        isQuick = true
        rows = min(rows, 100_000)
        rounds = min(rounds, 3)
      case "--rows": rows = try Self.number(after: "--rows", &rest)
      case "--rounds": rounds = try Self.number(after: "--rounds", &rest)
      case "--only":
        let name = try Self.value(after: "--only", &rest)
        guard Self.names.contains(name) else { throw .usage("no measurement \(name)") }
        only = name
      case "--static": staticBinary = try Self.value(after: "--static", &rest)
      default: throw .usage("unknown argument \(word ?? "(not UTF-8)")")
      }
    }
  }

  private static func value(
    after option: String, _ rest: inout ArraySlice<String?>
  ) throws(BenchError) -> String {
    guard let value = rest.popFirst() ?? nil else { throw .usage("\(option) needs a value") }
    return value
  }

  private static func number(
    after option: String, _ rest: inout ArraySlice<String?>
  ) throws(BenchError) -> Int {
    guard let number = Int(try value(after: option, &rest)), number >= 1 else {
      throw .usage("\(option) needs a number from 1")
    }
    return number
  }
}

/// Why a measurement could not be made.
enum BenchError: Error {
  case usage(String)
  case failed(String)
}
