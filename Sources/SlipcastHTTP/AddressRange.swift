internal import SlipcastLibC

/// A range of addresses, such as `17.0.0.0/8` or `2001:db8::/32`.
package struct AddressRange: Hashable, Sendable {
  private let bytes: [UInt8]
  private let bits: Int

  /// Parses an address, or an address and the number of its fixed bits.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let address = Self.bytes(of: String(parts[0])) else { return nil }
    let all = address.count * 8
    // An IPv4 address inside IPv6 has 96 bits before it.
    let before = all == 32 && parts[0].contains(":") ? 96 : 0
    guard let bits = parts.count == 1 ? all + before : Int(parts[1]), (before...all + before).contains(bits) else {
      return nil
    }
    (bytes, self.bits) = (address, bits - before)
  }

  /// Whether an address is in the range; IPv4 addresses inside IPv6 count as IPv4.
  package func contains(_ address: String) -> Bool {
    guard let other = Self.bytes(of: address), other.count == bytes.count else { return false }
    for index in bytes.indices {
      let left = bits - index * 8
      guard left > 0 else { return true }
      let mask: UInt8 = left >= 8 ? 0xFF : 0xFF << UInt8(8 - left)
      guard bytes[index] & mask == other[index] & mask else { return false }
    }
    return true
  }

  private static func bytes(of text: String) -> [UInt8]? {
    var (four, six) = ([UInt8](repeating: 0, count: 4), [UInt8](repeating: 0, count: 16))
    if inet_pton(AF_INET, text, &four) == 1 { return four }
    guard inet_pton(AF_INET6, text, &six) == 1 else { return nil }
    let isMapped = six[..<10].allSatisfy { $0 == 0 } && six[10] == 0xFF && six[11] == 0xFF
    return isMapped ? Array(six[12...]) : six
  }
}
