/// The kind of a signed value.
public enum SignedKind: String, CaseIterable, Hashable, Sendable {
  /// The signed payload of a version 2 notification.
  case notification
  /// A signed transaction (`JWSTransaction`).
  case transaction
  /// A signed renewal info (`JWSRenewalInfo`).
  case renewalInfo
  /// A signed app transaction (`JWSAppTransaction`).
  case appTransaction
  /// An app receipt: PKCS #7, iOS 7 and later.
  case appReceipt
  /// A transaction receipt in the style of iOS 6: a property list with a signature blob.
  case transactionReceipt
}

/// Why something signed is not trusted, or cannot be read as a model (`memberKind`).
public struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// One case for each kind of failure.
  public enum Reason: String, CaseIterable, Hashable, Sendable {
    // The kind of value.
    case empty, unrecognized, tooLarge, nothingSigned
    // The compact JWS.
    case headerUnreadable, payloadUnreadable, payloadUnknown, algorithm, criticalHeader
    case certificatesMissing, certificateCount, certificateUnreadable
    case claimExpired, claimNotYetValid, claimAudience
    // The signature.
    case signatureMissing, signatureMalformed, signatureMismatch, keyType
    // The certificate path.
    case issuerMissing, untrustedRoot, certificateSignature, certificateNotYetValid, certificateExpired
    case certificateRevoked, certificateUnknown
    case issuerNotAuthority, keyUsage, weakCryptography, pathLength, pathInvalid, leafMarkerMissing,
      intermediateMarkerMissing
    // The signed message around an app receipt.
    case messageUnreadable, trailingBytes, contentType, contentMissing, signerCount, signerCertificateMissing
    case signerCertificateAmbiguous, digestAlgorithm
    // Content of a receipt.
    case receiptMalformed, attributeDuplicate, textMalformed
    case creationDateMissing, creationDateUnreadable
    case propertyListUnreadable, keyDuplicate, purchaseInfoMissing, purchaseDateMissing, signatureVersion
    // A trusted payload, read as a model.
    case memberKind
    // Requirements of the policy.
    case bundleIdMissing, bundleIdMismatch, appAppleIdMissing, appAppleIdMismatch
    case environmentMissing, environmentMismatch, xcodeNotAccepted, deviceHashMissing, deviceMismatch
    case signedDateUnreadable
  }

  /// The reason as one word.
  public var reason: Reason
  /// The detail, in words; never a customer's value.
  public var detail: String?
  /// The path of the rejected value in the record; empty for the record itself.
  public var path: String

  /// A refusal without further detail has the message of its reason.
  public init(_ reason: Reason, _ detail: String? = nil, path: String = "") {
    (self.reason, self.detail, self.path) = (reason, detail, path)
  }

  /// One line: what was expected, what was found, what to do.
  public var description: String {
    let place = path.isEmpty ? "" : "\(path): "
    return place + reason.message + (detail.map { " (\($0))" } ?? "")
  }
}

extension Refusal.Reason {
  // A table, one line per reason; the compiler sees that none is missing.
  /// The reason in a sentence.
  public var message: String {
    switch self {
    case .empty: "expected something signed, found nothing at all"
    case .unrecognized: "expected a signed payload (JWS), an app receipt or a transaction receipt, found none of these"
    case .tooLarge: "larger than the limit"
    case .nothingSigned:
      "no known name has a signed value (signedPayload, latest_receipt, receipt-data and others)"
    case .headerUnreadable: "the header of the JWS is not one JSON object in base64url"
    case .payloadUnreadable: "the payload of the JWS is not one JSON object in base64url"
    case .payloadUnknown: "unknown payload; expected a notification, transaction, renewal info or app transaction"
    case .algorithm: "expected the algorithm ES256, found another one"
    case .criticalHeader: "the header asks for an extension (crit, b64) that Apple does not use"
    case .certificatesMissing: "no certificates come with it"
    case .certificateCount: "expected another number of certificates"
    case .certificateUnreadable: "a certificate cannot be read"
    case .claimExpired: "the claim exp is in the past"
    case .claimNotYetValid: "the claim nbf or iat is in the future"
    case .claimAudience: "the claim aud names an audience, which Apple's payloads never do"
    case .signatureMissing: "it is not signed"
    case .signatureMalformed: "the signature does not have the form that its algorithm requires"
    case .signatureMismatch: "the signature is not the signer's: the content or the signature was changed"
    case .keyType: "the signer's key is of another type than Apple uses here"
    case .issuerMissing:
      "the issuer of a certificate is missing; add it to the intermediate certificates (command: --intermediate)"
    case .untrustedRoot: "the certificates do not lead to a trusted root"
    case .certificateSignature: "a certificate is not signed by the issuer that it names"
    case .certificateNotYetValid: "a certificate was not yet valid at that time"
    case .certificateExpired: "a certificate had expired at that time"
    case .certificateRevoked: "the issuer has revoked a certificate"
    case .certificateUnknown: "the issuer's OCSP responder does not know a certificate"
    case .issuerNotAuthority: "an issuer is not a certificate authority"
    case .keyUsage: "the signer's certificate is not for digital signatures"
    case .weakCryptography: "a certificate is weaker than any that Apple signed such things with"
    case .pathLength: "expected a path of exactly three: signer, intermediate, root"
    case .pathInvalid: "the certificate path breaks a rule of RFC 5280"
    case .leafMarkerMissing: "the signer's certificate lacks Apple's mark for receipts and signed payloads"
    case .intermediateMarkerMissing: "the intermediate certificate lacks Apple's mark"
    case .messageUnreadable: "no readable CMS (PKCS #7) signed data"
    case .trailingBytes: "trailing bytes after the end"
    case .contentType: "the signed content is not of the type data"
    case .contentMissing: "the signed content is not there"
    case .signerCount: "expected exactly one signer"
    case .signerCertificateMissing: "the signer's certificate is not there"
    case .signerCertificateAmbiguous: "two certificates bear the signer's name and number"
    case .digestAlgorithm: "expected the digest SHA-1 or SHA-256, found another one"
    case .receiptMalformed: "the receipt's attributes are not what Apple's are"
    case .attributeDuplicate: "the receipt contains a decisive attribute twice"
    case .textMalformed: "a decisive text is not UTF-8, or contains a NUL"
    case .creationDateMissing: "the receipt has no creation date, at which its certificates would be judged"
    case .creationDateUnreadable: "the receipt's creation date cannot be read"
    case .propertyListUnreadable: "no readable old-style property list"
    case .keyDuplicate: "the property list contains a key twice"
    case .purchaseInfoMissing: "the receipt has no readable purchase-info"
    case .purchaseDateMissing: "the receipt has no readable purchase date, at which its certificate would be judged"
    case .signatureVersion: "expected a signature of version 2 or 3, found another one"
    case .memberKind: "a member has another kind of value than Apple documents; its signature is not at fault"
    case .bundleIdMissing: "it names no bundle id"
    case .bundleIdMismatch: "it is for another bundle id than the one asked for"
    case .appAppleIdMissing: "it names no app Apple id"
    case .appAppleIdMismatch: "it is for another app Apple id than the one asked for"
    case .environmentMissing: "it does not state its environment"
    case .environmentMismatch: "it is from another environment than the one asked for"
    case .xcodeNotAccepted: "Xcode or LocalTesting data: no signature that a server could trust"
    case .deviceHashMissing: "it lacks the values from which a device is recognised"
    case .deviceMismatch: "it was issued for another device"
    case .signedDateUnreadable: "its signedDate is not a number of milliseconds"
    }
  }
}

extension Refusal.Reason {
  /// The remedy, for the reasons that a newcomer meets first.
  package var advice: String? {
    switch self {
    case .untrustedRoot:
      "It was signed under another authority than Apple's: a test identity (slipcast identity), Xcode, another party, or a "
        + "forger. Name the root with --root only if you made it or got it from a trusted source; else do not "
        + "trust the record. slipcast inspect shows the certificates."
    case .signatureMismatch: "Do not trust it. Compare it with the copy that you received first."
    case .messageUnreadable, .propertyListUnreadable:
      "It may have been cut off or encoded twice where it was stored; compare its length with that of others."
    case .nothingSigned:
      "Pass the receipt, the token, or a record as Apple sends it; for a wrapped row, name the member with "
        + "--body POINTER."
    case .certificateExpired, .certificateNotYetValid:
      "Certificates are judged as of the time of signing; a clock that was wrong then, or a forgery, gives this."
    default: nil
    }
  }
}
