import Testing

@testable import CofferSystem

@Suite struct ProcessMarkTests {
  @Test func thisProcessIsThereAndAnEarlierOneOfItsNumberIsGone() throws {
    let mark = try #require(ProcessMark.current)
    #expect(!mark.isGone)
    #expect(ProcessMark(id: mark.id, beginning: mark.beginning + 1).isGone)
  }

  /// No process has a number above the system's highest.
  @Test func aProcessThatIsNotThereIsGone() {
    #expect(ProcessMark(id: 1 << 30, beginning: 1).isGone)
  }
}
