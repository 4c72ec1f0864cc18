internal import SlipcastBulk
internal import SlipcastDigest
internal import SlipcastMapping
internal import SlipcastReceipts
internal import SlipcastSignatures

struct Refused: Error {
  var status: Int
  /// One word for programs.
  var reason: String
  var message = ""
}

/// Decides whether a body is a notification that can be trusted; for one thread at a time.
final class Inspector {
  private let reader: NotificationReader
  private let verifier: SignedRecordVerifier
  private let secrets: [String]
  private let policy: VerificationPolicy

  init(_ options: EndpointOptions) {
    reader = NotificationReader(prepared: options.prepared, recordBytes: options.maxBody)
    verifier = SignedRecordVerifier(policy: options.policy, rules: options.rules)
    (secrets, policy) = (options.secretDigests, options.policy)
  }

  func inspect(_ body: [UInt8], receivedAt: Int64) throws(Refused) -> IncomingNotification {
    do {
      var found = try reader.read(body, receivedAt: receivedAt) { (found) throws(Refused) in
        switch found.version {
        case .v1:
          try check(found.secret)
          try checkApp(of: found)
        case .v2: try verify(body, found.payload)
        }
      }
      found.secret = nil
      return found
    } catch let error as NotificationFault {
      throw Refused(status: 400, reason: error.code, message: error.message)
    } catch {
      throw error as? Refused ?? Refused(status: 400, reason: "notANotification")
    }
  }

  /// Whose V1 body it is, by what it says; nothing in it is signed.
  private func checkApp(of found: IncomingNotification) throws(Refused) {
    do throws(Refusal) {
      try policy.check(bundleId: found.bundleId)
      if let wanted = policy.environment {
        guard let environment = found.environment else { throw Refusal(.environmentMissing) }
        guard environment == wanted else { throw Refusal(.environmentMismatch) }
      }
    } catch {
      throw Refused(status: 403, reason: error.reason.rawValue, message: error.description)
    }
  }

  /// Digests of equal length are compared completely, so the time reveals nothing about the secret.
  private func check(_ secret: [UInt8]?) throws(Refused) {
    guard !secrets.isEmpty else { return }
    guard let secret else { throw Refused(status: 403, reason: "secretMissing", message: "expected password") }
    let digest = SHA256Stream.hexadecimal(of: secret)
    var isKnown = false
    for known in secrets {
      var difference: UInt8 = 0
      for (left, right) in zip(known.utf8, digest.utf8) { difference |= left ^ right }
      if difference == 0 { isKnown = true }
    }
    guard isKnown else {
      throw Refused(status: 403, reason: "secretWrong", message: "password does not match --shared-secret")
    }
  }

  private func verify(_ body: [UInt8], _ payload: [UInt8]) throws(Refused) {
    let verdicts = verifier.verify(body) + verifier.verify(payload).filter { $0.refusal?.reason != .nothingSigned }
    guard let refusal = verdicts.lazy.compactMap(\.refusal).first else { return }
    throw Refused(status: 403, reason: refusal.reason.rawValue, message: refusal.description)
  }
}
