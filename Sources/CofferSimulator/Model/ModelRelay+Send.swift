package import Coffer

extension ModelRelay {
  /// Takes an event, or gives its first answer again.
  package mutating func send(
    _ event: OutgoingEvent, from party: Party
  ) throws(RelayError) -> Acceptance {
    _ = try registered(party)
    let sent = Sent(account: party.account, id: event.id)
    if let known = answers[sent] {
      guard known.conversation == event.conversation, known.payload == event.payload else {
        throw .refused(.idUsedOtherwise)
      }
      return Acceptance(seq: known.seq, epoch: epoch)
    }
    let index = try destination(of: event, from: party)
    var seq: Int64?
    if event.isSequenced {
      begin(event.change, at: index, from: party)
      append(
        payload: event.payload, id: event.id, sentAt: event.sentAt, from: party, to: index)
      seq = conversations[index].newest
      end(event.change, at: index, from: party)
    } else {
      spread(event, from: party, in: index)
    }
    answers[sent] = Answered(
      conversation: event.conversation, payload: event.payload, seq: seq)
    return Acceptance(seq: seq, epoch: epoch)
  }

  private mutating func destination(
    of event: OutgoingEvent, from party: Party
  ) throws(RelayError) -> Int {
    let known = index(of: event.conversation)
    if case .create = event.change {
      if known != nil { throw .refused(.conversationExists) }
      conversations.append(Conversation(address: event.conversation))
      return conversations.count - 1
    }
    guard let known else { throw .refused(.unknownConversation) }
    if !conversations[known].has(party.account) { throw .refused(.notAMember) }
    if conversations[known].isDeleted { throw .refused(.conversationDeleted) }
    return known
  }

  /// What must hold before the event is given out: who joins gets the event that says so.
  private mutating func begin(_ change: ConversationChange?, at index: Int, from party: Party) {
    let seq = conversations[index].newest + 1
    switch change {
    case .create(let title, let members):
      var accounts = [party.account]
      for member in members where !accounts.contains(member) { accounts.append(member) }
      conversations[index].members = accounts.map { Membership(account: $0, since: seq) }
      conversations[index].title = title
    case .join(let account) where !conversations[index].has(account):
      conversations[index].members.append(Membership(account: account, since: seq))
    case .title(let title): conversations[index].title = title
    default: break
    }
  }

  /// What holds only after it: who leaves gets the event that says so, and nothing further.
  private mutating func end(_ change: ConversationChange?, at index: Int, from party: Party) {
    switch change {
    case .leave: endMembership(of: party.account, at: index)
    case .remove(let account): endMembership(of: account, at: index)
    case .delete: conversations[index].isDeleted = true
    default: break
    }
  }

  private mutating func endMembership(of account: String, at index: Int) {
    let newest = conversations[index].newest
    for place in conversations[index].members.indices
    where conversations[index].members[place].account == account
      && conversations[index].members[place].until == nil
    {
      conversations[index].members[place].until = newest
    }
  }

  /// Hands what takes no seq to every other device of the members.
  private mutating func spread(_ event: OutgoingEvent, from party: Party, in index: Int) {
    guard let payload = try? Payload(decoding: event.payload),
      case .receipt(let receipt) = payload.event, note(receipt, of: party.account, in: index)
    else { return }
    let envelope = Envelope(
      conversation: event.conversation, seq: nil, sender: party.account, device: party.number,
      id: event.id, sentAt: event.sentAt)
    for place in devices.indices
    where devices[place].party != party
      && conversations[index].has(devices[place].party.account)
    {
      deliver(envelope, .payload(event.payload), to: place)
    }
  }

  /// Further than there is can only be meant in another numbering: it says nothing about this one.
  private mutating func note(_ receipt: Receipt, of account: String, in index: Int) -> Bool {
    guard max(receipt.delivered, receipt.read) <= conversations[index].newest else { return false }
    if let place = conversations[index].receipts.firstIndex(where: { $0.account == account }) {
      let known = conversations[index].receipts[place].receipt
      conversations[index].receipts[place].receipt = Receipt(
        delivered: max(known.delivered, receipt.delivered), read: max(known.read, receipt.read))
    } else {
      conversations[index].receipts.append((account, receipt))
    }
    return true
  }
}
