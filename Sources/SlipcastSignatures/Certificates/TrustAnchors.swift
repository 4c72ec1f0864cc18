// Unsafe on purpose: a store is OpenSSL's; see `OpenSSLHandle`.
internal import CSlipcastCrypto
internal import SlipcastWire

/// Trusted root certificates, and intermediate ones for signatures that contain none.
public struct TrustAnchors: Sendable {
  /// The roots; a chain must end at one of them.
  public let roots: [Certificate]
  /// Intermediate certificates; they are trusted only if a root has signed them.
  public let intermediates: [Certificate]
  let store: OpenSSLHandle

  /// Creates anchors from certificates.
  public init(roots: [Certificate], intermediates: [Certificate] = []) {
    (self.roots, self.intermediates) = (roots, intermediates)
    guard let store = OpenSSLHandle(X509_STORE_new(), free: { X509_STORE_free($0) }) else {
      fatalError("OpenSSL has no memory for a store")
    }
    for root in roots { _ = X509_STORE_add_cert(store.pointer, root.handle.pointer) }
    self.store = store
  }

  /// Apple's anchors: the roots "Apple Root CA", G2 and G3, and the two intermediates of iOS 6 receipts, which embed
  /// none.
  ///
  /// Source: Apple PKI, "Apple Root Certificates" and "Apple Intermediate Certificates".
  public static let apple = TrustAnchors(
    roots: [
      PackageResources.AppleIncRootCertificate_cer, PackageResources.AppleRootCA_G2_cer,
      PackageResources.AppleRootCA_G3_cer,
    ].map(embedded),
    intermediates: [
      PackageResources.AppleITunesStoreCertificationAuthority_cer, PackageResources.AppleWWDRCA_cer,
    ].map(embedded))

  private static func embedded(_ bytes: [UInt8]) -> Certificate {
    guard let certificate = try? Certificate(der: bytes) else { fatalError("an embedded certificate is broken") }
    return certificate
  }

  /// Reads certificates from a file's bytes: one in DER, or any number in PEM (RFC 7468).
  ///
  /// - Throws: `Refusal` (`certificateUnreadable`) for anything else.
  public static func certificates(in file: [UInt8]) throws(Refusal) -> [Certificate] {
    let text = String(decoding: file, as: UTF8.self)
    let parts = text.split(separator: "-----BEGIN ", omittingEmptySubsequences: false).dropFirst()
    guard !parts.isEmpty else { return [try Certificate(der: file)] }
    var certificates: [Certificate] = []
    for part in parts where part.hasPrefix("CERTIFICATE-----") {
      let body = part.drop { $0 != "\n" && $0 != "\r\n" }.prefix { $0 != "-" }
      guard let der = Base64.decode(body.utf8) else { throw Refusal(.certificateUnreadable, "no base 64 in PEM") }
      certificates.append(try Certificate(der: der))
    }
    guard !certificates.isEmpty else { throw Refusal(.certificateUnreadable, "PEM without a certificate") }
    return certificates
  }
}
