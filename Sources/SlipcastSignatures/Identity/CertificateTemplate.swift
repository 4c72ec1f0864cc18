// Unsafe on purpose: certificates are made through OpenSSL's setters; see `OpenSSLHandle`.
internal import CSlipcastCrypto

/// The content of a certificate of a test identity.
struct CertificateTemplate {
  var commonName: String
  /// Extensions in OpenSSL's syntax, in their order (`openssl-x509v3_config`).
  var extensions: [(name: String, value: String)]

  /// An issuer: its certificate and its key.
  typealias Issuer = (certificate: Certificate, key: PrivateKey)

  /// Issues the certificate for a key; without an issuer it signs itself.
  func issue(for key: PrivateKey, by issuer: Issuer?) throws(IdentityError) -> Certificate {
    guard let draft = OpenSSLHandle(X509_new(), free: { X509_free($0) }) else { throw Self.failure() }
    defer { withExtendedLifetime(draft) {} }
    let certificate = draft.pointer
    let signer = issuer?.certificate.handle.pointer ?? certificate
    guard X509_set_version(certificate, 2) == 1, setSerialNumber(certificate), setNames(certificate, signer),
      ASN1_TIME_set_string_X509(X509_getm_notBefore(certificate), Self.notBefore) == 1,
      ASN1_TIME_set_string_X509(X509_getm_notAfter(certificate), Self.notAfter) == 1,
      X509_set_pubkey(certificate, key.handle.pointer) == 1
    else { throw Self.failure() }
    for (name, value) in extensions where !add(name, value, to: certificate, of: signer) { throw Self.failure(name) }
    guard X509_sign(certificate, (issuer?.key ?? key).handle.pointer, EVP_sha384()) > 0,
      X509_up_ref(certificate) == 1, let made = Certificate(taking: certificate)
    else { throw Self.failure() }
    return made
  }

  /// The App Store opened in July 2008, so every event is in this time; from 2050 on, dates have another form.
  private static let (notBefore, notAfter) = ("20080101000000Z", "20491231235959Z")

  private static func failure(_ what: String = "a certificate") -> IdentityError {
    IdentityError(.cryptography(action: "make \(what)", detail: OpenSSLErrors.take()))
  }

  /// A random positive number of 127 bits (RFC 5280 section 4.1.2.2).
  private func setSerialNumber(_ certificate: OpaquePointer) -> Bool {
    guard let number = OpenSSLHandle(BN_new(), free: { BN_free($0) }) else { return false }
    return BN_rand(number.pointer, 127, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ANY) == 1
      && BN_to_ASN1_INTEGER(number.pointer, X509_get_serialNumber(certificate)) != nil
  }

  private func setNames(_ certificate: OpaquePointer, _ signer: OpaquePointer) -> Bool {
    let entries = [("CN", commonName), ("OU", "For tests only"), ("O", "Slipcast")]
    guard let name = OpenSSLHandle(X509_NAME_new(), free: { X509_NAME_free($0) }) else { return false }
    for (field, text) in entries {
      guard X509_NAME_add_entry_by_txt(name.pointer, field, MBSTRING_UTF8, text, -1, -1, 0) == 1 else { return false }
    }
    return X509_set_subject_name(certificate, name.pointer) == 1
      && X509_set_issuer_name(certificate, X509_get_subject_name(signer)) == 1
  }

  private func add(_ name: String, _ value: String, to certificate: OpaquePointer, of signer: OpaquePointer) -> Bool {
    var context = X509V3_CTX()
    X509V3_set_ctx(&context, signer, certificate, nil, nil, 0)
    guard let made = OpenSSLHandle(X509V3_EXT_nconf(nil, &context, name, value), free: { X509_EXTENSION_free($0) })
    else { return false }
    return X509_add_ext(certificate, made.pointer, -1) == 1
  }
}

extension CertificateTemplate {
  /// Both identifiers of a key; the issuer's must come last, because a root refers to its own.
  private static let identifiers = [("subjectKeyIdentifier", "hash"), ("authorityKeyIdentifier", "keyid:always")]
  /// DER of an ASN.1 NULL, the value of Apple's marker extensions.
  private static let null = "DER:05:00"

  /// Like Apple Root CA - G3.
  static let root = CertificateTemplate(
    commonName: "Slipcast Test Root CA",
    extensions: [
      ("basicConstraints", "critical,CA:TRUE"), ("keyUsage", "critical,keyCertSign,cRLSign"),
    ] + identifiers)

  /// Like Apple Worldwide Developer Relations Certification Authority, G6.
  static let intermediate = CertificateTemplate(
    commonName: "Slipcast Test Intermediate CA",
    extensions: [
      ("basicConstraints", "critical,CA:TRUE,pathlen:0"), ("keyUsage", "critical,keyCertSign,cRLSign"),
    ] + identifiers + [("1.2.840.113635.100.6.2.1", null)])

  /// Like Prod ECC Mac App Store and iTunes Store Receipt Signing.
  static let leaf = CertificateTemplate(
    commonName: "Slipcast Test Signing",
    extensions: [
      ("basicConstraints", "critical,CA:FALSE"), ("keyUsage", "critical,digitalSignature"),
    ] + identifiers + [("1.2.840.113635.100.6.11.1", null)])

  /// Signs the answers of an OCSP responder for its issuer (RFC 6960 section 4.2.2.2).
  static let responder = CertificateTemplate(
    commonName: "Slipcast Test OCSP Responder",
    extensions: [
      ("basicConstraints", "critical,CA:FALSE"), ("keyUsage", "critical,digitalSignature"),
      ("extendedKeyUsage", "OCSPSigning"), ("noCheck", "yes"),
    ] + identifiers)

  /// The same certificate with the address of its issuer's OCSP responder.
  func asking(_ address: String?) -> CertificateTemplate {
    guard let address else { return self }
    var template = self
    template.extensions.append(("authorityInfoAccess", "OCSP;URI:\(address)"))
    return template
  }
}
