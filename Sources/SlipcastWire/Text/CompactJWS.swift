/// A JSON Web Signature in its compact form: `header.payload.signature` (RFC 7515 section 7.1).
///
/// This type only splits it into its parts; it verifies nothing.
package struct CompactJWS {
  package let header: [UInt8]
  package let payload: [UInt8]

  /// Splits a text into its parts; `nil` when it is not a compact JWS.
  package init?(_ text: some StringProtocol) {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[2].isEmpty, let header = Base64.decode(parts[0], .url),
      let payload = Base64.decode(parts[1], .url), Base64.decode(parts[2], .url) != nil,
      header.first == UInt8(ascii: "{"), !payload.isEmpty
    else { return nil }
    (self.header, self.payload) = (header, payload)
  }
}
