import CBench
import Coffer
import CofferCoding

/// Items for both sides, the same ones.
///
/// Safe to hold: nothing else has the handle.
@safe
final class Workload {
  static let conversations = 200

  private let handle: OpaquePointer

  /// `randomIDs` leaves the ids as the seed has them; ours are UUIDv7.
  init(randomIDs: Bool = false) throws(BenchError) {
    let made = unsafe cbench_workload_new(42, Int32(Self.conversations), randomIDs)
    guard let made = unsafe made else { throw .failed("no memory for the workload") }
    unsafe handle = made
  }

  deinit { unsafe cbench_workload_free(handle) }

  /// The next items, after those of the batch before.
  func next(_ count: Int) -> Batch {
    let items = unsafe [cbench_item](unsafeUninitializedCapacity: count) { buffer, filled in
      unsafe cbench_workload_fill(handle, buffer.baseAddress, Int32(count))
      filled = count
    }
    return unsafe Batch(items: items, workload: self)
  }

  static func name(_ conversation: Int) -> String { "conversation-\(conversation)" }
}

/// Consecutive items of the inbox.
///
/// Safe to hold: it keeps the workload that owns the names and texts it points at.
@safe
struct Batch {
  let items: [cbench_item]
  let workload: Workload

  var count: Int { unsafe items.count }

  /// The same items as the library takes them, in pages of so many.
  func pages(of size: Int) -> [Page] {
    itemPages(of: size).map { Page(base: $0.base, next: $0.next, items: $0.items) }
  }

  /// The same pages as `coffer receive` takes them, a line each.
  func lines(of size: Int) -> [[UInt8]] {
    itemPages(of: size).map { page in
      let json = JSONWriter().object { line in
        line.object("page") { body in
          body.member("base", page.base)
          body.member("next", page.next)
          body.array("items") { items in
            for item in page.items {
              if let slice = try? JSONDocument.parse(item.json) { items.element(slice) }
            }
          }
        }
      }
      return json + [UInt8(ascii: "\n")]
    }
  }

  private func itemPages(of size: Int) -> [(base: Int64, next: Int64, items: [Item])] {
    stride(from: 0, to: count, by: size).map { start in
      let page = unsafe items[start..<min(start + size, count)].map { unsafe Item($0) }
      let base = (page.first?.envelope.inbox ?? 1) - 1
      return (base, base + Int64(page.count), page)
    }
  }

  /// Calls `body` with each page of so many as C takes it.
  func forEachPage(
    of size: Int, _ body: (UnsafePointer<cbench_item>?, Int32) -> Int32
  ) throws(BenchError) {
    for start in stride(from: 0, to: count, by: size) {
      let code = unsafe items.withUnsafeBufferPointer { buffer in
        unsafe body(
          buffer.baseAddress.map { unsafe $0 + start }, Int32(min(size, count - start)))
      }
      try check(code, "apply")
    }
  }
}

extension Item {
  init(_ item: cbench_item) {
    var item = unsafe item
    let id = unsafe withUnsafeBytes(of: &item.id) { raw in
      unsafe EventID(
        high: UInt64(bigEndian: raw.loadUnaligned(as: UInt64.self)),
        low: UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }
    let text = unsafe UnsafeRawBufferPointer(start: item.text, count: Int(item.text_size))
    self = unsafe Item(
      Envelope(
        inbox: item.inbox, conversation: String(cString: item.conversation_name), seq: item.seq,
        sender: String(cString: item.sender_name), device: 1, id: id, sentAt: item.sent_at),
      .message(text: String(decoding: text, as: UTF8.self)))
  }
}
