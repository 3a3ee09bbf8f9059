import Coffer
import CofferDatabase
import CofferKeys
import CofferSystem
import Testing

@testable import CofferCommands

@Suite struct RepairTests {
  let scratch: Scratch
  init() throws {
    scratch = try Scratch()
    try scratch.makeStore()
    let item = """
      {"inbox":1,"conversation":"hiking","seq":1,"sender":"bob","device":1,\
      "id":"0190b3c8-7a10-7c3f-8d52-6f1e2a3b4c5d","sent_at":1717000000000,\
      "message":{"text":"Back before dark?"}}
      """
    try scratch.run(
      ["receive", "ann.coffer", "--key-file", "ann.key"],
      input: "{\"page\":{\"base\":0,\"next\":1,\"items\":[\(item)]}}\n")
  }

  private func verify(_ words: String...) throws -> Scratch.Outcome {
    try scratch.run(["verify", "ann.coffer", "--key-file", "ann.key"] + words)
  }

  private func sql(_ text: String) async throws {
    let store = try await Store.open(
      at: scratch.path("ann.coffer"), with: .keyFile(KeyFile(path: scratch.path("ann.key"))))
    try await store.database.withWriter { connection throws(DatabaseError) in
      try connection.execute(text)
    }
    await store.close()
  }

  @Test func aCleanStoreNeedsNoRepair() throws {
    let outcome = try verify("--repair")
    #expect(outcome.code == 0)
    #expect(!outcome.out.contains("set right"))
    #expect(outcome.out.contains("\nclean: 1 message in 1 conversation"))
    let json = try verify("--repair", "--json").out
    #expect(json.hasPrefix("{\"clean\":true,"))
    #expect(json.hasSuffix("\"findings\":[],\"repairs\":[]}\n"))
  }

  @Test func whatIsSetRightIsShown() async throws {
    try await sql("UPDATE conversations SET unread = 7")
    let plain = try verify()
    #expect(plain.code == 65)
    #expect(plain.error.contains("verify --repair"))
    let outcome = try verify("--repair")
    #expect(outcome.code == 0, "\(outcome)")
    #expect(
      outcome.out.contains(
        """
        found in the rules: 1 conversations whose count of unread messages is wrong
        set right: 1 counts of unread messages
        clean: 1 message in 1 conversation
        """))
    #expect(try verify().code == 0)
    try await sql("DELETE FROM sync_state WHERE key = 'changed'")
    let json = try verify("--repair", "--json").out
    #expect(json.hasSuffix("\"repairs\":[{\"repair\":\"counter\",\"count\":1}]}\n"))
  }

  @Test func whatStaysIsAFindingAndBadData() async throws {
    try await sql("UPDATE messages SET text = NULL")
    let outcome = try verify("--repair")
    #expect(outcome.code == 65)
    #expect(outcome.out.contains("found in the rules: 1 messages without a body"))
    #expect(outcome.error.contains("not as it should be: 1 finding"))
    #expect(outcome.error.contains("can't be known from other rows"))
  }

  @Test func aDamagedPageIsLeftAsItIs() throws {
    let path = scratch.path("ann.coffer/store-1.db")
    var database = try Files.content(of: path, limit: 1 << 24)
    database[3 * 4096 + 100] ^= 1
    try Files.remove(path)
    try scratch.write("ann.coffer/store-1.db", database)
    let outcome = try verify("--repair")
    #expect(outcome.code == 65)
    #expect(outcome.out.contains("found in the pages"))
    #expect(outcome.error.contains("nothing was changed"))
    #expect(try Files.content(of: path, limit: 1 << 24) == database)
  }
}
