@_spi(Slipcast) package import SlipcastWire

/// Signs payloads like Apple: compact JWS (RFC 7515 section 7.1), ES256, certificates in `x5c`.
///
/// A signer reuses its memory; use it in one task at a time. Make one per worker from the same identity.
public final class JWSSigner {
  private let signer: ES256Signer
  /// The protected header in base64url, with the period after it; the same for every payload.
  private let header: [UInt8]
  private let writer = JSONWriter(capacity: 16 << 10)

  /// Prepares a signer: it encodes the header once.
  public init(identity: TestIdentity) {
    let json = JSONWriter.object(capacity: 8 << 10) { writer in
      writer.member("alg", "ES256")
      writer.member("x5c", identity.certificates.map { Base64.encode($0.der) })
    }
    header = Array(Base64.encodeURL(json.bytes).utf8) + [UInt8(ascii: ".")]
    signer = ES256Signer(identity.key, start: header)
  }

  /// Signs a payload and returns the compact JWS.
  ///
  /// - Parameter payload: the JWS payload, byte for byte.
  /// - Throws: `SigningError` (`cryptography`) when OpenSSL cannot sign.
  public func sign(_ payload: some Sequence<UInt8>) throws(SigningError) -> String {
    let bytes = Array(payload)
    writer.clear()
    try sign(bytes.span, to: writer)
    return writer.string
  }

  /// Signs a payload and appends the compact JWS.
  package func sign(_ payload: Span<UInt8>, to writer: JSONWriter) throws(SigningError) {
    writer.raw(header)
    let start = writer.count
    Base64.writeURL(payload, to: writer)
    let signature = try signer.signature(of: writer.buffer.span.extracting(start...))
    writer.byte(UInt8(ascii: "."))
    Base64.writeURL(signature.span, to: writer)
  }
}
