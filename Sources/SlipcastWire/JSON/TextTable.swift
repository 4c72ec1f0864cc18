/// Texts by number, ready to copy into JSON.
@_spi(Slipcast) public struct TextTable: Sendable {
  @usableFromInline let bytes: [UInt8]
  @usableFromInline let bounds: [Int]

  /// Keeps copies of the texts.
  public init(_ texts: [String]) {
    var bytes: [UInt8] = []
    bounds =
      [0]
      + texts.map { text in
        bytes.append(contentsOf: text.utf8)
        return bytes.count
      }
    self.bytes = bytes
  }

  /// Writes a text as it is.
  @inlinable @inline(__always)
  public func write(_ number: Int, to writer: JSONWriter) {
    writer.raw(bytes.span.extracting(bounds[number]..<bounds[number + 1]))
  }
}
