import Dispatch
import Synchronization

/// Runs asynchronous work to its end.
enum LocalTasks {
  private final class Box<Value>: @unchecked Sendable {
    // Safe to share: written before the end of the work, read after it.
    var value: Result<Value, any Error>?
  }

  /// The result of some work.
  ///
  /// - Parameter isLocal: the work starts no tasks and runs on the calling thread, without waiting for another.
  static func result<Value>(isLocal: Bool, of work: @escaping @Sendable () async throws -> Value) throws -> Value {
    let box = Box<Value>()
    if isLocal {
      let executor = CallingThread()
      Task.detached(executorPreference: executor) { await keep(work, in: box) }
      executor.run()
    } else {
      let done = DispatchSemaphore(value: 0)
      Task.detached {
        await keep(work, in: box)
        done.signal()
      }
      done.wait()
    }
    guard let value = box.value else { throw Violation("the work did not end") }
    return try value.get()
  }

  private static func keep<Value>(_ work: @Sendable () async throws -> Value, in box: Box<Value>) async {
    do {
      box.value = .success(try await work())
    } catch {
      box.value = .failure(error)
    }
  }
}

/// Runs the parts of tasks on the thread that calls `run`.
private final class CallingThread: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  func run() {
    while let job = jobs.withLock({ $0.popLast() }) { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
