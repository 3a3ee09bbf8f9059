import Dispatch

/// Runs one actor's work on a serial queue of its own.
///
/// A database call may wait for a disk or a lock; on a thread of Swift's shared pool that would hold
/// up everything else that is asynchronous.
final class QueueExecutor: SerialExecutor {
  private let queue: DispatchQueue

  init(label: String) { queue = DispatchQueue(label: label) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
