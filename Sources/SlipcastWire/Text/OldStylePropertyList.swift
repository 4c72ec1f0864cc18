/// Property lists in OpenStep style, the format of iOS 6 receipts.
///
/// Grammar: `{ key = value; … }`, `( value, … )`, `<hex>`, `"text"` with escapes, unquoted words, both kinds of
/// comments.
package indirect enum OldStylePropertyList: Sendable {
  /// Text; the bytes are those of its UTF-8.
  case text(String)
  /// Bytes, written in hexadecimal digits.
  case data([UInt8])
  /// A list.
  case array([OldStylePropertyList])
  /// Keys and values in their order; each key once.
  case dictionary([(key: String, value: OldStylePropertyList)])

  /// The reason why a text is not a property list; never contains the text.
  package struct Fault: Error {
    package var offset: Int
    /// What was expected at the position.
    package var expected: String
    /// A key occurs twice in one dictionary.
    package var isDuplicate = false
  }

  /// Reads a property list that is the whole text.
  ///
  /// - Throws: `Fault`.
  package init(_ bytes: [UInt8]) throws(Fault) {
    var reader = OldStyleReader(bytes: bytes)
    self = try reader.value(depth: 0)
    try reader.skipBlanks()
    guard reader.at == bytes.count else { throw Fault(offset: reader.at, expected: "the end") }
  }

  /// True when a text begins like a dictionary of this kind; false for JSON.
  package static func isDictionary(_ bytes: [UInt8]) -> Bool {
    var reader = OldStyleReader(bytes: bytes)
    return reader.isAtDictionary()
  }

  package subscript(key: String) -> String? {
    guard case .dictionary(let members) = self, case .text(let text) = members.first(where: { $0.key == key })?.value
    else { return nil }
    return text
  }
}
