// Unsafe on purpose: one buffer that only this class owns, with the padding that simdjson requires after the text.

/// A JSON text in memory, ready for `JSONReader`; a leading byte order mark is removed.
package final class JSONBuffer {
  private let memory: UnsafeMutablePointer<UInt8>
  package let count: Int
  package var base: UnsafePointer<UInt8> { UnsafePointer(memory) }

  package var bytes: [UInt8] { Array(UnsafeBufferPointer(start: memory, count: count)) }

  package init(_ json: some Sequence<UInt8>) {
    // Bytes that lie in one piece are copied once.
    if let made = json.withContiguousStorageIfAvailable({ Self.copy($0) }) {
      (memory, count) = made
    } else {
      (memory, count) = Array(json).withUnsafeBufferPointer { Self.copy($0) }
    }
  }

  package init(_ json: Span<UInt8>) { (memory, count) = json.withUnsafeBufferPointer { Self.copy($0) } }

  private static func copy(_ json: UnsafeBufferPointer<UInt8>) -> (UnsafeMutablePointer<UInt8>, Int) {
    let text = UnsafeBufferPointer(rebasing: json.dropFirst(ByteOrderMark.count(in: json)))
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: text.count + JSONReader.padding)
    if let base = text.baseAddress { memory.update(from: base, count: text.count) }
    (memory + text.count).initialize(repeating: 0x20, count: JSONReader.padding)
    return (memory, text.count)
  }

  deinit { memory.deallocate() }
}
