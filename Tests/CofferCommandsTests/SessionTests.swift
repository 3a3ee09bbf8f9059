import CofferSystem
import Testing

@testable import CofferCommands

/// Whole sessions as a person sees them, in `Transcripts/*.session`.
///
/// A line that begins with `$ ` is run by a shell; below it stands what it prints on both streams,
/// and its exit code where that is not 0. What differs each time is replaced: ids, codes, times.
@Suite struct SessionTests {
  @Test(arguments: ["tour", "keys", "escapes", "changes", "sync", "together"])
  func aSessionIsWhatItWas(name: String) throws {
    let path = Transcripts.path("\(name).session")
    let text = String(decoding: try Files.content(of: path, limit: 1 << 20), as: UTF8.self)
    let scratch = try Scratch()
    var transcript = ""
    var skipping = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("$ ") {
        skipping = true
        let outcome = try scratch.shell("{ \(line.dropFirst(2)); } 2>&1")
        transcript +=
          "\(line)\n" + Self.steady(outcome.out.replacing(scratch.folder, with: "/home/ann"))
        if outcome.code != 0 { transcript += "=> \(outcome.code)\n" }
        transcript += "\n"
      } else if line.hasPrefix("#") {
        skipping = false
        transcript += "\(line)\n"
      } else if !skipping, !line.isEmpty {
        transcript += "\(line)\n"
      }
    }
    try Transcripts.compare(transcript, with: "\(name).session")
  }

  private static func steady(_ text: String) -> String {
    text
      .replacing(#/[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){8}/#, with: "RECOVERY-CODE")
      .replacing(#/\b[0-9a-f]{32}\b/#, with: "STORE-ID")
      .replacing(#/\b(?!5107)[0-9a-f]{16}\b/#, with: "SLOT-ID")
      .replacing(#/\b[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b/#) { match in
        match.output.hasPrefix("0190b3c8") ? String(match.output) : "EVENT-ID"
      }
      .replacing(#/20[2-9]\d-\d\d-\d\d \d\d:\d\d/#, with: "DATE-AND-TIME   ")
  }
}
