import Coffer
import CofferSystem

extension CommandFailure {
  /// Words and exit code for what went wrong with a store.
  init(_ error: StoreError) {
    switch error {
    case .noStore(let path):
      self.init(.notFound, "there is nothing at \(path)", hint: "`coffer create` makes a store")
    case .notAStore(let path, let kind):
      self.init(
        .badData, "\(path) is \(Self.words(for: kind)), not a store",
        hint: "a store is a folder with a `keyring` in it; nothing was changed")
    case .alreadyThere(let path):
      self.init(
        .forbidden, "\(path) is there already; it was not touched", hint: "choose a free name")
    case .keyringMissing(let path):
      self.init(
        .badData, "\(path) holds a database but no `keyring`",
        hint: "bring the keyring back (`keyring.copy` beside it is the same)",
        "without it no secret opens the database")
    case .databaseMissing(let path):
      self.init(
        .badData, "the database \(path) is missing, though its keyring is there",
        hint: "bring it back from a copy; nothing was made or removed")

    case .key(let error, let path): self.init(error, path: path)
    case .oldKeyring(let path, let found, let remembered):
      self.init(
        .forbidden,
        "the keyring of \(path) is older than the database remembers (\(found), not \(remembered))",
        hint: "a secret that was removed may be back: someone put an old keyring there",
        "if that was you, --accept-old-keyring opens the store and makes this keyring the newest")

    case .damaged(let path, let damage):
      self.init(
        .badData, Self.words(for: damage, path),
        hint: "keep the folder as it is and work on a copy of it; nothing was changed")
    case .newerSchema(let path, let found, let supported):
      self.init(
        .badData,
        "a newer version of Coffer wrote \(path): schema \(found), this one knows \(supported)",
        hint: "open it with that version")
    case .foreignDatabase(let path):
      self.init(
        .badData, "\(path) belongs to another store, or to another time of this one",
        hint: "the folder was put together from two copies; bring back one whole copy")

    case .badPage(let base, let next):
      self.init(.badData, "a page goes from base \(base) to next \(next), which can't be")
    case .pageAhead(let base, let cursor):
      self.init(
        .forbidden,
        "the page's base \(base) is above the cursor \(cursor); nothing of it was applied",
        hint: "pull from \(cursor): what lies between has not been received")
    case .otherEpoch(let found, let expected):
      self.init(
        .forbidden, "the server counts in epoch \(found), the store in \(expected)",
        hint: "the server has lost its numbering; nothing of it was applied")
    case .unknownItem(let number):
      self.init(
        .notFound, "there is no item \(number) in quarantine",
        hint: "`coffer quarantine` lists them")
    case .unknownConversation(let address):
      self.init(
        .notFound, "there is no conversation \(quoting: address)",
        hint: "`coffer conversations` lists them; the first message received makes one")
    case .unknownEvent(let id):
      self.init(.notFound, "there is no message of that sender with the id \(id)")
    case .conflict(let conflict): self.init(.forbidden, Self.words(for: conflict))
    case .textTooLong(let bytes):
      self.init(.badData, "a text has at most 16 MiB; this one has \(grouped: bytes) bytes")
    case .badEvent(let reason): self.init(.badData, "this can't be sent: \(reason.rawValue)")
    case .badAddress:
      self.init(
        .usage, "an account is 1 to 512 bytes without control characters; devices count from 1")
    case .closed: self.init(.otherFailure, "the store was closed meanwhile")

    case .busy(let path):
      self.init(.busy, "another process holds \(path)", hint: "try again when it has finished")
    case .diskFull(let path):
      self.init(
        .inputOutput, "no space left for \(path)",
        hint: "make room and try again: what was committed is safe, the rest was not applied")
    case .readOnly(let path): self.init(.inputOutput, "\(path) can't be written to")
    case .outOfMemory: self.init(.otherFailure, "the system gave no memory")
    case .system(let error): self.init(error)
    case .database(let path, let code, let reason):
      // SQLITE_IOERR and SQLITE_CANTOPEN, whatever their extended code.
      let isInputOutput = code & 0xff == 10 || code & 0xff == 14
      self.init(
        isInputOutput ? .inputOutput : .otherFailure,
        "the database \(path) failed: \(reason) (\(code))")
    case .wrongLibrary:
      self.init(
        .otherFailure, "the library that was loaded is no SQLCipher 4.5 or later",
        hint: "`make deps` installs one")
    }
  }

  private static func words(for kind: StoreError.ForeignFile) -> TerminalText {
    switch kind {
    case .folder: "a folder"
    case .emptyFile: "an empty file"
    case .unencryptedDatabase: "an unencrypted SQLite database"
    case .file: "a file"
    }
  }

  private static func words(
    for damage: StoreError.Damage, _ path: String
  ) -> TerminalText {
    switch damage {
    case .firstPage: "the first page of \(path) is damaged, or the file is another store's"
    case .page: "\(path) is damaged"
    case .emptyFile: "\(path) is empty"
    case .unencryptedDatabase: "\(path) is an unencrypted SQLite database, not the store's"
    case .noStore: "\(path) opens, but no store is in it"
    }
  }

  private static func words(for conflict: StoreError.Conflict) -> TerminalText {
    switch conflict {
    case .idUsedOtherwise(let id):
      "the id \(id) was used for another message; nothing was changed"
    case .acknowledgedElsewhere(let id, let seq):
      "the message \(id) has the seq \(seq) already"
    case .seqTaken(let seq, let conversation):
      "the seq \(seq) of \(quoting: conversation) is held by another event"
    case .seqOutOfReach(let seq, let conversation):
      "the seq \(seq) of \(quoting: conversation) is out of reach"
    case .deleted(let id): "the message \(id) was deleted"
    case .onItsWay(let id): "\(id) was handed over and may be on the server; nothing was changed"
    case .conversationExists(let address):
      "the conversation \(quoting: address) is there already; nothing was changed"
    }
  }

  /// Awaits calls of a store and gives their errors as failures.
  static func catching<Result>(
    _ body: () async throws(StoreError) -> sending Result
  ) async throws(CommandFailure) -> sending Result {
    do throws(StoreError) { return try await body() } catch { throw CommandFailure(error) }
  }
}
