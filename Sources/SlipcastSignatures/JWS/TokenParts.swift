// Unsafe on purpose: the segments are views of the caller's text and live as long as that.

/// The three segments of a compact JWS (RFC 7515 section 7.1), as ranges of its text.
package struct TokenParts {
  package let header: UnsafeBufferPointer<UInt8>
  package let payload: UnsafeBufferPointer<UInt8>
  package let signature: UnsafeBufferPointer<UInt8>
  /// The signed text: header and payload with the dot between them.
  package let signed: UnsafeBufferPointer<UInt8>

  package init(_ token: UnsafeBufferPointer<UInt8>) throws(Refusal) {
    guard !token.isEmpty else { throw Refusal(.empty) }
    guard token.count <= JWSVerifier.limit else {
      throw Refusal(.tooLarge, "expected \(JWSVerifier.limit >> 20) MiB at most")
    }
    let dot = UInt8(ascii: ".")
    guard let first = token.firstIndex(of: dot), let second = token[(first + 1)...].firstIndex(of: dot),
      !token[(second + 1)...].contains(dot)
    else { throw Refusal(.unrecognized) }
    header = UnsafeBufferPointer(rebasing: token[..<first])
    payload = UnsafeBufferPointer(rebasing: token[(first + 1)..<second])
    signature = UnsafeBufferPointer(rebasing: token[(second + 1)...])
    signed = UnsafeBufferPointer(rebasing: token[..<second])
  }
}
