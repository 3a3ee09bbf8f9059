import CofferCoding
import Synchronization
import Testing

@testable import CofferCommands

@Suite struct OutputTests {
  @Test func aFullDeviceIsAnInputOutputError() async {
    let recorder = Recorder()
    #expect(await CommandLineTool.run(["--version"], recorder.output(failing: 28)) == 74)
    #expect(
      recorder.error == "error: cannot write to standard output: No space left on device\n")
  }

  @Test func resultAndTheRestKeepApart() throws {
    let recorder = Recorder()
    let output = recorder.output()
    output.line("result")
    output.warning("careful", hint: "do that")
    output.failure(CommandFailure(.busy, "busy", hint: "one", "two"))
    output.json { $0.member("big", Int64.max) }
    try output.finish()
    #expect(recorder.out == "result\n{\"big\":\"9223372036854775807\"}\n")
    #expect(
      recorder.error
        == "warning: careful\nhint: do that\nerror: busy\nhint: one\nhint: two\n")
  }

  @Test func progressWaitsASecondAndIsErased() {
    let recorder = Recorder()
    let clock = TestClock()
    var progress = Progress(of: "item", recorder.output(isTerminal: true)) { clock.now }
    progress.advance(by: 10)
    clock.now = 999
    progress.advance(by: 10)
    #expect(recorder.error.isEmpty)
    clock.now = 2_000
    progress.advance(by: 1_980)
    #expect(recorder.error == "\r2,000 items, 1,000 a second\u{1b}[K")
    clock.now = 2_050
    progress.advance(by: 1)
    progress.finish()
    #expect(recorder.error == "\r2,000 items, 1,000 a second\u{1b}[K\r\u{1b}[K")
  }

  @Test func progressIsForTerminalsOnly() {
    let recorder = Recorder()
    let clock = TestClock()
    var progress = Progress(of: "item", recorder.output()) { clock.now }
    clock.now = 5_000
    progress.advance(by: 10)
    progress.finish()
    #expect(recorder.error.isEmpty)
  }
}

private final class TestClock: Sendable {
  private let time = Mutex<Int64>(0)

  var now: Int64 {
    get { time.withLock { $0 } }
    set { time.withLock { $0 = newValue } }
  }
}
