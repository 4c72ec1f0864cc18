// Unsafe on purpose: compares bytes in place.
internal import SlipcastWire

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The shapes that one worker has met, so that it seldom has to ask the table that all share.
final class ShapeCache {
  private let table: ShapeTable
  @exclusivity(unchecked) private var known: [UInt64: (bytes: [UInt8], number: UInt32)] = [:]
  private static let most = 4096

  init(_ table: ShapeTable) { self.table = table }

  func number(of bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
    let name = Fingerprint.number(bytes)
    if let place = known.index(forKey: name) {
      let entry = known[place].value
      let isSame = entry.bytes.withUnsafeBufferPointer { other in
        guard other.count == bytes.count, let one = other.baseAddress, let two = bytes.baseAddress else { return false }
        return memcmp(one, two, other.count) == 0
      }
      if isSame { return entry.number }
    }
    let number = table.number(of: bytes)
    if known.count < Self.most { known[name] = (Array(bytes), number) }
    return number
  }
}
