import Coffer

extension ParsedArguments {
  /// Opens the store that the arguments name, and closes it whatever happens.
  ///
  /// Looks at the store before it asks for a secret. `others` are those that read standard input
  /// besides; `new` is where the secret of a slot that the command makes comes from.
  func withStore(
    _ output: Output, standardInput others: [TerminalText] = [], new: SecretSource? = nil,
    _ body: (Store) async throws(CommandFailure) -> Void
  ) async throws(CommandFailure) {
    let store = try await open(output, others, with: new)
    let known = store.notices.count
    do throws(CommandFailure) { try await body(store) } catch {
      await store.close()
      throw error
    }
    for notice in store.notices.dropFirst(known) { Self.warn(of: notice, text(.store), output) }
    await store.close()
  }

  private func open(
    _ output: Output, _ others: [TerminalText], with new: SecretSource?
  ) async throws(CommandFailure) -> Store {
    let path = text(.store)
    let source = try SecretSource.opening(self)
    try SecretSource.checkStandardInput([source, new], others)
    let keyring = try await Self.keyring(at: path, output)
    let credential = try credential(source, keyring, output)
    var options = Store.Options()
    options.acceptsOldKeyring = has(.acceptOldKeyring)
    options.allowsAnyMemory = has(.allowMemory)
    let store: Store
    do throws(StoreError) {
      store = try await Store.open(at: path, with: credential, options: options)
    } catch { throw Self.failure(error, source, keyring, path) }
    for notice in store.notices { Self.warn(of: notice, path, output) }
    return store
  }

  /// The keyring as the file says, with a warning where its copy had to be read.
  static func keyring(
    at path: String, _ output: Output
  ) async throws(CommandFailure) -> KeyringSummary {
    try await CommandFailure.catching { () throws(StoreError) in
      try await Store.keyring(at: path)
    }
  }

  /// Reads the secret from its source, or asks for one that the store has a slot for.
  func credential(
    _ source: SecretSource?, _ keyring: KeyringSummary, _ output: Output
  ) throws(CommandFailure) -> Credential {
    guard let source else {
      return try SecretPrompt.secret(for: text(.store), slots: keyring.slots)
    }
    return try SecretReader(output: output).credential(from: source)
  }

  /// A wrong secret, told with where it came from.
  static func failure(
    _ error: StoreError, _ source: SecretSource?, _ keyring: KeyringSummary, _ path: String
  ) -> CommandFailure {
    guard case .key(.wrongSecret, _) = error else { return CommandFailure(error) }
    let origin = source.map { "the secret of \($0.words)" } ?? TerminalText("what was typed")
    let kinds = SlotKind.allCases.filter { kind in keyring.slots.contains { $0.kind == kind } }
    return CommandFailure(
      .wrongKey, "wrong key: \(origin) opens no slot of \(path)",
      hint:
        "it opens with \(TerminalText.list(kinds.map { "a \($0.words)" }, "or")); `coffer key list` shows its slots"
    )
  }

  static func warn(of notice: Store.Notice, _ path: String, _ output: Output) {
    switch notice {
    case .keyringCopyUsed:
      output.warning(
        "the keyring of \(path) is damaged; its copy was used",
        hint: "copy `keyring.copy` over `keyring` in that folder")
    case .keyringCopyStale:
      output.warning(
        "the keyring of \(path) was changed, but its copy was not: it still has the old slots",
        hint: "copy `keyring` over `keyring.copy` in that folder")
    case .unexplainedEpoch(let epoch):
      output.warning(
        "\(path) holds a database that nothing explains, store-\(epoch).db; it was left alone")
    }
  }
}

extension SlotKind {
  /// What a person calls a secret of this kind.
  var words: TerminalText {
    switch self {
    case .passphrase: "passphrase"
    case .recovery: "recovery code"
    case .keyFile: "key file"
    case .secretService: "secret of the desktop's secret service"
    }
  }
}
