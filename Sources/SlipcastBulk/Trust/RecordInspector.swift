internal import SlipcastLegacy
internal import SlipcastMapping
internal import SlipcastReceipts
internal import SlipcastSignatures
@_spi(Slipcast) internal import SlipcastWire

/// Writes the kind and the content of a record: members of one JSON object, `kind` first.
final class RecordInspector {
  private let rules: RuleSet
  private let verifier: SignedRecordVerifier
  private let reader = JSONReader(names: SignedRecordVerifier.names)

  /// The kind of the current record, whether it was decoded or not.
  private(set) var kind: SignedKind?

  func begin() { kind = nil }

  init(policy: VerificationPolicy, rules: RuleSet) {
    self.rules = rules
    verifier = SignedRecordVerifier(stored: policy, rules: rules)
  }

  /// Writes the content of JSON text, a token or a receipt.
  func inspect(any text: Span<UInt8>, to writer: JSONWriter) throws(Refusal) {
    let buffer = JSONBuffer(text)
    defer { withExtendedLifetime(buffer) {} }
    // Old-style property lists start with a brace as well.
    guard let tape = try? reader.read(buffer) else { return try inspect(text: Array(text), to: writer) }
    if let plain = PlainRecord.json(tape) { return try inspect(any: plain.span, to: writer) }
    let root = JSONElement(tape: tape)
    if let string = root.string { return try inspect(text: Array(string.utf8), to: writer) }
    if root.kind == .object, let token = root["signedPayload"]?.string {
      return try inspect(token: Array(token.utf8), to: writer)
    }
    if let receipt = RowReader.receipt(in: tape, 0) {
      return try inspect(text: Array(tape.text(receipt).buffer), to: writer)
    }
    guard let kind = RecordKind(root) else {
      throw Refusal(.unrecognized, ForeignEnvelope(tape, 0)?.words)
    }
    writer.member("kind", kind.rawValue)
    writer.key(kind.isLegacy ? "record" : "payload")
    DecodedCopy(writer: writer).write(root)
    writeSignedThings(tape, to: writer)
  }

  // MARK: signed values

  /// Writes the content of a token or a receipt, in any encoding.
  func inspect(text: [UInt8], to writer: JSONWriter) throws(Refusal) {
    let text = LayeredBody.opened(text)
    if SignedRecordVerifier.isToken(text.span) { return try inspect(token: text, to: writer) }
    try inspect(receipt: try ReceiptText(text), to: writer)
  }

  /// A token is shown where it can be decoded, whatever its signature is.
  private func inspect(token: [UInt8], to writer: JSONWriter) throws(Refusal) {
    guard SignedRecordVerifier.isToken(token.span) else { throw Refusal(.unrecognized) }
    let verdict = verifier.verify(text: token.span)
    kind = verdict.kind
    writer.member("kind", verdict.kind?.rawValue ?? "unknown")
    let parts = token.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    for (name, part, reason) in [("header", parts[0], .headerUnreadable), ("payload", parts[1], .payloadUnreadable)]
      as [(String, ArraySlice<UInt8>, Refusal.Reason)]
    {
      let buffer = Base64.decode(part, .url).map { JSONBuffer($0) }
      defer { withExtendedLifetime(buffer) {} }
      guard let buffer, let tape = try? reader.read(buffer), name == "payload" || tape[0].kind == .object else {
        throw verdict.refusal ?? Refusal(reason)
      }
      writer.key(name)
      DecodedCopy(writer: writer).write(JSONElement(tape: tape))
    }
    Self.write(verdict, to: writer)
  }

  private func inspect(receipt: ReceiptText, to writer: JSONWriter) throws(Refusal) {
    let kind = receipt.form == .appReceipt ? SignedKind.appReceipt : .transactionReceipt
    self.kind = kind
    writer.member("kind", kind.rawValue)
    switch receipt.form {
    case .appReceipt:
      try AppReceipt(unverified: receipt.bytes, rules: rules).writeInspection(to: writer)
    case .transactionReceipt:
      try TransactionReceipt(receipt.bytes).writeInspection(to: writer)
    }
    Self.write(verifier.verify(receipt), to: writer)
  }

  private static func write(_ verdict: Verdict, to writer: JSONWriter) {
    if !verdict.certificates.isEmpty { writer.write(verdict.certificates) }
    VerdictLine.writeMembers(of: verdict, to: writer)
  }

  /// Receipts and tokens inside a record, each with its path and verdict.
  private func writeSignedThings(_ tape: JSONTape, to writer: JSONWriter) {
    let things = SignedRecordVerifier.signedThings(in: tape)
    guard !things.isEmpty else { return }
    writer.list("signed", things) { thing in
      writer.member("path", thing.path)
      let start = writer.count
      kind = nil
      do throws(Refusal) {
        try inspect(text: thing.text, to: writer)
      } catch {
        writer.truncate(to: start)
        writer.member("kind", kind?.rawValue ?? "unknown")
        VerdictLine.writeMembers(of: Verdict(refusal: error), to: writer)
      }
    }
  }
}
