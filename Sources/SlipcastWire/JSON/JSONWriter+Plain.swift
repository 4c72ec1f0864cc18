// Unsafe on purpose: stores into memory that was reserved before.

@_spi(Slipcast) extension JSONWriter {
  /// Appends the low bytes of a number in memory order, for buffers that only this program reads.
  ///
  /// - Parameter count: at most eight.
  public func plain(_ value: UInt64, bytes count: Int) {
    precondition(count <= 8, "a number has eight bytes")
    reserve(8)
    UnsafeMutableRawPointer(base).storeBytes(of: value.littleEndian, toByteOffset: written, as: UInt64.self)
    written += count
  }
}
