import Testing

@testable import Coffer

@Suite struct ReceiveTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  @Test func aPageCommitsWithItsCursor() async throws {
    let store = try await scratch.create()
    let result = try await store.receive(page(1...50))
    #expect(result.inserted == 50)
    #expect(result.cursor == 50)
    #expect(try await store.shown() == (1...50).map { "message \($0)" })
    #expect(try await store.isClean())
    await store.close()
    let again = try await scratch.open()
    #expect(try await again.cursor() == 50)
    #expect(try await again.shown().count == 50)
    await again.close()
  }
}
