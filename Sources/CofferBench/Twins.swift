import CBench

// The C side. Safe to hold: each handle belongs to one object, which frees it.

func check(_ code: Int32, _ what: String) throws(BenchError) {
  guard code == 0 else { throw .failed("C, \(what): SQLite code \(code)") }
}

/// Applies pages to a store of ours, in C.
@safe
final class DoorTwin {
  private let handle: OpaquePointer

  init(_ database: StoreFile) throws(BenchError) {
    var opened: OpaquePointer?
    try check(unsafe cbench_door_open(database.path, database.key, &opened), "open")
    guard let opened = unsafe opened else { throw .failed("C, open") }
    unsafe handle = opened
  }

  deinit { unsafe cbench_door_close(handle) }

  func apply(_ batch: Batch, pageSize: Int) throws(BenchError) {
    try unsafe batch.forEachPage(of: pageSize) { items, count in
      unsafe cbench_door_apply(handle, items, count, batch.items[0].sent_at)
    }
  }

  func checkpoint() throws(BenchError) {
    try check(unsafe cbench_door_checkpoint(handle), "checkpoint")
  }
}

/// Opens chats of a store of ours, in C.
@safe
final class ReaderTwin {
  private let handle: OpaquePointer

  init(_ database: StoreFile) throws(BenchError) {
    var opened: OpaquePointer?
    try check(unsafe cbench_reader_open(database.path, database.key, &opened), "open")
    guard let opened = unsafe opened else { throw .failed("C, open") }
    unsafe handle = opened
  }

  deinit { unsafe cbench_reader_close(handle) }

  /// Opens each of the chats over one snapshot; gives how many entries it read.
  func open(_ chats: [String], limit: Int) throws(BenchError) -> Int64 {
    var entries: Int64 = 0
    try check(unsafe cbench_reader_begin(handle), "begin")
    for chat in chats {
      try check(unsafe cbench_reader_newest(handle, chat, Int32(limit), &entries), "read")
    }
    try check(unsafe cbench_reader_end(handle), "rollback")
    return entries
  }
}

/// Applies pages to the seed's schema, in C.
@safe
final class SeedTwin {
  private let handle: OpaquePointer

  init(_ path: String, key: String, bulk: Bool = false) throws(BenchError) {
    var opened: OpaquePointer?
    try check(unsafe cbench_seed_open(path, key, bulk, &opened), "open")
    guard let opened = unsafe opened else { throw .failed("C, open") }
    unsafe handle = opened
  }

  deinit { unsafe cbench_seed_close(handle) }

  func apply(_ batch: Batch, pageSize: Int) throws(BenchError) {
    try unsafe batch.forEachPage(of: pageSize) { items, count in
      unsafe cbench_seed_apply(handle, items, count)
    }
  }

  func checkpoint() throws(BenchError) {
    try check(unsafe cbench_seed_checkpoint(handle), "checkpoint")
  }
}
