enum CompletionsCommand: Command {
  private static let shell = Argument(
    "SHELL", "bash, zsh or fish", completing: .words(["bash", "zsh", "fish"]))

  static let name = "completions"
  static let summary = "Print a script that completes commands in a shell"
  static let discussion = """
    Put it where your shell looks for completions:

      bash  ~/.local/share/bash-completion/completions/coffer
      zsh   a folder of $fpath, as _coffer
      fish  ~/.config/fish/completions/coffer.fish
    """
  static let arguments = [shell]
  static let examples = ["source <(coffer completions bash)"]

  static func run(_ input: ParsedArguments, _ output: Output) async throws(CommandFailure) {
    switch input.text(shell) {
    case "bash": output.page(BashCompletion.script)
    case "zsh": output.page(ZshCompletion.script)
    case "fish": output.page(FishCompletion.script)
    case let other:
      throw .usage("there are completions for bash, zsh and fish, not \(quoting: other)")
    }
  }
}
