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
  /// A shape that is known.
  private final class Entry {
    let bytes: [UInt8]
    let number: UInt32

    init(_ bytes: UnsafeBufferPointer<UInt8>, _ number: UInt32) { (self.bytes, self.number) = (Array(bytes), number) }

    func isSame(_ other: UnsafeBufferPointer<UInt8>) -> Bool {
      bytes.withUnsafeBufferPointer { own in
        guard own.count == other.count, let one = own.baseAddress, let two = other.baseAddress else { return false }
        return memcmp(one, two, own.count) == 0
      }
    }
  }

  private let table: ShapeTable
  @exclusivity(unchecked) private var known: [UInt64: Entry] = [:]
  private static let most = 4096

  init(_ table: ShapeTable) { self.table = table }

  func number(of bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
    let name = Fingerprint.number(bytes)
    if let entry = known[name], entry.isSame(bytes) { return entry.number }
    let number = table.number(of: bytes)
    if known.count < Self.most { known[name] = Entry(bytes, number) }
    return number
  }
}
