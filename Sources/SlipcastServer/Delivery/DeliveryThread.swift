internal import Dispatch
internal import SlipcastBulk
internal import Synchronization

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
