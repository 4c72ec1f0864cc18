// Unsafe on purpose: one buffer that only this class owns, with the padding that simdjson requires after the text.

/// A JSON text in memory, ready for `JSONReader`; a leading byte order mark is removed.
package final class JSONBuffer {
  private let memory: UnsafeMutablePointer<UInt8>
  package let count: Int
  package var base: UnsafePointer<UInt8> { UnsafePointer(memory) }

  package init(_ json: some Sequence<UInt8>) {
    var text = Array(json)
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { text.removeFirst(3) }
    count = text.count
    memory = .allocate(capacity: text.count + JSONReader.padding)
    memory.initialize(repeating: 0x20, count: text.count + JSONReader.padding)
    memory.update(from: text, count: text.count)
  }

  deinit { memory.deallocate() }
}
