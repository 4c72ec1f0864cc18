@_spi(Slipcast) package import SlipcastWire

/// The form of a version 2 record, recognized by members that only its kind has.
///
/// All code that reads V2 records recognizes them here, and then decides which forms it accepts.
package enum V2Form: Sendable {
  /// An object around a signed notification.
  case signedPayload
  /// A version 1 record.
  case legacy
  /// A decoded notification.
  case notification
  /// An answer with the notifications that were sent.
  case notificationHistory
  /// An answer with transactions, signed or decoded.
  case history
  /// An answer with the statuses of subscriptions.
  case statuses
  /// A transaction and a renewal info, signed or decoded, as members of an object, such as an item of an answer.
  case parts
  /// A decoded app transaction.
  case appTransaction
  /// A decoded renewal info.
  case renewalInfo
  /// A decoded transaction.
  case transaction

  /// `nil` for an object of no known form, and for what is not an object.
  package init?(_ tape: JSONTape, _ root: Int) {
    guard tape[root].kind == .object, let form = Self.form(V2Marks(tape, root), tape, root) else { return nil }
    self = form
  }

  /// `nil` for an object of no known form, and for what is not an object.
  package init?(_ record: JSONElement) { self.init(record.tape, record.index) }

  /// The form in words, for messages.
  package var words: String {
    switch self {
    case .signedPayload: "a signed version 2 notification"
    case .legacy: "a version 1 record"
    case .notification: "a version 2 notification"
    case .notificationHistory: "a page of version 2 notifications"
    case .history: "a version 2 transaction history"
    case .statuses: "version 2 subscription statuses"
    case .parts: "a version 2 transaction or renewal info in an object"
    case .appTransaction: "a version 2 app transaction"
    case .renewalInfo: "a version 2 renewal info"
    case .transaction: "a version 2 transaction"
    }
  }

  /// In the order of precedence, where the members of an object speak for several forms.
  private static func form(_ marks: V2Marks, _ tape: JSONTape, _ root: Int) -> V2Form? {
    if marks.contains(.signedPayload) { return .signedPayload }
    if marks.contains(.legacy) { return .legacy }
    // V1's type, where a warehouse has written the names of V2 with underscores.
    if marks.contains(.legacyType) { return marks.contains(.underscores) ? .notification : .legacy }
    if marks.contains(.legacyInCamelCase) { return nil }
    if marks.contains(.notification) || isSibling(marks, tape, root) { return .notification }
    if !marks.isDisjoint(with: [.data, .subject, .lists]), let form = outer(marks, tape, root) { return form }
    if marks.contains(.parts) { return .parts }
    guard marks.contains(.common) else { return nil }
    return marks.contains(.appTransaction)
      ? .appTransaction : marks.contains(.renewal) ? .renewalInfo : marks.contains(.transaction) ? .transaction : nil
  }

  /// The form of an object that holds others.
  private static func outer(_ marks: V2Marks, _ tape: JSONTape, _ root: Int) -> V2Form? {
    if marks.contains(.page) { return .notificationHistory }
    // Where there is nothing to ask for its members, an answer has Apple's members around it.
    if marks.contains(.history) { return .history }
    if marks.contains(.transactions), marks.contains(.common) || isFirst(tape, root, of: "transactions", .transaction) {
      return .history
    }
    if marks.contains(.groups), marks.contains(.common) || isFirst(tape, root, of: "data", .group) { return .statuses }
    if marks.contains(.data), holds(tape, root, in: "data", .parts) { return .notification }
    return marks.contains(.subject) && marks.contains(.signedDate) ? .notification : nil
  }

  /// A notification whose transaction and renewal are next to it, each under its own name.
  private static func isSibling(_ marks: V2Marks, _ tape: JSONTape, _ root: Int) -> Bool {
    marks.contains(.sibling)
      && tape.children(of: root).contains {
        tape.key($0) == "notification" && tape[$0].kind == .object && V2Form(tape, $0) == .notification
      }
  }

  /// The first item of a list has a member of its kind; an empty list has none.
  private static func isFirst(_ tape: JSONTape, _ root: Int, of name: StaticString, _ wanted: V2Marks) -> Bool {
    guard let list = tape.children(of: root).first(where: { tape.key($0) == name }),
      let first = tape.children(of: list).first(where: { _ in true })
    else { return false }
    return tape[first].kind == .object && !V2Marks(tape, first).isDisjoint(with: wanted)
  }

  private static func holds(_ tape: JSONTape, _ root: Int, in name: StaticString, _ wanted: V2Marks) -> Bool {
    tape.children(of: root).contains { tape.key($0) == name && !V2Marks(tape, $0).isDisjoint(with: wanted) }
  }
}
