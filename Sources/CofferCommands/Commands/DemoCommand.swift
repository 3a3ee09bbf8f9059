import Coffer
import CofferSystem

enum DemoCommand: Command {
  static let name = "demo"
  static let summary = "Show two people, three devices and a tunnel, in a temporary folder"
  static let discussion = """
    Ann has a phone and a laptop, Ben a phone that rides through a tunnel. Messages, edits and a \
    delete are written offline, an answer of the server gets lost, a sync is killed with SIGKILL in \
    the middle, again and again. In the end all three have the same conversation, every store is \
    checked, and a thief looks at the files. Leaves nothing behind.
    """
  static let keep = Option.flag("keep", "leave the stores and the relay for a look")
  static let options = [OptionSection([keep])]
  static let examples = ["coffer demo"]

  static func run(_ input: ParsedArguments, _ output: Output) async throws(CommandFailure) {
    do {
      let folder = try Files.makeTemporaryFolder("coffer-demo")
      let demo = try await Demo(folder: folder, output: output)
      let isSound = try await demo.run()
      if input.has(keep) {
        output.line()
        output.line("The stores stay, and so do the relay's file and the key file:")
        output.line("  coffer read \(demo.bensPhone.path) hiking --key-file \(demo.keyFile)")
      } else {
        try Files.removeTree(folder)
      }
      guard isSound else { throw CommandFailure(.badData, "the demo did not end as it should") }
    } catch { throw ChaosCommand.failure(error) }
  }
}
