import CofferSystem
import Testing

@testable import CofferCommands

@Suite struct CompletionTests {
  /// What bash offers when the cursor stands behind the last of `words`.
  private func complete(_ scratch: Scratch, _ words: [String]) throws -> [String] {
    let quoted = words.map(Scratch.quoted).joined(separator: " ")
    let script = """
      source ./bash.sh
      COMP_WORDS=(coffer \(quoted)) COMP_CWORD=\(words.count)
      _coffer
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    try Files.removeIfThere(scratch.path("try.sh"))
    try scratch.write("try.sh", script)
    let outcome = try scratch.shell("bash try.sh")
    #expect(outcome.error.isEmpty, "\(outcome.error)")
    return outcome.out.split(separator: "\n").map(String.init).sorted()
  }

  @Test(.enabled(if: (try? Files.isThere("/bin/bash")) == true))
  func bashOffersWhatIsDeclared() throws {
    let scratch = try Scratch()
    try scratch.write("bash.sh", BashCompletion.script)
    try scratch.write("notes.txt", "")
    try Files.makeFolder(scratch.path("ann.coffer"))

    #expect(try complete(scratch, ["re"]) == ["react", "read", "receive", "retry"])
    #expect(try complete(scratch, ["key", ""]) == ["add", "change", "check", "list", "remove"])
    #expect(try complete(scratch, ["read", "a"]) == ["ann.coffer"])
    #expect(try complete(scratch, ["read", "ann.coffer", "x", "--be"]) == ["--before"])
    #expect(try complete(scratch, ["key", "add", "ann.coffer", "--new-r"]) == ["--new-recovery"])
    #expect(try complete(scratch, ["create", "x", "--kdf", "mod"]) == ["moderate"])
    #expect(try complete(scratch, ["create", "x", "--kdf", "=", "sen"]) == ["sensitive"])
    #expect(try complete(scratch, ["info", "--key-file", "no"]) == ["notes.txt"])
    #expect(try complete(scratch, ["info", "--key-file", "k", "ann"]) == ["ann.coffer"])
    #expect(try complete(scratch, ["completions", ""]) == ["bash", "fish", "zsh"])
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func everyOptionIsInEveryScript(shell: String) async {
    let recorder = Recorder()
    #expect(await CommandLineTool.run(["completions", shell], recorder.output()) == 0)
    for command in CommandList.visible {
      #expect(command.words.allSatisfy { recorder.out.contains($0) })
      for option in command.allOptions { #expect(recorder.out.contains(option.name)) }
    }
    for command in CommandList.all where command.isHidden {
      #expect(!recorder.out.contains(command.name))
    }
  }

  @Test func anotherShellIsAUsageError() async {
    #expect(await CommandLineTool.run(["completions", "tcsh"], Recorder().output()) == 64)
  }
}
