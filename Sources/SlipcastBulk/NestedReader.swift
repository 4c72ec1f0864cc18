@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) internal import SlipcastWire

/// Reads JSON text from a string of another JSON text.
final class NestedReader {
  private let reader: JSONReader
  private let block = Block(capacity: 64 << 10)

  init(_ limits: JSONLimits, names: [String] = LegacyKey.names) { reader = JSONReader(names: names, limits: limits) }

  /// Reads a text; a byte order mark is not part of it.
  func read(_ text: Span<UInt8>) throws(JSONError) -> JSONTape {
    hold(text.extracting(ByteOrderMark.count(in: text)...))
    return try readHeld()
  }

  /// The content of a JSON string that is a whole text, with its quotes; empty when it is broken.
  func read(string text: Span<UInt8>) -> JSONText {
    // Read as an item of an array, because a tape does not hold the content of a root string.
    block.clear()
    block.append([UInt8(ascii: "[")])
    block.append(text)
    block.append([UInt8(ascii: "]")])
    guard let tape = try? readHeld(), tape.count == 2, tape[1].kind == .string else { return JSONText("") }
    return tape.text(1)
  }

  private func readHeld() throws(JSONError) -> JSONTape { try block.read(0..<block.count, with: reader) }

  /// Keeps bytes until the next ones are kept or read.
  @discardableResult
  func hold(_ bytes: Span<UInt8>) -> JSONText {
    block.clear()
    block.append(bytes)
    return block.text(0..<block.count)
  }
}
