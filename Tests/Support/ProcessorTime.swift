import SlipcastLibC

/// The seconds of processor time that work takes on this thread: what else the machine does, counts only a little.
package func processorSeconds(_ work: () throws -> Void) rethrows -> Double {
  func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
  let begin = now()
  try work()
  return now() - begin
}

/// The growth of a time for sixteen times the work; work whose time is proportional to its size gives about 16, and work
/// that grows with the square 256.
///
/// The smallest of several tries counts on each side, and where the result is too large, all are tried again: a time too
/// short to be compared, or a cache that others emptied, is not a growth.
package func growth(from few: Int, most: Double = 64, _ work: (Int) throws -> Void) rethrows -> Double {
  var least = Double.infinity
  for _ in 0..<4 {
    let short = try (0..<4).map { _ in try processorSeconds { try work(few) } }.min() ?? 0
    let long = try (0..<2).map { _ in try processorSeconds { try work(16 * few) } }.min() ?? 0
    least = min(least, long / max(short, 1e-6))
    if least < most { break }
  }
  return least
}
