// Unsafe on purpose: OpenSSL is called as its own speed test calls it.
import CSlipcastCrypto

/// Signs one digest on P-256, or verifies its signature, again and again.
final class RawKey {
  private let key: OpaquePointer
  private let context: OpaquePointer
  private let verifies: Bool
  private var digest = [UInt8](repeating: 0x5A, count: 32)
  private var signature = [UInt8](repeating: 0, count: 80)

  init(verifies: Bool) throws {
    guard let maker = EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else { throw BenchError("OpenSSL has no EC") }
    defer { EVP_PKEY_CTX_free(maker) }
    var made: OpaquePointer?
    guard EVP_PKEY_keygen_init(maker) == 1, EVP_PKEY_CTX_set_group_name(maker, "P-256") == 1,
      EVP_PKEY_generate(maker, &made) == 1, let made, let context = EVP_PKEY_CTX_new(made, nil)
    else { throw BenchError("OpenSSL could not make a key") }
    (key, self.context, self.verifies) = (made, context, verifies)
    guard EVP_PKEY_sign_init(context) == 1 else { throw BenchError("OpenSSL could not sign") }
    guard verifies else { return }
    let count = sign()
    guard count > 0, EVP_PKEY_verify_init(context) == 1 else { throw BenchError("OpenSSL could not sign") }
    signature.removeLast(signature.count - count)
  }

  deinit {
    EVP_PKEY_CTX_free(context)
    EVP_PKEY_free(key)
  }

  /// - Returns: the length of the signature; 0 without one.
  private func sign() -> Int {
    var count = signature.count
    return EVP_PKEY_sign(context, &signature, &count, digest, digest.count) == 1 ? count : 0
  }

  /// Signs what ES256 signs of a message, its SHA-256 (RFC 7518, section 3.4).
  func sign(_ message: [UInt8]) -> Bool {
    EVP_Digest(message, message.count, &digest, nil, EVP_sha256(), nil) == 1 && sign() > 0
  }

  func run() -> Bool {
    guard verifies else { return sign() > 0 }
    return EVP_PKEY_verify(context, signature, signature.count, digest, digest.count) == 1
  }
}
