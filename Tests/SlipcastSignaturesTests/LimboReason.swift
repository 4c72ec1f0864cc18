/// Why a case of x509-limbo comes out otherwise than the suite expects.
enum LimboReason: String, CaseIterable {
  case hostNames = "names of hosts: a signed payload is from no host, so nothing asks for one"
  case revocation = "revocation lists: Slipcast reads none; it works offline and judges as of the time of signing"
  case depth = "the case's own bound of the depth; Slipcast's is exactly one certificate between signer and root"
  case keyIdentifier = "refused in a path of three: Slipcast demands key identifiers below a root that has one"
  case root = "a property of the root, which the caller has chosen to trust"
  case purpose = "purposes of TLS: Apple's marks say what a certificate may sign"
  case issuing = "a rule for who issues certificates (RFC 5280 section 4), no part of path validation (section 6)"
  case webSigner = "a rule of the web for its servers' certificates, which RFC 5280 does not have"
  case weakSigner = "refused in a path of three: the signer's key is too weak, or not of the signature's type"
  case unread = "an extension that nothing here reads"
  case unmarked = "a certificate of version 1 has no extensions, so no mark of Apple's, and is refused for that"
  case anchors = "the case trusts a certificate that others have signed: a path must end at one that signed itself"
  case firstIssuer = "OpenSSL 3.0 follows the first issuer of a name that it meets; Apple has one of each"

  /// Why a path is found that the suite wants refused.
  static func ofTaking(_ id: String) -> LimboReason? { taking.first { id.hasPrefix($0.0) }?.1 }
  /// Why no path is found where the suite wants one.
  static func ofRefusing(_ id: String) -> LimboReason? { refusing.first { id.hasPrefix($0.0) }?.1 }

  /// Beginnings of names; the first that fits counts.
  private static let taking: [(String, LimboReason)] = [
    ("crl::", .revocation),
    ("cve::cve-2025-61727", .hostNames),
    ("pathlen::max-chain-depth-", .depth),
    ("rfc5280::aki::intermediate-missing-aki", .keyIdentifier),
    ("rfc5280::aki::leaf-missing-aki", .keyIdentifier),
    ("rfc5280::ski::intermediate-missing-ski", .keyIdentifier),
    ("rfc5280::ski::root-missing-ski", .root),
    ("rfc5280::ca-as-leaf-wrong-san", .hostNames),
    ("rfc5280::eku::", .purpose),
    ("rfc5280::leaf-ku-keycertsign", .issuing),
    ("rfc5280::nc::not-allowed-in-ee-", .issuing),
    ("rfc5280::nc::permitted-dns-match-noncritical", .root),
    ("rfc5280::nc::invalid-dnsname-leading-period", .hostNames),
    ("rfc5280::nc::nc-forbids-dnsname-wildcard-san", .hostNames),
    ("rfc5280::nc::nc-permits-invalid-", .hostNames),
    ("rfc5280::pc::ica-noncritical-pc", .issuing),
    ("rfc5280::root-", .root),
    ("rfc5280::san::noncritical-with-empty-subject", .issuing),
    ("rfc5280::san::", .hostNames),
    ("rfc5280::serial::", .issuing),
    ("webpki::aki::root-", .root),
    ("webpki::eku::root-", .root),
    ("webpki::eku::", .purpose),
    ("webpki::ca-as-leaf", .webSigner),
    ("webpki::ee-basicconstraints-ca", .webSigner),
    ("webpki::cn::", .hostNames),
    ("webpki::san::", .hostNames),
    ("webpki::nc::intermediate-permitted-excluded-subtrees-both-", .hostNames),
    ("webpki::forbidden-rsa-key-not-divisible-by-8-in-leaf", .webSigner),
    ("webpki::forbidden-dsa-leaf", .weakSigner),
    ("webpki::forbidden-p192-leaf", .weakSigner),
    ("webpki::forbidden-weak-rsa-in-leaf", .weakSigner),
    ("webpki::forbidden-dsa-root", .root),
    ("webpki::forbidden-p192-root", .root),
    ("webpki::forbidden-rsa-not-divisible-by-8-in-root", .root),
    ("webpki::forbidden-weak-rsa-key-in-root", .root),
    ("webpki::malformed-aia", .unread),
    ("webpki::v1-cert", .unmarked),
  ]

  private static let refusing: [(String, LimboReason)] = [
    ("cve::cve-2024-0567", .anchors),
    ("rfc5280::nc::nc-forbids-alternate-chain-ica", .firstIssuer),
    ("rfc5280::nc::nc-forbids-same-chain-ica", .firstIssuer),
    ("rfc5280::root-and-intermediate-swapped", .anchors),
  ]
}
