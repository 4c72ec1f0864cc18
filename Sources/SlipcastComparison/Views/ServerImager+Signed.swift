internal import SlipcastMapping
@_spi(Slipcast) internal import SlipcastWire

// Signed payloads, and what is wrong with records.

extension ServerImager {
  /// Hands out what a signed payload holds; faults in it are marked as such.
  func decoding(
    _ tape: JSONTape, _ index: Int, of text: SignedText, _ use: (JSONTape) throws(ComparisonError) -> Void
  ) throws(ComparisonError) {
    guard tape[index].kind == .string else { throw error(tape, index, .notSigned(found: tape[index].kind.description)) }
    guard let token = CompactJWS(tape.text(index).buffer.span) else {
      throw error(tape, index, .notSigned(found: "another text"))
    }
    try decoding(token, as: text, use)
  }

  /// Hands out what a signed payload holds that was taken apart.
  func decoding(
    _ token: CompactJWS, as text: SignedText, _ use: (JSONTape) throws(ComparisonError) -> Void
  ) throws(ComparisonError) {
    if text.isOfTestIdentity(token) { isConverted = true }
    decodedCount += 1
    let wasInPayload = isInPayload
    isInPayload = true
    defer { isInPayload = wasInPayload }
    do throws(ComparisonError) {
      let inner: JSONTape
      do throws(JSONError) { inner = try text.read(token) } catch { throw ComparisonError(.server, error) }
      try use(inner)
    } catch {
      var fault = error
      fault.isInPayload = true
      throw fault
    }
  }

  func wrongKind(_ tape: JSONTape, _ index: Int) -> ComparisonError {
    ComparisonError(.server, JSONElement(tape: tape, index: index).wrongKind(.object("")))
  }

  func error(_ tape: JSONTape, _ index: Int, _ reason: ComparisonError.Reason) -> ComparisonError {
    ComparisonError(
      .server, reason, path: JSONPath(tape: tape, index: index), offset: tape.start(index))
  }
}
