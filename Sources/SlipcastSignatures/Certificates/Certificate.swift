// Unsafe on purpose: certificates are read through OpenSSL's accessors; see `OpenSSLHandle`.
internal import CSlipcastCrypto
public import SlipcastWire

/// An X.509 certificate (RFC 5280).
public struct Certificate: Hashable, Sendable {
  let handle: OpenSSLHandle
  /// The certificate's DER encoding.
  public let der: [UInt8]

  /// Reads one certificate in DER.
  ///
  /// - Throws: `Refusal` (`certificateUnreadable`) for other bytes, or trailing bytes.
  public init(der: [UInt8]) throws(Refusal) {
    ERR_clear_error()
    let (parsed, rest) = OpenSSLValue.parse(der) { d2i_X509(nil, $0, $1) }
    guard let handle = OpenSSLHandle(parsed, free: { X509_free($0) }), rest == 0 else {
      throw Refusal(.certificateUnreadable, OpenSSLErrors.take())
    }
    (self.handle, self.der) = (handle, der)
  }

  init?(taking pointer: OpaquePointer?) {
    guard let handle = OpenSSLHandle(pointer, free: { X509_free($0) }) else { return nil }
    guard let der = OpenSSLValue.der({ i2d_X509(handle.pointer, $0) }) else { return nil }
    (self.handle, self.der) = (handle, der)
  }

  /// Equal certificates have equal bytes.
  public static func == (left: Certificate, right: Certificate) -> Bool { left.der == right.der }

  /// Equal certificates have equal bytes.
  public func hash(into hasher: inout Hasher) { hasher.combine(der) }

  // MARK: content

  /// The subject, in the order of the certificate (the spelling of RFC 2253).
  public var subject: String { Self.text(of: X509_get_subject_name(handle.pointer)) }
  /// Who issued it.
  public var issuer: String { Self.text(of: X509_get_issuer_name(handle.pointer)) }
  /// The common name of the subject.
  public var commonName: String? {
    guard let name = X509_get_subject_name(handle.pointer) else { return nil }
    let place = X509_NAME_get_index_by_NID(name, NID_commonName, -1)
    guard place >= 0, let entry = X509_NAME_get_entry(name, place), let text = X509_NAME_ENTRY_get_data(entry) else {
      return nil
    }
    return OpenSSLValue.text(of: text)
  }
  /// The serial number in hexadecimal digits, upper case, an even number of them.
  public var serialNumber: String {
    guard let number = X509_get0_serialNumber(handle.pointer) else { return "" }
    return OpenSSLValue.bytes(of: number).map { Hexadecimal.encode($0) } ?? ""
  }
  /// The start of its validity.
  public var notBefore: Timestamp { OpenSSLValue.time(X509_get0_notBefore(handle.pointer), else: .max) }
  /// The end of its validity; it is still valid in that second.
  public var notAfter: Timestamp { OpenSSLValue.time(X509_get0_notAfter(handle.pointer), else: .min) }
  /// SHA-256 of its bytes in hexadecimal digits, upper case.
  public var sha256: String { Hexadecimal.encode(Digest.sha256(der)) }
  /// Object identifiers of its extensions in Apple's arc (1.2.840.113635.100.6), in their order.
  public var markers: [String] {
    (0..<max(0, X509_get_ext_count(handle.pointer))).compactMap { place in
      guard let object = X509_EXTENSION_get_object(X509_get_ext(handle.pointer, place)) else { return nil }
      let text = Self.dotted(object)
      return text.hasPrefix("1.2.840.113635.100.6.") ? text : nil
    }
  }
  /// True when its basic constraints make it an authority (RFC 5280 section 4.2.1.9).
  var isAuthority: Bool { X509_check_ca(handle.pointer) == 1 }
  /// True when its key usage includes digital signatures, or is missing (RFC 5280 section 4.2.1.3).
  var isForSignatures: Bool { X509_get_key_usage(handle.pointer) & UInt32(KU_DIGITAL_SIGNATURE) != 0 }

  /// It names the key of its issuer (RFC 5280 section 4.2.1.1).
  var hasAuthorityKeyIdentifier: Bool { X509_get0_authority_key_id(handle.pointer) != nil }
  /// True when it contains its own key identifier (RFC 5280 section 4.2.1.2).
  var hasSubjectKeyIdentifier: Bool { X509_get0_subject_key_id(handle.pointer) != nil }

  // MARK: OpenSSL's forms

  static func dotted(_ object: OpaquePointer) -> String {
    var text = [CChar](repeating: 0, count: 128)
    let count = Int(OBJ_obj2txt(&text, Int32(text.count), object, 1))
    return OpenSSLValue.text(text, count)
  }

  private static func text(of name: OpaquePointer?) -> String {
    guard let name else { return "" }
    let text = OpenSSLValue.written { X509_NAME_print_ex($0, name, 0, slipcast_name_style) >= 0 }
    return text.map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}
