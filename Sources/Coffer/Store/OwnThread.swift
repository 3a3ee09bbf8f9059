import Dispatch

/// Runs work that blocks, such as Argon2 or waiting for a lock, on a thread of its own.
///
/// On a thread of Swift's shared pool it would hold up everything else that is asynchronous, and on
/// the caller's it would freeze a screen.
func onOwnThread<Result: Sendable, Failure: Error>(
  _ body: @escaping @Sendable () throws(Failure) -> Result
) async throws(Failure) -> Result {
  let outcome = await withCheckedContinuation {
    (continuation: CheckedContinuation<Swift.Result<Result, Failure>, Never>) in
    DispatchQueue(label: "coffer.work").async {
      do throws(Failure) {
        continuation.resume(returning: .success(try body()))
      } catch {
        continuation.resume(returning: .failure(error))
      }
    }
  }
  return try outcome.get()
}
