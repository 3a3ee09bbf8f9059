import Coffer

extension World {
  /// Holds a device's store against every rule that holds at all times.
  func check(_ index: Int, _ rows: StoreRows) async throws {
    let device = devices[index]
    guard let store = device.store else { return }
    let result: Verification
    do { result = try await store.verify() } catch {
      violate(.filesAreSound, device, "verify threw \(error)")
      return
    }
    for finding in result.findings { violate(.filesAreSound, device, finding.text) }
    for fault in rows.seqFaults { violate(.seqsAddUp, device, fault) }
    for fault in rows.derivedFaults { violate(.derivedIsRight, device, fault) }
    for fault in rows.draftFaults(device.diary, of: device.party.account) {
      violate(.draftsAreThere, device, fault)
    }
    for fault in server.cursorFaults(rows, device.diary, of: device.party) {
      violate(.cursorStandsForItems, device, fault)
    }
    for fault in rows.quarantineFaults(epochs: server.epoch) {
      violate(.cursorStandsForItems, device, fault)
    }
    checkOrder()
  }

  /// Invariant 4.
  private func checkOrder() {
    for device in devices {
      for fault in server.orderFaults(device.diary, of: device.party) {
        violate(.orderIsKept, device, fault)
      }
    }
    for fault in server.doubles { violate(.orderIsKept, nil, fault) }
  }

  // MARK: Rest

  /// Lets everything be well until every device is at rest, and compares each with the server.
  func comeToRest() async throws {
    isEnding = true
    network.trouble = 0
    for device in devices.indices {
      devices[device].spare()
      if devices[device].store == nil { try await restart(device) }
      schedule.plan(.online(device: device), at: clock.now + 1)
    }
    let last = clock.now + Self.patience
    let most = report.steps + Self.mostSteps
    var restSince: Int64?
    while !isBroken, let next = schedule.nextTime, next < last, report.steps < most {
      // Looks for news go on for ever; rest is when they find nothing for a while.
      if !schedule.contains(where: { !$0.isWake }) {
        if try await isAtRest() {
          if let since = restSince, clock.now - since > Self.calm { break }
          if restSince == nil { restSince = clock.now }
        } else {
          restSince = nil
        }
      }
      report.steps += 1
      try await happen()
    }
    if isBroken { return }
    for index in devices.indices {
      guard let rows = try await devices[index].rows() else { continue }
      for fault in unrest(index, rows) { violate(.devicesAgree, devices[index], fault) }
      try await check(index, rows)
      for fault in server.agreementFaults(rows, devices[index].diary, of: devices[index].party) {
        violate(.devicesAgree, devices[index], fault)
      }
    }
  }

  /// How long, in simulated milliseconds and in steps, it may take until everybody is at rest.
  private static let patience: Int64 = 4 * 3_600_000
  private static let mostSteps = 40_000
  /// How long nothing may happen before it counts as rest.
  private static let calm: Int64 = 120_000

  private func isAtRest() async throws -> Bool {
    for index in devices.indices {
      guard let rows = try await devices[index].rows() else { return false }
      if !unrest(index, rows).isEmpty { return false }
    }
    return true
  }

  /// What a device has not done yet.
  private func unrest(_ index: Int, _ rows: StoreRows) -> [String] {
    let party = devices[index].party
    var faults: [String] = []
    if rows.relayEpoch != server.epoch { faults.append("it is in another epoch") }
    if rows.cursor != server.head(of: party) {
      faults.append("its cursor is \(rows.cursor) of \(server.head(of: party))")
    }
    let waiting = rows.outbox.count { !$0.isFailed && !rows.waitsForFailed($0) }
    if waiting > 0 { faults.append("\(waiting) entries of its outbox are not sent") }
    // Of what the server shows this device nothing of, it says nothing either.
    let shown = rows.conversations.filter { server.shows($0.address, to: party) }.map(\.id)
    let gaps = rows.gaps.count { $0.isOpen && shown.contains($0.conversation) }
    if gaps > 0 { faults.append("\(gaps) gaps are open") }
    return faults
  }
}

extension StoreRows {
  /// Whether an entry belongs to a message that was given up: it waits for the person.
  func waitsForFailed(_ entry: Outgoing) -> Bool {
    guard let message = entry.message else { return false }
    return messages.contains { $0.id == message && $0.state == 2 }
  }

  /// An item that was set aside is judged once, in each numbering of the server that has it.
  func quarantineFaults(epochs: Int64) -> [String] {
    quarantine.filter { $0.attempts > epochs }.map {
      "item \($0.inbox ?? 0) in quarantine was opened \($0.attempts) times"
    }
  }
}

extension ModelRelay {
  /// Invariant 4: what a device wrote is in the order of its outbox.
  func orderFaults(_ diary: Diary, of party: Party) -> [String] {
    var faults: [String] = []
    // What it had in an earlier numbering came again whenever the network had it.
    let before = Set(past.joined().flatMap(\.events).filter { $0.sender == party }.map(\.id))
    for conversation in conversations {
      var last = 0
      for event in conversation.events
      where event.sender == party && !before.contains(event.id) {
        // What was given up and taken all the same came at a time of its own.
        guard let place = diary.places[event.id], !diary.hasFailed.contains(event.id) else {
          continue
        }
        if place < last {
          faults.append("\(conversation.address): seq \(event.seq) overtook what was before it")
        }
        last = max(last, place)
      }
    }
    return faults
  }

  /// Invariant 4: events, and texts of messages, that the server has twice.
  var doubles: [String] {
    var faults: [String] = []
    var texts: Set<String> = []
    for conversation in conversations {
      var ids: Set<Diary.Key> = []
      for event in conversation.events {
        let key = Diary.Key(sender: event.sender.account, id: event.id)
        if !ids.insert(key).inserted {
          faults.append("\(conversation.address): \(event.id) is there twice")
        }
        guard let payload = try? Payload(decoding: event.payload),
          case .message(let text, _) = payload.event
        else { continue }
        if !texts.insert(text).inserted {
          faults.append("\(conversation.address): seq \(event.seq) was sent under two ids")
        }
      }
    }
    return faults
  }
}
