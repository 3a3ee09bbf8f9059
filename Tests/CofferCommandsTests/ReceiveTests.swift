import Testing

@testable import CofferCommands

@Suite struct ReceiveTests {
  private static let secret = ["--key-file", "ann.key"]

  private func item(
    _ number: Int, inbox: String? = nil, seq: String? = nil, sentAt: String = "1717000000000",
    text: String = "\"hello\""
  ) -> String {
    let id = "0190b3c8-7a10-7c3f-8d52-\(String(1_000_000_000_000 + number).dropFirst())"
    return """
      {"inbox":\(inbox ?? String(number)),"conversation":"hiking","seq":\(seq ?? String(number)),\
      "sender":"bob","device":1,"id":"\(id)0","sent_at":\(sentAt),"message":{"text":\(text)}}
      """.replacing("\(id)0", with: id)
  }

  private func receive(_ scratch: Scratch, _ lines: String) throws -> Scratch.Outcome {
    try scratch.run(["receive", "ann.coffer", "--json"] + Self.secret, input: lines)
  }

  private func cursor(_ scratch: Scratch) throws -> String {
    let info = try scratch.run(["info", "ann.coffer", "--json"] + Self.secret).out
    let start = try #require(info.firstRange(of: "\"cursor\":")?.upperBound)
    return String(info[start...].prefix { $0 != "," })
  }

  @Test func pagesPushesItemsAndAcksAreApplied() throws {
    let scratch = try Scratch()
    try scratch.makeStore()
    let page = "{\"page\":{\"base\":0,\"next\":2,\"items\":[\(item(1)),\(item(2))]}}"
    #expect(
      try receive(scratch, "\(page)\r\n\n\(page)").out
        == """
        {"inserted":2,"updated":0,"duplicate":0,"waiting":0,"quarantined":0,"cursor":2,\
        "pull_from":null}

        """
    )
    let hole = try receive(scratch, "{\"push\":\(item(5))}")
    #expect(hole.out.contains("\"inserted\":1") && hole.out.contains("\"pull_from\":2"))
    let filled = "{\"page\":{\"base\":2,\"next\":4,\"items\":[\(item(3)),\(item(4))]}}"
    #expect(try receive(scratch, filled).out.contains("\"cursor\":5,\"pull_from\":null"))

    let sent = try scratch.run(
      ["send", "ann.coffer", "hiking", "--json"] + Self.secret, input: "mine")
    let id = String(sent.out.dropFirst(7).prefix(36))
    let ack = "{\"ack\":{\"id\":\"\(id)\",\"seq\":6}}"
    #expect(try receive(scratch, ack).out.contains("\"updated\":1"))
    #expect(try receive(scratch, ack).out.contains("\"duplicate\":1"))
    #expect(try scratch.run(["outbox", "ann.coffer"] + Self.secret).out == "Nothing waits.\n")
    let other = try receive(scratch, ack.replacing("\"seq\":6", with: "\"seq\":7"))
    #expect(other.code == 73)
    let unknown = try receive(
      scratch, "{\"ack\":{\"id\":\"0190b3c8-7a10-7c3f-8d52-999999999999\",\"seq\":7}}")
    #expect(unknown.code == 66)
    let items = "{\"items\":[\(item(9).replacing("\"inbox\":9,", with: ""))]}"
    #expect(try receive(scratch, items).out.contains("\"inserted\":1"))
    #expect(try scratch.run(["verify", "ann.coffer"] + Self.secret).code == 0)
  }

  @Test(arguments: [
    "nonsense", "[]", "{}", "\"page\"", "{\"page\":{}}", "{\"page\":[]}", "{\"other\":{}}",
    "{\"page\":{\"base\":0,\"next\":1,\"items\":[]},\"push\":{}}",
    "{\"page\":{\"base\":0,\"next\":1,\"items\":[]},\"page\":{\"base\":0,\"next\":1,\"items\":[]}}",
    "{\"page\":{\"base\":0,\"base\":0,\"next\":1,\"items\":[]}}",
    "{\"page\":{\"base\":0,\"next\":1,\"items\":[],\"more\":1}}",
    "{\"page\":{\"base\":0,\"next\":1}}", "{\"page\":{\"base\":0,\"next\":1,\"items\":{}}}",
    "{\"page\":{\"base\":-1,\"next\":1,\"items\":[]}}",
    "{\"page\":{\"base\":1,\"next\":0,\"items\":[]}}",
    "{\"page\":{\"base\":0.0,\"next\":1,\"items\":[]}}",
    "{\"page\":{\"base\":0,\"next\":1e3,\"items\":[]}}",
    "{\"page\":{\"base\":\"00\",\"next\":1,\"items\":[]}}",
    "{\"page\":{\"base\":0,\"next\":9223372036854775808,\"items\":[]}}",
    "{\"page\":{\"base\":null,\"next\":1,\"items\":[]}}",
    "{\"ack\":{\"id\":\"x\",\"seq\":1}}",
    "{\"ack\":{\"id\":\"0190b3c8-7a10-7c3f-8d52-000000000001\"}}",
    "{\"ack\":{\"id\":\"0190b3c8-7a10-7c3f-8d52-000000000001\",\"seq\":0}}",
    "{\"items\":{}}", "{\"push\":{}", "\u{feff}{\"items\":[]}", "{\"items\":[\"\u{1}\"]}",
  ])
  func aBadLineIsNamedAndWhatCameBeforeStays(line: String) throws {
    let scratch = try Scratch()
    try scratch.makeStore()
    let first = "{\"page\":{\"base\":0,\"next\":1,\"items\":[\(item(1))]}}"
    let outcome = try receive(scratch, "\(first)\n\n\(line)\n{\"push\":\(item(2))}\n")
    #expect(outcome.code == 65, "\(outcome)")
    #expect(outcome.out.isEmpty)
    #expect(outcome.error.contains("line 3 of standard input"))
    #expect(outcome.error.contains("1 line was applied: 1 inserted"))
    #expect(try cursor(scratch) == "1")
  }

  @Test func aPageAboveTheCursorNamesBoth() throws {
    let scratch = try Scratch()
    try scratch.makeStore()
    let outcome = try receive(
      scratch, "{\"page\":{\"base\":7,\"next\":8,\"items\":[\(item(8))]}}")
    #expect(outcome.code == 73)
    #expect(outcome.error.contains("line 1"))
    #expect(outcome.error.contains("base 7") && outcome.error.contains("cursor 0"))
    #expect(try cursor(scratch) == "0")
  }

  @Test(arguments: [
    "seq\":0", "seq\":-1", "seq\":1.5", "seq\":1e3", "seq\":\"007\"", "seq\":9223372036854775808",
  ])
  func aBadItemIsSetAsideAndItsPageGoesOn(field: String) throws {
    let scratch = try Scratch()
    try scratch.makeStore()
    let bad = item(1).replacing("seq\":1", with: field)
    let outcome = try receive(
      scratch, "{\"page\":{\"base\":0,\"next\":2,\"items\":[\(bad),\(item(2))]}}")
    #expect(outcome.out.contains("\"inserted\":1"), "\(outcome)")
    #expect(outcome.out.contains("\"quarantined\":1,\"cursor\":2"))
    let raw = try scratch.run(["quarantine", "ann.coffer", "--raw", "1"] + Self.secret)
    #expect(raw.out == "\(bad)\n")
  }

  @Test func largeIntegersComeBackExactly() throws {
    let scratch = try Scratch()
    try scratch.makeStore()
    let times = [
      "9007199254740991", "9007199254740992", "\"9007199254740993\"", "9223372036854775807",
      "\"9223372036854775807\"",
    ]
    let items = times.enumerated().map { item($0 + 1, sentAt: $1) }
    let line =
      "{\"page\":{\"base\":\"0\",\"next\":\"9223372036854775807\",\"items\":[\(items.joined(separator: ","))]}}"
    let outcome = try receive(scratch, line)
    #expect(outcome.out.contains("\"inserted\":5"), "\(outcome)")
    #expect(outcome.out.contains("\"cursor\":\"9223372036854775807\""))
    let read = try scratch.run(["read", "ann.coffer", "hiking", "--json"] + Self.secret).out
    for time in [
      "9007199254740991,", "\"9007199254740992\"", "\"9007199254740993\"",
      "\"9223372036854775807\"",
    ] {
      #expect(read.contains("\"sent_at\":\(time)"))
    }
    // What is printed is what is read: the same items again are no news.
    let again = read.split(separator: "\n").dropLast().map { line in
      let message = String(line.dropFirst(11).dropLast())
      return Self.itemAgain(message)
    }
    let second = try receive(scratch, "{\"items\":[\(again.joined(separator: ","))]}")
    #expect(second.out.contains("\"duplicate\":5"), "\(second)")
  }

  /// The item that a message of `read --json` came from.
  private static func itemAgain(_ message: String) -> String {
    func field(_ name: String, until end: String) -> String {
      guard let start = message.firstRange(of: "\"\(name)\":")?.upperBound,
        let stop = message[start...].firstRange(of: end)?.lowerBound
      else { return "" }
      return String(message[start..<stop])
    }
    return """
      {"conversation":"hiking","seq":\(field("seq", until: ",")),"sender":"bob","device":1,\
      "id":\(field("id", until: ",")),"sent_at":\(field("sent_at", until: ",")),\
      "message":{"text":\(field("text", until: ",\"edited\""))}}
      """
  }

  @Test func aFileIsReadAsStandardInputIs() throws {
    let scratch = try Scratch()
    try scratch.makeStore()
    try scratch.write("in", "{\"page\":{\"base\":0,\"next\":1,\"items\":[\(item(1))]}}")
    let outcome = try scratch.run(["receive", "ann.coffer", "in"] + Self.secret)
    #expect(
      outcome.out == "1 inserted, 0 updated, 0 duplicate, 0 waiting, 0 quarantined; cursor 1\n")
    #expect(try scratch.run(["receive", "ann.coffer", "none"] + Self.secret).code == 66)
    #expect(try scratch.run(["receive", "ann.coffer", "."] + Self.secret).code == 74)
  }

  @Test func textIsKeptByteForByte() throws {
    let scratch = try Scratch()
    try scratch.makeStore()
    _ = try receive(scratch, "{\"push\":\(item(1))}")
    let texts: [[UInt8]] = [
      [], [0], Array("a\0b\n".utf8), Array("e\u{301}\u{feff}\n\n".utf8), Array("\u{fffd}".utf8),
    ]
    for (index, text) in texts.enumerated() {
      try scratch.write("text\(index)", text)
      let sent = try scratch.run(
        ["send", "ann.coffer", "hiking", "--text-file", "text\(index)"] + Self.secret)
      #expect(sent.code == 0)
    }
    let outbox = try scratch.run(["outbox", "ann.coffer", "--json"] + Self.secret).out
    for text in [
      "\"\"", "\"\\u0000\"", "\"a\\u0000b\\n\"", "\"e\u{301}\u{feff}\\n\\n\"", "\"\u{fffd}\"",
    ] {
      #expect(outbox.contains("\"text\":\(text)"))
    }
  }

  @Test(arguments: [[0xc3, 0x28], [0xc0, 0x80], [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80], [0xff]])
  func invalidTextIsNotSent(bytes: [UInt8]) throws {
    let scratch = try Scratch()
    try scratch.makeStore()
    _ = try receive(scratch, "{\"push\":\(item(1))}")
    try scratch.write("text", bytes)
    let command = ["send", "ann.coffer", "hiking", "--text-file", "text"]
    #expect(try scratch.run(command + Self.secret).code == 65)
    #expect(try scratch.run(["outbox", "ann.coffer"] + Self.secret).out == "Nothing waits.\n")
  }

  @Test func theLongestTextIs16MiB() throws {
    let scratch = try Scratch()
    try scratch.makeStore()
    _ = try receive(scratch, "{\"push\":\(item(1))}")
    let script =
      "head -c %d /dev/zero | tr '\\0' x | coffer send ann.coffer hiking --key-file ann.key"
    let most = 16 << 20
    #expect(try scratch.shell(script.replacing("%d", with: "\(most)")).code == 0)
    #expect(try scratch.shell(script.replacing("%d", with: "\(most + 1)")).code == 65)
  }

  @Test func sendingTwiceUnderOneIdIsOneMessage() throws {
    let scratch = try Scratch()
    try scratch.makeStore()
    _ = try receive(scratch, "{\"push\":\(item(1))}")
    let send =
      ["send", "ann.coffer", "hiking", "--id", "0190b3c8-7a10-7c3f-8d52-000000000099"]
      + Self.secret
    #expect(try scratch.run(send, input: "once").code == 0)
    #expect(try scratch.run(send, input: "once").out == "0190b3c8-7a10-7c3f-8d52-000000000099\n")
    #expect(try scratch.run(send, input: "otherwise").code == 73)
    let outbox = try scratch.run(["outbox", "ann.coffer", "--json"] + Self.secret).out
    #expect(outbox.count { $0 == "\n" } == 1)
    let unknown = try scratch.run(
      ["send", "ann.coffer", "nowhere"] + Self.secret, input: "text")
    #expect(unknown.code == 66)
  }
}
