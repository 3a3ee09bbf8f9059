import Coffer
import CofferCoding

enum InfoCommand: Command {
  static let name = "info"
  static let summary = "Show facts about a store"
  static let arguments = [Argument.store]
  static let options = [OptionSection([.json, .acceptOldKeyring]), .secret]
  static let examples = ["coffer info ann.coffer"]

  static func run(_ input: ParsedArguments, _ output: Output) async throws(CommandFailure) {
    try await input.withStore(output) { store throws(CommandFailure) in
      let facts = try await CommandFailure.catching { () throws(StoreError) in
        try await store.information()
      }
      if input.isJSON { json(store, facts, output) } else { table(store, facts, output) }
    }
  }

  private static func json(_ store: Store, _ facts: StoreInformation, _ output: Output) {
    output.json { info in
      info.member("store", store.id.description)
      info.member("epoch", store.epoch)
      info.member("account", facts.account)
      info.member("device", facts.device)
      info.member("cursor", facts.cursor)
      info.member("accounts", facts.accounts)
      info.member("conversations", facts.conversations)
      info.member("messages", facts.messages)
      info.member("pending", facts.pending)
      info.member("gaps", facts.gaps)
      info.member("quarantined", facts.quarantined)
      info.member("bytes", facts.bytes)
      info.member("schema", facts.schemaVersion)
      info.member("sqlcipher", facts.cipherVersion)
    }
  }

  private static func table(_ store: Store, _ facts: StoreInformation, _ output: Output) {
    var table = Table()
    table.add("store", "\(store.id)")
    table.add("account", "\(facts.account), device \(facts.device)")
    table.add("cursor", "\(facts.cursor)")
    table.add(
      "messages",
      "\(grouped: facts.messages) in \(facts.conversations, of: "conversation"), from \(facts.accounts, of: "account")"
    )
    table.add("waiting", "\(facts.pending, of: "message") in the outbox")
    table.add("missing", "\(facts.gaps, of: "gap")")
    table.add("quarantine", "\(facts.quarantined, of: "item")")
    table.add("size", Quantity.bytes(facts.bytes))
    table.add("format", "epoch \(store.epoch), schema \(facts.schemaVersion)")
    table.add("SQLCipher", "\(facts.cipherVersion)")
    table.print(on: output)
  }
}
