import Foundation

/// Every single-bit flip and every beginning of some bytes, or a fixed sample of them.
package enum Mutants {
  /// True when all are to be tried, not a sample: `SLIPCAST_THOROUGH=1`.
  package static let isThorough = ProcessInfo.processInfo.environment["SLIPCAST_THOROUGH"] == "1"

  /// Numbers of the bits to flip, counted from the first byte's lowest: all, or every so many.
  ///
  /// - Parameter step: an odd number, so that a sample has every bit of a byte.
  package static func bits(of bytes: [UInt8], every step: Int) -> StrideTo<Int> {
    stride(from: 0, to: bytes.count * 8, by: isThorough ? 1 : step)
  }

  /// Lengths to which to cut, shorter than the whole: all, or every so many.
  package static func lengths(of bytes: [UInt8], every step: Int) -> StrideTo<Int> {
    stride(from: 0, to: bytes.count, by: isThorough ? 1 : step)
  }

  /// The bytes with one bit flipped.
  package static func flipped(_ bytes: [UInt8], _ bit: Int) -> [UInt8] {
    var bytes = bytes
    bytes[bit / 8] ^= 1 << UInt8(bit % 8)
    return bytes
  }
}
