// Unsafe on purpose: bytes pass between OpenSSL and the program here. Everything is copied before the call returns, and
// what OpenSSL allocates is freed here.
internal import CSlipcastCrypto
internal import SlipcastWire

/// Values of the program out of OpenSSL's forms, and the other way around.
enum OpenSSLValue {
  /// The object that OpenSSL reads from DER, and how many bytes are left after it.
  ///
  /// - Parameter read: a function of the family `d2i_…`.
  static func parse(
    _ der: [UInt8], _ read: (UnsafeMutablePointer<UnsafePointer<UInt8>?>, Int) -> OpaquePointer?
  ) -> (object: OpaquePointer?, rest: Int) {
    der.withUnsafeBufferPointer { bytes in
      var place = bytes.baseAddress
      guard let object = read(&place, bytes.count), let place, let start = bytes.baseAddress else { return (nil, 0) }
      return (object, bytes.count - (place - start))
    }
  }

  /// The header of the ASN.1 value at the start of some bytes (X.690 section 8.1): how long it is, and what it says.
  static func header(of bytes: Span<UInt8>) -> (form: Int32, kind: Int32, tag: Int32, size: Int, length: Int)? {
    var (length, tag, kind): (Int, Int32, Int32) = (0, 0, 0)
    return bytes.withUnsafeBufferPointer { bytes in
      var place = bytes.baseAddress
      let form = ASN1_get_object(&place, &length, &tag, &kind, bytes.count)
      guard form & 0x80 == 0, let place, let start = bytes.baseAddress else { return nil }
      return (form, kind, tag, place - start, length)
    }
  }

  /// What an answer says of a certificate, and from when until when it holds; `nil` where it does not mention it.
  ///
  /// An unreadable start is the last of all times, an unreadable end the first (RFC 6960 section 2.4).
  static func status(
    of name: OpenSSLHandle, in answer: OpenSSLHandle
  ) -> (status: Int32, from: Timestamp, until: Timestamp?)? {
    var (status, reason): (Int32, Int32) = (0, 0)
    var revoked: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
    var this: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
    var next: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
    guard OCSP_resp_find_status(answer.pointer, name.pointer, &status, &reason, &revoked, &this, &next) == 1 else {
      return nil
    }
    return (status, time(this, else: .max), next.map { time($0, else: .min) })
  }

  /// The DER of an object; `nil` when OpenSSL cannot write it.
  ///
  /// - Parameter write: a function of the family `i2d_…`, which is called for the length first.
  static func der(_ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32) -> [UInt8]? {
    let count = write(nil)
    guard count > 0 else { return nil }
    return [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, used in
      var place = buffer.baseAddress
      used = Int(max(0, write(&place)))
    }
  }

  /// The bytes of a string; `nil` for one without any memory.
  static func bytes(of string: UnsafePointer<ASN1_STRING>) -> [UInt8]? {
    guard let start = ASN1_STRING_get0_data(string) else { return nil }
    return Array(UnsafeBufferPointer(start: start, count: Int(ASN1_STRING_length(string))))
  }

  static func text(of string: UnsafePointer<ASN1_STRING>) -> String? {
    var bytes: UnsafeMutablePointer<UInt8>?
    let count = ASN1_STRING_to_UTF8(&bytes, string)
    guard count >= 0, let bytes else { return nil }
    defer { CRYPTO_free(bytes, #file, #line) }
    return String(decoding: UnsafeBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
  }

  /// What a function writes to a stream; `nil` when it fails or writes nothing.
  static func written(_ write: (OpaquePointer) -> Bool) -> [UInt8]? {
    guard let stream = OpenSSLHandle(BIO_new(BIO_s_mem()), free: { BIO_free_all($0) }), write(stream.pointer) else {
      return nil
    }
    var start: UnsafeMutablePointer<CChar>?
    let count = BIO_ctrl(stream.pointer, BIO_CTRL_INFO, 0, &start)
    guard let start, count > 0 else { return nil }
    return withExtendedLifetime(stream) {
      UnsafeBufferPointer(start: start, count: count).map { UInt8(bitPattern: $0) }
    }
  }

  /// Calls a function with a stream of some bytes; `nil` when memory runs out.
  static func read<Result>(_ bytes: [UInt8], _ use: (OpaquePointer) -> Result?) -> Result? {
    bytes.withUnsafeBytes { bytes in
      let stream = OpenSSLHandle(BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count))) {
        BIO_free_all($0)
      }
      guard let stream else { return nil }
      return withExtendedLifetime(stream) { use(stream.pointer) }
    }
  }

  /// Reads a time; an unreadable one is the other value.
  static func time(_ time: UnsafePointer<ASN1_TIME>?, else unreadable: Int64) -> Timestamp {
    var (days, seconds): (Int32, Int32) = (0, 0)
    guard let time, let epoch = ASN1_TIME_set(nil, 0) else { return Timestamp(milliseconds: unreadable) }
    defer { ASN1_TIME_free(epoch) }
    guard ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else { return Timestamp(milliseconds: unreadable) }
    return Timestamp(milliseconds: (Int64(days) * 86_400 + Int64(seconds)) * 1000)
  }

  /// OpenSSL's numbers of the algorithms that a signer names; 0 for unknown ones.
  static func algorithms(of signer: OpaquePointer) -> (digest: Int32, signature: Int32) {
    var (digest, signature): (UnsafeMutablePointer<X509_ALGOR>?, UnsafeMutablePointer<X509_ALGOR>?)
    CMS_SignerInfo_get0_algs(signer, nil, nil, &digest, &signature)
    func identifier(of algorithm: UnsafeMutablePointer<X509_ALGOR>?) -> Int32 {
      var object: OpaquePointer?
      guard let algorithm else { return NID_undef }
      X509_ALGOR_get0(&object, nil, nil, algorithm)
      return object.map { OBJ_obj2nid($0) } ?? NID_undef
    }
    return (identifier(of: digest), identifier(of: signature))
  }

  /// The name of a key's curve, such as `prime256v1`; `nil` for a key of another kind.
  static func curve(of key: OpaquePointer) -> String? {
    var (name, count) = ([CChar](repeating: 0, count: 64), 0)
    guard EVP_PKEY_get_group_name(key, &name, name.count, &count) == 1 else { return nil }
    return text(name, count)
  }

  /// The characters that OpenSSL wrote to an array, of which there may have been more than fit.
  static func text(_ characters: [CChar], _ count: Int) -> String {
    String(decoding: characters.prefix(max(0, count)).prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Appends an object to a stack that borrows it.
  static func push(_ object: OpenSSLHandle, on stack: OpenSSLHandle) {
    OPENSSL_sk_push(stack.pointer, UnsafeRawPointer(object.pointer))
  }

  // MARK: digests

  /// The digest of a text.
  ///
  /// - Parameter size: the length of the digest in bytes.
  static func digest(_ text: Span<UInt8>, _ algorithm: OpenSSLHandle, size: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: size) { buffer, used in
      let done = text.withUnsafeBytes {
        EVP_Digest($0.baseAddress, $0.count, buffer.baseAddress, nil, algorithm.pointer, nil) == 1
      }
      guard done else { fatalError("OpenSSL could not compute a digest") }
      used = size
    }
  }

  static func add(_ text: Span<UInt8>, to digest: OpenSSLHandle) -> Bool {
    text.withUnsafeBytes { EVP_DigestUpdate(digest.pointer, $0.baseAddress, $0.count) == 1 }
  }
}
