import SlipcastTestSupport

/// Where to cut a record: behind each of its bytes with `SLIPCAST_THOROUGH=1`, as `make test-all` has it, else behind every
/// third.
enum Beginnings {
  /// Test cases that take turns; each has some of the lengths.
  static let shares = 0..<4

  static func lengths(of bytes: [UInt8], share: Int) -> StrideTo<Int> {
    let step = Mutants.isThorough ? 1 : 3
    return stride(from: 1 + share * step, to: bytes.count, by: shares.count * step)
  }
}
