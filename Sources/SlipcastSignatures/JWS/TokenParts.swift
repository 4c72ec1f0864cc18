internal import SlipcastWire

/// The three segments of a compact JWS (RFC 7515 section 7.1), as ranges of its text.
package struct TokenParts {
  package let header: Range<Int>
  package let payload: Range<Int>
  package let signature: Range<Int>
  /// The signed text: header and payload with the dot between them.
  package let signed: Range<Int>

  package init(_ token: Span<UInt8>) throws(Refusal) {
    guard !token.isEmpty else { throw Refusal(.empty) }
    guard token.count <= JWSVerifier.limit else {
      throw Refusal(.tooLarge, "expected \(JWSVerifier.limit >> 20) MiB at most")
    }
    let dot = UInt8(ascii: ".")
    guard let first = token.firstIndex(of: dot), let second = token.firstIndex(of: dot, from: first + 1),
      token.firstIndex(of: dot, from: second + 1) == nil
    else { throw Refusal(.unrecognized) }
    header = 0..<first
    payload = first + 1..<second
    signature = second + 1..<token.count
    signed = 0..<second
  }
}
