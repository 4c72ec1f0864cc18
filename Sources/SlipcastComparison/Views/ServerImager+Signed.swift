internal import SlipcastMapping
@_spi(Slipcast) internal import SlipcastWire

// Signed payloads, and what is wrong with records.

extension ServerImager {
  /// Hands out what a signed payload holds; faults in it are marked as such.
  func decoding(
    _ tape: JSONTape, _ index: Int, of text: SignedText, _ use: (JSONTape) throws(ComparisonError) -> Void
  ) throws(ComparisonError) {
    guard tape[index].kind == .string else { throw error(tape, index, .notSigned(found: tape[index].kind.description)) }
    guard text.hold(tape.text(index).string) else { throw error(tape, index, .notSigned(found: "another text")) }
    try decoding(text, use)
  }

  /// Hands out what a signed payload holds that was taken apart.
  func decoding(_ text: SignedText, _ use: (JSONTape) throws(ComparisonError) -> Void) throws(ComparisonError) {
    if text.isOfTestIdentity { isConverted = true }
    decodedCount += 1
    let wasInPayload = isInPayload
    isInPayload = true
    defer { isInPayload = wasInPayload }
    do throws(ComparisonError) {
      let inner: JSONTape
      do throws(JSONError) {
        inner = try text.read()
      } catch {
        let reason = error.reason == .trailing ? ComparisonError.Reason.severalRecords : .json(error)
        throw ComparisonError(.server, reason, path: error.path, offset: error.offset)
      }
      try use(inner)
    } catch {
      var fault = error
      fault.isInPayload = true
      throw fault
    }
  }

  func wrongKind(_ tape: JSONTape, _ index: Int) -> ComparisonError {
    let error = JSONElement(tape: tape, index: index).wrongKind(.object(""))
    return ComparisonError(.server, .field(error), path: error.path, offset: error.offset)
  }

  func error(_ tape: JSONTape, _ index: Int, _ reason: ComparisonError.Reason) -> ComparisonError {
    ComparisonError(
      .server, reason, path: JSONPath(tape: tape, index: index), offset: tape.range(index).lowerBound)
  }
}
