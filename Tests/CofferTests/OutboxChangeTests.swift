import CofferDatabase
import Testing

@testable import Coffer

@Suite struct OutboxChangeTests {
  let scratch: Scratch
  let hands = Hands()
  init() throws { scratch = try Scratch() }

  private func made() async throws -> Store {
    let store = try await scratch.create(options: hands.options)
    try await store.receive(page(1...3))
    return store
  }

  /// A message that was handed over.
  private func handedOver(_ text: String, _ store: Store, _ lease: Lease) async throws -> EventID {
    let id = try await store.send(Draft(text, to: "hiking"))
    let claimed = try await store.claim(by: lease, limit: 10)
    #expect(claimed.map(\.event.id) == [id])
    return id
  }

  // MARK: Edits

  @Test func anEditOfWhatNobodySawRewritesIt() async throws {
    let store = try await made()
    let id = try await store.send(Draft("teh", to: "hiking"))
    #expect(try await store.edit(id, text: "the") == id)
    #expect(try await store.outbox().map(\.text) == ["the"])
    let message = try #require(try await store.message(id))
    #expect(message.text == "the")
    #expect(!message.isEdited)
    #expect(try await store.said(by: store.makeLease()) == ["the"])
    #expect(try await store.isClean())
  }

  @Test func anEditOfWhatWasHandedOverIsQueuedAndShownAtOnce() async throws {
    let store = try await made()
    let lease = store.makeLease()
    let id = try await handedOver("teh", store, lease)
    let edit = try await store.edit(id, text: "the")
    #expect(edit != id)
    let message = try #require(try await store.message(id))
    #expect(message.text == "the")
    #expect(message.isEdited)
    #expect(try await store.conversations().first?.newest?.text == "the")
    // The row keeps what the server will have.
    try await store.acknowledge(id, seq: 4)
    #expect(try await store.message(id)?.text == "the")
    #expect(try await store.said(by: lease) == ["edit: the"])
    #expect(try await store.isClean())
  }

  @Test func anotherEditBeforeTheFirstLeftTakesItsPlace() async throws {
    let store = try await made()
    let lease = store.makeLease()
    let id = try await handedOver("one", store, lease)
    let edit = try await store.edit(id, text: "two")
    try await store.send(Draft("later", to: "hiking"))
    #expect(try await store.edit(id, text: "three") == edit)
    #expect(try await store.outbox().map(\.text) == ["one", "three", "later"])
    try await store.acknowledge(id, seq: 4)
    #expect(try await store.said(by: lease) == ["edit: three"])
    // Once that has left, a further one is queued behind it.
    #expect(try await store.edit(id, text: "four") != edit)
    #expect(try await store.message(id)?.text == "four")
    #expect(try await store.outbox().map(\.text) == ["three", "later", "four"])
  }

  @Test func anEditOvertakesOneThatWasGivenUp() async throws {
    let store = try await made()
    let lease = store.makeLease()
    let id = try await handedOver("one", store, lease)
    try await store.acknowledge(id, seq: 4)
    let edit = try await store.edit(id, text: "two")
    _ = try await store.claim(by: lease, limit: 1)
    try await store.fail(edit, by: lease, .notAllowed)
    // What was given up is not what others see.
    #expect(try await store.message(id)?.text == "one")
    #expect(try await store.outbox().map(\.text) == ["two"])
    try await store.edit(id, text: "three")
    #expect(try await store.outbox().map(\.text) == ["three"])
  }

  @Test func onlyOurOwnMessagesAreEdited() async throws {
    let store = try await made()
    await #expect(throws: StoreError.unknownEvent(eventID(1))) {
      try await store.edit(eventID(1), text: "forged")
    }
    let id = try await store.send(Draft("mine", to: "hiking"))
    await #expect(throws: StoreError.textTooLong(bytes: (16 << 20) + 1)) {
      try await store.edit(id, text: String(repeating: "x", count: (16 << 20) + 1))
    }
  }

  // MARK: Deletes

  @Test func whatNobodySawIsRemovedWhole() async throws {
    let store = try await made()
    let id = try await store.send(Draft("oops", to: "hiking"))
    try await store.react(to: store.reference(id), emoji: "🙈")
    try await store.delete(store.reference(id))
    #expect(try await store.outbox().isEmpty)
    #expect(try await store.shown() == ["message 1", "message 2", "message 3"])
    #expect(try await store.conversations().first?.newest?.text == "message 3")
    await #expect(throws: StoreError.unknownEvent(id)) {
      try await store.delete(store.reference(id))
    }
    #expect(try await store.isClean())
  }

  @Test func whatWasHandedOverIsWipedAtOnceAndItsDeleteFollows() async throws {
    let store = try await made()
    let lease = store.makeLease()
    let id = try await handedOver("secret", store, lease)
    try await store.edit(id, text: "more secret")
    try await store.react(to: store.reference(id), emoji: "👍")
    try await store.delete(store.reference(id))
    try await store.delete(store.reference(id))
    #expect(try await store.message(id) == nil)
    #expect(try await store.conversations().first?.newest?.text == "message 3")
    #expect(try await store.outbox().map(\.event) == [nil, .delete(store.reference(id))])
    await #expect(throws: StoreError.conflict(.deleted(id))) {
      try await store.edit(id, text: "again")
    }
    await #expect(throws: StoreError.conflict(.deleted(id))) {
      try await store.react(to: store.reference(id), emoji: "👍")
    }
    #expect(try await store.isClean())

    // The message goes first, with the bytes it had, and the word to delete it behind it.
    try await store.letGo(id, by: lease)
    #expect(try await store.said(by: lease) == ["secret"])
    try await store.acknowledge(id, seq: 4)
    #expect(try await store.message(id)?.isDeleted == true)
    #expect(try await store.said(by: lease) == ["delete"])
    #expect(try await store.isClean())
  }

  @Test func aDeletedMessageThatFailsIsDone() async throws {
    let store = try await made()
    let lease = store.makeLease()
    let id = try await handedOver("secret", store, lease)
    try await store.delete(store.reference(id))
    try await store.fail(id, by: lease, .blocked)
    #expect(try await store.outbox().isEmpty)
    #expect(try await store.message(id) == nil)
    #expect(try await store.isClean())
  }

  @Test func deletingAFailedMessageCompletesHere() async throws {
    let store = try await made()
    let lease = store.makeLease()
    let id = try await handedOver("secret", store, lease)
    try await store.edit(id, text: "more secret")
    try await store.fail(id, by: lease, .blocked)
    try await store.delete(store.reference(id))
    #expect(try await store.outbox().isEmpty)
    #expect(try await store.message(id) == nil)
    #expect(try await store.isClean())
  }

  @Test func whatWasSentLeavesATombstoneAndItsDeleteIsQueued() async throws {
    let store = try await made()
    let lease = store.makeLease()
    let id = try await handedOver("secret", store, lease)
    try await store.acknowledge(id, seq: 4)
    try await store.delete(store.reference(id))
    let message = try #require(try await store.message(id))
    #expect(message.isDeleted)
    #expect(message.text == nil)
    #expect(try await store.said(by: lease) == ["delete"])
    #expect(try await store.isClean())
  }

  @Test func aDeleteThatWasGivenUpGoesAgain() async throws {
    let store = try await made()
    let lease = store.makeLease()
    let id = try await handedOver("secret", store, lease)
    try await store.acknowledge(id, seq: 4)
    try await store.delete(store.reference(id))
    let delete = try #require(try await store.claim(by: lease, limit: 1).first)
    try await store.fail(delete.event.id, by: lease, .notAllowed)
    #expect(try await store.said(by: lease) == [])
    try await store.delete(store.reference(id))
    #expect(try await store.said(by: lease) == ["delete"])
    #expect(try await store.isClean())
  }

  @Test func anothersMessageIsDeletedOnlyHere() async throws {
    let store = try await made()
    #expect(try await store.conversations().first?.unread == 3)
    try await store.delete(MessageReference(sender: "ann", id: eventID(3)))
    #expect(try await store.outbox().isEmpty)
    #expect(try await store.shown() == ["message 1", "message 2", "-"])
    #expect(try await store.conversations().first?.unread == 2)
    await #expect(throws: StoreError.unknownEvent(eventID(9))) {
      try await store.delete(MessageReference(sender: "ann", id: eventID(9)))
    }
    await #expect(throws: StoreError.unknownEvent(eventID(1))) {
      try await store.delete(MessageReference(sender: "cid", id: eventID(1)))
    }
    // A late copy does not bring it back.
    try await store.receive([item(3)])
    #expect(try await store.shown().last == "-")
    #expect(try await store.isClean())
  }

  @Test func nothingOfADeletedTextIsLeftInTheFiles() async throws {
    let store = try await made()
    let lease = store.makeLease()
    let id = try await handedOver("first words", store, lease)
    try await store.acknowledge(id, seq: 4)
    try await store.edit(id, text: "second words")
    try await store.delete(store.reference(id))
    let left = try await store.read { connection throws(DatabaseError) in
      try connection.statement(
        """
        SELECT (SELECT count(*) FROM messages WHERE text LIKE '%words%')
          + (SELECT count(*) FROM outbox WHERE CAST(content AS TEXT) LIKE '%words%'
             OR CAST(payload AS TEXT) LIKE '%words%')
        """
      ).integer()
    }
    #expect(left == 0)
    // The WAL, which held them, is empty.
    #expect(try scratch.files()["store-1.db-wal"]?.isEmpty == true)
  }

  // MARK: Cancels

  @Test func cancellingAMessageDeletesIt() async throws {
    let store = try await made()
    let lease = store.makeLease()
    let waiting = try await store.send(Draft("waiting", to: "hiking"))
    try await store.cancel(waiting)
    #expect(try await store.outbox().isEmpty)
    let sealed = try await handedOver("sealed", store, lease)
    try await store.cancel(sealed)
    #expect(try await store.outbox().map(\.event) == [nil, .delete(store.reference(sealed))])
    await #expect(throws: StoreError.unknownEvent(eventID(1))) {
      try await store.cancel(eventID(1))
    }
    #expect(try await store.isClean())
  }

  @Test func anEditIsCancelledUntilItLeft() async throws {
    let store = try await made()
    let lease = store.makeLease()
    let id = try await handedOver("one", store, lease)
    let edit = try await store.edit(id, text: "two")
    try await store.cancel(edit)
    #expect(try await store.message(id)?.text == "one")
    let second = try await store.edit(id, text: "three")
    try await store.acknowledge(id, seq: 4)
    _ = try await store.claim(by: lease, limit: 1)
    await #expect(throws: StoreError.conflict(.onItsWay(second))) { try await store.cancel(second) }
    try await store.fail(second, by: lease, .notAllowed)
    try await store.cancel(second)
    #expect(try await store.outbox().isEmpty)
    #expect(try await store.isClean())
  }

  /// As after a backup from before it was sent: its delete may come before the word on itself.
  @Test func whatAnotherDeviceOfOursDeletedIsNotSentAfterAll() async throws {
    let store = try await made()
    let lease = store.makeLease()
    let failed = try await handedOver("failed", store, lease)
    _ = try await store.fail(failed, by: lease, .notAllowed)
    let unseen = try await store.send(Draft("unseen", to: "hiking"))
    try await store.receive([
      event(7, .delete(store.reference(unseen)), from: "ben"),
      event(8, .delete(store.reference(failed)), from: "ben"),
    ])
    #expect(try await store.outbox().isEmpty)
    #expect(try await store.claim(by: lease, limit: 10).isEmpty)
    #expect(try await store.rows("text) FROM messages WHERE sender_id = 1") == ["", ""])
    #expect(try await store.isClean())
    try await store.acknowledge(unseen, seq: 4)
    try await store.acknowledge(failed, seq: 5)
    #expect(try await store.outbox().isEmpty)
    #expect(try await store.message(unseen)?.isDeleted == true)
    #expect(try await store.isClean())
  }
}

/// `id(_:)`, where a local of that name hides it.
func eventID(_ number: Int) -> EventID { id(number) }
