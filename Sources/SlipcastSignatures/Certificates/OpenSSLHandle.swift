// Unsafe on purpose: OpenSSL's objects are pointers. Each one has exactly one owner, an `OpenSSLHandle`, which frees it.
internal import CSlipcastCrypto

/// One OpenSSL object with its only owner.
///
/// Safe to send: OpenSSL 3 only reads the objects that threads share (certificates, stores, public keys), or guards
/// them with its own locks; every other object stays with the object that made it.
final class OpenSSLHandle: @unchecked Sendable {
  let pointer: OpaquePointer
  private let free: @Sendable (OpaquePointer) -> Void

  /// Takes ownership of an object; `nil` when OpenSSL could not make it.
  init?(_ pointer: OpaquePointer?, free: @escaping @Sendable (OpaquePointer) -> Void) {
    guard let pointer else { return nil }
    (self.pointer, self.free) = (pointer, free)
  }

  deinit { free(pointer) }
}

/// OpenSSL's queue of errors; emptied, because it belongs to the thread and would grow.
enum OpenSSLErrors {
  static func take() -> String? {
    let code = ERR_peek_last_error()
    ERR_clear_error()
    guard code != 0, let text = ERR_reason_error_string(code) else { return nil }
    return String(cString: text)
  }

  /// A refusal that says more than OpenSSL's error, which is dropped.
  static func refusal(_ reason: Refusal.Reason, _ detail: String? = nil) -> Refusal {
    ERR_clear_error()
    return Refusal(reason, detail)
  }
}
