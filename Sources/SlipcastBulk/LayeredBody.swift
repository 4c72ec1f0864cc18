package import SlipcastMapping
package import SlipcastReceipts
package import SlipcastSignatures
@_spi(Slipcast) internal import SlipcastWire

/// Takes off what companies wrap around a record: base64 and hexadecimal digits in all their spellings, gzip, JSON in a
/// string, UTF-16.
package enum LayeredBody {
  /// A record inside a text.
  enum Record {
    /// An object or an array.
    case json([UInt8])
    /// An app receipt in binary, or an iOS 6 receipt.
    case receipt([UInt8])
    /// A compact JWS.
    case token([UInt8])

    var bytes: [UInt8] {
      switch self {
      case .json(let bytes), .receipt(let bytes), .token(let bytes): bytes
      }
    }
  }

  /// A record is unwrapped so often.
  private static let layers = 4

  /// The record inside a text; `nil` for a text that is one already, and for anything else.
  ///
  /// Plain base64 of a receipt is such a text: it may be many megabytes long, and is decoded where it is read.
  /// - Parameter limit: how long data may become that was compressed, in bytes.
  static func open(_ text: Span<UInt8>, limit: Int) -> Record? {
    guard let start = text.firstIndex(where: { !$0.isBlank }), !"{[".utf8.contains(text[start]),
      !text.starts(with: "MI".utf8, at: start) || text.contains(0x20)
    else { return nil }
    var bytes = Array(text)
    for layer in 0..<layers {
      guard let inner = peel(trimmed(bytes), limit), let plain = try? UTF16Decoder.utf8(inner) else { return nil }
      bytes = Array(plain.dropFirst(ByteOrderMark.count(in: plain)))
      if let record = record(bytes) { return layer == 0 && isPlainReceipt(record, text) ? nil : record }
    }
    return nil
  }

  /// The text is base64 of a receipt and nothing else.
  private static func isPlainReceipt(_ record: Record, _ text: Span<UInt8>) -> Bool {
    guard case .receipt = record else { return false }
    let isBase64 = text.allSatisfy { Base64.isCharacter($0) || $0 == 0x0A || $0 == 0x0D }
    return isBase64 && TextWrappings.ofDigits(Array(text)[...]) == nil
  }

  /// The JSON inside a text; `nil` also for one with a receipt inside.
  static func unwrap(_ text: Span<UInt8>, limit: Int) -> [UInt8]? {
    guard case .json(let bytes)? = open(text, limit: limit) else { return nil }
    return bytes
  }

  /// A text without what companies wrap around it; the text itself where nothing is known to be in it.
  package static func opened(_ text: [UInt8], limit: Int = JSONLimits().recordBytes) -> [UInt8] {
    open(text.span, limit: limit)?.bytes ?? text
  }

  /// The token inside a text; `nil` for one that is a token already, and for anything else.
  static func token(in text: Span<UInt8>, limit: Int) -> [UInt8]? {
    // Most encoded records are base64 of JSON or of a receipt, which this need not decode.
    if ["ey", "ew", "MI"].contains(where: { text.starts(with: $0.utf8) }) { return nil }
    guard case .token(let bytes)? = open(text, limit: limit) else { return nil }
    return bytes
  }

  /// The record in a file that holds one: without UTF-16, gzip, encodings and the request around a receipt; the file itself
  /// where it has none.
  package static func ofFile(_ bytes: [UInt8], limit: Int) -> [UInt8] {
    let text = (try? UTF16Decoder.utf8(bytes)) ?? bytes
    let record = open(text.span, limit: limit)?.bytes ?? text
    // A long answer is not read twice: the other members of a request are short.
    let head = String(decoding: record.prefix(1024), as: UTF8.self)
    guard head.contains("\"receipt-data\"") || head.contains("\"Store\"") else { return record }
    let receipt = JSONReader(names: []).parse(JSONBuffer(record)) { root in
      RowReader.receipt(in: root.tape, root.index).map { Array(root.tape.text($0).buffer) }
    }
    return receipt.map { open($0.span, limit: limit)?.bytes ?? $0 } ?? record
  }

  private static func record(_ bytes: [UInt8]) -> Record? {
    if bytes.count > 1, bytes[0] == 0x30, bytes[1] >= 0x80 { return .receipt(bytes) }
    switch bytes.first(where: { !$0.isBlank }) {
    // Receipts of iOS 6 start with a brace too.
    case UInt8(ascii: "{"): return OldStylePropertyList.isDictionary(bytes) ? .receipt(bytes) : .json(bytes)
    case UInt8(ascii: "["): return bytes.last { !$0.isBlank } == UInt8(ascii: "]") ? .json(bytes) : nil
    case UInt8(ascii: "e"):
      let text = Array(trimmed(bytes))
      return TextRecord.form(of: text.span) == .token && SignedRecordVerifier.isToken(text.span) ? .token(text) : nil
    default: return nil
    }
  }

  private static func trimmed(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    // Compressed data ends with any byte.
    if bytes.starts(with: [0x1F, 0x8B]) { return bytes[...] }
    let start = bytes.drop(while: \.isBlank)
    return start.dropLast(start.reversed().prefix(while: \.isBlank).count)
  }

  private static func peel(_ text: ArraySlice<UInt8>, _ limit: Int) -> [UInt8]? {
    switch text.first {
    case nil: return nil
    case 0x1F?: return MemoryBytes.unzipped(Array(text), limit: limit)
    case UInt8(ascii: "\"")?: return string(text)
    case UInt8(ascii: "<")?: return TextWrappings.ofData(text)
    case UInt8(ascii: "-")?: return TextWrappings.ofPEM(text)
    case UInt8(ascii: "d")? where text.starts(with: "data:".utf8): return TextWrappings.ofURL(text)
    default: break
    }
    if let sign = TextRecord.signOfDigits(text.span) { return Hexadecimal.decode(text.span.extracting(sign...)) }
    return TextWrappings.ofDigits(text) ?? TextWrappings.ofBase64(text) ?? TextWrappings.ofForm(text)
  }

  private static func string(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    let reader = NestedReader(JSONLimits())
    // The reader owns the memory of the content.
    defer { withExtendedLifetime(reader) {} }
    let content = reader.read(string: text.span)
    return content.isEmpty ? nil : Array(content.buffer)
  }
}

extension SignedRecordVerifier {
  /// A verifier for records as companies store them: it opens what `convert` opens.
  package convenience init(stored policy: VerificationPolicy, rules: RuleSet) {
    self.init(policy: policy, rules: rules) { LayeredBody.open($0, limit: JSONLimits().recordBytes)?.bytes }
  }
}
