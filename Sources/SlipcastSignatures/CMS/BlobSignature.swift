package import SlipcastWire

/// The signature of a transaction receipt in the style of iOS 6: RSA PKCS #1 v1.5 with SHA-1 over the version byte and
/// the bytes of `purchase-info`, by the one certificate in the blob.
///
/// Source: Apple's sample code of 2012 for in-app purchase validation on iOS.
package struct BlobSignature: Sendable {
  /// 2 or 3: which certificates Apple used.
  package let version: UInt8
  private let signature: [UInt8]
  private let certificate: Certificate

  /// Parses a blob: version (1 byte), signature (128 or 256), length of the certificate (4), certificate.
  ///
  /// - Throws: `Refusal` for a blob of another form.
  package init(_ blob: [UInt8]) throws(Refusal) {
    guard let version = blob.first else { throw Refusal(.signatureMissing) }
    guard version == 2 || version == 3 else { throw Refusal(.signatureVersion, "found \(version)") }
    let length = version == 2 ? 128 : 256
    guard blob.count > length + 5 else { throw Refusal(.signatureMalformed, "the blob is too short") }
    let announced = blob[(length + 1)..<(length + 5)].reduce(0) { $0 << 8 | Int($1) }
    guard announced == blob.count - length - 5 else {
      throw Refusal(.signatureMalformed, "the certificate is not as long as the blob says")
    }
    certificate = try Certificate(der: Array(blob[(length + 5)...]))
    (self.version, signature) = (version, Array(blob[1...length]))
  }

  package var certificates: [Certificate] { [certificate] }

  /// Verifies the signature over `purchase-info`, and the certificate chain as of a time.
  ///
  /// - Returns: the chain.
  /// - Throws: `Refusal` with the first failed check.
  package func verify(
    over purchaseInfo: [UInt8], to anchors: TrustAnchors, at time: Timestamp
  ) throws(Refusal) -> [Certificate] {
    try RSASignature.check(signature, over: [version] + purchaseInfo, by: certificate, .sha1)
    return try CertificatePath.find(
      from: certificate, through: [], to: anchors, at: time, strength: version == 2 ? .rsa1024 : .sha1
    ).certificates
  }
}
