internal import Dispatch
internal import SlipcastBulk
internal import Synchronization

/// Takes events to a target, on a separate thread, until it is asked to stop.
protocol Delivery: AnyObject, Sendable {
  var state: Shared<DeliveryState> { get }
  var thread: DeliveryThread { get }
  var log: ServerLog { get }
  /// Starts the thread.
  func start()
  /// Delivers until the thread is asked to end, or something fails.
  func deliver() throws
}

extension Delivery {
  /// Starts the thread, which begins again after each failure.
  ///
  /// - Parameters:
  ///   - pauses: seconds to wait after failures in a row; the last of them counts for all that follow.
  ///   - isCounted: each failure counts as an attempt.
  func start(pauses: [Double], isCounted: Bool) {
    thread.start {
      var failures = 0
      while self.thread.goesOn {
        do {
          try self.deliver()
        } catch {
          // Only what was delivered ends a series of failures.
          if self.state.now.trouble == nil { failures = 0 }
          self.note(trouble: "\(error)", isCounted: isCounted)
          self.thread.pause(pauses[min(failures, pauses.count - 1)])
          failures += 1
        }
      }
    }
  }

  /// Returns when what is being delivered is final.
  func stop() { thread.stop() }

  /// Notes why the delivery fails; only the first of equal failures is a line of the log.
  func note(trouble: String, isCounted: Bool = true, isLimited: Bool = false) {
    let old = state.now
    if old.trouble != trouble {
      log.note("failed", [("target", old.name), ("message", trouble)], isLimited: isLimited)
    }
    state.change { values in
      if isCounted { values.failures += 1 }
      values.trouble = trouble
    }
  }
}

/// The thread of a delivery: started once, woken by new events, asked to end.
final class DeliveryThread: Sendable {
  private let wakeUp = WakeUp()
  private let isStopped = Atomic(false)
  private let ended = DispatchGroup()

  /// - Parameter journal: wakes the thread when it has new events.
  init(_ journal: Journal) { journal.wake(wakeUp) }

  /// Nobody has asked it to end.
  var goesOn: Bool { !isStopped.load(ordering: .relaxed) }

  func start(_ work: @escaping @Sendable () -> Void) {
    DispatchQueue(label: "slipcast.delivery").async(group: ended, execute: DispatchWorkItem(block: work))
  }

  /// Waits for new events, or for the end, or for a time.
  func wait(_ seconds: Double) { wakeUp.wait(seconds) }

  /// Waits for a time, or for the end.
  func pause(_ seconds: Double) {
    let end = Platform.seconds() + seconds
    while goesOn, Platform.seconds() < end { Platform.pause(min(0.05, seconds)) }
  }

  /// Returns when the work has ended.
  func stop() {
    isStopped.store(true, ordering: .relaxed)
    wakeUp.signal()
    ended.wait()
  }
}
