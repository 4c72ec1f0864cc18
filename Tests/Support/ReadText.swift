@_spi(Slipcast) package import SlipcastWire

/// A JSON text that was read: keeps bytes, reader and tape alive together.
///
/// The memory ends right behind the padding, so a reader that looks further is caught by memory checkers.
package final class ReadText {
  private let memory: UnsafeMutablePointer<UInt8>
  private let reader: JSONReader
  package let tape: JSONTape

  package init(
    _ text: some Sequence<UInt8>, names: [String] = [], limits: JSONLimits = JSONLimits()
  ) throws(JSONError) {
    let bytes = Array(text)
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count + JSONReader.padding)
    memory.initialize(repeating: 0, count: bytes.count + JSONReader.padding)
    bytes.withUnsafeBufferPointer { if let base = $0.baseAddress { memory.update(from: base, count: $0.count) } }
    self.memory = memory
    reader = JSONReader(names: names, limits: limits)
    do throws(JSONError) {
      tape = try reader.read(UnsafePointer(memory), count: bytes.count)
    } catch {
      memory.deallocate()
      throw error
    }
  }

  package convenience init(
    _ text: String, names: [String] = [], limits: JSONLimits = JSONLimits()
  ) throws(JSONError) {
    try self.init(text.utf8, names: names, limits: limits)
  }

  deinit { memory.deallocate() }

  /// The document's value.
  package var root: JSONElement { JSONElement(tape: tape) }

  /// The text as in the document.
  package func text(in range: Range<Int>) -> String {
    String(decoding: UnsafeBufferPointer(start: tape.bytes + range.lowerBound, count: range.count), as: UTF8.self)
  }
}
