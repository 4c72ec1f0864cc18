internal import Dispatch
internal import SlipcastBulk
import SlipcastSystem
internal import Synchronization

protocol Delivery: AnyObject, Sendable {
  var thread: DeliveryThread { get }
  /// Checks that the journal fits what was delivered from it.
  func check() throws
  func start()
}

/// The thread of a delivery: started once, woken by new events, asked to end.
final class DeliveryThread: Sendable {
  let state: Shared<DeliveryState>
  private let log: ServerLog
  private let wakeUp = WakeUp()
  private let isStopped = Atomic(false)
  private let ended = DispatchGroup()

  /// - Parameters:
  ///   - name: the name of the target.
  ///   - journal: wakes the thread when it has new events.
  init(_ name: MaskedName, _ journal: Journal, _ log: ServerLog) {
    (state, self.log) = (Shared(DeliveryState(name: name)), log)
    journal.wake(wakeUp)
  }

  /// Nobody has asked it to end.
  var goesOn: Bool { !isStopped.load(ordering: .relaxed) }

  /// Starts work that delivers until the thread is asked to end, and begins again after each failure.
  ///
  /// - Parameters:
  ///   - pauses: seconds to wait after failures in a row; the last of them counts for all that follow.
  ///   - isCounted: each failure counts as an attempt.
  func start(pauses: [Double], isCounted: Bool, _ deliver: @escaping @Sendable () throws -> Void) {
    DispatchQueue(label: "slipcast.delivery").async(group: ended) {
      var failures = 0
      while self.goesOn {
        do {
          try deliver()
        } catch {
          // Only what was delivered ends a series of failures.
          if self.state.now.trouble == nil { failures = 0 }
          self.note(trouble: "\(error)", isCounted: isCounted)
          self.pause(pauses[min(failures, pauses.count - 1)])
          failures += 1
        }
      }
    }
  }

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

  /// Waits for new events, or for the end, or for a time.
  func wait(_ seconds: Double) { wakeUp.wait(seconds) }

  private func pause(_ seconds: Double) {
    let end = Platform.seconds() + seconds
    while goesOn, Platform.seconds() < end { Platform.pause(min(0.05, seconds)) }
  }

  /// Returns when what is being delivered is final.
  func stop() {
    isStopped.store(true, ordering: .relaxed)
    wakeUp.signal()
    ended.wait()
  }
}
