internal import SlipcastDigest

/// A checksum of the rows of a history, whatever their order: rows come and go one by one.
struct HistorySeal {
  /// The tables whose rows it covers.
  enum Table: UInt64 { case message, question }

  private var count: Int64 = 0
  private var sum: UInt64 = 0

  mutating func add(_ table: Table, _ numbers: (Int64, Int64), _ body: [UInt8] = []) {
    count += 1
    sum &+= Self.hash(table, numbers, body)
  }

  mutating func remove(_ table: Table, _ numbers: (Int64, Int64), _ body: [UInt8] = []) {
    count -= 1
    sum &-= Self.hash(table, numbers, body)
  }

  /// The seal of these rows together with what the history belongs to, and how far it is.
  func text(fingerprint: String, position: Int64) -> String {
    SHA256Stream.hexadecimal(of: [fingerprint, "\(position)", "\(count)", "\(sum)"])
  }

  /// FNV-1a of 64 bits: it notices damage, and need not resist anybody.
  private static func hash(_ table: Table, _ numbers: (Int64, Int64), _ body: [UInt8]) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func add(_ byte: UInt64) { hash = (hash ^ byte) &* 0x100_0000_01B3 }
    add(table.rawValue)
    for number in [numbers.0, numbers.1] {
      for shift in stride(from: 0, to: 64, by: 8) { add(UInt64(bitPattern: number) >> UInt64(shift) & 0xFF) }
    }
    for byte in body { add(UInt64(byte)) }
    // Sums of hashes must not cancel out where rows exchange a part.
    hash = (hash ^ hash >> 32) &* 0x9E37_79B9_7F4A_7C15
    return hash ^ hash >> 29
  }
}
