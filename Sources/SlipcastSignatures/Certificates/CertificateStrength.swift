internal import CSlipcastCrypto

/// What is required of the certificates below a root: at least what Apple used for each kind of signature.
package enum CertificateStrength: Sendable {
  /// Signed payloads: SHA-256 or better, RSA from 2048 bits or a curve from 256.
  case modern
  /// App receipts, and transaction receipts of version 3: SHA-1 too.
  case sha1
  /// Transaction receipts of version 2: SHA-1, and a signer's key of RSA from 1024 bits.
  case rsa1024

  /// The extensions by which Apple states what a certificate may sign: the signer's, and the intermediate's.
  ///
  /// Source: Apple, "Validating Receipts Locally" (markers), and its server libraries for signed payloads.
  var markers: (leaf: String, intermediate: String) {
    self == .rsa1024
      ? ("1.2.840.113635.100.6.5.1", "1.2.840.113635.100.6.2.2")
      : ("1.2.840.113635.100.6.11.1", "1.2.840.113635.100.6.2.1")
  }

  func check(_ certificate: Certificate, isSigner: Bool) throws(Refusal) {
    var (digest, key, bits, flags): (Int32, Int32, Int32, UInt32) = (0, 0, 0, 0)
    guard X509_get_signature_info(certificate.handle.pointer, &digest, &key, &bits, &flags) == 1 else {
      throw OpenSSLErrors.refusal(.weakCryptography, "the digest of a certificate is unknown")
    }
    let isOld = digest == NID_sha1 && self != .modern
    guard isOld || [NID_sha256, NID_sha384, NID_sha512].contains(digest) else {
      throw Refusal(.weakCryptography, "the digest of \(isSigner ? "the signer's" : "the intermediate") certificate")
    }
    let found = X509_get0_pubkey(certificate.handle.pointer)
    guard let key = found else { throw OpenSSLErrors.refusal(.keyType, "the key cannot be read") }
    let isRSA = EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA
    let least: Int32 = !isRSA ? 256 : self == .rsa1024 && isSigner ? 1024 : 2048
    guard EVP_PKEY_get_bits(key) >= least else {
      throw Refusal(.weakCryptography, "the key of \(isSigner ? "the signer's" : "the intermediate") certificate")
    }
  }
}
