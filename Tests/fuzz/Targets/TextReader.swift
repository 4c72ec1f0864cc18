@_spi(Slipcast) import SlipcastWire

/// Reads one JSON text after another with the same reader, as the program does; a tape is valid until the next text.
///
/// The memory ends after the padding, so memory checkers catch a reader that looks further.
final class TextReader {
  private let reader: JSONReader
  private var memory = UnsafeMutablePointer<UInt8>.allocate(capacity: JSONReader.padding)

  init(names: [String] = []) { reader = JSONReader(names: names) }

  deinit { memory.deallocate() }

  func read(_ text: UnsafeBufferPointer<UInt8>) throws(JSONError) -> JSONTape {
    memory.deallocate()
    memory = .allocate(capacity: text.count + JSONReader.padding)
    if let base = text.baseAddress { memory.update(from: base, count: text.count) }
    (memory + text.count).initialize(repeating: 0, count: JSONReader.padding)
    return try reader.read(UnsafePointer(memory), count: text.count)
  }

  /// The value of a text; `nil` for broken JSON.
  func value(_ text: UnsafeBufferPointer<UInt8>) -> JSONElement? {
    (try? read(text)).map { JSONElement(tape: $0) }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The bytes after the first one, which chooses what is done with them.
  var rest: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: dropFirst()) }

  /// The bytes contain a text.
  func contains(_ text: [UInt8]) -> Bool {
    guard let base = baseAddress, !text.isEmpty, count >= text.count else { return false }
    return (0...count - text.count).contains { place in
      base[place] == text[0] && (1..<text.count).allSatisfy { base[place + $0] == text[$0] }
    }
  }
}
