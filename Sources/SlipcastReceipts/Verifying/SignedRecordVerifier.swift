package import SlipcastMapping
package import SlipcastSignatures
@_spi(Slipcast) package import SlipcastWire

/// Verifies the signed values of one record after another, for one task; it caches signers.
///
/// `RecordVerifier` is the library's entry.
package final class SignedRecordVerifier {
  private let tokens: JWSVerifier
  private let receipts: ReceiptVerifier
  private let reader = JSONReader(names: names)
  private let opening: (Span<UInt8>) -> [UInt8]?

  /// A verifier with a policy.
  ///
  /// - Parameter opening: takes off what companies wrap around a token or a receipt; `nil` for a text without that.
  package init(
    policy: VerificationPolicy, rules: RuleSet, opening: @escaping (Span<UInt8>) -> [UInt8]? = { _ in nil }
  ) {
    tokens = JWSVerifier(policy: policy)
    receipts = ReceiptVerifier(policy: policy, rules: rules)
    self.opening = opening
  }

  /// Verifies a record: JSON text, a token, or a receipt in any of its forms.
  ///
  /// - Returns: one verdict for each signed thing, in their order; at least one.
  package func verify(_ record: [UInt8]) -> [Verdict] {
    let buffer = JSONBuffer(record)
    if let tape = try? reader.read(buffer) {
      return withExtendedLifetime(buffer) { verify(tape) }
    }
    return [verify(text: record.span)]
  }

  /// The keys that a reader must number so that its tapes can be verified.
  package static let names = SignedPlaces.Name.names

  /// Verifies a JSON record on a tape made by a reader that knows `names`.
  package func verify(_ tape: JSONTape) -> [Verdict] {
    if tape[0].kind == .string { return [verify(text: tape.text(0).buffer.span)] }
    let places = SignedPlaces.all(on: tape)
    guard !places.isEmpty else { return [Verdict(refusal: Refusal(.nothingSigned))] }
    let paths = TapePaths(tape)
    return places.map { place in
      let text = tape.text(place.index)
      var verdict: Verdict
      if let kind = place.kind {
        verdict = tokens.verify(text.buffer.span, expecting: kind)
      } else {
        verdict = verify(text: text.buffer.span)
      }
      verdict.path = paths.text(place.index)
      return verdict
    }
  }

  /// Verifies text or bytes that are not JSON: a token, or a receipt in base64 or binary, also in other encodings.
  package func verify(text: Span<UInt8>) -> Verdict {
    let trimmed = text.extracting(Self.solidPart(of: text))
    guard !trimmed.isEmpty else { return Verdict(refusal: Refusal(.empty)) }
    if Self.isToken(trimmed) { return tokens.verify(trimmed) }
    guard let inner = opening(trimmed) else { return verify(receipt: trimmed) }
    return Self.isToken(inner.span) ? tokens.verify(inner.span) : verify(receipt: inner.span)
  }

  private func verify(receipt text: Span<UInt8>) -> Verdict {
    do throws(Refusal) {
      return verify(try ReceiptText(Array(text)))
    } catch {
      return Verdict(refusal: error)
    }
  }

  package func verify(_ receipt: ReceiptText) -> Verdict {
    switch receipt.form {
    case .appReceipt: receipts.verify(appReceipt: receipt.bytes)
    case .transactionReceipt: receipts.verify(transactionReceipt: receipt.bytes)
    }
  }

  /// The texts of the signed values in a JSON record, each with its path, in their order.
  package static func signedThings(in tape: JSONTape) -> [(path: String, text: [UInt8])] {
    let paths = TapePaths(tape)
    return SignedPlaces.all(on: tape).map { place in
      (paths.text(place.index), Array(tape.text(place.index).buffer))
    }
  }

  /// Three segments without blanks: the outer form of a token.
  package static func isToken(_ text: Span<UInt8>) -> Bool {
    guard !text.isEmpty, text[0] > 0x20, text[0] != UInt8(ascii: "{"), text[0] != 0x30 else { return false }
    var dots = 0
    for at in text.indices {
      guard text[at] > 0x20, text[at] < 0x7F else { return false }
      if text[at] == UInt8(ascii: ".") { dots += 1 }
    }
    return dots == 2
  }

  /// All but blanks at both ends.
  private static func solidPart(of text: Span<UInt8>) -> Range<Int> {
    // Bytes of a binary receipt are not blanks.
    if text.first == 0x30 { return text.indices }
    guard let first = text.firstIndex(where: { !$0.isBlank }), let last = text.lastIndex(where: { !$0.isBlank }) else {
      return 0..<0
    }
    return first..<last + 1
  }
}
