import Testing

@testable import CofferCommands

private enum Sample: Command {
  static let flag = Option.flag("flag", "a flag")
  static let size = Option.value("size", "N", "a number")
  static let must = Option.value("must", "X", "something", required: true)
  static let name = "sample"
  static let summary = "Nothing"
  static let arguments = [Argument("ONE", "the first"), Argument("TWO", "", isOptional: true)]
  static let options = [OptionSection([flag, size, must])]

  static func run(_ input: ParsedArguments, _ output: Output) async throws(CommandFailure) {}
}

@Suite struct ParserTests {
  private func parse(_ words: String...) throws(CommandFailure) -> ParsedArguments {
    try ArgumentParser.parse(words, for: Sample.self)
  }

  @Test func valuesComeInBothForms() throws {
    let parsed = try parse("a", "--size", "3", "--must=x=y", "--flag")
    #expect(parsed[Sample.size] == "3")
    #expect(parsed[Sample.must] == "x=y")
    #expect(parsed.has(Sample.flag))
    #expect(parsed.arguments == ["ONE": "a"])
  }

  @Test func afterTwoDashesEveryWordIsAnArgument() throws {
    let parsed = try parse("--must", "x", "--", "--flag", "-")
    #expect(parsed.arguments == ["ONE": "--flag", "TWO": "-"])
    #expect(!parsed.has(Sample.flag))
  }

  @Test func emptyValuesAndSingleDashesAreValues() throws {
    let parsed = try parse("", "--must", "", "--size", "-5")
    #expect(parsed.arguments == ["ONE": ""])
    #expect(parsed[Sample.must] == "")
    #expect(parsed[Sample.size] == "-5")
  }

  @Test(arguments: [
    (["--must", "x"], "ONE is missing"),
    (["a"], "--must X is missing"),
    (["a", "b", "c", "--must", "x"], "one argument too many"),
    (["a", "--must", "x", "--must", "x"], "--must is given twice"),
    (["a", "--must", "x", "--flag", "--flag"], "--flag is given twice"),
    (["a", "--must"], "--must needs a value"),
    (["a", "--must", "--flag"], "--must needs a value"),
    (["a", "--must", "x", "--flag=1"], "--flag takes no value"),
    (["a", "--must", "x", "-x"], "no option"),
    (["a", "--must", "x", "--flog"], "no option"),
  ])
  func wrongWordsAreUsageErrors(words: [String], says: String) throws {
    let failure = #expect(throws: CommandFailure.self) {
      try ArgumentParser.parse(words, for: Sample.self)
    }
    #expect(failure?.code == .usage)
    #expect(failure?.message.text.contains(says) == true)
    #expect(failure?.hints.last?.text.contains("coffer help sample") == true)
  }

  @Test func aSlipGetsASuggestion() throws {
    let failure = #expect(throws: CommandFailure.self) { try parse("a", "--flog") }
    #expect(failure?.hints.first?.text == "did you mean --flag?")
  }

  @Test(arguments: [
    ("recieve", ["receive"]), ("lst", ["list"]), ("xyzzy", []), ("--pass", ["--passphrase"]),
  ])
  func theNearestWordIsFound(word: String, nearest: [String]) {
    let words = ["receive", "read", "list", "--passphrase", "--key-file"]
    #expect(Suggestion.nearest(to: word, among: words) == nearest)
  }

  @Test(arguments: ["", "0", "11", "+5", "05", "1.0", "five", "99999999999999999999"])
  func numbersHaveOneForm(text: String) throws {
    let parsed = try parse("a", "--must", "x", "--size=\(text)")
    #expect(throws: CommandFailure.self) { try parsed.integer(Sample.size, in: 1...10) }
  }

  @Test(arguments: [
    ["nothing"], ["key"], ["key", "nothing"], ["help", "nothing"], ["help", "read", "more"],
    ["create"], ["read", "--nothing"],
  ])
  func unknownCommandsAreUsageErrors(words: [String]) async {
    let recorder = Recorder()
    #expect(await CommandLineTool.run(words, recorder.output()) == 64)
    #expect(recorder.out.isEmpty)
    #expect(recorder.error.hasPrefix("error: "))
  }

  @Test func aWordThatIsNoTextIsNamedByItsPlace() async {
    let recorder = Recorder()
    #expect(await CommandLineTool.run(["info", nil], recorder.output()) == 64)
    #expect(recorder.error.contains("argument 2 is not valid UTF-8"))
  }
}
