internal import SlipcastReceipts
internal import SlipcastSignatures
@_spi(Slipcast) internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// What a record says about purchases, in any of its forms.
package struct FoundObjects: Sendable {
  package var purchases: [Purchase] = []
  package var renewals: [RenewalState] = []
  package var statuses: [StatusState] = []
  /// Signed parts that are not trusted, and were not used.
  package var untrusted = 0
  /// Why the first of them is not trusted: its path and the reason.
  package var refusal: (path: String, code: String, message: String)?

  package init(purchases: [Purchase] = []) { self.purchases = purchases }
}

/// Finds transactions, renewal infos and statuses in a V2 record of any form; signed ones are used when they are trusted.
///
/// Serves one task at a time.
final class ServerObjects {
  private let verifier: SignedRecordVerifier
  /// The original transaction ids whose transactions are wanted, or `nil` for all; others are not verified.
  private let wanted: Set<String>?
  private static let deepest = 8

  private(set) var found = FoundObjects()

  init(_ verifier: SignedRecordVerifier, wanted: Set<String>? = nil) {
    (self.verifier, self.wanted) = (verifier, wanted)
  }

  /// - Parameter token: what the record was decoded from, where it was a bare token.
  func read(_ record: JSONElement, token: [UInt8]?) -> FoundObjects {
    found = FoundObjects()
    if let token { take(token: token, at: "") } else { take(record, depth: 0) }
    return found
  }

  private func take(_ object: JSONElement, token: [UInt8]? = nil, depth: Int) {
    switch V2Form(object) {
    case .transaction:
      var purchase = Purchase(TapeValues(object))
      purchase.signed = token
      found.purchases.append(purchase)
    case .renewalInfo: found.renewals.append(RenewalState(TapeValues(object)))
    default: search(object, depth: depth)
    }
  }

  /// Searches an object that holds others.
  private func search(_ object: JSONElement, depth: Int) {
    guard depth < Self.deepest else { return }
    let before = (found.purchases.count, found.renewals.count)
    for child in object.children {
      switch child.kind {
      case .object: take(child, depth: depth + 1)
      case .array: search(child, depth: depth + 1)
      case .string where ModelCatalog.decodedNames[child.name] != nil || object.name == "signedTransactions":
        take(token: Array(child.tape.text(child.index).buffer), at: path(child), depth)
      case .string where child.name == "signedPayload":
        take(token: Array(child.tape.text(child.index).buffer), at: "signedPayload", depth)
      default: break
      }
    }
    guard object.kind == .object, let status = object["status"]?.anyInteger else { return }
    note(status, of: object, since: before)
  }

  private func path(_ element: JSONElement) -> String { JSONPath(tape: element.tape, index: element.index).description }

  /// The status next to a transaction: of an item of an answer, or of a notification.
  private func note(_ status: Int64, of object: JSONElement, since before: (purchases: Int, renewals: Int)) {
    let purchase = found.purchases.count > before.purchases ? found.purchases.last : nil
    let renewal = found.renewals.count > before.renewals ? found.renewals.last : nil
    let named = object["originalTransactionId"]?.anyText
    guard let id = named ?? purchase?.originalTransactionId ?? renewal?.originalTransactionId,
      purchase != nil || renewal != nil, (1...5).contains(status)
    else { return }
    let times = [purchase?.signedDate, renewal?.signedDate].compactMap(\.self)
    found.statuses.append(StatusState(originalTransactionId: id, status: status, asOf: times.max()))
  }

  private func take(token: [UInt8], at path: String, _ depth: Int = 0) {
    let payload = CompactJWS(token.span)?.payload
    if let wanted, let payload, let id = Self.id(of: payload), !wanted.contains(id) { return }
    let verdict = verifier.verify(text: token.span)
    if let refusal = verdict.refusal {
      found.untrusted += 1
      found.refusal = found.refusal ?? (path, refusal.reason.rawValue, refusal.description)
      return
    }
    guard let payload else { return }
    JSONReader(names: []).parse(JSONBuffer(payload)) { take($0, token: token, depth: depth + 1) }
  }

  /// What the payload of a transaction or a renewal info says it belongs to.
  private static func id(of payload: [UInt8]) -> String? {
    JSONReader(names: []).parse(JSONBuffer(payload)) { $0["originalTransactionId"]?.anyText }
  }
}
