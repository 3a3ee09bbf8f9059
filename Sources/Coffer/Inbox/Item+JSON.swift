import CofferCoding

// The JSON form of an item, described in Keys/formats.md. It is written here, and read in
// Arrival+JSON.swift.

extension Item {
  /// The item in the form in which `Arrival` reads it.
  package var json: [UInt8] {
    JSONWriter().object { item in
      envelope.write(to: &item)
      switch body {
      case .event(let event): event.write(to: &item)
      case .accepted: item.member("accepted", true)
      case .expunged(let range):
        item.object("expunged") { seqs in
          seqs.member("first", range.lowerBound)
          seqs.member("last", range.upperBound)
        }
      }
    }
  }
}

extension Envelope {
  /// An item whose payload could not be read, in the form in which `Arrival` reads it.
  func json(payload: [UInt8]) -> [UInt8] {
    JSONWriter().object { item in
      write(to: &item)
      item.member("payload", Base64.encode(payload))
    }
  }

  fileprivate func write(to item: inout JSONObjectWriter) {
    if let inbox { item.member("inbox", inbox) }
    item.member("conversation", conversation)
    if let seq { item.member("seq", seq) }
    item.member("sender", sender)
    item.member("device", Int64(device))
    item.member("id", id.description)
    item.member("sent_at", sentAt)
  }
}
