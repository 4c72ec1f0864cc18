@_spi(Slipcast) internal import SlipcastWire

/// The header of a signed payload (RFC 7515 section 4), as far as trust depends on it.
package struct JWSHeader {
  /// The items of `x5c`, `nil` for those that are not text; `nil` when there is no `x5c`.
  let x5c: [String?]?

  /// Reads the decoded header.
  ///
  /// - Throws: `Refusal` for any header that is not that of an ES256 signature without extensions.
  package init(_ text: [UInt8]) throws(Refusal) {
    let buffer = JSONBuffer(text)
    defer { withExtendedLifetime(buffer) {} }
    let reader = JSONReader(names: ["alg", "crit", "b64", "x5c"])
    guard let tape = try? reader.read(buffer), tape[0].kind == .object else {
      throw Refusal(.headerUnreadable)
    }
    let header = JSONElement(tape: tape)
    // A duplicate member: readers may differ on which of the two they use (RFC 7515 section 4).
    guard header.children.allSatisfy({ !tape[$0.index].hasDuplicateKey }), !tape[0].hasDuplicateInside else {
      throw Refusal(.headerUnreadable, "a duplicate member")
    }
    guard header["crit"] == nil, header["b64"]?.boolean != false else { throw Refusal(.criticalHeader) }
    // Members that a reader may display or use as a key must be what RFC 7515 section 4.1 defines.
    guard [header["kid"], header["typ"], header["cty"]].allSatisfy({ $0 == nil || $0?.kind == .string }) else {
      throw Refusal(.headerUnreadable, "kid, typ or cty is not a string")
    }
    guard header["alg"]?.string == "ES256" else { throw Refusal(.algorithm) }
    guard let list = header["x5c"], list.kind != .null else {
      x5c = nil
      return
    }
    guard list.kind == .array else { throw Refusal(.certificateUnreadable, "x5c is not an array") }
    x5c = list.children.map(\.string)
  }
}
