internal import SlipcastWire

/// Finds base64 and hexadecimal digits in a text, removes the secret inside, and encodes them again.
///
/// A run that decodes to a complete document is searched inside. A run that decodes to text only in part, or out of
/// step, is damaged, and its text is not kept. Long data that decodes to no text is kept where it is a receipt, a
/// certificate or a signature.
struct EncodedRuns {
  private let text: [UInt8]
  private let layer: Int

  init(_ text: [UInt8], layer: Int) { (self.text, self.layer) = (text, layer) }

  /// Shorter runs are too short for a key with its secret.
  private static let shortest = 16
  /// This number of text bytes in a row does not occur by chance.
  private static let telling = 16
  /// Shorter data is too short for a compressed secret.
  private static let opaque = 48

  /// Characters of one encoded text, without blanks and line ends.
  struct Run {
    var range: Range<Int>
    var letters: [UInt8]
    /// The longest part without a blank, and whether all parts but the last are as long.
    var width: Int
    var isWrapped: Bool
    var isPadded: Bool
  }

  func cleaned() throws(SecretFilter.Omission) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var (at, copied) = (0, 0)
    // Whether the run before was a document, and whether a receipt began in this string.
    var (afterDocument, inReceipt) = (false, false)
    while at < text.count {
      guard Base64.isLetter(text[at]) else {
        // A quote right before more of the data is damage in it.
        if Redaction.isQuote(text[at]), at + 1 == text.count || !Base64.isLetter(text[at + 1]) { inReceipt = false }
        if text[at] != UInt8(ascii: ".") { afterDocument = false }
        at = behindSign(at)
        continue
      }
      let run = run(from: at)
      at = run.range.upperBound
      guard run.letters.count >= Self.shortest else {
        // Damage near the start of a receipt.
        inReceipt = inReceipt || isNamed(run)
        afterDocument = false
        continue
      }
      let isSignature = afterDocument && text[run.range.lowerBound - 1] == UInt8(ascii: ".")
      let found = try judge(run, isKnown: isSignature || inReceipt || isNamed(run))
      inReceipt = inReceipt || found.isReceipt
      afterDocument = found.isDocument
      guard let replacement = found.replacement else { continue }
      result += text[copied..<run.range.lowerBound]
      result += replacement
      copied = run.range.upperBound
    }
    return result + text[copied...]
  }

  /// The text is one encoded document, and nothing else.
  private var isOneDocument: Bool {
    guard let start = text.firstIndex(where: { $0 != UInt8(ascii: "\\") && !$0.isBlank }),
      Base64.isLetter(text[start])
    else { return false }
    let run = run(from: start)
    guard run.letters.count >= Self.shortest, endsText(run), let found = try? judge(run, isKnown: false)
    else { return false }
    return found.isDocument || found.isReceipt
  }

  // MARK: runs

  /// The position after a character, or after an escape: its letter does not start a run.
  private func behindSign(_ start: Int) -> Int {
    var at = start
    while at < text.count, text[at] == UInt8(ascii: "\\") { at += 1 }
    guard at > start else { return start + 1 }
    guard at < text.count else { return at }
    switch text[at] {
    case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"), UInt8(ascii: "b"), UInt8(ascii: "f"): return at + 1
    case UInt8(ascii: "u"): return min(at + 5, text.count)
    default: return at
    }
  }

  private func run(from start: Int) -> Run {
    var (at, end, partStart) = (start, start, start)
    var letters: [UInt8] = []
    var parts: [Int] = []
    while at < text.count {
      if Base64.isLetter(text[at]) {
        letters.append(text[at])
        at += 1
        end = at
      } else if let next = separator(at) {
        if next.isLetter {
          letters.append(UInt8(ascii: "/"))
          end = next.end
        } else if end > partStart {
          parts.append(end - partStart)
        }
        at = next.end
        if !next.isLetter { partStart = at }
      } else {
        break
      }
    }
    if end > partStart { parts.append(end - partStart) }
    let isPadded = end < text.count && text[end] == UInt8(ascii: "=")
    while isPadded, end < text.count, text[end] == UInt8(ascii: "=") { end += 1 }
    let isWrapped = parts.count > 1 && parts.dropLast().allSatisfy { $0 == parts[0] } && parts[0] >= 20
    return Run(
      range: start..<end, letters: letters, width: parts.max() ?? 0, isWrapped: isWrapped, isPadded: isPadded)
  }

  /// A blank, or an escape of a blank or a slash, however many backslashes precede it.
  private func separator(_ start: Int) -> (end: Int, isLetter: Bool)? {
    if text[start].isBlank { return (start + 1, false) }
    var at = start
    while at < text.count, text[at] == UInt8(ascii: "\\") { at += 1 }
    guard at > start, at < text.count else { return nil }
    switch text[at] {
    case UInt8(ascii: "/"): return (at + 1, true)
    case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"): return (at + 1, false)
    default: return nil
    }
  }

  /// Nothing but blanks follows.
  private func endsText(_ run: Run) -> Bool { text[run.range.upperBound...].allSatisfy { $0.isBlank } }

  /// Members whose data is not text.
  private static let names: Set<String> = [
    "latest_receipt", "latest_expired_receipt", "receipt", "receipt-data", "receipt_data", "receiptdata",
    "transactionreceipt", "appreceipt", "app_receipt", "signature", "purchase-info", "x5c", "payload_signature",
  ]

  /// The run is the value of one of those members.
  private func isNamed(_ run: Run) -> Bool {
    var at = run.range.lowerBound
    let signs = "\\\":= \t\n\r['{}],".utf8
    while at > max(0, run.range.lowerBound - 24), signs.contains(text[at - 1]) { at -= 1 }
    var start = at
    while start > 0, at - start < 32, Base64.isLetter(text[start - 1]), text[start - 1] != UInt8(ascii: "/") {
      start -= 1
    }
    // Most runs follow no such name, and its length shows it.
    guard Self.lengthsOfNames.contains(at - start) else { return false }
    return Self.names.contains(String(decoding: text[start..<at], as: UTF8.self).lowercased())
  }

  private static let lengthsOfNames = Set(names.map(\.utf8.count))

  // MARK: content of a run

  private struct Found {
    /// The replacement; `nil` when the run stays.
    var replacement: [UInt8]?
    var isDocument = false
    var isReceipt = false
  }

  private func judge(_ run: Run, isKnown: Bool) throws(SecretFilter.Omission) -> Found {
    if let found = try judgeDigits(run) { return found }
    let isEndOfText = endsText(run)
    let whole = Base64.decodePart(run.letters[...])
    if Self.isGzip(whole) || Self.isText(whole) {
      guard let cleaned = try document(whole, isCut: isEndOfText && layer == 0) else {
        guard isKnown, Self.holdsWordsOnly(whole) else { throw .encoded }
        return Found(isReceipt: true)
      }
      let isURL = run.letters.contains(UInt8(ascii: "-")) || run.letters.contains(UInt8(ascii: "_"))
      let isPadded = run.isPadded || !isURL && run.letters.count % 4 == 0
      return Found(
        replacement: cleaned == whole ? nil : Self.encode(cleaned, isURL: isURL, isPadded: isPadded), isDocument: true)
    }
    if SecretFilter.isCompressed(whole) { throw .compressed }
    let shifted = (0..<4).lazy.map { Base64.decodePart(run.letters.dropFirst($0)) }
    if Self.isReceipt(whole) || isKnown {
      guard !shifted.contains(where: SecretFilter.namesSecret) else { throw .encoded }
      return Found(isReceipt: true)
    }
    for bytes in shifted {
      if Self.tellsText(bytes) { throw .encoded }
      if Self.isGzip(bytes) { throw .compressed }
    }
    if isOpaque(run) { throw .encoded }
    return Found()
  }

  /// Hexadecimal digits, with a leading `x` or `0x`; `nil` when the run is something else.
  private func judgeDigits(_ run: Run) throws(SecretFilter.Omission) -> Found? {
    var prefix = 0
    if run.letters.first == UInt8(ascii: "0"), run.letters[1] | 0x20 == UInt8(ascii: "x") { prefix = 2 }
    if run.letters[0] | 0x20 == UInt8(ascii: "x") { prefix = 1 }
    let letters = run.letters[prefix...]
    if letters.allSatisfy({ $0.hexadecimalValue != nil }) {
      let bytes = Self.bytes(ofDigits: letters)
      let isEndOfText = endsText(run)
      if Self.isGzip(bytes) || Self.isText(bytes) && looksLikeDocument(bytes, isCut: true) {
        guard letters.count % 2 == 0 || isEndOfText,
          let cleaned = try document(bytes, isCut: isEndOfText && layer == 0)
        else { throw .encoded }
        guard cleaned != bytes else { return Found(isDocument: true) }
        let isLarge = !letters.contains { (0x61...0x66).contains($0) }
        let digits = Hexadecimal.encode(cleaned)
        return Found(
          replacement: Array(run.letters[..<prefix]) + Array((isLarge ? digits : digits.lowercased()).utf8),
          isDocument: true)
      }
    }
    for part in letters.split(whereSeparator: { $0.hexadecimalValue == nil }) where part.count >= 20 {
      for shift in 0..<2 {
        let bytes = Self.bytes(ofDigits: part.dropFirst(shift))
        if Self.tellsText(bytes) || Self.isGzip(bytes) { throw .encoded }
      }
      // Hashes and device identifiers are shorter.
      if part.count >= 4 * Self.opaque { throw .encoded }
    }
    return letters.allSatisfy({ $0.hexadecimalValue != nil }) ? Found() : nil
  }

  /// The document without the secret; `nil` when it is not a document.
  private func document(_ bytes: [UInt8], isCut: Bool) throws(SecretFilter.Omission) -> [UInt8]? {
    if SourceHead.isReceipt(bytes.span) {
      return SecretFilter.namesSecret(bytes) ? nil : bytes
    }
    let cleaned = try SecretFilter.clean(bytes, layer: layer + 1)
    let isCompressed = bytes.starts(with: [0x1F, 0x8B])
    return isCompressed || looksLikeDocument(bytes, isCut: isCut) ? cleaned : nil
  }

  /// Starts and ends like JSON or another document, unless it was cut off.
  private func looksLikeDocument(_ bytes: [UInt8], isCut: Bool) -> Bool {
    let bytes = bytes.dropFirst(ByteOrderMark.count(in: bytes))
    guard let first = bytes.first(where: { !$0.isBlank }),
      let last = bytes.last(where: { !$0.isBlank })
    else { return true }
    switch first {
    case UInt8(ascii: "{"): return isCut || last == UInt8(ascii: "}")
    case UInt8(ascii: "["): return isCut || last == UInt8(ascii: "]")
    case UInt8(ascii: "<"): return isCut || last == UInt8(ascii: ">")
    case UInt8(ascii: "\""): return isCut || last == UInt8(ascii: "\"")
    default:
      // An encoding inside of an encoding.
      return EncodedRuns(Array(bytes), layer: layer + 1).isOneDocument
    }
  }

  private static func isText(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 8, String(validating: bytes, as: UTF8.self) != nil else { return false }
    return bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0.isBlank }
  }

  private static func holdsText(_ bytes: [UInt8]) -> Bool {
    var length = 0
    for byte in bytes {
      length = (0x20...0x7E).contains(byte) || byte.isBlank ? length + 1 : 0
      if length >= telling { return true }
    }
    return false
  }

  /// Text without a word as long as half a secret: a note in place of a receipt.
  private static func holdsWordsOnly(_ bytes: [UInt8]) -> Bool {
    isText(bytes) && !SecretFilter.namesSecret(bytes)
      && bytes.split { !UnclearSecret.isPart($0) }.allSatisfy { $0.count < telling }
  }

  /// UTF-16: every other byte is 0.
  private static func isWideText(_ bytes: [UInt8]) -> Bool {
    bytes.count >= 2 * telling && bytes.count { $0 == 0 } * 3 > bytes.count && holdsText(bytes.filter { $0 != 0 })
  }

  /// ASN.1, as receipts and certificates are.
  private static func isReceipt(_ bytes: [UInt8]) -> Bool {
    bytes.count > 32 && bytes[0] == 0x30 && (0x80...0x84).contains(bytes[1])
  }

  /// Long data of letters of all kinds, in one piece or in lines of one width.
  private func isOpaque(_ run: Run) -> Bool {
    guard run.width >= Self.opaque || run.isWrapped && run.letters.count >= Self.opaque else { return false }
    // The letters `+/` and `-_` are never in one encoding: names of files and addresses have both.
    let isMixed = run.letters.contains { "+/".utf8.contains($0) }
    return run.letters.split { isMixed && "-_".utf8.contains($0) }.contains { part in
      part.count >= Self.opaque && part.contains { (0x41...0x5A).contains($0) }
        && part.contains { (0x61...0x7A).contains($0) } && part.contains { (0x30...0x39).contains($0) }
    }
  }

  // MARK: encoding

  private static func encode(_ bytes: [UInt8], isURL: Bool, isPadded: Bool) -> [UInt8] {
    var text = Array(Base64.encode(bytes).utf8)
    if isURL {
      text = text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0 }
    }
    while !isPadded, text.last == UInt8(ascii: "=") { text.removeLast() }
    return text
  }

  /// The bytes of digits; an odd last digit is left out.
  private static func bytes(ofDigits digits: ArraySlice<UInt8>) -> [UInt8] {
    let whole = digits.dropLast(digits.count % 2)
    return Hexadecimal.decode(whole.span) ?? []
  }

  private static func isGzip(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1F, 0x8B, 0x08]) }

  /// Text, whose encoding is damaged.
  private static func tellsText(_ bytes: [UInt8]) -> Bool {
    holdsText(bytes) || isWideText(bytes) || SecretFilter.namesSecret(bytes)
  }
}
