import Coffer
import CofferSystem

/// A simulation while it runs.
final class World {
  /// What happens without anybody doing anything.
  enum Happening: Sendable {
    /// A request reaches the server.
    case request(Int, ServerCall, from: Sender, isFirst: Bool)
    case answer(ServerAnswer, to: Sender, Int)
    case push(RelayPush, to: Sender)
    case restart(device: Int)
    case online(device: Int)
    /// The device's own affair.
    case engine(EngineHappening, of: Sender)

    var isWake: Bool {
      if case .engine(.wake, _) = self { true } else { false }
    }
  }

  /// A process of a device: what was meant for an earlier one does not reach the next.
  struct Sender: Sendable, Equatable {
    let device: Int
    let life: Int
  }

  let options: Simulation.Options
  let clock = SimulatedClock()
  var random: SplitMix64
  var server = ModelRelay()
  var network: Network
  var schedule = Schedule<Happening>()
  var devices: [SimulatedDevice] = []
  var person: Person
  var report: SimulationReport
  /// Answers that devices still wait for, by number.
  var requests: [Int: Fate] = [:]
  private var requestCount = 0
  /// Once the simulation comes to rest: nothing goes wrong any more.
  var isEnding = false
  /// The last overview that each device was handed.
  var overviews: [Int: Overview] = [:]
  /// The engine of each device whose process runs; only looked up.
  var seats: [Int: EngineSeat] = [:]

  init(seed: UInt64, _ options: Simulation.Options, in folder: String) {
    self.options = options
    random = SplitMix64(seed)
    network = Network(trouble: options.trouble)
    person = Person(accounts: options.devices.map(\.account))
    report = SimulationReport(seed: seed)
    for (account, count) in options.devices {
      for number in 1...max(1, count) {
        let offset =
          random.one(in: 2) ? 0 : Int64.random(in: -3_600_000...3_600_000, using: &random)
        devices.append(
          SimulatedDevice(
            ModelRelay.Party(account, UInt32(number)), in: folder, seed: random.next(),
            clock: DeviceClock(clock, offset: offset)))
      }
    }
  }

  var isBroken: Bool { !report.violations.isEmpty }

  func violate(_ invariant: Invariant, _ device: SimulatedDevice?, _ detail: String) {
    report.violations.append(
      Violation(
        invariant: invariant, step: report.steps, device: device?.name, detail: detail))
  }

  func close() async {
    for device in devices { await device.stop() }
  }

  /// Says what happens, where anybody listens.
  func trace(_ text: @autoclosure () -> String) {
    guard let trace = options.trace else { return }
    trace("\(report.steps) \(clock.now - SimulatedClock.start) \(text())")
  }

  // MARK: The course of things

  func run() async throws {
    for (index, device) in devices.enumerated() {
      try await device.create()
      begin(index)
    }
    try await perform(
      Act(
        lever: .create,
        kind: .change(
          Person.home, .create(title: "Home", members: options.devices.map(\.account)))), by: 0)
    var acts = 0
    while acts < options.acts, !isBroken {
      report.steps += 1
      if random.one(in: 12) || schedule.isEmpty {
        acts += 1
        try await interfere()
      } else {
        try await happen()
      }
    }
    if !isBroken { try await comeToRest() }
    report.events =
      server.past.joined().reduce(0) { $0 + $1.events.count }
      + server.conversations.reduce(0) { $0 + $1.events.count }
  }

  /// The next thing in the order of time.
  func happen() async throws {
    guard let (time, happening) = schedule.next() else { return }
    clock.advance(to: time)
    trace("\(happening)")
    switch happening {
    case .request(let number, let call, let sender, let isFirst):
      serve(call, number, of: sender, isFirst: isFirst)
    case .answer(let answer, let sender, let number):
      requests[number] = nil
      if isAlive(sender) { hear(answer, number, sender.device) }
    case .push(let push, let sender):
      if isAlive(sender), devices[sender.device].isOnline {
        hear(push, sender.device)
      }
    case .restart(let device): try await restart(device)
    case .online(let device): connect(device)
    case .engine(let happening, let sender):
      if isAlive(sender) { try await goOn(happening, sender.device) }
    }
  }

  func isAlive(_ sender: Sender) -> Bool {
    let device = devices[sender.device]
    return device.store != nil && device.life == sender.life
  }

  func sender(_ device: Int) -> Sender { Sender(device: device, life: devices[device].life) }

  // MARK: The network

  /// Sends a request on its way, and gives the number under which its answer comes.
  func send(_ call: ServerCall, from device: Int) -> Int {
    requestCount += 1
    let number = requestCount
    let now = clock.now
    let sender = sender(device)
    var fate = Fate(arrivals: [], failure: .unreachable, answered: 20)
    if devices[device].isOnline {
      fate = network.fate(
        ofSend: isRefusable(call, devices[device].party), &random, &report.levers)
    }
    for (place, delay) in fate.arrivals.enumerated() {
      schedule.plan(
        .request(number, call, from: sender, isFirst: place == 0), at: now + delay)
    }
    requests[number] = fate
    if let failure = fate.failure {
      schedule.plan(.answer(.failed(failure), to: sender, number), at: now + fate.answered)
    }
    return number
  }

  /// What a server has taken it never refuses.
  private func isRefusable(_ call: ServerCall, _ party: ModelRelay.Party) -> Bool {
    guard case .send(let event) = call, event.isSequenced else { return false }
    let sent = ModelRelay.Sent(account: party.account, id: event.id)
    return server.answers[sent] == nil
  }

  private func serve(_ call: ServerCall, _ number: Int, of sender: Sender, isFirst: Bool) {
    let answer = server.answer(call, of: devices[sender.device].party)
    spreadPushes()
    guard isFirst, let fate = requests[number], fate.failure == nil else { return }
    let delay = fate.answered - fate.arrivals[0]
    schedule.plan(.answer(answer, to: sender, number), at: clock.now + max(1, delay))
  }

  /// Sends what the server has to push on its way to whoever is connected.
  func spreadPushes() {
    for (party, item) in server.takePushes() {
      guard let device = devices.firstIndex(where: { $0.party == party }),
        devices[device].isOnline, devices[device].store != nil
      else { continue }
      for delay in network.pushes(&random, &report.levers) {
        schedule.plan(
          .push(.item(item, epoch: server.epoch), to: sender(device)), at: clock.now + delay)
      }
    }
  }

  private func connect(_ device: Int) {
    guard !devices[device].isOnline else { return }
    devices[device].isOnline = true
    if devices[device].store != nil { hear(.connected, device) }
  }

  // MARK: Calls of stores

  /// Makes a call of a device's store and looks at what is there after it; nothing where the call
  /// was refused or the process died.
  func call<Result>(
    _ device: Int, what: String = #function,
    expecting isExpected: (StoreError) -> Bool = { _ in false },
    _ body: (Store) async throws(StoreError) -> Result
  ) async throws -> SimulatedDevice.Outcome<Result> {
    report.calls += 1
    let simulated = devices[device]
    let outcome = try await simulated.call(body)
    trace("\(simulated.name) \(what): \(outcome)")
    switch outcome {
    case .done: try await observe(device)
    case .threw(let error):
      if !isExpected(error) { violate(.filesAreSound, simulated, "a call threw \(error)") }
    case .died(let death, let remains):
      switch death {
      case .kill:
        report.levers.pull(.kill)
        if remains.isInTransaction { report.levers.pull(.killInTransaction) }
      case .powerLoss:
        report.levers.pull(.powerLoss)
        if remains.undone > 0 { report.levers.pull(.powerLossUndid) }
        simulated.hasLostPower = true
      }
      end(device)
      let pause = isEnding ? 1_000 : Int64(random.skewed(10...300_000))
      schedule.plan(.restart(device: device), at: clock.now + pause)
    }
    return outcome
  }

  func observe(_ device: Int) async throws {
    guard let rows = try await devices[device].rows() else { return }
    for (invariant, detail) in devices[device].diary.observe(rows) {
      violate(invariant, devices[device], detail)
    }
  }

  /// Opens a store after a death, and holds it against every rule.
  func restart(_ index: Int) async throws {
    let device = devices[index]
    guard device.store == nil else { return }
    try await device.start()
    report.reopens += 1
    guard let rows = try await device.rows() else { return }
    if device.hasLostPower {
      device.hasLostPower = false
      device.diary.begin(with: rows)
    }
    for (invariant, detail) in device.diary.observe(rows) { violate(invariant, device, detail) }
    try await check(index, rows)
    if !isBroken { begin(index) }
  }
}
