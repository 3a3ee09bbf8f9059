import Coffer
import CofferRelay
import CofferSystem

/// The story that `demo` tells, step by step.
struct Demo {
  let folder: String
  let output: Output
  let relay: EmbeddedRelay
  let annsPhone: DemoDevice
  let annsLaptop: DemoDevice
  let bensPhone: DemoDevice
  let keyFile: String

  private var devices: [DemoDevice] { [annsPhone, annsLaptop, bensPhone] }

  init(folder: String, output: Output) async throws {
    self.folder = folder
    self.output = output
    keyFile = "\(folder)/demo.key"
    relay = try await EmbeddedRelay(path: "\(folder)/relay.db")
    annsPhone = DemoDevice("Ann's phone", "ann", 1, folder, keyFile, relay)
    annsLaptop = DemoDevice("Ann's laptop", "ann", 2, folder, keyFile, relay)
    bensPhone = DemoDevice("Ben's phone", "ben", 1, folder, keyFile, relay)
  }

  /// Whether it ended as it should.
  func run() async throws -> Bool {
    output.line("Coffer: two people, three devices, one tunnel")
    try await begin()
    try await tunnel()
    try await loseAnswer()
    try await comeBack()
    let isSame = try await compare()
    let isClean = try await check()
    try await spy()
    await relay.close()
    output.line()
    output.line(
      isSame && isClean
        ? "Done: nothing lost, nothing doubled, the same conversation everywhere."
        : "Done, and not as it should be: see above.")
    return isSame && isClean
  }

  private func step(_ number: Int, _ text: TerminalText) {
    output.line()
    output.line("\(number). \(text)")
  }

  // MARK: Steps

  private func begin() async throws {
    step(1, "Three encrypted stores, and a relay between them.")
    var random = SystemRandomNumberGenerator()
    let key = (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }
    try Files.replace(keyFile, with: key, through: "\(keyFile).new")
    for device in devices {
      try await device.make()
      try await device.sync()
    }
    try await annsPhone.use { store in
      try await store.change("hiking", .create(title: "Ridge walk", members: ["ben"]))
      try await store.send(Draft("Shall we take the ridge on Saturday?", to: "hiking"))
    }
    for device in devices { try await device.sync() }
    output.line("   Ann asks: Shall we take the ridge on Saturday?")
  }

  private func tunnel() async throws {
    step(2, "Ben's train enters a tunnel. He writes on, and changes his mind.")
    try await bensPhone.use { store in
      let texts = ["Yes!", "The forecast is god", "I bring cake", "And soup", "Back before dark?"]
      var ids: [EventID] = []
      for text in texts { ids.append(try await store.send(Draft(text, to: "hiking"))) }
      try await store.edit(ids[1], text: "The forecast is good")
      try await store.edit(ids[4], text: "Back before six?")
      try await store.cancel(ids[2])
    }
    let waiting = try await bensPhone.use { store in try await store.outboxCounts().pending }
    output.line("   \(waiting) messages wait on his phone, safe on the disk; one never leaves it.")
    try await annsLaptop.use { store in
      try await store.send(Draft("I know a hut with soup", to: "hiking"))
    }
    try await annsLaptop.sync()
    output.line("   Meanwhile Ann writes from her laptop: I know a hut with soup")
  }

  private func loseAnswer() async throws {
    step(3, "Ann's phone sends, and the answer of the server gets lost.")
    try await annsPhone.use { store in
      try await store.send(Draft("Take the 7:40 train", to: "hiking"))
    }
    do throws(SyncError) {
      try await annsPhone.sync(losingAnswers: true)
    } catch { guard error == .relay(.unreachable) else { throw error } }
    let before = try await annsPhone.use { store in try await store.outboxCounts().pending }
    try await annsPhone.sync()
    let after = try await annsPhone.use { store in try await store.outboxCounts().pending }
    output.line("   The server has it, the phone does not know: \(before) waiting.")
    output.line("   It asks again, under the same id: \(after) waiting, and nobody gets it twice.")
  }

  private func comeBack() async throws {
    step(4, "Ben is out of the tunnel. His app is killed in the middle of each sync.")
    for statement in stride(from: 40, through: 1_000, by: 40) {
      guard case .killed = try bensPhone.syncAndDie(at: statement) else {
        output.line("   finished before statement \(statement)")
        break
      }
      let (held, waiting) = try await bensPhone.use { store in
        (try await store.information().messages, try await store.outboxCounts().pending)
      }
      output.line(
        "   killed at statement \(statement), opened again: \(held) messages, \(waiting) waiting")
    }
    try await bensPhone.sync()
    // Deleted after everybody had it; and everybody reads.
    try await annsLaptop.use { store in
      let page = try await store.timeline(of: "hiking")
      for case .message(let message) in page.entries where message.text == "I know a hut with soup"
      {
        try await store.delete(MessageReference(sender: "ann", id: message.eventID))
      }
    }
    for _ in 0..<2 {
      for device in devices {
        try await device.sync()
        try await device.use { store in try await store.markRead("hiking") }
      }
    }
    for device in devices { try await device.sync() }
    output.line("   Ann deletes one of hers from the laptop, everybody syncs, everybody reads.")
  }

  private func compare() async throws -> Bool {
    step(5, "What each of the three shows now.")
    var transcripts: [[TerminalText]] = []
    for device in devices { transcripts.append(try await device.transcript()) }
    for line in transcripts[0] { output.line("   \(line)") }
    output.line()
    let isSame = transcripts.allSatisfy { $0 == transcripts[0] }
    for (device, transcript) in zip(devices, transcripts) {
      let verdict: TerminalText = transcript == transcripts[0] ? "the same" : "ANOTHER ONE"
      output.line("   \(device.name.padded(to: 14))\(transcript.count) entries, \(verdict)")
    }
    // Every message once, and the one that Ben took back nowhere.
    return isSame && transcripts[0].count == 7
  }

  private func check() async throws -> Bool {
    step(6, "Every page and every rule of the three stores is checked.")
    var isClean = true
    for device in devices {
      let result = try await device.use { store in try await store.verify() }
      let waiting = try await device.use { store in try await store.outboxCounts().pending }
      isClean = isClean && result.isClean && waiting == 0
      for finding in result.findings { output.line("   FOUND: \(finding.text)") }
      output.line(
        "   \(device.name.padded(to: 14))\(result.isClean ? "clean" : "NOT CLEAN"), \(waiting) waiting"
      )
    }
    return isClean
  }

  private func spy() async throws {
    step(7, "What a thief sees of Ben's files.")
    // The store is closed: nothing in this process has these files open through SQLite.
    var hits = 0
    var size = 0
    for name in try Files.names(in: bensPhone.path) {
      let content = try Files.content(of: "\(bensPhone.path)/\(name)", limit: 1 << 28)
      size += content.count
      for word in ["soup", "hiking", "SQLite format 3"] where content.contains(Array(word.utf8)) {
        hits += 1
      }
    }
    let head = try OpenFile("\(bensPhone.path)/store-1.db", .read).readAll(limit: 47)
    for start in stride(from: 0, to: 48, by: 16) {
      let bytes = head[start..<(start + 16)]
      let hex = bytes.map { byte in
        String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
      }.joined(separator: " ")
      let text = String(
        decoding: bytes.map { (0x21...0x7e).contains($0) ? $0 : UInt8(ascii: ".") },
        as: UTF8.self)
      output.line("   \(hex)  \(text)")
    }
    output.line("   “soup”, “hiking” or a database header in \(grouped: size) bytes: \(hits) times")
    output.line("   The relay's file is not encrypted: sealing what travels comes next.")
  }
}
