@_spi(Slipcast) internal import SlipcastWire

/// Finds the date of signing for a payload.
///
/// Verifiers check that the certificates are valid at that time. It is never the current time, so the same record
/// always becomes the same payload.
package enum SignedDate {
  /// Members with the time of an event; expiry and renewal dates are in the future and do not date a signature.
  private static let past: [StaticString] = [
    "purchaseDate", "originalPurchaseDate", "revocationDate", "recentSubscriptionStartDate", "receiptCreationDate",
    "preorderDate", "requestDate", "refundDate", "tokenCreationDate", "signedDate",
  ]

  /// The date that a payload states itself, under the name of its form.
  ///
  /// - Throws: `SigningError` for a value that is not a number; `null` counts as absent.
  static func own(_ payload: JSONElement, _ name: String) throws(SigningError) -> Int64? {
    guard let member = payload[name], member.kind != .null else { return nil }
    guard let value = member.anyMilliseconds else {
      throw SigningError(.dateUnreadable(found: member.kind.description), at: member)
    }
    return value
  }

  /// The latest date of the past in a payload; a later one than now cannot date a signature.
  static func latest(in payload: JSONElement) -> Int64? {
    let tape = payload.tape
    let now = Timestamp.now.milliseconds
    var latest: Int64?
    var index = payload.index + 1
    let end = tape.after(payload.index)
    while index < end {
      if isPast(tape.key(index)), let date = JSONElement(tape: tape, index: index).anyMilliseconds, date <= now {
        latest = max(latest ?? date, date)
      }
      index += 1
    }
    return latest
  }

  private static func isPast(_ key: JSONText) -> Bool { past.contains { key == $0 } }

  /// A member of that name contains the time of an event.
  package static func isPast(_ name: String) -> Bool { past.contains { "\($0)" == name } }
}

extension SigningError {
  init(_ reason: Reason, at element: JSONElement) {
    self.init(
      reason, path: JSONPath(tape: element.tape, index: element.index),
      offset: element.tape.start(element.index))
  }
}
