internal import SlipcastBulk
internal import SlipcastLibC
import SlipcastSystem

/// Lets one thread wait until another one has work for it.
///
/// The wait ends in time whatever happens to the system's clock: Dispatch's semaphores wait for a time of that clock, and
/// would wait a year where it is set back by a year.
final class WakeUp: Sendable {
  /// A pipe; without one, waits only end by their time.
  private let ends: (reading: Int32, writing: Int32)

  init() {
    var pair: [Int32] = [-1, -1]
    if pipe(&pair) == 0 {
      for end in pair {
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      }
    }
    ends = (pair[0], pair[1])
  }

  deinit {
    guard ends.reading >= 0 else { return }
    Platform.close(ends.reading)
    Platform.close(ends.writing)
  }

  /// Ends the wait that runs, or else the next one.
  func signal() {
    var byte: UInt8 = 1
    // A full pipe has signaled already.
    _ = write(ends.writing, &byte, 1)
  }

  /// Waits for a signal, or for a time in seconds.
  func wait(_ seconds: Double) {
    var entry = pollfd(fd: ends.reading, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, Int32(max(0, seconds) * 1000)) > 0 else { return }
    var bytes = [UInt8](repeating: 0, count: 256)
    while read(ends.reading, &bytes, bytes.count) == bytes.count {}
  }
}
