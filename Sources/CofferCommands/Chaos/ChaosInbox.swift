import Coffer

/// An inbox that is the same for everyone who knows its seed: number `n` is always the same message.
///
/// So a child that was killed and its parent agree on what should be in the store without a word.
struct ChaosInbox: Sendable {
  static let pageSize: Int64 = 50
  static let conversations = ["hiking", "classmates", "work"]
  /// The place of the conversation that has gaps.
  private static let gappy = 2

  let seed: UInt64

  func item(_ inbox: Int64) -> Item {
    let count = Int64(Self.conversations.count)
    let place = Int(inbox % count)
    let turn = (inbox - 1) / count
    // In one of them every tenth seq is missing, so that pages have gaps to record.
    let seq = turn + 1 + (place == Self.gappy ? turn / 9 : 0)
    // Each conversation goes through the same talk, from another line on.
    let line = (Int(seq) + place * 20) % SampleText.lines.count
    return Item(
      Envelope(
        inbox: inbox, conversation: Self.conversations[place], seq: seq,
        sender: SampleText.people[(line * 7 + line / 3) % SampleText.people.count], device: 1,
        id: id(inbox), sentAt: 1_790_000_000_000 + inbox * 1_000),
      .message(text: SampleText.lines[line]))
  }

  func id(_ inbox: Int64) -> EventID {
    EventID(high: UInt64(inbox) << 16 | 0x7000, low: 0x8000_0000_0000_0000 | seed >> 2)
  }

  /// The page that follows a cursor, up to `last`.
  func page(after cursor: Int64, until last: Int64) -> Page {
    let next = min(cursor + Self.pageSize, last)
    return Page(base: cursor, next: next, items: (cursor + 1...next).map(item))
  }
}
