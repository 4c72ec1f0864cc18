@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) internal import SlipcastWire

/// Reads JSON text from a string of another JSON text.
final class NestedReader {
  private let reader: JSONReader
  private let block = Block(capacity: 64 << 10)

  init(_ limits: JSONLimits, names: [String] = LegacyKey.names) { reader = JSONReader(names: names, limits: limits) }

  func read(_ text: JSONText) throws(JSONError) -> JSONTape {
    block.clear()
    block.append(text.buffer.span)
    return try readHeld()
  }

  /// The content of a JSON string that is a whole text, with its quotes; empty when it is broken.
  func read(string text: JSONText) -> JSONText { read(string: Array(text.buffer)[...]) }

  /// The content of a JSON string that is a whole text, with its quotes; empty when it is broken.
  func read(string text: ArraySlice<UInt8>) -> JSONText {
    // Read as an item of an array, because a tape does not hold the content of a root string.
    hold([UInt8(ascii: "[")] + text + [UInt8(ascii: "]")])
    guard let tape = try? readHeld(), tape.count == 2, tape[1].kind == .string else {
      return JSONText("")
    }
    return tape.text(1)
  }

  private func readHeld() throws(JSONError) -> JSONTape {
    try block.read(0..<block.count, with: reader)
  }

  /// Copies bytes and reads them.
  func read(held bytes: [UInt8]) throws(JSONError) -> JSONTape {
    hold(bytes)
    return try readHeld()
  }

  /// Reads the JSON that a receipt became.
  func read(receipt json: [UInt8]) throws(RowError) -> JSONTape {
    hold(json)
    do throws(JSONError) {
      return try readHeld()
    } catch {
      throw RowError(
        code: error.code, path: error.path.description, offset: 0,
        description: "the receipt as JSON: \(error.description) (\(error.offset) bytes into it)")
    }
  }

  /// Keeps bytes until the next ones are kept or read.
  @discardableResult
  func hold(_ bytes: [UInt8]) -> JSONText {
    block.clear()
    block.append(bytes)
    return block.text(0..<block.count)
  }
}

/// Why a row does not contain a record where it should.
struct RowError: Error {
  var code: String
  var path: String
  var offset: Int
  var description: String
}
