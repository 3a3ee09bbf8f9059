import CofferSystem
import Testing

@testable import CofferCommands

/// The help of every command, held against files in `Transcripts/help`.
///
/// `COFFER_RECORD=1 swift test` writes them anew.
@Suite struct HelpTests {
  static let pages: [(name: String, text: String)] = {
    var pages = [(name: "coffer", text: HelpPage.overview)]
    for group in CommandList.groups {
      pages.append((name: group.name, text: HelpPage.page(of: group)))
    }
    for command in CommandList.visible {
      pages.append((name: command.name, text: HelpPage.page(of: command)))
    }
    return pages
  }()

  @Test(arguments: pages.map(\.name))
  func helpIsWhatItWas(name: String) throws {
    let text = try #require(Self.pages.first { $0.name == name }?.text)
    let file = "help/\(name.split(separator: " ").joined(separator: "-")).txt"
    try Transcripts.compare(text, with: file)
  }

  @Test(arguments: pages.map(\.name))
  func helpFitsIn80Columns(name: String) throws {
    let text = try #require(Self.pages.first { $0.name == name }?.text)
    for line in text.split(separator: "\n") {
      #expect(DisplayWidth.columns(of: String(line)) <= 80, "\(line)")
      #expect(!line.hasSuffix(" "))
    }
  }

  @Test func everyCommandHasASummaryWithoutAFullStop() {
    for command in CommandList.visible {
      #expect(!command.summary.isEmpty && !command.summary.hasSuffix("."))
    }
  }

  @Test func namesAreUnique() {
    let names = CommandList.all.map { $0.name }
    #expect(Set(names).count == names.count)
    for command in CommandList.all {
      let options = command.allOptions.map(\.name)
      #expect(Set(options).count == options.count, "\(command.name)")
    }
  }

  @Test(arguments: [
    ["--help"], ["-h"], ["help"], ["help", "read"], ["read", "--help"],
    ["read", "store", "--json", "-h"], ["key", "--help"], ["key", "add", "--help"],
    ["help", "key", "add"],
  ])
  func helpGoesToStandardOutput(words: [String]) async {
    let recorder = Recorder()
    #expect(await CommandLineTool.run(words, recorder.output()) == 0)
    #expect(recorder.out.contains("Usage: coffer"))
    #expect(recorder.error.isEmpty)
  }

  @Test func noCommandIsAUsageErrorThatShowsThem() async {
    let recorder = Recorder()
    #expect(await CommandLineTool.run([], recorder.output()) == 64)
    #expect(recorder.out.isEmpty)
    #expect(recorder.error.contains("Usage: coffer COMMAND"))
  }

  @Test func versionIsOneLine() async {
    let recorder = Recorder()
    #expect(await CommandLineTool.run(["--version"], recorder.output()) == 0)
    #expect(recorder.out == "coffer \(CommandLineTool.version)\n")
  }
}

/// Files that hold what the tool should print.
enum Transcripts {
  static func path(_ file: String) -> String {
    "\(Files.parent(of: #filePath))/Transcripts/\(file)"
  }

  static var isRecording: Bool { ThisProcess.environment("COFFER_RECORD") == "1" }

  static func compare(_ text: String, with file: String) throws {
    let path = path(file)
    if isRecording {
      try Files.removeIfThere(path)
      try OpenFile(path, .create).write(Array(text.utf8))
      return
    }
    let expected = String(decoding: try Files.content(of: path, limit: 1 << 20), as: UTF8.self)
    #expect(text == expected, "\(file) differs")
  }
}
