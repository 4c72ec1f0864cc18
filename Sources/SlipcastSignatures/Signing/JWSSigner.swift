// Unsafe on purpose: OpenSSL signs from and into buffers of this object; see `OpenSSLHandle`.
internal import CSlipcastCrypto
@_spi(Slipcast) package import SlipcastWire

/// Signs payloads like Apple: compact JWS (RFC 7515 section 7.1), ES256, certificates in `x5c`.
///
/// A signer reuses its memory; use it on one thread at a time. Make one per worker from the same identity.
public final class JWSSigner {
  private let context: OpenSSLHandle?
  /// The protected header in base64url, with the period after it; the same for every payload.
  private let header: [UInt8]
  private let writer = JSONWriter(capacity: 16 << 10)

  /// Prepares a signer: it encodes the header once.
  public init(identity: TestIdentity) {
    let writer = JSONWriter(capacity: 8 << 10)
    writer.raw("{\"alg\":\"ES256\",\"x5c\":[")
    for certificate in identity.certificates {
      writer.comma()
      writer.text(Base64.encode(certificate.der))
    }
    writer.raw("]}")
    header = Array(Base64.encodeURL(writer.bytes).utf8) + [UInt8(ascii: ".")]
    let context = OpenSSLHandle(
      EVP_PKEY_CTX_new_from_pkey(nil, identity.key.handle.pointer, nil), free: { EVP_PKEY_CTX_free($0) })
    let isReady =
      context.map {
        EVP_PKEY_sign_init($0.pointer) == 1 && EVP_PKEY_CTX_set_signature_md($0.pointer, EVP_sha256()) == 1
      } ?? false
    self.context = isReady ? context : nil
  }

  /// Signs a payload and returns the compact JWS.
  ///
  /// - Parameter payload: the JWS payload, byte for byte.
  /// - Throws: `SigningError` (`cryptography`) when OpenSSL cannot sign.
  public func sign(_ payload: some Sequence<UInt8>) throws(SigningError) -> String {
    let bytes = Array(payload)
    writer.clear()
    var failure: SigningError?
    bytes.withUnsafeBufferPointer { buffer in
      do throws(SigningError) { try sign(buffer, to: writer) } catch { failure = error }
    }
    if let failure { throw failure }
    return writer.string
  }

  /// Signs a payload and appends the compact JWS.
  package func sign(
    _ payload: UnsafeBufferPointer<UInt8>, to writer: JSONWriter
  ) throws(SigningError) {
    let start = writer.count
    header.withUnsafeBufferPointer { writer.raw($0) }
    Base64.writeURL(payload, to: writer)
    let signature = try signature(of: UnsafeBufferPointer(rebasing: writer.buffer[start...]))
    writer.byte(UInt8(ascii: "."))
    signature.withUnsafeBufferPointer { Base64.writeURL($0, to: writer) }
  }

  // MARK: ES256

  /// ECDSA on P-256 with SHA-256, as the 64 bytes r ‖ s (RFC 7518 section 3.4).
  private func signature(of input: UnsafeBufferPointer<UInt8>) throws(SigningError) -> [UInt8] {
    var (digest, der) = ([UInt8](repeating: 0, count: 32), [UInt8](repeating: 0, count: 128))
    var count = der.count
    guard let context, EVP_Digest(input.baseAddress, input.count, &digest, nil, EVP_sha256(), nil) == 1,
      EVP_PKEY_sign(context.pointer, &der, &count, digest, digest.count) == 1,
      let raw = Self.raw(der.prefix(count))
    else { throw SigningError(.cryptography(detail: OpenSSLErrors.take())) }
    return raw
  }

  /// The two numbers of a signature in DER, 32 bytes each.
  private static func raw(_ der: ArraySlice<UInt8>) -> [UInt8]? {
    let parsed = der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
      var place = bytes.baseAddress
      return d2i_ECDSA_SIG(nil, &place, bytes.count)
    }
    guard let pair = OpenSSLHandle(parsed, free: { ECDSA_SIG_free($0) }) else { return nil }
    return withExtendedLifetime(pair) {
      var isWhole = false
      let raw = [UInt8](unsafeUninitializedCapacity: 64) { buffer, used in
        guard let base = buffer.baseAddress else { return }
        isWhole =
          BN_bn2binpad(ECDSA_SIG_get0_r(pair.pointer), base, 32) == 32
          && BN_bn2binpad(ECDSA_SIG_get0_s(pair.pointer), base + 32, 32) == 32
        used = isWhole ? 64 : 0
      }
      return isWhole ? raw : nil
    }
  }
}
