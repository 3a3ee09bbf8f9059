import Testing

@testable import CofferKeys

@Suite struct RecoveryCodeTests {
  private static let known = "T8EB-KNPT-APBA-CSH8-R93J-S5TP-3VWX-0K17-HKHH"

  @Test(arguments: [
    known, known.lowercased(), known.filter { $0 != "-" },
    known.split(separator: "-").joined(separator: " "), " \(known)\r\n",
    "t8eb-knpt APBA csh8r93jS5TP3VWX-OKi7-hkhh", "T8EB-KNPT-APBA-CSH8-R93J-S5TP-3VWX-oKL7-HKHH",
    "--T8EB--KNPT-APBA-CSH8-R93J-S5TP-3VWX-0Kl7-HKHH-",
  ])
  func waysToTypeIt(typed: String) throws {
    #expect(try text(of: recoveryCode(typed)) == Self.known)
  }

  @Test func lengthsAndLettersAreNamed() {
    func problem(_ typed: String) -> KeyError? {
      failure { () throws(KeyError) in _ = try recoveryCode(typed) }
    }
    #expect(problem("") == .mistypedRecoveryCode(.length(0)))
    #expect(problem(String(Self.known.dropLast())) == .mistypedRecoveryCode(.length(35)))
    #expect(problem(Self.known + "0") == .mistypedRecoveryCode(.length(37)))
    #expect(problem("U" + Self.known.dropFirst()) == .mistypedRecoveryCode(.letter(1)))
    #expect(problem(Self.known.dropLast() + "*") == .mistypedRecoveryCode(.letter(36)))
    #expect(problem("T8EB_KNPT") == .mistypedRecoveryCode(.length(9)))
  }

  /// Two letters that were swapped, or one that was taken for another: 1 in 2^20 passes unseen.
  @Test func everySingleTypoIsSeen() throws {
    let letters = Array(Self.known.filter { $0 != "-" })
    for place in letters.indices {
      for letter in "0123456789ABCDEFGHJKMNPQRSTVWXYZ" where letter != letters[place] {
        var typed = letters
        typed[place] = letter
        let error = failure { () throws(KeyError) in _ = try recoveryCode(String(typed)) }
        #expect(error == .mistypedRecoveryCode(.checksum))
      }
      if place > 0, letters[place] != letters[place - 1] {
        var typed = letters
        typed.swapAt(place, place - 1)
        let error = failure { () throws(KeyError) in _ = try recoveryCode(String(typed)) }
        #expect(error == .mistypedRecoveryCode(.checksum))
      }
    }
  }

  @Test func randomCodesComeBack() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    let random = seeded(seed)
    for _ in 0..<200 {
      let code = try RecoveryCode.generate(from: random)
      let written = try text(of: code)
      #expect(written.count == 44, "seed \(seed)")
      let read = try recoveryCode(written.lowercased())
      #expect(array(read.secret) == array(code.secret), "seed \(seed): \(written)")
    }
  }

  @Test func everyLetterMeansItself() {
    let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    for byte in UInt8.min...UInt8.max {
      let upper = (97...122).contains(byte) ? byte - 32 : byte
      let expected: Int32 =
        switch upper {
        case UInt8(ascii: "O"): 0
        case UInt8(ascii: "I"), UInt8(ascii: "L"): 1
        default: alphabet.firstIndex(of: upper).map { Int32($0) } ?? -1
        }
      #expect(Crockford.value(byte) == expected)
    }
  }
}
